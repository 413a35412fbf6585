//! Reads 集釋 in printed lines: 經 lines, note lines one place shorter (they were indented), `(案…)`
//! notes in half size, and no mark where a note ends.
//!
//! `鄭注` and `釋曰` open a note; it continues while its lines are full. All lines of the text are
//! classified together ([`decide`]), by the page's own line widths ([`lines`]) and by models of 經
//! and 注 learned from the certain lines of the text itself, so that a character missing from a
//! line, or a note whose last line happens to be full, does not mislead. Inferences have the
//! posterior probability of that decision.

mod decide;
mod lattice;
mod lines;

use std::sync::Arc;

use crate::diag::{Diagnostic, Error};
use crate::model::{Certainty, Document, Evidence, Layer, Meta, NEEDS_REVIEW, Segment};
use crate::source::{Source, Span};
use crate::text::numeral;

use decide::Decision;
use lattice::LineRole;
use lines::{Opener, PrintLine};

/// Looks for short lines among which some open with 鄭注.
pub fn sniff(head: &str) -> u8 {
    if head.contains(['¶', '<']) || head.trim_start_matches('\u{FEFF}').starts_with("# -*-") {
        return 0;
    }
    let all = lines::split(head);
    let full: Vec<&PrintLine> = all.iter().filter(|l| l.width > 0).collect();
    let opened = full.iter().filter(|l| l.opener == Some(Opener::Zheng)).count();
    let short = full.iter().filter(|l| l.width <= 30).count();
    if opened >= 2 && opened * 20 >= full.len() && short * 20 >= full.len() * 19 { 90 } else { 0 }
}

/// Reads. See the [module](self).
///
/// # Errors
/// None of its own.
pub fn read(source: Source) -> Result<Document, Error> {
    let mut document = Document::new(Arc::new(source), "jishi");
    let source = document.source.clone();
    let text = source.text();
    let lines = lines::split(text);
    let decision = decide::decide(text, &lines);
    let mut out = SegmentWriter { text, segments: vec![], diagnostics: vec![] };
    out.lines(&lines, &decision);
    document.segments = out.segments.into();
    document.diagnostics = out.diagnostics.into();
    let heads = lines
        .iter()
        .zip(&decision.roles)
        .filter(|(_, r)| **r == LineRole::Heading)
        .map(|(l, _)| text[l.span.range()].trim());
    title_into(heads, &mut document.meta);
    Ok(document)
}

/// `儀禮集釋卷五宋李如圭撰` names the book and its author; `鄉射禮第五` below it names the chapter.
fn title_into<'a>(heads: impl Iterator<Item = &'a str>, meta: &mut Meta) {
    let numeral = |c: char| "一二三四五六七八九十百".contains(c);
    let mut book = None;
    for head in heads {
        if let Some((name, rest)) = head.split_once('卷') {
            let by = rest.trim_start_matches(numeral).trim();
            book = book.or(Some(name.trim()).filter(|n| !n.is_empty()));
            meta.edition = meta.edition.take().or(Some(by.to_string()).filter(|b| !b.is_empty()));
        } else if meta.chapter.is_none() && !head.is_empty() && head != "欽定四庫全書" {
            let (name, rest) = head.split_once('第').unwrap_or((head, ""));
            let n: String = rest.chars().take_while(|c| numeral(*c)).collect();
            (meta.chapter, meta.number) = (Some(name.to_string()), numeral::parse(&n));
        }
    }
    let parts: Vec<&str> = book.into_iter().chain(meta.chapter.as_deref()).collect();
    if !parts.is_empty() {
        meta.title = parts.join("・");
    }
}

struct SegmentWriter<'a> {
    text: &'a str,
    segments: Vec<Segment>,
    diagnostics: Vec<Diagnostic>,
}

