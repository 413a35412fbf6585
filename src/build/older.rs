//! Texts that cannot be read at the moment: the edition keeps them as the last build read them.

use std::collections::BTreeMap;
use std::path::Path;

use super::built;
use super::stamp::{Stamp, hash};
use crate::cache::Cache;
use crate::corpus::{Corpus, TextEntry};
use crate::diag::{Diagnostic, Error, ErrorKind};
use crate::load::Loaded;
use crate::model::Document;
use crate::settings::Settings;
use crate::source::Span;

/// Adds to `loaded`, for each text of the last build that cannot be read now, what that build read,
/// marked as older. Its error stays, or becomes one. Returns the hashes of what was added, by the
/// names of the files: the next build may need it again.
///
/// The bytes come from the documents that the last build kept, and are used only if they are what
/// it read.
pub(super) fn stand_in(
    (corpus, settings): (&Corpus, &Settings),
    (old, out): (&Stamp, &Path),
    loaded: &mut Loaded,
) -> BTreeMap<String, String> {
    let cache = built::cache(out);
    let mut added = BTreeMap::new();
    for entry in &corpus.about.texts {
        let path = &entry.path;
        let error = loaded.errors.iter().position(|e| {
            // What is wrong with corrections has their path.
            e.path.as_deref() == Some(path) && e.kind != ErrorKind::Request
        });
        let left_out = loaded.left_out.iter().position(|(file, _)| file == path);
        let is_there = std::fs::symlink_metadata(path).is_ok();
        if !is_there || (error.is_none() && left_out.is_none()) {
            continue;
        }
        let Some((name, bytes)) = last_read(corpus, entry, old, &cache) else { continue };
        let hash = hash(&bytes);
        let Ok(mut document) = settings.entry_of(entry, bytes) else { continue };
        mark(&mut document);
        loaded.documents.push(document);
        added.insert(name, hash);
        let error = match (error, left_out) {
            (Some(n), _) => loaded.errors.remove(n),
            (None, n) => {
                let (path, why) = loaded.left_out.remove(n.unwrap_or_default());
                Error::input(&path, why)
            }
        };
        loaded.errors.push(error.hint(
            "the edition has it as the last build read it; build again when this can be read, or \
             delete the file, or go on without it by --force",
        ));
    }
    settings.put_in_order(corpus, &mut loaded.documents);
    added
}

/// The name of a text in the record of the last build, and the bytes that this build read.
fn last_read(
    corpus: &Corpus,
    entry: &TextEntry,
    old: &Stamp,
    cache: &Cache,
) -> Option<(String, Vec<u8>)> {
    let (name, wanted) = old.read_of(corpus, &entry.path)?;
    let kept = old.documents_of(&entry.id).filter_map(|d| cache.read::<Document>(d.kept.as_ref()?));
    let mut parts: Vec<Document> = kept.filter(|d| d.source.path() == entry.path).collect();
    parts.sort_by_key(|d| d.source.file_part().map_or(0, |part| part.nth));
    let bytes: Vec<u8> = parts.iter().flat_map(|d| d.source.bytes()).collect();
    (hash(&bytes) == wanted).then_some((name, bytes))
}

/// Says it at the beginning of each chapter.
fn mark(document: &mut Document) {
    let first_line = |chapter: Span| {
        let text = document.source.slice(chapter);
        let blank = text.len() - text.trim_start().len();
        let line = text[blank..].find('\n').unwrap_or(text.len() - blank);
        Span::new(chapter.start() + blank, chapter.start() + blank + line)
    };
    let lines: Vec<Option<Span>> = match &document.outline[..] {
        [] | [_] => vec![None],
        chapters => chapters.iter().map(|chapter| Some(first_line(chapter.span))).collect(),
    };
    document.diagnostics.extend(lines.into_iter().map(|line| {
        let message = "this text cannot be read at the moment, and is as an earlier build read it";
        Diagnostic::warning("older", line, message)
    }));
}
