//! Brackets: which of them contain notes, and what the notes contain.

use std::sync::LazyLock;

use regex::Regex;

use super::lines::{LinePiece, PieceRole};
use crate::model::Layer;
use crate::source::Span;
use crate::text::{NOTE, class::is_content, pattern, scrap, sound::is_reading};

/// A commentator named as speaker within a note: 包曰.
static SPEAKER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*[^\s陸陆。，,：:《]{1,3}[曰云][:：]"));

/// The brackets of the text paragraphs.
#[derive(Debug, Default)]
pub struct Brackets {
    /// Outermost pairs: of the opening one and past the closing one.
    pub pairs: Vec<Span>,
    /// Opened and not closed.
    pub unclosed: Vec<Span>,
    /// Closed and not opened.
    pub stray: Vec<Span>,
    /// True if they contain the notes of this text.
    pub are_notes: bool,
}

/// Bytes of the sign with which `words` begin, and whether it opens a bracket: round brackets, or
/// the signs of notes that a page marks.
fn sign(words: &str, are_marked: bool) -> Option<(usize, bool)> {
    if are_marked {
        let is = |sign: &'static str| words.starts_with(sign).then_some(sign.len());
        return is(NOTE.0).map(|n| (n, true)).or_else(|| is(NOTE.1).map(|n| (n, false)));
    }
    let c = words.chars().next().filter(|c| matches!(c, '(' | '（' | ')' | '）'))?;
    Some((c.len_utf8(), matches!(c, '(' | '（')))
}

/// The words of a note within its brackets.
pub fn within(text: &str, pair: Span) -> Span {
    let words = &text[pair.range()];
    let len = |c: Option<char>| c.map_or(0, char::len_utf8);
    let (open, close) = match words.strip_prefix(NOTE.0) {
        Some(_) => (NOTE.0.len(), NOTE.1.len()),
        None => (len(words.chars().next()), len(words.chars().next_back())),
    };
    Span::new(pair.start() + open, pair.end() - close)
}

/// Pinyin that a web page put after characters (`曰(yue)`), in order.
pub fn pinyin(text: &str) -> Vec<Span> {
    let opens = text.match_indices(['(', '（']).map(|(at, _)| at);
    opens.filter_map(|at| Some(Span::new(at, at + scrap(&text[at..])?))).collect()
}

/// Finds the brackets of the text paragraphs and whether they contain notes: those that a page
/// marks, else round brackets.
pub fn brackets(text: &str, pieces: &[LinePiece], pinyin: &[Span]) -> Brackets {
    let marked = text.contains(NOTE.0).then(|| brackets_of(text, pieces, pinyin, true));
    let marked = marked.filter(|found| found.are_notes);
    marked.unwrap_or_else(|| brackets_of(text, pieces, pinyin, false))
}

/// A bracket may continue over lines, but not past a sub-commentary, a heading, a blank line before
/// a line of text, or a line whose own brackets match.
fn brackets_of(text: &str, pieces: &[LinePiece], pinyin: &[Span], are_marked: bool) -> Brackets {
    let mut found = Brackets::default();
    let mut open: Vec<usize> = Vec::new();
    let mut pairs: Vec<Span> = Vec::new();
    let mut skip = pinyin.iter().peekable();
    for p in pieces {
        let words = &text[p.span.range()];
        let stops = match p.role {
            PieceRole::Text => {
                p.after_blank || (!open.is_empty() && matches_itself(words, are_marked))
            }
            PieceRole::Circle => false,
            _ => true,
        };
        if stops {
            found.give_up(text, &mut open);
        }
        if !matches!(p.role, PieceRole::Text | PieceRole::Circle) {
            continue;
        }
        let signs =
            words.char_indices().filter_map(|(i, _)| Some((i, sign(&words[i..], are_marked)?)));
        for (i, (len, opens)) in signs {
            let at = p.span.start() + i;
            while skip.next_if(|s| s.end() <= at).is_some() {}
            if skip.peek().is_some_and(|s| s.start() <= at) {
                continue;
            }
            match (opens, open.pop()) {
                (true, last) => open.extend(last.into_iter().chain([at])),
                (false, Some(from)) => pairs.push(Span::new(from, at + len)),
                (false, None) => found.stray.push(Span::new(at, at + len)),
            }
        }
    }
    found.give_up(text, &mut open);
    found.pairs = outermost(pairs);
    found.are_notes = found.hold_notes(text, pieces);
    found
}

