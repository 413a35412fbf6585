//! `verify`: checks quotations against the editions, and against the chapters of the user's library
//! that share words with them.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::answerer::Answerer;
use super::arguments::Arguments;
use super::bounds::{Budget, IsOver};
use crate::corpus::Library;
use crate::diag::Error;
use crate::model::{Document, Layer, Segment};
use crate::search::{self, Index};
use crate::shelf::Shelf;
use crate::source::{Source, Span};
use crate::verify::{QuotingText, Verifier};

pub(super) fn answer(
    answerer: &Answerer,
    arguments: &Arguments,
    is_over: &IsOver,
) -> Result<Value, Error> {
    let words = arguments.words("text").unwrap_or_default();
    let text = QuotingText::of_words("text", words);
    let all = answerer.editions()?;
    let mut indexes = vec![];
    for edition in &all.open {
        let is_over = is_over.clone();
        let index = Index::open(&edition.index)?.until(move || is_over());
        indexes.push((edition.name.clone(), index));
    }
    let shelf = answerer.settings.shelf.as_deref();
    let own = shelf.map(|s| index_of_shelf(s, std::slice::from_ref(&text))).transpose()?.flatten();
    let mut verifier = Verifier::new(answerer.settings.works.clone());
    if shelf.is_some() {
        verifier = verifier.partly();
    }
    for (name, index) in &indexes {
        verifier = verifier.with(name.clone(), index)?;
    }
    if let Some(ShelfIndex { index, left_out, .. }) = &own {
        let name = match left_out {
            0 => "your library".to_string(),
            n => format!("your library ({n} chapters that share words were not searched)"),
        };
        verifier = verifier.with(name, index)?;
    }
    let mut report = match arguments.words("cited").filter(|c| !c.trim().is_empty()) {
        None => serde_json::to_value(verifier.check(&text)?).unwrap_or_default(),
        Some(cited) => {
            let item = verifier.check_words(words, Some(cited))?;
            json!({ "searched": verifier.searched(), "items": item.into_iter().collect::<Vec<_>>() })
        }
    };
    let mut budget = Budget::of(arguments, answerer.bytes);
    if let Value::Array(items) = &mut report["items"] {
        items.retain(|item| budget.take(item));
    }
    (report["total"], report["more"]) = (budget.total().into(), budget.more());
    let mut searched = report["searched"].take();
    searched.as_array_mut().into_iter().flatten().for_each(shorten);
    answerer.finish(&mut report, &all, true);
    report["searched"] = searched;
    Ok(report)
}

/// Most works of an edition that an answer names; `contents` has all.
const MAX_WORKS_NAMED: usize = 40;

/// Leaves out all but the first works of what was searched, with their number.
fn shorten(searched: &mut Value) {
    let Some(works) = searched["works"].as_array_mut() else { return };
    let all = works.len();
    works.truncate(MAX_WORKS_NAMED);
    if all > MAX_WORKS_NAMED {
        searched["more_works"] = (all - MAX_WORKS_NAMED).into();
    }
}

/// An index of a part of the user's library.
pub(crate) struct ShelfIndex {
    pub(crate) index: Index,
    /// Chapters that share words too, but were too many.
    pub(crate) left_out: usize,
    /// Its folder, which goes with it.
    _folder: TempDir,
}

/// An index of the chapters of the user's library that share words with the quotations; `None` if
/// none does.
///
/// # Errors
/// When the library cannot be read or the index cannot be written.
pub(crate) fn index_of_shelf(
    shelf: &Shelf,
    texts: &[QuotingText],
) -> Result<Option<ShelfIndex>, Error> {
    let words: Vec<&str> = texts.iter().flat_map(QuotingText::quotations).collect();
    let source = Source::from_text("-", words.join("\n"));
    let whole = Span::new(0, source.text().len());
    let mut sought = Document::new(source.into(), "verify");
    sought.push(Segment::marked(Layer::Undivided, whole));
    let found = shelf.sharing(&sought);
    let (documents, left_out) = found.map_err(|e| Error::io(Path::new("."), "read", &e))?;
    if documents.is_empty() {
        return Ok(None);
    }
    let (index, folder) = temporary_index(&Library { documents, ..Library::default() })?;
    Ok(Some(ShelfIndex { index, left_out, _folder: folder }))
}

/// An index of a library, and its folder, which goes with it.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn temporary_index(library: &Library) -> Result<(Index, TempDir), Error> {
    let made = TempDir::with_prefix("zhushu-");
    let folder = made.map_err(|e| Error::io(Path::new("."), "make a temporary folder", &e))?;
    search::build(library, folder.path())?;
    Ok((Index::open(folder.path())?, folder))
}
