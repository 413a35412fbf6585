//! Reads a text by a described shape, line by line.
//!
//! A mark opens a layer; the next mark, the end of the line or paragraph, or a closing mark ends
//! it, as the shape says. A heading ends every layer. Unmarked text has the shape's layer of text.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use super::fit;
use super::goes_on::{self, NoteStretch};
use super::items;
use super::labels;
use super::numbers::{NumberPlace, NumberRole, Numbers};
use crate::corpus::{Shape, ShapeEnd, ShapePlace};
use crate::diag::Diagnostic;
use crate::model::thresholds::{AFTER_UNCLOSED_MARK, RECOGNISED_BY_FORM_ALONE};
use crate::model::{Certainty, Cover, Document, Evidence, EvidenceKind, Layer, Segment};
use crate::source::{Source, Span};
use crate::text::class::{ends_clause, ends_sentence};
use crate::text::{self, Line, pattern};

/// Most bytes of a note between closing marks.
const MAX_NOTE_BYTES: usize = 20_000;
/// Share of the pairs of characters of a line that its commentary repeats, after a blank line.
const MIN_LATE_ECHO: f64 = 0.1;
/// Shortest line that has its own commentary after a blank line, in bytes.
const MIN_ASKED_BYTES: usize = 24;
/// Longest heading, in characters.
const MAX_HEADING_CHARS: usize = 24;

/// Headings of any shape.
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    let n = "[一二三四五六七八九十百〇○廿卅上中下]+";
    pattern(&format!(
        r"^(?:[#●◎■◆◇].{{1,40}}|={{2,}}[^=]+={{2,}}|\S{{0,12}}\s*卷[第之]?{n}(?:[\s\u{{3000}}].{{0,20}})?|\S{{1,12}}第{n}[篇章]?(?:[之]?[上中下])?)$"
    ))
});

/// Reads. See the [module](self).
pub(super) fn read(source: Source, shape: &Shape, reader: &'static str) -> Document {
    let source = Arc::new(source);
    let mut document = Document::new(source.clone(), reader);
    let text = source.text();
    let with_labels = labels::with_labels(shape, text);
    let shape = with_labels.as_ref().unwrap_or(shape);
    let mut writer = ShapeWriter::new(text, shape);
    writer.all();
    let ShapeWriter { cover, counts, numbers, unclosed, stretches, clear, .. } = writer;
    cover.finish_into(&mut document);
    let cuts = goes_on::cuts(text, &clear, &stretches);
    go_on(&mut document, shape.text, &cuts);
    report(&mut document, shape, &counts, &numbers, &unclosed);
    items::set_apart(&mut document);
    document
}

/// How often each kind of mark was found: at the start of a line, and inside one.
pub(super) type MarkCounts = Vec<(usize, usize)>;

/// A layer that a mark has opened.
#[derive(Clone, Copy, Debug)]
struct OpenMark {
    kind: usize,
    /// The next segment is inferred: its mark should have been closed.
    unclosed: bool,
}

/// How far in a line begins, in bytes.
fn indent(line: &Line) -> usize {
    line.words.start() - line.whole.start()
}

pub(super) struct ShapeWriter<'a> {
    text: &'a str,
    shape: &'a Shape,
    lines: Vec<Line>,
    /// The least indentation of a line.
    outermost: usize,
    cover: Cover<'a>,
    open: Option<OpenMark>,
    /// The layer of unmarked text in this line.
    base: Layer,
    begun: bool,
    /// The text has punctuation, so a line without punctuation is a title.
    punctuated: bool,
    /// A single line, whose commentary may follow after a blank line.
    asked: Option<Span>,
    pub(super) counts: MarkCounts,
    /// The kind of the first mark, and which kinds there were since the item began.
    first: Option<usize>,
    seen: Vec<bool>,
    pub(super) numbers: Numbers<'a>,
    pub(super) unclosed: Vec<Span>,
    /// Notes after which text may continue, and text before any note of its line.
    stretches: Vec<NoteStretch>,
    clear: Vec<Span>,
    /// Start of the line, and of the last mark in it.
    line_start: usize,
    last_mark: usize,
}

