//! Beads that a person decided. The path must go through them, so they also help their neighbours
//! and the lexicon.
//!
//! The sentences of each side of such a bead are joined before the search, so that it is one unit
//! against one. Beads that are in another order than the others are no part of a path that runs
//! forward on both sides: their units are gaps on it, and they are added to it afterwards.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::step::PathStep;
use super::units::TextUnit;
use super::within;
use crate::corpus::Library;
use crate::diag::Diagnostic;
use crate::model::{Confirmation, Confirmed, Document, Evidence};
use crate::source::Span;

/// A decision, and the words of the translation that it names.
struct DecidedBead<'a> {
    confirmed: &'a Confirmed,
    translation: Option<Span>,
}

/// Units that were decided, by their numbers.
#[derive(Debug, Default)]
pub struct ConfirmedUnits {
    /// The counterpart on the path of each such unit of the classic; `None` if it has none there.
    rows: FxHashMap<usize, Option<usize>>,
    /// The same for the translation.
    columns: FxHashMap<usize, Option<usize>>,
    /// Beads that are not on the path.
    crossing: Vec<(usize, usize)>,
    /// Why, for units of the classic.
    evidence: FxHashMap<usize, Evidence>,
}

/// What they allow a path that begins at some point of both texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constraints<'a> {
    confirmed: Option<&'a ConfirmedUnits>,
    at: (usize, usize),
}

impl Constraints<'_> {
    /// No part of a path is decided.
    pub const NONE: Constraints<'static> = Constraints { confirmed: None, at: (0, 0) };

    /// The same from a point on.
    pub fn from(self, at: (usize, usize)) -> Self {
        Constraints { at: (self.at.0 + at.0, self.at.1 + at.1), ..self }
    }

    /// Whether a bead may have these units.
    pub fn allow(&self, rows: Range<usize>, columns: Range<usize>) -> bool {
        let Some(confirmed) = self.confirmed else { return true };
        let (rows, columns) = (moved(&rows, self.at.0), moved(&columns, self.at.1));
        let mut decided = rows.clone().filter_map(|i| confirmed.rows.get(&i)).peekable();
        if decided.peek().is_none() && !columns.clone().any(|j| confirmed.columns.contains_key(&j))
        {
            return true;
        }
        rows.len() == 1 && columns.len() == 1 && decided.next() == Some(&Some(columns.start))
    }

    /// Whether a unit of the classic may have no counterpart.
    pub fn row_may_be_alone(&self, row: usize) -> bool {
        let counterpart = self.confirmed.and_then(|c| c.rows.get(&(row + self.at.0)));
        counterpart.is_none_or(Option::is_none)
    }

    /// Whether a unit of the translation may have none.
    pub fn column_may_be_alone(&self, column: usize) -> bool {
        let counterpart = self.confirmed.and_then(|c| c.columns.get(&(column + self.at.1)));
        counterpart.is_none_or(Option::is_none)
    }
}

fn moved(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

impl ConfirmedUnits {
    /// What they allow.
    pub fn constraints(&self) -> Constraints<'_> {
        Constraints { confirmed: (!self.rows.is_empty()).then_some(self), at: (0, 0) }
    }

    /// Points that the path must go through.
    pub fn points(&self) -> impl Iterator<Item = (usize, usize)> {
        let beads = self.rows.iter().filter_map(|(i, j)| Some((*i, (*j)?)));
        beads.flat_map(|(i, j)| [(i, j), (i + 1, j + 1)])
    }

    /// True if a step is as it was decided.
    pub fn has(&self, step: &PathStep) -> bool {
        let decided = |of: &FxHashMap<usize, Option<usize>>, units: &Range<usize>| {
            units.clone().any(|unit| of.contains_key(&unit))
        };
        decided(&self.rows, &step.source) || decided(&self.columns, &step.translation)
    }

    /// The steps, of which those that were decided are certain.
    pub fn marked(&self, mut steps: Vec<PathStep>) -> Vec<PathStep> {
        steps.iter_mut().filter(|s| self.has(s)).for_each(|s| s.posterior = 1.0);
        steps
    }

    /// The beads that are in another order than those of the path.
    pub fn crossing(&self) -> Vec<PathStep> {
        let step = |&(i, j): &(usize, usize)| PathStep {
            source: i..i + 1,
            translation: j..j + 1,
            posterior: 1.0,
        };
        self.crossing.iter().map(step).collect()
    }

    /// Who decided about a step, and when.
    pub fn evidence(&self, step: &PathStep) -> Option<&Evidence> {
        step.source.clone().find_map(|unit| self.evidence.get(&unit))
    }
}

