//! A text from which spans were taken, each piece with its place in the file.

use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::model::{Document, Layer, Segment};
use crate::source::{Source, Span};

/// What was taken out of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aside {
    /// The end of a line inside a passage.
    LineEnd,
    /// Signs that say how the text is to be understood or shown.
    Mark,
    /// What belongs to the page or the file: page numbers, running heads, front matter.
    Furniture,
    /// Text that the markup says is of a layer which readers need not see, such as a translation.
    Text(Layer),
}

impl Aside {
    /// Its layer between two segments.
    fn layer(self) -> Layer {
        match self {
            Aside::LineEnd => Layer::Blank,
            Aside::Mark => Layer::Mark,
            Aside::Furniture => Layer::Furniture,
            Aside::Text(layer) => layer,
        }
    }
}

/// Takes a span out of a text.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    /// What is taken out.
    pub(crate) span: Span,
    /// What it is.
    pub(crate) aside: Aside,
    /// What the reader sees in its place.
    pub(crate) shown: String,
}

impl Edit {
    /// Takes a span out.
    pub(crate) fn without(span: Span, aside: Aside) -> Self {
        Edit { span, aside, shown: String::new() }
    }
}

/// A stretch of a logical text and of the file. The text of both is the same, or the first is what
/// is shown for the second.
#[derive(Clone, Copy, Debug)]
struct TextPiece {
    /// Where it begins in the logical text, and its length there.
    at: usize,
    len: usize,
    /// In the file.
    file: Span,
    /// What it is if it is not the text of the file.
    aside: Option<Aside>,
}

/// The text that readers see. Pieces cover it and the file in order; those of length 0 were taken
/// out.
pub(crate) struct LogicalText {
    text: String,
    pieces: Vec<TextPiece>,
}

