//! Texts as the passes left them, read one by one when they are needed, so that an edition that is
//! larger than the memory can be asked.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use super::bounds::{IsOver, stopped};
use super::quoted::{LinkTable, QuotingLink};
use crate::build::Built;
use crate::corpus::Library;
use crate::corpus::loci::text_of;
use crate::diag::Error;
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

/// The numbers of the texts that explain a word which begins with a character, folded.
pub(super) type ExplainingTexts = HashMap<char, Vec<usize>>;

/// Where the texts are.
enum Keeper {
    Built(Box<Built>),
    Shelf(Arc<Shelf>),
}

/// The texts of an edition, or of the user's library.
pub(super) struct TextStore {
    keeper: Keeper,
    texts: OnceLock<Vec<StoredText>>,
    numbers: OnceLock<HashMap<String, usize>>,
    links: OnceLock<LinkTable>,
    explaining: OnceLock<ExplainingTexts>,
    /// What was read of them so far: a question that is stopped leaves the rest to the next.
    scan: Mutex<(Vec<StoredText>, LinkTable)>,
    unread: Mutex<BTreeSet<String>>,
}

impl TextStore {
    /// Those of a build.
    pub(super) fn of_build(built: Built) -> Self {
        let texts = built.texts().iter();
        let texts = texts.map(|t| StoredText { id: t.id.clone(), locus: t.locus.clone() });
        let texts = OnceLock::from(texts.collect::<Vec<_>>());
        TextStore { texts, ..TextStore::of(Keeper::Built(Box::new(built))) }
    }

    /// Those of the user's library, which knows their loci only once all were read.
    pub(super) fn of_shelf(shelf: Arc<Shelf>) -> Self {
        TextStore::of(Keeper::Shelf(shelf))
    }

    fn of(keeper: Keeper) -> Self {
        TextStore {
            keeper,
            texts: OnceLock::new(),
            numbers: OnceLock::new(),
            links: OnceLock::new(),
            explaining: OnceLock::new(),
            scan: Mutex::default(),
            unread: Mutex::default(),
        }
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
    ///
    /// # Errors
    /// When they must be read first, and that is stopped.
    pub(super) fn texts(&self, is_over: &IsOver) -> Result<&[StoredText], Error> {
        if self.texts.get().is_none() {
            self.scan(is_over)?;
        }
        Ok(self.known())
    }

    /// The texts that are known without reading them.
    fn known(&self) -> &[StoredText] {
        self.texts.get().map_or(&[], Vec::as_slice)
    }

    /// The number of the text with an id.
    ///
    /// # Errors
    /// As [`TextStore::texts`].
    pub(super) fn number(&self, id: &str, is_over: &IsOver) -> Result<Option<usize>, Error> {
        let texts = self.texts(is_over)?;
        let numbers = || texts.iter().enumerate().map(|(n, t)| (t.id.clone(), n)).collect();
        Ok(self.numbers.get_or_init(numbers).get(id).copied())
    }

    /// The numbers of the texts to read for a word that begins with a character: all, until it is
    /// known which of them explain one.
    pub(super) fn explaining(&self, first: Option<char>) -> Vec<usize> {
        let known = self.explaining.get().zip(first);
        match known {
            Some((explaining, first)) => explaining.get(&first).cloned().unwrap_or_default(),
            None => (0..self.len()).collect(),
        }
    }

    /// Keeps which texts explain which words, once all were read: the next question reads those
    /// only.
    pub(super) fn keep_explaining(&self, explaining: ExplainingTexts) {
        _ = self.explaining.set(explaining);
    }

    /// Which links lead to which text.
    ///
    /// # Errors
    /// When the texts must be read first, and that is stopped.
    pub(super) fn links(&self, is_over: &IsOver) -> Result<&LinkTable, Error> {
        if self.links.get().is_none() {
            self.scan(is_over)?;
        }
        Ok(self.links.get_or_init(LinkTable::default))
    }

    /// A text, by its number; `None` if it cannot be read any more, which is noted.
    pub(super) fn read(&self, number: usize) -> Option<Document> {
        let (id, document) = match &self.keeper {
            Keeper::Built(built) => {
                let text = built.texts().get(number)?;
                (&text.id, built.text(text))
            }
            Keeper::Shelf(shelf) => {
                let card = shelf.inventory().chapters().nth(number)?;
                (&card.id, shelf.chapter(card))
            }
        };
        if document.is_none() {
            self.note_unread(id);
        }
        document
    }

    fn note_unread(&self, id: &str) {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_string());
    }

