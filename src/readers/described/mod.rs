//! Texts whose marks are described by data: a [`Shape`] from the built-in file or from a manifest.
//!
//! One reader reads all of them ([`reading`]): a mark opens a layer, and the shape says where that
//! ends. The built-in shapes are recognised by how well they fit ([`fit`]).

mod fit;
mod goes_on;
mod numbers;
mod reading;

use std::path::Path;
use std::sync::LazyLock;

use crate::corpus::Shape;
use crate::diag::{Error, ErrorKind};
use crate::model::Document;
use crate::source::Source;

/// The name of the reader, and of the reader of documents read by a manifest's shape.
pub(super) const NAME: &str = "described";

static BUILTIN: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let file = Source::from_text(Path::new("shapes.toml"), include_str!("shapes.toml"));
    crate::corpus::shapes(&file).expect("a test reads the built-in shapes")
});

/// The built-in shapes.
pub(super) fn shapes() -> &'static [Shape] {
    &BUILTIN
}

/// The built-in shape called `name`.
pub(super) fn shape(name: &str) -> Option<&'static Shape> {
    shapes().iter().find(|s| s.name == name)
}

/// The built-in shape that fits best, and its score for the text.
pub(super) fn best(sample: &str) -> Option<(u8, &'static Shape)> {
    if super::start(sample).starts_with(['<', '{', '#']) {
        return None;
    }
    let fitting = shapes().iter().filter(|s| fit::fits(s, sample));
    fitting.map(|s| (s.claims, s)).max_by_key(|(claims, _)| *claims)
}

/// The score of the best shape for the text.
pub fn sniff(sample: &str) -> u8 {
    best(sample).map_or(0, |(claims, _)| claims)
}

/// Reads by the built-in shape that fits best.
///
/// # Errors
/// When none fits.
pub fn read(source: Source) -> Result<Document, Error> {
    match best(&super::sample_of(source.text())) {
        Some((_, shape)) => Ok(read_as(source, shape, &shape.name)),
        None => Err(Error::input(source.path(), "no shape fits this text")
            .of_kind(ErrorKind::Format)
            .hint("name the shape, or describe one in the manifest")),
    }
}

/// Reads by a shape. `reader` becomes the name of the document's reader.
pub(super) fn read_as(source: Source, shape: &Shape, reader: &'static str) -> Document {
    reading::read(source, shape, reader)
}
