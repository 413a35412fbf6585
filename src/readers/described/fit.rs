//! How well a described shape fits a text: its marks recur, and they leave both text and
//! commentary. Alternating lines are recognised by their content: a commentary repeats words of the
//! line before it, and not of others.

use rustc_hash::FxHashSet;

use super::labels;
use super::reading::ShapeWriter;
use crate::corpus::Shape;
use crate::model::{Layer, LayerKind};
use crate::source::Span;
use crate::text::class::{ends_clause, ends_sentence, is_content};
use crate::text::{self, Key};

/// A text must have at least one mark in this many characters, and at least this many marks.
const MAX_CHARS_PER_MARK: usize = 3000;
const MIN_MARKS: usize = 3;
/// Least number of marks of a kind that recurs.
const MIN_MARKS_OF_KIND: usize = 2;
/// Least and largest share of commentary in a text with notes.
const COMMENTARY: std::ops::RangeInclusive<f64> = 0.02..=0.98;
/// Least number of blocks of a text in alternating lines, the share of them with commentary, and
/// the share of these that are short.
const MIN_BLOCKS: usize = 8;
const MIN_COMMENTED: f64 = 0.5;
const MIN_SHORT: f64 = 0.75;
const MAX_SHORT_LINES: usize = 3;
/// Share of the pairs of characters of a line that its own commentary repeats, and how many times
/// the share that the next one repeats.
const MIN_ECHO: f64 = 0.08;
const MIN_ECHO_RATIO: f64 = 3.0;
/// Least number of pieces of text with commentary that only their lines set apart, and the share of
/// them that are sentences: headings are not explained by what follows.
const MIN_EXPLAINED: usize = 3;
const MIN_SENTENCES: f64 = 0.8;
/// One of so many marks may lack its closing one.
const MAX_UNCLOSED: usize = 10;

/// True if a text has the shape.
pub(super) fn fits(shape: &Shape, sample: &str) -> bool {
    let refused = shape.fit.without.as_ref().is_some_and(|w| w.is_match(sample));
    if shape.claims == 0 || refused {
        return false;
    }
    if shape.indents.is_some() {
        let mut writer = ShapeWriter::new(sample, shape);
        writer.all();
        return is_explained(sample, writer, (MIN_ECHO, MIN_ECHO_RATIO));
    }
    if shape.marks.is_empty() {
        return by_turns(sample);
    }
    let chars = sample.chars().filter(|c| is_content(*c)).count();
    let (least, least_of_kind) =
        if shape.fit.once { (2, 1) } else { (MIN_MARKS, MIN_MARKS_OF_KIND) };
    let alone = sample.lines().filter(|line| shape.alone_in(line).is_some()).take(least).count();
    if alone < least && alone + shape.openings.find_iter(sample).take(least).count() < least {
        return false;
    }
    let with_names = labels::with_names(shape, sample);
    let shape = with_names.as_ref().unwrap_or(shape);
    let mut writer = ShapeWriter::new(sample, shape);
    writer.all();
    let (starting, inside) =
        writer.counts.iter().fold((0, 0), |(a, b), (starts, inner)| (a + starts, b + inner));
    let marks = starting + inside;
    let kinds = writer.counts.iter().filter(|(a, b)| a + b >= least_of_kind).count();
    let numbered = !shape.marks.iter().any(|m| m.numbered)
        || (writer.numbers.references >= MIN_MARKS_OF_KIND
            && writer.numbers.answered.len() >= MIN_MARKS_OF_KIND);
    marks >= least
        && marks * MAX_CHARS_PER_MARK >= chars
        && kinds >= shape.fit.kinds as usize
        && inside * 100 >= marks * shape.fit.inside as usize
        && numbered
        && !(shape.fit.closed && writer.unclosed.len() * MAX_UNCLOSED > marks)
        && if shape.fit.echo {
            is_explained(sample, writer, (0.0, 1.0))
        } else {
            has_both(shape, sample, writer)
        }
}