/// Both sides with the units of decided beads joined.
pub struct JoinedUnits {
    /// Units of the classic.
    pub source: Vec<TextUnit>,
    /// Units of the translation.
    pub translation: Vec<TextUnit>,
    /// What was decided about them.
    pub confirmed: ConfirmedUnits,
    /// Reports of the decisions that cannot be applied.
    pub lost: Vec<Diagnostic>,
}

/// Whether a person decided anything about the alignment of two documents.
pub fn is_decided(classic: &Document, translation: &Document) -> bool {
    let is_about =
        |c: &Confirmed| matches!(&c.what, Confirmation::Bead(id, _) if *id == translation.id);
    classic.confirmed.iter().any(is_about)
}

/// Reports of decisions about beads with what is no translation of a text.
pub fn without_translation(classic: &Document, library: &Library) -> Vec<Diagnostic> {
    let mut lost = vec![];
    for confirmed in &classic.confirmed {
        let Confirmation::Bead(id, _) = &confirmed.what else { continue };
        match library.get(id) {
            Some(text) if text.meta.translates.contains(&classic.id) => {}
            Some(text) if text.id == classic.id && !within::rows(text).is_empty() => {}
            Some(_) => {
                let why = format!("“{id}” is no translation of this text");
                lost.push(confirmed.not_applied(&why));
            }
            None => lost.push(confirmed.not_applied(&format!("there is no text “{id}”"))),
        }
    }
    lost
}

/// Joins the units of decided beads.
pub fn joined(
    (source, target): (Vec<TextUnit>, Vec<TextUnit>),
    classic: &Document,
    translation: &Document,
) -> JoinedUnits {
    let mut lost = vec![];
    let mut kept: Vec<(DecidedBead<'_>, Range<usize>, Range<usize>)> = vec![];
    for bead in decided(classic, translation, &mut lost) {
        let rows = units_of(&source, bead.confirmed.span);
        let columns = bead.translation.map_or(0..0, |span| units_of(&target, span));
        let shared = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
        let clash = kept.iter().find(|k| shared(&k.1, &rows) || shared(&k.2, &columns));
        if rows.is_empty() || bead.translation.is_some() && columns.is_empty() {
            lost.push(bead.confirmed.not_applied("the words are in no sentence that is aligned"));
        } else if let Some((other, ..)) = clash.filter(|k| (&k.1, &k.2) != (&rows, &columns)) {
            let by = &other.confirmed.by;
            let why = format!("another decision ({by}) is about some of the same sentences");
            lost.push(bead.confirmed.not_applied(&why));
        } else if clash.is_none() {
            kept.push((bead, rows, columns));
        }
    }
    let (source, rows) = with_joined(source, kept.iter().map(|k| k.1.clone()).collect());
    let (target, columns) = with_joined(target, kept.iter().map(|k| k.2.clone()).collect());
    let mut confirmed = ConfirmedUnits::default();
    let mut beads: Vec<(usize, usize)> = vec![];
    for (n, (bead, _, of)) in kept.iter().enumerate() {
        confirmed.rows.insert(rows[n], None);
        confirmed.evidence.insert(rows[n], bead.confirmed.person());
        if !of.is_empty() {
            confirmed.columns.insert(columns[n], None);
            beads.push((rows[n], columns[n]));
        }
    }
    beads.sort_unstable();
    let forward = longest_increasing(&beads);
    for (n, (row, column)) in beads.into_iter().enumerate() {
        if forward.contains(&n) {
            confirmed.rows.insert(row, Some(column));
            confirmed.columns.insert(column, Some(row));
        } else {
            confirmed.crossing.push((row, column));
        }
    }
    JoinedUnits { source, translation: target, confirmed, lost }
}

/// The decisions about beads with a translation.
fn decided<'a>(
    classic: &'a Document,
    translation: &Document,
    lost: &mut Vec<Diagnostic>,
) -> Vec<DecidedBead<'a>> {
    let mut found = vec![];
    for confirmed in &classic.confirmed {
        let Confirmation::Bead(id, place) = &confirmed.what else { continue };
        if *id != translation.id {
            continue;
        }
        let at = place.as_ref().map(|quoted| quoted.place_in(translation));
        match at {
            Some(None) => {
                let title = &translation.meta.title;
                let why = format!("the words are not clearly one place of “{title}”");
                lost.push(confirmed.not_applied(&why));
            }
            at => found.push(DecidedBead { confirmed, translation: at.flatten() }),
        }
    }
    found
}

