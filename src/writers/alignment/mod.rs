//! Writers of alignments: one file for each format. To add one, write its file and add a row to
//! [`ALIGNMENT_WRITERS`].

mod json;
pub(crate) mod tmx;
mod tsv;

use std::io;

use crate::diag::Error;
use crate::model::{Alignment, Bead, Document, Evidence};

/// A format of alignments.
pub struct AlignmentWriter {
    /// Name for `--to`.
    pub name: &'static str,
    /// Extension of its files.
    pub extension: &'static str,
    /// What it writes, in one line.
    pub about: &'static str,
    /// Writes the beads of an alignment of the classic (first document) with its translation.
    pub write: fn(&Alignment, &Document, &Document, &mut dyn io::Write) -> io::Result<()>,
}

/// All writers of alignments.
pub static ALIGNMENT_WRITERS: &[AlignmentWriter] = &[
    writer("json", "json", "beads with offsets, words and certainty (zhushu-align/1)", json::write),
    writer(
        "tsv",
        "tsv",
        "one bead on each line: classic, translation, certainty, evidence",
        tsv::write,
    ),
    writer("tmx", "tmx", "TMX 1.4b, for translators' tools", tmx::write),
];

const fn writer(
    name: &'static str,
    extension: &'static str,
    about: &'static str,
    write: fn(&Alignment, &Document, &Document, &mut dyn io::Write) -> io::Result<()>,
) -> AlignmentWriter {
    AlignmentWriter { name, extension, about, write }
}

/// The writer called `name`.
///
/// # Errors
/// When there is none.
pub fn by_name(name: &str) -> Result<&'static AlignmentWriter, Error> {
    super::named(ALIGNMENT_WRITERS, |w| w.name, name, "writer of alignments")
}

/// The evidence for a bead, with its details if there are any.
fn reasons(bead: &Bead) -> Vec<String> {
    let reason = |e: &Evidence| match &e.detail {
        Some(detail) => format!("{}: {detail}", e.code()),
        None => e.code().to_string(),
    };
    bead.evidence.iter().map(reason).collect()
}
