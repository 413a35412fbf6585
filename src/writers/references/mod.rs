//! Writers of references: one file for each format. To add one, write its file and add a row to
//! [`REFERENCE_WRITERS`].

pub(crate) mod annotations;
mod graphml;
pub(crate) mod json;
mod tsv;

use std::io;

use crate::corpus::refs::Reference;

/// A format of references.
pub struct ReferenceWriter {
    /// Name for `--to`.
    pub name: &'static str,
    /// Extension of its files.
    pub extension: &'static str,
    /// What it writes, in one line.
    pub about: &'static str,
    /// Writes the references in the order given.
    pub write: fn(&[Reference<'_>], &mut dyn io::Write) -> io::Result<()>,
}

/// All writers of references.
pub static REFERENCE_WRITERS: &[ReferenceWriter] = &[
    writer("tsv", "tsv", "one reference on each line, with places, words and evidence", tsv::write),
    writer("json", "json", "references with both ends (zhushu-refs/1)", json::write),
    writer(
        "graphml",
        "graphml",
        "passages and works as a graph, for Gephi, yEd, Cytoscape, networkx",
        graphml::write,
    ),
    writer(
        "annotations",
        "jsonld",
        "W3C Web Annotations as JSON-LD, for annotation tools",
        annotations::write,
    ),
];

const fn writer(
    name: &'static str,
    extension: &'static str,
    about: &'static str,
    write: fn(&[Reference<'_>], &mut dyn io::Write) -> io::Result<()>,
) -> ReferenceWriter {
    ReferenceWriter { name, extension, about, write }
}
