//! Formats of single documents, written by their writers.

use std::io;

use super::Edition;
use super::formats::{Format, by_document, document};

pub(super) const TEI: Format = Format {
    name: "tei",
    extension: "xml",
    about: "TEI P5, one file for each text",
    files: by_document,
    write: |edition, which, out| by_writer("tei", edition, which, out),
    ..Format::PLAIN
};

pub(super) const JSON: Format = Format {
    name: "json",
    extension: "json",
    about: "spans, links, diagnostics, one file for each text (schema/zhushu.schema.json)",
    files: by_document,
    write: |edition, which, out| by_writer("json", edition, which, out),
    ..Format::PLAIN
};

fn by_writer(
    name: &str,
    edition: &Edition,
    which: usize,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let writer = crate::writers::by_name(name).map_err(|e| io::Error::other(e.message))?;
    (writer.write)(document(edition, which)?, &edition.library, out)
}
