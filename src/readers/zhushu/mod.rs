//! 注疏 texts as they circulate: a paragraph that begins with `[疏]` is sub-commentary; every other
//! one is classic and commentary, which some copies separate by brackets and others do not
//! separate.
//!
//! A paragraph is a line, with or without blank lines between paragraphs. The reader knows:
//!
//! * notes in round brackets, with the readings of 陸德明 after a ○ in them;
//! * readings on separate lines that begin with ○, between the text and its sub-commentary;
//! * sub-commentary that continues in further lines, most of which begin with ○, and text that runs
//!   on in them ([`run_on`]);
//! * headings (`●卷一`, `◎天官冢宰第一`), repeated titles, and pinyin that a page put after
//!   characters.
//!
//! Whether brackets hold the notes is decided for the whole text ([`notes`]), since a stray bracket
//! in an undivided text must not turn its commentary into classic; the decision is reported.
//! Undivided text is left to the pass `split`, the text before 釋曰 or 正義曰 to the pass `headers`.

mod lines;
mod notes;
mod run_on;

use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::diag::{Diagnostic, Error};
use crate::model::thresholds::{AFTER_UNCLOSED_MARK, RECOGNISED_BY_FORM};
use crate::model::{Cover, Document, Evidence, EvidenceKind, Layer, Meta};
use crate::source::{Source, Span};
use crate::text::{numeral, pattern, sound};
use lines::{LinePiece, PieceRole};
use notes::Brackets;

/// How much the text looks like this format.
/// A 注疏 has a mark, or a line that opens with 疏 or its formula, in at most so many lines.
const MAX_LINES_PER_MARK: usize = 60;
/// The same if only formulas such as 釋曰 open lines: people speak so in a dispute too.
const MAX_LINES_PER_FORMULA: usize = 8;

pub fn sniff(text: &str) -> u8 {
    let start = super::start(text);
    if start.starts_with("# -*-") || start.starts_with('<') || start.starts_with("{{") {
        return 0;
    }
    // A word at the beginning of a few lines of a long text is only a word.
    let (marks, words) = lines::marked(text);
    let all = text.lines().filter(|l| !l.trim().is_empty()).count();
    if (marks + words) * MAX_LINES_PER_MARK < all {
        return 0;
    }
    match (marks, words) {
        (0, 0..=1) => 0,
        (0, words) if words * MAX_LINES_PER_FORMULA < all => 0,
        (0, _) => 80,
        (1, 0) => 60,
        _ => 90,
    }
}

/// Reads. See the [module](self).
///
/// # Errors
/// None of its own: odd brackets become diagnostics.
pub fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let mut document = Document::new(source.clone(), "zhushu");
    let text = source.text();
    let (pieces, run_on) = run_on::cut(text, lines::pieces(text));
    let pinyin = notes::pinyin(text);
    let brackets = notes::brackets(text, &pieces, &pinyin);
    let circles_read = circles_are_readings(text, &pieces);
    let mut writer = PieceWriter {
        text,
        cover: Cover::new(text),
        pinyin: &pinyin,
        brackets: &brackets,
        pair: 0,
        unclosed: 0,
        circles_read,
    };
    (0..pieces.len()).for_each(|n| writer.piece(&pieces, n));
    writer.cover.finish_into(&mut document);
    titles(text, &pieces, &mut document.meta);
    report(&mut document, &pieces, &brackets, &pinyin);
    document.diagnostics.extend(run_on.into_iter().map(|at| runs_on(text, at)));
    Ok(document)
}

/// True if most lines that open with ○ outside sub-commentary read like glosses of sound.
fn circles_are_readings(text: &str, pieces: &[LinePiece]) -> bool {
    let circles: Vec<bool> = pieces
        .iter()
        .filter(|p| p.role == PieceRole::Circle)
        .map(|p| sound::is_reading(&text[p.span.range()]))
        .collect();
    circles.iter().filter(|r| **r).count() * 2 >= circles.len()
}

struct PieceWriter<'a> {
    text: &'a str,
    cover: Cover<'a>,
    pinyin: &'a [Span],
    brackets: &'a Brackets,
    /// Index of the next pair.
    pair: usize,
    /// Index of the next unclosed bracket.
    unclosed: usize,
    circles_read: bool,
}

