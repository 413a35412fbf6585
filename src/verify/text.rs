//! A text that quotes: taken out of its file, with the place of each quotation in the file.

use std::path::Path;

use super::marks::{MarkKind, Marked, marked};
use crate::diag::Error;
use crate::source::{Position, Source, Span};
use crate::vessels::{Unwrapped, VesselHints, packed};

/// A text whose quotations are to be checked.
pub struct QuotingText {
    /// As its file has it; what was taken out of a packed file.
    source: Source,
    /// Without markup, if it had some.
    unwrapped: Option<(Unwrapped, Source)>,
    pub(super) marked: Vec<Marked>,
}

impl QuotingText {
    /// Plain text or text with markup.
    pub fn of(name: impl AsRef<Path>, text: &str) -> Self {
        Self::new(Source::from_text(name.as_ref(), text))
    }

    /// Words that may be a text: one quotation if nothing in them is in quotation marks or title
    /// marks.
    pub fn of_words(name: impl AsRef<Path>, words: &str) -> Self {
        let text = Self::of(name, words);
        if text.marked.is_empty() { Self::quotation(words) } else { text }
    }

    /// One quotation without marks around it.
    pub fn quotation(text: &str) -> Self {
        let source = Source::from_text("-", text);
        let whole = Span::new(0, text.len());
        let alone = Marked { kind: MarkKind::Quotation, inner: whole, outer: whole, within: None };
        QuotingText { source, unwrapped: None, marked: vec![alone] }
    }

    /// A file: text in any encoding, a web page, Markdown, or what has a text in it (DOCX, ODT …).
    ///
    /// # Errors
    /// When it does not decode or is damaged.
    pub fn of_file(path: &Path, bytes: Vec<u8>) -> Result<Self, Error> {
        let source = match packed::source(path, &bytes)? {
            Some(source) => source,
            None => Source::decode(path, bytes, None)?,
        };
        Ok(Self::new(source))
    }

    fn new(source: Source) -> Self {
        let unwrapped = Unwrapped::of(&source, VesselHints::default());
        let unwrapped = unwrapped.map(|u| {
            let text = u.source(&source);
            (u, text)
        });
        let text = unwrapped.as_ref().map_or(source.text(), |(_, text)| text.text());
        let marked = marked(text);
        QuotingText { source, unwrapped, marked }
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.source.path().display().to_string()
    }

    /// The text without markup.
    pub fn text(&self) -> &str {
        self.unwrapped.as_ref().map_or(self.source.text(), |(_, text)| text.text())
    }

    /// True if [`with_remarks`](Self::with_remarks) gives the file back as it is, but for line
    /// ends: it is in UTF-8 and has no references (`&amp;`), or it is packed and only its text is
    /// given.
    pub fn is_plain(&self) -> bool {
        let plain = |bytes: &[u8]| -> Vec<u8> {
            let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
            bytes.iter().copied().filter(|b| *b != b'\r').collect()
        };
        self.source.container().is_some()
            || plain(&self.source.bytes()) == plain(self.source.text().as_bytes())
    }

    /// The words in quotation marks, in the order of the text.
    pub fn quotations(&self) -> impl Iterator<Item = &str> {
        let quoted = self.marked.iter().filter(|m| m.kind == MarkKind::Quotation);
        quoted.map(|m| &self.text()[m.inner.range()])
    }

    /// Where a span of the text is in its file; in the text itself if the file is packed, since
    /// nobody sees its inside.
    pub fn place(&self, span: Span) -> Position {
        match (&self.unwrapped, self.source.container()) {
            (Some((_, text)), Some(_)) => text.place(span.start()),
            (Some((unwrapped, _)), None) => self.source.place(unwrapped.span(span).start()),
            (None, _) => self.source.place(span.start()),
        }
    }

    /// The text with remarks, each after a span of it: the file itself with them in its markup, or
    /// the text alone if the file is packed.
    pub fn with_remarks<'r>(&self, remarks: impl IntoIterator<Item = (Span, &'r str)>) -> String {
        let own = match (&self.unwrapped, self.source.container()) {
            (Some((_, text)), Some(_)) => text.text(),
            _ => self.source.text(),
        };
        let end = |span: Span| match (&self.unwrapped, self.source.container()) {
            (Some((unwrapped, _)), None) => unwrapped.span(span).end(),
            _ => span.end(),
        };
        let mut places: Vec<_> =
            remarks.into_iter().map(|(span, words)| (end(span), words)).collect();
        places.sort_by_key(|(at, _)| *at);
        let (mut out, mut from) = (String::with_capacity(own.len()), 0);
        for (at, words) in places {
            out.push_str(own.get(from..at).unwrap_or_default());
            out.push_str(words);
            from = at.max(from);
        }
        out.push_str(own.get(from..).unwrap_or_default());
        out
    }
}
