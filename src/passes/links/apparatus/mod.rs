//! Makes apparatus entries from notes about readings: 今文X作Y, 古文無X, X讀爲Y, X當爲Y,
//! 案X今注疏本訛作Y據宋本改; and from 音義: X，本亦作Y.
//!
//! [`words`] reads a note as a row of characters with breaks. [`recensions`], [`readings`],
//! [`prints`] and [`glosses`] parse the formulas; their words are in `data/words.tsv`. [`quoted`]
//! brings words to what quotation marks say. [`resolve`]
//! finds the text that is meant: for a 注 in the classic before it, for an editor's 案 right before
//! it in any layer. The 疏 only repeats what notes say and has no entries.

mod glosses;
mod prints;
mod quoted;
mod readings;
mod recensions;
mod resolve;
mod statement;
mod words;

use crate::model::{ApparatusEntry, Certainty, Difference, Document, Era, Layer, LayerKind};
use crate::passes::context::Context;
use crate::source::Span;
use crate::text::class::{ends_clause, ends_sentence};
use quoted::NoteMarks;
use resolve::ClassicBefore;
use statement::Statement;
use words::{NoteRow, WordRole};

/// Runs the pass.
pub fn run(document: &mut Document, _: &Context<'_>) {
    let (mut entries, statements) = stated(document);
    find_words(document, statements, &mut entries);
    entries.sort_by_key(|e| (e.span.start(), e.reading.map_or(0, |r| r.start())));
    document.apparatus = entries.into();
}

/// Entries that name what they are about, and statements about words that are to be found, each
/// with its segment.
fn stated(document: &Document) -> (Vec<ApparatusEntry>, Vec<(usize, Statement)>) {
    let (mut entries, mut stated) = (Vec::new(), Vec::new());
    for (i, s) in document.segments.iter().enumerate() {
        let noted = matches!(s.layer.kind(), LayerKind::Note | LayerKind::Commentary)
            && s.layer != Layer::Shu;
        if !noted {
            continue;
        }
        let Some(row) = NoteRow::with(document, s.span, required_roles(s.layer)) else { continue };
        let marks = NoteMarks::of(document.source.text(), s.span);
        if s.layer == Layer::Yin {
            let found = glosses::entries(document, i, &row).into_iter();
            entries.extend(found.map(|e| ApparatusEntry {
                named: e.named.and_then(|span| marks.named(span)),
                reading: e.reading.and_then(|span| marks.reading(span)),
                ..e
            }));
            continue;
        }
        let speaker =
            document.meta.by(s.layer).map_or_else(|| s.layer.zh().to_string(), |c| c.name.clone());
        let statements = match s.layer {
            Layer::An => prints::statements(&row),
            layer if is_early(layer) => {
                [recensions::statements(&row), readings::statements(&row, &speaker)].concat()
            }
            // Later commentators emend and repeat; what they repeat from the 疏 is not theirs.
            _ => readings::emendations(&row, &speaker),
        };
        let sound = statements.into_iter().filter_map(|st| marks.statement(st));
        stated.extend(sound.map(|st| (i, st)));
    }
    (entries, stated)
}

fn find_words(
    document: &Document,
    statements: Vec<(usize, Statement)>,
    entries: &mut Vec<ApparatusEntry>,
) {
    let mut classic = ClassicBefore::default();
    let made = statements.into_iter().map(|(i, st)| resolve::entry(document, &mut classic, i, st));
    // 當爲 and 讀爲 are ordinary words too: they are formulas only about a word right before
    // the note.
    let plain = |e: &ApparatusEntry| {
        matches!(e.difference, Difference::ReadAs | Difference::Emends) && e.certainty.get() < 0.9
    };
    // 故書曰 is also “so he wrote”, and 古文 a style: what is about no word that was found, and is
    // not one word for another, says nothing.
    let chars = |span: Option<Span>| span.map_or(0, |s| document.slice(s).chars().count());
    let note_of = |e: &ApparatusEntry| document.segment_at(e.span.start());
    let is_by_editor =
        |e: &ApparatusEntry| note_of(e).is_some_and(|n| document.segments[n].layer == Layer::An);
    let empty = |e: &ApparatusEntry| {
        let named = chars(e.named);
        let is_one_word = named == chars(e.reading) && named <= MAX_UNPLACED_CHARS;
        e.lemma.is_none() && !is_one_word && !is_by_editor(e)
    };
    let sound = made.filter(|e| !plain(e) && !empty(e));
    entries.extend(sound.map(|e| {
        match e.difference == Difference::Emends && !is_ended(document, &e) {
            true => ApparatusEntry { certainty: Certainty::new(OPEN_CERTAINTY), ..e },
            false => e,
        }
    }));
}

/// Characters of a word that may be named and not be found.
const MAX_UNPLACED_CHARS: usize = 2;

/// Certainty of an emendation in a note without punctuation: nothing shows where it ends (28 of 35
/// of such entries of 17 books were right).
const OPEN_CERTAINTY: f64 = 0.8;

/// True if the note of an entry is punctuated.
fn is_ended(document: &Document, entry: &ApparatusEntry) -> bool {
    let note = document.segment_at(entry.span.start()).map(|n| document.segments[n].span);
    note.is_some_and(|note| document.slice(note).contains(|c| ends_clause(c) || ends_sentence(c)))
}

/// True for 注 and the other commentaries that report the recensions of their day.
fn is_early(layer: Layer) -> bool {
    layer == Layer::Zhu || layer.era() == Some(Era::Early)
}

/// A note of this layer reports readings only if it has a word with one of these roles.
fn required_roles(layer: Layer) -> &'static [WordRole] {
    match layer {
        Layer::Yin => &[WordRole::Copy],
        Layer::An => &[WordRole::Print, WordRole::Surplus, WordRole::Should],
        layer if is_early(layer) => &[WordRole::Witness, WordRole::Read, WordRole::Should],
        _ => &[WordRole::Should],
    }
}

#[cfg(test)]
mod tests;
