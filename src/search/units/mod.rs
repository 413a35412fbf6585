//! A document as search sees it: units of one layer, each in its 節, in reading order layer by layer.
//!
//! A **unit** is what an answer is about: a passage of the classic between two notes, one note, one paragraph of a
//! sub-commentary, one side of a bead of a translation. The classic and a translation *run on* from unit to unit, so that
//! words are found across an interrupting note; every other unit ends in a break that no words run over. A **節** (group)
//! is the classic and its notes up to and with the 疏 that explains them.

mod extract;
mod groups;
mod laid;

use serde::{Deserialize, Serialize};

use crate::model::{Cert, Layer, LayerKind};
use crate::source::Span;

pub(crate) use extract::{Extract, extract};
pub(crate) use laid::{INTERRUPTED, Laid};

/// True for layers whose units run on.
pub(crate) fn runs_on(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Base | LayerKind::Translation)
}

/// A stretch of one segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Number in the segment's id (`z12`); 0 if it has none.
    pub(crate) segment: u32,
    /// Number of its first sentence in the segment, from 1; 0 in layers that are not cut into sentences.
    pub(crate) sentence: u32,
    /// Its words.
    pub(crate) span: Span,
    /// What inside is no words.
    pub(crate) marks: Vec<Span>,
}

/// A unit. See the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unit {
    /// Layer.
    pub(crate) layer: Layer,
    /// What it is within its layer.
    pub(crate) sub: Option<Layer>,
    /// In order; several where something of another layer stands between that does not end the unit.
    pub(crate) parts: Vec<Part>,
    /// How sure the layer is.
    pub(crate) cert: Cert,
    /// Number of its 節 in the document.
    pub(crate) group: u32,
    /// What it translates: document (index into [`DocMeta::targets`]) and words.
    pub(crate) targets: Vec<(u32, Span)>,
    /// How many characters that carry words; at least 1.
    pub(crate) len: u32,
}

impl Unit {
    /// First byte.
    pub(crate) fn start(&self) -> usize {
        self.parts.first().map_or(0, |p| p.span.start())
    }
}

/// A unit of an index with its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// Number in its file.
    pub(crate) n: u32,
    /// Number of its document in the file.
    pub(crate) doc: u32,
    /// Position of its first character.
    pub(crate) first: u32,
    /// It is followed by a break.
    pub(crate) ends_run: bool,
    /// The unit.
    pub(crate) unit: Unit,
}

impl Placed {
    /// One past the position of its last character.
    pub(crate) fn end(&self) -> u32 {
        self.first + self.unit.len
    }
}

/// Who wrote a layer, by the names of the manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Author {
    pub(crate) layer: String,
    pub(crate) key: String,
    pub(crate) name: String,
}

/// A section and where it begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) at: usize,
    pub(crate) title: String,
}

/// What is known of a document, for filters and loci.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DocMeta {
    pub(crate) id: String,
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) work: Option<String>,
    pub(crate) work_key: Option<String>,
    pub(crate) chapter: Option<String>,
    pub(crate) siglum: Option<String>,
    pub(crate) edition: Option<String>,
    pub(crate) authors: Vec<Author>,
    pub(crate) sections: Vec<Section>,
    pub(crate) targets: Vec<String>,
}

impl DocMeta {
    /// Who wrote a layer.
    pub(crate) fn by(&self, layer: Layer) -> Option<&Author> {
        self.authors.iter().find(|a| a.layer == layer.id())
    }
}
