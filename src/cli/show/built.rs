//! A passage from what `build` wrote: only the texts of its chapter are read, with the alignments
//! as the build found them.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Settings;
use crate::cli::build::stamp::{BuiltText, Stamp};
use crate::cli::texts;
use crate::corpus::Library;
use crate::diag::Error;
use crate::model::{Alignment, Bead, Certainty, Document, Grain, Locus};
use crate::source::Span;

/// The texts that have the chapter of a locus, with their translations. `None` if `out` is not a
/// folder that `build` wrote, or has no such chapter.
///
/// # Errors
/// When a file of the build cannot be read.
pub fn chapter(out: &Path, locus: &Locus, settings: &Settings) -> Result<Option<Library>, Error> {
    let tei = texts::built(out);
    if tei == out {
        return Ok(None);
    }
    let Some(stamp) = Stamp::read(out)? else { return Ok(None) };
    let name = locus.text.to_string();
    let own: Vec<&BuiltText> = stamp.documents.iter().filter(|d| d.locus == name).collect();
    if own.is_empty() {
        return Ok(None);
    }
    let is_own = |id: &String| own.iter().any(|d| d.id == *id);
    let translations = stamp.documents.iter().filter(|d| d.translates.iter().any(is_own));
    let read = |d: &BuiltText| {
        let path = tei.join(format!("{}.xml", d.id));
        texts::read(&texts::entry(&path, Some("tei"), None), settings)
    };
    let documents =
        own.iter().copied().chain(translations).map(read).collect::<Result<Vec<_>, _>>()?;
    // Layers and loci are settled, and references are not shown.
    let settings = Settings { references: false, ..settings.clone() };
    let mut library = settings.run(documents);
    library.alignments = alignments(out, &library)?;
    Ok(Some(library))
}

#[derive(Deserialize)]
struct AlignmentFile {
    beads: Vec<BeadFile>,
}

#[derive(Deserialize)]
struct BeadFile {
    source: Vec<SpanFile>,
    translation: Vec<SpanFile>,
    cert: f64,
}

/// Code points of the file, end exclusive.
#[derive(Deserialize)]
struct SpanFile {
    start: usize,
    end: usize,
}

fn alignments(out: &Path, library: &Library) -> Result<Vec<Alignment>, Error> {
    let mut all = vec![];
    for translation in &library.documents {
        for source in translation.meta.translates.iter().filter_map(|id| library.get(id)) {
            let path = path_of(out, &source.id, &translation.id);
            if !path.is_file() {
                continue;
            }
            let file: AlignmentFile = serde_json::from_value(texts::json(&path)?)
                .map_err(|e| Error::input(&path, format!("this is not an alignment: {e}")))?;
            all.push(Alignment {
                source: source.id.clone(),
                translation: translation.id.clone(),
                grain: Grain::Sentence,
                beads: file.beads.iter().map(|b| bead(b, source, translation)).collect(),
            });
        }
    }
    Ok(all)
}

fn path_of(out: &Path, source: &str, translation: &str) -> PathBuf {
    out.join("json").join(format!("{source}--{translation}.align.json"))
}

fn bead(b: &BeadFile, source: &Document, translation: &Document) -> Bead {
    let spans = |spans: &[SpanFile], d: &Document| {
        let first = d.source.file_char_of(0);
        let byte = |n: usize| d.source.byte_of(n.saturating_sub(first)).min(d.source.text().len());
        spans.iter().map(|s| Span::new(byte(s.start), byte(s.end.max(s.start)))).collect()
    };
    Bead {
        source: spans(&b.source, source),
        translation: spans(&b.translation, translation),
        certainty: Certainty::new(b.cert),
        evidence: vec![],
    }
}
