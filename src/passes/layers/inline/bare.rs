//! Cuts 經 from 注 in a text that has neither marks of its layers nor punctuation.
//!
//! The splitter weighs clauses, and here there are none: any character may begin a layer. So the
//! chain over characters does it, by how the words read and by what the headers of the 疏 name. It
//! finds fewer borders than punctuation would let it find, and says so.

use super::apply::apply;
use super::chain::ChainInput;
use super::reading::{base_models, read};
use super::scene;
use super::stretch::{Stretch, listen};
use crate::diag::Diagnostic;
use crate::model::thresholds::RUNNING_TEXT_NEEDS_REVIEW;
use crate::model::{Document, Layer};
use crate::passes::context::Context;
use crate::passes::evidence::group;
use crate::passes::evidence::paragraph::{HeaderMatch, Hint};
use crate::passes::evidence::scored::Scored;
use crate::text::class::{ends_clause, ends_sentence};
use crate::text::ngram::CharModel;

/// A text with a mark in fewer characters has punctuation.
const CHARS_PER_MARK: usize = 40;
/// Characters a text must have for that to be said.
const MIN_CHARS: usize = 40;
/// The layers.
const STATES: [Layer; 2] = [Layer::Jing, Layer::Zhu];
/// How likely each ends at any of its characters.
const ENDS: [f64; 2] = [0.03, 0.01];
/// How likely a paragraph begins with each, and ends with each.
const FIRST: [f64; 2] = [0.93, 0.07];
const LAST: [f64; 2] = [0.2, 0.8];
/// How far the models are trusted.
const MODEL_TRUST: f64 = 0.3;
/// How much likelier a layer begins where a header says so: not at all, with a misprint, at another
/// place as well, here.
const NAMED: [f64; 4] = [1.0, 3.0, 6.0, 200.0];
/// How much less likely within words that the 疏 quotes together.
const QUOTED: f64 = 0.1;
/// What it counts for a character, as log odds, that a header's stretch holds it, and that the 疏
/// quotes it as of the layer.
const HELD: f64 = 0.6;
const CALLED: f64 = 0.5;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    if !is_bare(document) {
        return;
    }
    let mut stretches: Vec<Stretch> = group::paragraphs(document)
        .into_iter()
        .map(|p| Stretch { segment: p.segment, key: p.key, hints: p.hints, ..Stretch::default() })
        .collect();
    listen(document, context, &mut stretches);
    let base = base_models(document, context, &STATES);
    let cuts = read(&stretches, &base, vec![Vec::new(); stretches.len()], scene_of);
    let unsure = cuts.iter().flatten().filter(|r| r.p < RUNNING_TEXT_NEEDS_REVIEW).count();
    let message = format!(
        "there is no punctuation: 經 and 注 were told apart by how they read and by headers; {unsure} of {} layers begin at a place that is \
         not sure",
        cuts.iter().map(Vec::len).sum::<usize>()
    );
    let hint = "a punctuated copy, or one that marks its notes, given with --with, makes the borders certain";
    document.diagnostics.push(Diagnostic::warning("no-punctuation", None, message).hint(hint));
    apply(document, &stretches, &cuts, &STATES);
}

/// True if the undivided paragraphs, all together, have no punctuation to speak of.
fn is_bare(document: &Document) -> bool {
    let words = document.of_layer(Layer::Undivided).flat_map(|s| document.slice(s.span).chars());
    let (mut all, mut marks) = (0usize, 0usize);
    for c in words {
        all += 1;
        marks += usize::from(ends_sentence(c) || ends_clause(c));
    }
    all >= MIN_CHARS && marks * CHARS_PER_MARK < all
}

fn scene_of(stretch: &Stretch, models: &[CharModel]) -> ChainInput<'static> {
    let n = stretch.key.len();
    let logs = |p: [f64; 2]| p.map(f64::ln).to_vec();
    let vote = |k: usize| stretch.votes.of.get(k).copied().unwrap_or(0.0);
    let said = |k: usize| {
        let mut said = scene::said(vote(k), &STATES);
        let h = &stretch.hints[k];
        for (s, (held, called)) in
            [(h.in_classic, h.quoted_classic), (h.in_note, h.quoted_note)].into_iter().enumerate()
        {
            said[s] += f64::from(u8::from(held)) * HELD + f64::from(u8::from(called)) * CALLED;
        }
        said
    };
    ChainInput {
        len: n,
        trust: MODEL_TRUST,
        scored: models.iter().map(|m| Scored::new(m, &stretch.key.chars)).collect(),
        places: Vec::new(),
        unmarked: (0..=n).map(|k| begins(&stretch.hints[k]).map(f64::ln).to_vec()).collect(),
        leaves: logs(ENDS),
        said: (0..n).map(said).collect(),
        first: logs(FIRST),
        last: logs(LAST),
    }
}

/// How much likelier than elsewhere each layer begins at a place: where its first words stand, or
/// the other's last.
fn begins(hint: &Hint) -> [f64; 2] {
    let named =
        |from: HeaderMatch, to: HeaderMatch| NAMED[from as usize] * NAMED[to as usize].sqrt();
    let quoted = if hint.in_quote { QUOTED } else { 1.0 };
    [
        named(hint.classic_from, hint.note_to) * quoted,
        named(hint.note_from, hint.classic_to) * quoted,
    ]
}
