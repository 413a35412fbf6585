//! The flow: source → reader → document → passes → library. The only place that knows both readers
//! and passes.

mod concerned;
mod parts;
mod sharing;
mod stage;

use std::sync::Arc;

use rayon::prelude::*;

use crate::books;
use crate::corpus::figures::CorpusFigures;
use crate::corpus::{Index, Library};
use crate::diag::Error;
use crate::memo::States;
use crate::model::{CORRECTION_LOST, Confirmation, Confirmed, Document, Segment};
use crate::passes::align::{self, Options};
use crate::passes::{Context, Stage};
use crate::readers::ReadAs;
use crate::settings::Settings;
use crate::shelf::{Beside, KeptChapter};
use crate::source::{Source, Span};
pub use parts::{FlowPart, FoundParallel};
use stage::StageRun;

/// The passes that find references and parallels.
const REFERENCES: &[&str] = &["lemmata", "lemmata_beside", "references", "parallels"];

/// What of the flow is to run.
struct FlowRun<'a> {
    stages: &'a [Stage],
    /// Names of passes that are left out.
    without: &'a [&'a str],
    /// Of the corpus, if the documents are only a part of it.
    figures: Option<&'a Arc<CorpusFigures>>,
}

impl FlowRun<'_> {
    const WHOLE: FlowRun<'static> = FlowRun { stages: &Stage::ALL, without: &[], figures: None };
}

/// As [`Settings::convert`], with default settings.
///
/// # Errors
/// As [`Settings::convert`].
pub fn convert(source: Source, from: Option<&str>) -> Result<Library, Error> {
    Settings::default().convert(source, from)
}

/// As [`Settings::run`], with default settings.
pub fn run(documents: Vec<Document>) -> Library {
    Settings::default().run(documents)
}

impl Settings {
    /// Reads one source with the named reader, or with the one that recognises it best, and runs
    /// every pass on it. A whole book gives a document for each of its chapters.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn convert(&self, source: Source, from: Option<&str>) -> Result<Library, Error> {
        let how = ReadAs { from, lines: self.lines, ..ReadAs::default() };
        let document = self.readers.read_as(source, how)?;
        Ok(self.run(vec![document]))
    }

    /// Runs every pass on documents, which are witnesses and targets of each other. The passes run
    /// stage by stage; in a stage the documents are processed in parallel. Once its layers are
    /// known, a whole book is cut into its chapters: the library has a document for each, in the
    /// order given.
    pub fn run(&self, documents: Vec<Document>) -> Library {
        let without = if self.references { &[] } else { REFERENCES };
        let flow = FlowRun { without, ..FlowRun::WHOLE };
        let (documents, beside) = self.with_shelf(documents);
        let documents = books::separate(documents, &beside.read, self.memo.as_deref())
            .into_par_iter()
            .map(|d| books::outlined(d, &self.works, &self.models.chapters))
            .collect();
        run_stages(documents, beside, &flow, self, |_, _| ())
    }

    /// Runs every pass on one document, of which a whole book stays one, its titles marked.
    pub(crate) fn run_whole(&self, document: Document) -> Document {
        let mut whole = books::outlined(document, &self.works, &self.models.chapters);
        whole.outline.clear();
        let mut library = self.run(vec![whole]);
        Arc::unwrap_or_clone(library.documents.swap_remove(0))
    }

    /// Documents as they are read, and what the shelf has beside them.
    pub(crate) fn with_shelf(&self, documents: Vec<Document>) -> (Vec<Document>, Beside) {
        let beside = self.shelf.as_ref().map(|s| s.beside(&documents)).unwrap_or_default();
        (documents, beside)
    }

    /// The chapters of a document, to be kept on a shelf. It is read alone, so that what is kept
    /// depends on nothing else; references are not looked for.
    pub(crate) fn shelved(&self, document: Document) -> Vec<KeptChapter> {
        // Chapters that the reader itself found have segments of their own.
        let of_reader = !document.chapters.is_empty();
        let mut read = vec![];
        let marked = |stage: Stage, library: &Library| {
            if stage == Stage::Marks {
                read = library.documents.iter().flat_map(|d| d.segments.clone()).collect();
            }
        };
        let flow = FlowRun { without: REFERENCES, ..FlowRun::WHOLE };
        let library = run_stages(vec![document], Beside::default(), &flow, self, marked);
        let mut at = 0;
        let chapter = |document: Arc<Document>| {
            let length = document.source.text().len();
            let own = within(&read, Span::new(at, at + length));
            at += length;
            let read = if of_reader || document.segments == own { vec![] } else { own };
            KeptChapter { document: Arc::unwrap_or_clone(document), read }
        };
        library.documents.into_iter().map(chapter).collect()
    }
}

