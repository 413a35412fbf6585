//! The header of our TEI: metadata, the file the text came from, declared characters, codes of
//! evidence.

use std::borrow::Cow;
use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use super::xml::{Attributes, XmlNode};
use crate::model::{
    Certainty, Collection, Commentator, Evidence, EvidenceKind, Layer, MarkSource, Meta, Role,
};

/// The prefix of ids of evidence codes.
pub(super) const EVIDENCE: &str = "ev-";

/// A character that a `char` declares.
#[derive(Clone, Debug)]
pub(super) struct DeclaredChar {
    pub(super) c: char,
    /// Its bytes in the file, if they differ from those of the encoding.
    pub(super) bytes: Option<Vec<u8>>,
}

/// What was read from the header.
#[derive(Debug, Default)]
pub(super) struct TeiHeader {
    pub(super) meta: Meta,
    /// Id of the document.
    pub(super) id: Option<String>,
    /// Name of the file the text came from.
    pub(super) file: String,
    pub(super) encoding: String,
    pub(super) sha256: String,
    /// Code points in the source.
    pub(super) chars: Option<usize>,
    /// Stretches of the text that the file has in another order: places in code points, in threes.
    pub(super) exchanged: Vec<usize>,
    /// Lines and code points of the file before the text.
    pub(super) before: Option<(usize, usize)>,
    /// Characters by id of their `char`.
    pub(super) declared: HashMap<String, DeclaredChar>,
    /// Codes of evidence by id of their category.
    pub(super) codes: HashMap<String, EvidenceKind>,
    /// `@cert` and `@ana` by id of a category that others point at for them.
    pub(super) grounds: HashMap<String, (String, String)>,
    /// The persons who decided something.
    pub(super) deciders: Vec<String>,
}

/// Reads `teiHeader`.
pub(super) fn read(tree: &XmlNode<'_>) -> TeiHeader {
    let words = |n: Option<&XmlNode<'_>>| n.map(|n| n.text.clone()).filter(|t| !t.is_empty());
    let idno = |kind| words(tree.typed("idno", kind));
    TeiHeader {
        id: idno("document").map(|s| percent_decoded(&s)),
        file: idno("file").map_or_else(|| "text.txt".to_string(), |s| percent_decoded(&s)),
        encoding: idno("encoding").unwrap_or_default(),
        sha256: idno("sha256").unwrap_or_default(),
        chars: tree.first("measure").and_then(|m| m.attributes.get("quantity")?.parse().ok()),
        exchanged: exchanged(tree),
        before: before(tree),
        declared: tree.all("char").filter_map(declared).collect(),
        codes: tree.all("category").filter_map(code).collect(),
        grounds: tree.all("category").filter_map(ground).collect(),
        deciders: tree.all("respStmt").filter_map(decider).collect(),
        meta: meta(tree),
    }
}

/// Who is named as the one who decided places of the text.
fn decider(node: &XmlNode<'_>) -> Option<String> {
    node.attributes.get("xml:id")?.strip_prefix("by-")?;
    Some(node.first("name")?.text.clone())
}

fn declared(node: &XmlNode<'_>) -> Option<(String, DeclaredChar)> {
    let property = |name| {
        let mut all = node.all("localProp");
        all.find(|p| p.attributes.get("name") == Some(name))?.attributes.get("value")
    };
    let c = char::from_u32(u32::from_str_radix(property("code")?, 16).ok()?)?;
    let bytes = property("bytes").and_then(bytes);
    Some((node.attributes.get("xml:id")?.to_string(), DeclaredChar { c, bytes }))
}

/// Bytes in hexadecimal.
fn bytes(hex: &str) -> Option<Vec<u8>> {
    let pairs = hex.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).ok());
    pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
}

fn code(node: &XmlNode<'_>) -> Option<(String, EvidenceKind)> {
    let id = node.attributes.get("xml:id").filter(|id| id.starts_with(EVIDENCE))?;
    let described = node.first("catDesc").map(|n| n.text.as_str());
    let code = described.unwrap_or(&id[EVIDENCE.len()..]);
    Some((id.to_string(), super::codes::kind(code)))
}

fn ground(node: &XmlNode<'_>) -> Option<(String, (String, String))> {
    let [id, cert] = ["xml:id", "cert"].map(|name| node.attributes.get(name));
    let ana = node.attributes.get("ana").unwrap_or_default();
    Some((id?.to_string(), (cert?.to_string(), ana.to_string())))
}

