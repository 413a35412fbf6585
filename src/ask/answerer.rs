//! Answers what is asked of editions, folders of texts and the user's own library.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::bounds::{IsOver, stopped};
use super::edition::{AskedEdition, OpenEdition, is_edition};
use super::passage::{self, AskedLocus};
use super::store::TextStore;
use crate::corpus::{Library, Loci};
use crate::diag::{Error, ErrorKind};
use crate::model::{Layer, Locus};
use crate::search::CountedText;
use crate::settings::Settings;

/// The user's library in answers, among the names of editions.
pub(super) const YOUR_LIBRARY: &str = "your library";
/// Bytes of the list of an answer, unless others are named.
const BYTES: usize = 48_000;

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
        let without = all.open.iter().filter_map(|e| Some((&e.name, e.kept.as_ref().err()?)));
        let without: Vec<String> = without.map(|(name, why)| format!("{name}: {why}")).collect();
        all.open.retain(|e| e.kept.is_ok());
        let hint = "`zhushu build` writes an edition with its texts";
        match without.first().filter(|_| all.open.is_empty() && self.shelf.is_none()) {
            Some(why) => Err(Error::request(why.as_str()).hint(hint)),
            None => {
                all.closed.extend(without.iter().map(|why| format!("{why}; {hint}")));
                Ok(all)
            }
        }
    }

    /// Opens all editions; a folder of texts is read and linked, which may take as long as a build.
    /// What cannot be opened is an error of the answers.
    pub(super) fn open(&self) {
        _ = self.editions();
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
        is_over: &IsOver,
    ) -> Result<Vec<FoundChapter>, Error> {
        let mut asked = passage::asked(words, &self.settings)?;
        let stores = || {
            let own = all.open.iter().filter_map(|e| Some((Some(e), e.store()?)));
            own.chain(self.shelf().map(|shelf| (None, shelf)))
        };
        // Words that are no locus may name a leaf, for which all texts are read.
        if asked.is_err() {
            let mut found = vec![];
            for (_, store) in stores() {
                found.extend(leaves(words, store, is_over)?);
            }
            if let Some(leaf) = passage::the_one_leaf(words, found)? {
                asked = Ok(leaf);
            }
        }
        let (mut found, mut missing) = (vec![], None);
        let name = asked.as_ref().map_or_else(|_| String::new(), |locus| locus.text.to_string());
        for (edition, store) in stores() {
            let Some(library) = store.chapter(&name, is_over)? else { continue };
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
        if stores().any(|(_, store)| store.lacks_some_of(&name)) {
            let message = format!("a text of {name} was changed since the build, or is gone");
            return Err(Error::request(message).hint("`zhushu build` reads it again"));
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

    /// What an answer from indexes says at its end: what was searched, and what was not.
    pub(super) fn finish(&self, answer: &mut Value, all: &OpenEditions, with_shelf: bool) {
        let searched = all.open.iter().map(|e| e.described(&BTreeSet::new()));
        let mut searched: Vec<Value> = searched.collect();
        let mut closed = all.closed.clone();
        if let Some(shelf) = self.shelf() {
            let texts = shelf.len();
            match with_shelf {
                true => searched.push(json!({ "edition": YOUR_LIBRARY, "texts": texts })),
                false => closed.push(format!(
                    "your library ({texts} chapters): it has no index; passage, who_quotes, \
                     verify and gloss read it"
                )),
            }
        }
        answer["searched"] = searched.into();
        answer["not_searched"] = closed.into();
    }

    /// The same of an answer from the texts themselves, some of which may be unreadable.
    pub(super) fn finish_texts(
        &self,
        answer: &mut Value,
        all: &OpenEditions,
        is_asked: impl Fn(&TextStore) -> bool,
    ) {
        let (mut searched, mut closed) = (vec![], all.closed.clone());
        let editions = all.open.iter().filter_map(|e| Some((&*e.name, Some(e), e.store()?)));
        let shelf = self.shelf().map(|shelf| (YOUR_LIBRARY, None, shelf));
        for (name, edition, store) in editions.chain(shelf) {
            if !is_asked(store) {
                closed.push(format!(
                    "{name}: the passage is not in it, so nothing in it leads there"
                ));
                continue;
            }
            let unread = store.unread();
            searched.push(match edition {
                Some(edition) => edition.described(&unread),
                None => json!({ "edition": name, "texts": store.len() - unread.len() }),
            });
            let why = match edition {
                Some(_) => "changed since the build, or gone; `zhushu build` reads it again",
                None => "missing or damaged",
            };
            closed.extend(unread.iter().map(|id| format!("{name}, the text {id}: {why}")));
        }
        answer["searched"] = searched.into();
        answer["not_searched"] = closed.into();
    }
}

/// The leaves with a name, in all texts of a store.
fn leaves(words: &str, store: &TextStore, is_over: &IsOver) -> Result<Vec<(Locus, String)>, Error> {
    let mut found = vec![];
    for number in 0..store.len() {
        if is_over() {
            return Err(stopped());
        }
        let Some(document) = store.read(number) else { continue };
        found.extend(passage::leaves_in_text(words, &document, &Loci::of(&document)));
    }
    Ok(found)
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
