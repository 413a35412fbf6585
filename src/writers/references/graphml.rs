//! References as a graph in GraphML: passages are nodes, and works that only a title names;
//! references are edges.
//!
//! A passage is one node in whatever witness it stands, for its locus is the same in all. Written
//! with `quick-xml`: the crates for GraphML at hand write graphs of `petgraph` or of their own,
//! with labels for attributes, and none streams.

use std::collections::HashMap;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::corpus::refs::{Place, Reference};

/// Attributes of nodes and edges: id, which of the two, name, type.
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

/// A node: its label, what it is, what it is called, its words.
struct Node {
    label: String,
    kind: &'static str,
    title: String,
    text: String,
}

/// Nodes in the order they are first met.
#[derive(Default)]
struct Nodes {
    all: Vec<Node>,
    by_label: HashMap<String, usize>,
}

impl Nodes {
    fn add(&mut self, node: Node) -> usize {
        let next = self.all.len();
        let at = *self.by_label.entry(node.label.clone()).or_insert(next);
        if at == next {
            self.all.push(node);
        }
        at
    }

    fn passage(&mut self, place: &Place<'_>) -> usize {
        let meta = &place.document.meta;
        let title = meta.locus().unwrap_or_else(|| meta.title.clone());
        self.add(Node { label: place.name(), kind: "passage", title, text: place.words() })
    }

    /// Where a reference leads: a passage, else the work it names, else nowhere known.
    fn target(&mut self, r: &Reference<'_>) -> usize {
        match (&r.to, &r.link.work) {
            (Some(place), _) => self.passage(place),
            (None, Some(work)) => self.add(Node {
                label: work.clone(),
                kind: "work",
                title: work.clone(),
                text: String::new(),
            }),
            (None, None) => self.add(Node {
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
/// Those of `out`.
pub fn write(references: &[Reference<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    let mut nodes = Nodes::default();
    let ends: Vec<(usize, usize)> =
        references.iter().map(|r| (nodes.passage(&r.from), nodes.target(r))).collect();
    let mut w = Writer::new_with_indent(out, b' ', 1);
    w.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    w.write_event(Event::Start(
        BytesStart::new("graphml")
            .with_attributes([("xmlns", "http://graphml.graphdrawing.org/xmlns")]),
    ))?;
    for (id, what, name, kind) in KEYS {
        let attributes = [("id", id), ("for", what), ("attr.name", name), ("attr.type", kind)];
        w.write_event(Event::Empty(BytesStart::new("key").with_attributes(attributes)))?;
    }
    w.write_event(Event::Start(
        BytesStart::new("graph")
            .with_attributes([("id", "references"), ("edgedefault", "directed")]),
    ))?;
    for (i, n) in nodes.all.iter().enumerate() {
        w.write_event(Event::Start(
            BytesStart::new("node").with_attributes([("id", format!("n{i}").as_str())]),
        ))?;
        for (key, value) in
            [("label", n.label.as_str()), ("type", n.kind), ("title", &n.title), ("text", &n.text)]
        {
            data(&mut w, key, value)?;
        }
        w.write_event(Event::End(BytesEnd::new("node")))?;
    }
    for (i, (r, (a, b))) in references.iter().zip(ends).enumerate() {
        edge(&mut w, i, r, a, b)?;
    }
    w.write_event(Event::End(BytesEnd::new("graph")))?;
    w.write_event(Event::End(BytesEnd::new("graphml")))?;
    w.into_inner().write_all(b"\n")
}

type Xml<'w> = Writer<&'w mut dyn io::Write>;

fn edge(w: &mut Xml<'_>, i: usize, r: &Reference<'_>, a: usize, b: usize) -> io::Result<()> {
    let (id, source, target) = (format!("e{i}"), format!("n{a}"), format!("n{b}"));
    let attributes = [("id", id.as_str()), ("source", &source), ("target", &target)];
    w.write_event(Event::Start(BytesStart::new("edge").with_attributes(attributes)))?;
    let link = r.link;
    data(w, "kind", link.kind.id())?;
    data(w, "layer", link.layer.id())?;
    data(w, "status", link.status.id())?;
    data(w, "weight", &link.certainty.to_string())?;
    data(w, "words", &r.from.words())?;
    data(w, "witness", &r.from.document.id)?;
    data(w, "place", &r.from.line())?;
    w.write_event(Event::End(BytesEnd::new("edge")))
}

/// A value, unless it is empty; characters that XML forbids become U+FFFD.
fn data(w: &mut Xml<'_>, key: &str, value: &str) -> io::Result<()> {
    if value.is_empty() {
        return Ok(());
    }
    let forbidden =
        |c: char| c.is_control() && !c.is_whitespace() || matches!(c, '\u{FFFE}' | '\u{FFFF}');
    let sound: String = value.chars().map(|c| if forbidden(c) { '\u{FFFD}' } else { c }).collect();
    w.write_event(Event::Start(BytesStart::new("data").with_attributes([("key", key)])))?;
    w.write_event(Event::Text(BytesText::new(&sound)))?;
    w.write_event(Event::End(BytesEnd::new("data")))
}
