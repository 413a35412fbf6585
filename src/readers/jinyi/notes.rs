//! Notes of a translator within a translation: numbers with a list of notes below the paragraph or
//! at the end, notes in brackets that say so (（按：…）), and paragraphs under 注释. They explain the
//! translation or its words, so they are no part of what renders the classic.

use std::sync::LazyLock;

use regex::Regex;

use crate::source::Span;
use crate::text::{Line, pattern};

/// What of a line is not translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NoteLine {
    /// The whole line is a note: where its words begin, after a number or a name. The end if it is
    /// only a name.
    pub(super) words: Option<usize>,
    /// Numbers of notes, and notes in brackets, within a line of the translation.
    pub(super) within: Vec<(Span, Within)>,
}

/// What is within a line of the translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// The number of a note that is elsewhere.
    Number,
    /// A note in brackets.
    Note,
}

/// The name over or before notes.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    let name = "(?:[译譯]者?)?(?:注释|注釋|註釋|註解|注解|註|注)|附注|附註|校注|校註";
    pattern(&format!(r"^(?:[【\[［〔]({name})[】\]］〕]\s*[:：]?|({name})\s*(?:[:：]|$))\s*"))
});

/// A number of a note, in each of the ways in which they are written.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let n = "(?:[0-9]+|[〇零一二三四五六七八九十百]+)";
    pattern(&format!(
        r"(?P<round>[①-⑳㉑-㉟㊱-㊿])|〔(?P<angled>{n})〕|\[(?P<square>{n})\]|［(?P<wide>{n})］|（(?P<paren>{n})）|\((?P<narrow>{n})\)|(?P<small>[⁰¹²³⁴-⁹]+)"
    ))
});
const KINDS: [&str; 7] = ["round", "angled", "square", "wide", "paren", "narrow", "small"];

/// The number of an item under a name: `1.`, `一、`.
static ITEM: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[0-9]+|[一二三四五六七八九十]+)\s*[.．、:：]\s*"));

/// What a note in brackets opens with.
static OPENS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[译譯编編][者注註]?者?[按案注註]|[译譯]者?[注註按案]|[按案注註][:：,，]|[按案]語[:：])",
    )
});
const BRACKETS: [(char, char); 6] =
    [('（', '）'), ('(', ')'), ('〔', '〕'), ('[', ']'), ('［', '］'), ('【', '】')];

/// The number at the head of some words: which way of writing it, and its length.
fn numbered(words: &str) -> Option<(usize, usize)> {
    let found = NUMBER.captures(words)?;
    let whole = found.get(0).filter(|m| m.start() == 0)?;
    Some((KINDS.iter().position(|k| found.name(k).is_some())?, whole.end()))
}

/// What of each line is not translation.
pub(super) fn find(text: &str, lines: &[Line]) -> Vec<NoteLine> {
    let words: Vec<&str> = lines.iter().map(|l| &text[l.words.range()]).collect();
    let mut found = vec![NoteLine::default(); lines.len()];
    under_names(&words, &mut found);
    let named = found.iter().any(|n| n.words.is_some());
    let listed = in_lists(&words, &mut found);
    for (n, line) in lines.iter().enumerate() {
        let start = line.words.start();
        match found[n].words {
            Some(at) => found[n].words = Some(start + at),
            None => found[n].within = within(words[n], start, |kind| named || listed[kind]),
        }
    }
    found
}

/// Marks what is under or after a name as notes.
fn under_names(words: &[&str], found: &mut [NoteLine]) {
    let mut n = 0;
    while n < words.len() {
        let Some(name) = NAME.find(words[n]) else {
            n += 1;
            continue;
        };
        found[n].words = Some(name.end());
        let alone = name.end() == words[n].len();
        n += 1;
        let last = if alone { end_of_notes(words, n) } else { n };
        for k in n..last {
            found[k].words = (!words[k].is_empty()).then(|| item(words[k]).unwrap_or(0));
        }
        n = last;
    }
}

/// The length of the number that an item has.
fn item(words: &str) -> Option<usize> {
    numbered(words).map(|(_, n)| n).or_else(|| ITEM.find(words).map(|m| m.end()))
}

