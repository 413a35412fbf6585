//! TEI P5: one canonical file a text, in the order of the source, from which the source comes back
//! byte for byte.
//!
//! The rule of recovery (also stated in every header): the source is what stands in `body`, read in
//! order, less `corr`, `reg` and `head type="supplied"`; `lb` is a line end, `space` blanks, an
//! empty `g` the character its `char` declares, and white space beside a tag is the XML's own.
//! Every segment is one element with its id; what is inferred carries `@certainty`, `@resp` and, by
//! `@ana`, its evidence; what cannot be nested stands off after the text.
//!
//! The profile is described in `schema/zhushu.rng`. Time and memory are linear in the text.

mod apparatus;
mod body;
mod header;
mod ids;
mod inline;
mod parts;
mod places;
mod standoff;
mod text;

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use crate::corpus::{Library, Loci};
use crate::markup::{Escaping, Markup};
use crate::model::{Document, Layer, LocusPath};
use ids::Person;
use places::{Places, Pointers};

/// What all parts of the writer look at.
struct Context<'a> {
    document: &'a Document,
    library: &'a Library,
    people: Vec<Person<'a>>,
    loci: Loci<'a>,
}

impl Context<'_> {
    /// Locus of a segment within its section (`2.zhu`); none for what is cited by sentences or not
    /// at all.
    fn number(&self, segment: usize) -> Option<String> {
        let i = self.loci.units().partition_point(|u| u.segment < segment);
        let unit = self
            .loci
            .units()
            .get(i)
            .filter(|u| u.segment == segment && !places::has_sentences(u.layer.kind()))?;
        let passage = match unit.layer {
            Layer::ShuHeader => LocusPath { inner: Some(0), ..unit.passage },
            _ => unit.passage,
        };
        passage.to_string().split_once('.').map(|(_, n)| n.to_string())
    }

    /// Id of the person who wrote `layer`.
    fn person(&self, layer: Layer) -> Option<&str> {
        self.people.iter().find(|p| p.layers.contains(&layer)).map(|p| p.id.as_str())
    }
}

/// Writes `document` as TEI; `library` gives the ids that links and alignments point at.
///
/// # Errors
/// Where `to` refuses.
pub fn write(document: &Document, library: &Library, to: &mut dyn io::Write) -> io::Result<()> {
    let document = &*numbered(document);
    let context =
        Context { document, library, people: ids::people(document), loci: Loci::of(document) };
    let places = Places::of(document);
    let plan = inline::plan(document, &places);
    let parts = parts::parts(document, &places);
    let pointers = Pointers::new(library, document, &places);
    let mut xml = Markup::xml(to, Escaping::Tei);
    xml.open("TEI").attr("xmlns", "http://www.tei-c.org/ns/1.0").line();
    header::write(&mut xml, &context);
    let language = Some(&document.meta.language).filter(|l| !l.is_empty());
    xml.open("text").attr("type", header::role(document.meta.role)).maybe("xml:lang", language);
    xml.line();
    let mut pointers = body::Body::new(&mut xml, &context, pointers, &plan, &places).write(&parts);
    xml.close().line();
    standoff::write(&mut xml, &context, &mut pointers, &plan);
    xml.close().line();
    xml.finish()
}

/// The document with sound ids; numbered anew where it has none.
fn numbered(document: &Document) -> Cow<'_, Document> {
    if ids::are_sound(document) {
        return Cow::Borrowed(document);
    }
    let mut copy = document.clone();
    copy.number();
    Cow::Owned(copy)
}

/// The same for a document of the library.
fn numbered_arc(document: &Arc<Document>) -> Arc<Document> {
    match numbered(document) {
        Cow::Borrowed(_) => Arc::clone(document),
        Cow::Owned(copy) => Arc::new(copy),
    }
}

/// `@type` of a layer's element.
fn type_of(layer: Layer) -> &'static str {
    match layer {
        Layer::Yin => "yinyi",
        Layer::ShuHeader => "lemma",
        other => other.id(),
    }
}