/// The units from the first to the last that have some of the words.
fn units_of(units: &[TextUnit], words: Span) -> Range<usize> {
    let has = |unit: &TextUnit| unit.spans.iter().any(|s| s.overlap(words) > 0);
    match (units.iter().position(has), units.iter().rposition(has)) {
        (Some(first), Some(last)) => first..last + 1,
        _ => 0..0,
    }
}

/// The units, those of each range joined to one; and the number of each of these.
fn with_joined(units: Vec<TextUnit>, ranges: Vec<Range<usize>>) -> (Vec<TextUnit>, Vec<usize>) {
    let mut numbers = vec![0; ranges.len()];
    let mut out: Vec<TextUnit> = Vec::with_capacity(units.len());
    for (i, unit) in units.into_iter().enumerate() {
        let range = ranges.iter().position(|r| r.contains(&i));
        match (range, out.last_mut()) {
            (Some(n), Some(last)) if i > ranges[n].start => last.add(unit),
            _ => out.push(unit),
        }
        if let Some(n) = range {
            numbers[n] = out.len() - 1;
        }
    }
    (out, numbers)
}

/// Numbers of the most beads, sorted by the classic, that are in the order of the translation too.
fn longest_increasing(beads: &[(usize, usize)]) -> Vec<usize> {
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(beads.len());
    for (n, bead) in beads.iter().enumerate() {
        let before = (0..n).filter(|m| beads[*m].1 < bead.1).max_by_key(|m| best[*m].0);
        best.push((before.map_or(1, |m| best[m].0 + 1), before));
    }
    let mut at = (0..beads.len()).max_by_key(|n| best[*n].0);
    let mut chain = vec![];
    while let Some(n) = at {
        chain.push(n);
        at = best[n].1;
    }
    chain
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Alignment, CORRECTION_LOST, EvidenceKind};
    use crate::passes::align::{Options, align};
    use crate::source::Source;

    const CLASSIC: &str =
        "司射復位。釋獲者遂進取賢獲。若右勝，則曰右賢於左。降復位。司射受爵，奠于篚。無司正。";
    const PAGE: &str = "司射返歸其位。釋獲者于是近前取勝者的算籌。如右勝,則說右賢于左。然後下堂返回其位。司射接爵放在篚中。不用司正監酒。";

    fn document(id: &str, text: &str) -> Document {
        let mut document = Document::of_pieces(&[(crate::model::Layer::Jing, text)]);
        document.source = Arc::new(Source::from_text(id, text));
        document.id = id.into();
        document
    }

    fn decided(classic: &Document, words: &str, decision: &str) -> Confirmed {
        let from = classic.source.text().find(words).unwrap();
        Confirmed {
            span: Span::new(from, from + words.len()),
            what: Confirmation::read("bead", decision).unwrap().unwrap(),
            by: "王".into(),
            when: "2026-11-23T15:30:00Z".into(),
        }
    }

    /// The alignment with some decisions, and how many of them are not applied. Every sentence is
    /// in one bead.
    fn aligned(decisions: &[(&str, &str)]) -> (Vec<[String; 2]>, Alignment, usize) {
        let (mut classic, translation) = (document("a", CLASSIC), document("b", PAGE));
        classic.confirmed = decisions.iter().map(|d| decided(&classic, d.0, d.1)).collect();
        let aligned = align(&classic, &translation, &Options::default());
        let words = |d: &Document, spans: &[Span]| spans.iter().map(|s| d.slice(*s)).collect();
        let pairs: Vec<[String; 2]> = aligned
            .alignment
            .beads
            .iter()
            .map(|b| [words(&classic, &b.source), words(&translation, &b.translation)])
            .collect();
        let all = |side: usize| {
            let mut all: Vec<char> = pairs.iter().flat_map(|p| p[side].chars()).collect();
            all.sort_unstable();
            all
        };
        let sorted = |text: &str| {
            let mut all: Vec<char> = text.chars().collect();
            all.sort_unstable();
            all
        };
        assert_eq!((all(0), all(1)), (sorted(CLASSIC), sorted(PAGE)));
        let lost = aligned.source.iter().filter(|d| d.code == CORRECTION_LOST).count();
        (pairs, aligned.alignment, lost)
    }

    fn counterpart<'a>(pairs: &'a [[String; 2]], words: &str) -> &'a str {
        &pairs.iter().find(|p| p[0].contains(words)).unwrap()[1]
    }

    #[test]
    fn what_a_person_decided_is_the_bead_and_its_neighbours_give_way() {
        let (pairs, ..) = aligned(&[]);
        assert_eq!(counterpart(&pairs, "降復位"), "然後下堂返回其位。");
        let (pairs, alignment, lost) = aligned(&[("降復位", "b:【如右勝則說右賢于左】")]);
        assert_eq!((counterpart(&pairs, "降復位"), lost), ("如右勝,則說右賢于左。", 0));
        let bead = alignment.beads.iter().find(|b| b.certainty.get() == 1.0).unwrap();
        assert_eq!(bead.evidence, [Evidence::new(EvidenceKind::Person, "王, 2026-11-23")]);
        let joined = "b:【如右勝則說右賢于左。然後下堂返回其位】";
        let (pairs, ..) = aligned(&[("若右勝，則曰右賢於左。降復位", joined)]);
        assert_eq!(counterpart(&pairs, "若右勝"), "如右勝,則說右賢于左。然後下堂返回其位。");
        assert_eq!(counterpart(&pairs, "降復位"), counterpart(&pairs, "若右勝"));
    }

    #[test]
    fn words_may_have_no_counterpart() {
        let (pairs, _, lost) = aligned(&[("降復位", "b:none"), ("若右勝", "other:none")]);
        assert_eq!((counterpart(&pairs, "降復位"), lost), ("", 0));
        assert_eq!(counterpart(&pairs, "若右勝"), "如右勝,則說右賢于左。");
    }

    #[test]
    fn decided_beads_may_be_in_another_order() {
        let (pairs, _, lost) = aligned(&[
            ("司射復位", "b:【不用司正監酒】"),
            ("無司正", "b:【司射返歸其位】"),
            ("降復位", "b:【然後下堂返回其位】"),
        ]);
        assert_eq!(lost, 0);
        for (words, other) in [
            ("司射復位", "不用司正監酒。"),
            ("無司正", "司射返歸其位。"),
            ("降復位", "然後下堂返回其位。"),
        ] {
            assert_eq!(counterpart(&pairs, words), other);
        }
    }

    #[test]
    fn decisions_that_cannot_be_applied_are_reported() {
        let (_, _, lost) = aligned(&[("降復位", "b:【天地玄黃宇宙】")]);
        assert_eq!(lost, 1);
        let (pairs, _, lost) = aligned(&[
            ("降復位", "b:【然後下堂返回其位】"),
            ("若右勝，則曰右賢於左。降復位", "b:【如右勝】"),
        ]);
        assert_eq!((counterpart(&pairs, "降復位"), lost), ("然後下堂返回其位。", 1));
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(48))]
        /// Whatever is decided: `aligned` checks that every sentence is in one bead; each decision
        /// holds or is reported.
        #[test]
        fn every_decision_holds_or_is_reported(
            wanted in proptest::collection::vec((0usize..6, 1usize..4, 0usize..7, 1usize..4), 0..5),
        ) {
            let of = |text: &str, first: usize, n: usize| -> String {
                let sentences: Vec<&str> = text.split_inclusive('。').collect();
                let some = &sentences[first.min(5)..(first + n).min(sentences.len())];
                some.concat().trim_end_matches('。').to_string()
            };
            let wanted: Vec<(String, String)> = wanted
                .into_iter()
                .map(|(row, rows, column, columns)| {
                    let other = match column {
                        6 => "b:none".to_string(),
                        _ => format!("b:【{}】", of(PAGE, column, columns)),
                    };
                    (of(CLASSIC, row, rows), other)
                })
                .collect();
            let decisions: Vec<(&str, &str)> =
                wanted.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            let (pairs, _, lost) = aligned(&decisions);
            let plain = |words: &str| words.trim_end_matches('。').to_string();
            let holds = |(words, other): &&(&str, &str)| {
                let other = other.trim_start_matches("b:").trim_matches(['【', '】']);
                let other = if other == "none" { "" } else { other };
                pairs.iter().any(|p| plain(&p[0]) == **words && plain(&p[1]) == other)
            };
            proptest::prop_assert_eq!(decisions.iter().filter(holds).count() + lost, decisions.len());
        }
    }

    /// Long enough for a band and for several windows.
    #[test]
    fn beads_are_kept_in_a_long_text_whatever_they_are() {
        let digits = |n: usize| -> String {
            let digit = |d: usize| "天地玄黃宇宙洪荒日月".chars().nth(d).unwrap();
            [n / 100, n / 10 % 10, n % 10, n * 7 % 10].map(digit).iter().collect()
        };
        let sentences = |mark: char| -> String {
            (0..400).map(|n| format!("{}{mark}者{}也。", digits(n), digits(n * 13 % 400))).collect()
        };
        let (mut classic, translation) =
            (document("a", &sentences('曰')), document("b", &sentences('說')));
        let shifts = [(10, 30), (50, 49), (51, 60), (120, 120), (200, 260), (300, 220), (399, 390)];
        for (row, column) in shifts {
            let decision = format!("b:【{}說者{}也】", digits(column), digits(column * 13 % 400));
            let words = format!("{}曰者{}也", digits(row), digits(row * 13 % 400));
            let one = decided(&classic, &words, &decision);
            classic.confirmed.push(one);
        }
        let aligned = align(&classic, &translation, &Options::default());
        let beads = &aligned.alignment.beads;
        for (row, column) in shifts {
            let of = |d: &Document, spans: &[Span]| -> String {
                spans.iter().map(|s| d.slice(*s)).collect()
            };
            let own = beads.iter().find(|b| of(&classic, &b.source).starts_with(&digits(row)));
            let other = of(&translation, &own.unwrap().translation);
            assert!(other.starts_with(&digits(column)), "{row}: {other}");
        }
        let units = |side: fn(&crate::model::Bead) -> &Vec<Span>| -> usize {
            beads.iter().flat_map(side).map(|s| s.len()).sum()
        };
        assert_eq!(units(|b| &b.source), classic.source.text().len());
        assert_eq!(units(|b| &b.translation), translation.source.text().len());
    }

    proptest::proptest! {
        #[test]
        fn the_most_beads_in_both_orders_are_found(
            drawn in proptest::collection::vec((0usize..9, 0usize..9), 0..8),
        ) {
            let mut beads = drawn;
            beads.sort_unstable();
            let rises = |chain: &[usize]| chain.windows(2).all(|w| beads[w[0]].1 < beads[w[1]].1);
            let some = |set: u32| (0..beads.len()).filter(|n| set >> n & 1 == 1).collect::<Vec<_>>();
            let most = (0..1u32 << beads.len()).map(some).filter(|c| rises(c)).map(|c| c.len()).max();
            let mut found = longest_increasing(&beads);
            found.sort_unstable();
            proptest::prop_assert!(rises(&found), "{beads:?} {found:?}");
            proptest::prop_assert_eq!(Some(found.len()), most, "{:?} {:?}", &beads, &found);
        }
    }
}
