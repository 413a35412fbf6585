//! What the notes of an edition say of words: as a table, as a dictionary of StarDict, as a
//! dictionary in TEI.

use std::io::{self, Write};

use super::Edition;
use super::archive::EditionArchive;
use super::formats::{EditionFile, Format};
use super::tables;
use crate::corpus::refs::Catalogue;
use crate::language::Language;
use crate::markup::{Escaping, Markup};
use crate::model::Document;
use crate::model::phrases::named;
use crate::reading::glosses::{GlossGroup, GlossWanted, PlacedGloss, grouped, placed};

pub(super) const TABLE: Format = Format {
    name: "glosses",
    extension: "glosses.tsv",
    about: "what notes say of words, as a table: senses, sounds, readings",
    explained: true,
    references: false,
    files: |_| {
        let file = |(which, name): (usize, &str)| EditionFile { name: name.into(), which };
        ["texts", "glosses"].into_iter().enumerate().map(file).collect()
    },
    write: table,
    ..Format::PLAIN
};

pub(super) const STARDICT: Format = Format {
    name: "stardict",
    extension: "stardict.zip",
    about: "the same as a dictionary of StarDict, for GoldenDict and other programs",
    explained: true,
    references: false,
    files: one_file,
    write: stardict,
    ..Format::PLAIN
};

pub(super) const TEI_DICTIONARY: Format = Format {
    name: "tei-dictionary",
    extension: "dictionary.xml",
    about: "the same as a dictionary in TEI P5",
    explained: true,
    references: false,
    files: one_file,
    write: tei,
    ..Format::PLAIN
};

fn one_file(_: &Edition) -> Vec<EditionFile> {
    vec![EditionFile { name: "glosses".into(), which: 0 }]
}

