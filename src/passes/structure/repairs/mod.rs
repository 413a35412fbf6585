//! Finds what a one-to-one table from simplified to traditional did to a text (雲 for 云 “said”, 麵
//! for 面 “face”) and puts the right reading beside it. The text itself stays as it is.
//!
//! Three things speak for a repair, and all are evidence on the reading: the words beside the
//! character (`rules.tsv`); the text as a whole, for where such a table was used the intended
//! character stands nowhere; and other texts that have the same words with the intended character.
//! In a text that shows no sign of such a table only rules that are signs by themselves apply, so a
//! good copy is left alone.

mod rules;
mod witness;

use rustc_hash::FxHashMap;

use self::rules::{RULES, Rule, normal};
use self::witness::{Witness, Witnesses};
use crate::diag::Diagnostic;
use crate::model::{Certainty, Document, Evidence, EvidenceKind, Reading, ReadingKind};
use crate::passes::context::Context;
use crate::source::Span;
use crate::text::script::{Script, detect};

/// Characters of context a rule sees on each side.
const WINDOW: usize = 12;
/// Below this a reading is not worth a person's look.
const LEAST: f64 = 0.3;
/// Signs, at most three a character, that make a text a converted one.
const SIGNS: f64 = 3.0;
/// What a witness with the intended character makes of a place that no rule knows.
const WITNESS_ALONE: f64 = 0.6;

/// A place where a rule may apply.
struct DamagedPlace {
    at: usize,
    damaged: char,
    rule: Option<&'static Rule>,
}

/// What the text as a whole says of one pair.
#[derive(Default, Clone, Copy)]
struct Pair {
    damaged: usize,
    intended: usize,
    signs: usize,
}

impl Pair {
    /// Share of the damaged form; 1 where the intended one stands nowhere.
    fn share(self) -> f64 {
        self.damaged as f64 / (self.damaged + self.intended).max(1) as f64
    }
}

/// Adds the repairs of one document.
pub fn run(document: &mut Document, context: &Context<'_>) {
    if is_simplified(document) {
        return; // 后 and 云 are right there
    }
    let (places, pairs) = survey(document);
    let signs: f64 = pairs.values().map(|p| p.signs.min(3) as f64 * p.share()).sum();
    let converted = signs >= SIGNS;
    let places: Vec<DamagedPlace> =
        places.into_iter().filter(|p| converted || p.rule.is_some_and(|r| r.sign)).collect();
    if places.is_empty() {
        return;
    }
    let key = witness::key(document);
    let at: Vec<usize> = places.iter().map(|p| p.at).collect();
    let others = context.library.others(&document.id).map(|d| &**d).filter(|d| !is_simplified(d));
    let witnesses = Witnesses::search(&key, &at, document, others);
    let readings: Vec<Reading> = places
        .iter()
        .filter_map(|p| judge(p, &pairs, converted, witnesses.at(&key, p.at)))
        .filter(|r| r.certainty.get() >= LEAST)
        .collect();
    if converted {
        document.diagnostics.extend(report(&readings, document));
    }
    document.readings.extend(readings);
    document.readings.sort_by_key(|r| (r.span.start(), r.span.end()));
}

/// True if the text is in simplified script.
fn is_simplified(document: &Document) -> bool {
    detect(document.source.text()) == Some(Script::Simplified)
}

/// Every place of a character that may be damaged, and how often each pair's two characters stand
/// in the text.
fn survey(document: &Document) -> (Vec<DamagedPlace>, FxHashMap<(char, char), Pair>) {
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
                let (left, right) = (before(text, at), after(text, at + c.len_utf8()));
                let rule = damage.rules.iter().find(|r| r.fits(&left, &right));
                places.push(DamagedPlace { at, damaged: c, rule });
            }
        }
    }
    let mut pairs: FxHashMap<(char, char), Pair> = FxHashMap::default();
    for (damaged, damage) in RULES.iter() {
        for intended in &damage.intended {
            pairs.insert(
                (*damaged, *intended),
                Pair { damaged: counts[damaged], intended: counts[intended], signs: 0 },
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

/// The reading of a place, if all that is known speaks for one.
fn judge(
    place: &DamagedPlace,
    pairs: &FxHashMap<(char, char), Pair>,
    converted: bool,
    witnesses: &[Witness],
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
            (intended, WITNESS_ALONE, vec![])
        }
    };
    let pair = pairs.get(&(place.damaged, intended)).copied().unwrap_or_default();
    let sign = place.rule.is_some_and(|r| r.sign);
    if converted && pair.intended == 0 {
        certainty = 1.0 - (1.0 - certainty) * 0.6;
        evidence.push(Evidence::new(
            EvidenceKind::ScriptTable,
            format!(
                "{intended} stands nowhere in this text, {} {} times",
                place.damaged, pair.damaged
            ),
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
        reading: intended.to_string(),
        kind: ReadingKind::Repair,
        certainty: Certainty::new(certainty),
        evidence,
    })
}

/// Ids of a text that has the intended character, and of one that has the damaged one although it
/// knows the other; a text that does not know the other may be a copy of the same damage.
fn votes<'a>(
    place: &DamagedPlace,
    intended: char,
    witnesses: &'a [Witness],
) -> (Option<&'a str>, Option<&'a str>) {
    let id = |w: &'a Witness| w.id.as_str();
    let with = witnesses.iter().find(|w| w.has == intended).map(id);
    let against = witnesses.iter().find(|w| w.has == place.damaged && w.knows(intended)).map(id);
    (with, against)
}

/// Up to [`WINDOW`] characters before byte `at`, blanks left out, as rules see them.
fn before(text: &str, at: usize) -> String {
    let mut left: Vec<char> =
        text[..at].chars().rev().filter(|c| !c.is_whitespace()).take(WINDOW).map(normal).collect();
    left.reverse();
    left.into_iter().collect()
}

/// Up to [`WINDOW`] characters from byte `at` on.
fn after(text: &str, at: usize) -> String {
    text[at..].chars().filter(|c| !c.is_whitespace()).take(WINDOW).map(normal).collect()
}

/// One remark on the text as a whole.
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
            format!("the text went through a one-to-one table of scripts: {}", list.join(", ")),
        )
        .hint("the readings stand beside the text; a better copy would spare them")
    })
}

#[cfg(test)]
mod tests;
