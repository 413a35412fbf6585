//! Scholars whose words a text reports (熊氏云“…”), as the pass that says who speaks found them.

use crate::corpus::Works;
use crate::model::{Document, Speech};
use crate::passes::links::references::cues::*;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::Discourse;
use crate::passes::links::references::sources::scholars;
use crate::text::fold::fold;

/// Most characters of a name.
const MAX_NAME: usize = 4;

/// All whose words a document reports, in the order of their names.
pub fn of_document<'a>(
    document: &Document,
    works: &'a Works,
    work: Option<&str>,
) -> Vec<Speaker<'a>> {
    let text = document.source.text();
    let notes = work.map_or("", |w| works.notes(w, None));
    // 皇氏、熊氏云 is said by the first too.
    let other_before = |start: usize| {
        let head = text[..start].trim_end_matches('、');
        let starts = head.char_indices().rev().take(MAX_NAME).map(|(i, _)| i);
        let named = starts.filter_map(|i| {
            let name: Vec<char> = head[i..].chars().map(fold).collect();
            let (n, _, scholar) = works.scholars().at(&name, work, notes)?;
            (n == name.len()).then_some((i, scholar))
        });
        named.last()
    };
    let named = |speech: &Speech| {
        let mut scholar = works.scholar(&speech.who)?;
        let cue = speech.evidence.iter().find(|e| e.kind == EvidenceKind::Commentator)?;
        let cue = cue.detail.as_deref()?;
        let chars: Vec<char> = cue.chars().map(fold).collect();
        // 馬曰 opens a note of his, and 鄭注云 names the notes.
        let by_surname = works.scholars().called(&chars).0 < 2;
        let is_quoting = chars.len() == 2 && QUOTING_VERBS.has(chars[1]) && chars[1] != '曰';
        if by_surname && !is_quoting {
            return None;
        }
        let head = text[..speech.span.start()].trim_end_matches(|c| !is_content(c));
        let mut start = head.strip_suffix(cue)?.len();
        while let Some(other) = other_before(start).filter(|_| !by_surname) {
            (start, scholar) = other;
        }
        Some(Speaker { scholar, span: Span::new(start, head.len()), by_surname })
    };
    let mut all: Vec<Speaker<'a>> = document.speeches.iter().filter_map(named).collect();
    all.sort_by_key(|s| s.span.start());
    all
}

/// The speakers that are named in a span, not by their surnames alone.
pub fn all<'p, 'a>(places: &'p Places<'a>, span: Span) -> impl Iterator<Item = Speaker<'a>> + 'p {
    within(places, span).filter(|s| !s.by_surname)
}

fn within<'p, 'a>(places: &'p Places<'a>, span: Span) -> impl Iterator<Item = Speaker<'a>> + 'p {
    let from = places.speakers.partition_point(|s| s.span.start() < span.start());
    let named = places.speakers[from..].iter().copied();
    named.take_while(move |s| s.span.start() < span.end()).filter(move |s| span.contains(s.span))
}

/// The speaker whose name begins at byte `at`.
pub fn at<'a>(places: &Places<'a>, at: usize) -> Option<Speaker<'a>> {
    let n = places.speakers.binary_search_by_key(&at, |s| s.span.start()).ok()?;
    Some(places.speakers[n]).filter(|s| !s.by_surname)
}

/// The scholar who speaks in a quotation, from the text before it.
pub fn before<'a>(d: &Discourse<'a>, lead: Span) -> Option<Speaker<'a>> {
    let is_next = |s: &Speaker<'_>| !d.places.text()[s.span.end()..lead.end()].contains(is_content);
    within(d.places, lead).last().filter(is_next).or_else(|| on_cited(d, lead))
}

/// A scholar who wrote on what was cited just before: 毛云 after 《庭燎》.
fn on_cited<'a>(d: &Discourse<'a>, lead: Span) -> Option<Speaker<'a>> {
    let text = d.places.slice(lead).trim_end_matches(|c| !is_content(c));
    let said = text.strip_suffix(|c| QUOTING_VERBS.has(c))?;
    let starts = said.char_indices().rev().take(MAX_NAME).map(|(i, _)| i);
    let named = |from: usize| {
        let name: Vec<char> = said[from..].chars().map(fold).collect();
        let begins = said[..from].chars().next_back();
        let begins = begins.is_none_or(|c| !is_content(c) || BEFORE_SURNAME.has(c));
        let scholar = d.works_before().find_map(|work| {
            let (works, usual) = (d.places.works(), d.places.works().notes(work, None));
            let full = works.scholars().at(&name, Some(work), usual).filter(|f| f.0 == name.len());
            let surname = || scholars::of_surname(d.places, name[0], work);
            full.map(|f| f.2).or_else(|| surname().filter(|_| name.len() == 1 && begins))
        })?;
        let span = Span::new(lead.start() + from, lead.start() + text.len());
        Some(Speaker { scholar, span, by_surname: name.len() == 1 })
    };
    starts.filter_map(named).last()
}

/// True if at most a mark is between a character of a key and the one before it.
pub fn is_joined(key: &Key, at: usize) -> bool {
    key.at.get(at).is_some_and(|next| *next as usize - key.end(at - 1) <= '，'.len_utf8())
}

/// What notes are called that another scholar wrote than the usual commentary, from the text before
/// a title (盧注《檀弓》).
pub fn notes_by(d: &Discourse<'_>, before: &str, work: &str) -> Option<String> {
    let name = before.trim_end_matches(|c| NOTES_ON.has(c));
    let mut chars: Vec<char> = name.chars().rev().take(MAX_NAME).map(fold).collect();
    chars.reverse();
    let works = d.places.works();
    let usual = works.notes(work, None);
    let named = (0..chars.len()).find_map(|i| {
        let (n, _, scholar) = works.scholars().at(&chars[i..], Some(work), usual)?;
        (i + n == chars.len()).then_some(scholar)
    });
    let scholar = named.or_else(|| scholars::of_surname(d.places, *chars.last()?, work))?;
    (!scholar.wrote(usual)).then(|| scholar.notes())
}
