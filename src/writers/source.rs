//! The bytes of the source file, unchanged. They show that the program lost nothing.

use std::io;

use crate::corpus::Library;
use crate::model::Document;

/// Writes the bytes of the file whose chapters are given.
///
/// # Errors
/// When writing to `to` fails.
pub fn write_book(
    chapters: &[&Document],
    library: &Library,
    to: &mut dyn io::Write,
) -> io::Result<()> {
    chapters.iter().try_for_each(|chapter| write(chapter, library, to))
}

/// Writes the bytes of the file the document was read from, in its own encoding.
///
/// # Errors
/// When writing to `to` fails.
pub fn write(document: &Document, _: &Library, to: &mut dyn io::Write) -> io::Result<()> {
    to.write_all(&document.source.bytes())
}