/// The parts of segments within a span, from its beginning.
fn within(segments: &[Segment], span: Span) -> Vec<Segment> {
    let first = segments.partition_point(|s| s.span.end() <= span.start());
    let overlapping = segments[first..].iter().take_while(|s| s.span.start() < span.end());
    let part = |s: &Segment| {
        let (from, to) = (s.span.start().max(span.start()), s.span.end().min(span.end()));
        Segment { span: Span::new(from - span.start(), to - span.start()), ..s.clone() }
    };
    overlapping.map(part).collect()
}

/// Runs the passes of all stages on documents; what is beside them stays as it is. `watch` sees the
/// library after each stage.
fn run_stages(
    documents: Vec<Document>,
    beside: Beside,
    flow: &FlowRun<'_>,
    settings: &Settings,
    mut watch: impl FnMut(Stage, &Library),
) -> Library {
    let documents = documents.into_iter().map(Arc::new).collect();
    let mut library = Library {
        documents,
        beside: beside.read,
        language: settings.language,
        ..Library::default()
    };
    let memo = settings.memo.as_deref();
    let mut states = States::default();
    // Of the stage before: what it did to the documents seldom concerns the index.
    let mut index = None;
    for &stage in flow.stages {
        if stage == Stage::Structure {
            library.documents = books::cut_all(library.documents, &settings.works);
            library.beside.clone_from(&beside.settled);
        }
        let run = StageRun::new(stage, flow.without, memo).watched_by(settings.progress.as_ref());
        if !run.passes.is_empty() {
            if memo.is_some() {
                states = States::of(&library, states);
            }
            let last = index.take().and_then(|index: Index| index.renewed(&library));
            let context = Context::with(&library, &settings.works, &settings.models.layers)
                .with_memo(memo, &states)
                .supplying(settings.punctuation)
                .with_figures(flow.figures)
                .with_index(index_for(stage, last, || {
                    Index::of(&library, &settings.works).with_figures(flow.figures.cloned())
                }));
            let (documents, after) = run.run(&context, &states);
            index = context.into_index();
            (library.documents, states) = (documents, after);
        }
        watch(stage, &library);
    }
    library
}

/// The index for a stage, if it is known already what it must be able to do: that of the stage
/// before, or for one that looks nothing up what `make` returns.
fn index_for(stage: Stage, last: Option<Index>, make: impl FnOnce() -> Index) -> Option<Index> {
    match stage {
        Stage::Parallels => Some(last.unwrap_or_else(make).without_lookups()),
        _ => last,
    }
}

/// Aligns every translation of the library with the documents that it translates according to the
/// manifest, by sentences. Diagnostics of a pair are added to its documents.
pub fn align(library: &mut Library) {
    let (alignments, diagnostics) = align::align_all(library, &Options::default());
    library.alignments = alignments;
    for (id, diagnostic) in diagnostics {
        if let Some(document) = library.documents.iter_mut().find(|d| d.id == id) {
            let document = Arc::make_mut(document);
            if diagnostic.code == CORRECTION_LOST {
                let is_bead = |c: &Confirmed| matches!(c.what, Confirmation::Bead(..));
                document.confirmed.retain(|c| !is_bead(c) || Some(c.span) != diagnostic.span);
            }
            document.diagnostics.push(diagnostic);
        }
    }
}
