//! Anchors by locus: a cited locus (`yili.05.23.2`) is an address on the page,
//! `page.html#yili.05.23.2`.
//!
//! In a long text each sheet has a list of what is on which sheet, so that an address on any sheet
//! leads to the right one. The list has runs of ascending section and sentence (`3.1-8.4`), several
//! if a text has passages in another order than its chapter, and runs of ids (`e1-e40`) for
//! elements without locus.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::Page;
use super::inline::Container;
use super::sheets::Sheets;
use crate::corpus::loci::{text_of, urn_of};
use crate::markup::{Markup, address};
use crate::reading::ChapterText;

/// The loci of the elements of a page.
pub(super) struct Anchors {
    /// By element: it is the first with its locus. The words of a long text's loci are several
    /// times as long as the text.
    by_element: Vec<bool>,
    /// The same by division.
    by_division: Vec<bool>,
    /// Work and chapter.
    text: String,
    /// The URN of the text.
    urn: String,
    /// What is on which sheet; empty if there is only one.
    sheets: String,
}

impl Anchors {
    /// Work and chapter, `yili.05`.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The URN of the text.
    pub(super) fn urn(&self) -> &str {
        &self.urn
    }
}

/// The anchors of a page, all different.
pub(super) fn anchors(chapter: &ChapterText<'_>, sheets: &Sheets) -> Anchors {
    let document = &*chapter.document;
    let text = text_of(document).to_string();
    // Only elements have a sentence in their loci, so none is like that of a division.
    let mut seen = HashSet::new();
    let by_division = document.divisions.iter().map(|d| seen.insert(d.n)).collect();
    let by_element = first_of_locus(chapter);
    let sheets = if sheets.len() > 1 { on_sheets(chapter, sheets) } else { String::new() };
    Anchors { by_element, by_division, text, urn: urn_of(document), sheets }
}

/// Which elements are the first with their locus. Loci are nearly in order, so sorting the numbers
/// of the elements takes little time, and less memory than a set of loci.
fn first_of_locus(chapter: &ChapterText<'_>) -> Vec<bool> {
    let of = |i: u32| chapter.locus(i as usize).map(|l| l.whole());
    let mut order: Vec<u32> =
        (0..chapter.elements.len() as u32).filter(|i| of(*i).is_some()).collect();
    // Of equal ones the first in the text stays first.
    order.sort_by_key(|i| of(*i));
    let mut is_first = vec![false; chapter.elements.len()];
    let mut last = None;
    for i in order {
        let locus = of(i);
        is_first[i as usize] = locus != last;
        last = locus;
    }
    is_first
}

/// What is on which sheet: runs separated by blanks, sheets by bars.
fn on_sheets(chapter: &ChapterText<'_>, sheets: &Sheets) -> String {
    let mut all: Vec<Vec<(SheetKey<'_>, SheetKey<'_>)>> = vec![vec![]; sheets.len()];
    for (i, e) in chapter.elements.iter().enumerate().filter(|(_, e)| e.layer.is_text()) {
        let key = match chapter.locus(i) {
            Some(a) => SheetKey::Passage(a.path.section, a.path.sentence.map_or(0, |s| s.n)),
            None => SheetKey::of_id(&chapter.document.segments[e.segment()].id),
        };
        let runs = &mut all[sheets.at(e.span.start())];
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

/// The key by which an element is found.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum SheetKey<'a> {
    /// Section and sentence.
    Passage(u32, u32),
    /// Letter and number of an id.
    Id(&'a str, u32),
}

impl<'a> SheetKey<'a> {
    fn of_id(id: &'a str) -> Self {
        let (letter, number) = id.split_at(1.min(id.len()));
        SheetKey::Id(letter, number.parse().unwrap_or(0))
    }

    /// True if both can be in one run.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (SheetKey::Passage(..), SheetKey::Passage(..)) => true,
            (SheetKey::Id(a, _), SheetKey::Id(b, _)) => a == b,
            _ => false,
        }
    }
}

impl std::fmt::Display for SheetKey<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SheetKey::Passage(section, n) => write!(f, "{section}.{n}"),
            SheetKey::Id(letter, n) => write!(f, "{letter}{n}"),
        }
    }
}

impl Page<'_> {
    /// The anchor of a place: before a sentence of the classic its number, before anything else
    /// invisible.
    pub(super) fn anchor(&self, h: &mut Markup<'_>, index: usize, place: Container) {
        let chapter = self.chapter;
        let Some(locus) = chapter.locus(index).filter(|_| self.anchors.by_element[index]) else {
            return;
        };
        let locus = &format!("{}.{}", self.anchors.text, locus.whole());
        let number = chapter.elements[index].sentence();
        let number = number.map(|i| chapter.document.sentences[i].number());
        // The script of a site says where it leads.
        let title = (!h.is_switchable()).then_some(locus);
        match number.filter(|_| place == Container::Paragraph) {
            Some(number) => h
                .open("a")
                .attr("href", format_args!("#{locus}"))
                .attr("data-n", number)
                .maybe("title", title),
            None => h.open("span"),
        };
        h.attr("class", "n").attr("id", locus).close();
    }

    /// Gives the page's script the places of the rest of the text.
    pub(super) fn whereabouts(&self, h: &mut Markup<'_>) {
        if !self.anchors.sheets.is_empty() {
            h.attr("data-text", &self.anchors.text).attr("data-sheets", &self.anchors.sheets);
            h.attr("data-sheet", self.here.sheet)
                .attr("data-file", address::page(&self.chapter.document.id));
        }
    }

    /// Locus of a section; only once on a page.
    pub(super) fn section_locus(&self, division: usize) -> Option<String> {
        let n = self.chapter.document.divisions[division].n;
        let is_first = self.anchors.by_division[division];
        is_first.then(|| format!("{}.{n}", self.anchors.text))
    }
}
