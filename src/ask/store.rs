//! Texts as the passes left them, read one by one when they are needed, so that an edition that is
//! larger than the memory can be asked.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::quoted::{LinkTable, QuotingLink};
use crate::build::Built;
use crate::corpus::Library;
use crate::corpus::loci::text_of;
use crate::model::Document;
use crate::shelf::Shelf;

/// What is known of a text that is not read.
#[derive(Clone, Debug)]
pub(super) struct StoredText {
    /// Its id; in the user's library with the prefix by which links name it.
    pub(super) id: String,
    /// The first part of its loci.
    pub(super) locus: String,
}

/// Where the texts are.
enum Keeper {
    Built(Built),
    Shelf(Arc<Shelf>),
}

/// The texts of an edition, or of the user's library.
pub(super) struct TextStore {
    keeper: Keeper,
    texts: OnceLock<Vec<StoredText>>,
    links: OnceLock<LinkTable>,
}

impl TextStore {
    /// Those of a build.
    pub(super) fn of_build(built: Built) -> Self {
        let texts = built.texts().iter();
        let texts = texts.map(|t| StoredText { id: t.id.clone(), locus: t.locus.clone() });
        let texts = OnceLock::from(texts.collect::<Vec<_>>());
        TextStore { keeper: Keeper::Built(built), texts, links: OnceLock::new() }
    }

    /// Those of the user's library, which knows their loci only once all were read.
    pub(super) fn of_shelf(shelf: Arc<Shelf>) -> Self {
        let keeper = Keeper::Shelf(shelf);
        TextStore { keeper, texts: OnceLock::new(), links: OnceLock::new() }
    }

    /// True for the user's library.
    pub(super) fn is_shelf(&self) -> bool {
        matches!(self.keeper, Keeper::Shelf(_))
    }

    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        match &self.keeper {
            Keeper::Built(built) => built.texts().len(),
            Keeper::Shelf(shelf) => shelf.inventory().chapters().count(),
        }
    }

    /// All texts.
    pub(super) fn texts(&self) -> &[StoredText] {
        self.texts.get_or_init(|| self.scan().0)
    }

    /// Which links lead to which text.
    pub(super) fn links(&self) -> &LinkTable {
        self.links.get_or_init(|| self.scan().1)
    }

    /// A text, by its number; `None` if it cannot be read any more.
    pub(super) fn read(&self, number: usize) -> Option<Document> {
        match &self.keeper {
            Keeper::Built(built) => built.text(built.texts().get(number)?),
            Keeper::Shelf(shelf) => shelf.chapter(shelf.inventory().chapters().nth(number)?),
        }
    }

    /// The texts of a chapter and their translations; `None` if there are none.
    pub(super) fn chapter(&self, locus: &str) -> Option<Library> {
        if let Keeper::Built(built) = &self.keeper {
            return built.chapter(locus);
        }
        let own = self.texts().iter().enumerate().filter(|(_, t)| t.locus == locus);
        let documents: Vec<_> = own.filter_map(|(n, _)| self.read(n).map(Arc::new)).collect();
        (!documents.is_empty()).then(|| Library { documents, ..Library::default() })
    }

    /// Reads all texts once, a few at a time.
    fn scan(&self) -> (Vec<StoredText>, LinkTable) {
        let scanned = (0..self.len()).into_par_iter().filter_map(|number| {
            let document = self.read(number)?;
            let text =
                StoredText { id: document.id.clone(), locus: text_of(&document).to_string() };
            Some((number, text, QuotingLink::all_of(number, &document)))
        });
        let scanned: Vec<_> = scanned.collect();
        let mut texts = vec![StoredText { id: String::new(), locus: String::new() }; self.len()];
        let mut table = LinkTable::default();
        for (number, text, links) in scanned {
            texts[number] = text;
            table.extend(links);
        }
        (texts, table)
    }

    /// The chapters that there are, by the first part of their loci, each once.
    pub(super) fn loci(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let all = self.texts().iter().map(|t| t.locus.clone());
        all.filter(|locus| !locus.is_empty() && seen.insert(locus.clone())).collect()
    }
}
