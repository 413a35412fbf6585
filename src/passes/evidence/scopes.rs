//! Scopes: 自此盡“X”，論… states that a section runs from here to X, and what it is about.
//!
//! X is searched only from here on, since the same words often close earlier sections. If it occurs
//! more than once, the place just before the next scope is taken, else the first that ends a
//! segment or a sentence.

use std::sync::LazyLock;

use regex::Regex;

use crate::corpus::{Stream, View};
use crate::model::{Document, Era, Layer};
use crate::source::Span;
use crate::text::class::ends_sentence;
use crate::text::find::Hit;
use crate::text::{Key, PackedKey};

static SCOPE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?:自|從|从)此(?:以下|已下|下)?[“「『‘]?(?:盡|尽|至)[“「『‘]?",
        r"(?P<end>[^“”「」『』‘’,，。:：、;；\s○]{1,24}?)",
        r"(?:[”」』’]|[,，。]|(?P<bare>論|皆|總論))",
        r"[,，]?(?:皆|總|又|此)*(?:(?:論|明|言)(?P<title>[^。,，;；○]{1,40}))?"
    ))
    .expect("a valid pattern")
});

/// Endings of a title that mean only “section”.
const ENDINGS: &[&str] = &["之事", "之節", "之儀", "之法", "之意", "之禮", "事", "節"];

/// The end of a section is searched within this many bytes from its start; even the longest
/// chapters are shorter.
const MAX_SCOPE_BYTES: usize = 1 << 18;

/// A scope as the text states it.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The statement, from 自此 to the words of the end.
    pub span: Span,
    /// The last words of the section.
    pub words: Span,
    /// What the section is about.
    pub title: Option<Span>,
    /// Where the section begins: the first byte of the text that is explained here.
    pub start: usize,
    /// Where its end was found.
    pub end: Option<Span>,
}

/// All scopes of a document, in order, with their ends where they are found.
pub fn scopes(document: &Document, view: &View) -> Vec<Scope> {
    let mut found: Vec<Scope> = Vec::new();
    let states = |l: Layer| l == Layer::Shu || l.era() == Some(Era::Late);
    for s in document.segments.iter().filter(|s| states(s.layer)) {
        found.extend(stated(document, view, s.span, s.layer));
    }
    let starts: Vec<usize> = found.iter().map(|s| s.start).collect();
    for (n, scope) in found.iter_mut().enumerate() {
        let next = starts[n + 1..].iter().copied().find(|&s| s > scope.start);
        scope.end = end(document, view, scope, next);
    }
    found
}

fn stated(document: &Document, view: &View, span: Span, layer: Layer) -> Vec<Scope> {
    let text = document.slice(span);
    let at = |m: regex::Match<'_>| Span::new(span.start() + m.start(), span.start() + m.end());
    let mut out = Vec::new();
    for c in SCOPE.captures_iter(text) {
        let (Some(words), Some(start)) = (c.name("end").map(at), section_start(view, span, layer))
        else {
            continue;
        };
        let whole = at(c.get_match());
        let close = document.source.text()[words.end()..]
            .chars()
            .next()
            .filter(|c| crate::text::class::closes(*c));
        let stated = Span::new(whole.start(), words.end() + close.map_or(0, char::len_utf8));
        let title = c.name("title").map(at).map(|t| trimmed(document, t)).filter(|t| !t.is_empty());
        // In an unpunctuated text, 論 after the last words opens the title.
        out.push(Scope { span: stated, words, title, start, end: None });
    }
    out
}

fn trimmed(document: &Document, title: Span) -> Span {
    let words = document.slice(title).trim_end();
    let short = ENDINGS.iter().find_map(|e| words.strip_suffix(e)).unwrap_or(words);
    let short = if short.is_empty() { words } else { short };
    Span::new(title.start(), title.start() + short.len())
}

/// A sub-commentary explains the text before it, a note the classic it follows.
fn section_start(view: &View, span: Span, layer: Layer) -> Option<usize> {
    if layer == Layer::Shu {
        return view.passage_at(span.start()).map(|p| p.text.start());
    }
    let i = view.base.index_at(span.start());
    let mut i = i.checked_sub(1)?;
    // Go back over adjacent characters of the classic.
    while i > 0 && view.base.at(i) - view.base.end(i - 1) < 12 {
        i -= 1;
    }
    Some(view.base.at(i))
}

fn end(document: &Document, view: &View, scope: &Scope, next: Option<usize>) -> Option<Span> {
    let words = Key::of(document.source.text(), scope.words).chars;
    // The search is bounded, so that its time grows only linearly with the number of scopes.
    let from = scope.start..(scope.start + MAX_SCOPE_BYTES).min(document.source.text().len());
    let mut hits = view.find(Stream::Base, from.clone(), &words, 0);
    if hits.is_empty() && words.len() >= 4 {
        hits = view.find(Stream::Base, from, &words, 1);
    }
    let before_next = |h: &&Hit| next.is_some_and(|n| view.base.index_at(n) == h.to);
    let hit = hits
        .iter()
        .find(before_next)
        .or_else(|| hits.iter().find(|h| closes_stretch(document, &view.base, h)))
        .or(hits.first())?;
    Some(view.base.span(hit.from, hit.to))
}

/// True if the hit ends its segment or a sentence of it.
fn closes_stretch(document: &Document, key: &PackedKey, hit: &Hit) -> bool {
    let end = key.end(hit.to - 1);
    let Some(next) = key.get(hit.to) else { return true };
    let between = &document.source.text()[end..next];
    between.chars().any(ends_sentence) || document.segment_at(end - 1) != document.segment_at(next)
}
