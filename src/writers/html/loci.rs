//! Anchors by locus: what people cite (`yili.05.23.2`) is an address on the page, `page.html#yili.05.23.2`.

use std::collections::HashSet;

use super::Page;
use super::inline::Where;
use super::markup::Html;
use super::places::Places;
use crate::corpus::Loci;
use crate::model::Locus;

/// What the places of a page are cited by.
pub(super) struct Anchors {
    /// By place: the locus, and the number shown before a sentence of the classic.
    by_place: Vec<Option<(String, Option<String>)>>,
    /// By division.
    by_division: Vec<Option<String>>,
}

/// The anchors of a page, no two alike.
pub(super) fn anchors(places: &Places<'_>) -> Anchors {
    let document = &*places.document;
    let loci = Loci::of(document);
    let mut seen = HashSet::new();
    let mut once = |name: String| seen.insert(name.clone()).then_some(name);
    let section = |n: u32| format!("{}.{n}", loci.text);
    let by_division = document.divisions.iter().map(|d| once(section(d.n))).collect();
    let by_place = places.all.iter().map(|p| {
        let name = loci.name(p.span).map(|l| Locus { to: None, ..l }.to_string())?;
        Some((once(name)?, p.ju.map(|i| document.ju[i].number())))
    });
    Anchors { by_place: by_place.collect(), by_division }
}

impl Page<'_> {
    /// The anchor of a place: before a sentence of the classic its number, before anything else nothing to be seen.
    pub(super) fn anchor(&self, h: &mut Html<'_>, index: usize, place: Where) {
        let Some((locus, number)) = &self.anchors.by_place[index] else { return };
        match number.as_ref().filter(|_| place == Where::Paragraph) {
            Some(number) => h.open("a").attr("href", format_args!("#{locus}")).attr("data-n", number).attr("title", locus),
            None => h.open("span"),
        };
        h.attr("class", "n").attr("id", locus).close();
    }

    /// Locus of a section, once on a page.
    pub(super) fn section_locus(&self, division: usize) -> Option<&str> {
        self.anchors.by_division[division].as_deref()
    }
}