impl PieceWriter<'_> {
    fn piece(&mut self, pieces: &[LinePiece], n: usize) {
        let p = &pieces[n];
        let (start, end) = (p.span.start(), p.span.end());
        if end <= self.cover.at() {
            return;
        }
        self.cover.to(start, Layer::Blank);
        match p.role {
            PieceRole::Blank => self.cover.to(end, Layer::Blank),
            PieceRole::Heading => self.words(
                end,
                Layer::Heading,
                p.why.map(|w| (RECOGNISED_BY_FORM, Evidence::of(w.clone()))),
            ),
            PieceRole::Layer(layer) => {
                // The ○ of a further line of sub-commentary is part of it; other marks only
                // separate layers.
                if layer != Layer::Shu || !self.text[start..].starts_with(['○', '◯', '〇']) {
                    self.cover.to(start + p.mark, Layer::Mark);
                }
                self.words(
                    end,
                    layer,
                    p.why.map(|w| (RECOGNISED_BY_FORM, Evidence::of(w.clone()))),
                );
            }
            PieceRole::Text if p.mark > 0 => {
                self.cover.to(start + p.mark, Layer::Mark);
                if self.brackets.are_notes { self.bracketed(p) } else { self.undivided(end) }
            }
            PieceRole::Text | PieceRole::Circle
                if self.brackets.are_notes && !self.is_loose_circle(p) =>
            {
                self.bracketed(p)
            }
            PieceRole::Text => self.undivided(end),
            PieceRole::Circle
                if self.circles_read || sound::is_reading(&self.text[p.span.range()]) =>
            {
                self.cover.to(start + p.mark, Layer::Mark);
                self.readings(end, pieces.get(n + 1));
            }
            PieceRole::Circle => {
                self.cover.to(start + p.mark, Layer::Mark);
                self.undivided(end);
            }
        }
    }

    /// Reads a ○ line outside brackets, in a text whose notes are in brackets.
    fn is_loose_circle(&self, p: &LinePiece) -> bool {
        let begun = self.cover.at() > p.span.start();
        p.role == PieceRole::Circle
            && !begun
            && self.brackets.pairs[self.pair..].first().is_none_or(|s| p.span.start() < s.start())
    }

    /// Covers up to `end`; pinyin becomes marks inside.
    fn words(&mut self, end: usize, layer: Layer, why: Option<(f64, Evidence)>) {
        let behind = self.pinyin.partition_point(|s| s.start() < self.cover.at());
        let noise: Vec<Span> =
            self.pinyin[behind..].iter().copied().take_while(|s| s.end() <= end).collect();
        let first = noise.first().map_or(end, |n| n.start());
        let begun = self.cover.at() < first;
        match why {
            Some((certainty, evidence)) => self.cover.inferred(first, layer, certainty, evidence),
            None => self.cover.to(first, layer),
        }
        for (n, scrap) in noise.iter().enumerate() {
            let next = noise.get(n + 1).map_or(end, |n| n.start());
            if begun {
                self.cover.go_on(scrap.end(), next);
            } else {
                self.cover.to(scrap.end(), Layer::Furniture);
                self.cover.to(next, layer);
            }
        }
    }

    /// Reads readings up to `end`. If more readings follow directly, or a header that names the
    /// last words of this line, a paragraph continues after them.
    ///
    /// If nothing separates 經 from 注, the splitter also decides where the readings end.
    fn readings(&mut self, end: usize, next: Option<&LinePiece>) {
        if !self.brackets.are_notes {
            return self.undivided(end);
        }
        let start = self.cover.at();
        let cut = start + sound::end(&self.text[start..end]);
        let rest = &self.text[cut..end];
        let run_on =
            cut > start && sound::can_be_text(rest) && next.is_some_and(|n| self.treats(n, rest));
        if run_on {
            self.words(cut, Layer::Yin, None);
            self.words(
                end,
                Layer::Jing,
                Some((RECOGNISED_BY_FORM, Evidence::of(EvidenceKind::RunsOnAfterReadings))),
            );
        } else {
            self.words(end, Layer::Yin, None);
        }
    }

    /// True if a piece is about `words`: readings of them, or sub-commentary whose header names
    /// them.
    fn treats(&self, next: &LinePiece, words: &str) -> bool {
        match next.role {
            PieceRole::Circle => true,
            PieceRole::Layer(Layer::Shu) => {
                let header = &self.text[next.span.start() + next.mark..next.span.end()];
                run_on::named(header).is_some_and(|(from, to)| words.contains(to.unwrap_or(from)))
            }
            _ => false,
        }
    }

    /// Reads a paragraph in which nothing separates 經 from 注, cut at a ○ before readings.
    fn undivided(&mut self, end: usize) {
        while let Some(from) = sound::inside(&self.text[self.cover.at()..end]) {
            let start = self.cover.at();
            self.words(start + from, Layer::Undivided, None);
            self.cover.to(start + from + '○'.len_utf8(), Layer::Mark);
        }
        self.words(end, Layer::Undivided, None);
    }

    /// Reads a paragraph whose notes are in brackets; the last may end in a later line.
    fn bracketed(&mut self, p: &LinePiece) {
        let end = p.span.end();
        while let Some(pair) =
            self.brackets.pairs.get(self.pair).copied().filter(|s| s.start() < end)
        {
            self.pair += 1;
            self.classic(pair.start());
            self.note(pair);
        }
        self.classic(end);
    }

    /// Reads classic up to `end`, or after an unclosed bracket a note: where the classic continues
    /// in it is unknown.
    fn classic(&mut self, end: usize) {
        let unclosed = self.brackets.unclosed.get(self.unclosed..).unwrap_or_default();
        let behind = unclosed.iter().take_while(|s| s.end() <= self.cover.at()).count();
        self.unclosed += behind;
        if let Some(open) = unclosed.get(behind).copied().filter(|s| s.start() < end) {
            self.unclosed += 1;
            self.words(open.start(), Layer::Jing, None);
            self.cover.to(open.end(), Layer::Mark);
            self.words(
                end,
                Layer::Zhu,
                Some((AFTER_UNCLOSED_MARK, Evidence::of(EvidenceKind::BracketUnclosed))),
            );
        }
        self.words(end, Layer::Jing, None);
    }

    fn note(&mut self, pair: Span) {
        let inner = notes::within(self.text, pair);
        self.cover.to(inner.start(), Layer::Mark);
        let parts = notes::parts(&self.text[inner.range()]);
        for (n, (from, circle, layer)) in parts.iter().enumerate() {
            let to = parts.get(n + 1).map_or(inner.end(), |(next, ..)| inner.start() + next);
            let opens = inner.start() + from;
            self.cover.to(opens, Layer::Blank);
            self.cover.to(opens + circle, Layer::Mark);
            self.words(to, *layer, None);
        }
        self.cover.to(pair.end(), Layer::Mark);
    }
}

