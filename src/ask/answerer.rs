//! Answers what is asked of editions, folders of texts and the user's own library.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::edition::{AskedEdition, OpenEdition, is_edition};
use super::passage::{self, AskedLocus};
use super::store::TextStore;
use crate::corpus::{Library, Loci};
use crate::diag::{Error, ErrorKind};
use crate::model::{Layer, Locus};
use crate::search::CountedText;
use crate::settings::Settings;

/// Bytes of the list of an answer, unless others are named.
const BYTES: usize = 48_000;

/// Says whether the answer is no longer wanted.
pub(super) type IsOver = Arc<dyn Fn() -> bool + Send + Sync>;

/// What is asked: editions, folders of texts, the user's own library. It may be asked from several
/// threads at once.
///
/// ```no_run
/// use zhushu::{Settings, ask};
/// let answerer = ask::Answerer::of(&["out".into()], &Settings::default())?;
/// let asked = serde_json::json!({ "locus": "論語 12.1" });
/// let answer = ask::operation("passage")?.answer_json(&answerer, &asked, || false)?;
/// println!("{}", answer["texts"][0]["stretches"][0]["text"]);
/// # Ok::<(), zhushu::diag::Error>(())
/// ```
pub struct Answerer {
    editions: Vec<AskedEdition>,
    shelf: Option<TextStore>,
    pub(super) settings: Settings,
    pub(super) bytes: usize,
}

/// A chapter that has what is asked for.
pub(super) struct FoundChapter {
    /// The edition; none for the user's library.
    pub(super) edition: Option<Arc<OpenEdition>>,
    pub(super) library: Library,
    pub(super) locus: Locus,
}

/// Editions that are open, and what is to be said of the others.
pub(super) struct OpenEditions {
    pub(super) open: Vec<Arc<OpenEdition>>,
    /// What cannot be searched, and why.
    pub(super) closed: Vec<String>,
}

impl Answerer {
    /// Answers from folders that `zhushu build` wrote, and from folders of texts, which are read
    /// and linked when they are first asked; without any, from `out`, or else `corpus`.
    ///
    /// # Errors
    /// When one of them does not exist.
    pub fn of(paths: &[PathBuf], settings: &Settings) -> Result<Self, Error> {
        let usual = if is_edition(Path::new("out")) { "out" } else { "corpus" };
        let usual = [PathBuf::from(usual)];
        let paths = if paths.is_empty() { &usual[..] } else { paths };
        let editions = paths.iter().map(|path| AskedEdition::of(path));
        Ok(Answerer {
            editions: editions.collect::<Result<_, _>>()?,
            shelf: settings.shelf.clone().map(TextStore::of_shelf),
            settings: settings.clone(),
            bytes: BYTES,
        })
    }

    /// The same with lists of at most so many bytes.
    #[must_use]
    pub fn of_at_most(self, bytes: usize) -> Self {
        Answerer { bytes, ..self }
    }

    /// The editions, each open. One that cannot be opened is named; none at all is an error.
    pub(super) fn editions(&self) -> Result<OpenEditions, Error> {
        let mut all = OpenEditions { open: vec![], closed: vec![] };
        let mut first = None;
        for edition in &self.editions {
            match edition.open(&self.settings) {
                Ok(edition) => {
                    let unread = edition.unread.iter();
                    all.closed.extend(unread.map(|why| format!("not read: {why}")));
                    all.open.push(edition);
                }
                Err(e) => {
                    all.closed.push(format!("{}: {e}", edition.name()));
                    first.get_or_insert(e);
                }
            }
        }
        match first.filter(|_| all.open.is_empty()) {
            Some(e) => Err(e),
            None => Ok(all),
        }
    }

    /// The same, for what is answered from the texts themselves: an edition without them is named,
    /// and it is an error if there are none at all.
    pub(super) fn editions_with_texts(&self) -> Result<OpenEditions, Error> {
        let mut all = self.editions()?;
        let message = "this edition was built by another version of the program";
        let without = all.open.iter().filter(|e| e.store.is_none());
        let without = without.map(|e| format!("{}: {message}; `zhushu build` updates it", e.name));
        let without: Vec<String> = without.collect();
        all.open.retain(|e| e.store.is_some());
        all.closed.extend(without);
        match all.open.is_empty() && self.shelf.is_none() {
            true => Err(Error::request(message).hint("`zhushu build` updates it")),
            false => Ok(all),
        }
    }