    /// The ids of the texts that could not be read so far.
    pub(super) fn unread(&self) -> BTreeSet<String> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// True if a text of a chapter could not be read.
    pub(super) fn lacks_some_of(&self, locus: &str) -> bool {
        let unread = self.unread();
        self.known().iter().any(|t| t.locus == locus && unread.contains(&t.id))
    }

    /// The texts of a chapter and their translations, as far as they can be read; `None` if there
    /// are none.
    ///
    /// # Errors
    /// As [`TextStore::texts`].
    pub(super) fn chapter(&self, locus: &str, is_over: &IsOver) -> Result<Option<Library>, Error> {
        if let Keeper::Built(built) = &self.keeper {
            return Ok(built.chapter(locus).or_else(|| self.rest_of_chapter(built, locus)));
        }
        let own = self.texts(is_over)?.iter().enumerate().filter(|(_, t)| t.locus == locus);
        let documents: Vec<_> = own.filter_map(|(n, _)| self.read(n).map(Arc::new)).collect();
        Ok((!documents.is_empty()).then(|| Library { documents, ..Library::default() }))
    }

    /// What can be read of a chapter that cannot be read as a whole.
    fn rest_of_chapter(&self, built: &Built, locus: &str) -> Option<Library> {
        let all = built.of_chapter(locus);
        let (read, unread): (Vec<_>, Vec<_>) =
            all.iter().copied().partition(|text| built.text(text).is_some());
        unread.iter().for_each(|text| self.note_unread(&text.id));
        let rest = if read.is_empty() { None } else { built.read(read) };
        if rest.is_none() {
            all.iter().for_each(|text| self.note_unread(&text.id));
        }
        rest
    }

    /// Reads all texts once, a few at a time.
    fn scan(&self, is_over: &IsOver) -> Result<(), Error> {
        let mut scan = self.scan.lock().unwrap_or_else(PoisonError::into_inner);
        if self.links.get().is_some() {
            return Ok(());
        }
        let at_once = 4 * rayon::current_num_threads();
        while scan.0.len() < self.len() {
            if is_over() {
                return Err(stopped());
            }
            let next = scan.0.len()..self.len().min(scan.0.len() + at_once);
            let read: Vec<_> = next.into_par_iter().map(|number| self.scanned(number)).collect();
            for (text, links) in read {
                scan.0.push(text);
                scan.1.extend(links);
            }
        }
        let (texts, links) = std::mem::take(&mut *scan);
        // Those of a build are known already.
        _ = self.texts.set(texts);
        _ = self.links.set(links);
        Ok(())
    }

    fn scanned(&self, number: usize) -> (StoredText, Vec<(String, QuotingLink)>) {
        let Some(document) = self.read(number) else {
            return (StoredText { id: String::new(), locus: String::new() }, vec![]);
        };
        let text = StoredText { id: document.id.clone(), locus: text_of(&document).to_string() };
        (text, QuotingLink::all_of(number, &document))
    }

    /// The chapters that there are, by the first part of their loci, each once.
    pub(super) fn loci(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let all = self.known().iter().map(|t| t.locus.clone());
        all.filter(|locus| !locus.is_empty() && seen.insert(locus.clone())).collect()
    }
}
