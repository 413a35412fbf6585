//! EPUB 3.3: pages of one section or of several short ones, notes as pop-up footnotes, contents,
//! cover, Dublin Core.
//!
//! The packaging is our own code over `zip`: the container is a dozen lines, and all its bytes must
//! depend only on the input (the identifier is made from the checksums of the texts).

mod package;
mod pages;

use std::io::{self, Write};

use rayon::prelude::*;

use super::Edition;
use super::archive::EditionArchive;
use super::formats::Format;
use pages::BookPage;

const STYLE: &str = include_str!("../data/epub.css");

/// Styles added for vertical lines.
const VERTICAL: &str = "html { writing-mode: vertical-rl; -webkit-writing-mode: vertical-rl; -epub-writing-mode: vertical-rl }\n";

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
    let mut book = EditionArchive::new(edition, Some("application/epub+zip"))?;
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
