//! References as a graph in GraphML: passages are nodes, and works that only a title names;
//! references are edges.
//!
//! A passage is one node for all witnesses, since its locus is the same in all. The crates for
//! GraphML do not fit: they write graphs of `petgraph` or of their own, with labels for attributes,
//! and none streams.

use std::collections::HashMap;
use std::io;

use crate::corpus::refs::{CitedPlace, Reference};
use crate::markup::{Escaping, Markup};

/// Attributes of nodes and edges: id, node or edge, name, type.
const KEYS: [(&str, &str, &str, &str); 11] = [
    ("label", "node", "label", "string"),
    ("type", "node", "type", "string"),
    ("title", "node", "title", "string"),
    ("text", "node", "text", "string"),
    ("kind", "edge", "kind", "string"),
    ("layer", "edge", "layer", "string"),
    ("status", "edge", "status", "string"),
    ("weight", "edge", "weight", "double"),
    ("words", "edge", "words", "string"),
    ("witness", "edge", "witness", "string"),
    ("place", "edge", "place", "string"),
];

/// A passage, or a work that only a title names.
struct GraphNode {
    label: String,
    kind: &'static str,
    title: String,
    text: String,
}

/// Nodes in the order of their first reference.
#[derive(Default)]
struct GraphNodes {
    all: Vec<GraphNode>,
    by_label: HashMap<String, usize>,
}

impl GraphNodes {
    fn add(&mut self, node: GraphNode) -> usize {
        let next = self.all.len();
        let at = *self.by_label.entry(node.label.clone()).or_insert(next);
        if at == next {
            self.all.push(node);
        }
        at
    }

    fn passage(&mut self, place: &CitedPlace<'_>) -> usize {
        let meta = &place.document.meta;
        let title = meta.locus().unwrap_or_else(|| meta.title.clone());
        self.add(GraphNode { label: place.name(), kind: "passage", title, text: place.words() })
    }

    /// The target of a reference: a passage, or the work it names, or unknown.
    fn target(&mut self, r: &Reference<'_>) -> usize {
        match (&r.to, &r.link.work) {
            (Some(place), _) => self.passage(place),
            (None, Some(work)) => self.add(GraphNode {
                label: work.to_string(),
                kind: "work",
                title: work.to_string(),
                text: String::new(),
            }),
            (None, None) => self.add(GraphNode {
                label: "?".into(),
                kind: "unknown",
                title: String::new(),
                text: String::new(),
            }),
        }
    }
}

/// Writes the graph.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(references: &[Reference<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    let mut nodes = GraphNodes::default();
    let ends: Vec<(usize, usize)> =
        references.iter().map(|r| (nodes.passage(&r.from), nodes.target(r))).collect();
    let mut xml = Markup::xml(out, Escaping::Xml).indented();
    xml.open("graphml").attr("xmlns", "http://graphml.graphdrawing.org/xmlns");
    for (id, element, name, kind) in KEYS {
        xml.void("key").attr("id", id).attr("for", element);
        xml.attr("attr.name", name).attr("attr.type", kind);
    }
    xml.open("graph").attr("id", "references").attr("edgedefault", "directed");
    for (i, n) in nodes.all.iter().enumerate() {
        xml.open("node").attr("id", format_args!("n{i}"));
        data(&mut xml, "label", &n.label);
        data(&mut xml, "type", n.kind);
        data(&mut xml, "title", &n.title);
        data(&mut xml, "text", &n.text);
        xml.close();
    }
    for (i, (r, (source, target))) in references.iter().zip(ends).enumerate() {
        xml.open("edge").attr("id", format_args!("e{i}"));
        xml.attr("source", format_args!("n{source}")).attr("target", format_args!("n{target}"));
        edge_data(&mut xml, r);
        xml.close();
    }
    xml.close().close().line();
    xml.finish()
}

fn edge_data(xml: &mut Markup<'_>, r: &Reference<'_>) {
    data(xml, "kind", r.link.kind.id());
    data(xml, "layer", r.link.layer.id());
    data(xml, "status", r.link.status.id());
    data(xml, "weight", &r.link.certainty.to_string());
    data(xml, "words", &r.from.words());
    data(xml, "witness", &r.from.document.id);
    data(xml, "place", &r.from.line());
}

/// A value, unless it is empty.
fn data(xml: &mut Markup<'_>, key: &str, value: &str) {
    if !value.is_empty() {
        xml.open("data").attr("key", key).text(value).close();
    }
}