/// True if the text begins with a sentence, and sentences of it have commentary after them that
/// repeats their words: at least this share of them, and so many times the share that the next
/// commentary repeats.
fn is_explained(sample: &str, writer: ShapeWriter<'_>, (least, ratio): (f64, f64)) -> bool {
    let mut blocks: Vec<(Span, Option<Span>)> = vec![];
    let is_sentence = |s: &Span| sample[s.range()].contains(|c| ends_sentence(c) || ends_clause(c));
    for s in &writer.segments() {
        let is_base = match s.layer.kind() {
            LayerKind::Base => true,
            LayerKind::Note | LayerKind::Commentary => false,
            _ => continue,
        };
        match blocks.last_mut() {
            // A title may stand further in than all.
            None if !is_base && !is_sentence(&s.span) => continue,
            None if !is_base => return false,
            Some((base, None)) if is_base => *base = Span::new(base.start(), s.span.end()),
            Some((_, notes)) if !is_base => {
                let start = notes.map_or(s.span.start(), Span::start);
                *notes = Some(Span::new(start, s.span.end()));
            }
            _ => blocks.push((s.span, None)),
        }
    }
    let explained: Vec<(Span, Span)> =
        blocks.iter().filter_map(|(base, notes)| Some((*base, (*notes)?))).collect();
    let sentences = explained.iter().filter(|(base, _)| is_sentence(base)).count();
    let sets = explained.iter().map(|(a, b)| (pairs(sample, *a), pairs(sample, *b)));
    let (own, other) = echoes(&sets.collect::<Vec<_>>());
    explained.len() >= MIN_EXPLAINED
        && sentences as f64 >= MIN_SENTENCES * explained.len() as f64
        && own >= least.max(ratio * other)
}

/// True if there is both text and commentary, if the shape has commentary.
fn has_both(shape: &Shape, sample: &str, writer: ShapeWriter<'_>) -> bool {
    let is_note = |layer: Layer| layer.kind() != LayerKind::Base && layer.is_text();
    if !shape.marks.iter().any(|m| is_note(m.layer)) {
        return true;
    }
    let (mut notes, mut all) = (0, 0);
    for s in writer.segments().iter().filter(|s| s.layer.is_text()) {
        let chars = sample[s.span.range()].chars().filter(|c| is_content(*c)).count();
        all += chars;
        notes += if is_note(s.layer) { chars } else { 0 };
    }
    COMMENTARY.contains(&(notes as f64 / all.max(1) as f64))
}

type CharPairs = FxHashSet<[char; 2]>;

/// Pairs of characters of a text.
fn pairs(text: &str, span: Span) -> CharPairs {
    let key = Key::of(text, span);
    key.chars.windows(2).map(|w| [w[0], w[1]]).collect()
}

/// Share of the pairs of characters of a line that another text repeats.
pub(super) fn echo(text: &str, line: Span, other: Span) -> f64 {
    let own = pairs(text, line);
    let repeated = own.intersection(&pairs(text, other)).count();
    repeated as f64 / own.len().max(1) as f64
}

/// True if blocks of lines consist of a line of text and commentary on it.
fn by_turns(sample: &str) -> bool {
    let mut blocks: Vec<Vec<Span>> = vec![vec![]];
    for line in text::lines(sample) {
        match line.words.is_empty() {
            true if blocks.last().is_some_and(|b| !b.is_empty()) => blocks.push(vec![]),
            true => {}
            false => blocks.last_mut().expect("there is one").push(line.words),
        }
    }
    // A heading is its own block, or the first line of one.
    let long = |s: &Span| sample[s.range()].chars().filter(|c| is_content(*c)).count() > 3;
    blocks.retain(|b| b.iter().any(long));
    let commented = blocks.iter().filter(|b| b.len() > 1).count();
    if commented < MIN_BLOCKS || (commented as f64) < MIN_COMMENTED * blocks.len() as f64 {
        return false;
    }
    let short = blocks.iter().filter(|b| (2..=MAX_SHORT_LINES).contains(&b.len())).count();
    if (short as f64) < MIN_SHORT * commented as f64 {
        return false;
    }
    let sets = blocks.iter().filter(|b| b.len() > 1).map(|b| {
        let rest = Span::new(b[1].start(), b[b.len() - 1].end());
        (pairs(sample, b[0]), pairs(sample, rest))
    });
    let (own, other) = echoes(&sets.collect::<Vec<_>>());
    own >= MIN_ECHO && own >= MIN_ECHO_RATIO * other
}

/// Share of the words of a text that its own commentary repeats, and that the next one does. Given
/// are the pairs of characters of each piece of text and of its commentary.
fn echoes(sets: &[(CharPairs, CharPairs)]) -> (f64, f64) {
    let (mut own, mut other, mut all) = (0usize, 0usize, 0usize);
    for w in sets.windows(2) {
        all += w[0].0.len();
        own += w[0].0.intersection(&w[0].1).count();
        other += w[0].0.intersection(&w[1].1).count();
    }
    (own as f64 / all.max(1) as f64, other as f64 / all.max(1) as f64)
}
