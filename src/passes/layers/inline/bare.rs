//! Cuts 經 from 注 in a text without marks of layers and without punctuation.
//!
//! The splitter needs clauses, and here there are none: a layer may begin at any character. So the
//! chain over characters is used, with how the text reads and what the headers of the 疏 name as
//! evidence. It finds fewer borders than it would with punctuation, and warns about that.

use super::apply::apply;
use super::chain::ChainInput;
use super::chain_input;
use super::reading::{base_models, read};
use super::stretch::{Stretch, add_votes};
use crate::diag::Diagnostic;
use crate::model::thresholds::RUNNING_TEXT_NEEDS_REVIEW;
use crate::model::{Document, Layer};
use crate::passes::context::Context;
use crate::passes::evidence::canon::{self, CanonFilter};
use crate::passes::evidence::hints::{HeaderMatch, Hint};
use crate::passes::evidence::scored::Scored;
use crate::passes::evidence::{coverage, group};
use crate::text::class::{ends_clause, ends_sentence};
use crate::text::ngram::CharModel;

/// A text has punctuation if it has at least one mark in so many characters.
const CHARS_PER_MARK: usize = 40;
/// A shorter text is not judged.
const MIN_CHARS: usize = 40;
/// The layers.
const STATES: [Layer; 2] = [Layer::Jing, Layer::Zhu];
/// Probability that each layer ends at one of its characters.
const END_PROBABILITY: [f64; 2] = [0.03, 0.01];
/// Probability that a paragraph begins with each layer, and that it ends with each.
const FIRST_PROBABILITY: [f64; 2] = [0.93, 0.07];
const LAST_PROBABILITY: [f64; 2] = [0.2, 0.8];
/// Exponent of the models' probabilities: characters are not independent.
const MODEL_TRUST: f64 = 0.3;
/// How much likelier a layer begins where a header matches; by the value of [`HeaderMatch`].
const HEADER_FACTORS: [f64; 4] = [1.0, 3.0, 6.0, 200.0];
/// Factor for this inside words that the 疏 quotes together.
const QUOTED_FACTOR: f64 = 0.1;
/// Log odds for the layer of a character: if it lies in a header's range of the layer, and if the
/// 疏 quotes it as of the layer.
const IN_HEADER_LOG_ODDS: f64 = 0.6;
const QUOTED_AS_LOG_ODDS: f64 = 0.5;

/// The vote for words that the classics have, and against words that they lack.
const CANON_VOTE: f64 = 0.25;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    if !is_bare(document) {
        return;
    }
    let paragraphs = group::paragraphs(document);
    let filter = context.models.canon();
    let is_canon = coverage::covers(filter, &paragraphs);
    let mut stretches: Vec<Stretch> = paragraphs
        .into_iter()
        .map(|p| Stretch { segment: p.segment, key: p.key, hints: p.hints, ..Stretch::default() })
        .collect();
    add_votes(document, context, &mut stretches);
    let witness = stretches.iter().any(|s| s.votes.witness.is_some());
    if is_canon && !witness {
        stretches.iter_mut().for_each(|s| vote_by_canon(s, filter));
    }
    if !is_canon && !witness && document.headers.is_empty() {
        return leave(document);
    }
    let base = base_models(document, context, &STATES);
    let cuts = read(&stretches, &base, vec![Vec::new(); stretches.len()], chain_input_of);
    let unsure = cuts.iter().flatten().filter(|r| r.certainty < RUNNING_TEXT_NEEDS_REVIEW).count();
    let message = format!(
        "the text has no punctuation: 經 and 注 were separated by how they read and by \
         headers; {unsure} of {} layers begin at an uncertain place",
        cuts.iter().map(Vec::len).sum::<usize>()
    );
    let hint = "give a punctuated copy, or one that marks its notes, with --with";
    document.diagnostics.push(Diagnostic::warning("no-punctuation", None, message).hint(hint));
    apply(document, &stretches, &cuts, &STATES);
}

/// Without anything that shows its layers, an unpunctuated text stays undivided.
fn leave(document: &mut Document) {
    let message = "the text has no punctuation, and nothing shows which words are 經 and which 注: \
                   it is left undivided";
    let hint = "give the plain classic, or a copy that marks its notes, with --with";
    document.diagnostics.push(Diagnostic::warning("left-undivided", None, message).hint(hint));
}

/// Words that the classics have count like those of a witness, but less.
fn vote_by_canon(stretch: &mut Stretch, filter: &CanonFilter) {
    let known = canon::known_characters(filter, &stretch.key.chars);
    stretch.votes.of =
        known.into_iter().map(|k| if k { CANON_VOTE } else { -CANON_VOTE }).collect();
}

/// True if all undivided paragraphs together have almost no punctuation.
fn is_bare(document: &Document) -> bool {
    let words = document.of_layer(Layer::Undivided).flat_map(|s| document.slice(s.span).chars());
    let (mut all, mut marks) = (0usize, 0usize);
    for c in words {
        all += 1;
        marks += usize::from(ends_sentence(c) || ends_clause(c));
    }
    all >= MIN_CHARS && marks * CHARS_PER_MARK < all
}

fn chain_input_of(stretch: &Stretch, models: &[CharModel]) -> ChainInput<'static> {
    let n = stretch.key.len();
    let logs = |probabilities: [f64; 2]| probabilities.map(f64::ln).to_vec();
    let vote = |k: usize| stretch.votes.of.get(k).copied().unwrap_or(0.0);
    let support = |k: usize| {
        let mut support = chain_input::support(vote(k), &STATES);
        let h = &stretch.hints[k];
        for (s, (in_header, quoted_as)) in
            [(h.in_classic, h.quoted_classic), (h.in_note, h.quoted_note)].into_iter().enumerate()
        {
            support[s] += f64::from(u8::from(in_header)) * IN_HEADER_LOG_ODDS
                + f64::from(u8::from(quoted_as)) * QUOTED_AS_LOG_ODDS;
        }
        support
    };
    ChainInput {
        len: n,
        trust: MODEL_TRUST,
        scored: models.iter().map(|m| Scored::new(m, &stretch.key.chars)).collect(),
        places: Vec::new(),
        unmarked: stretch.hints.iter().map(|h| begins(h).map(f64::ln).to_vec()).collect(),
        leaves: logs(END_PROBABILITY),
        support: (0..n).map(support).collect(),
        first: logs(FIRST_PROBABILITY),
        last: logs(LAST_PROBABILITY),
    }
}

/// How much likelier each layer begins at a place than elsewhere: by its first words or the last
/// words of the other layer.
fn begins(hint: &Hint) -> [f64; 2] {
    let named = |from: HeaderMatch, to: HeaderMatch| {
        HEADER_FACTORS[from as usize] * HEADER_FACTORS[to as usize].sqrt()
    };
    let quoted = if hint.in_quote { QUOTED_FACTOR } else { 1.0 };
    [
        named(hint.classic_from, hint.note_to) * quoted,
        named(hint.note_from, hint.classic_to) * quoted,
    ]
}
