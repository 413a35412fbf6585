//! Editions: a chosen part of a library, as files in any format.
//!
//! A format is one file here, with its `FORMAT`, and one row of [`FORMATS`].
//!
//! All formats get the same [`Edition`]: the texts as a [`LayerChoice`](crate::corpus::LayerChoice)
//! left them, what the manifest says about the whole, and the requested layout. Formats for reading
//! (text, Markdown, EPUB, Typst, DOCX, ODT, LaTeX) write the texts in the order of reading; formats
//! for programs write segments, links and beads.

mod archive;
mod book;
#[cfg(not(feature = "internals"))]
pub(crate) mod citation;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod citation;
mod dictionaries;
mod documents;
mod docuxml;
mod docx;
mod epub;
#[cfg(not(feature = "internals"))]
pub(crate) mod flow;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod flow;
mod formats;
mod iiif;
mod jsonl;
mod latex;
mod mandoku;
mod markdown;
mod odt;
#[cfg(feature = "parquet")]
mod parquet;
mod stam;
pub(crate) mod styles;
mod tables;
mod tex;
mod text;
mod tmx;
mod typst;
mod webanno;

use std::sync::Arc;

use crate::corpus::Library;
pub use crate::model::Date;
use crate::model::{Alignment, Document, Layer, LayerKind};
pub use formats::{EditionFile, FORMATS, Format, by_name, unique};
pub use tables::{Cell, ColumnKind, EditionTable, TABLES, TableColumn, TakeRow};

/// What is known about an edition as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// Its title.
    pub title: String,
    /// Who made it.
    pub editors: Vec<String>,
    /// Licence in words or as SPDX expression.
    pub licence: Option<String>,
    /// When it was made: the manifest's date, or that of the newest source.
    pub date: Date,
}

impl About {
    /// All of it, by name, for formats without names of their own.
    fn properties(&self) -> [(&'static str, String); 4] {
        let licence = self.licence.clone().unwrap_or_default();
        [
            ("title", self.title.clone()),
            ("editors", self.editors.join("; ")),
            ("licence", licence),
            ("date", self.date.to_string()),
        ]
    }
}

/// Where the translation of a passage is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Facing {
    /// Below the passage.
    #[default]
    Below,
    /// On the facing page.
    Facing,
    /// Nowhere; the text of the translation itself is still written.
    None,
}

/// Where the notes of the classic are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NotesAt {
    /// At the foot of the page.
    #[default]
    Foot,
    /// In the line, in small type.
    Inline,
}

/// The paper of formats with pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    A4,
    /// 148 × 210 mm.
    A5,
    /// 176 × 250 mm.
    B5,
    /// 正度 16 開, 185 × 260 mm.
    K16,
}

impl Paper {
    /// All of them, by name.
    pub const ALL: [(&'static str, Paper); 4] =
        [("a4", Paper::A4), ("a5", Paper::A5), ("b5", Paper::B5), ("16k", Paper::K16)];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, p)| *p == self).map_or("a5", |(name, _)| name)
    }

    /// Width, height and margin in millimetres.
    fn millimetres(self) -> [f64; 3] {
        match self {
            Paper::A4 => [210.0, 297.0, 25.4],
            Paper::A5 => [148.0, 210.0, 18.0],
            Paper::B5 => [176.0, 250.0, 21.0],
            Paper::K16 => [185.0, 260.0, 22.0],
        }
    }
}

/// How much room marks of punctuation have in formats with pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MarkWidth {
    /// A square, of which they give half beside another mark and at the end of a line.
    #[default]
    Full,
    /// Half a square.
    Half,
    /// Like the first, but points at the end of a line may be in the margin.
    Hanging,
}

impl MarkWidth {
    fn name(self) -> &'static str {
        match self {
            MarkWidth::Full => "full",
            MarkWidth::Half => "half",
            MarkWidth::Hanging => "hanging",
        }
    }
}

