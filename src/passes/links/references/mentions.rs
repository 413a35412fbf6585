//! Names of chapters and years that a sub-commentary mentions without 《》 and without a verb of
//! quotation, if the text around them is about something in that chapter: 大射納射器之後….

use super::rules::Rule;

use super::citation::{CitedText, cited};
use super::comment::{OpenCitation, Reader};
use super::locate::{CitedSource, MIN_OF_ANY, MIN_STRIKING};
use super::scan::{CommentToken, TokenKind};
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
/// Fewer characters are between a year and the title it belongs to.
const MAX_TO_TITLE: usize = 3;
/// Most characters between a year and the quotation that is from there.
const MAX_BETWEEN: usize = 6;

/// Links the mentions in text without quotation marks.
pub fn read(reader: &mut Reader<'_>, (tokens, at): (&[CommentToken], usize), taken: &[Span]) {
    let span = tokens[at].inner;
    let before_quote = tokens.get(at + 1).is_some_and(|t| t.kind == TokenKind::Quote);
    if Rule::BareChapter.on() {
        names(reader, span, taken);
    }
    let of_titles = [at.checked_sub(1), Some(at + 1)].map(|i| i.and_then(|i| tokens.get(i)));
    let of_titles = of_titles.map(|t| t.filter(|t| is_title_of_annals(reader, t)).is_some());
    if Rule::Years.on() {
        annals(reader, span, before_quote, of_titles, taken);
    }
}

/// Links the names of chapters.
pub fn names(reader: &mut Reader<'_>, span: Span, taken: &[Span]) {
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
        let resolve = |name: &[char]| reader.works().resolve(&String::from_iter(name), home);
        let Some(resolved) = resolve(&key.chars[from - name.len..from]) else { continue };
        // 禮記雜記: the chapter is cited.
        let next = key.chars.get(from..).and_then(|c| reader.works().bare_names().at(c).next());
        let next = next.filter(|n| n.len > 1 && is_adjacent(&key, from));
        let next = next.and_then(|n| resolve(&key.chars[from..from + n.len]));
        if next.is_some_and(|n| n.named.chapter.is_some() && n.named.work == resolved.named.work)
            || reader.places.home.as_ref() == Some(&resolved.named)
        {
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
        link(
            reader,
            &resolved,
            title,
            CitedText { after: Some(words), is_said: true, ..CitedText::default() },
        );
    }
}

/// True if nothing is between a character of a key and the one before it.
fn is_adjacent(key: &Key, at: usize) -> bool {
    key.at.get(at).is_some_and(|next| *next as usize == key.end(at - 1))
}

/// The text after a name, to the end of the sentence.
fn words_after(reader: &Reader<'_>, key: &Key, from: usize, span: Span) -> Option<Span> {
    let start = *key.at.get(from)? as usize;
    let end = key.at.get(from + MAX_WORDS).map_or(span.end(), |at| *at as usize);
    let stop = reader.text()[start..end].find(['。', '\n', '○']).map_or(end, |i| start + i);
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

fn is_title_of_annals(reader: &Reader<'_>, token: &CommentToken) -> bool {
    let resolved = || reader.works().resolve(reader.slice(token.inner), reader.places.work());
    token.kind == TokenKind::Title
        && resolved().is_some_and(|r| years::is_annals(Some(&r.named.work)))
}

/// Years of the annals: what the text after them reports is in the chapter of the duke. One beside a title of
/// annals, before the text or after it, belongs to the title.
fn annals(
    reader: &mut Reader<'_>,
    span: Span,
    before_quote: bool,
    [after_title, before_title]: [bool; 2],
    taken: &[Span],
) {
    let home = years::home_duke(reader.places.home.as_ref());
    for year in years::with_bare(reader.text(), span, reader.duke, home) {
        if !year.is_bare {
            reader.duke = Some(year.duke.name());
        }
        let begins = after_title && year.span.start() == span.start();
        let to_title = reader.text()[year.span.end()..span.end()].chars().count();
        if begins || before_title && to_title < MAX_TO_TITLE {
            continue;
        }
        let Some(named) = year.duke.chapter(reader.places) else { continue };
        let resolved = Resolved { named, tail: None, alternatives: vec![] };
        // A year in words that are quoted is what the text goes on about.
        if year.is_bare && !Rule::BareYears.on() {
            continue;
        }
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
            let aligned = reader.places.aligned(source, &sought, MIN_OF_ANY);
            aligned.or_else(|| reader.places.aligned_source(source, &sought))
        });
        let cites = year.cites || REFERRED_TO.iter().any(|s| next.starts_with(s));
        if before_quote || located.is_none() && !cites {
            open(reader, &resolved, year.span, Some(year.duke.year()));
            let start = before_quote.then_some(year.span.start());
            reader.open.last_mut().into_iter().for_each(|o| o.start = start);
        } else {
            let year_text = CitedText { year: Some(year.duke.year()), ..CitedText::default() };
            let text = CitedText { after: words, is_said: true, ..year_text };
            link(reader, &resolved, year.span, text);
        }
    }
}

fn open(reader: &mut Reader<'_>, resolved: &Resolved, span: Span, year: Option<u32>) {
    reader.open.push(OpenCitation { year, ..OpenCitation::of(resolved.named.clone(), span.end()) });
}

fn link(reader: &mut Reader<'_>, resolved: &Resolved, title: Span, text: CitedText) {
    let year = text.year;
    let link = cited(reader.places, resolved, title, text, reader.layer);
    open(reader, resolved, title, year);
    reader.links.push(link);
}
