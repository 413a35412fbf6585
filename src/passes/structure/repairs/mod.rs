//! Finds characters that are not what the source of a copy had, and adds the right reading. The
//! text itself stays as it is. There are four kinds:
//!
//! * damage by a one-to-one conversion from simplified to traditional (雲 for 云 “said”, 麵 for 面
//!   “face”), see below;
//! * characters written as two ([`parts`]): 扌兌 for 挩;
//! * signs for characters that Unicode lacked ([`uncoded`]): private-use characters and entities;
//! * characters that no text has ([`debris`]).
//!
//! There are five kinds of evidence for a damaged character: its context (`rules.tsv`); what
//! classical texts hardly ever write (`usual.tsv`); the text as a whole, because a converted text
//! never has the intended character; other texts that have the same words with the intended
//! character; and, for words that the text quotes, their repair where they are from ([`quoted`]).
//! In a text without signs of a conversion only rules that are signs by themselves apply, so a good
//! copy is not changed.

mod debris;
mod parts;
mod quoted;
mod rules;
mod uncoded;
mod usual;
mod witness;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::rules::{DamagedPlace, RULES, normal};
use self::witness::{Around, CharWitness, RulePlaces, Witnesses, is_simplified};
use crate::cache::CacheKey;
use crate::diag::Diagnostic;
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Reading, ReadingKind};
use crate::passes::context::Context;
use crate::source::Span;

/// Characters of context a rule sees on each side.
const CONTEXT_CHARS: usize = 12;
/// Lowest certainty of a reading that is kept for review.
const MIN_CERTAINTY: f64 = 0.3;
/// Weighted signs, at most three for each pair, from which a text counts as converted.
const MIN_SIGNS: f64 = 3.0;
/// A text that has a character so often, and never the usual one for it, shows one sign more.
const MIN_UNUSUAL: usize = 3;
/// Certainty of a repair for which there is only a witness and no rule.
const WITNESS_ONLY_CERTAINTY: f64 = 0.6;

/// How often the two characters of a pair occur in the text, and their signs.
#[derive(Default, Clone, Copy)]
struct PairCounts {
    damaged: usize,
    intended: usize,
    signs: usize,
    /// The damaged one is hardly ever written in classical texts.
    unusual: bool,
}

impl PairCounts {
    /// Share of the damaged form; 1 if the intended one does not occur.
    fn share(self) -> f64 {
        self.damaged as f64 / (self.damaged + self.intended).max(1) as f64
    }

    /// Weighted signs of a conversion.
    fn shown(&self) -> f64 {
        let merged = self.unusual && self.intended == 0 && self.damaged >= MIN_UNUSUAL;
        self.signs.min(3) as f64 * self.share() + f64::from(u8::from(merged))
    }
}

/// Adds the repairs of one document.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let simplified = is_simplified(document);
    let split = parts::find(document);
    let mut readings = parts::readings(document, &split);
    let unknown = uncoded::readings(document, &split, simplified, context);
    let reported = uncoded::report(document, &unknown);
    document.diagnostics.extend(reported);
    readings.extend(unknown);
    let debris = debris::readings(document);
    document.diagnostics.extend(debris::report(&debris));
    readings.extend(debris);
    if !simplified {
        let mut converted = of_conversion(document, context);
        readings.sort_by_key(|r| r.span.start());
        converted.retain(|c| {
            let at = readings.partition_point(|r| r.span.end() <= c.span.start());
            readings.get(at).is_none_or(|r| r.span.overlap(c.span) == 0)
        });
        readings.extend(converted);
    }
    readings.retain(|r| r.certainty.get() >= MIN_CERTAINTY);
    document.readings.extend(readings);
    document.readings.sort_by_key(|r| (r.span.start(), r.span.end()));
}

/// What the repairs of a document are made from besides it: what other texts have at its places.
pub fn answers<'a>(
    document: &Document,
    context: &Context<'a>,
) -> Option<(Vec<&'a Arc<Document>>, CacheKey)> {
    let library: Vec<&Arc<Document>> = context.library.all().collect();
    let own = library.iter().position(|d| d.id == document.id)?;
    let signs = context.of_text(library[own], "signs", || uncoded::asked(document));
    let places = context.of_text(library[own], "repairs", || asked(document));
    let mut answers = vec![];
    if !signs.is_empty() {
        answers.push(uncoded::Between::all(context).answers(&signs, own, &library));
    }
    if !places.is_empty() {
        let is_simplified =
            |n: usize| context.of_text(library[n], "script", || is_simplified(library[n]));
        let all = RulePlaces::all(context);
        answers.push(all.answers(&places, (own, &library), is_simplified));
    }
    Some((vec![], CacheKey::of(answers.iter().map(CacheKey::as_bytes))))
}