impl<'a> ShapeWriter<'a> {
    pub(super) fn new(text: &'a str, shape: &'a Shape) -> Self {
        let lines = text::lines(text);
        let with_words = lines.iter().filter(|l| !l.words.is_empty());
        ShapeWriter {
            text,
            shape,
            outermost: with_words.map(indent).min().unwrap_or(0),
            lines,
            cover: Cover::new(text),
            open: None,
            base: shape.text,
            begun: false,
            punctuated: crate::text::is_punctuated(text),
            asked: None,
            counts: vec![(0, 0); shape.marks.len()],
            first: None,
            seen: vec![false; shape.marks.len()],
            numbers: Numbers::of(text, shape),
            unclosed: vec![],
            stretches: vec![],
            clear: vec![],
            line_start: 0,
            last_mark: 0,
        }
    }

    /// Covers the text.
    pub(super) fn all(&mut self) {
        let mut block = 0;
        for n in 0..self.lines.len() {
            let words = self.lines[n].words;
            if words.is_empty() {
                self.end(&[ShapeEnd::Paragraph, ShapeEnd::Line]);
                block = 0;
                continue;
            }
            if self.cover.at() >= words.end() {
                continue;
            }
            self.cover.to(words.start(), Layer::Blank);
            let line = &self.text[words.range()];
            if self.shape.furniture.iter().any(|f| f.is_match(line)) {
                self.cover.to(words.end(), Layer::Furniture);
            } else if self.is_heading(n, line, block) {
                (self.open, self.asked) = (None, None);
                self.seen.fill(false);
                block = 0;
                self.cover.to(words.end(), Layer::Heading);
            } else {
                self.base = self.turn(n, block);
                if self.begins_item(n) {
                    self.open = None;
                    self.seen.fill(false);
                }
                self.line(words);
                self.begun = true;
                block += 1;
            }
        }
    }

    /// The layer of unmarked text in line `n`, line `block` of its block.
    fn turn(&mut self, n: usize, block: usize) -> Layer {
        let turns = self.shape.turns.as_slice();
        if let Some([out, further_in]) = self.shape.indents {
            return if indent(&self.lines[n]) > self.outermost { further_in } else { out };
        }
        if turns.is_empty() {
            return self.shape.text;
        }
        let alone = block == 0 && self.is_last_of_block(n);
        let words = self.lines[n].words;
        // A blank line may be between a line and its commentary.
        let late = alone
            && turns.len() > 1
            && self.asked.is_some_and(|line| fit::echo(self.text, line, words) >= MIN_LATE_ECHO);
        self.asked = Some(words).filter(|w| alone && !late && w.len() >= MIN_ASKED_BYTES);
        turns[if late { 1 } else { block.min(turns.len() - 1) }]
    }

    /// The segments, to check how the text divides.
    pub(super) fn segments(self) -> Vec<crate::model::Segment> {
        self.cover.finish()
    }

    /// Ends the open layer if it ends in one of these ways.
    fn end(&mut self, ways: &[ShapeEnd]) {
        self.open = self.open.filter(|o| !ways.contains(&self.shape.marks[o.kind].ends));
    }

    /// True if the next line is blank, or there is none.
    fn is_last_of_block(&self, n: usize) -> bool {
        self.lines.get(n + 1).is_none_or(|l| l.words.is_empty())
    }

    fn is_heading(&self, n: usize, line: &str, block: usize) -> bool {
        if self.shape.headings.iter().any(|h| h.is_match(line)) {
            return true;
        }
        let short = line.chars().count() <= MAX_HEADING_CHARS
            && !line.chars().any(|c| ends_sentence(c) || ends_clause(c));
        short
            && !self.shape.openings.is_match(line)
            && self.shape.alone_in(line).is_none()
            && (HEADING.is_match(line) || (!self.begun && self.is_title(n, block)))
    }

    /// True if a short line before the text is its title. Without punctuation any line is short.
    fn is_title(&self, n: usize, block: usize) -> bool {
        block == 0 && (self.punctuated || self.is_last_of_block(n))
    }

    /// True if an unmarked line begins an item: the next line opens a section of a kind that the
    /// item has already, or of an earlier one than that which is open; or the first section again
    /// if marks name the text too and this file leaves that out.
    fn begins_item(&self, n: usize) -> bool {
        let Some(open) = self.open.filter(|_| self.shape.items) else { return false };
        let shape = self.shape;
        let kind = |line: &Line| {
            let line = &self.text[line.words.range()];
            let opening = || shape.openings.find(line).filter(|m| m.start() == 0);
            shape.alone_in(line).or_else(|| opening().map(|m| m.pattern().as_usize()))
        };
        let next = self.lines[n + 1..].iter().find(|l| !l.words.is_empty()).and_then(kind);
        let again = match shape.marks.iter().position(|m| m.layer == shape.text) {
            Some(text) => self.counts[text] == (0, 0) && next.is_some() && next == self.first,
            None => next.is_some_and(|kind| kind <= open.kind || self.seen[kind]),
        };
        again && kind(&self.lines[n]).is_none()
    }

