//! The other documents that are consulted when the layers of a document are decided, and the other
//! witnesses of its chapter.
//!
//! These are all: what the layers of a document become depends on itself and on them. A build keeps
//! its result as long as none of them changes ([`of`]).

use std::cell::LazyCell;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::known;
use crate::corpus::Library;
use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::model::{Document, Layer, Meta, Role, Segment};
use crate::passes::context::Context;
use crate::text::Key;
use crate::text::fold::fold;
use crate::text::sampled::SampledRuns;

/// The texts of a work teach the others with this many bytes, the first of the library first. More
/// would hardly teach more, and each of them would make a change of it a change for all.
const MAX_TAUGHT_BYTES: usize = 400_000;

/// Two texts may share a passage if they have this many of the runs of the shorter one that are
/// looked at, one in sixteen, but at most eight. A passage of 80 characters of which a tenth differ
/// has ten of them.
const RUNS_PER_SHARED: usize = 16;
const ENOUGH_RUNS: usize = 8;

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

/// Documents that may have the same classic, and are sure of some of it: all of the same chapter,
/// and of those that are not known to be of another chapter or work those that share words.
pub fn witnesses<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    let table = context.of_all(|| NeighbourTable::of(context.library));
    let like = LazyCell::new(|| table.like(document, context.library));
    others(document, context, |own, o, n| {
        o.has_classic
            && may_be(own.work, o.work)
            && may_be(own.chapter, o.chapter)
            && (is_same_chapter(own, o) || like.binary_search(&n).is_ok())
    })
}

/// Documents that separate 經 and 注 and may be of the same work: they show how it is written.
pub fn teachers<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    first(others(document, context, |own, o, _| o.separates && may_be(own.work, o.work)))
}

/// Documents that may be of the same work and are sure of some of its classic, whether they have
/// its notes or not.
pub fn kin<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    first(others(document, context, |own, o, _| o.has_classic && may_be(own.work, o.work)))
}

/// Other witnesses of a chapter of a work, if both are known.
pub fn of_chapter<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    others(document, context, |own, o, _| o.is_witness && is_same_chapter(own, o))
}

/// True if both are known to be of a chapter of a work.
fn is_same_chapter(own: &Neighbour, other: &Neighbour) -> bool {
    own.work.is_some()
        && own.chapter.is_some()
        && (own.work, own.chapter) == (other.work, other.chapter)
}

/// Those of the library, except the document itself, that are what they should be to it. `is` gets
/// the document, another one, and the number of that.
fn others<'a>(
    document: &Document,
    context: &Context<'a>,
    is: impl Fn(&Neighbour, &Neighbour, u32) -> bool,
) -> Vec<&'a Arc<Document>> {
    let table = context.of_all(|| NeighbourTable::of(context.library));
    let own = table.own(document);
    let all = table.all.iter().zip(0..).zip(context.library.all());
    let wanted = all.filter(|((other, n), d)| is(&own, other, *n) && d.id != document.id);
    wanted.map(|(_, d)| d).collect()
}

/// What is asked of each document of a library by each other. Thousands of documents ask, so the
/// answers are beside each other, and no document itself is looked at.
#[derive(Default)]
struct NeighbourTable {
    all: Vec<Neighbour>,
    /// The numbers of works and chapters.
    names: FxHashMap<String, u32>,
    /// Runs of characters of all of them, once they were asked for.
    runs: OnceLock<SampledRuns>,
    /// The numbers of those that share words with a document, by its id.
    like: Mutex<FxHashMap<String, Arc<[u32]>>>,
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

    /// The numbers of those that may share a passage with a document, in order.
    fn like(&self, document: &Document, library: &Library) -> Arc<[u32]> {
        let known = || self.like.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(like) = known().get(&document.id) {
            return Arc::clone(like);
        }
        let runs = self.runs.get_or_init(|| {
            SampledRuns::of(&library.all().map(|d| sample(d.as_ref())).collect::<Vec<_>>())
        });
        let own = sample(document);
        let shared = runs.shared(&own);
        let enough = |n: usize| (own.len().min(runs.counts[n]) / RUNS_PER_SHARED).min(ENOUGH_RUNS);
        let like = (0..shared.len()).filter(|n| shared[*n] >= enough(*n)).map(|n| n as u32);
        let like: Arc<[u32]> = like.collect();
        known().insert(document.id.clone(), Arc::clone(&like));
        like
    }
}

/// Some runs of characters of a document.
fn sample(document: &Document) -> Vec<u32> {
    SampledRuns::sample(&Key::of(document.source.text(), document.source.span()).chars)
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