/// What is around the places of a document that are judged beside other texts.
fn asked(document: &Document) -> Vec<Around> {
    if is_simplified(document) {
        return vec![];
    }
    let (places, _, _) = judged(document);
    if places.is_empty() {
        return vec![];
    }
    let key = witness::key(document);
    let around = |p: &DamagedPlace| {
        let i = witness::index(&key, p.at)?;
        witness::around(&key, i..i + 1)
    };
    places.iter().filter_map(around).collect()
}

/// The places that are judged, the counts of every pair, and whether the text was converted.
fn judged(document: &Document) -> (Vec<DamagedPlace>, FxHashMap<(char, char), PairCounts>, bool) {
    let (places, pairs) = survey(document);
    let signs: f64 = pairs.values().map(PairCounts::shown).sum();
    let converted = signs >= MIN_SIGNS;
    let judged = |p: &DamagedPlace| converted || p.rule.is_some_and(|r| r.sign);
    (places.into_iter().filter(judged).collect(), pairs, converted)
}

/// The repairs of what conversion damaged.
fn of_conversion(document: &mut Document, context: &Context<'_>) -> Vec<Reading> {
    let (places, pairs, converted) = judged(document);
    if places.is_empty() {
        return vec![];
    }
    let key = witness::key(document);
    let at: Vec<usize> = places.iter().map(|p| p.at).collect();
    let witnesses = Witnesses::of(&key, &at, document, context);
    let mut readings: Vec<Reading> = places
        .iter()
        .filter_map(|p| judge(p, &pairs, converted, &witnesses.at(&key, p.at)))
        .filter(|r| r.certainty.get() >= MIN_CERTAINTY)
        .collect();
    readings.extend(quoted::readings(document, &key, &places, &readings));
    if converted {
        let reported = report(&readings, document);
        document.diagnostics.extend(reported);
    }
    readings
}

/// Every place of a character that may be damaged, and the counts of every pair.
fn survey(document: &Document) -> (Vec<DamagedPlace>, FxHashMap<(char, char), PairCounts>) {
    let mut counts: FxHashMap<char, usize> = FxHashMap::default();
    for damage in RULES.iter() {
        counts.extend(damage.1.intended.iter().chain([damage.0]).map(|c| (*c, 0)));
    }
    let text = document.source.text();
    let mut places = Vec::new();
    for segment in document.segments.iter().filter(|s| s.layer.is_text()) {
        for (i, c) in document.slice(segment.span).char_indices() {
            let Some(n) = counts.get_mut(&c) else { continue };
            *n += 1;
            if let Some(damage) = RULES.get(&c) {
                let at = segment.span.start() + i;
                let rule = match &damage.rules[..] {
                    [] => None,
                    [rule] if rule.usual => Some(rule),
                    rules => {
                        let (left, right) = (before(text, at), after(text, at + c.len_utf8()));
                        rules.iter().find(|r| r.fits(&left, &right))
                    }
                };
                places.push(DamagedPlace { at, damaged: c, rule });
            }
        }
    }
    let mut pairs: FxHashMap<(char, char), PairCounts> = FxHashMap::default();
    for (damaged, damage) in RULES.iter() {
        for intended in &damage.intended {
            pairs.insert(
                (*damaged, *intended),
                PairCounts {
                    damaged: counts[damaged],
                    intended: counts[intended],
                    signs: 0,
                    unusual: damage.rules.iter().any(|r| r.usual),
                },
            );
        }
    }
    for place in &places {
        if let Some((rule, intended)) = place.rule.and_then(|r| Some((r, r.intended?)))
            && let Some(pair) = pairs.get_mut(&(place.damaged, intended))
        {
            pair.signs += usize::from(rule.sign);
        }
    }
    (places, pairs)
}

