//! Scholars whose words a text reports: 熊氏云“…”, 皇氏、熊氏以爲….

use crate::corpus::works::Scholar;
use crate::passes::links::references::cues::*;
use crate::passes::links::references::prelude::*;
use crate::passes::links::references::sources::open::Discourse;
use crate::passes::links::references::sources::scholars;
use crate::passes::links::references::sources::scholars::Speaker;
use crate::text::fold::fold;

/// Most names in a row after the first.
const MAX_NAMES: usize = 6;
/// Most characters of a name, and from the name to the verb.
const MAX_NAME: usize = 4;
/// Characters before a quotation in which a speaker is looked for.
const REACH: usize = 13;

/// The scholar whose name is at the beginning of some characters: its length and how the authority
/// file writes it.
fn scholar_at<'a>(d: &Discourse<'a>, chars: &[char]) -> Option<(usize, &'a str, &'a Scholar)> {
    let works = d.places.works();
    let scholars = works.scholars();
    let on =
        |work: Option<&str>| scholars.at(chars, work, work.map_or("", |w| works.notes(w, None)));
    let cited = || d.works_before().find_map(|w| on(Some(w)));
    on(d.places.work()).or_else(|| scholars.has(chars).then(cited).flatten())
}

/// The speaker that the text at character `i` of a key names.
pub fn at<'a>(d: &Discourse<'a>, key: &Key, i: usize) -> Option<Speaker<'a>> {
    among(d, key, i, MAX_NAMES)
}

/// The same, with at most so many names in a row: 皇氏、熊氏以爲.
fn among<'a>(d: &Discourse<'a>, key: &Key, i: usize, names: usize) -> Option<Speaker<'a>> {
    let (n, called, scholar) = scholar_at(d, &key.chars[i..])?;
    let next = |k: usize| key.chars.get(i + n + k).copied();
    for k in 0..=MAX_NAME {
        let at = i + n + k;
        let c = next(k).filter(|_| is_joined(key, at))?;
        let as_for = c == '以' && next(k + 1) == Some('為');
        let agrees = c == '然' && k > 0 && next(k - 1) == Some('亦');
        let takes = agrees || k == 0 && n > 1 && TAKES.has(c);
        if SAYS.has(c) || as_for || takes {
            let end = at + 1 + usize::from(as_for);
            return Some(Speaker { scholar, called, span: key.span(i, end) });
        }
        if scholar_at(d, &key.chars[at..]).is_some() {
            let more = among(d, key, at, names.checked_sub(1)?)?;
            let span = Span::new(key.at[i] as usize, more.span.end());
            return Some(Speaker { scholar, called, span });
        }
        if !BETWEEN.has(c) {
            return None;
        }
    }
    None
}

/// True if at most a mark is between a character of a key and the one before it.
pub fn is_joined(key: &Key, at: usize) -> bool {
    key.at.get(at).is_some_and(|next| *next as usize - key.end(at - 1) <= '，'.len_utf8())
}

/// The scholar who speaks in a quotation, from the text before it.
pub fn before<'a>(d: &Discourse<'a>, lead: Span) -> Option<Speaker<'a>> {
    let text = d.places.slice(lead);
    let start = text.char_indices().rev().take(REACH).last().map_or(0, |(i, _)| i);
    let key = Key::of(d.places.text(), Span::new(lead.start() + start, lead.end()));
    let is_last = |s: &Speaker<'_>| key.end(key.len() - 1) == s.span.end();
    let named = (0..key.len()).find_map(|i| at(d, &key, i).filter(is_last));
    named.or_else(|| surname_before(d, &key))
}

/// True if the author of the usual notes on the text that is explained speaks: 杜云 in the 左傳.
pub fn commentator_says(d: &Discourse<'_>, lead: &str) -> bool {
    let mut last = lead.trim_end_matches([':', '：']).chars().rev().map(fold);
    let (Some(verb), Some(surname)) = (last.next(), last.next()) else { return false };
    let begins = last.next().is_none_or(|c| !is_content(c) || BEFORE_SURNAME.has(c));
    let scholar = || scholars::of_surname(d.places, surname, d.places.work()?);
    QUOTING_VERBS.has(verb) && begins && scholar().is_some_and(|s| scholars::explains(d.places, s))
}

/// 庾云 for 庾蔚之: a surname alone, where one scholar of that name wrote on the work.
fn surname_before<'a>(d: &Discourse<'a>, key: &Key) -> Option<Speaker<'a>> {
    let [.., surname, verb] = key.chars[..] else { return None };
    let at = key.len() - 2;
    let begins = at
        .checked_sub(1)
        .is_none_or(|n| BEFORE_SURNAME.has(key.chars[n]) || key.end(n) < key.at[at] as usize);
    let says = QUOTING_VERBS.has(verb) && key.end(at) == key.at[at + 1] as usize;
    let home = d.places.work()?;
    let here = scholars::of_surname(d.places, surname, home).filter(|_| verb != '曰');
    let cited = || d.works_before().find_map(|w| scholars::of_surname(d.places, surname, w));
    let scholar = here.or_else(cited)?;
    let span = key.span(at, at + 2);
    let speaker = Speaker { scholar, called: &scholar.name, span };
    (says && begins && !scholars::explains(d.places, scholar)).then_some(speaker)
}

/// The speakers that a text without quotation marks names.
pub fn all<'a>(d: &Discourse<'a>, span: Span) -> Vec<Speaker<'a>> {
    let key = Key::of(d.places.text(), span);
    let mut found: Vec<Speaker<'a>> = Vec::new();
    for i in 0..key.len() {
        if found.last().is_none_or(|f| key.at[i] as usize >= f.span.end()) {
            found.extend(at(d, &key, i));
        }
    }
    found
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
