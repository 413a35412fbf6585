//! EPUB 3.3: pages of one section or of several short ones, notes as pop-up footnotes, contents,
//! cover, Dublin Core.
//!
//! The packaging is our own code over `zip`: the container is a dozen lines, and all its bytes must
//! depend only on the input (the archive has the edition's date, the identifier is made from the
//! checksums of the texts).

mod package;
mod pages;

use std::io::{self, Cursor, Write};

use rayon::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::Edition;
use super::formats::Format;
use pages::BookPage;

const STYLE: &str = include_str!("../data/epub.css");

/// Styles added for vertical lines.
const VERTICAL: &str = "html { writing-mode: vertical-rl; -webkit-writing-mode: vertical-rl; -epub-writing-mode: vertical-rl }\n";

/// How hard files are packed, 1 to 9. Against the usual 6 it takes a tenth less time for the whole
/// export, and books are larger by a fiftieth.
const LEVEL: i64 = 3;

const CONTAINER: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>",
    "<rootfile full-path=\"EPUB/package.opf\" media-type=\"application/oebps-package+xml\"/>",
    "</rootfiles></container>\n"
);

pub(super) const FORMAT: Format = Format {
    name: "epub",
    extension: "epub",
    about: "EPUB 3, notes as pop-up footnotes",
    vertical: true,
    write,
    references: false,
    ..Format::PLAIN
};

/// Writes the book.
fn write(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let documents: Vec<_> = edition.documents().collect();
    let pages: Vec<Vec<BookPage>> = documents
        .par_iter()
        .enumerate()
        .map(|(n, d)| pages::pages(edition, d, n + 1))
        .collect::<io::Result<_>>()?;
    let mut book = Book::new(edition)?;
    book.add("META-INF/container.xml", CONTAINER.as_bytes())?;
    book.add("EPUB/package.opf", &package::package(edition, &pages)?)?;
    book.add("EPUB/nav.xhtml", &package::contents(edition, &documents, &pages)?)?;
    let upright = if edition.layout.vertical { VERTICAL } else { "" };
    book.add("EPUB/style.css", format!("{STYLE}{upright}").as_bytes())?;
    book.add("EPUB/cover.svg", &package::cover(edition)?)?;
    book.add("EPUB/title.xhtml", &package::title_page(edition, &documents)?)?;
    for page in pages.iter().flatten() {
        book.add(&format!("EPUB/{}", page.file), &page.bytes)?;
    }
    out.write_all(&book.finish()?)
}

/// The archive.
struct Book {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    options: SimpleFileOptions,
}

impl Book {
    /// Begins with the uncompressed media type, as the container format requires.
    fn new(edition: &Edition) -> io::Result<Self> {
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
        zip.start_file("mimetype", options.compression_method(CompressionMethod::Stored))?;
        zip.write_all(b"application/epub+zip")?;
        Ok(Book {
            zip,
            options: options
                .compression_method(CompressionMethod::Deflated)
                .compression_level(Some(LEVEL)),
        })
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.zip.start_file(name, self.options)?;
        self.zip.write_all(bytes)
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        Ok(self.zip.finish()?.into_inner())
    }
}
