//! The corpus of a build, opened again with what the build kept, so that a small change is computed
//! in a moment.

use std::path::Path;
use std::sync::Arc;

use super::stamp::Stamp;
use super::{built, transaction};
use crate::books::translations::pair_up;
use crate::corpus::{Corpus, TextEntry};
use crate::diag::{Error, ErrorKind};
use crate::model::Document;
use crate::settings::Settings;

/// The corpus of a build.
pub struct Reopened {
    corpus: Corpus,
    /// The settings, with what the build kept.
    pub settings: Settings,
    /// The texts that can be read: where each is from, and as its reader left it.
    pub texts: Vec<(TextEntry, Document)>,
}

impl Reopened {
    /// Reads the corpus from which `out` was built.
    ///
    /// # Errors
    /// When nothing was built there, or the corpus cannot be read.
    pub fn of(out: &Path, settings: &Settings) -> Result<Self, Error> {
        let old = transaction::last(out)?.ok_or_else(|| {
            let message = "there is no build in this folder";
            Error::input(out, message).of_kind(ErrorKind::Io).hint("`zhushu build` writes one")
        })?;
        let mut corpus = settings.open(&out.join(&old.corpus))?;
        corpus.leave_out(out, "the folder that build writes");
        let encoding = old.inputs.get("--encoding").cloned();
        corpus.encode_as(encoding.as_deref());
        let inputs = Stamp::of_inputs(&corpus, settings, encoding.as_deref());
        let memo = built::memo(out, (&inputs, Some(&old)), settings, false);
        let settings = Settings { memo: Some(Arc::new(memo)), ..settings.clone() };
        let loaded = settings.read(&corpus)?;
        let entry = |d: &Document| {
            let mut entries = corpus.about.texts.iter();
            entries.find(|e| e.path == d.source.path()).cloned()
        };
        let texts = loaded.documents.into_iter().filter_map(|d| Some((entry(&d)?, d))).collect();
        Ok(Reopened { corpus, settings, texts })
    }

    /// Reads a text again, with its corrections.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_again(&mut self, number: usize) -> Result<(), Error> {
        let (entry, document) = &mut self.texts[number];
        // A pipe in its place would never end.
        *document = self.settings.read_with(entry, false)?;
        Ok(())
    }

    /// A text as it was last read.
    pub fn text(&self, number: usize) -> &str {
        self.texts[number].1.source.text()
    }

    /// The texts as a build begins with them.
    pub fn documents(&self) -> Vec<Document> {
        let mut documents: Vec<Document> = self.texts.iter().map(|(_, d)| d.clone()).collect();
        if self.corpus.manifest.is_none() {
            pair_up(&mut documents, &self.settings.works, &self.settings.models.chapters);
        }
        documents
    }
}