/// The reading of a place, if a rule or a witness gives one.
fn judge(
    place: &DamagedPlace,
    pairs: &FxHashMap<(char, char), PairCounts>,
    converted: bool,
    witnesses: &[CharWitness<'_>],
) -> Option<Reading> {
    let (intended, mut certainty, mut evidence) = match place.rule {
        Some(rule) => (
            rule.intended?,
            rule.certainty,
            vec![Evidence::new(EvidenceKind::Context, rule.reason)],
        ),
        None => {
            let intended = *RULES
                .get(&place.damaged)?
                .intended
                .iter()
                .find(|c| witnesses.iter().any(|w| w.has == **c))?;
            // A text that has both forms was not converted in this; editions differ in them.
            let rules = &RULES.get(&place.damaged)?.rules;
            if rules.is_empty() && pairs.get(&(place.damaged, intended))?.intended > 0 {
                return None;
            }
            (intended, WITNESS_ONLY_CERTAINTY, vec![])
        }
    };
    let pair = pairs.get(&(place.damaged, intended)).copied().unwrap_or_default();
    let sign = place.rule.is_some_and(|r| r.sign);
    if converted && pair.intended == 0 {
        certainty = 1.0 - (1.0 - certainty) * 0.6;
        evidence.push(Evidence::new(
            EvidenceKind::ScriptTable,
            format!("{intended} is nowhere in this text, {} {} times", place.damaged, pair.damaged),
        ));
    } else if !sign {
        certainty *= 0.5 + 0.5 * pair.share();
    }
    let (with, against) = votes(place, intended, witnesses);
    if let Some(id) = with {
        certainty = 1.0 - (1.0 - certainty) * 0.2;
        evidence.push(Evidence::new(EvidenceKind::Witness, format!("{id} has {intended}")));
    } else if let Some(id) = against {
        certainty *= 0.4;
        evidence.push(Evidence::new(
            EvidenceKind::WitnessAgainst,
            format!("{id} has {} too", place.damaged),
        ));
    }
    let span = Span::new(place.at, place.at + place.damaged.len_utf8());
    Some(Reading {
        span,
        reading: intended.into(),
        kind: ReadingKind::Repair,
        certainty: Certainty::new(certainty),
        evidence: evidence.into(),
    })
}

/// Ids of a text with the intended character, and of one with the damaged character that has the
/// intended one elsewhere; a text that never has the intended one may be damaged in the same way.
fn votes<'a>(
    place: &DamagedPlace,
    intended: char,
    witnesses: &'a [CharWitness<'a>],
) -> (Option<&'a str>, Option<&'a str>) {
    let id = |w: &'a CharWitness<'a>| w.id;
    let with = witnesses.iter().find(|w| w.has == intended).map(id);
    let against = witnesses.iter().find(|w| w.has == place.damaged && w.knows(intended)).map(id);
    (with, against)
}

/// Up to [`CONTEXT_CHARS`] characters before byte `at`, without blanks, normalised for the rules.
fn before(text: &str, at: usize) -> String {
    let mut left: Vec<char> = text[..at]
        .chars()
        .rev()
        .filter(|c| !c.is_whitespace())
        .take(CONTEXT_CHARS)
        .map(normal)
        .collect();
    left.reverse();
    left.into_iter().collect()
}

/// Up to [`CONTEXT_CHARS`] characters from byte `at` on, likewise.
fn after(text: &str, at: usize) -> String {
    text[at..].chars().filter(|c| !c.is_whitespace()).take(CONTEXT_CHARS).map(normal).collect()
}

/// One diagnostic for the text as a whole.
fn report(readings: &[Reading], document: &Document) -> Option<Diagnostic> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for r in readings {
        let pair = format!("{} for {}", document.slice(r.span), r.reading);
        match counts.iter_mut().find(|(p, _)| *p == pair) {
            Some((_, n)) => *n += 1,
            None => counts.push((pair, 1)),
        }
    }
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let list: Vec<String> = counts.iter().take(6).map(|(p, n)| format!("{p} {n}×")).collect();
    (!list.is_empty()).then(|| {
        Diagnostic::info(
            "script-table",
            None,
            format!(
                "the text was converted from simplified script one to one: {}",
                list.join(", ")
            ),
        )
        .hint("the text is unchanged and the readings are listed; a better copy would need none")
    })
}

#[cfg(test)]
mod tests;
