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
use serde::Deserialize;

/// The name of the reader, and of the reader of documents read by a manifest's shape.
pub(super) const NAME: &str = "described";

const FILE: &str = include_str!("shapes.toml");

static BUILTIN: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let file = Source::from_text(Path::new("shapes.toml"), FILE);
    crate::corpus::shapes(&file).expect("a test reads the built-in shapes")
});

/// Their names alone: a command that reads no text would compile their patterns for nothing.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let named: ShapeNames = toml::from_str(FILE).expect("a test compares the names");
    named.shape.into_iter().map(|s| s.name).collect()
});

#[derive(Deserialize)]
struct ShapeNames {
    shape: Vec<ShapeName>,
}

#[derive(Deserialize)]
struct ShapeName {
    name: String,
}

/// The names of the built-in shapes.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(String::as_str)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_shapes() {
        let compiled: Vec<&str> = shapes().iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names().collect::<Vec<_>>(), compiled);
    }
}
