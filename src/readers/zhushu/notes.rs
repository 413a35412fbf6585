//! Brackets: which of them contain notes, and what the notes contain.

use std::sync::LazyLock;

use regex::Regex;

use super::lines::{LinePiece, PieceRole};
use crate::model::Layer;
use crate::source::Span;
use crate::text::{class::is_content, pattern, scrap, sound::is_reading};

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

/// Pinyin that a web page put after characters (`曰(yue)`), in order.
pub fn pinyin(text: &str) -> Vec<Span> {
    let opens = text.match_indices(['(', '（']).map(|(at, _)| at);
    opens.filter_map(|at| Some(Span::new(at, at + scrap(&text[at..])?))).collect()
}

/// Finds the brackets of the text paragraphs and whether they contain notes. A bracket may continue
/// over lines, but not past a sub-commentary, a heading, a blank line before a line of text, or a
/// line whose own brackets match.
pub fn brackets(text: &str, pieces: &[LinePiece], pinyin: &[Span]) -> Brackets {
    let mut found = Brackets::default();
    let mut open: Vec<usize> = Vec::new();
    let mut pairs: Vec<Span> = Vec::new();
    let mut skip = pinyin.iter().peekable();
    for p in pieces {
        let stops = match p.role {
            PieceRole::Text => {
                p.after_blank || (!open.is_empty() && matches_itself(&text[p.span.range()]))
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
        for (i, c) in text[p.span.range()]
            .char_indices()
            .filter(|(_, c)| matches!(c, '(' | '（' | ')' | '）'))
        {
            let at = p.span.start() + i;
            while skip.next_if(|s| s.end() <= at).is_some() {}
            if skip.peek().is_some_and(|s| s.start() <= at) {
                continue;
            }
            match (c, open.pop()) {
                ('(' | '（', last) => open.extend(last.into_iter().chain([at])),
                (_, Some(from)) => pairs.push(Span::new(from, at + c.len_utf8())),
                (_, None) => found.stray.push(Span::new(at, at + c.len_utf8())),
            }
        }
    }
    found.give_up(text, &mut open);
    found.pairs = outermost(pairs);
    found.are_notes = found.hold_notes(text, pieces);
    found
}

fn matches_itself(words: &str) -> bool {
    let mut depth = 0i32;
    let mut any = false;
    for c in words.chars() {
        match c {
            '(' | '（' => (depth, any) = (depth + 1, true),
            ')' | '）' => depth -= 1,
            _ => {}
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
