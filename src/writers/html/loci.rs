//! Anchors by locus: what people cite (`yili.05.23.2`) is an address on the page,
//! `page.html#yili.05.23.2`.
//!
//! Of a long text each sheet knows what is on which sheet, so that an address on any of them leads
//! to the right one: runs of rising section and sentence (`3.1-8.4`), several where a text has
//! passages in another order than its chapter counts them; of what has no locus, runs of ids
//! (`e1-e40`).

use std::collections::HashSet;
use std::fmt::Write as _;

use super::Page;
use super::inline::Where;
use super::places::Places;
use super::sheets::Sheets;
use crate::corpus::Loci;
use crate::markup::{Markup, address};
use crate::model::Locus;

/// What the places of a page are cited by.
pub(super) struct Anchors {
    /// By place: the locus, and the number shown before a sentence of the classic.
    by_place: Vec<Option<(String, Option<String>)>>,
    /// By division.
    by_division: Vec<Option<String>>,
    /// Work and chapter.
    text: String,
    /// What is on which sheet; empty where there is one.
    sheets: String,
}

/// The anchors of a page, no two alike.
pub(super) fn anchors(places: &Places<'_>, sheets: &Sheets) -> Anchors {
    let document = &*places.document;
    let loci = Loci::of(document);
    let mut seen = HashSet::new();
    let mut once = |name: String| seen.insert(name.clone()).then_some(name);
    let section = |n: u32| format!("{}.{n}", loci.text);
    let by_division = document.divisions.iter().map(|d| once(section(d.n))).collect();
    let by_place = places.all.iter().map(|p| {
        let name = loci.name(p.span).map(|l| Locus { to: None, ..l }.to_string())?;
        Some((once(name)?, p.ju.map(|i| document.sentences[i].number())))
    });
    let by_place = by_place.collect();
    let sheets = if sheets.len() > 1 { on_sheets(places, sheets, &loci) } else { String::new() };
    Anchors { by_place, by_division, text: loci.text.to_string(), sheets }
}

/// What is on which sheet: runs parted by blanks, sheets by bars.
fn on_sheets(places: &Places<'_>, sheets: &Sheets, loci: &Loci<'_>) -> String {
    let mut all: Vec<Vec<(Key<'_>, Key<'_>)>> = vec![vec![]; sheets.len()];
    for p in &places.all {
        let key = match loci.name(p.span).and_then(|l| l.from) {
            Some(passage) => Key::Passage(passage.section, passage.sentence.map_or(0, |s| s.n)),
            None => Key::of_id(&places.document.segments[p.segment].id),
        };
        let runs = &mut all[sheets.at(p.span.start())];
        match runs.iter_mut().rev().find(|r| r.1.is_like(&key)) {
            Some(run) if run.1 <= key => run.1 = key,
            _ => runs.push((key, key)),
        }
    }
    let mut out = String::new();
    for (n, runs) in all.iter().enumerate() {
        out.push_str(if n > 0 { "|" } else { "" });
        for (i, (from, to)) in runs.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = write!(out, "{}{from}-{to}", if i > 0 { " " } else { "" });
        }
    }
    out
}

/// What a place is looked for by.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Key<'a> {
    /// Section and sentence.
    Passage(u32, u32),
    /// Letter and number of an id.
    Id(&'a str, u32),
}

impl<'a> Key<'a> {
    fn of_id(id: &'a str) -> Self {
        let (letter, number) = id.split_at(1.min(id.len()));
        Key::Id(letter, number.parse().unwrap_or(0))
    }

    /// True if both can stand in one run.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Key::Passage(..), Key::Passage(..)) => true,
            (Key::Id(a, _), Key::Id(b, _)) => a == b,
            _ => false,
        }
    }
}

impl std::fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Key::Passage(section, n) => write!(f, "{section}.{n}"),
            Key::Id(letter, n) => write!(f, "{letter}{n}"),
        }
    }
}

impl Page<'_> {
    /// The anchor of a place: before a sentence of the classic its number, before anything else
    /// nothing to be seen.
    pub(super) fn anchor(&self, h: &mut Markup<'_>, index: usize, place: Where) {
        let Some((locus, number)) = &self.anchors.by_place[index] else { return };
        match number.as_ref().filter(|_| place == Where::Paragraph) {
            Some(number) => h
                .open("a")
                .attr("href", format_args!("#{locus}"))
                .attr("data-n", number)
                .attr("title", locus),
            None => h.open("span"),
        };
        h.attr("class", "n").attr("id", locus).close();
    }

    /// Tells the page's script where the rest of the text is.
    pub(super) fn whereabouts(&self, h: &mut Markup<'_>) {
        if !self.anchors.sheets.is_empty() {
            h.attr("data-text", &self.anchors.text).attr("data-sheets", &self.anchors.sheets);
            h.attr("data-sheet", self.here.sheet)
                .attr("data-file", address::page(&self.places.document.id));
        }
    }

    /// Locus of a section, once on a page.
    pub(super) fn section_locus(&self, division: usize) -> Option<&str> {
        self.anchors.by_division[division].as_deref()
    }
}