/// Says where text was found in the lines of a sub-commentary.
fn runs_on(text: &str, at: usize) -> Diagnostic {
    let first = text[at..].chars().next().map_or(0, char::len_utf8);
    Diagnostic::warning(
        "text-in-commentary",
        Span::new(at, at + first),
        "the text that the next header names begins in the sub-commentary before it",
    )
    .hint("a line break is probably lost here: compare another copy")
}

/// Chapter and number from the headings: 射義第四十六.
fn titles(text: &str, pieces: &[LinePiece], meta: &mut Meta) {
    static TITLE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?:^|卷[一二三四五六七八九十百]+)\s*(?P<name>[^\s●◎卷第]{1,10})第(?P<n>[一二三四五六七八九十百]+)",
        )
    });
    for p in pieces.iter().filter(|p| p.role == PieceRole::Heading) {
        let words =
            text[p.span.range()].trim_start_matches(['●', '◎', '○', '#', '=', ' ', '\u{3000}']);
        let Some(c) = words.split_whitespace().rev().find_map(|w| TITLE.captures(w)) else {
            continue;
        };
        (meta.chapter, meta.number) = (Some(c["name"].to_string()), numeral::parse(&c["n"]));
        meta.title = format!("{}第{}", &c["name"], &c["n"]);
        return;
    }
}

fn report(document: &mut Document, pieces: &[LinePiece], brackets: &Brackets, pinyin: &[Span]) {
    let out = &mut document.diagnostics;
    let texts = pieces.iter().filter(|p| p.role == PieceRole::Text).count();
    if brackets.are_notes {
        let message =
            format!("the notes are in brackets ({} in {texts} paragraphs)", brackets.pairs.len());
        out.push(Diagnostic::info("notes-in-brackets", None, message));
        let unclosed = |s: &Span| super::unclosed_bracket(*s, "the end of its line");
        out.extend(brackets.unclosed.iter().map(unclosed));
        out.extend(brackets.stray.iter().map(|s| super::stray_bracket(*s)));
    } else if texts > 0 {
        out.push(Diagnostic::info(
            "notes-undivided",
            None,
            format!("nothing separates 經 from 注 in {texts} paragraphs"),
        ));
        if let Some(first) = brackets.pairs.first() {
            let message = format!(
                "{} brackets are read as text: too few contain notes",
                brackets.pairs.len()
            );
            out.push(Diagnostic::info("brackets-not-notes", *first, message));
        }
    }
    if let Some(first) = pinyin.first() {
        out.push(Diagnostic::info(
            "pinyin",
            *first,
            format!("pinyin in brackets is ignored in {} places", pinyin.len()),
        ));
    }
}