/// Where the notes end that begin at line `n`, below a name: numbered ones after the last number,
/// others at the next empty line.
fn end_of_notes(words: &[&str], n: usize) -> usize {
    let goes_on = |l: usize| words[l..].iter().position(|w| !w.is_empty()).map(|k| l + k);
    let Some(first) = goes_on(n) else { return words.len() };
    if item(words[first]).is_none() {
        return words[first..].iter().position(|w| w.is_empty()).map_or(words.len(), |k| first + k);
    }
    let mut end = first + 1;
    while let Some(next) = goes_on(end).filter(|next| item(words[*next]).is_some()) {
        end = next + 1;
    }
    end
}

/// Marks lines that begin with numbers to which numbers within other lines point, for each way of
/// writing them. Says which ways have such lists.
fn in_lists(words: &[&str], found: &mut [NoteLine]) -> [bool; KINDS.len()] {
    let mut pointing = [0usize; KINDS.len()];
    let mut items: [Vec<(usize, usize)>; KINDS.len()] = Default::default();
    for (n, line) in words.iter().enumerate().filter(|(n, _)| found[*n].words.is_none()) {
        let first = numbered(line);
        for number in NUMBER.captures_iter(line).skip(usize::from(first.is_some())) {
            let kind = KINDS.iter().position(|k| number.name(k).is_some());
            pointing[kind.unwrap_or_default()] += 1;
        }
        if let Some((kind, length)) = first {
            items[kind].push((n, length));
        }
    }
    let mut listed = [false; KINDS.len()];
    for (kind, items) in items.iter().enumerate() {
        // Each note has its number in the text.
        listed[kind] = !items.is_empty() && pointing[kind] >= items.len();
        for (n, length) in items.iter().filter(|_| listed[kind]) {
            found[*n].words = Some(*length);
        }
    }
    listed
}

/// Numbers of notes, if there are notes of their kind, and notes in brackets.
fn within(words: &str, start: usize, is_of: impl Fn(usize) -> bool) -> Vec<(Span, Within)> {
    let mut all: Vec<(Span, Within)> = vec![];
    let mut rest = 0;
    for (at, c) in words.char_indices() {
        let Some((_, close)) = BRACKETS.iter().find(|(open, _)| *open == c).filter(|_| at >= rest)
        else {
            continue;
        };
        let inner = at + c.len_utf8();
        if OPENS.is_match(&words[inner..])
            && let Some(end) = closed(&words[inner..], c, *close)
        {
            rest = inner + end;
            all.push((Span::new(start + at, start + rest), Within::Note));
        }
    }
    for number in NUMBER.captures_iter(words) {
        let kind = KINDS.iter().position(|k| number.name(k).is_some());
        let Some(m) = number.get(0).filter(|_| kind.is_some_and(&is_of)) else { continue };
        all.push((Span::new(start + m.start(), start + m.end()), Within::Number));
    }
    all.sort_by_key(|(span, _)| span.start());
    all.dedup_by(|later, before| later.0.start() < before.0.end());
    all
}

/// Most characters of a note in brackets: what is never closed is not looked for in all of a text.
const MAX_NOTE_CHARS: usize = 1000;

/// Where a bracket that is open closes: after its end.
fn closed(words: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 1usize;
    for (at, c) in words.char_indices().take(MAX_NOTE_CHARS) {
        depth += usize::from(c == open);
        depth -= usize::from(c == close);
        if depth == 0 {
            return Some(at + c.len_utf8());
        }
    }
    None
}

/// A text without its notes; `None` if it has none.
pub(super) fn without(text: &str) -> Option<String> {
    let lines = crate::text::lines(text);
    let found = find(text, &lines);
    if found.iter().all(|n| n.words.is_none() && n.within.is_empty()) {
        return None;
    }
    let mut kept = String::with_capacity(text.len());
    for (line, notes) in lines.iter().zip(&found).filter(|(_, n)| n.words.is_none()) {
        let mut at = line.words.start();
        for (span, _) in &notes.within {
            kept.push_str(&text[at..span.start()]);
            at = span.end();
        }
        kept.push_str(&text[at..line.words.end()]);
        kept.push('\n');
    }
    Some(kept)
}