    /// The user's library, if there is one.
    pub(super) fn shelf(&self) -> Option<&TextStore> {
        self.shelf.as_ref()
    }

    /// The chapters with the passage that is asked for, of all editions and the library.
    ///
    /// # Errors
    /// When the words name no passage, or no text has it.
    pub(super) fn chapters(
        &self,
        words: &str,
        all: &OpenEditions,
        layers: &[Layer],
    ) -> Result<Vec<FoundChapter>, Error> {
        let mut asked = passage::asked(words, &self.settings)?;
        let stores = || {
            let own = all.open.iter().filter_map(|e| Some((Some(e), e.store.as_ref()?)));
            own.chain(self.shelf().map(|shelf| (None, shelf)))
        };
        let has = |locus: &Locus, store: &TextStore| {
            let name = locus.text.to_string();
            store.texts().iter().any(|t| t.locus == name)
        };
        let is_there =
            asked.as_ref().is_ok_and(|locus| stores().any(|(_, store)| has(locus, store)));
        if !is_there && passage::is_leaf_name(words) {
            let leaves = stores().flat_map(|(_, store)| leaves(words, store)).collect();
            if let Some(leaf) = passage::the_one_leaf(words, leaves)? {
                asked = Ok(leaf);
            }
        }
        let (mut found, mut missing) = (vec![], None);
        let name = asked.as_ref().map_or_else(|_| String::new(), |locus| locus.text.to_string());
        for (edition, store) in stores() {
            let Some(library) = store.chapter(&name) else { continue };
            match passage::find(words, &asked, &library, layers) {
                Ok((locus, _)) => {
                    found.push(FoundChapter { edition: edition.cloned(), library, locus });
                }
                Err(e) => _ = missing.get_or_insert(e),
            }
        }
        if !found.is_empty() {
            return Ok(found);
        }
        Err(missing.unwrap_or_else(|| no_chapter(words, asked, &self.known(all))))
    }

    /// The chapters that there are, as an error names them.
    fn known(&self, all: &OpenEditions) -> Vec<String> {
        let named = |t: &CountedText| match (&t.work, &t.chapter) {
            (Some(work), Some(chapter)) => format!("{} ({work}・{chapter})", t.locus),
            _ => format!("{} ({})", t.locus, t.title),
        };
        let of_editions = all.open.iter().flat_map(|e| &e.texts).map(named);
        let mut known: Vec<String> =
            of_editions.chain(self.shelf().into_iter().flat_map(TextStore::loci)).collect();
        let mut seen = HashSet::new();
        known.retain(|name| seen.insert(name.clone()));
        known
    }

    /// What an answer says at its end: what was searched, and what was not.
    pub(super) fn finish(&self, answer: &mut Value, all: &OpenEditions, with_shelf: bool) {
        let searched = all.open.iter().map(|e| e.described());
        let mut searched: Vec<Value> = searched.collect();
        let mut closed = all.closed.clone();
        if let Some(shelf) = self.shelf() {
            let texts = shelf.len();
            match with_shelf {
                true => searched.push(json!({ "edition": "your library", "texts": texts })),
                false => closed.push(format!(
                    "your library ({texts} chapters): it has no index; passage, who_quotes, \
                     verify and gloss read it"
                )),
            }
        }
        answer["searched"] = searched.into();
        answer["not_searched"] = closed.into();
    }
}

/// The leaves with a name, in all texts of a store.
fn leaves(words: &str, store: &TextStore) -> Vec<(Locus, String)> {
    let documents = (0..store.len()).filter_map(|n| store.read(n));
    documents.flat_map(|d| passage::leaves_in_text(words, &d, &Loci::of(&d))).collect()
}

fn no_chapter(words: &str, asked: AskedLocus, known: &[String]) -> Error {
    match asked {
        Ok(locus) => passage::no_text(&locus, known),
        Err(e) => passage::missing_leaf(words).unwrap_or(e),
    }
}

/// An error as programs get it: what is wrong, at which character of a query (from 1), for how many
/// characters, and what helps.
pub(crate) fn complaint(e: &Error) -> Value {
    let column = e.place.filter(|_| e.kind == ErrorKind::Query).map(|p| p.column);
    json!({ "error": { "message": e.message, "column": column, "width": e.width, "hint": e.hint } })
}
