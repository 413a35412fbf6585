//! One text from all witnesses of a chapter.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::Settings;
use crate::collation::{merged, merged_with_notes, other_readings, place_in};
use crate::corpus::Library;
use crate::diag::Error;
use crate::model::{Alignment, Document, Layer, Role};
use crate::text::fold::fold;

use crate::cli::collate::{is_called, is_of_chapter};
use crate::cli::columns::counted;
use crate::cli::language::say;
use crate::cli::render;

/// What is merged.
pub struct MergeChoice<'a> {
    /// The chapter.
    pub chapter: &'a str,
    /// The text that decides where they differ; without it, the longest.
    pub base: Option<&'a str>,
    /// Whether the notes of all are wanted.
    pub notes: bool,
}

/// Adds the merged text of a chapter to a library, and returns its id. `ids` are those of the texts
/// to merge.
///
/// # Errors
/// When no text is of the chapter, or none is called as the base is.
pub fn merge(
    library: &mut Library,
    ids: &[String],
    choice: &MergeChoice<'_>,
    settings: &Settings,
) -> Result<String, Error> {
    let MergeChoice { chapter, base, notes } = *choice;
    let all: Vec<Arc<Document>> = ids.iter().filter_map(|id| library.get(id)).cloned().collect();
    let of_chapter = |d: &&Arc<Document>| {
        d.meta.role == Role::Witness
            && is_of_chapter(d, chapter)
            && d.of_layer(Layer::Jing).next().is_some()
    };
    let witnesses: Vec<&Document> = all.iter().filter(of_chapter).map(|d| &**d).collect();
    let base = match base {
        None => witnesses.iter().copied().max_by_key(|d| length(d)),
        Some(name) => {
            let is_named =
                |d: &&Document| is_called(d, name) || d.meta.siglum.as_deref() == Some(name);
            Some(witnesses.iter().copied().find(is_named).ok_or_else(|| {
                let names: Vec<&str> = witnesses.iter().map(|d| &*d.id).collect();
                Error::request(format!("no text of the chapter is called “{name}”"))
                    .hint(format!("there are: {}", names.join(", ")))
            })?)
        }
    };
    let Some(base) = base else {
        let names: BTreeSet<&str> = all.iter().filter_map(|d| d.meta.chapter.as_deref()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        return Err(Error::request(format!("no text has the classic of a chapter “{chapter}”"))
            .hint(format!("there are: {}", names.join("、"))));
    };
    let others: Vec<&Document> =
        witnesses.iter().copied().filter(|d| !std::ptr::eq(*d, base)).collect();
    let order = |other: &Document| order(other, base, library);
    let merged = match notes {
        true => merged_with_notes(base, &others, order),
        false => merged(base, &others, order),
    };
    for id in &merged.left_out {
        // If standard error is closed, the message cannot be shown.
        _ = render::note(&format!(
            "{id} shares too little to find its place and is left out; a text of the whole chapter beside (--with), or the title of the chapter over its first part, shows it"
        ));
    }
    let mut document = merged.document;
    document.id = format!("{}-merged", base.id);
    let parts: Vec<String> = merged
        .stretches
        .iter()
        .map(|s| {
            let (characters, witness) = (counted(s.chars, "character"), &s.witness);
            match s.notes {
                true => format!("{characters} of notes from {witness}"),
                false => format!("{characters} from {witness}"),
            }
        })
        .collect();
    let note = |parts: &[String]| match parts {
        [] => format!("{} lacks nothing that the others have", base.id),
        parts => format!("{}, with {}", base.id, parts.join(", ")),
    };
    // If standard error is closed, the message cannot be shown.
    _ = render::note(&note(&parts.iter().map(|part| say(part)).collect::<Vec<_>>()));
    let note = note(&parts);
    let edition = document.meta.edition.take().into_iter().chain([format!("merged: {note}")]);
    document.meta.edition = Some(edition.collect::<Vec<_>>().join("; "));
    let id = document.id.clone();
    // The other documents are as the passes left them; only the merged one is new.
    for mut document in settings.run(vec![document]).documents {
        let readings = other_readings(&document, &witnesses);
        let all = &mut Arc::make_mut(&mut document).readings;
        all.extend(readings);
        all.sort_by_key(|r| (r.span.start(), r.span.end()));
        library.documents.push(document);
    }
    Ok(id)
}

/// Whether a text is before or after another one in their chapter: by the numbers of their first
/// sections, by another text of the chapter that has the words of both, by a translation of both,
/// or by the title of the chapter, if one of them begins with it.
fn order(other: &Document, base: &Document, library: &Library) -> Option<Ordering> {
    let first = |d: &Document| d.meta.first_section;
    if first(other).is_some() || first(base).is_some() {
        return Some(first(other).unwrap_or(1).cmp(&first(base).unwrap_or(1)));
    }
    let chapter = base.meta.chapter.as_deref().unwrap_or_default();
    let mut others =
        library.all().filter(|d| d.id != other.id && d.id != base.id && is_of_chapter(d, chapter));
    let by_other =
        others.find_map(|whole| Some(place_in(whole, other)?.cmp(&place_in(whole, base)?)));
    if by_other.is_some() {
        return by_other;
    }
    let mut translations = library.alignments.iter().filter(|a| a.source == base.id);
    let by_translation = translations.find_map(|own| {
        let theirs = library
            .alignments
            .iter()
            .find(|a| a.source == other.id && a.translation == own.translation)?;
        Some(middle(theirs)?.cmp(&middle(own)?))
    });
    by_translation.or_else(|| order_by_title(other, base))
}

/// The order of two texts of which one begins with the title of their chapter. It is the weakest
/// sign, as who cuts a piece from a chapter may write the title over it; so it is reported.
fn order_by_title(other: &Document, base: &Document) -> Option<Ordering> {
    let order = match (has_title(other), has_title(base)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => return None,
    };
    let (first, second) = if order.is_lt() { (other, base) } else { (base, other) };
    // If standard error is closed, the message cannot be shown.
    _ = render::note(&format!(
        "{} begins with the title of the chapter, so {} is taken as what follows it",
        first.id, second.id
    ));
    Some(order)
}

/// True if the title of its chapter is over the first words of its classic.
fn has_title(document: &Document) -> bool {
    let chapter = document.meta.chapter.as_deref().unwrap_or_default();
    let before = document.segments.iter().take_while(|s| s.layer != Layer::Jing);
    let mut headings = before.filter(|s| s.layer == Layer::Heading);
    let folded = |words: &str| words.chars().map(fold).collect::<String>();
    let title = folded(chapter);
    !title.is_empty() && headings.any(|s| folded(&document.words(s.span)).contains(&title))
}

/// The place in the translation of the middle bead.
fn middle(alignment: &Alignment) -> Option<usize> {
    let beads = alignment.beads.iter().filter(|b| !b.source.is_empty());
    let mut places: Vec<usize> =
        beads.filter_map(|b| b.translation.first()).map(|s| s.start()).collect();
    places.sort_unstable();
    places.get(places.len() / 2).copied()
}

/// Bytes of the classic.
fn length(document: &Document) -> usize {
    document.of_layer(Layer::Jing).map(|s| s.span.len()).sum()
}