    /// One line of text and notes.
    fn line(&mut self, words: Span) {
        let shape = self.shape;
        let end = words.end();
        (self.line_start, self.last_mark) = (words.start(), words.start());
        let from = self.cover.at();
        if let Some(mark) =
            shape.alone_in(&self.text[words.range()]).filter(|_| from <= words.start())
        {
            self.mark(mark, words, true, words.start(), end);
            return self.cover_to(end);
        }
        // Where a mark counts as at the start of the line: only marks are before it.
        let mut start = words.start();
        for found in shape.openings.find_iter(&self.text[from..end]) {
            let span = Span::new(from + found.start(), from + found.end());
            if span.start() < self.cover.at() {
                continue;
            }
            let starts = self.text[start..span.start()].trim().is_empty();
            let kind = found.pattern().as_usize();
            // After the label of a line its words begin, whatever they are.
            let is_label = shape.marks[kind].ends == ShapeEnd::Line && !shape.marks[kind].numbered;
            if self.mark(kind, span, starts, words.start(), end) && starts && !is_label {
                start = self.cover.at();
            }
        }
        if self.cover.at() < end {
            self.cover_to(end);
        }
        self.end(&[ShapeEnd::Line]);
        if self.open.is_some_and(|o| o.unclosed) {
            self.open = None;
        }
    }

    /// Reads a mark of a kind. Returns whether it is a mark here.
    fn mark(&mut self, kind: usize, span: Span, starts: bool, line: usize, end: usize) -> bool {
        let mark = &self.shape.marks[kind];
        if mark.place == ShapePlace::LineStart && !starts {
            return false;
        }
        let mut opens = mark.layer != Layer::Mark;
        if mark.numbered {
            let in_note = self.open.is_some_and(|o| self.shape.marks[o.kind].numbered);
            match self.numbers.role(NumberPlace { span, starts, line, in_note }) {
                NumberRole::Text => return false,
                role => opens = role == NumberRole::Note,
            }
        }
        self.first = self.first.or(Some(kind));
        self.seen[kind] = true;
        let counts = &mut self.counts[kind];
        *(if starts { &mut counts.0 } else { &mut counts.1 }) += 1;
        let before = self.stretches.len();
        self.cover_to(span.start());
        if let Some(stretch) = self.stretches.get_mut(before) {
            stretch.next = Some(kind);
        }
        self.cover.to(span.end(), Layer::Mark);
        self.last_mark = span.start();
        match &mark.ends {
            _ if !opens => {}
            ShapeEnd::Closing(closing) => self.closed(kind, span, closing, end),
            _ => self.open = Some(OpenMark { kind, unclosed: false }),
        }
        true
    }

    /// Reads a note up to its closing mark, which may be in a later line of the paragraph.
    fn closed(&mut self, kind: usize, opening: Span, closing: &str, line_end: usize) {
        let from = opening.end();
        let open = &self.text[opening.range()];
        match self.closing(from, open, closing) {
            Some(at) => {
                self.cover.to(at, self.shape.marks[kind].layer);
                self.cover.to(at + closing.len(), Layer::Mark);
            }
            None => {
                self.unclosed.push(opening);
                if from < line_end {
                    self.open = Some(OpenMark { kind, unclosed: true });
                }
            }
        }
    }

    fn closing(&self, from: usize, open: &str, closing: &str) -> Option<usize> {
        let limit = crate::readers::floor(self.text, from.saturating_add(MAX_NOTE_BYTES));
        let rest = &self.text[from..limit];
        let mut depth = 1;
        let mut at = 0;
        let mut blank = true;
        while let Some(c) = rest[at..].chars().next() {
            let here = &rest[at..];
            if here.starts_with(closing) {
                depth -= 1;
                if depth == 0 {
                    return Some(from + at);
                }
            } else if here.starts_with(open) {
                depth += 1;
            }
            if c == '\n' {
                if blank && at > 0 {
                    return None;
                }
                blank = true;
            } else if !c.is_whitespace() {
                blank = false;
            }
            at += c.len_utf8();
        }
        None
    }