impl SegmentWriter<'_> {
    fn lines(&mut self, lines: &[PrintLine], decision: &Decision) {
        let mut previous: Option<usize> = None;
        for (i, line) in lines.iter().enumerate() {
            let gap = self.segments.last().map_or(0, |s| s.span.end());
            let role = decision.roles[i];
            let opens = previous.is_none_or(|p| decision.roles[p] != role) || decision.opens[i];
            if line.width > 0 {
                self.gap(Span::new(gap, line.span.start()), opens, line);
                self.line(line, role, opens.then(|| decision.evidence(lines, i, previous)));
                if opens && decision.certainties[i] < NEEDS_REVIEW {
                    self.doubt(line, decision.certainties[i]);
                }
                self.broken(line);
                previous = Some(i);
            } else {
                self.push(Layer::Blank, Span::new(gap, line.span.end()), None);
            }
        }
        let end = self.segments.last().map_or(0, |s| s.span.end());
        self.push(Layer::Blank, Span::new(end, self.text.len()), None);
    }

    /// The line end before a line: part of the segment if one continues across it, else blank.
    fn gap(&mut self, span: Span, opens: bool, line: &PrintLine) {
        if span.is_empty() {
            return;
        }
        let goes_on = match self.segments.last() {
            Some(last) if last.layer == Layer::An => line.reopens,
            Some(last) => !opens && last.layer != Layer::Blank && !line.starts_with_note(),
            None => false,
        };
        match self.segments.last_mut() {
            Some(last) if goes_on => last.span = Span::new(last.span.start(), span.end()),
            _ => self.push(Layer::Blank, span, None),
        }
    }

    fn line(&mut self, line: &PrintLine, role: LineRole, mut start: Option<(f64, Vec<Evidence>)>) {
        let mut at = line.span.start();
        if start.is_some() && role == LineRole::Zhu && line.opener == Some(Opener::Zheng) {
            let mark = Span::new(at, at + line.opener_len);
            self.push(Layer::Mark, mark, None);
            at = mark.end();
        }
        for note in &line.notes {
            self.words(role, Span::new(at, note.start()), &mut start);
            self.push(Layer::An, *note, None);
            at = note.end();
        }
        self.words(role, Span::new(at, line.span.end()), &mut start);
    }

    fn words(&mut self, role: LineRole, span: Span, start: &mut Option<(f64, Vec<Evidence>)>) {
        self.push(role.layer(), span, start.take_if(|_| !span.is_empty()));
    }

    /// Adds a span. It extends the previous segment if that has the same layer, unless `start` says
    /// that a run begins here.
    fn push(&mut self, layer: Layer, span: Span, start: Option<(f64, Vec<Evidence>)>) {
        if span.is_empty() {
            return;
        }
        match self.segments.last_mut() {
            Some(last) if last.layer == layer && start.is_none() && layer != Layer::Mark => {
                last.span = Span::new(last.span.start(), span.end());
            }
            _ => self.segments.push(match start {
                Some((p, why)) if !why.is_empty() => {
                    Segment::inferred(layer, span, Certainty::new(p), why)
                }
                _ => Segment::marked(layer, span),
            }),
        }
    }

    fn broken(&mut self, line: &PrintLine) {
        if line.unclosed {
            let d = Diagnostic::warning(
                "note-unclosed",
                line.notes.last().copied(),
                "a half-size note is not closed; it is read up to the end of its line",
            );
            self.diagnostics.push(d.hint("add ) where it ends"));
        }
        if line.stray {
            let d =
                Diagnostic::warning("note-unopened", line.span, "a ) in this line closes nothing");
            self.diagnostics.push(d.hint("add ( where the note begins, or delete it"));
        }
    }

    fn doubt(&mut self, line: &PrintLine, certainty: f64) {
        let message = format!(
            "whether the note ends before this line is not sure (probability {certainty:.2})"
        );
        let hint = "compare another edition; with --with a marked one settles it";
        self.diagnostics
            .push(Diagnostic::warning("note-end-unsure", line.span, message).hint(hint));
    }
}
