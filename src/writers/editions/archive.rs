//! The archive that EPUB, DOCX and ODT are: files packed with ZIP. All its bytes depend only on the
//! input: its files have the date of the edition.

use std::io::{self, Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::Edition;
use crate::markup::{Escaping, Markup};

/// How hard files are packed, 1 to 9. Against the usual 6 it takes a tenth less time for the whole
/// export, and books are larger by a fiftieth.
const LEVEL: i64 = 3;

/// An archive that is being written.
pub(super) struct EditionArchive {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    options: SimpleFileOptions,
}

impl EditionArchive {
    /// Begins one. If its format asks for a media type, that is the first file, and not packed.
    pub(super) fn new(edition: &Edition, media_type: Option<&str>) -> io::Result<Self> {
        let date = edition.about.date;
        let time = zip::DateTime::from_date_and_time(
            date.year.clamp(1980, 2107),
            date.month,
            date.day,
            0,
            0,
            0,
        )
        .unwrap_or_default();
        let options = SimpleFileOptions::default().last_modified_time(time).unix_permissions(0o644);
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        if let Some(media_type) = media_type {
            zip.start_file("mimetype", options.compression_method(CompressionMethod::Stored))?;
            zip.write_all(media_type.as_bytes())?;
        }
        let options =
            options.compression_method(CompressionMethod::Deflated).compression_level(Some(LEVEL));
        Ok(EditionArchive { zip, options })
    }

    /// Adds a file.
    pub(super) fn add(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.begin(name)?.write_all(bytes)
    }

    /// Begins a file, and returns where it is to be written.
    pub(super) fn begin(&mut self, name: &str) -> io::Result<&mut dyn Write> {
        self.zip.start_file(name, self.options)?;
        Ok(&mut self.zip)
    }

    /// Its bytes.
    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        Ok(self.zip.finish()?.into_inner())
    }
}

/// A file of XML, in memory.
pub(super) fn xml(write: impl FnOnce(&mut Markup<'_>)) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    let mut x = Markup::xml(&mut bytes, Escaping::Xml);
    write(&mut x);
    x.line();
    x.finish()?;
    Ok(bytes)
}
