//! Writers: one file an output format. To add one, write its file and add its line to [`WRITERS`].

pub mod alignment;
pub mod editions;
pub(crate) mod html;
mod json;
pub mod references;
mod source;
mod tei;

use std::io;

// What editions are put together from; a writer knows no other writer but by what stands here.
pub(crate) use alignment::tmx;
pub(crate) use references::annotations;

use crate::corpus::Library;
use crate::diag::Error;
use crate::model::Document;

/// A format that can be written.
pub struct Writer {
    /// Name for `--to`.
    pub name: &'static str,
    /// Ending of the files it makes.
    pub extension: &'static str,
    /// What it writes, in one line.
    pub about: &'static str,
    /// Writes a document; the library resolves what its links point at.
    pub write: fn(&Document, &Library, &mut dyn io::Write) -> io::Result<()>,
}

/// All writers.
pub static WRITERS: &[Writer] = &[
    Writer {
        name: "tei",
        extension: "xml",
        about: "TEI P5: the canonical edition, from which the source comes back byte for byte",
        write: tei::write,
    },
    Writer {
        name: "json",
        extension: "json",
        about: "spans, links and diagnostics for other programs (schema/zhushu.schema.json)",
        write: json::write,
    },
    Writer {
        name: "html",
        extension: "html",
        about: "a reading page, self-contained",
        write: html::write,
    },
    Writer {
        name: "source",
        extension: "txt",
        about: "the source's own bytes, as they were read",
        write: source::write,
    },
];

/// The writer called `name`.
///
/// # Errors
/// When there is none.
pub fn by_name(name: &str) -> Result<&'static Writer, Error> {
    WRITERS.iter().find(|w| w.name == name).ok_or_else(|| {
        let names: Vec<_> = WRITERS.iter().map(|w| w.name).collect();
        Error::usage(format!("no writer is called “{name}”"))
            .hint(format!("there are: {}", names.join(", ")))
    })
}
