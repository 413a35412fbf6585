//! Alignments as TMX, a file for each, with the metadata of the edition.

use std::io;

use super::Edition;
use super::formats::{Format, by_alignment};
use crate::writers::tmx::write_with;

pub(super) const FORMAT: Format = Format {
    name: "tmx",
    extension: "tmx",
    about: "TMX 1.4b, one file for each pair of classic and translation",
    files: by_alignment,
    write,
    ..Format::PLAIN
};

fn write(edition: &Edition, which: usize, out: &mut dyn io::Write) -> io::Result<()> {
    let Some(a) = edition.alignments().nth(which) else { return Ok(()) };
    let Some((source, translation)) = edition.sides(a) else { return Ok(()) };
    write_with(a, source, translation, &edition.about.properties(), out)
}
