//! Formats of single documents, as their writers write them.

use std::io;

use super::Edition;
use super::formats::{Format, by_document, document};

pub(super) const TEI: Format = Format {
    name: "tei",
    extension: "xml",
    about: "TEI P5, a file a text",
    files: by_document,
    write: |edition, which, out| by_writer("tei", edition, which, out),
    ..Format::PLAIN
};

pub(super) const JSON: Format = Format {
    name: "json",
    extension: "json",
    about: "spans, links, diagnostics, a file a text (schema/zhushu.schema.json)",
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
