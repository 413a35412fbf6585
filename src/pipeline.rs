//! The flow: source → reader → document → passes → library. The only place that knows readers and
//! passes both.

use std::sync::Arc;

use rayon::prelude::*;

use crate::books;
use crate::corpus::Library;
use crate::diag::Error;
use crate::model::Document;
use crate::passes::align::{self, Options};
use crate::passes::{Context, PASSES, Pass, Stage};
use crate::settings::Settings;
use crate::source::Source;

/// The passes that find references and parallels.
const REFERENCES: &[&str] = &["lemmata", "references", "parallels"];

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
        let document = self.readers.read(source, from)?;
        Ok(self.run(vec![document]))
    }

    /// Runs every pass on documents, which are witnesses and targets of each other. The passes run
    /// stage by stage; in a stage the documents are processed in parallel. Once its layers are
    /// known, a whole book is cut into its chapters: the library has a document for each, in the
    /// order given.
    pub fn run(&self, documents: Vec<Document>) -> Library {
        let without = if self.references { &[] } else { REFERENCES };
        let documents = documents
            .into_par_iter()
            .map(|d| books::outlined(d, &self.works, &self.models.chapters))
            .collect();
        run_stages(documents, without, self)
    }
}

fn run_stages(documents: Vec<Document>, without: &[&str], settings: &Settings) -> Library {
    let mut library =
        Library { documents: documents.into_iter().map(Arc::new).collect(), alignments: vec![] };
    for stage in
        [Stage::Marks, Stage::Layers, Stage::Structure, Stage::References, Stage::Parallels]
    {
        let passes: Vec<&Pass> =
            PASSES.iter().filter(|p| p.stage == stage && !without.contains(&p.name)).collect();
        if stage == Stage::Structure {
            library.documents = books::cut_all(library.documents);
        }
        if passes.is_empty() {
            continue;
        }
        let context = Context::with(&library, &settings.works, &settings.models.layers);
        // A settled document that no pass touches is shared, not copied.
        let idle = |d: &Document| d.settled && passes.iter().all(|p| p.settles);
        let one = |d: &Arc<Document>| {
            if idle(d) {
                Arc::clone(d)
            } else {
                Arc::new(run_stage(&passes, (**d).clone(), &context))
            }
        };
        let next = library.documents.par_iter().map(one).collect();
        library.documents = next;
    }
    library
}

/// Aligns every translation of the library with the documents that it says it translates, by
/// sentences. What is noticed about a pair is added to the diagnostics of its documents.
pub fn align(library: &mut Library) {
    let (alignments, diagnostics) = align::align_all(library, &Options::default());
    library.alignments = alignments;
    for (id, diagnostic) in diagnostics {
        if let Some(document) = library.documents.iter_mut().find(|d| d.id == id) {
            Arc::make_mut(document).diagnostics.push(diagnostic);
        }
    }
}

fn run_stage(passes: &[&Pass], mut document: Document, context: &Context<'_>) -> Document {
    let settled = document.settled;
    for pass in passes.iter().filter(|p| !(settled && p.settles)) {
        (pass.run)(&mut document, context);
        if cfg!(debug_assertions)
            && let Err(broken) = document.check()
        {
            panic!("pass {} broke a promise: {}", pass.name, broken.0);
        }
    }
    document
}
