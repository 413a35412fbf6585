//! The flow: source → reader → document → passes → library. The only place that knows readers and
//! passes both.

use std::sync::Arc;

use rayon::prelude::*;

use crate::corpus::Library;
use crate::diag::Error;
use crate::model::Document;
use crate::passes::align::{self, Options};
use crate::passes::{Context, PASSES, Pass, Stage};
use crate::readers;
use crate::settings::Settings;
use crate::source::Source;

/// Reads one source and runs every pass on it, with nothing beside it.
///
/// # Errors
/// Where the reader gives up.
pub fn convert(source: Source, from: Option<&str>) -> Result<Library, Error> {
    Ok(run(vec![readers::read(source, from)?]))
}

/// Runs every pass on documents that know of each other, stage by stage, documents side by side.
/// The library comes back in the order given.
pub fn run(documents: Vec<Document>) -> Library {
    run_with(documents, &Settings::default())
}

/// The passes that find references and parallels.
const REFERENCES: &[&str] = &["lemmata", "references", "parallels"];

impl Settings {
    /// Runs the passes on documents that know of each other; see [`run`].
    pub fn run(&self, documents: Vec<Document>) -> Library {
        run_with(documents, self)
    }
}

/// As [`run`], with these settings.
pub(crate) fn run_with(documents: Vec<Document>, settings: &Settings) -> Library {
    let without = if settings.references { &[] } else { REFERENCES };
    let mut library =
        Library { documents: documents.into_iter().map(Arc::new).collect(), alignments: vec![] };
    for stage in
        [Stage::Marks, Stage::Layers, Stage::Structure, Stage::References, Stage::Parallels]
    {
        let passes: Vec<&Pass> =
            PASSES.iter().filter(|p| p.stage == stage && !without.contains(&p.name)).collect();
        if passes.is_empty() {
            continue;
        }
        let context = Context::with(&library, settings);
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
/// sentences. What is to be said about the pairs goes to the documents' diagnostics.
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
