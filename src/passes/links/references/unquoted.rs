//! Quotations and references of a sub-commentary without quotation marks: 言X者, 故雲X,
//! 上文卒射,執弓不挾….

use super::comment::Reader;
use super::cues::{MENTION, POINTER, UNQUOTED};
use super::link::draft;
use super::scan::{CommentToken, TokenKind};
use super::sought::{FoundPlace, SoughtWords};
use super::{flat, notes};
use crate::corpus::view::Stream;
use crate::model::{EvidenceKind, Link, LinkKind, Status};
use crate::source::Span;
use crate::text::class::is_content;

impl Reader<'_> {
    /// Reads text without quotation marks.
    pub fn plain(&mut self, tokens: &[CommentToken], at: usize) -> usize {
        let span = tokens[at].inner;
        let text = self.slice(span);
        let mut taken: Vec<Span> = self.taken.clone();
        notes::bare_titles(self.places, span, self.layer, &taken, &mut self.links);
        if flat::is_flat(text) {
            flat::read(self.places, self.passage, span, self.layer, &mut self.links);
            return at + 1;
        }
        let next_is_quote = tokens.get(at + 1).is_some_and(|t| t.kind == TokenKind::Quote);
        for c in POINTER.captures_iter(text) {
            let whole = c.get_match();
            if next_is_quote && whole.end() == text.len() {
                continue;
            }
            if let Some(link) = self.pointer(&c, span.start()) {
                taken.push(link.span);
                self.links.push(link);
            }
        }
        let mut from = 0;
        while let Some(c) = UNQUOTED.captures_at(text, from) {
            let (cue, x) = (&c["cue"], c.name("x").map_or(0..0, |m| m.range()));
            from = c.name("cue").map_or(text.len(), |m| m.end()).max(from + 1);
            let here = Span::new(span.start() + x.start, span.start() + x.end);
            let _ = cue;
            if taken.iter().any(|t| t.overlap(here) > 0) {
                continue;
            }
            if self.unquoted(&c, span.start()) {
                from = x.end;
            }
        }
        at + 1
    }

    /// Links 言X者 or 故雲X to X in the passage explained. True if it was read.
    fn unquoted(&mut self, c: &regex::Captures<'_>, base: usize) -> bool {
        let Some(x) = c.name("x") else { return false };
        let ends_with_zhe = x.as_str().ends_with('者');
        let words = x.as_str().trim_end_matches(['者', '也', '矣', '耳', '爾', '焉', '之']);
        let quoted = Span::new(base + x.start(), base + x.start() + words.len());
        let key = SoughtWords::of(self.places.document, quoted);
        let pre = c.name("pre").map_or("", |m| m.as_str());
        if key.len() < if ends_with_zhe { 1 } else { 2 }
            || matches!(words, "之" | "此" | "是" | "然")
        {
            return false;
        }
        let start = base + c.get_match().start();
        let span = Span::new(start, base + x.end());
        if pre.ends_with(['不', '無']) {
            if key.len() <= 6 {
                self.links.push(
                    draft(LinkKind::Quotation, span, self.layer)
                        .quoted(quoted)
                        .why(EvidenceKind::SaidNotToStandThere)
                        .link(),
                );
            }
            return true;
        }
        let prefer = pre.contains(['鄭', '注']).then_some(Stream::Notes);
        let found = self.places.in_passage(self.passage, &key, prefer, self.after);
        let Some(found) = found.filter(|f| {
            f.status == Status::Exact || key.len() >= 5 && f.how == EvidenceKind::InPassage
        }) else {
            return false;
        };
        let subject = self.text()[..start].chars().next_back().filter(|c| is_content(*c));
        let found = self.places.beside(found, subject);
        self.links.push(
            draft(LinkKind::Quotation, span, self.layer).quoted(quoted).found(Some(found)).link(),
        );
        true
    }

    /// 上文卒射,執弓不挾…: a reference that roughly quotes the other place.
    fn pointer(&self, c: &regex::Captures<'_>, base: usize) -> Option<Link> {
        let dir = ["dir", "dir2", "dir3"].iter().find_map(|n| c.name(n))?;
        let back = matches!(dir.as_str(), "上" | "前");
        let (cue, x) = (c.name("cue")?, c.name("x")?);
        let first = x.as_str().split([',', '，']).next().unwrap_or("");
        let words = x.as_str().trim_start_matches([',', '，', ':', '：']);
        let start = base + x.start() + (x.as_str().len() - words.len());
        let span = Span::new(base + cue.start(), base + cue.end());
        let mut link =
            draft(LinkKind::Internal, span, self.layer).work(self.places.document.meta.locus());
        if first.is_empty() && words.is_empty()
            || MENTION.is_match(words) && words.chars().count() < 4
        {
            return Some(link.why(EvidenceKind::NoWords).link());
        }
        // Try the first clause, then more and more clauses, and keep the best.
        let mut best: Option<(i64, Span, FoundPlace)> = None;
        for end in clause_ends(words) {
            let quoted = Span::new(start, start + end);
            let w = SoughtWords::of(self.places.document, quoted);
            if w.len() < 3 {
                continue;
            }
            let found = if back {
                self.places.earlier(self.passage.text.start(), &w, w.len() < 6)
            } else {
                self.places.later(self.passage.text.end(), &w, w.len() < 6)
            };
            // A quotation that is found wins over a paraphrase of more words.
            let worth = |f: &FoundPlace| {
                if f.status == Status::Paraphrase { 0 } else { w.len() as i64 - 4 * f.diff as i64 }
            };
            if let Some(f) = found.filter(|f| best.as_ref().is_none_or(|(b, ..)| worth(f) > *b)) {
                best = Some((worth(&f), quoted, f));
            }
        }
        if let Some((_, quoted, found)) = best {
            link = link.quoted(quoted).found(Some(found));
        } else {
            let end =
                clause_ends(words).find(|e| words[..*e].chars().count() > 3).unwrap_or(words.len());
            let quoted = Span::new(start, start + end);
            let at = if back { self.passage.text.start() } else { self.passage.text.end() };
            let retold =
                self.places.retold(at, &SoughtWords::of(self.places.document, quoted), back);
            link = link.quoted(quoted).found(retold);
        }
        Some(link.why(EvidenceKind::NoSuchWords).link())
    }
}

/// Ends of the clauses of `words`, in bytes.
fn clause_ends(words: &str) -> impl Iterator<Item = usize> + '_ {
    words
        .char_indices()
        .filter(|(i, c)| *i > 0 && matches!(c, ',' | '，' | ':' | '：'))
        .map(|(i, _)| i)
        .chain([words.len()])
}
