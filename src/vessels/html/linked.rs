//! Notes that show as such by their links alone: a number in the text leads to the note, and a
//! number or an arrow in the note leads back. Word processors, converters and authors agree on
//! this, and on no class.

use std::ops::Range;
use std::sync::LazyLock;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};
use regex::Regex;
use rustc_hash::FxHashMap;

use super::roles::{MarkupRole, attribute};
use super::{ENDS_ITSELF, MAX_DEPTH, MAX_NAME_BYTES, VOID, is_number, words_of};
use crate::text::{char_floor, pattern};
use crate::vessels::edits::has_han;

/// Elements that a note may be.
const NOTE_BLOCKS: [&[u8]; 5] = [b"li", b"div", b"p", b"aside", b"dd"];
/// In so many of them, each in the next, a note may be.
const MAX_BLOCKS: usize = 4;
/// Most links within one note.
const MAX_LINKS: usize = 64;

/// A link to a place.
static TO_PLACE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bhref\s*=\s*["']?[^"'#\s>]*#"#));
/// What stands before each page of a book (`packed/book.rs`).
static PAGE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^<!-- (?:[^<>]*/)?([^<>/]+) -->$"));

/// A place: the file that it is in, in a book of several, and its id.
type LinkedPlace<'t> = (&'t str, &'t str);

/// A link whose words are a number or an arrow, to another place of the page or of the book.
struct Link<'t> {
    /// Where its tag begins.
    at: usize,
    to: LinkedPlace<'t>,
    /// Where the elements around it begin that may be notes, the innermost first.
    around: Vec<usize>,
    /// There are words before it in the innermost of them.
    is_in_text: bool,
    /// It has no digits.
    is_arrow: bool,
}

/// An element that is open.
struct OpenBlock {
    name: Vec<u8>,
    at: usize,
    /// How many links there were before it, and how many names without one.
    links: usize,
    known: usize,
}

/// The links of a page.
#[derive(Default)]
struct Links<'t> {
    all: Vec<Link<'t>>,
    /// The link that has an id or a name, or in whose block it is the next after it; by page.
    named: FxHashMap<LinkedPlace<'t>, usize>,
    /// Ids and names of which the link is not known yet.
    names: Vec<&'t str>,
    /// The page of a book that is read.
    page: &'t str,
    open: Vec<OpenBlock>,
    /// The links within each element that may be a note.
    within: FxHashMap<usize, Range<usize>>,
}

/// What shows by links: where elements begin that are notes, and links that lead to them or back.
pub(super) fn linked(text: &str) -> Vec<(usize, MarkupRole)> {
    if !TO_PLACE.is_match(text) {
        return vec![];
    }
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(!text.contains("xmlns="));
    let mut links = Links::default();
    for token in Tokenizer::new_with_emitter(text, emitter) {
        match token {
            Ok(Token::StartTag(tag)) => links.start(text, &tag),
            Ok(Token::EndTag(tag)) => links.end(&tag.name),
            Ok(Token::Comment(of)) => {
                let page = PAGE.captures(&text[of.span.start..of.span.end]);
                links.page = page.and_then(|c| c.get(1)).map_or(links.page, |page| page.as_str());
            }
            _ => {}
        }
    }
    while !links.open.is_empty() {
        links.close();
    }
    links.roles(text)
}