/// The layout of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// From top to bottom, in columns from right to left.
    pub vertical: bool,
    /// With the numbers of sentences.
    pub numbers: bool,
    /// With the apparatus after each text.
    pub apparatus: bool,
    /// The apparatus at the foot of the page instead of after the text, in formats with pages.
    pub foot: bool,
    /// Where the translation is shown.
    pub translation: Facing,
    /// Where the notes are, in formats that can have them in either place.
    pub notes: NotesAt,
    /// The paper, in formats with pages; if it is not named, A5 where the program sets the pages,
    /// A4 where a word processor does.
    pub paper: Option<Paper>,
    /// The width of marks, in formats with pages.
    pub marks: MarkWidth,
}

impl Default for Layout {
    /// In lines, with everything.
    fn default() -> Self {
        Layout {
            vertical: false,
            numbers: true,
            apparatus: true,
            foot: false,
            translation: Facing::Below,
            notes: NotesAt::Foot,
            paper: None,
            marks: MarkWidth::Full,
        }
    }
}

/// The input of a format.
#[derive(Clone, Debug)]
pub struct Edition {
    /// What is known about the whole.
    pub about: About,
    /// The documents, and those that they refer to.
    pub library: Library,
    /// Ids of the documents to write, in order.
    pub ids: Vec<String>,
    /// How the texts are shown.
    pub layout: Layout,
}

impl Edition {
    /// The documents to write.
    pub fn documents(&self) -> impl Iterator<Item = &Arc<Document>> {
        self.ids.iter().filter_map(|id| self.library.get(id))
    }

    /// The alignments in which one side is a document to write.
    pub fn alignments(&self) -> impl Iterator<Item = &Alignment> {
        self.library
            .alignments
            .iter()
            .filter(|a| self.ids.contains(&a.source) || self.ids.contains(&a.translation))
    }

    /// The documents of an alignment, if the library has both.
    fn sides(&self, alignment: &Alignment) -> Option<(&Document, &Document)> {
        Some((self.library.get(&alignment.source)?, self.library.get(&alignment.translation)?))
    }

    /// A document in the order of reading, without the translation if it is not to be shown.
    fn sections<'a>(&self, document: &'a Document) -> Vec<flow::EditionSection<'a>> {
        let mut sections = flow::sections(document, &self.library);
        if self.layout.translation == Facing::None {
            sections.iter_mut().for_each(|s| {
                s.blocks.retain(|b| !matches!(b, flow::EditionBlock::Translation(_)))
            });
        }
        sections
    }

    /// The apparatus of a document, if the layout has it.
    fn apparatus(&self, document: &Document) -> Vec<flow::Variant> {
        if self.layout.apparatus { flow::apparatus(document) } else { vec![] }
    }

    /// Language of the whole: that of the first text.
    fn language(&self) -> &str {
        self.documents()
            .map(|d| d.meta.language.as_str())
            .find(|l| !l.is_empty())
            .unwrap_or("lzh-Hant")
    }

    /// An identifier that changes only with the content: a UUID made from title and checksums.
    fn uuid(&self) -> String {
        use sha2::{Digest, Sha256};
        let mut hash = Sha256::new();
        hash.update(self.about.title.as_bytes());
        self.documents().for_each(|d| hash.update(d.source.sha256().as_bytes()));
        let hex: String = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
        // Version 8 (custom), variant 10 of RFC 9562.
        let [a, b, c, d, e] = [0..8, 8..12, 13..16, 17..20, 20..32].map(|part| &hex[part]);
        format!("urn:uuid:{a}-{b}-8{c}-9{d}-{e}")
    }

    /// Commentators and translators of the texts, each once, with the names of their layers.
    fn people(&self) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = vec![];
        for (layer, who) in
            self.documents().flat_map(|d| &d.meta.layers).filter(|(_, who)| !who.name.is_empty())
        {
            match all.iter_mut().find(|(name, _)| *name == who.name) {
                Some((_, layers)) if !layers.contains(layer.zh()) => layers.push_str(layer.zh()),
                Some(_) => {}
                None => all.push((who.name.clone(), layer.zh().to_string())),
            }
        }
        all
    }
}

/// The layer of a paragraph of a tradition beside the classic, such as 左傳.
fn tradition(runs: &[flow::EditionRun<'_>]) -> Option<Layer> {
    let layer = runs.iter().find(|run| !run.is_note())?.layer;
    (layer.kind() == LayerKind::Base && layer != Layer::Jing).then_some(layer)
}
