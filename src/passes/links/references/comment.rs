//! Reads a sub-commentary from left to right: quotations, titles, and references to other places in
//! the text.
//!
//! The words before a quotation give its source. 雲“…” after a title belongs to the title; 注雲 or
//! 又雲 just after such a citation continues it; 下文, 上經 and 下記 point into the chapter; all
//! else is looked for in the passage explained.

use super::citation::cited;
use super::cues::{AND, MENTION, NOTE_SAYS, TAIL, TO_QUOTE};
use super::link::draft;
use super::place::PlaceFinder;
use super::scan::{CommentToken, TokenKind, tokens};
use super::sought::SoughtWords;
use crate::corpus::view::{ExplainedText, Stream};
use crate::corpus::works::{Named, Works};
use crate::model::{Evidence, EvidenceKind, Layer, Link, LinkKind};
use crate::source::Span;

/// A citation that the following text may continue.
#[derive(Clone)]
pub struct OpenCitation {
    /// The work and chapter, if known.
    pub named: Option<Named>,
    /// Its title.
    pub work: Option<String>,
    /// Byte where it ends.
    pub end: usize,
    /// Where it was found in this text.
    pub place: Option<usize>,
}

/// Reads one sub-commentary segment.
pub struct Reader<'a> {
    /// Where to look.
    pub places: &'a PlaceFinder<'a>,
    /// The passage it explains.
    pub passage: &'a ExplainedText,
    /// The layer of the segment.
    pub layer: Layer,
    /// Spans that are already links of scopes.
    pub taken: Vec<Span>,
    /// The result.
    pub links: Vec<Link>,
    /// The previous citation.
    pub open: Option<OpenCitation>,
    /// Where the previous quotation was found.
    pub after: Option<usize>,
}

impl<'a> Reader<'a> {
    /// A reader with no links yet.
    pub fn new(
        places: &'a PlaceFinder<'a>,
        passage: &'a ExplainedText,
        layer: Layer,
        taken: Vec<Span>,
    ) -> Self {
        Reader { places, passage, layer, taken, links: vec![], open: None, after: None }
    }