impl<'t> Links<'t> {
    fn start(&mut self, text: &'t str, tag: &StartTag<usize>) {
        let (from, to) = (tag.span.start, tag.span.end);
        if ENDS_ITSELF.contains(&&**tag.name)
            && self.open.last().is_some_and(|open| open.name == **tag.name)
        {
            self.close();
        }
        // As it stands in the text.
        let in_text = |value: &str| {
            let at = from + text[from..to].find(value)?;
            text.get(at..at + value.len()).filter(|value| !value.is_empty())
        };
        let known = self.names.len();
        let names = ["id", "name"].into_iter().filter_map(|name| attribute(tag, name));
        self.names.extend(names.filter_map(in_text));
        if VOID.contains(&&**tag.name) || tag.self_closing {
            return;
        }
        let leads = attribute(tag, "href").and_then(in_text).and_then(|to| to.split_once('#'));
        let leads = leads.map(|(file, id)| match file.rsplit('/').next() {
            Some("") | None => (self.page, id),
            Some(file) => (file, id),
        });
        let is_numbered = || words_of(text, to, "</a>").is_some_and(|words| is_number(&words));
        if let Some(to) = leads.filter(|_| **tag.name == *b"a" && is_numbered()) {
            let blocks = self.open.iter().rev().filter(|open| is_block(&open.name));
            let around: Vec<usize> = blocks.map(|open| open.at).take(MAX_BLOCKS).collect();
            // A number stands after words.
            let near = char_floor(text, from.saturating_sub(MAX_NAME_BYTES));
            let is_in_text = around.first().is_some_and(|at| has_han(&text[near.max(*at)..from]));
            for name in self.names.drain(..) {
                self.named.entry((self.page, name)).or_insert(self.all.len());
            }
            let words = words_of(text, tag.span.end, "</a>").unwrap_or_default();
            let is_arrow = !words.contains(|c: char| c.is_ascii_digit());
            self.all.push(Link { at: from, to, around, is_in_text, is_arrow });
        }
        if self.open.len() < MAX_DEPTH {
            let links = self.all.len();
            let known = known.min(self.names.len());
            self.open.push(OpenBlock { name: tag.name.to_vec(), at: from, links, known });
        }
    }

    fn end(&mut self, name: &[u8]) {
        if let Some(n) = self.open.iter().rposition(|open| open.name == name) {
            while self.open.len() > n {
                self.close();
            }
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop().filter(|open| is_block(&open.name)) else { return };
        self.names.truncate(open.known);
        if open.links < self.all.len() {
            self.within.insert(open.at, open.links..self.all.len());
        }
    }

    fn roles(&self, text: &str) -> Vec<(usize, MarkupRole)> {
        // In a single page a link may name it.
        let page = |id| self.page.is_empty().then(|| self.named.get(&("", id))).flatten();
        let target = |n: usize| {
            let to = self.all[n].to;
            self.named.get(&to).or_else(|| page(to.1)).copied()
        };
        // The link of a note leads back to one in the text that leads to it.
        let mut is_of_note = vec![false; self.all.len()];
        let mut is_of_text = is_of_note.clone();
        for n in (0..self.all.len()).filter(|n| self.all[*n].is_in_text) {
            // What leads back stands before the note, or is an arrow; numbers among words refer to
            // each other too.
            let leads_back = |note: &usize| {
                let back = &self.all[*note];
                *note > n && target(*note) == Some(n) && (back.is_arrow || !back.is_in_text)
            };
            if let Some(note) = target(n).filter(leads_back) {
                (is_of_text[n], is_of_note[note]) = (true, true);
            }
        }
        let mut roles = vec![];
        for (n, link) in self.all.iter().enumerate() {
            let leads_to_one = target(n).is_some_and(|to| is_of_note[to] || is_of_text[to]);
            roles.extend(leads_to_one.then_some((link.at, MarkupRole::Sound)));
            if is_of_note[n] {
                roles.extend(self.note_of(n, text, (&is_of_note, &is_of_text)));
            }
        }
        roles
    }

    /// The outermost element around a link of a note that has no other note, no link of the text,
    /// and no words before the note.
    fn note_of(
        &self,
        n: usize,
        text: &str,
        (is_of_note, is_of_text): (&[bool], &[bool]),
    ) -> Option<(usize, MarkupRole)> {
        let is_alone = |at: &&usize| {
            let links = self.within.get(at).cloned().unwrap_or_default();
            // Whatever has more has another note.
            links.len() <= MAX_LINKS
                && links.clone().filter(|n| is_of_note[*n]).count() == 1
                && !links.into_iter().any(|n| is_of_text[n])
        };
        let mut inner = self.all[n].around.first().copied()?;
        let goes_on = |at: &&usize| {
            let own = text[**at..].starts_with("<li") || !has_han(&text[**at..inner]);
            inner = **at;
            own
        };
        let outermost = self.all[n].around.iter().take_while(is_alone).take_while(goes_on).last();
        outermost.map(|at| (*at, MarkupRole::Note))
    }
}

fn is_block(name: &[u8]) -> bool {
    NOTE_BLOCKS.contains(&name)
}
