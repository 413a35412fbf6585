//! DocuXML 1.3, which DocuSky reads: one document for each section of a text. Its layers are tags
//! `Udef_layer` of the content, declared in `feature_analysis`, so that they can be searched and
//! counted separately. Metadata are in DocuSky's own fields if there is one, and otherwise in
//! `xml_metadata`, which is for user-defined fields; `metadata_field_settings` names them.

use std::io::{self, Write};
use std::sync::LazyLock;

use super::Edition;
use super::flow::{self, EditionBlock, EditionRun};
use super::formats::Format;
use crate::corpus::loci::text_of;
use crate::markup::{Escaping, Markup};
use crate::model::{Document, Layer};

/// Fields of a document and the names that DocuSky shows for them.
const FIELDS: [(&str, &str); 14] = [
    ("corpus", "文獻集"),
    ("title", "題名"),
    ("author", "作者"),
    ("docclass", "書"),
    ("docclass_aux", "篇"),
    ("doc_source", "版本"),
    ("time_orig_str", "年代"),
    ("locus", "章句"),
    ("editors", "編者"),
    ("origin", "來源"),
    ("rights", "權利"),
    ("collection_editors", "文獻集編者"),
    ("collection_date", "文獻集日期"),
    ("licence", "授權"),
];

pub(super) const FORMAT: Format = Format {
    name: "docuxml",
    extension: "xml",
    about: "DocuXML for DocuSky, one document for each text",
    write,
    references: false,
    ..Format::PLAIN
};

/// Writes all texts.
fn write(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut x = Markup::xml(out, Escaping::Html);
    x.open("ThdlPrototypeExport").line();
    x.open("corpus").attr("name", &edition.about.title).line();
    x.open("metadata_field_settings").line();
    for (field, zh) in FIELDS {
        x.element(field, zh).line();
    }
    x.close().line().open("feature_analysis").line();
    for layer in Layer::all().filter(|l| l.layer.is_text()) {
        x.void("tag").attr("type", "contentTagging").attr("name", tag(layer.layer));
        x.attr("default_category", "layer").attr("default_sub_category", layer.zh).line();
    }
    x.close().close().line().open("documents").line();
    for d in edition.documents() {
        for (n, section) in edition.sections(d).iter().enumerate() {
            document(&mut x, edition, d, n + 1, section);
        }
    }
    x.close().line().close().line();
    x.finish()
}

fn document(
    x: &mut Markup<'_>,
    edition: &Edition,
    d: &Document,
    n: usize,
    section: &flow::EditionSection<'_>,
) {
    x.open("document").attr("filename", format_args!("{}-{n:04}.txt", d.id)).line();
    x.element("corpus", &edition.about.title).line();
    let title = section.title.as_ref().map_or(String::new(), |t| format!("・{t}"));
    x.element("title", format_args!("{}{title}", d.meta.title)).line();
    let meta = &d.meta;
    let people: Vec<_> =
        meta.layers.iter().map(|(_, who)| who.name.as_str()).filter(|n| !n.is_empty()).collect();
    field(x, "author", &people.join("; "));
    field(x, "docclass", meta.work.as_deref().unwrap_or_default());
    field(x, "docclass_aux", meta.chapter.as_deref().unwrap_or_default());
    field(x, "doc_source", meta.edition.as_deref().or(meta.origin.as_deref()).unwrap_or_default());
    field(x, "time_orig_str", meta.date.as_deref().unwrap_or_default());
    field(x, "doc_seq_number", &n.to_string());
    x.open("xml_metadata").line();
    field(x, "locus", &section.locus);
    for fact in meta.facts().iter().filter(|f| ["editors", "origin", "rights"].contains(&f.id)) {
        field(x, fact.id, &fact.words);
    }
    let about = &edition.about;
    field(x, "collection_editors", &about.editors.join("; "));
    field(x, "collection_date", &about.date.to_string());
    field(x, "licence", about.licence.as_deref().unwrap_or_default());
    x.close().line();
    x.open("doc_content").line();
    let text = text_of(d).to_string();
    section.blocks.iter().for_each(|b| block(x, b, &text));
    x.close().line().close().line();
}

fn field(x: &mut Markup<'_>, name: &'static str, words: &str) {
    if !words.is_empty() {
        x.element(name, words).line();
    }
}

fn block(x: &mut Markup<'_>, block: &EditionBlock<'_>, text: &str) {
    x.open("Paragraph");
    match block {
        EditionBlock::Heading(words) => tagged(x, Layer::Heading, None, words),
        EditionBlock::Label(words) => tagged(x, Layer::Label, None, words),
        EditionBlock::Other(words) => tagged(x, Layer::Other, None, words),
        EditionBlock::Translation(words) => tagged(x, Layer::Translation, None, words),
        EditionBlock::Text(runs) => runs.iter().for_each(|r| run(x, r, text)),
        EditionBlock::Said { header, runs, .. } => {
            if let Some(words) = header {
                tagged(x, Layer::ShuHeader, None, words);
            }
            runs.iter().for_each(|r| run(x, r, text));
        }
    }
    x.close().line();
}

fn run(x: &mut Markup<'_>, run: &EditionRun<'_>, text: &str) {
    tagged(x, run.layer, run.locus(text).as_deref(), &run.words);
}

/// Text of a layer, as plain text: the labelled boxes of pages are not wanted here.
fn tagged(x: &mut Markup<'_>, layer: Layer, locus: Option<&str>, words: &str) {
    x.open(tag(layer)).maybe("RefId", locus).text(words).close();
}

/// Name of a layer's tag.
fn tag(layer: Layer) -> &'static str {
    static TAGS: LazyLock<Vec<String>> =
        LazyLock::new(|| Layer::all().map(|l| format!("Udef_{}", l.id)).collect());
    let layer = if layer.is_text() { layer } else { Layer::Undivided };
    &TAGS[layer.number()]
}
