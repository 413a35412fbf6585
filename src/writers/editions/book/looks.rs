//! The styles of a book: the rows of `data/book-styles.tsv`, and those of the layers that occur.

use std::sync::LazyLock;

use super::{Book, BookScript, ParagraphStyle, RunStyle};
use crate::model::{Layer, LayerKind};

const STYLES: &str = include_str!("../data/book-styles.tsv");
const FONTS: &str = include_str!("../data/fonts.tsv");

/// What has a style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::writers::editions) enum LookKind {
    /// A paragraph.
    Paragraph,
    /// Characters in one.
    Character,
}

/// A style.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::writers::editions) struct BookLook {
    /// Its name in the file: ASCII letters and hyphens.
    pub(in crate::writers::editions) id: String,
    /// Its name for people, in Word.
    pub(in crate::writers::editions) name: String,
    /// Its name for people, in OpenDocument.
    pub(in crate::writers::editions) odt: String,
    pub(in crate::writers::editions) kind: LookKind,
    /// The id of the style that it changes.
    pub(in crate::writers::editions) parent: Option<&'static str>,
    /// No program knows it by its name.
    pub(in crate::writers::editions) is_ours: bool,
    /// The layer whose style it is.
    pub(in crate::writers::editions) layer: Option<Layer>,
    /// In points; 0 for that of what is around.
    pub(in crate::writers::editions) size: f32,
    pub(in crate::writers::editions) is_bold: bool,
    /// Small and above the line.
    pub(in crate::writers::editions) is_raised: bool,
    /// `RRGGBB`.
    pub(in crate::writers::editions) colour: Option<&'static str>,
    /// Indents of all lines and of the first, distances before and after, in points.
    pub(in crate::writers::editions) distances: [f32; 4],
    /// The height of lines in percent.
    pub(in crate::writers::editions) line: f32,
    /// The level of a heading.
    pub(in crate::writers::editions) level: Option<usize>,
}

/// A row of the table.
struct LookRow {
    key: &'static str,
    look: BookLook,
}

static ROWS: LazyLock<Vec<LookRow>> = LazyLock::new(|| {
    let lines = STYLES.lines().filter(|l| !l.starts_with('#'));
    lines.map(|l| row(l).expect("a test reads the shipped table")).collect()
});

fn row(line: &'static str) -> Option<LookRow> {
    let cells: Vec<&'static str> = line.split('\t').collect();
    let [key, kind, name, odt, size, weight, colour, left, first, before, after, height] =
        cells[..]
    else {
        return None;
    };
    let number = |cell: &str| cell.parse::<f32>().ok();
    let kind = match kind {
        "paragraph" => LookKind::Paragraph,
        "character" => LookKind::Character,
        _ => return None,
    };
    let look = BookLook {
        id: key.into(),
        name: name.into(),
        odt: odt.into(),
        kind,
        parent: None,
        is_ours: name.starts_with(|c: char| c.is_ascii_lowercase()) && name == odt,
        layer: None,
        size: number(size)?,
        is_bold: weight == "bold",
        is_raised: weight == "raised",
        colour: Some(colour).filter(|c| *c != "-"),
        distances: [number(left)?, number(first)?, number(before)?, number(after)?],
        line: number(height)?,
        level: ["text", "section", "heading"].iter().position(|k| *k == key).map(|n| n + 1),
    };
    Some(LookRow { key, look })
}

/// The row of what a layer is for.
fn of_layer(layer: Layer) -> &'static str {
    match layer.kind() {
        LayerKind::Base => "base",
        LayerKind::Note => "note",
        LayerKind::Commentary => "commentary",
        LayerKind::Translation => "translation",
        LayerKind::Structure if layer == Layer::Heading => "heading",
        LayerKind::Structure if layer == Layer::Label => "label",
        LayerKind::Structure | LayerKind::Outside => "other",
        LayerKind::Undivided => "undivided",
    }
}

/// What has a style in a file.
pub(in crate::writers::editions) trait LookOf {
    /// The id of its style; none if it has none of its own.
    fn id(self) -> Option<&'static str>;
}

impl LookOf for ParagraphStyle {
    fn id(self) -> Option<&'static str> {
        Some(match self {
            ParagraphStyle::Title => "title",
            ParagraphStyle::About => "about",
            ParagraphStyle::Contents => "contents",
            ParagraphStyle::Text => "text",
            ParagraphStyle::Section => "section",
            ParagraphStyle::Layer(Layer::Heading) => "heading",
            ParagraphStyle::Layer(layer) => layer.id(),
            ParagraphStyle::Variant => "variant",
            ParagraphStyle::Source => "source",
        })
    }
}

impl LookOf for RunStyle {
    fn id(self) -> Option<&'static str> {
        static WITHIN: LazyLock<Vec<String>> =
            LazyLock::new(|| Layer::all().map(|l| format!("{}-within", l.id)).collect());
        match self {
            RunStyle::Plain => None,
            RunStyle::Layer(layer) => Some(&WITHIN[layer.number()]),
            RunStyle::Mark => Some("mark"),
            RunStyle::Number => Some("number"),
            RunStyle::Leaf => Some("leaf"),
            RunStyle::Between => Some("reference"),
        }
    }
}

impl Book<'_> {
    /// The styles, in the order of the table: those of the table that are of no layer, and two for
    /// each layer that occurs, for its paragraphs and for its text in those of another.
    pub(in crate::writers::editions) fn looks(&self) -> Vec<BookLook> {
        let mut all: Vec<BookLook> =
            ROWS.iter().filter(|row| row.look.name != "-").map(|row| row.look.clone()).collect();
        let layers = self.layers.iter().filter(|l| **l != Layer::Heading);
        all.extend(layers.flat_map(|layer| of_a_layer(*layer)));
        all
    }
}

/// The two styles of a layer.
fn of_a_layer(layer: Layer) -> Vec<BookLook> {
    let within = match layer.kind() {
        LayerKind::Note => "note-within",
        LayerKind::Structure => "header-within",
        _ => "text-within",
    };
    let own = |key: &str| ROWS.iter().find(|row| row.key == key).map(|row| row.look.clone());
    let of_paragraphs = own(of_layer(layer)).map(|look| BookLook {
        id: layer.id().into(),
        name: layer.zh().into(),
        odt: layer.zh().into(),
        is_ours: true,
        layer: Some(layer),
        parent: (layer.kind() == LayerKind::Note).then_some("foot"),
        ..look
    });
    let name = format!("{} Char", layer.zh());
    let of_text = own(within).map(|look| BookLook {
        id: format!("{}-within", layer.id()),
        odt: name.clone(),
        name,
        is_ours: true,
        layer: Some(layer),
        ..look
    });
    of_paragraphs.into_iter().chain(of_text).collect()
}

/// The fonts of a script: that of Word, and all of them, the best first.
pub(in crate::writers::editions) fn fonts(script: BookScript) -> (&'static str, Vec<&'static str>) {
    let key = format!("{script:?}");
    let mut rows = FONTS.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t'));
    let row = rows.find(|row| row.clone().next() == Some(&*key));
    let mut cells = row.into_iter().flatten().skip(1);
    let word = cells.next().unwrap_or_default();
    (word, cells.next().unwrap_or_default().split(", ").collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_a_row_for_everything() {
        assert!(ROWS.len() > 20);
        for layer in Layer::all() {
            assert!(ROWS.iter().any(|row| row.key == of_layer(layer.layer)), "{}", layer.id);
        }
        for script in [BookScript::Hant, BookScript::Hans] {
            let (word, all) = fonts(script);
            assert!(all.contains(&word), "{script:?}");
        }
    }
}
