//! TEI P5: one canonical file for each text, in the order of the source, from which the source can
//! be restored byte for byte.
//!
//! The rule of recovery (also stated in every header): the source is the text of `body`, read in
//! order, less `corr`, `reg` and `head type="supplied"`; `lb` is a line end, `space` blanks, an
//! empty `g` the character its `char` declares, and white space beside a tag is the XML's own.
//! Every segment is one element with its id; what is inferred has `@cert`, `@resp` and, by
//! `@ana`, its evidence, or points at a category of the header that has them; what cannot be
//! nested is stand-off after the text.
//!
//! The profile is described in `schema/zhushu.rng`. Time and memory are linear in the text.

mod apparatus;
mod body;
mod header;
mod inference;
mod inline;
mod kept;
mod pages;
mod pointers;
mod standoff;
mod text;

use std::io;

use crate::corpus::Library;
use crate::markup::{Escaping, IdPrefixes, Markup};
use crate::model::{Document, Layer, Role};
use crate::reading::{ChapterText, has_sentences};
use crate::source::Span;
use header::Person;
use inference::Grounds;
use inline::Inline;
use kept::KeptElement;
use pointers::Pointers;

/// The context of all parts of the writer, computed before anything is written.
struct Context<'a> {
    document: &'a Document,
    chapter: &'a ChapterText<'a>,
    people: Vec<Person<'a>>,
    inline: Inline,
    pointers: Pointers,
    grounds: Grounds,
    has_slips: bool,
    /// Elements of the source that stand again.
    kept: Vec<KeptElement>,
}

impl Context<'_> {
    /// Locus of an element within its section (`2.zhu`); none if it is cited by sentences or has no
    /// locus.
    fn number(&self, element: usize) -> Option<String> {
        let layer = self.chapter.elements[element].layer;
        let locus = self.chapter.locus(element).filter(|_| !has_sentences(layer))?;
        let path = match layer {
            Layer::ShuHeader => locus.whole(),
            _ => locus.path,
        };
        path.to_string().split_once('.').map(|(_, n)| n.to_string())
    }

    /// Writes what a mark says of pages, and the kept elements that stand in it.
    fn mark(&self, xml: &mut Markup<'_>, mark: Span) {
        if !kept::is_kept_in(self.document) {
            let (mark, meta) = (self.document.slice(mark), &self.document.meta);
            return pages::write(xml, mark, meta, self.has_slips);
        }
        let loose = &self.inline.loose_kept;
        let at = |i: &usize| self.kept[*i].at;
        let from = loose.partition_point(|i| at(i) < mark.start());
        let to = loose.partition_point(|i| at(i) < mark.end());
        kept::write(xml, loose[from..to.max(from)].iter().map(|i| &self.kept[*i]));
    }

    /// Id of the person who wrote `layer`.
    fn person(&self, layer: Layer) -> Option<&str> {
        self.people.iter().find(|p| p.layers.contains(&layer)).map(|p| p.id.as_str())
    }

    /// Pointer to a person whose words a note reports.
    fn speaker(&self, name: &str) -> String {
        let person = self.people.iter().find(|p| p.who.name == name);
        person.map_or_else(String::new, |p| format!("#{}", p.id))
    }
}

/// Writes `document` as TEI; `library` gives the ids that links and alignments point at.
///
/// # Errors
/// When writing fails.
pub fn write(document: &Document, library: &Library, to: &mut dyn io::Write) -> io::Result<()> {
    let mut xml = Markup::xml(to, Escaping::Tei);
    xml.open("TEI").attr("xmlns", NAMESPACE).line();
    content(&mut xml, document, library);
    xml.close().line();
    xml.finish()
}

/// Writes the chapters of one file as a `teiCorpus`: a `TEI` for each.
///
/// # Errors
/// When writing fails.
pub fn write_book(
    chapters: &[&Document],
    library: &Library,
    to: &mut dyn io::Write,
) -> io::Result<()> {
    let prefix = |n: usize| format!("c{}.", n + 1);
    let files = chapters.iter().enumerate();
    let files = files.map(|(n, d)| (pointers::file_of(&d.id), prefix(n))).collect();
    let mut ids = IdPrefixes { own: String::new(), files };
    let mut xml = Markup::xml(to, Escaping::Tei);
    xml.open("teiCorpus").attr("xmlns", NAMESPACE).line();
    header::write_book(&mut xml, chapters);
    for (n, document) in chapters.iter().enumerate() {
        ids.own = prefix(n);
        xml.open("TEI").attr("xml:id", &ids.own).line();
        xml.prefix_ids(Some(ids.clone()));
        content(&mut xml, document, library);
        xml.prefix_ids(None);
        xml.close().line();
    }
    xml.close().line();
    xml.finish()
}

const NAMESPACE: &str = "http://www.tei-c.org/ns/1.0";

/// Header, text, and what is outside the text.
fn content(xml: &mut Markup<'_>, document: &Document, library: &Library) {
    let chapter = &ChapterText::of(document);
    let document = &*chapter.document;
    let kept = kept::elements(document);
    let context = Context {
        document,
        chapter,
        people: header::people(document),
        inline: inline::plan(chapter, &kept),
        pointers: Pointers::of(chapter, library),
        grounds: Grounds::of(document),
        has_slips: pages::has_slips(document),
        kept,
    };
    header::write(xml, &context);
    let role = match document.meta.role {
        Role::Witness => "witness",
        Role::Translation => "translation",
    };
    let language = Some(&document.meta.language).filter(|l| !l.is_empty());
    xml.open("text").attr("type", role).maybe("xml:lang", language).line();
    body::write(xml, &context);
    xml.close().line();
    standoff::write(xml, &context);
}

/// `@type` of a layer's element.
fn type_of(layer: Layer) -> &'static str {
    match layer {
        Layer::Yin => "yinyi",
        Layer::ShuHeader => "lemma",
        other => other.id(),
    }
}
