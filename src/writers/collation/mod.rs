//! Writers of collations: one file for each format. To add one, write its file and add a row to
//! [`COLLATION_WRITERS`]. The page of a collation is in `site/`, since it has the frame of pages.

mod endpoints;
mod head;
mod json;
mod tei;
mod tsv;

use std::io;

use crate::collation::{CollatedWitness, Collation, DifferenceClass, IndirectReading};

/// The collation of one chapter.
pub struct CollatedChapter<'a> {
    /// Work and chapter, or the title of the base.
    pub title: String,
    /// The table.
    pub collation: Collation<'a>,
    /// What notes report of other readings, and the words that are quoted otherwise; empty unless
    /// that was asked for.
    pub reported: Vec<IndirectReading>,
}

/// A format of collations.
pub struct CollationWriter {
    /// Name for `--to`.
    pub name: &'static str,
    /// Extension of its files.
    pub extension: &'static str,
    /// What it writes, in one line.
    pub about: &'static str,
    /// Writes the chapters.
    pub write: fn(&[CollatedChapter<'_>], &mut dyn io::Write) -> io::Result<()>,
}

/// All writers of collations but the page.
pub static COLLATION_WRITERS: &[CollationWriter] = &[
    writer(
        "tsv",
        "tsv",
        "one difference on each line: class, locus, words, line and column in both texts",
        tsv::write,
    ),
    writer("json", "json", "the whole table for programs (zhushu-collation/1)", json::write),
    writer("tei", "xml", "TEI P5 critical apparatus, parallel segmentation", tei::write),
    writer(
        "tei-endpoints",
        "xml",
        "TEI P5 critical apparatus, double end-point: the base, and the readings after it",
        endpoints::write,
    ),
];

const fn writer(
    name: &'static str,
    extension: &'static str,
    about: &'static str,
    write: fn(&[CollatedChapter<'_>], &mut dyn io::Write) -> io::Result<()>,
) -> CollationWriter {
    CollationWriter { name, extension, about, write }
}

/// The sigla of all chapters, each once, in the order of first use.
fn sigla<'a>(chapters: &'a [CollatedChapter<'_>]) -> Vec<&'a CollatedWitness<'a>> {
    let mut all: Vec<&CollatedWitness<'_>> = Vec::new();
    for witness in chapters.iter().flat_map(|c| &c.collation.witnesses) {
        if !all.iter().any(|w| w.siglum == witness.siglum) {
            all.push(witness);
        }
    }
    all
}

/// The class that says most among those of a place.
fn gravest(classes: &[DifferenceClass]) -> Option<DifferenceClass> {
    DifferenceClass::ALL.into_iter().find(|c| classes.contains(c))
}
