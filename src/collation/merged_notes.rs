//! Notes of several commentators side by side: to a text are added the notes of other witnesses,
//! each after the words that it follows there. What a witness shares with the text so far is added
//! once.

use std::sync::Arc;

use super::CollatedWitness;
use super::merged::{Composed, MergedStretch, MergedText, classic};
use super::pair::PairAlignment;
use crate::model::{Document, Layer, LayerKind, Segment};
use crate::source::{Source, Span};
use crate::text::Key;
use crate::text::class::{is_punctuation, opens};
use crate::text::collate::Base;

/// Two notes on the same words that share so large a part of their characters are the same.
const SAME_SHARE: f64 = 0.7;

/// Notes of a witness, and the character of its classic that they follow; none for those before the
/// first, such as a sub-commentary on the title.
struct FoundNotes {
    after: Option<usize>,
    span: Span,
}

impl MergedText {
    /// Adds the notes of a witness that the text does not have.
    pub(super) fn add_notes(&mut self, other: &CollatedWitness<'_>) {
        let own = classic(&self.document);
        let alignment = PairAlignment::of(&Base::new(own.chars()), other.chars());
        let mut in_own: Vec<Option<usize>> = vec![None; other.chars().len()];
        for cell in alignment.cells.iter().filter(|c| !c.base.is_empty()) {
            cell.own.clone().for_each(|n| in_own[n] = Some(cell.base.end - 1));
        }
        let Some(first) = in_own.iter().find_map(|n| *n) else { return };
        let mut insertions: Vec<(usize, Span)> = Vec::new();
        for notes in notes_of(other) {
            // Where the text lacks the word, the notes follow the one before.
            let before = in_own[..notes.after.map_or(0, |n| n + 1)].iter().rev();
            let after = before.flatten().next().copied().or(first.checked_sub(1));
            let place = match after {
                Some(after) => after_notes(&self.document, &own, after),
                None => before_classic(&self.document, &own),
            };
            let near = Span::new(after.map_or(0, |after| own.source_at(after)), place);
            if !has(&self.document, near, other.document, notes.span) {
                insertions.push((place, notes.span));
            }
        }
        insertions.sort_by_key(|(place, span)| (*place, span.start()));
        let (old, mut composed, mut at) = (self.document.clone(), Composed::default(), 0);
        let chars = |span: &Span| other.document.slice(*span).chars().count();
        let added: usize = insertions.iter().map(|(_, span)| chars(span)).sum();
        if added == 0 {
            return;
        }
        let opening = before_classic(&self.document, &own);
        for (place, span) in insertions {
            composed.push(&old, Span::new(at, place), None);
            composed.push_within_line(other.document, span, &other.document.id);
            if place == opening {
                composed.end_line();
            }
            at = place;
        }
        composed.push(&old, Span::new(at, old.source.text().len()), None);
        self.document.source = Arc::new(Source::from_text(old.source.path(), composed.text));
        self.document.segments = composed.segments.into();
        let witness = other.document.id.clone();
        self.stretches.push(MergedStretch { witness, chars: added, notes: true });
    }
}

fn is_note(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Note | LayerKind::Commentary) || layer == Layer::ShuHeader
}

/// The notes of a witness by the characters of its classic, each layer by itself, with the marks
/// around them.
fn notes_of(witness: &CollatedWitness<'_>) -> Vec<FoundNotes> {
    let document = witness.document;
    let mut found: Vec<FoundNotes> = Vec::new();
    for after in std::iter::once(None).chain((0..witness.chars().len()).map(Some)) {
        let next = after.map_or(0, |n| n + 1);
        let next = match next < witness.chars().len() {
            true => witness.source_at(next),
            false => document.source.text().len(),
        };
        let at = after.map_or(0, |after| witness.source_at(after));
        let from = document.segments.partition_point(|s| s.span.end() <= at);
        let here = &document.segments[from..];
        let here = &here[..here.partition_point(|s| s.span.start() < next)];
        let runs = here.chunk_by(|a, b| layer_of(document, a) == layer_of(document, b));
        let notes = runs.filter(|run| layer_of(document, &run[0]).is_some_and(is_note));
        found.extend(notes.map(|run| {
            let from = here.partition_point(|s| s.span.start() < run[0].span.start());
            let opening = here[..from].last().filter(|s| is_opening(document, s));
            let start = opening.unwrap_or(&run[0]).span.start();
            FoundNotes { after, span: Span::new(start, run[run.len() - 1].span.end()) }
        }));
    }
    found
}

/// The layer of a segment; none for a mark that closes, which belongs to what is before it.
fn layer_of(document: &Document, segment: &Segment) -> Option<Layer> {
    let closes = segment.layer == Layer::Mark && !is_opening(document, segment);
    let before = document.segments.partition_point(|s| s.span.start() < segment.span.start());
    let before = before.checked_sub(1).map(|n| &document.segments[n]);
    match (closes, before) {
        (true, Some(before)) if before.layer != Layer::Mark => Some(before.layer),
        (true, _) => None,
        (false, _) => Some(segment.layer),
    }
}

