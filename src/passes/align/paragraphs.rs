//! Aligns by paragraphs first, and sentences within them: a translation into another language has
//! few words in common with its classic, but is divided as that is.

use std::ops::Range;

use super::band::Band;
use super::confirmed::{ConfirmedUnits, Constraints};
use super::report::TextPair;
use super::step::PathStep;
use super::train::{self, Start, Trained};
use super::types::Types;
use super::units::TextUnit;
use super::windows::PathSearch;
use crate::model::Document;

/// Of the paragraphs of the translation one in so many may have no counterpart. If more have none,
/// the two sides are not divided alike.
const ALONE_OF: usize = 4;

/// The path through a pair, by paragraphs; `None` if a side is not divided, or not as the other is.
pub fn train(pair: &TextPair, texts: [&Document; 2], start: Start) -> Option<Trained> {
    let [left, right] = [(texts[0], &pair.source), (texts[1], &pair.translation)]
        .map(|(document, units)| paragraphs(document, units));
    if left.len() < 2 || right.len() < 2 {
        return None;
    }
    let joined = |units: &[TextUnit], all: &[Range<usize>]| -> Vec<TextUnit> {
        all.iter().filter_map(|range| joined(&units[range.clone()])).collect()
    };
    let whole = TextPair::new(joined(&pair.source, &left), joined(&pair.translation, &right));
    let band = Band::plan(&whole.source, &whole.translation);
    let none = ConfirmedUnits::default();
    let Trained { steps, lexicon, length, .. } =
        train::train(&whole.left, &whole.right, band, start, &none);
    let steps = filled(steps);
    let alone = || steps.iter().filter(|step| !step.is_bead());
    let of_translation: usize = alone().map(|step| step.translation.len()).sum();
    if of_translation * ALONE_OF > right.len() || pair.is_whole() && alone().next().is_some() {
        return None;
    }
    let types = Types::of_whole();
    let units = |of: &[Range<usize>], range: &Range<usize>| match of.get(range.clone()) {
        Some([first, .., last]) => first.start..last.end,
        Some([one]) => one.clone(),
        _ => of.get(range.start).map_or(0..0, |next| next.start..next.start),
    };
    let within = |step: &PathStep| {
        let (rows, columns) = (units(&left, &step.source), units(&right, &step.translation));
        if !step.is_bead() {
            return left_alone(&rows, &columns, step.posterior);
        }
        let sides = [pair.left.window(rows.clone()), pair.right.window(columns.clone())];
        let [source, translation] = &sides;
        let band = &Band::whole(source.len(), translation.len());
        let confirmed = Constraints::NONE;
        let search = PathSearch { source, translation, band, length, types: &types, confirmed };
        let steps = search.path(|_| &lexicon).into_iter();
        let moved = |range: &Range<usize>, by: usize| range.start + by..range.end + by;
        let placed = |s: PathStep| PathStep {
            source: moved(&s.source, rows.start),
            translation: moved(&s.translation, columns.start),
            posterior: s.posterior * step.posterior,
        };
        steps.map(placed).collect()
    };
    let steps = steps.iter().flat_map(within).collect();
    Some(Trained { steps, lexicon, length, transposed: vec![] })
}

/// Certainty of paragraphs that are paired by their place alone, in that of those around them.
const BY_PLACE: f64 = 0.6;

/// Pairs the paragraphs that both sides have alone between two beads: one by one if there are as
/// many on both sides, else all of them as one.
fn filled(steps: Vec<PathStep>) -> Vec<PathStep> {
    let runs: Vec<&[PathStep]> = steps.chunk_by(|a, b| a.is_bead() == b.is_bead()).collect();
    let mut all = Vec::with_capacity(steps.len());
    for (n, run) in runs.iter().enumerate() {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let rows = first.source.start..last.source.end;
        let columns = first.translation.start..last.translation.end;
        let is_between = n > 0 && n + 1 < runs.len();
        if first.is_bead() || !is_between || rows.is_empty() || columns.is_empty() {
            all.extend_from_slice(run);
            continue;
        }
        let around = [runs[n - 1].last(), runs[n + 1].first()].into_iter().flatten();
        let posterior = BY_PLACE * around.map(|s| s.posterior).fold(1.0, f64::min);
        let one = |n: usize| PathStep {
            source: rows.start + n..rows.start + n + 1,
            translation: columns.start + n..columns.start + n + 1,
            posterior,
        };
        match rows.len() == columns.len() {
            true => all.extend((0..rows.len()).map(one)),
            false => {
                let (source, translation) = (rows.clone(), columns.clone());
                all.push(PathStep { source, translation, posterior });
            }
        }
    }
    all
}

/// The units of each paragraph: those that no line end divides, or one within a segment.
fn paragraphs(document: &Document, units: &[TextUnit]) -> Vec<Range<usize>> {
    let text = document.source.text();
    let begins = |n: &usize| {
        let ends = units[*n - 1].spans.last().zip(units[*n].spans.first());
        ends.is_some_and(|(before, here)| {
            let between = before.end()..here.start();
            document.segment_at(before.start()) != document.segment_at(here.start())
                && text.get(between).is_none_or(|between| between.contains(['\n', '\r']))
        })
    };
    let mut starts: Vec<usize> = (1..units.len()).filter(begins).collect();
    starts.insert(0, 0);
    let ends = starts.iter().skip(1).copied().chain([units.len()]).collect::<Vec<_>>();
    starts.into_iter().zip(ends).map(|(from, to)| from..to).filter(|r| !r.is_empty()).collect()
}

fn joined(units: &[TextUnit]) -> Option<TextUnit> {
    let (first, rest) = units.split_first()?;
    let mut whole = first.clone();
    rest.iter().for_each(|unit| whole.add(unit.clone()));
    Some(whole)
}

/// Units without counterpart, each a step.
fn left_alone(rows: &Range<usize>, columns: &Range<usize>, posterior: f64) -> Vec<PathStep> {
    let at = columns.start;
    let of_row = |n| PathStep { source: n..n + 1, translation: at..at, posterior };
    let end = rows.end;
    let of_column = |n| PathStep { source: end..end, translation: n..n + 1, posterior };
    rows.clone().map(of_row).chain(columns.clone().map(of_column)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_that_both_sides_have_alone_are_paired() {
        let step = |source: Range<usize>, translation: Range<usize>| PathStep {
            source,
            translation,
            posterior: 0.9,
        };
        let shape = |steps: Vec<PathStep>| {
            filled(steps).into_iter().map(|s| (s.source, s.translation)).collect::<Vec<_>>()
        };
        let gap = vec![
            step(0..1, 0..1),
            step(1..2, 1..1),
            step(2..3, 1..1),
            step(3..3, 1..2),
            step(3..3, 2..3),
            step(3..4, 3..4),
        ];
        assert_eq!(shape(gap), [(0..1, 0..1), (1..2, 1..2), (2..3, 2..3), (3..4, 3..4)]);
        let unequal = vec![
            step(0..1, 0..1),
            step(1..2, 1..1),
            step(2..2, 1..2),
            step(2..2, 2..3),
            step(2..3, 3..4),
        ];
        assert_eq!(shape(unequal), [(0..1, 0..1), (1..2, 1..3), (2..3, 3..4)]);
        let at_the_end = vec![step(0..1, 0..1), step(1..2, 1..1), step(2..2, 1..2)];
        assert_eq!(
            shape(at_the_end.clone()),
            at_the_end
                .iter()
                .map(|s| (s.source.clone(), s.translation.clone()))
                .collect::<Vec<_>>()
        );
    }
}
