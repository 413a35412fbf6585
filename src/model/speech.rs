//! Who speaks in notes and sub-commentary.

use ecow::EcoString;

use super::{Certainty, Document, Evidence, SharedList};
use crate::source::Span;

/// Words within a note or a sub-commentary that it reports of someone: 馬曰“…”.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Speech {
    /// What is said, without the name and the quotation marks. Text of other layers may be in it.
    pub span: Span,
    /// Full name of the person, as the list of persons has it; otherwise as the text names them.
    pub who: EcoString,
    /// How certain it is that they say it.
    pub certainty: Certainty,
    /// Why. The detail of the first is the words that name them.
    pub evidence: SharedList<Evidence>,
}

/// Who speaks at the places of a document.
#[derive(Clone, Copy, Debug)]
pub struct Speeches<'a> {
    pub(super) document: &'a Document,
}

impl<'a> Speeches<'a> {
    /// The innermost speech that has byte `at`.
    pub fn speech_at(&self, at: usize) -> Option<&'a Speech> {
        let all = &self.document.speeches;
        let until = all.partition_point(|s| s.span.start() <= at);
        all[..until].iter().rev().find(|s| at < s.span.end())
    }

    /// Who speaks at byte `at`: the person whose words are reported there, else who wrote the
    /// layer.
    pub fn at(&self, at: usize) -> Option<&'a str> {
        let author = || {
            let segment = &self.document.segments[self.document.segment_at(at)?];
            Some(self.document.author(segment)?.name.as_str())
        };
        self.speech_at(at).map(|s| s.who.as_str()).or_else(author)
    }

    /// Who says all of a stretch of one segment.
    pub fn of(&self, span: Span) -> Option<&'a str> {
        let said = self.document.speeches.iter().rev().find(|s| s.span.contains(span));
        let author = || {
            let segment = &self.document.segments[self.document.segment_at(span.start())?];
            Some(self.document.author(segment)?.name.as_str())
        };
        said.map(|s| s.who.as_str()).or_else(author)
    }

    /// The speeches that begin in a span.
    pub fn within(&self, span: Span) -> &'a [Speech] {
        let all: &'a [Speech] = &self.document.speeches;
        let first = all.partition_point(|s| s.span.start() < span.start());
        let last = all.partition_point(|s| s.span.start() < span.end());
        &all[first..last.max(first)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Commentator, Layer};
    use super::*;

    #[test]
    fn the_innermost_speech_says_who_speaks_and_else_the_layer() {
        let mut document = Document::of_pieces(&[(Layer::Jing, "甲乙"), (Layer::Zhu, "丙丁戊己")]);
        let zheng = Commentator { name: "鄭玄".into(), ..Commentator::default() };
        document.meta.layers.push((Layer::Zhu, zheng));
        let said = |from, to, who: &str| Speech {
            span: Span::new(from, to),
            who: who.into(),
            certainty: Certainty::SURE,
            evidence: SharedList::default(),
        };
        document.speeches = vec![said(9, 18, "馬融"), said(12, 15, "杜子春")].into();
        let who = |at| document.speakers().at(at);
        assert_eq!(
            [who(0), who(6), who(9), who(12)],
            [None, Some("鄭玄"), Some("馬融"), Some("杜子春")]
        );
        assert_eq!([who(15), who(17)], [Some("馬融"); 2]);
        assert_eq!(document.speakers().within(Span::new(10, 18)).len(), 1);
    }
}