    /// Stores what [`goes_on`] needs to know about the text up to `end`.
    fn keep(&mut self, end: usize) {
        let span = Span::new(self.cover.at(), end);
        match self.open {
            Some(OpenMark { kind, unclosed: false }) if self.shape.marks[kind].goes_on => {
                let before = Span::new(self.line_start, self.last_mark.max(self.line_start));
                self.stretches.push(NoteStretch { span, kind, next: None, before });
            }
            None if self.shape.marks.iter().any(|m| m.goes_on) => self.clear.push(span),
            _ => {}
        }
    }

    /// Covers up to `end` with the layer that is open here.
    fn cover_to(&mut self, end: usize) {
        if end > self.cover.at() {
            self.keep(end);
        }
        match self.open {
            Some(OpenMark { kind, unclosed: true }) => self.cover.inferred(
                end,
                self.shape.marks[kind].layer,
                AFTER_UNCLOSED_MARK,
                Evidence::of(EvidenceKind::BracketUnclosed),
            ),
            Some(open) => self.cover.to(end, self.shape.marks[open.kind].layer),
            None if self.shape.turns.is_empty() && self.shape.indents.is_none() => {
                self.cover.to(end, self.base);
            }
            None => self.cover.inferred(
                end,
                self.base,
                RECOGNISED_BY_FORM_ALONE,
                Evidence::of(EvidenceKind::Layout),
            ),
        }
    }
}

/// Cuts the notes where text continues: before the bytes of `cuts`, each with its certainty.
fn go_on(document: &mut Document, layer: Layer, cuts: &[Option<(usize, f64)>]) {
    let source = document.source.clone();
    let mut cuts = cuts.iter().flatten().peekable();
    for mut s in std::mem::take(&mut document.segments) {
        // If only blanks follow the note, its segment ends before the cut.
        while cuts.next_if(|(at, _)| *at <= s.span.start()).is_some() {}
        let Some((at, certainty)) = cuts.next_if(|(at, _)| s.layer.is_text() && *at < s.span.end())
        else {
            document.segments.push(s);
            continue;
        };
        let (start, end) = (s.span.start(), s.span.end());
        let note = source.slice(Span::new(start, *at)).trim_end().len();
        s.span = Span::new(start, start + note);
        document.segments.push(s);
        if start + note < *at {
            document.segments.push(Segment::marked(Layer::Blank, Span::new(start + note, *at)));
        }
        let why = vec![Evidence::of(EvidenceKind::ReadsAsClassic)];
        let (rest, certainty) = (Span::new(*at, end), Certainty::new(*certainty));
        document.segments.push(Segment::inferred(layer, rest, certainty, why));
    }
}

fn report(
    document: &mut Document,
    shape: &Shape,
    counts: &MarkCounts,
    numbers: &Numbers<'_>,
    unclosed: &[Span],
) {
    let kinds = counts.iter().zip(&shape.marks).filter(|((a, b), _)| a + b > 0);
    let counts: Vec<String> =
        kinds.map(|((a, b), mark)| format!("{} {}", mark.layer.zh(), a + b)).collect();
    let message = match counts.is_empty() {
        true => format!("read by the shape “{}”", shape.name),
        false => format!("read by the shape “{}”; marks: {}", shape.name, counts.join(", ")),
    };
    let out = &mut document.diagnostics;
    out.push(Diagnostic::info("shape", None, message));
    out.extend(
        unclosed.iter().map(|s| crate::readers::unclosed_bracket(*s, "the end of its line")),
    );
    if let Some((n, first)) = numbers.unanswered() {
        let message = match n {
            1 => "no note has this number".to_string(),
            n => format!("no note has this number; {n} numbers are without a note"),
        };
        out.push(Diagnostic::warning("note-missing", first, message));
    }
    if let Some((n, first)) = numbers.unasked() {
        let message = match n {
            1 => "the text has no such number".to_string(),
            n => format!("the text has no such number; {n} notes are without one there"),
        };
        out.push(Diagnostic::warning("note-without-place", first, message));
    }
    if let Some((n, first)) = numbers.repeated() {
        let message = match n {
            1 => "another note has this number, so this line is read as text".to_string(),
            n => format!("another note has this number; {n} such lines are read as text"),
        };
        let hint = "if it is a note, give each note and its place a number of their own";
        out.push(Diagnostic::warning("note-repeated", first, message).hint(hint));
    }
}