/// Calls `take` with all glosses of the edition.
fn with_all<T>(edition: &Edition, take: impl FnOnce(&[PlacedGloss<'_>]) -> T) -> T {
    let catalogue = Catalogue::of(&edition.library);
    let documents = edition.documents().map(|d| &**d);
    take(&placed(documents, &catalogue, &GlossWanted::default()))
}

/// The texts as among other tables, or the glosses.
fn table(edition: &Edition, which: usize, out: &mut dyn Write) -> io::Result<()> {
    if which == 0 {
        return tables::write(edition, 0, out);
    }
    with_all(edition, |all| crate::writers::gloss_table(all, out))
}

/// The groups of each headword, in the order of the headwords.
fn entries<'g, 'a>(groups: Vec<GlossGroup<'g, 'a>>) -> Vec<Vec<GlossGroup<'g, 'a>>> {
    let mut entries: Vec<Vec<GlossGroup<'g, 'a>>> = vec![];
    for group in groups {
        match entries.last_mut().filter(|e| e[0].headword == group.headword) {
            Some(entry) => entry.push(group),
            None => entries.push(vec![group]),
        }
    }
    entries.sort_by(|a, b| stardict_order(a[0].headword, b[0].headword));
    entries
}

/// The order that StarDict demands: bytes, letters of ASCII without regard to case first.
fn stardict_order(a: &str, b: &str) -> std::cmp::Ordering {
    let lower = |words: &str| words.bytes().map(|b| b.to_ascii_lowercase()).collect::<Vec<u8>>();
    lower(a).cmp(&lower(b)).then_with(|| a.as_bytes().cmp(b.as_bytes()))
}

/// Where a statement is and who says it, as words.
fn source(g: &PlacedGloss<'_>) -> String {
    let who = g.gloss.who.as_deref();
    let title = Some(g.from.document.meta.title.as_str());
    let locus = g.from.locus.as_ref().map(ToString::to_string);
    let parts = [who, title, locus.as_deref()].into_iter().flatten();
    let words = parts.collect::<Vec<_>>().join(" ");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines of an entry.
fn article(entry: &[GlossGroup<'_, '_>]) -> String {
    let mut lines = vec![];
    for (n, group) in (1..).zip(entry) {
        let kind = named(group.kind.id(), Language::ZhHant);
        lines.push(format!("{n}. {kind} {}", group.sense));
        let said = |g: &&PlacedGloss<'_>| format!("    {}：{}", source(g), g.from.words());
        lines.extend(group.glosses.iter().map(said));
    }
    lines.join("\n")
}

/// Other forms of the headword in the statements.
fn other_forms<'e>(entry: &'e [GlossGroup<'_, '_>]) -> Vec<&'e str> {
    let glosses = entry.iter().flat_map(|g| &g.glosses);
    let mut forms: Vec<&str> = glosses.map(|g| g.gloss.headword.as_str()).collect();
    forms.sort_unstable();
    forms.dedup();
    forms.retain(|form| *form != entry[0].headword);
    forms
}

/// The files of StarDict 2.4.2, packed: offsets of 32 bits, the highest byte first.
fn stardict(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let (mut index, mut texts, mut synonyms) = (Vec::new(), Vec::new(), Vec::new());
    let mut words = 0usize;
    with_all(edition, |all| {
        for (n, entry) in entries(grouped(all)).iter().enumerate() {
            let text = article(entry);
            let (from, length) = (number(texts.len())?, number(text.len())?);
            for part in [entry[0].headword.as_bytes(), &[0], &from, &length] {
                index.extend_from_slice(part);
            }
            texts.extend_from_slice(text.as_bytes());
            let forms = other_forms(entry);
            synonyms.extend(forms.into_iter().map(|form| (form.to_string(), n)));
            words += 1;
        }
        Ok::<(), io::Error>(())
    })?;
    synonyms.sort_by(|(a, m), (b, n)| stardict_order(a, b).then(m.cmp(n)));
    let mut other = Vec::new();
    for (form, n) in &synonyms {
        for part in [form.as_bytes(), &[0], &number(*n)?] {
            other.extend_from_slice(part);
        }
    }
    let about = ifo(edition, words, synonyms.len(), index.len());
    let mut archive = EditionArchive::new(edition, None)?;
    archive.add("glosses.ifo", about.as_bytes())?;
    archive.add("glosses.idx", &index)?;
    archive.add("glosses.dict", &texts)?;
    if !other.is_empty() {
        archive.add("glosses.syn", &other)?;
    }
    out.write_all(&archive.finish()?)
}

fn number(n: usize) -> io::Result<[u8; 4]> {
    let long = |_| io::Error::other("too long for a dictionary of StarDict");
    u32::try_from(n).map(u32::to_be_bytes).map_err(long)
}

fn ifo(edition: &Edition, words: usize, synonyms: usize, index_bytes: usize) -> String {
    let about = &edition.about;
    let one_line = |words: &str| words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = vec![
        "StarDict's dict ifo file".to_string(),
        "version=2.4.2".into(),
        format!("bookname={}", one_line(&about.title)),
        format!("wordcount={words}"),
    ];
    lines.extend((synonyms > 0).then(|| format!("synwordcount={synonyms}")));
    lines.push(format!("idxfilesize={index_bytes}"));
    let editors = one_line(&about.editors.join("; "));
    lines.extend((!editors.is_empty()).then(|| format!("author={editors}")));
    let licence = about.licence.clone();
    let sources = edition.documents().map(|d| {
        let facts = d.meta.facts().into_iter().map(|f| f.words.into_owned());
        std::iter::once(d.meta.title.clone()).chain(facts).collect::<Vec<_>>().join(", ")
    });
    let known: Vec<String> = licence.into_iter().chain(sources).map(|w| one_line(&w)).collect();
    lines.push(format!("description={}", known.join("<br>")));
    lines.push(format!("date={}", about.date.to_string().replace('-', ".")));
    lines.push("sametypesequence=m\n".into());
    lines.join("\n")
}

fn tei(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut xml = Markup::xml(out, Escaping::Tei);
    xml.open("TEI").attr("xmlns", "http://www.tei-c.org/ns/1.0").line();
    header(&mut xml, edition);
    xml.open("text").line().open("body").line();
    with_all(edition, |all| {
        let entries = entries(grouped(all));
        if entries.is_empty() {
            xml.void("p").line();
        }
        for (n, entry) in (1..).zip(&entries) {
            tei_entry(&mut xml, n, entry);
        }
    });
    xml.close().line().close().line().close().line();
    xml.finish()
}

fn header(xml: &mut Markup<'_>, edition: &Edition) {
    let about = &edition.about;
    xml.open("teiHeader").line().open("fileDesc").line().open("titleStmt").line();
    xml.element("title", &about.title).line();
    for editor in &about.editors {
        xml.element("editor", editor).line();
    }
    xml.close().line();
    xml.open("publicationStmt").line().element("publisher", "zhushu").line();
    xml.element("date", about.date.to_string()).line();
    if let Some(licence) = &about.licence {
        xml.open("availability").open("licence").text(licence).close().close().line();
    }
    xml.close().line().open("sourceDesc").line().open("listBibl").line();
    for document in edition.documents() {
        bibl(xml, document);
    }
    xml.close().line().close().line().close().line().close().line();
}

/// A text that the glosses are from.
fn bibl(xml: &mut Markup<'_>, document: &Document) {
    xml.open("bibl").element("title", &document.meta.title);
    for fact in document.meta.facts() {
        xml.open("note").attr("type", fact.id).text(fact.words).close();
    }
    xml.open("idno").attr("type", "file").text(document.source.name()).close();
    xml.close().line();
}

fn tei_entry(xml: &mut Markup<'_>, n: usize, entry: &[GlossGroup<'_, '_>]) {
    xml.open("entry").attr("xml:id", format_args!("entry-{n}")).line();
    xml.open("form").attr("type", "lemma").element("orth", entry[0].headword).close().line();
    for form in other_forms(entry) {
        xml.open("form").attr("type", "variant").element("orth", form).close().line();
    }
    for group in entry {
        xml.open("sense").line();
        xml.open("usg").attr("type", "hint").text(group.kind.id()).close().line();
        match group.kind.is_sound() {
            true => xml.open("form").element("pron", group.sense).close(),
            false => xml.element("def", group.sense),
        };
        xml.line();
        for g in &group.glosses {
            cit(xml, g);
        }
        xml.close().line();
    }
    xml.close().line();
}

fn cit(xml: &mut Markup<'_>, g: &PlacedGloss<'_>) {
    xml.open("cit").attr("type", "attestation").attr("cert", g.gloss.certainty);
    xml.element("quote", g.from.words());
    xml.open("bibl");
    if let Some(who) = &g.gloss.who {
        xml.element("author", who);
    }
    xml.element("title", &g.from.document.meta.title);
    if let Some(locus) = &g.from.locus {
        xml.open("citedRange").attr("unit", "locus").text(locus).close();
    }
    xml.close().close().line();
}
