//! Scholars as sources: what they wrote on the work that is explained or cited.

use crate::corpus::works::Scholar;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::{Discourse, MAX_CITED_BEFORE, OpenCitation};
use crate::text::fold::fold;

/// Before the name of who wrote on what was cited.
const THERE: char = '彼';

/// Notes that a scholar wrote on what was cited.
pub struct ScholarNotes {
    /// The citation.
    pub open: OpenCitation,
    /// What they are called.
    pub work: String,
    /// Whether they are the ones that texts have.
    pub is_usual: bool,
}

/// The scholar of a surname who is meant where `work` is explained or cited.
pub fn of_surname<'a>(places: &Places<'a>, surname: char, work: &str) -> Option<&'a Scholar> {
    let works = places.works();
    works.scholars().of_surname(surname, work, works.notes(work, None))
}

/// True if a scholar wrote the notes of the text that is explained.
pub fn explains(places: &Places<'_>, scholar: &Scholar) -> bool {
    places.work().is_some_and(|w| scholar.wrote(places.works().notes(w, None)))
}

/// A scholar as the source of what they say, with their work on what is explained or cited. The
/// name is as the authority file writes what the text has: 熊氏.
pub fn work_of(d: &Discourse<'_>, speaker: Speaker<'_>) -> String {
    let (works, home) = (d.places.works(), d.places.work());
    let chars: Vec<char> = d.places.slice(speaker.span).chars().map(fold).collect();
    let called = works.scholars().at(&chars, home, home.map_or("", |w| works.notes(w, None)));
    let name = called.map_or(&*speaker.scholar.name, |(_, called, _)| called);
    match speaker.scholar.work_on(d.places.work(), d.works_before()) {
        Some(work) => format!("{name}({work})"),
        None => name.to_string(),
    }
}

/// The notes of a scholar on what was cited just before byte `at`: 鄭玄以爲 after 《玉府》 in the 左傳. If
/// they wrote on the text that is explained too, only after 彼, or on the last citation where
/// nothing is between.
pub fn noted_by(d: &Discourse<'_>, scholar: &Scholar, at: usize) -> Option<ScholarNotes> {
    let places = d.places;
    let is_between = |c: char| is_content(c) || matches!(c, '○' | '\n');
    let is_joined =
        d.open_just_before(at).is_some_and(|o| !places.text()[o.end..at].contains(is_between));
    let there = places.text()[..at].ends_with(THERE);
    let explains = |work| notes_on(places, scholar, work).is_some();
    if !there && !is_joined && places.work().is_some_and(explains) {
        return None;
    }
    let most = if is_joined && !there { 1 } else { MAX_CITED_BEFORE };
    let near = d.open.iter().rev().take(most).filter(|o| o.is_near(at, SENTENCE_BYTES));
    near.into_iter().find_map(|open| {
        let named = open.named.as_ref()?;
        let (notes, is_usual) = notes_on(places, scholar, &named.work)?;
        let base = open.found_in.as_ref().unwrap_or(named).locus();
        Some(ScholarNotes { open: open.clone(), work: format!("{base}・{notes}"), is_usual })
    })
}

/// What the notes of a scholar on a work are called, if they wrote any, and whether they are usual
/// ones.
fn notes_on(places: &Places<'_>, scholar: &Scholar, work: &str) -> Option<(String, bool)> {
    match usual_notes(places, scholar, work) {
        Some(notes) => Some((notes.to_string(), true)),
        None => scholar.has_notes_on(work).then(|| (scholar.notes(), false)),
    }
}

fn usual_notes<'a>(places: &Places<'a>, scholar: &Scholar, work: &str) -> Option<&'a str> {
    let usual = places.works().notes(work, None);
    let all = places.works().work(work).map_or(&[][..], |w| &w.notes);
    all.iter().map(String::as_str).chain([usual]).find(|notes| scholar.wrote(notes))
}

/// The citation before byte `at` on which a scholar wrote the notes, and the cue that means them.
pub fn open_of(
    d: &Discourse<'_>,
    scholar: &Scholar,
    at: usize,
) -> Option<(OpenCitation, &'static str)> {
    d.open.iter().rev().take(MAX_CITED_BEFORE + 1).find_map(|o| {
        let work = &d.places.works().work(o.of_work()?)?.title;
        let called = usual_notes(d.places, scholar, work)?;
        let is_near = at.saturating_sub(o.end) < PARAGRAPH_BYTES;
        let is_tradition = called.ends_with('傳') && called != d.places.works().notes(work, None);
        is_near.then(|| (o.clone(), if is_tradition { "傳" } else { "注" }))
    })
}
