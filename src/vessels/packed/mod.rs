//! Files that are no text themselves but have one: of Word, LibreOffice and Excel, e-books, RTF,
//! PDF. Their text is taken out once, as a web page or a table, which the vessel of web pages and
//! the reader of tables know; it is the source from then on, since such a file cannot be written
//! again byte for byte. The file is named by its hash, and what was left in it is said.

mod archive;
mod book;
mod odt;
mod pdf;
mod rtf;
mod sheet;
mod titles;
mod unpacked;
mod word;
mod written;

use std::path::Path;

use self::unpacked::Unpacked;
use crate::diag::{Error, ErrorKind};
use crate::guard::guarded;
use crate::source::{Container, Source, sha256_of};

/// A kind of file that has a text.
struct PackedKind {
    /// What people call it.
    name: &'static str,
    /// True if each of them has a text: one that is damaged is an error in a folder too.
    is_text: bool,
    /// True for the bytes of one.
    is_one: fn(&[u8]) -> bool,
    /// Its text.
    read: fn(&[u8]) -> Result<Unpacked, String>,
}

/// All kinds; archives are distinguished by their members.
static KINDS: &[PackedKind] = &[
    PackedKind { name: "Word (DOCX)", is_text: true, is_one: word::is_one, read: word::read },
    PackedKind { name: "OpenDocument (ODT)", is_text: true, is_one: odt::is_one, read: odt::read },
    PackedKind { name: "EPUB", is_text: true, is_one: book::is_one, read: book::read },
    PackedKind {
        name: "Excel (XLSX)",
        is_text: false,
        is_one: sheet::is_workbook,
        read: sheet::read,
    },
    PackedKind {
        name: "OpenDocument (ODS)",
        is_text: false,
        is_one: sheet::is_ods,
        read: sheet::read,
    },
    PackedKind { name: "RTF", is_text: false, is_one: rtf::is_one, read: rtf::read },
    PackedKind { name: "PDF", is_text: false, is_one: pdf::is_one, read: pdf::read },
];

/// True for the beginning of a file of a kind whose text can be taken out, or of an archive.
pub(crate) fn may_be_one(head: &[u8]) -> bool {
    archive::is_one(head) || rtf::is_one(head) || pdf::is_one(head)
}

/// The text of a packed file as a source; `None` for any other file.
///
/// # Errors
/// When it is damaged, encrypted, or larger than any text.
pub(crate) fn source(path: &Path, bytes: &[u8]) -> Result<Option<Source>, Error> {
    let Some(kind) = KINDS.iter().find(|kind| (kind.is_one)(bytes)) else { return Ok(None) };
    // Made for sound files: a damaged one must not end the program.
    let read = guarded(|| (kind.read)(bytes)).and_then(|read| read);
    let Unpacked { text, parts, left_out } = read.map_err(|why| {
        let message = format!("this file of {} cannot be read: {why}", kind.name);
        Error::input(path, message)
            .of_kind(if kind.is_text { ErrorKind::Io } else { ErrorKind::Encoding })
            .hint("open it in the program that it is of and save it again, or as text")
    })?;
    let sha256 = sha256_of([bytes.to_vec()]);
    let container = Container { kind: kind.name, parts, sha256, left_out };
    Ok(Some(Source::from_text(path, text).taken_out_of(container)))
}

#[cfg(test)]
mod tests;
