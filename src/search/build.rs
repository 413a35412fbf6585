//! Makes the index of a library, and makes anew only what changed.
//!
//! Documents are gathered into files of a few megabytes. A file is named by a hash of all that it indexes, so a document
//! that changed gives its file another name and the others stay. Where a gathering ends is decided by the documents'
//! ids and sizes alone: a document added in the middle does not move the borders of all that follow.

use std::path::Path;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::store::manifest::{ENDING, Entry, Manifest, put, sweep};
use super::store::pages::{self, VERSION};
use super::store::segment::Segment;
use super::store::write::Writer;
use super::units::{DocMeta, Extract, Unit, extract};
use crate::corpus::Library;
use crate::diag::Error;
use crate::model::Document;
use crate::text::fold;

/// Bytes of text from which on a file may end, and at which it does.
const ENOUGH: usize = 4 << 20;
const FULL: usize = 16 << 20;

/// What a build of the index came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Files that were made.
    pub written: usize,
    /// Files that were there already.
    pub kept: usize,
    /// Bytes of the index.
    pub bytes: u64,
    /// Bytes of the texts.
    pub input: u64,
}

/// Makes the index of `library` in `folder`. The index that is there stays usable until the new one is complete, and if
/// the new one cannot be completed.
///
/// # Errors
/// When the folder cannot be written to, or a text is larger than an index can count (some 800 MB).
pub fn build(library: &Library, folder: &Path) -> Result<Built, Error> {
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, "make the folder", &e))?;
    let gatherings = gather(&library.documents.iter().map(|d| (d.id.as_str(), d.source.text().len())).collect::<Vec<_>>());
    let made: Vec<(Entry, bool)> = gatherings
        .into_par_iter()
        .map(|range| {
            let documents: Vec<&Document> = library.documents[range].iter().map(|d| &**d).collect();
            file(&documents, library, folder)
        })
        .collect::<Result<_, Error>>()?;
    let mut built = Built::default();
    for (entry, new) in &made {
        *(if *new { &mut built.written } else { &mut built.kept }) += 1;
        built.bytes += entry.bytes;
        built.input += entry.input;
    }
    let manifest = Manifest::new(made.into_iter().map(|(entry, _)| entry).collect());
    manifest.write(folder)?;
    sweep(folder, &manifest)?;
    Ok(built)
}

/// Ranges of documents that go into a file together.
fn gather(documents: &[(&str, usize)]) -> Vec<std::ops::Range<usize>> {
    let (mut ranges, mut start, mut bytes) = (vec![], 0, 0);
    for (i, (id, size)) in documents.iter().enumerate() {
        bytes += size;
        let end = bytes >= FULL || bytes >= ENOUGH && crc32fast::hash(id.as_bytes()).is_multiple_of(4);
        if end || i + 1 == documents.len() {
            ranges.push(start..i + 1);
            (start, bytes) = (i + 1, 0);
        }
    }
    ranges
}

/// Makes one file, unless it is there; tells whether it was made.
fn file(documents: &[&Document], library: &Library, folder: &Path) -> Result<(Entry, bool), Error> {
    let extracts: Vec<Extract> = documents.iter().map(|d| extract(d, library)).collect();
    let name = name(documents, &extracts);
    let path = folder.join(&name);
    let whole = path.exists() && Segment::open(&path).and_then(|s| s.verify()).is_ok();
    if !whole {
        let mut writer = Writer::default();
        for (document, extract) in documents.iter().zip(&extracts) {
            writer.add(document, extract);
        }
        let sections = writer.finish().map_err(|_| {
            Error::input(documents[0].source.path(), "the text is too large for the search index").hint("split it by chapter (juan)")
        })?;
        put(folder, &name, |out| pages::write(&sections, out))?;
    }
    let bytes = std::fs::metadata(&path).map_err(|e| Error::io(&path, "read", &e))?.len();
    let input = documents.iter().map(|d| d.source.text().len() as u64).sum();
    Ok((Entry { file: name, bytes, input, documents: documents.len() }, !whole))
}

/// A name made from all that a file holds.
fn name(documents: &[&Document], extracts: &[Extract]) -> String {
    let mut hash = Sha256::new();
    hash.update(VERSION.to_le_bytes());
    hash.update(fold::version().to_le_bytes());
    for (document, Extract { meta, units, .. }) in documents.iter().zip(extracts) {
        hash.update(document.source.sha256().as_bytes());
        hash.update(document.source.text().len().to_le_bytes());
        of_meta(meta, &mut hash);
        units.iter().for_each(|u| of_unit(u, &mut hash));
    }
    let hex: String = hash.finalize().iter().take(12).map(|b| format!("{b:02x}")).collect();
    format!("{hex}.{ENDING}")
}

fn of_meta(meta: &DocMeta, hash: &mut Sha256) {
    hash.update(serde_json::to_vec(meta).unwrap_or_default());
}

fn of_unit(unit: &Unit, hash: &mut Sha256) {
    let mut words: Vec<u32> =
        vec![unit.layer as u32, unit.sub.map_or(u32::MAX, |s| s as u32), unit.group, unit.cert.get().to_bits() as u32];
    for part in &unit.parts {
        words.extend([part.segment, part.sentence, part.span.start() as u32, part.span.end() as u32]);
        words.extend(part.marks.iter().flat_map(|m| [m.start() as u32, m.end() as u32]));
    }
    words.extend(unit.targets.iter().flat_map(|(d, s)| [*d, s.start() as u32, s.end() as u32]));
    words.iter().for_each(|w| hash.update(w.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_more_moves_no_border_far_away() {
        let ids: Vec<String> = (0..400).map(|n| format!("text-{n}")).collect();
        let all: Vec<(&str, usize)> = ids.iter().map(|id| (id.as_str(), 400 << 10)).collect();
        let ends = |documents: &[(&str, usize)]| {
            gather(documents).iter().map(|r| documents[r.end - 1].0.to_string()).collect::<std::collections::BTreeSet<_>>()
        };
        let whole = gather(&all);
        assert_eq!(whole.iter().flat_map(Clone::clone).collect::<Vec<_>>(), (0..400).collect::<Vec<_>>());
        let mut more = all.clone();
        more.insert(3, ("another", 400 << 10));
        assert!(whole.len() > 10 && ends(&all).symmetric_difference(&ends(&more)).count() <= whole.len() / 2);
    }
}