impl LogicalText {
    /// All of a file.
    pub(crate) fn of(text: &str) -> Self {
        let file = Span::new(0, text.len());
        LogicalText {
            text: text.to_string(),
            pieces: vec![TextPiece { at: 0, len: text.len(), file, aside: None }],
        }
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// True if nothing was taken out.
    pub(crate) fn is_whole(&self) -> bool {
        self.pieces.iter().all(|p| p.aside.is_none())
    }

    /// The same without further spans of it, which are in order and do not overlap.
    pub(crate) fn without(self, edits: &[Edit]) -> Self {
        let mut made = LogicalText {
            text: String::with_capacity(self.text.len()),
            pieces: Vec::with_capacity(self.pieces.len() + 2 * edits.len()),
        };
        let mut rest = self.pieces.iter().copied().peekable();
        let mut at = 0;
        for edit in edits {
            made.keep(&self.text, &mut rest, at, edit.span.start());
            // What was taken out before, in order; text of a layer stays what it is.
            let mut taken: Vec<(Span, Aside)> = vec![];
            take(&mut rest, edit.span.start(), edit.span.end(), |piece, aside| {
                let is_text = |aside: &Aside| matches!(aside, Aside::Text(_));
                let aside = aside.filter(is_text).unwrap_or(edit.aside);
                match taken.last_mut() {
                    Some((file, last)) if *last == aside && !is_text(&aside) => {
                        *file = Span::new(file.start(), piece.file.end());
                    }
                    _ => taken.push((piece.file, aside)),
                }
            });
            // What is only shown is between two characters of the file.
            let here = made.pieces.last().map_or(0, |p| p.file.end());
            if !taken.iter().any(|(_, aside)| *aside == edit.aside) {
                taken.insert(0, (Span::new(here, here), edit.aside));
            }
            let mut shown = Some(&*edit.shown);
            for (file, aside) in taken {
                let is_own = aside == edit.aside;
                made.push(if is_own { shown.take().unwrap_or("") } else { "" }, file, Some(aside));
            }
            at = edit.span.end();
        }
        made.keep(&self.text, &mut rest, at, self.text.len());
        // What the vessels before had taken out at the end.
        rest.for_each(|p| made.push("", p.file, p.aside));
        made
    }

    /// Adds part of the text before.
    fn keep(
        &mut self,
        text: &str,
        rest: &mut std::iter::Peekable<impl Iterator<Item = TextPiece>>,
        from: usize,
        to: usize,
    ) {
        take(rest, from, to, |piece, aside| {
            self.push(&text[piece.at..piece.at + piece.len], piece.file, aside);
        });
    }

    fn push(&mut self, text: &str, file: Span, aside: Option<Aside>) {
        let at = self.text.len();
        self.text.push_str(text);
        match self.pieces.last_mut() {
            Some(last) if aside.is_none() && last.aside.is_none() => {
                last.len += text.len();
                last.file = Span::new(last.file.start(), file.end());
            }
            _ => self.pieces.push(TextPiece { at, len: text.len(), file, aside }),
        }
    }

    /// Where a stretch that begins at byte `at` begins in the file: after what was taken out there.
    fn start(&self, at: usize) -> usize {
        let n = self.pieces.partition_point(|p| p.at + p.len <= at);
        match self.pieces.get(n) {
            Some(p) if p.aside.is_none() => p.file.start() + (at - p.at),
            Some(p) => p.file.start(),
            None => self.pieces.last().map_or(at, |p| p.file.end()),
        }
    }

    /// Where a stretch that ends at byte `at` ends in the file: before what was taken out there.
    fn end(&self, at: usize) -> usize {
        let n = self.pieces.partition_point(|p| p.at < at);
        match n.checked_sub(1).map(|n| self.pieces[n]) {
            Some(p) if p.aside.is_none() => p.file.start() + (at - p.at).min(p.len),
            Some(p) => p.file.end(),
            None => 0,
        }
    }

    /// A span of the logical text in the file.
    pub(crate) fn span(&self, span: Span) -> Span {
        let start = self.start(span.start());
        Span::new(start, self.end(span.end()).max(start))
    }

    /// A diagnostic of the logical text as one of the file.
    pub(crate) fn remark(&self, d: Diagnostic) -> Diagnostic {
        Diagnostic { span: d.span.map(|s| self.span(s)), ..d }
    }

    /// Makes a document of this text one of the file. What was taken out inside a segment is a mark
    /// of it, what was taken out between two is a segment of its own.
    /// `further` marks are in the file.
    pub(crate) fn put_back(&self, document: &mut Document, file: Source, further: Vec<Span>) {
        let marks = document.marks.iter().map(|m| self.span(*m)).chain(further).collect();
        let mut put = PutBack { pieces: &self.pieces, segments: vec![], marks, at: 0, next: 0 };
        for segment in std::mem::take(&mut document.segments).iter() {
            let span = self.span(segment.span);
            put.asides(span.start());
            put.segment(segment, span);
        }
        put.asides(file.text().len());
        document.segments = put.segments.into();
        document.marks = joined(put.marks).into();
        document.diagnostics =
            document.diagnostics.iter().cloned().map(|d| self.remark(d)).collect();
        document.source = Arc::new(file);
    }
}

/// Gives the parts of pieces between two places of the logical text, and what each is. What was
/// taken out before is given with the text after it.
fn take(
    rest: &mut std::iter::Peekable<impl Iterator<Item = TextPiece>>,
    from: usize,
    to: usize,
    mut give: impl FnMut(TextPiece, Option<Aside>),
) {
    while let Some(&piece) = rest.peek() {
        let (start, end) = (piece.at.max(from), (piece.at + piece.len).min(to));
        let is_done = piece.at + piece.len <= to && (piece.len > 0 || piece.at < to);
        if start < end || piece.len == 0 && piece.at < to {
            let file = match piece.aside {
                // All of it is shown by its first character.
                Some(_) if start > piece.at => Span::new(piece.file.end(), piece.file.end()),
                Some(_) => piece.file,
                None => {
                    let first = piece.file.start() + (start - piece.at);
                    Span::new(first, first + (end - start))
                }
            };
            give(
                TextPiece { at: start, len: end.saturating_sub(start), file, ..piece },
                piece.aside,
            );
        }
        if !is_done {
            return;
        }
        rest.next();
    }
}

/// Spans in order; those that overlap are one.
fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort();
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start() < last.end() => {
                *last = Span::new(last.start(), last.end().max(span.end()))
            }
            _ => joined.push(span),
        }
    }
    joined
}

