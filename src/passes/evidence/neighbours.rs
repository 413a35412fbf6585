//! The other documents that are consulted when the layers of a document are decided, and the other
//! witnesses of its chapter.
//!
//! These are all: what the layers of a document become depends on itself and on them. A build keeps
//! its result as long as none of them changes ([`of`]).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::known;
use crate::corpus::Library;
use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::model::{Document, Layer, Meta, Role, Segment};
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
    others(document, context, |own, o| {
        o.has_classic && may_be(own.work, o.work) && may_be(own.chapter, o.chapter)
    })
}

/// Documents that separate 經 and 注 and may be of the same work: they show how it is written.
pub fn teachers<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    first(others(document, context, |own, o| o.separates && may_be(own.work, o.work)))
}

/// Documents that may be of the same work and are sure of some of its classic, whether they have
/// its notes or not.
pub fn kin<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    first(others(document, context, |own, o| o.has_classic && may_be(own.work, o.work)))
}

/// Other witnesses of a chapter of a work, if both are known.
pub fn of_chapter<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    let is = |own: &Neighbour, o: &Neighbour| {
        o.is_witness
            && own.work.is_some()
            && own.chapter.is_some()
            && (own.work, own.chapter) == (o.work, o.chapter)
    };
    others(document, context, is)
}

/// Those of the library, except the document itself, that are what they should be to it.
fn others<'a>(
    document: &Document,
    context: &Context<'a>,
    is: impl Fn(&Neighbour, &Neighbour) -> bool,
) -> Vec<&'a Arc<Document>> {
    let table = context.of_all(|| NeighbourTable::of(context.library));
    let own = table.own(document);
    let all = table.all.iter().zip(context.library.all());
    all.filter(|(other, d)| is(&own, other) && d.id != document.id).map(|(_, d)| d).collect()
}

/// What is asked of each document of a library by each other. Thousands of documents ask, so the
/// answers are beside each other, and no document itself is looked at.
#[derive(Default)]
struct NeighbourTable {
    all: Vec<Neighbour>,
    /// The numbers of works and chapters.
    names: FxHashMap<String, u32>,
}

#[derive(Default)]
struct Neighbour {
    work: Option<u32>,
    chapter: Option<u32>,
    is_witness: bool,
    has_classic: bool,
    separates: bool,
}

impl NeighbourTable {
    fn of(library: &Library) -> Self {
        let mut neighbours = NeighbourTable::default();
        for document in library.all() {
            let mut number = |name: &Option<String>| {
                let next = neighbours.names.len() as u32;
                Some(*neighbours.names.entry(name.clone()?).or_insert(next))
            };
            let (work, chapter) = (number(&document.meta.work), number(&document.meta.chapter));
            neighbours.all.push(Neighbour {
                work,
                chapter,
                is_witness: document.meta.role == Role::Witness,
                has_classic: has_classic(document),
                separates: known::separates(document),
            });
        }
        neighbours
    }

    /// A document as the others are seen.
    fn own(&self, document: &Document) -> Neighbour {
        let number =
            |name: &Option<String>| Some(*self.names.get(name.as_ref()?).unwrap_or(&UNKNOWN));
        let Meta { work, chapter, .. } = &document.meta;
        Neighbour { work: number(work), chapter: number(chapter), ..Neighbour::default() }
    }
}

/// The number of a name that no document of the library has.
const UNKNOWN: u32 = u32::MAX;

/// False if both are known and not the same.
fn may_be(one: Option<u32>, other: Option<u32>) -> bool {
    one.is_none() || other.is_none() || one == other
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
fn first(documents: Vec<&Arc<Document>>) -> Vec<&Arc<Document>> {
    let mut bytes = 0;
    let enough = |d: &&Arc<Document>| {
        let before = bytes;
        bytes += d.source.text().len();
        before < MAX_TAUGHT_BYTES
    };
    documents.into_iter().take_while(enough).collect()
}
