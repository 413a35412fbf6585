//! The first page of a site: the texts of a corpus by work and chapter, with the certainty of their
//! layers.

use std::collections::BTreeMap;
use std::io;

use super::collated::{ids as collated_ids, page_of};
use super::frame::{INDEX, Title, frame, page};
use crate::corpus::Library;
use crate::markup::Markup;
use crate::model::{Alignment, Document, Layer, LayerKind, Role};
use crate::writers::html::phrases::is_low;

/// Writes `index.html`, in the same folder as the pages of the library's documents
/// (`yili-05-zhushu.html`).
///
/// # Errors
/// When writing to `out` fails.
pub fn index(library: &Library, title: Title<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    frame(INDEX, title, out, |h| {
        h.open("ol").attr("class", "texts").line();
        let collated = collated_ids(library);
        for document in &library.documents {
            text(h, document, collated.contains(document.id.as_str()));
        }
        h.close().line();
        if !library.alignments.is_empty() {
            alignments(h, library);
        }
    })
}

fn alignments(h: &mut Markup<'_>, library: &Library) {
    h.element("h2", "對照 alignments").open("ul").line();
    for alignment in &library.alignments {
        let (Some(source), Some(translation)) =
            (library.get(&alignment.source), library.get(&alignment.translation))
        else {
            continue;
        };
        h.open("li");
        page(h, source);
        h.text(" ⇄ ");
        page(h, translation);
        h.text(" ").element("small", BeadCounts(alignment)).close().line();
    }
    h.close().line();
}

fn text(h: &mut Markup<'_>, document: &Document, collated: bool) {
    let meta = &document.meta;
    h.open("li").open("h2");
    page(h, document);
    h.close();
    let locus = meta.locus();
    let role = (meta.role == Role::Translation).then_some("今譯 translation");
    let about: Vec<&str> =
        [role, locus.as_deref(), meta.siglum.as_deref(), meta.edition.as_deref()]
            .into_iter()
            .flatten()
            .collect();
    if !about.is_empty() {
        h.open("p").attr("class", "about").words(&about.join(" · ")).close();
    }
    h.open("ul").attr("class", "bars");
    for (layer, segments, characters) in layers(document) {
        h.open("li").attr("title", layer.info().about).text(layer.zh());
        if let Some(who) = meta.by(layer) {
            h.text(" ").words(&who.name);
        }
        h.text(format_args!(" {characters} 字 / {segments}")).close();
    }
    h.close();
    h.open("p").attr("class", "about").text(InferenceCounts(document)).close();
    if collated {
        h.open("p").attr("class", "about").open("a").attr("href", page_of(&document.id));
        h.text("對校 collation with other witnesses").close().close();
    }
    let source: Vec<&str> =
        [meta.origin.as_deref(), meta.rights.as_deref()].into_iter().flatten().collect();
    if !source.is_empty() {
        h.open("p").attr("class", "about").words(&source.join(" · ")).close();
    }
    h.close().line();
}

/// Each layer with its segments and characters, in the order of the table.
fn layers(document: &Document) -> Vec<(Layer, usize, usize)> {
    let mut counts: BTreeMap<Layer, (usize, usize)> = BTreeMap::new();
    for s in document.segments.iter().filter(|s| s.layer.is_text()) {
        let (segments, characters) = counts.entry(s.layer).or_default();
        *segments += 1;
        *characters += document.slice(s.span).chars().filter(|c| !c.is_whitespace()).count();
    }
    counts.into_iter().map(|(l, (s, c))| (l, s, c)).collect()
}

/// Counts of a text's inferred cuts and placed references.
struct InferenceCounts<'a>(&'a Document);

impl std::fmt::Display for InferenceCounts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let d = self.0;
        let inferred = d.segments.iter().filter(|s| s.layer.is_text() && !s.evidence.is_empty());
        let (cuts, doubtful) =
            inferred.fold((0, 0), |(n, low), s| (n + 1, low + usize::from(is_low(s.certainty))));
        let undivided =
            d.segments.iter().filter(|s| s.layer.kind() == LayerKind::Undivided).count();
        let placed = d.links.iter().filter(|l| l.target.is_some()).count();
        write!(f, "推斷起訖 inferred cuts {cuts}")?;
        if doubtful > 0 {
            write!(f, " (存疑 uncertain {doubtful})")?;
        }
        if undivided > 0 {
            write!(f, " · 未分 undivided {undivided}")?;
        }
        if !d.links.is_empty() {
            write!(f, " · 徵引 references {placed}/{}", d.links.len())?;
        }
        Ok(())
    }
}

/// Counts of the beads of an alignment with and without a counterpart.
struct BeadCounts<'a>(&'a Alignment);

impl std::fmt::Display for BeadCounts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (mut both, mut source, mut translation, mut low) = (0, 0, 0, 0);
        for bead in &self.0.beads {
            match (bead.source.is_empty(), bead.translation.is_empty()) {
                (false, false) => both += 1,
                (false, true) => source += 1,
                _ => translation += 1,
            }
            low += usize::from(
                !bead.source.is_empty() && !bead.translation.is_empty() && is_low(bead.certainty),
            );
        }
        write!(
            f,
            "相應 matched {both} (存疑 uncertain {low}) · 原文獨有 only in the classic {source} · 譯文獨有 only in the translation {translation}"
        )
    }
}