fn is_opening(document: &Document, segment: &Segment) -> bool {
    segment.layer == Layer::Mark && document.slice(segment.span).trim().ends_with(opens)
}

/// The byte where the classic begins, with a mark that opens it.
fn before_classic(document: &Document, own: &CollatedWitness<'_>) -> usize {
    let first = document.segments.partition_point(|s| s.span.end() <= own.source_at(0));
    let opening = first.checked_sub(1).map(|n| &document.segments[n]);
    let opening = opening.filter(|s| is_opening(document, s));
    opening.or(document.segments.get(first)).map_or(0, |s| s.span.start())
}

/// The byte after the notes that follow a character of the classic.
fn after_notes(document: &Document, own: &CollatedWitness<'_>, after: usize) -> usize {
    let (at, text) = (own.source_at(after), document.source.text());
    let next = match after + 1 < own.chars().len() {
        true => own.source_at(after + 1),
        false => text.len(),
    };
    let from = document.segments.partition_point(|s| s.span.end() <= at);
    let here = document.segments[from..].iter().take_while(|s| s.span.start() < next);
    let notes = here.filter(|s| is_note(s.layer) || s.layer == Layer::Mark).map(|s| s.span.end());
    // Without notes: after the points that follow the character.
    let points = || {
        let mut end = at;
        for (i, c) in text[at..next].char_indices().take_while(|(i, c)| *i == 0 || is_point(*c)) {
            end = at + i + c.len_utf8();
        }
        end
    };
    notes.max().unwrap_or_else(points)
}

fn is_point(c: char) -> bool {
    is_punctuation(c) && !opens(c)
}

/// True if a stretch of the text has some notes already: their very words, or a note that is much
/// the same.
fn has(document: &Document, near: Span, other: &Document, notes: Span) -> bool {
    let there = Key::of(other.source.text(), notes);
    let here = Key::of(document.source.text(), near);
    if there.is_empty() || here.chars.windows(there.len()).any(|w| w == there.chars) {
        return true;
    }
    let from = document.segments.partition_point(|s| s.span.end() <= near.start());
    let segments = document.segments[from..].iter().take_while(|s| s.span.start() < near.end());
    segments.filter(|s| is_note(s.layer)).any(|segment| {
        let note = Key::of(document.source.text(), segment.span);
        let alignment = PairAlignment::of(&Base::new(&note.chars), &there.chars);
        let length = note.len() + there.len();
        2.0 * alignment.matched() as f64 >= SAME_SHARE * length as f64
    })
}

#[cfg(test)]
mod tests {
    use super::super::merged::merged_with_notes;
    use super::*;

    fn document(id: &str, pieces: &[(Layer, &str)]) -> Document {
        let mut document = Document::of_pieces(pieces);
        document.id = id.into();
        document
    }

    #[test]
    fn notes_of_another_commentator_follow_the_same_words() {
        let ju: Layer = "ju".parse().expect("a layer");
        let base = document(
            "base",
            &[
                (Layer::Jing, "司射適堂西，命弟子設豐。"),
                (Layer::Zhu, "將飲不勝者，設豐所以承其爵也。"),
                (Layer::Jing, "弟子奉豐升，設于西楹之西，乃降。"),
                (Layer::Jing, "勝者之弟子洗觶，升酌。"),
            ],
        );
        let other = document(
            "other",
            &[
                (Layer::Jing, "司射適堂西命弟子設豐"),
                (Layer::Zhu, "將飲不勝者設豐所以承其爵也"),
                (ju, "豐以承爵。"),
                (Layer::Jing, "弟子奉豐升設于西楹之西乃降"),
                (ju, "弟子，賓黨之少者。"),
                (Layer::Jing, "勝者之弟子洗觶升酌"),
            ],
        );
        let merged = merged_with_notes(&base, &[&other], |_| None).document;
        merged.check().expect("a sound document");
        let text = "司射適堂西，命弟子設豐。將飲不勝者，設豐所以承其爵也。豐以承爵。\
            弟子奉豐升，設于西楹之西，乃降。弟子，賓黨之少者。勝者之弟子洗觶，升酌。";
        assert_eq!(merged.source.text(), text);
        let notes: Vec<&str> = merged.of_layer(ju).map(|s| merged.slice(s.span)).collect();
        assert_eq!(notes, ["豐以承爵。", "弟子，賓黨之少者。"]);
    }

    #[test]
    fn notes_on_the_title_stand_before_the_classic() {
        let base = [(Layer::Heading, "學而第一"), (Layer::Jing, "子曰學而時習之不亦說乎")];
        let other = [base[0], (Layer::Shu, "正義曰此篇論君子。"), base[1]];
        let (base, other) = (document("base", &base), document("other", &other));
        let merged = merged_with_notes(&base, &[&other], |_| None).document;
        merged.check().expect("a sound document");
        let of = |layer| merged.of_layer(layer).map(|s| merged.slice(s.span)).collect::<String>();
        assert_eq!(of(Layer::Shu), "正義曰此篇論君子。");
        assert_eq!(merged.source.text(), "學而第一正義曰此篇論君子。\n子曰學而時習之不亦說乎");
    }
}
