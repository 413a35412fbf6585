//! Writers of alignments: one file a format. To add one, write its file and add its line to
//! [`ALIGNMENT_WRITERS`].

mod json;
pub(crate) mod tmx;
mod tsv;

use std::io;

use crate::diag::Error;
use crate::model::{Alignment, Document};

/// A format an alignment can be written in.
pub struct AlignmentWriter {
    /// Name for `--to`.
    pub name: &'static str,
    /// Ending of the files it makes.
    pub extension: &'static str,
    /// What it writes, in one line.
    pub about: &'static str,
    /// Writes the beads of an alignment of the classic (first document) with its translation.
    pub write: fn(&Alignment, &Document, &Document, &mut dyn io::Write) -> io::Result<()>,
}

/// All writers of alignments.
pub static ALIGNMENT_WRITERS: &[AlignmentWriter] = &[
    AlignmentWriter {
        name: "json",
        extension: "json",
        about: "beads with offsets, words and certainty (zhushu-align/1)",
        write: json::write,
    },
    AlignmentWriter {
        name: "tsv",
        extension: "tsv",
        about: "a bead a line: classic, translation, certainty, evidence",
        write: tsv::write,
    },
    AlignmentWriter {
        name: "tmx",
        extension: "tmx",
        about: "TMX 1.4b, for translators' tools",
        write: tmx::write,
    },
];

/// The writer called `name`.
///
/// # Errors
/// When there is none.
pub fn by_name(name: &str) -> Result<&'static AlignmentWriter, Error> {
    super::named(ALIGNMENT_WRITERS, |w| w.name, name, "writer of alignments")
}
