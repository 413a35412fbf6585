//! Whole books: which work a file is, where its chapters begin, and one document for each.
//!
//! A file stays one file with its bytes. Its layers are found in the whole file; whatever is
//! linked, numbered and shown is a chapter of it. [`headings`] finds lines that look like titles,
//! [`outline`] decides which of them are headings, a table of contents or running heads,
//! [`identify`] finds the work, and [`cut`] makes a document of each chapter. A file of one chapter
//! stays one document.

mod contents;
mod crossing;
mod cut;
mod cutting;
mod foreign;
mod framing;
mod headings;
mod hexagrams;
mod identify;
mod incipits;
mod language;
mod latin;
mod naming;
mod note_habits;
mod opened;
mod outline;
mod plain_copies;
mod profile;
mod rendered;
mod running;
mod series;
mod several;
mod shown;
pub(crate) mod translations;
mod unfamiliar;
mod unnumbered;
mod volumes;

use std::sync::Arc;

use crate::corpus::Works;
use crate::diag::Diagnostic;
use crate::guard::guarded;
use crate::model::{Document, Meta, Role};
use crate::source::Span;

pub(crate) use foreign::as_translation;
pub(crate) use identify::{Claim, Grounds, Identified};
pub(crate) use language::language_of;
pub(crate) use outline::{LineRole, Outline};
pub(crate) use plain_copies::separate;
pub use profile::{Profile, patterns};

/// What a file was found to be.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    /// The work, by each kind of evidence.
    pub identified: Identified,
    /// Its headings and chapters.
    pub outline: Outline,
}

/// Finds the work and the chapters of a document that covers a whole file; the works, if it has
/// several and nobody named one.
pub(crate) fn survey(document: &Document, works: &Works, profile: &Profile) -> Survey {
    let found = headings::find(document);
    let is_open = document.meta.work.is_none() && document.cited_as.is_none();
    let several = is_open.then(|| several::survey(document, &found, works, profile)).flatten();
    several.unwrap_or_else(|| surveyed(document, found, works, profile))
}

/// The same of a document of one work.
fn survey_of_one(document: &Document, works: &Works, profile: &Profile) -> Survey {
    surveyed(document, headings::find(document), works, profile)
}

fn surveyed(
    document: &Document,
    found: headings::FoundTitles,
    works: &Works,
    profile: &Profile,
) -> Survey {
    let identified = identify::identify(document, &found, works, profile);
    let outline = outline::of(document, found, &identified, works);
    Survey { identified, outline }
}

/// Lines of a document that look like titles, whether they were taken for headings or not.
pub(crate) fn title_lines(document: &Document) -> Vec<Span> {
    headings::find(document).titles.into_iter().map(|t| t.span).collect()
}

/// Finds the work, headings and chapters of a document that covers a whole file, and notes them in
/// it. The work and chapter are those that `document.meta` names, else those that its titles, its
/// file name or its words show.
///
/// A document read from our own TEI and one of which the chapter is named are left as they are. Of
/// a translation only titles are marked, unless it is said what it translates and it is a book.
pub(crate) fn outlined(document: Document, works: &Works, profile: &Profile) -> Document {
    let is_named = document.meta.work.is_some() && document.meta.chapter.is_some();
    outlined_as(document, is_named, works, profile)
}

/// The same if it is known whether somebody has named the chapter. What a reader found may be only
/// the first of many.
pub(crate) fn outlined_as(
    mut document: Document,
    is_named: bool,
    works: &Works,
    profile: &Profile,
) -> Document {
    if document.settled || document.surveyed {
        return document;
    }
    if document.meta.role == Role::Translation {
        let is_named = is_named || document.meta.translates.is_empty();
        let book = (!is_named).then(|| translations::book(&document, works, profile)).flatten();
        return book.unwrap_or_else(|| {
            cut::mark_titles(&mut document, works);
            document
        });
    }
    document.surveyed = true;
    let mut survey = survey(&document, works, profile);
    if is_named {
        survey.outline.chapters.clear();
        survey.outline.lines.retain(|(line, _)| document.confirmed_heading(*line).is_some());
    }
    cut::free_lines(&mut document);
    let unfamiliar = unfamiliar::remark(&document, &survey.identified);
    document.diagnostics.extend(unfamiliar);
    cut::take_up(&mut document, survey, works);
    // Once others share the list, ids would need a copy of it.
    document.number();
    document
}

/// Cuts each document that has several chapters into documents of its chapters, and says to which
/// group of its work each belongs.
pub fn cut_all(documents: Vec<Arc<Document>>, works: &Works) -> Vec<Arc<Document>> {
    let mut chapters = chapters_of(documents, works);
    for document in &mut chapters {
        let Meta { work, number, group, .. } = &document.meta;
        let of = work.as_ref().zip(*number).and_then(|(work, n)| works.group(work, n));
        if of.is_some() && of != group.as_deref() {
            Arc::make_mut(document).meta.group = of.map(String::from);
        }
    }
    chapters
}

fn chapters_of(documents: Vec<Arc<Document>>, works: &Works) -> Vec<Arc<Document>> {
    if documents.iter().all(|d| d.outline.is_empty() && d.chapters.is_empty()) {
        return documents;
    }
    let cut = |d: Arc<Document>| match d.outline.is_empty() && d.chapters.is_empty() {
        true => vec![d],
        false => match guarded(|| cut::cut(&d, works)) {
            Ok(chapters) => chapters.into_iter().map(Arc::new).collect(),
            Err(why) => vec![uncut(d, &why)],
        },
    };
    translations::of_chapters(documents.into_iter().flat_map(cut).collect())
}

/// A book that could not be cut stays one text, and says so.
fn uncut(mut document: Arc<Document>, why: &str) -> Arc<Document> {
    let message = format!("the book could not be cut into its chapters: {why}");
    let whole = Arc::make_mut(&mut document);
    whole.diagnostics.push(
        Diagnostic::warning("not-cut", None, message)
            .hint("this is a fault of zhushu; please report it, with the text if you can"),
    );
    whole.outline.clear();
    whole.chapters.clear();
    document
}

#[cfg(test)]
mod tests;
