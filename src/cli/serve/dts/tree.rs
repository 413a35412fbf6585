//! The citation trees of a text: that of its loci, one for each layer, and that of its leaves.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Answer, Unanswered, leaf};
use crate::corpus::Loci;
use crate::model::{Document, Layer, LocusPath};

/// A node of a citation tree.
pub struct CitedNode {
    /// Its locus, or the name of a leaf.
    pub id: String,
    /// The one that it is in.
    pub parent: Option<String>,
    /// How deep it is, from 1.
    pub level: usize,
    /// What kind of unit it is.
    pub kind: &'static str,
    /// The number of a section.
    pub section: Option<u32>,
}

/// A citation tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    /// That of the loci, of all layers or of one.
    Loci(Option<Layer>),
    /// That of the leaves of the print.
    Leaves,
}

impl CitedNode {
    /// As an answer describes it.
    pub fn described(&self, document: &Document) -> Value {
        let mut described = json!({
            "@type": "CitableUnit", "identifier": self.id, "level": self.level,
            "parent": self.parent, "citeType": self.kind,
        });
        let division = document.divisions.iter().find(|d| self.section == Some(d.n));
        if let Some(title) = division.and_then(|d| d.title.as_deref()) {
            let title = json!([{ "lang": document.meta.language, "value": title }]);
            described["dublinCore"] = json!({ "title": title });
        }
        described
    }
}

/// The tree with a name; without one that of all loci.
pub fn named(document: &Document, tree: Option<&str>) -> Answer<Tree> {
    let Some(name) = tree else { return Ok(Tree::Loci(None)) };
    if name == leaf::TREE && leaf::described(document).is_some() {
        return Ok(Tree::Leaves);
    }
    let layer = layers(document).into_iter().find(|l| l.id() == name);
    let layer = layer.map(|layer| Tree::Loci(Some(layer)));
    layer.ok_or_else(|| Unanswered(404, format!("there is no citation tree “{name}”")))
}

/// The layers of a text that have loci, each once, in the order of the table.
fn layers(document: &Document) -> Vec<Layer> {
    let mut all: Vec<Layer> = Loci::of(document).units().map(|u| u.layer).collect();
    all.sort_by_key(|l| l.number());
    all.dedup();
    all
}

/// The nodes of a tree, each before those in it.
pub fn nodes(document: &Document, tree: Tree) -> Vec<CitedNode> {
    match tree {
        Tree::Loci(layer) => nodes_of_loci(&Loci::of(document), layer),
        Tree::Leaves => leaf::nodes(document),
    }
}

fn nodes_of_loci(loci: &Loci<'_>, layer: Option<Layer>) -> Vec<CitedNode> {
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

/// A node with its locus and the one that it is in.
#[derive(Clone, Copy)]
struct GrowingNode {
    path: LocusPath,
    parent: Option<LocusPath>,
    level: usize,
}

impl GrowingNode {
    fn kind(self) -> &'static str {
        match (self.path.note, self.path.sentence) {
            (Some(note), _) => note.layer.id(),
            (None, Some(_)) => "sentence",
            (None, None) => "section",
        }
    }

    fn cited(self) -> CitedNode {
        let is_section = self.path.sentence.is_none() && self.path.note.is_none();
        CitedNode {
            id: self.path.to_string(),
            parent: self.parent.map(|p| p.to_string()),
            level: self.level,
            kind: self.kind(),
            section: is_section.then_some(self.path.section),
        }
    }
}

/// A tree while its nodes are found.
#[derive(Default)]
struct GrowingTree {
    nodes: Vec<GrowingNode>,
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
        self.nodes.push(GrowingNode { path, parent: over.map(|o| o.path), level });
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
            all.push(self.nodes[n].cited());
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
    let leaves = leaf::described(document);
    if all.is_empty() {
        return leaves.into_iter().collect();
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
    trees.extend(leaves);
    trees
}
