//! Writers: one file for each output format. To add one, write its file and add a row to
//! [`WRITERS`].

pub mod alignment;
pub(crate) mod collation;
pub mod editions;
pub mod glosses;
pub(crate) mod html;
mod json;
pub mod references;
mod source;
mod tei;

use std::io;

use serde::Serialize;

// The parts of other writers that editions use. A writer may use another only through these lines.
pub(crate) use alignment::tmx;
pub(crate) use glosses::tsv as gloss_table;
pub(crate) use references::annotations;
pub(crate) use references::json::place;

use crate::corpus::Library;
use crate::diag::Error;
use crate::model::{Document, Evidence, shown};

/// A format that can be written.
pub struct Writer {
    /// Name for `--to`.
    pub name: &'static str,
    /// Extension of its files.
    pub extension: &'static str,
    /// What it writes, in one line.
    pub about: &'static str,
    /// Writes a document; the library resolves what its links point at.
    pub write: fn(&Document, &Library, &mut dyn io::Write) -> io::Result<()>,
    /// Writes the chapters of one file together; none for a format for single chapters.
    pub write_book: Option<WriteBook>,
}

/// Writes the chapters of one file.
pub type WriteBook = fn(&[&Document], &Library, &mut dyn io::Write) -> io::Result<()>;

/// All writers.
pub static WRITERS: &[Writer] = &[
    writer(
        "tei",
        "xml",
        "TEI P5: the canonical edition, from which the source can be restored byte for byte",
        tei::write,
        Some(tei::write_book),
    ),
    writer(
        "json",
        "json",
        "spans, links and diagnostics for other programs (schema/zhushu.schema.json)",
        json::write,
        Some(json::write_book),
    ),
    writer("html", "html", "a reading page, self-contained", html::write, None),
    writer(
        "source",
        "txt",
        "the bytes of the source file, unchanged",
        source::write,
        Some(source::write_book),
    ),
];

const fn writer(
    name: &'static str,
    extension: &'static str,
    about: &'static str,
    write: fn(&Document, &Library, &mut dyn io::Write) -> io::Result<()>,
    write_book: Option<WriteBook>,
) -> Writer {
    Writer { name, extension, about, write, write_book }
}

/// The writer called `name`.
///
/// # Errors
/// When there is none.
pub fn by_name(name: &str) -> Result<&'static Writer, Error> {
    named(WRITERS, |w| w.name, name, "writer")
}

/// The row `name` of a table of formats; `what` says what kind of format, for the error.
fn named<'t, T>(
    table: &'t [T],
    name_of: fn(&T) -> &'static str,
    name: &str,
    what: &str,
) -> Result<&'t T, Error> {
    table.iter().find(|line| name_of(line) == name).ok_or_else(|| {
        let names: Vec<_> = table.iter().map(name_of).collect();
        Error::request(format!("no {what} is called “{name}”"))
            .hint(format!("there are: {}", names.join(", ")))
    })
}

/// Writes the items of a JSON array, one on each line.
fn json_items<T: Serialize>(
    out: &mut dyn io::Write,
    items: impl IntoIterator<Item = T>,
) -> io::Result<()> {
    for (n, item) in items.into_iter().enumerate() {
        out.write_all(if n == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &item)?;
    }
    Ok(())
}

/// The codes of a list of evidence, with blanks between them.
fn codes(evidence: &[Evidence]) -> String {
    shown(evidence).map(|e| e.code()).collect::<Vec<_>>().join(" ")
}
