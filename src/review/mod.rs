//! What a person should decide about a text: the doubtful decisions of the program, each with its
//! alternatives and the evidence, and how an answer becomes a correction.
//!
//! [`questions`] finds them, [`order`] puts the most instructive first, [`answers`] keeps the
//! answers in the file of corrections, [`changes`] finds what an answer changed.

pub mod answers;
mod beads;
pub mod changes;
mod headings;
pub mod order;
mod part;
pub mod questions;
mod quoted;
mod references;

use std::cmp::Ordering;

use self::questions::first_words;
use crate::corrections::anchor::AnchorText;
use crate::model::{Confirmation, EvidenceKind, Layer};
use crate::source::Span;

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum QuestionKind {
    /// Whether and where one layer ends and another begins.
    Cut,
    /// The layer of the first words of a paragraph.
    Layer,
    /// Whether a copy is damaged at a character.
    Reading,
    /// Where words lead that refer to others.
    Link,
    /// What words correspond to in a translation.
    Bead,
    /// Which scholar says some words.
    Speaker,
    /// Whether a line is a heading.
    Heading,
}

impl QuestionKind {
    /// All, with their names.
    pub const ALL: [(&str, QuestionKind); 7] = [
        ("cut", QuestionKind::Cut),
        ("layer", QuestionKind::Layer),
        ("reading", QuestionKind::Reading),
        ("link", QuestionKind::Link),
        ("bead", QuestionKind::Bead),
        ("speaker", QuestionKind::Speaker),
        ("heading", QuestionKind::Heading),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// A doubtful decision.
#[derive(Clone, Debug)]
pub struct Question {
    /// What it is about.
    pub kind: QuestionKind,
    /// The words it is about: for a cut, the first after it.
    pub span: Span,
    /// The passage that a person needs to see.
    pub passage: Span,
    /// The runs of the passage as the program reads it, in order.
    pub runs: Vec<(Span, Layer)>,
    /// What can be answered; the first is what the program has decided.
    pub choices: Vec<Choice>,
    /// The evidence for the program's decision, with weights (as natural log odds), strongest
    /// first.
    pub evidence: Vec<(EvidenceKind, f64)>,
    /// The facts of the evidence, as sentences.
    pub facts: Vec<(String, f64)>,
}

/// A possible answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The decision.
    pub what: Confirmation,
    /// The words it is about.
    pub span: Span,
    /// Its probability.
    pub probability: f64,
}

impl Choice {
    /// What an answer also says of the place that was asked about, if it is a cut elsewhere: that
    /// no border is there.
    pub fn not_at(&self, asked: Span) -> Option<Choice> {
        let Confirmation::Cut(before, after) = self.what else { return None };
        let layer = match self.span.start().cmp(&asked.start()) {
            Ordering::Equal => return None,
            Ordering::Greater => before,
            Ordering::Less => after,
        };
        let what = Confirmation::Cut(layer, layer);
        (before != after).then(|| Choice { what, span: asked, ..self.clone() })
    }
}

impl Question {
    /// How certain the program is.
    pub fn certainty(&self) -> f64 {
        self.choices.first().map_or(0.0, |c| c.probability)
    }

    /// False if a decision of this kind is about something else: about another translation.
    fn may_answer(&self, decision: &Confirmation) -> bool {
        let own = self.choices.first().map(|c| &c.what);
        match (own, decision) {
            (Some(Confirmation::Bead(own, _)), Confirmation::Bead(other, _)) => own == other,
            _ => true,
        }
    }

    /// The layers before and after the border that it is about.
    pub fn sides(&self) -> Option<(Layer, Layer)> {
        self.choices.iter().find_map(|c| match c.what {
            Confirmation::Cut(before, after) if before != after => Some((before, after)),
            _ => None,
        })
    }

    /// The words after a border at a character of the text, if that is inside the passage.
    pub fn words_from(&self, text: &AnchorText<'_>, character: usize) -> Option<Span> {
        let at = *text.key().at.get(character)? as usize;
        let is_inside = self.passage.start() < at && at < self.passage.end();
        if is_inside { first_words(text.text(), at, self.passage.end()) } else { None }
    }

    /// The answer that the border is before these words.
    pub fn with_border(&self, words: Span) -> Option<Choice> {
        let (before, after) = self.sides()?;
        Some(Choice { what: Confirmation::Cut(before, after), span: words, probability: 0.0 })
    }
}
