//! The other documents that are consulted when the layers of a document are decided.
//!
//! These are all: what a document becomes depends on itself and on them. A build keeps its result
//! as long as none of them changes ([`of`]).

use std::sync::Arc;

use super::known;
use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::model::{Document, Layer, Role, Segment};
use crate::passes::context::Context;
use crate::text::fold::fold;

/// The texts of a work teach the others with this many bytes, the first of the library first. More
/// would hardly teach more, and each of them would make a change of it a change for all.
const MAX_TAUGHT_BYTES: usize = 400_000;

/// The character with which a label opens, folded.
const LABEL_OPENS: char = '右';

/// All of them, for a pass that decides layers. A document that has them already reads none.
pub fn of<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    if document.settled || !document.has_undivided() {
        return vec![];
    }
    [witnesses(document, context), teachers(document, context), translations(document, context)]
        .concat()
}

/// Those for the labels of sections, which any text may have.
pub fn of_labels<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    match document.source.text().chars().any(|c| fold(c) == LABEL_OPENS) {
        true => [witnesses(document, context), kin(document, context)].concat(),
        false => vec![],
    }
}

/// Documents that may have the same classic, and are sure of some of it: all but those that are
/// known to be of another chapter or work.
pub fn witnesses<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    let others = context.library.others(&document.id);
    let may_be = |o: &&Arc<Document>| of_one_work(document, o) && of_one_chapter(document, o);
    others.filter(may_be).filter(|o| has_classic(o)).collect()
}

/// Documents that separate 經 and 注 and may be of the same work: they show how it is written.
pub fn teachers<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    let others = context.library.others(&document.id);
    first(others.filter(|o| of_one_work(document, o) && known::separates(o)))
}

/// Documents that may be of the same work and are sure of some of its classic, whether they have
/// its notes or not.
pub fn kin<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    let others = context.library.others(&document.id);
    first(others.filter(|o| of_one_work(document, o) && has_classic(o)))
}

/// True for a document that is sure of some of its classic.
fn has_classic(document: &Document) -> bool {
    let classic = |l: Layer| matches!(l, Layer::Jing | Layer::Zhuan);
    let sure = |s: &Segment| s.certainty.get() >= MIN_TEACHING_CERTAINTY;
    document.segments.iter().any(|s| classic(s.layer) && sure(s))
}

/// Translations that may be of the document.
pub fn translations<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    let of_this = |other: &&Arc<Document>| {
        let named = &other.meta.translates;
        other.meta.role == Role::Translation && (named.is_empty() || named.contains(&document.id))
    };
    context.library.others(&document.id).filter(of_this).collect()
}

/// The first of some documents, until they have enough text.
fn first<'a>(documents: impl Iterator<Item = &'a Arc<Document>>) -> Vec<&'a Arc<Document>> {
    let mut bytes = 0;
    let enough = |d: &&Arc<Document>| {
        let before = bytes;
        bytes += d.source.text().len();
        before < MAX_TAUGHT_BYTES
    };
    documents.take_while(enough).collect()
}

fn of_one_work(document: &Document, other: &Document) -> bool {
    !differ(&document.meta.work, &other.meta.work)
}

fn of_one_chapter(document: &Document, other: &Document) -> bool {
    !differ(&document.meta.chapter, &other.meta.chapter)
}

/// True if both are known and not the same.
fn differ(one: &Option<String>, other: &Option<String>) -> bool {
    one.is_some() && other.is_some() && one != other
}
