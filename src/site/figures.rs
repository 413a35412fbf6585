//! The figures of a corpus: what each text has of each layer, how sure its cuts are, how many of
//! its references are placed, and what is aligned.

use std::collections::BTreeMap;

use super::frame::{Title, page};
use crate::corpus::Library;
use crate::language::escape;
use crate::markup::Markup;
use crate::model::{Alignment, Document, Layer, LayerKind, Role};
use crate::writers::html::phrases::{is_low, layer_about, layer_name};

/// The content of `index.figures.html`.
pub(super) fn figures(h: &mut Markup<'_>, library: &Library, _: Title<'_>) {
    h.open("ol").attr("class", "texts").line();
    for document in &library.documents {
        text(h, document);
    }
    h.close().line();
    if !library.alignments.is_empty() {
        alignments(h, library);
    }
}

fn alignments(h: &mut Markup<'_>, library: &Library) {
    h.said("h2", "{alignments}").open("ul").line();
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
        h.text(" ").said("small", &bead_counts(alignment)).close().line();
    }
    h.close().line();
}

fn text(h: &mut Markup<'_>, document: &Document) {
    let meta = &document.meta;
    h.open("li").open("h2");
    page(h, document);
    h.close();
    let locus = meta.locus();
    let role = (meta.role == Role::Translation).then(|| "{translation}".to_string());
    let known = [locus.as_deref(), meta.siglum.as_deref(), meta.edition.as_deref()];
    let about: Vec<String> =
        role.into_iter().chain(known.into_iter().flatten().map(escape)).collect();
    if !about.is_empty() {
        h.open("p").attr("class", "about").say(&about.join(" · ")).close();
    }
    h.open("ul").attr("class", "bars");
    for (layer, segments, characters) in layers(document) {
        let who = meta.by(layer).map(|c| format!(" {}", escape(&c.name))).unwrap_or_default();
        h.open("li").attr_said("title", &layer_about(layer));
        h.say(&format!(
            "{}{who} {{characters-count n={characters}}} · {{segments-count n={segments}}}",
            layer_name(layer)
        ));
        h.close();
    }
    h.close();
    h.open("p").attr("class", "about").say(&inference_counts(document)).close();
    let source: Vec<&str> =
        [meta.origin.as_deref(), meta.rights.as_deref()].into_iter().flatten().collect();
    if !source.is_empty() {
        h.open("p").attr("class", "about").words(&source.join(" · ")).close();
    }
    h.close().line();
}

/// Each layer with its segments and characters, in the order of the table.
fn layers(document: &Document) -> Vec<(Layer, usize, usize)> {
    let mut segments: BTreeMap<Layer, usize> = BTreeMap::new();
    for s in document.segments.iter().filter(|s| s.layer.is_text()) {
        *segments.entry(s.layer).or_default() += 1;
    }
    let characters = document.characters_by_layer();
    let of_layer = |(l, count)| (l, count, characters.get(&l).copied().unwrap_or(0));
    segments.into_iter().map(of_layer).collect()
}

/// Counts of a text's inferred cuts and placed references, as a template.
fn inference_counts(d: &Document) -> String {
    let inferred = d.segments.iter().filter(|s| s.layer.is_text() && !s.evidence.is_empty());
    let (cuts, doubtful) =
        inferred.fold((0, 0), |(n, low), s| (n + 1, low + usize::from(is_low(s.certainty))));
    let undivided = d.segments.iter().filter(|s| s.layer.kind() == LayerKind::Undivided).count();
    let placed = d.links.iter().filter(|l| l.target.is_some()).count();
    let mut counts = format!("{{inferred-starts n={cuts}}}");
    if doubtful > 0 {
        counts
            .push_str(&format!("{{open-paren}}{{of-these-uncertain n={doubtful}}}{{close-paren}}"));
    }
    if undivided > 0 {
        counts.push_str(&format!(" · {{undivided-count n={undivided}}}"));
    }
    if !d.links.is_empty() {
        let all = d.links.len();
        counts.push_str(&format!(" · {{references-placed n={placed} all={all}}}"));
    }
    counts
}

/// Counts of the beads of an alignment with and without a counterpart, as a template.
fn bead_counts(alignment: &Alignment) -> String {
    let (mut both, mut source, mut translation, mut low) = (0, 0, 0, 0);
    for bead in &alignment.beads {
        match (bead.source.is_empty(), bead.translation.is_empty()) {
            (false, false) => {
                both += 1;
                low += usize::from(is_low(bead.certainty));
            }
            (false, true) => source += 1,
            _ => translation += 1,
        }
    }
    format!("{{beads both={both} low={low} source={source} translation={translation}}}")
}
