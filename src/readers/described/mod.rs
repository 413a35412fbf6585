//! Texts whose marks are described by data: a [`Shape`] from the built-in file or from a manifest.
//!
//! One reader reads all of them ([`reading`]): a mark opens a layer, and the shape says where that
//! ends. The built-in shapes are recognised by how well they fit ([`fit`]).

mod fit;
mod goes_on;
mod items;
mod labels;
mod numbers;
mod reading;

use std::path::Path;
use std::sync::LazyLock;

use crate::corpus::Shape;
use crate::diag::{Error, ErrorKind};
use crate::model::{Document, Layer};
use crate::source::Source;
pub(super) use labels::unknown as unknown_labels;
use regex_automata::{Anchored, Input};
use serde::Deserialize;

/// The name of the reader, and of the reader of documents read by a manifest's shape.
pub(super) const NAME: &str = "described";

/// The shapes whose marks are labels of lines.
const LABELLED: [&str; 2] = ["yizhu", "labels"];

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
    let start = super::start(sample);
    if start.starts_with(['<', '{']) {
        return None;
    }
    // A name alone in its line may be a heading of Markdown, and lines stand below one.
    let by_lines = |s: &Shape| !s.alone.is_empty() || s.fit.echo || s.indents.is_some();
    let able = |s: &&Shape| by_lines(s) || !start.starts_with('#');
    let fitting = shapes().iter().filter(able).filter(|s| fit::fits(s, sample));
    fitting.map(|s| (s.claims, s)).max_by_key(|(claims, _)| *claims)
}

/// The label with which a line begins, by the built-in shapes that have such: its bytes, and the
/// layer that it names.
pub(super) fn label_at_start(line: &str) -> Option<(usize, Layer)> {
    let labelled = shapes().iter().filter(|s| LABELLED.contains(&s.name.as_str()));
    labelled.filter_map(|shape| label_of(shape, line)).max_by_key(|(len, _)| *len)
}

fn label_of(shape: &Shape, line: &str) -> Option<(usize, Layer)> {
    if let Some(mark) = shape.alone_in(line) {
        return Some((line.len(), shape.marks[mark].layer));
    }
    let whole = Input::new(line).anchored(Anchored::Yes);
    let found = shape.openings.find(whole)?;
    Some((found.end(), shape.marks[found.pattern().as_usize()].layer))
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