fn meta(tree: &XmlNode<'_>) -> Meta {
    let words = |n: Option<&XmlNode<'_>>| n.map(|n| n.text.clone()).filter(|t| !t.is_empty());
    let empty = XmlNode::default();
    let bibl = tree.first("sourceDesc").and_then(|s| s.first("bibl")).unwrap_or(&empty);
    let scope = scope(bibl, "pian");
    let rights =
        tree.first("availability").filter(|a| a.attributes.get("status") != Some("unknown"));
    Meta {
        title: tree.first("titleStmt").and_then(|t| words(t.first("title"))).unwrap_or_default(),
        work: words(bibl.first("title")),
        work_key: bibl.first("title").and_then(|t| t.attributes.get("key")).map(str::to_string),
        chapter: words(scope),
        number: scope.and_then(|s| s.attributes.get("n")?.parse().ok()),
        group: words(self::scope(bibl, "group")),
        first_section: None,
        role: Role::Witness,
        siglum: words(bibl.typed("idno", "siglum")),
        edition: words(bibl.first("edition")),
        editors: bibl.all("editor").filter_map(|n| words(Some(n))).collect(),
        date: words(bibl.first("date")),
        origin: words(bibl.typed("note", "origin")),
        rights: rights.and_then(|a| words(a.first("p"))),
        language: tree
            .first("language")
            .and_then(|l| l.attributes.get("ident"))
            .unwrap_or_default()
            .to_string(),
        layers: tree.all("person").flat_map(person).collect(),
        byline: None,
        translates: bibl.all("relatedItem").filter_map(translated).collect(),
        images: vec![],
        collection: collection(tree),
    }
}

/// The extent in some unit: the chapter, or lines and characters of the file.
fn scope<'n, 'x>(bibl: &'n XmlNode<'x>, unit: &str) -> Option<&'n XmlNode<'x>> {
    bibl.all("biblScope").find(|s| s.attributes.get("unit") == Some(unit))
}

/// Lines and code points of the file before its text, if the text is a chapter of a book.
fn before(tree: &XmlNode<'_>) -> Option<(usize, usize)> {
    let bibl = tree.first("sourceDesc")?.first("bibl")?;
    let from = |unit| scope(bibl, unit)?.attributes.get("from")?.parse::<usize>().ok();
    Some((from("line")?.checked_sub(1)?, from("character")?.checked_sub(1)?))
}

fn exchanged(tree: &XmlNode<'_>) -> Vec<usize> {
    let note = tree.first("sourceDesc").and_then(|s| s.typed("note", "exchanged"));
    let numbers = note.iter().flat_map(|n| n.text.split_whitespace());
    numbers.filter_map(|n| n.parse().ok()).collect()
}

/// The corpus: its editors are listed with the authors, its licence with the rights in the source.
fn collection(tree: &XmlNode) -> Collection {
    let words = |n: Option<&XmlNode>| n.map(|n| n.text.clone()).filter(|t| !t.is_empty());
    let editors =
        tree.first("titleStmt").map(|t| t.all("editor").filter_map(|n| words(Some(n))).collect());
    Collection {
        title: tree.first("seriesStmt").and_then(|s| words(s.first("title"))),
        editors: editors.unwrap_or_default(),
        licence: words(tree.first("licence")),
        date: tree.first("publicationStmt").and_then(|p| words(p.first("date"))),
        address: None,
        punctuation: MarkSource::None,
    }
}

fn person(node: &XmlNode<'_>) -> Vec<(Layer, Commentator)> {
    let words = |name| node.first(name).map(|n| n.text.clone()).filter(|t| !t.is_empty());
    let key =
        node.attributes.get("n").or(node.attributes.get("xml:id")).unwrap_or_default().to_string();
    let who = Commentator {
        key,
        name: words("persName").unwrap_or_default(),
        period: words("floruit"),
        inferred: node.attributes.get("cert").and_then(|c| c.parse().ok()).map(Certainty::new),
    };
    let roles = node.attributes.get("role").unwrap_or_default();
    roles
        .split_whitespace()
        .filter_map(|r| r.parse().ok())
        .map(|layer| (layer, who.clone()))
        .collect()
}

fn translated(node: &XmlNode<'_>) -> Option<String> {
    node.attributes.get("target")?.strip_suffix(".xml").map(percent_decoded)
}

/// The name without percent-encoding; unchanged if that gives no text.
fn percent_decoded(name: &str) -> String {
    percent_decode_str(name).decode_utf8().map_or_else(|_| name.to_string(), Cow::into_owned)
}

impl TeiHeader {
    /// `@cert` and the evidence of `@ana`, or those of the category that it points at.
    pub(super) fn judged(&self, attributes: &Attributes<'_>) -> (Certainty, Vec<Evidence>) {
        let (cert, ana) = (attributes.get("cert"), attributes.get("ana").unwrap_or_default());
        let ground = ana.strip_prefix('#').and_then(|id| self.grounds.get(id));
        let (cert, ana) = match ground.filter(|_| cert.is_none()) {
            Some((cert, ana)) => (Some(cert.as_str()), ana.as_str()),
            None => (cert, ana),
        };
        let certainty = cert.and_then(|c| c.parse().ok()).map_or(Certainty::SURE, Certainty::new);
        let ids = ana.split_whitespace().filter_map(|a| a.strip_prefix('#'));
        let code = |id: &str| {
            let undeclared = || id.strip_prefix(EVIDENCE).map(super::codes::kind);
            self.codes.get(id).cloned().or_else(undeclared)
        };
        let evidence: Vec<_> = ids.filter_map(|id| Some(Evidence::of(code(id)?))).collect();
        if certainty != Certainty::SURE && evidence.is_empty() {
            return (certainty, vec![Evidence::of(EvidenceKind::Tei)]);
        }
        (certainty, evidence)
    }
}