    fn works(&self) -> &'a Works {
        &self.places.index.works
    }

    /// The text of the source.
    pub fn text(&self) -> &'a str {
        self.places.document.source.text()
    }

    /// Reads `span`.
    pub fn read(&mut self, span: Span) {
        let tokens = tokens(self.text(), span);
        let mut i = 0;
        while i < tokens.len() {
            i = match tokens[i].kind {
                TokenKind::Title => self.title(&tokens, i),
                TokenKind::Quote => self.quote(&tokens, i),
                TokenKind::Plain => self.plain(&tokens, i),
            };
        }
    }

    /// The text of a span.
    pub fn slice(&self, s: Span) -> &'a str {
        &self.text()[s.range()]
    }

    /// Reads one title, or several cited together, with the text cited from them.
    fn title(&mut self, tokens: &[CommentToken], at: usize) -> usize {
        let mut group = vec![at];
        let mut next = at + 1;
        while let (Some(a), Some(b)) = (tokens.get(next), tokens.get(next + 1))
            && a.kind == TokenKind::Plain
            && b.kind == TokenKind::Title
            && AND.is_match(self.slice(a.inner))
        {
            group.push(next + 1);
            next += 2;
        }
        let last = tokens[group[group.len() - 1]];
        let plain = tokens.get(next).filter(|t| t.kind == TokenKind::Plain).copied();
        let after = plain.map_or("", |p| self.slice(p.inner));
        let tail = TAIL.find(after).map_or(0, |m| {
            after[..m.end()].trim_end_matches(['雲', '云', '曰', ':', '：', ',', '，', '者']).len()
        });
        let quote =
            tokens.get(next + usize::from(plain.is_some())).filter(|t| t.kind == TokenKind::Quote);
        let quote = quote
            .filter(|_| {
                plain.is_none()
                    || TO_QUOTE.is_match(&after[tail..]) && !NOTE_SAYS.is_match(&after[tail..])
            })
            .copied();
        let said = match (quote, plain) {
            (Some(q), _) => Some((q.inner, true)),
            (None, Some(p)) if !MENTION.is_match(&after[tail..]) && !NOTE_SAYS.is_match(after) => {
                said_after(p.inner, tail, after).map(|s| (s, false))
            }
            _ => self.said_before(tokens, at, &after[tail..]).map(|s| (s, true)),
        };
        self.named_source(tokens, at, after);
        let mut end = last.outer.end();
        for (n, &g) in group.iter().enumerate() {
            let t = tokens[g];
            let extra = if n + 1 == group.len() { tail } else { 0 };
            let span = Span::new(t.outer.start(), t.outer.end() + extra);
            self.cite(t, span, &after[..extra], said);
        }
        if let Some(q) = quote {
            end = q.outer.end();
        }
        if let Some(o) = &mut self.open {
            o.end = end;
        }
        next + usize::from(plain.is_some() && quote.is_some()) + usize::from(quote.is_some())
    }

    /// X者,《國語》文: the sub-commentary names what the note quotes from; the note's sentence
    /// becomes a citation too.
    fn named_source(&mut self, tokens: &[CommentToken], at: usize, after: &str) {
        let before = at.checked_sub(1).map(|i| tokens[i]).filter(|t| t.kind == TokenKind::Plain);
        let Some(head) = before
            .and_then(|b| self.slice(b.inner).trim_end_matches([',', '，']).strip_suffix('者'))
        else {
            return;
        };
        if !(after.starts_with('文') || after.starts_with("之文")) {
            return;
        }
        let start = head
            .rfind(['。', ',', '，', '”', '也'])
            .map_or(0, |i| i + head[i..].chars().next().map_or(0, char::len_utf8));
        let base = before.map_or(0, |b| b.inner.start());
        let words =
            SoughtWords::of(self.places.document, Span::new(base + start, base + head.len()));
        let notes = self.passage.text.start()..self.passage.text.end();
        let Some(hit) = self
            .places
            .view
            .find(Stream::Notes, notes, &words.key.chars, 0)
            .first()
            .copied()
            .filter(|_| words.len() > 1)
        else {
            return;
        };
        let from = self.places.view.notes.at[hit.from] as usize;
        let end = self
            .places
            .document
            .segment_at(from)
            .map_or(from, |i| self.places.document.segments[i].span.end());
        let stop = self.text()[from..end].find('。').map_or(end, |i| from + i);
        let resolved = self
            .works()
            .resolve(self.slice(tokens[at].inner), self.places.document.meta.work.as_deref());
        if let Some(r) = resolved.filter(|_| stop > from) {
            let said = Span::new(from, stop);
            let mut link = cited(self.places, &r, said, Some((said, true)), Layer::Zhu);
            link.evidence.push(Evidence::of(EvidenceKind::NamedBySubcommentary));
            self.links.push(link);
        }
    }

    /// 立於序端,文出於《大射》也: the cited text is before the title.
    fn said_before(&self, tokens: &[CommentToken], at: usize, after: &str) -> Option<Span> {
        let before = tokens.get(at.checked_sub(1)?).filter(|t| t.kind == TokenKind::Plain)?;
        let words = self.slice(before.inner);
        let head = words
            .strip_suffix("文出於")
            .or_else(|| words.strip_suffix("文出"))?
            .trim_end_matches([',', '，']);
        let start = head
            .rfind(['。', ',', '，'])
            .map_or(0, |i| i + head[i..].chars().next().map_or(0, char::len_utf8));
        (after.starts_with('也') && start < head.len())
            .then(|| Span::new(before.inner.start() + start, before.inner.start() + head.len()))
    }

    fn cite(&mut self, token: CommentToken, span: Span, tail: &str, said: Option<(Span, bool)>) {
        let document = self.places.document;
        let name = format!("{}{tail}", self.slice(token.inner));
        let home = document.meta.work.as_deref();
        let works = self.works();
        let Some(resolved) =
            works.resolve(&name, home).or_else(|| works.resolve(self.slice(token.inner), home))
        else {
            if !works.is_rite(self.slice(token.inner)) {
                let work = Some(self.slice(token.inner).to_string());
                self.links.push(
                    draft(LinkKind::Citation, span, self.layer)
                        .work(work)
                        .why(EvidenceKind::TitleNotInAuthorityFile)
                        .link(),
                );
            }
            return;
        };
        let link = cited(self.places, &resolved, span, said, self.layer);
        self.open = Some(OpenCitation {
            named: Some(resolved.named),
            work: link.work.clone(),
            end: span.end(),
            place: None,
        });
        self.links.push(link);
    }
}

/// The text after a title up to the end of the sentence.
fn said_after(plain: Span, tail: usize, after: &str) -> Option<Span> {
    let rest = &after[tail..];
    let skip =
        rest.len() - rest.trim_start_matches(['雲', '云', '曰', ':', '：', ',', '，', '者']).len();
    let end = rest[skip..].find(['。', '\n', '○']).unwrap_or(rest.len() - skip);
    (end > 0).then(|| Span::new(plain.start() + tail + skip, plain.start() + tail + skip + end))
}
