//! Gathers the evidence on a document before the splitter reads it.

use std::sync::Arc;

use super::common::CommonCharacters;
use super::joints::{self, Joints};
use super::model::Guide;
use super::preface;
use super::reading::Material;
use super::tails;
use crate::model::{Document, Layer};
use crate::passes::context::Context;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::LABELS;
use crate::passes::evidence::{coverage, group, known, models, neighbours, translation, witness};
use crate::text::ngram::CharModel;

/// A text is kin to those the models have learned from if they know at least this share of its
/// pairs of characters.
const MIN_KNOWN_PAIR_SHARE: f64 = 0.5;

/// The paragraphs to be cut, and what is known before the document is read.
pub struct Gathered {
    /// The paragraphs with their evidence; tails of sub-commentaries among them.
    pub paragraphs: Vec<Paragraph>,
    /// The segments of paragraphs that are decided together.
    pub joints: Joints,
    base: Arc<TaughtModels>,
    common: Arc<CommonCharacters>,
    /// Which evidence the document has.
    pub guide: Guide,
}

impl Gathered {
    /// The same, as input of a reading.
    pub fn material<'a>(&'a self, document: &'a Document) -> Material<'a> {
        Material::new(
            document.source.text(),
            &self.paragraphs,
            &self.base.0,
            &self.common,
            self.guide,
        )
    }
}

/// Gathers the evidence.
pub fn gather(document: &mut Document, context: &Context<'_>) -> Gathered {
    let base = base_models(document, context);
    let ends = witness::ends(document, context);
    tails::cut(document, &base.0, &ends, context.models.canon());
    let mut paragraphs = group::paragraphs(document);
    let filter = context.models.canon();
    let is_canon = coverage::covers(filter, &paragraphs);
    if is_canon {
        preface::set_apart(document, &mut paragraphs, filter);
        coverage::add(filter, &mut paragraphs, false);
    }
    let guide = Guide { canon: is_canon, ..guide(document, &paragraphs, &base.0) };
    witness::consult(document, context, &mut paragraphs);
    let mut joints = Joints::default();
    let alone = guide.is_unknown() && paragraphs.iter().all(|p| p.votes.witness.is_none());
    let guide = Guide { alone, ..guide };
    if guide.alone {
        (paragraphs, joints) = joints::join(document, &paragraphs);
    }
    translation::consult(document, context, &mut paragraphs);
    for p in &mut paragraphs {
        p.guessed = guide.is_unknown() && p.votes.witness.is_none();
    }
    let common = Arc::clone(context.models.weights().common(guide));
    Gathered { paragraphs, joints, base, common, guide }
}

/// Which evidence a document has, the canon aside.
pub fn guide(document: &Document, paragraphs: &[Paragraph], base: &[CharModel; LABELS]) -> Guide {
    let headers = document.headers.iter().any(|h| h.parts.iter().any(|p| p.layer != Layer::Jing));
    Guide {
        headers,
        canon: false,
        alone: false,
        kin: kinship(paragraphs, base) >= MIN_KNOWN_PAIR_SHARE,
    }
}

/// The share of the pairs of characters that the models know.
fn kinship(paragraphs: &[Paragraph], models: &[CharModel; LABELS]) -> f64 {
    let pairs = || paragraphs.iter().flat_map(|p| p.key.chars.windows(2));
    let known = pairs().filter(|w| models.iter().any(|m| m.has_pair(w[0], w[1]))).count();
    known as f64 / pairs().count().max(1) as f64
}

/// The models of the context, trained further on what documents of the library mark.
struct TaughtModels([CharModel; LABELS]);

/// The models for a document, taught by others of its work. Documents with the same teachers share
/// them.
fn base_models(document: &Document, context: &Context<'_>) -> Arc<TaughtModels> {
    let teachers = neighbours::teachers(document, context);
    context.of_documents(&teachers, || {
        let mut models = context.models.characters().clone();
        teachers.iter().for_each(|d| models::learn(&mut models, known::runs_of(d)));
        TaughtModels(models)
    })
}
