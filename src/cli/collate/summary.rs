//! The summary for a person: how many differences of each class, and the most common ones.

use std::collections::{BTreeMap, HashMap};

use crate::cli::language::say;
use crate::collation::DifferenceClass;
use crate::model::{Difference, Layer};
use crate::writers::collation::CollatedChapter;

use super::super::columns::{self, counted, row};

/// How many pairs of each class are shown.
const FEW: usize = 8;
/// Words longer than this are not listed as pairs.
const MAX_PAIR_CHARS: usize = 4;

/// What is added up for a witness over all chapters.
#[derive(Default)]
struct WitnessSummary {
    siglum: String,
    title: String,
    chars: usize,
    matched: usize,
    bases: usize,
    chapters: usize,
    unpunctuated: bool,
    counts: HashMap<DifferenceClass, usize>,
    pairs: HashMap<(DifferenceClass, String, String), usize>,
}

/// The summary of all chapters.
pub fn of(chapters: &[CollatedChapter<'_>], layers: &[Layer]) -> String {
    let witnesses = added_up(chapters);
    let layers: Vec<&str> = layers.iter().map(|l| l.zh()).collect();
    let title = match chapters {
        [one] => one.title.clone(),
        many => say(&counted(many.len(), "chapter")),
    };
    let mut out = format!("{title}, {}\n\n{}\n", layers.join("、"), counts(&witnesses));
    for witness in witnesses.iter().filter(|w| !w.pairs.is_empty()) {
        out.push_str(&say(&format!(
            "most common in {}, after what the base has\n",
            witness.siglum
        )));
        out.push_str(&columns::lines(&pairs(witness)));
        out.push('\n');
    }
    let reported = reported(chapters);
    if !reported.is_empty() {
        out.push_str(&say("reported by notes and sub-commentary, after what the base has\n"));
        out.push_str(&columns::lines(&reported));
        out.push('\n');
    }
    out
}

/// How often each pair of the base's words and the reported ones occurs.
type ReportedPairs<'a> = HashMap<(String, &'a str), usize>;

/// Each indirect witness with the number of its readings, and its most common ones.
fn reported(chapters: &[CollatedChapter<'_>]) -> Vec<Vec<String>> {
    let mut of_witness: BTreeMap<&str, (usize, ReportedPairs<'_>)> = BTreeMap::new();
    for chapter in chapters {
        let base = &chapter.collation.witnesses[chapter.collation.base];
        for reading in &chapter.reported {
            let (count, pairs) = of_witness.entry(&reading.siglum).or_default();
            *count += 1;
            let words = match reading.difference {
                Difference::Adds => continue,
                _ => base.shown(reading.base.clone()),
            };
            *pairs.entry((words, &reading.words)).or_default() += 1;
        }
    }
    let mut all: Vec<_> = of_witness.into_iter().collect();
    all.sort_by(|a, b| b.1.0.cmp(&a.1.0).then_with(|| a.0.cmp(b.0)));
    let row = |(siglum, (count, pairs)): (&str, (usize, ReportedPairs<'_>))| {
        let pairs: Vec<(&str, &str, usize)> =
            pairs.iter().map(|((base, words), n)| (base.as_str(), *words, *n)).collect();
        vec![siglum.to_string(), say(&counted(count, "reading")), common(pairs)]
    };
    all.into_iter().map(row).collect()
}

fn added_up(chapters: &[CollatedChapter<'_>]) -> Vec<WitnessSummary> {
    let mut all: Vec<WitnessSummary> = Vec::new();
    for collation in chapters.iter().map(|c| &c.collation) {
        for (n, witness) in collation.witnesses.iter().enumerate() {
            let at = all.iter().position(|w| w.siglum == witness.siglum).unwrap_or_else(|| {
                let title = witness.document.source.name().into_owned();
                all.push(WitnessSummary {
                    siglum: witness.siglum.clone(),
                    title,
                    ..WitnessSummary::default()
                });
                all.len() - 1
            });
            let own = &mut all[at];
            own.chars += witness.chars().len();
            own.matched += collation.matched[n];
            own.bases += usize::from(n == collation.base);
            own.chapters += 1;
            own.unpunctuated |= !witness.is_punctuated();
            for d in collation.differences(n) {
                *own.counts.entry(d.class).or_default() += 1;
                let base = collation.witnesses[collation.base].shown(d.base);
                let words = witness.shown(d.own);
                if base.chars().count().max(words.chars().count()) <= MAX_PAIR_CHARS {
                    *own.pairs.entry((d.class, base, words)).or_default() += 1;
                }
            }
        }
    }
    all
}

/// A row for each witness, a column for each class.
fn counts(witnesses: &[WitnessSummary]) -> String {
    let found = |c: &DifferenceClass| witnesses.iter().any(|w| w.counts.contains_key(c));
    let classes: Vec<DifferenceClass> = DifferenceClass::ALL.into_iter().filter(found).collect();
    let names = ["characters", "in place"].into_iter().chain(classes.iter().map(|c| c.id()));
    let mut rows = vec![row(&say("witness"), names.map(say))];
    for w in witnesses {
        let figures = [w.chars, w.matched].map(|n| n.to_string());
        let of = |c: &DifferenceClass| match w.bases == w.chapters {
            true => String::new(),
            false => w.counts.get(c).copied().unwrap_or(0).to_string(),
        };
        rows.push(row(&name(w), figures.into_iter().chain(classes.iter().map(of))));
    }
    columns::figures(&rows)
}

fn name(w: &WitnessSummary) -> String {
    let base = if w.bases > 0 { ", base" } else { "" };
    let bare = if w.unpunctuated { ", not punctuated" } else { "" };
    format!("{} ({}{}{})", w.siglum, w.title, say(base), say(bare))
}

/// The most common pairs of each class.
fn pairs(witness: &WitnessSummary) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for class in DifferenceClass::ALL {
        let own: Vec<(&str, &str, usize)> = (witness.pairs.iter())
            .filter(|((c, ..), _)| *c == class)
            .map(|((_, base, words), n)| (base.as_str(), words.as_str(), *n))
            .collect();
        if !own.is_empty() {
            rows.push(vec![say(class.id()), common(own)]);
        }
    }
    rows
}

/// The most common of some pairs: what the base has, what the witness has, how often.
fn common(mut pairs: Vec<(&str, &str, usize)>) -> String {
    pairs.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| (a.0, a.1).cmp(&(b.0, b.1))));
    let pair = |(base, words, n): &(&str, &str, usize)| {
        let or_none = |w: &str| if w.is_empty() { "–".to_string() } else { w.to_string() };
        format!("{} {} {n}×", or_none(base), or_none(words))
    };
    pairs.iter().take(FEW).map(pair).collect::<Vec<_>>().join(", ")
}
