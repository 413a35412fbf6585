//! Errors for a locus that is not in the texts: which part of it exists, and what there is instead.

use std::collections::BTreeSet;

use crate::corpus::refs::Catalogue;
use crate::corpus::{Library, Loci};
use crate::diag::Error;
use crate::model::{Layer, Locus, LocusPath, NoteName};

/// How many names are listed.
const MAX_NAMES_LISTED: usize = 12;

/// The error, with a hint that lists what exists nearby.
pub(crate) fn error(
    locus: &Locus,
    library: &Library,
    catalogue: &Catalogue<'_>,
    layers: &[Layer],
) -> Error {
    let whole = Locus { from: None, to: None, ..locus.clone() };
    let here: Vec<&Loci<'_>> = catalogue.loci().filter(|l| !l.find(&whole).is_empty()).collect();
    if here.is_empty() {
        return no_text(&whole, &of_library(library, catalogue));
    }
    let ends = [locus.from, locus.to].into_iter().flatten();
    for passage in ends {
        if let Some(e) = no_passage(&whole, passage, &here) {
            return e;
        }
    }
    let names: Vec<_> = layers.iter().map(|l| l.zh()).collect();
    let message = match names.is_empty() {
        true => format!("{locus} has no text in this range"),
        false => format!("{locus} has no text of {}", names.join("、")),
    };
    Error::request(message).hint(
        "a range goes from an earlier passage to a later one; without --layer all layers \
            are shown",
    )
}

fn of_library(library: &Library, catalogue: &Catalogue<'_>) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    for d in &library.documents {
        let Some(loci) = catalogue.get(&d.id).filter(|l| l.units().len() > 0) else { continue };
        let name = d
            .meta
            .locus()
            .map_or_else(|| loci.text.to_string(), |l| format!("{} ({l})", loci.text));
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known
}

/// The error for a chapter that is not there; `known` are those that are.
pub(crate) fn no_text(locus: &Locus, known: &[String]) -> Error {
    let message = match &locus.version {
        Some(v) => format!("there is no text {} of the version {v} here", locus.text),
        None => format!("there is no text {} here", locus.text),
    };
    let hint = if known.is_empty() { "none of the texts has loci".into() } else { list(known) };
    Error::request(message).hint(hint)
}

/// Why a passage is in none of the texts; `None` if it is in one.
fn no_passage(whole: &Locus, passage: LocusPath, here: &[&Loci<'_>]) -> Option<Error> {
    let steps = [
        LocusPath { sentence: None, note: None, inner: None, ..passage },
        LocusPath { note: None, inner: None, ..passage },
        LocusPath { inner: None, ..passage },
        passage,
    ];
    let found = |p: &LocusPath| {
        here.iter().any(|l| !l.find(&Locus { from: Some(*p), ..whole.clone() }).is_empty())
    };
    let at = steps.iter().position(|p| !found(p))?;
    let hint = match at {
        0 => sections(here),
        1 => sentences(&steps[0], here),
        2 => notes(&steps[1], here),
        _ => "its sentences count from 1; 0 is the lemma header of a 疏".into(),
    };
    Some(
        Error::request(format!("there is no {}", Locus { from: Some(steps[at]), ..whole.clone() }))
            .hint(hint),
    )
}

fn sections(here: &[&Loci<'_>]) -> String {
    let all: BTreeSet<u32> =
        here.iter().flat_map(|l| l.units()).map(|u| u.passage.section).collect();
    let (text, one) = (&here[0].text, all.len() == 1);
    let all = runs(all).join(", ");
    match one {
        true => format!("{text} has section {all}"),
        false => format!("{text} has sections {all}"),
    }
}

fn sentences(section: &LocusPath, here: &[&Loci<'_>]) -> String {
    let units = here.iter().flat_map(|l| l.units()).filter(|u| section.holds(&u.passage));
    let all: BTreeSet<u32> = units.filter_map(|u| u.passage.sentence).map(|s| s.n).collect();
    format!("section {section} has sentences {}", runs(all).join(", "))
}

fn notes(sentence: &LocusPath, here: &[&Loci<'_>]) -> String {
    let units = here.iter().flat_map(|l| l.units()).filter(|u| sentence.holds(&u.passage));
    let name =
        |n: NoteName| format!("{} ({})", LocusPath { note: Some(n), ..*sentence }, n.layer.zh());
    let all: BTreeSet<String> = units.filter_map(|u| u.passage.note).map(name).collect();
    let all: Vec<String> = all.into_iter().collect();
    if all.is_empty() { "it has no comments".into() } else { list(&all) }
}

/// `1–4, 7`.
fn runs(numbers: BTreeSet<u32>) -> Vec<String> {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for n in numbers {
        match out.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => out.push((n, n)),
        }
    }
    out.into_iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}–{b}") }).collect()
}

fn list(names: &[String]) -> String {
    let (few, others) = names.split_at(names.len().min(MAX_NAMES_LISTED));
    let few = few.join(", ");
    match others.len() {
        0 => format!("there are: {}", names.join(", ")),
        more => format!("there are: {few}, and {more} more"),
    }
}