/// Segments and marks of the file under construction.
struct PutBack<'a> {
    pieces: &'a [TextPiece],
    segments: Vec<Segment>,
    marks: Vec<Span>,
    /// Everything before this byte of the file is covered.
    at: usize,
    /// The first piece that may lie after it.
    next: usize,
}

impl PutBack<'_> {
    /// Covers what was taken out before byte `to`.
    fn asides(&mut self, to: usize) {
        while self.at < to {
            self.skip();
            let piece = self.pieces[self.next];
            let end = piece.file.end().min(to);
            let layer = piece.aside.map_or(Layer::Other, Aside::layer);
            self.cover(layer, end);
        }
    }

    fn cover(&mut self, layer: Layer, end: usize) {
        let span = Span::new(self.at, end);
        self.at = end;
        match self.segments.last_mut() {
            Some(last)
                if last.layer == layer && matches!(layer, Layer::Blank | Layer::Furniture) =>
            {
                last.span = Span::new(last.span.start(), end)
            }
            _ => self.segments.push(Segment::marked(layer, span)),
        }
    }

    /// Covers what is no text up to byte `end`, but for text of a layer that was taken out there.
    fn between(&mut self, layer: Layer, end: usize) {
        while let Some(piece) = self.pieces.get(self.next).filter(|p| p.file.start() < end) {
            if let Some(Aside::Text(own)) = piece.aside.filter(|_| piece.file.end() > self.at) {
                if piece.file.start() > self.at {
                    self.cover(layer, piece.file.start());
                }
                self.segments.push(Segment::marked(own, Span::new(self.at, piece.file.end())));
                self.at = piece.file.end();
            }
            self.next += 1;
        }
        self.next = self.next.saturating_sub(1);
        if self.at < end {
            self.cover(layer, end);
        }
    }

    /// Moves to the piece that has the first byte that is not covered.
    fn skip(&mut self) {
        while self.pieces.get(self.next).is_some_and(|p| p.file.end() <= self.at) {
            self.next += 1;
        }
    }

    fn segment(&mut self, segment: &Segment, span: Span) {
        if span.is_empty() {
            return;
        }
        self.skip();
        if !segment.layer.is_text() {
            return self.between(segment.layer, span.end());
        }
        let within = self.pieces[self.next..].iter().take_while(|p| p.file.start() < span.end());
        let (mut from, mut has_words) = (span.start(), false);
        for piece in within {
            match piece.aside {
                // Text of another layer divides a segment.
                Some(Aside::Text(layer)) => {
                    let before = Span::new(from, piece.file.start().max(from));
                    if has_words {
                        self.segments.push(Segment { span: before, ..segment.clone() });
                    } else if !before.is_empty() {
                        self.segments.push(Segment::marked(Layer::Mark, before));
                    }
                    has_words = false;
                    self.segments.push(Segment::marked(layer, piece.file));
                    from = piece.file.end();
                }
                Some(_) if !piece.file.is_empty() => self.marks.push(piece.file),
                Some(_) => {}
                None => has_words |= piece.file.end() > from,
            }
        }
        let rest = Span::new(from.min(span.end()), span.end());
        if from > span.start() && !has_words && !rest.is_empty() {
            self.segments.push(Segment::marked(Layer::Mark, rest));
        } else if !rest.is_empty() {
            self.segments.push(Segment { span: rest, ..segment.clone() });
        }
        self.at = span.end();
    }
}
