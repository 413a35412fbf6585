//! The citation trees of a text: that of its loci, and one for each layer.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Answer, Unanswered};
use crate::corpus::Loci;
use crate::model::{Document, Layer, LocusPath};

/// A node of a citation tree.
#[derive(Clone, Copy)]
pub struct CitedNode {
    /// Its locus.
    pub path: LocusPath,
    /// The one that it is in.
    pub parent: Option<LocusPath>,
    /// How deep it is, from 1.
    pub level: usize,
}

impl CitedNode {
    /// What kind of unit it is.
    fn kind(&self) -> &'static str {
        match (self.path.note, self.path.sentence) {
            (Some(note), _) => note.layer.id(),
            (None, Some(_)) => "sentence",
            (None, None) => "section",
        }
    }

    /// As an answer describes it.
    pub fn described(&self, document: &Document) -> Value {
        let mut described = json!({
            "@type": "CitableUnit", "identifier": self.path.to_string(), "level": self.level,
            "parent": self.parent.map(|p| p.to_string()), "citeType": self.kind(),
        });
        let is_section = self.path.sentence.is_none() && self.path.note.is_none();
        let division = document.divisions.iter().find(|d| is_section && d.n == self.path.section);
        if let Some(title) = division.and_then(|d| d.title.as_deref()) {
            let title = json!([{ "lang": document.meta.language, "value": title }]);
            described["dublinCore"] = json!({ "title": title });
        }
        described
    }
}

/// The layer that the name of a tree means; none for the tree of all.
pub fn layer_of(document: &Document, tree: Option<&str>) -> Answer<Option<Layer>> {
    let Some(name) = tree else { return Ok(None) };
    let layer = layers(document).into_iter().find(|l| l.id() == name);
    layer.map(Some).ok_or_else(|| Unanswered(404, format!("there is no citation tree “{name}”")))
}

/// The layers of a text that have loci, each once, in the order of the table.
fn layers(document: &Document) -> Vec<Layer> {
    let mut all: Vec<Layer> = Loci::of(document).units().map(|u| u.layer).collect();
    all.sort_by_key(|l| l.number());
    all.dedup();
    all
}

/// The nodes of a tree, each before those in it.
pub fn nodes(loci: &Loci<'_>, layer: Option<Layer>) -> Vec<CitedNode> {
    let mut tree = GrowingTree::default();
    for unit in loci.units().filter(|u| layer.is_none_or(|l| l == u.layer)) {
        let section = LocusPath { sentence: None, note: None, inner: None, ..unit.passage };
        let sentence = LocusPath { note: None, inner: None, ..unit.passage };
        let mut at = tree.inside(None, section);
        // In the tree of one layer of comments, sentences have no words.
        let is_comment = unit.passage.note.is_some();
        if sentence != section && !(is_comment && layer.is_some()) {
            at = tree.inside(Some(at), sentence);
        }
        if is_comment {
            tree.inside(Some(at), LocusPath { inner: None, ..unit.passage });
        }
    }
    tree.in_order()
}

/// A tree while its nodes are found.
#[derive(Default)]
struct GrowingTree {
    nodes: Vec<CitedNode>,
    members: Vec<Vec<usize>>,
    roots: Vec<usize>,
    places: HashMap<LocusPath, usize>,
}

impl GrowingTree {
    /// The number of a node, which is added if it is new.
    fn inside(&mut self, parent: Option<usize>, path: LocusPath) -> usize {
        if let Some(n) = self.places.get(&path) {
            return *n;
        }
        let n = self.nodes.len();
        self.places.insert(path, n);
        let over = parent.map(|p| self.nodes[p]);
        let level = over.map_or(1, |o| o.level + 1);
        self.nodes.push(CitedNode { path, parent: over.map(|o| o.path), level });
        self.members.push(vec![]);
        match parent {
            Some(p) => self.members[p].push(n),
            None => self.roots.push(n),
        }
        n
    }

    fn in_order(self) -> Vec<CitedNode> {
        let mut all = Vec::with_capacity(self.nodes.len());
        let mut open: Vec<usize> = self.roots.iter().rev().copied().collect();
        while let Some(n) = open.pop() {
            all.push(self.nodes[n]);
            open.extend(self.members[n].iter().rev());
        }
        all
    }
}

/// The trees of a text as an answer describes them; the first is the default.
pub fn described(document: &Document) -> Vec<Value> {
    let structure = |kind: &str, inside: Vec<Value>| match inside.is_empty() {
        true => json!({ "@type": "CiteStructure", "citeType": kind }),
        false => json!({ "@type": "CiteStructure", "citeType": kind, "citeStructure": inside }),
    };
    let all = layers(document);
    if all.is_empty() {
        return vec![];
    }
    let notes: Vec<Layer> = all.iter().copied().filter(|l| *l != Layer::Jing).collect();
    let comments = notes.iter().map(|l| structure(l.id(), vec![])).collect();
    let whole = structure("section", vec![structure("sentence", comments)]);
    let mut trees = vec![json!({ "@type": "CitationTree", "citeStructure": [whole] })];
    trees.extend(all.iter().map(|layer| {
        let kind = if *layer == Layer::Jing { "sentence" } else { layer.id() };
        let own = structure("section", vec![structure(kind, vec![])]);
        json!({
            "@type": "CitationTree", "identifier": layer.id(), "description": layer.zh(),
            "citeStructure": [own],
        })
    }));
    trees
}
