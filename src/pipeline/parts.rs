//! The flow in parts, for a corpus of which only some fits into the memory of a machine.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{FlowRun, run_stages};
use crate::books;
use crate::corpus::figures::CorpusFigures;
use crate::corpus::{Index, Library};
use crate::model::Document;
pub use crate::passes::FoundParallel;
use crate::passes::{Stage, naming};
use crate::settings::Settings;
use crate::shelf::Beside;

/// A part of the flow. All texts of a corpus must finish a part before any begins the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowPart {
    /// Layers, chapters, ids, repairs and sections of each work.
    Layers,
    /// Loci, apparatus and references.
    References,
    /// Parallels, which leave out what references quote.
    Parallels,
}

impl FlowPart {
    fn stages(self) -> &'static [Stage] {
        match self {
            FlowPart::Layers => &[Stage::Marks, Stage::Layers, Stage::Structure],
            FlowPart::References => &[Stage::References],
            FlowPart::Parallels => &[Stage::Parallels],
        }
    }
}

impl Settings {
    /// Runs one part of the flow, for a corpus of which only a part fits into memory. The documents
    /// must be as the part before left them, and so must those beside them: witnesses and targets
    /// that stay as they are. `figures` has what is counted over the whole corpus; without them it
    /// is counted over these texts.
    ///
    /// [`FlowPart::Layers`] takes documents as they were read and makes chapters. It has no use for
    /// texts beside: all texts of a work should be given together, for they teach each other.
    pub fn run_part(
        &self,
        part: FlowPart,
        documents: Vec<Document>,
        beside: Vec<Document>,
        figures: Option<&Arc<CorpusFigures>>,
    ) -> Library {
        let outlined = |d| match part {
            FlowPart::Layers => books::outlined(d, &self.works, &self.models.chapters),
            _ => d,
        };
        let documents = documents.into_par_iter().map(outlined).collect();
        let beside: Vec<_> = beside.into_iter().map(Arc::new).collect();
        let beside = Beside { read: beside.clone(), settled: beside };
        run_stages(
            documents,
            beside,
            &FlowRun { stages: part.stages(), without: &[], figures },
            self,
            |_, _| (),
        )
    }

    /// The works and chapters that a document names, each once. Where they are is not looked for.
    pub fn works_named_by(&self, document: &Document) -> Vec<(String, Option<String>)> {
        let links = naming(&Arc::new(document.clone()), &self.works);
        let mut cited = vec![];
        for title in links.iter().filter_map(|l| l.work.as_deref()) {
            let mut parts = title.split('・');
            let work = parts.next().unwrap_or_default();
            let chapter = parts.next_back().map(str::to_string);
            let known = self.works.work(work).into_iter();
            cited.push((work.to_string(), chapter.clone()));
            cited.extend(known.flat_map(|w| &w.within).map(|w| (w.clone(), chapter.clone())));
        }
        cited.sort();
        cited.dedup();
        cited
    }

    /// Compares pairs of documents, each by its number among these and the smaller first, and
    /// returns the parallels of each document. `numbers` are those of the documents in the whole
    /// corpus; they rise. As for [`FlowPart::Parallels`], the references must have been found.
    pub fn parallels_of_pairs(
        &self,
        documents: Vec<Document>,
        numbers: &[usize],
        pairs: &[(usize, usize)],
        figures: Option<&Arc<CorpusFigures>>,
    ) -> Vec<Vec<FoundParallel>> {
        let documents = documents.into_iter().map(Arc::new).collect();
        let library = Library { documents, language: self.language, ..Library::default() };
        let index = Index::of(&library, &self.works).with_figures(figures.cloned());
        let index = index.without_lookups();
        FoundParallel::of_pairs(&index, numbers, &pairs.iter().copied().collect::<FxHashSet<_>>())
    }

    /// The library of documents with the parallels that were found for each. Other documents stay
    /// beside them as they are.
    pub fn with_parallels(
        &self,
        mut documents: Vec<Document>,
        found: Vec<Vec<FoundParallel>>,
        beside: Vec<Document>,
    ) -> Library {
        for (document, found) in documents.iter_mut().zip(found) {
            document.links.extend(FoundParallel::links(found));
        }
        let shared = |all: Vec<Document>| all.into_iter().map(Arc::new).collect();
        Library {
            documents: shared(documents),
            beside: shared(beside),
            language: self.language,
            ..Library::default()
        }
    }
}