fn matches_itself(words: &str, are_marked: bool) -> bool {
    let mut depth = 0i32;
    let mut any = false;
    for (_, opens) in words.char_indices().filter_map(|(i, _)| sign(&words[i..], are_marked)) {
        match opens {
            true => (depth, any) = (depth + 1, true),
            false => depth -= 1,
        }
        if depth < 0 {
            return false;
        }
    }
    any && depth == 0
}

fn outermost(mut pairs: Vec<Span>) -> Vec<Span> {
    pairs.sort_unstable_by_key(|s| s.start());
    let mut end = 0;
    pairs.retain(|s| {
        let outer = s.start() >= end;
        end = end.max(s.end());
        outer
    });
    pairs
}

impl Brackets {
    fn give_up(&mut self, text: &str, open: &mut Vec<usize>) {
        let len = |at: usize| text[at..].chars().next().map_or(0, char::len_utf8);
        self.unclosed.extend(open.drain(..).map(|at| Span::new(at, at + len(at))));
    }

    /// Notes in brackets are many and long: at least a third of the paragraphs have one, and a
    /// sixth of their characters is in brackets. Occasional remarks of an editor are far below
    /// that.
    fn hold_notes(&self, text: &str, pieces: &[LinePiece]) -> bool {
        let content = |s: Span| text[s.range()].chars().filter(|c| is_content(*c)).count();
        let lines: Vec<Span> =
            pieces.iter().filter(|p| matches!(p.role, PieceRole::Text)).map(|p| p.span).collect();
        let mut with = 0;
        let mut pairs = self.pairs.iter().peekable();
        for line in &lines {
            while pairs.next_if(|s| s.start() < line.start()).is_some() {}
            with += usize::from(pairs.peek().is_some_and(|s| s.start() < line.end()));
        }
        let inside: usize = self.pairs.iter().map(|s| content(*s)).sum();
        let all: usize = lines.iter().map(|s| content(*s)).sum();
        with > 0 && with * 3 >= lines.len() && inside * 6 >= all
    }
}

/// The parts of a note: where each begins, bytes of its ○, and its layer.
pub fn parts(words: &str) -> Vec<(usize, usize, Layer)> {
    let mut parts = vec![];
    let mut cuts: Vec<usize> = words.match_indices(['○', '◯']).map(|(i, _)| i).collect();
    if cuts.first() != Some(&0) {
        cuts.insert(0, 0);
    }
    for (n, &from) in cuts.iter().enumerate() {
        let to = cuts.get(n + 1).copied().unwrap_or(words.len());
        let circle = if words[from..].starts_with(['○', '◯']) { '○'.len_utf8() } else { 0 };
        let piece = &words[from + circle..to];
        let speaks = SPEAKER.is_match(piece) && !is_reading(piece);
        let layer = if circle > 0 && !speaks { Layer::Yin } else { Layer::Zhu };
        parts.push((from, circle, layer));
        if layer == Layer::Zhu {
            let other = crate::readers::commentary_within(piece);
            parts.extend(other.map(|(at, layer)| (from + circle + at, 0, layer)));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commentary_begins_within_a_note_with_the_opening_of_its_row() {
        let jizhuan: Layer = "集傳".parse().unwrap();
        let note = "興也。朱子曰：興者，先言他物。";
        let begins = note.find("朱子").unwrap();
        assert_eq!(parts(note), [(0, 0, Layer::Zhu), (begins, 0, jizhuan)]);
    }
}
