//! One text from all witnesses of a chapter.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::Settings;
use crate::collation::merged;
use crate::corpus::Library;
use crate::diag::Error;
use crate::model::{Document, Layer, Role};

use crate::cli::collate::is_of_chapter;
use crate::cli::render;

/// Adds the merged text of a chapter to a library, and returns its id. `ids` are those of the texts
/// to merge, `base` names the one that decides where they differ; without it, the longest.
///
/// # Errors
/// When no text is of the chapter, or none is called `base`.
pub fn merge(
    library: &mut Library,
    ids: &[String],
    (chapter, base): (&str, Option<&str>),
    settings: &Settings,
) -> Result<String, Error> {
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
            Some(witnesses.iter().copied().find(|d| is_called(d, name)).ok_or_else(|| {
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
    let (mut document, stretches) = merged(base, &others);
    document.id = format!("{}-merged", base.id);
    let parts: Vec<String> =
        stretches.iter().map(|s| format!("{} bytes from {}", s.span.len(), s.witness)).collect();
    let note = match parts.is_empty() {
        true => format!("{} lacks nothing that the others have", base.id),
        false => format!("{}, with {}", base.id, parts.join(", ")),
    };
    // If standard error is closed, the message cannot be shown.
    _ = render::note(&note);
    let edition = document.meta.edition.take().into_iter().chain([format!("merged: {note}")]);
    document.meta.edition = Some(edition.collect::<Vec<_>>().join("; "));
    let id = document.id.clone();
    // The other documents are as the passes left them; only the merged one is new.
    library.documents.extend(settings.run(vec![document]).documents);
    Ok(id)
}

/// Bytes of the classic.
fn length(document: &Document) -> usize {
    document.of_layer(Layer::Jing).map(|s| s.span.len()).sum()
}

fn is_called(document: &Document, name: &str) -> bool {
    document.id == name
        || document.source.name() == name
        || document.meta.siglum.as_deref() == Some(name)
}
