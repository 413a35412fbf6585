//! `--passages`: a handout of some passages, by their loci, from all texts that have them, with
//! their commentaries and translations.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Settings;
use crate::ask::passage;
use crate::corpus::refs::Catalogue;
use crate::corpus::{Library, Passages};
use crate::diag::Error;
use crate::model::{Alignment, Layer, LayerKind, Locus};
use crate::source::{Source, Span};

/// The passages that a list names: `論語 1.1, 禮記 中庸 1-3`, or `@FILE` with one in each line, where
/// a remark follows `#`.
///
/// # Errors
/// When the file cannot be read, one of them is no locus, or no text has it.
pub fn of(
    words: &str,
    library: &Library,
    layers: &[Layer],
    settings: &Settings,
) -> Result<Passages, Error> {
    let list = match words.strip_prefix('@') {
        Some(file) => listed(file)?,
        None => words.to_string(),
    };
    let separators = |c: char| matches!(c, ',' | '、' | '，' | '；' | ';' | '\n');
    let names = list.split(separators).map(str::trim).filter(|name| !name.is_empty());
    let catalogue = Catalogue::of(library);
    let mut all = Passages::new();
    for name in names {
        let locus = passage::parse(name, settings)?;
        let mut found = spans(&locus, library, &catalogue);
        if found.is_empty()
            && let Some(sentence) = passage::sentence_of_chapter(&locus, library, &catalogue)
        {
            found = spans(&sentence, library, &catalogue);
        }
        if found.is_empty() {
            return Err(passage::missing_error(&locus, library, &catalogue, layers));
        }
        for (id, spans) in found {
            all.entry(id).or_default().extend(spans);
        }
    }
    if all.is_empty() {
        let hint = "name passages by their loci: yili.05.2.3, 論語 1.1";
        return Err(Error::request("the list names no passage").hint(hint));
    }
    all.values_mut().for_each(join);
    Ok(all)
}

/// The lines of a file without remarks.
fn listed(file: &str) -> Result<String, Error> {
    let list = std::fs::read(file).map_err(|e| Error::io(Path::new(file), "read", &e))?;
    let list = Source::decode(file, list, None)?;
    let list = list.text().trim_start_matches('\u{FEFF}');
    let lines = list.lines().map(|line| line.split('#').next().unwrap_or_default());
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// Puts stretches in order, and joins those that overlap.
fn join(spans: &mut Vec<Span>) {
    spans.sort_unstable();
    spans.dedup_by(|next, before| {
        let joins = next.start() <= before.end();
        if joins {
            *before = Span::new(before.start(), before.end().max(next.end()));
        }
        joins
    });
}

/// Where the texts have a passage, with what is said about it, and its translations.
fn spans(locus: &Locus, library: &Library, catalogue: &Catalogue<'_>) -> Passages {
    let mut all: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for document in &library.documents {
        let Some(loci) = catalogue.get(&document.id) else { continue };
        let found = loci.find(locus);
        if found.is_empty() {
            continue;
        }
        let is_classic = |l: Layer| matches!(l.kind(), LayerKind::Base | LayerKind::Undivided);
        let classic = found.iter().filter(|(_, u)| is_classic(u.layer));
        let classic: Vec<Span> = classic.map(|(span, _)| *span).collect();
        for alignment in library.alignments.iter().filter(|a| a.source == document.id) {
            let translated = all.entry(alignment.translation.clone()).or_default();
            translated.extend(rendered(alignment, &classic));
        }
        let later = loci.later_comments(&found).into_iter().map(|unit| unit.span);
        let here = found.iter().map(|(span, _)| *span).chain(later);
        all.entry(document.id.clone()).or_default().extend(here);
    }
    all.retain(|_, spans| !spans.is_empty());
    all
}

/// What an alignment has of some stretches of the classic.
fn rendered<'a>(
    alignment: &'a Alignment,
    classic: &'a [Span],
) -> impl Iterator<Item = Span> + use<'a> {
    let meets = |spans: &[Span]| spans.iter().any(|s| classic.iter().any(|c| c.overlap(*s) > 0));
    let beads = alignment.beads.iter().filter(move |bead| meets(&bead.source));
    beads.flat_map(|bead| bead.translation.iter().copied())
}
