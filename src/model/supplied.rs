//! Punctuation that a source does not have, beside its text.

use ecow::EcoString;
use serde::{Deserialize, Serialize};

use super::{Certainty, Evidence};
use crate::source::Span;
use crate::text::class::{ends_sentence, opens};

/// Where marks come from that a text does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkSource {
    /// There are none.
    #[default]
    None,
    /// A punctuated copy of the same chapter in the corpus, where the words agree.
    Copies,
    /// The same, and where no copy has any, a network that has read punctuated texts.
    Network,
}

/// Marks at one place of a text that has none there. They are never part of the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuppliedMark {
    /// The byte of the text before which they stand.
    pub at: usize,
    /// The marks: `，`, `。”`.
    pub words: EcoString,
    /// How certain it is that just these belong here.
    pub certainty: Certainty,
    /// A copy of the text that has them, or what expects them.
    pub evidence: Evidence,
}

impl SuppliedMark {
    /// True for marks that belong to the character after them.
    pub fn opens(&self) -> bool {
        self.words.chars().all(opens)
    }

    /// True if a sentence ends before it.
    pub fn ends_sentence(&self) -> bool {
        self.words.chars().any(ends_sentence)
    }

    /// True if it belongs to the words of a span, and not to those before or after it.
    pub fn is_in(&self, span: Span) -> bool {
        match self.opens() {
            true => span.start() <= self.at && self.at < span.end(),
            false => span.start() < self.at && self.at <= span.end(),
        }
    }

    /// Those of `all`, in order, that belong to the words of a span.
    pub fn within(all: &[SuppliedMark], span: Span) -> impl Iterator<Item = &SuppliedMark> {
        let first = all.partition_point(|m| m.at < span.start());
        let near = all[first..].iter().take_while(move |m| m.at <= span.end());
        near.filter(move |m| m.is_in(span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EvidenceKind;

    #[test]
    fn marks_belong_to_the_words_before_or_after_them() {
        let mark = |at, words: &str| SuppliedMark {
            at,
            words: words.into(),
            certainty: Certainty::new(0.5),
            evidence: Evidence::of(EvidenceKind::Network),
        };
        // 曰：“坐。”降。
        let all = [mark(3, "："), mark(3, "“"), mark(6, "。”"), mark(9, "。")];
        let within = |from, to| -> Vec<&str> {
            SuppliedMark::within(&all, Span::new(from, to)).map(|m| m.words.as_str()).collect()
        };
        assert_eq!(within(0, 3), ["："]);
        assert_eq!(within(3, 6), ["“", "。”"]);
        assert_eq!(within(6, 9), ["。"]);
        assert_eq!(all.iter().filter(|m| m.ends_sentence()).count(), 2);
    }
}
