//! The leaves of the print as a citation tree: a text is also cited by them.

use serde_json::{Value, json};

use super::tree::CitedNode;
use crate::corpus::Loci;
use crate::model::{Document, Layer};
use crate::reading::Leaves;
use crate::source::Span;

/// The name of the tree, and the kind of its units.
pub const TREE: &str = "leaf";

/// A leaf with its text.
struct CitedLeaf {
    /// Edition and number; of leaves with one name the later ones with how many there were.
    id: String,
    span: Span,
}

/// The leaves of a text, in order.
fn all(document: &Document) -> Vec<CitedLeaf> {
    let leaves = Leaves::of(document).at_text(document);
    let starts = leaves.all().iter().map(|leaf| leaf.at);
    let ends = starts.clone().skip(1).chain([document.source.text().len()]);
    let names = crate::writers::editions::unique(leaves.all().iter().map(|leaf| leaf.name()));
    let spans = starts.zip(ends).map(|(start, end)| Span::new(start, end.max(start)));
    names.into_iter().zip(spans).map(|(id, span)| CitedLeaf { id, span }).collect()
}

/// The tree as an answer describes it, if the text names leaves.
pub fn described(document: &Document) -> Option<Value> {
    (!Leaves::of(document).all().is_empty()).then(|| {
        json!({
            "@type": "CitationTree", "identifier": TREE, "description": "葉",
            "citeStructure": [{ "@type": "CiteStructure", "citeType": TREE }],
        })
    })
}

/// Its nodes.
pub fn nodes(document: &Document) -> Vec<CitedNode> {
    let node = |leaf: CitedLeaf| CitedNode {
        id: leaf.id,
        parent: None,
        level: 1,
        kind: TREE,
        section: None,
    };
    all(document).into_iter().map(node).collect()
}

/// A stretch of a layer on a leaf.
pub struct LeafText {
    pub span: Span,
    pub layer: Layer,
    /// The locus of all of it.
    pub locus: Option<String>,
}

/// The text from one leaf to another; `None` if there is none of such a name.
pub fn text(document: &Document, from: &str, to: &str) -> Option<Vec<LeafText>> {
    let leaves = all(document);
    let find = |id: &str| leaves.iter().find(|leaf| leaf.id == id).map(|leaf| leaf.span);
    let (from, to) = (find(from)?.start(), find(to)?.end());
    if to <= from {
        return None;
    }
    let loci = Loci::of(document);
    let first = document.segments.partition_point(|s| s.span.end() <= from);
    let inside = document.segments[first..].iter().take_while(|s| s.span.start() < to);
    let piece = |s: &crate::model::Segment| LeafText {
        span: Span::new(s.span.start().max(from), s.span.end().min(to)),
        layer: s.layer,
        locus: loci.name(s.span).map(|locus| locus.passage()),
    };
    Some(inside.filter(|s| s.layer.is_text()).map(piece).collect())
}
