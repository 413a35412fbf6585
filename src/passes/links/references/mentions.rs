//! Names of chapters and years that a sub-commentary mentions without 《》 and without a verb of
//! quotation, if the text around them is about something in that chapter: 大射納射器之後….

use super::citation::{CitedText, cited};
use super::comment::{OpenCitation, Reader};
use super::cues::TRADITION;
use super::locate::{CitedSource, MIN_OF_ANY, MIN_STRIKING};
use super::sought::SoughtWords;
use super::years;
use crate::corpus::Stream;
use crate::corpus::works::{Named, Resolved};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::is_content;

/// Most characters after a name that are compared with the chapter.
const MAX_WORDS: usize = 40;
/// After a year that is referred to, and does not say when something was.
const REFERRED_TO: &[&str] = &["者", "是也"];
/// Most characters between a year and the quotation that is from there.
const MAX_BETWEEN: usize = 6;

/// Links the mentions in text without quotation marks.
pub fn read(reader: &mut Reader<'_>, span: Span, before_quote: bool, taken: &[Span]) {
    names(reader, span, taken);
    annals(reader, span, before_quote, taken);
    traditions(reader, span, taken);
}

/// What the tradition that is explained tells (傳稱…), without quotation marks.
fn traditions(reader: &mut Reader<'_>, span: Span, taken: &[Span]) {
    if !years::is_annals(reader.places.work()) {
        return;
    }
    let text = reader.slice(span);
    let key = Key::of(reader.text(), span);
    for c in TRADITION.captures_iter(text) {
        let Some(cue) = c.name("cue") else { continue };
        let here = Span::new(span.start() + cue.start(), span.start() + cue.end());
        let words = words_after(reader, &key, key.index_at(here.end()), span);
        if let Some(words) = words.filter(|_| taken.iter().all(|t| t.overlap(here) == 0)) {
            reader.link_tradition(here, words);
        }
    }
}

fn names(reader: &mut Reader<'_>, span: Span, taken: &[Span]) {
    let key = Key::of(reader.text(), span);
    let mut i = 0;
    while i < key.len() {
        let name = reader.works().bare_names().at(&key.chars[i..]).find(|n| !n.office && n.len > 1);
        let Some(name) = name else {
            i += 1;
            continue;
        };
        let title = key.span(i, i + name.len);
        let from = i + name.len;
        i = from;
        let free = |t: &Span| t.overlap(title) == 0;
        if !taken.iter().all(free) || !reader.links.iter().rev().take(4).all(|l| free(&l.span)) {
            continue;
        }
        let home = reader.places.work();
        let Some(resolved) = reader.works().resolve(reader.slice(title), home) else { continue };
        if reader.places.home.as_ref() == Some(&resolved.named) {
            continue;
        }
        let Some(words) = words_after(reader, &key, from, span) else { continue };
        let sought = SoughtWords::of(reader.places.document, words);
        let chars = &sought.key.chars;
        let source = CitedSource {
            named: &resolved.named,
            stream: Stream::Base,
            near: title.start(),
            year: None,
        };
        let Some(located) = reader.places.located(source, chars, MIN_STRIKING) else { continue };
        // 大射正 is an office in 大射, not the chapter.
        let word: Vec<char> = key.chars[from - name.len..(from + 1).min(key.len())].to_vec();
        if !located.is_striking() || holds(reader, &resolved.named, &word) {
            continue;
        }
        link(reader, &resolved, title, Some(words), None);
    }
}

/// The text after a name, to the end of the sentence.
fn words_after(reader: &Reader<'_>, key: &Key, from: usize, span: Span) -> Option<Span> {
    let start = *key.at.get(from)? as usize;
    let stop =
        reader.text()[start..span.end()].find(['。', '\n', '○']).map_or(span.end(), |i| start + i);
    let to = key.index_at(stop).min(from + MAX_WORDS);
    (to > from + 1).then(|| key.span(from, to))
}

/// True if a chapter has a word.
fn holds(reader: &Reader<'_>, named: &Named, word: &[char]) -> bool {
    let places = reader.places;
    places.index.of_chapter(named, &places.document.id).any(|e| {
        !places.index.nearest(e.number, Stream::Base, 0..usize::MAX, word, false, 1).is_empty()
    })
}

/// Years of the annals: what the text after them reports is in the chapter of the duke.
fn annals(reader: &mut Reader<'_>, span: Span, before_quote: bool, taken: &[Span]) {
    let home = years::home_duke(reader.places.home.as_ref());
    for year in years::with_bare(reader.text(), span, reader.duke, home) {
        if !year.is_bare {
            reader.duke = Some(year.duke.name());
        }
        let Some(named) = year.duke.chapter(reader.places) else { continue };
        let resolved = Resolved { named, tail: None, alternatives: vec![] };
        // A year in words that are quoted is what the text goes on about.
        if !year.is_bare && taken.iter().any(|t| t.overlap(year.span) > 0) {
            open(reader, &resolved, year.span, Some(year.duke.year()));
            continue;
        }
        let key = Key::of(reader.text(), Span::new(year.span.end(), span.end()));
        let next = &reader.text()[year.span.end()..span.end()];
        let between = next.chars().filter(|c| is_content(*c)).count();
        let before_quote =
            before_quote && between <= MAX_BETWEEN && !next.contains(['。', '；', '○', '\n']);
        // Without a quotation it may be a year of anything.
        if year.is_bare {
            if before_quote {
                open(reader, &resolved, year.span, Some(year.duke.year()));
                reader.open.last_mut().into_iter().for_each(|o| o.start = Some(year.span.start()));
            }
            continue;
        }
        let words = words_after(reader, &key, 0, span);
        let located = words.and_then(|w| {
            let sought = SoughtWords::of(reader.places.document, w);
            let source = CitedSource {
                named: &resolved.named,
                stream: Stream::Base,
                near: w.start(),
                year: Some(year.duke.year()),
            };
            reader.places.aligned(source, &sought, MIN_OF_ANY)
        });
        let cites = year.cites || REFERRED_TO.iter().any(|s| next.starts_with(s));
        if before_quote || located.is_none() && !cites {
            open(reader, &resolved, year.span, Some(year.duke.year()));
            let start = before_quote.then_some(year.span.start());
            reader.open.last_mut().into_iter().for_each(|o| o.start = start);
        } else {
            link(reader, &resolved, year.span, words, Some(year.duke.year()));
        }
    }
}

fn open(reader: &mut Reader<'_>, resolved: &Resolved, span: Span, year: Option<u32>) {
    reader.open.push(OpenCitation { year, ..OpenCitation::of(resolved.named.clone(), span.end()) });
}

fn link(
    reader: &mut Reader<'_>,
    resolved: &Resolved,
    title: Span,
    words: Option<Span>,
    year: Option<u32>,
) {
    let text = CitedText { after: words, year, ..CitedText::default() };
    let link = cited(reader.places, resolved, title, text, reader.layer);
    open(reader, resolved, title, year);
    reader.links.push(link);
}
