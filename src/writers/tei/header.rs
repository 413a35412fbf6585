//! The header: what is known of the text from its manifest, how the file was made, and how the
//! source comes back.

use std::collections::BTreeSet;

use super::places::file_of;
use super::text::{Declared, Out};
use super::{Context, ids};
use crate::markup::address;
use crate::model::{Document, Meta, Role, Status};

/// `@type` of `text`.
pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::Witness => "witness",
        Role::Translation => "translation",
    }
}

/// From `<teiHeader>` to `</teiHeader>`.
pub(super) fn write(out: &mut Out<'_>, context: &Context<'_>) {
    let document = context.document;
    out.raw("<teiHeader>\n");
    file_desc(out, context);
    encoding_desc(out, document);
    profile_desc(out, context);
    out.raw("</teiHeader>\n");
}

/// `<element>words</element>` on a line of its own, if there are words.
fn element(out: &mut Out<'_>, name: &str, attributes: &[(&str, &str)], words: Option<&str>) {
    let Some(words) = words.filter(|w| !w.trim().is_empty()) else { return };
    out.raw("<");
    out.raw(name);
    for (name, value) in attributes {
        out.attr(name, value);
    }
    out.raw(">");
    out.plain(words);
    out.raw("</");
    out.raw(name);
    out.raw(">\n");
}

fn file_desc(out: &mut Out<'_>, context: &Context<'_>) {
    let document = context.document;
    let meta = &document.meta;
    out.raw("<fileDesc>\n<titleStmt>\n<title>");
    out.plain(&meta.title);
    out.raw("</title>\n");
    for person in &context.people {
        out.raw("<author");
        out.attr("ref", &format!("#{}", person.id));
        out.raw(">");
        out.plain(&person.who.name);
        out.raw("</author>\n");
    }
    let collection = &meta.collection;
    for editor in &collection.editors {
        element(out, "editor", &[], Some(editor));
    }
    out.raw("</titleStmt>\n<extent><measure unit=\"character\" quantity=\"");
    out.show(document.source.chars());
    out.raw("\"/></extent>\n<publicationStmt>\n<publisher>zhushu</publisher>\n");
    if let Some(date) = &collection.date {
        element(out, "date", &[("when", date)], Some(date));
    }
    element(out, "idno", &[("type", "document")], Some(&address::tei(&document.id)));
    let rights = meta.rights.as_deref().filter(|r| !r.trim().is_empty());
    out.raw(if rights.is_some() {
        "<availability><p>"
    } else {
        "<availability status=\"unknown\"><p>"
    });
    out.plain(rights.unwrap_or("No rights are stated for the source."));
    out.raw("</p>\n");
    element(out, "licence", &[], collection.licence.as_deref());
    out.raw("</availability>\n</publicationStmt>\n");
    if let Some(title) = &collection.title {
        out.raw("<seriesStmt>\n");
        element(out, "title", &[], Some(title));
        out.raw("</seriesStmt>\n");
    }
    out.raw("<sourceDesc>\n");
    bibl(out, document);
    super::apparatus::list_wit(out, document);
    out.raw("</sourceDesc>\n</fileDesc>\n");
}

/// The work, the edition, and the very file.
fn bibl(out: &mut Out<'_>, document: &Document) {
    let meta = &document.meta;
    out.raw("<bibl>\n");
    let key: Vec<_> = meta.work_key.iter().map(|k| ("key", k.as_str())).collect();
    if meta.work_key.is_some() && meta.work.is_none() {
        out.raw("<title level=\"m\"");
        key.iter().for_each(|(n, v)| out.attr(n, v));
        out.raw("/>\n");
    }
    let mut attributes = vec![("level", "m")];
    attributes.extend(key);
    element(out, "title", &attributes, meta.work.as_deref());
    chapter(out, meta);
    element(out, "edition", &[], meta.edition.as_deref());
    for editor in &meta.editors {
        element(out, "editor", &[], Some(editor));
    }
    element(out, "date", &[], meta.date.as_deref());
    element(out, "idno", &[("type", "siglum")], meta.siglum.as_deref());
    element(out, "note", &[("type", "origin")], meta.origin.as_deref());
    let source = &document.source;
    element(out, "idno", &[("type", "file")], Some(&file_name(&source.name())));
    element(out, "idno", &[("type", "encoding")], Some(source.encoding()));
    element(out, "idno", &[("type", "sha256")], Some(source.sha256()));
    for id in &meta.translates {
        out.raw("<relatedItem type=\"translated\"");
        out.attr("target", &file_of(id));
        out.raw("/>\n");
    }
    out.raw("</bibl>\n");
}

fn chapter(out: &mut Out<'_>, meta: &Meta) {
    let number = meta.number.map(|n| n.to_string());
    let mut attributes = vec![("unit", "pian")];
    attributes.extend(number.iter().map(|n| ("n", n.as_str())));
    match &meta.chapter {
        Some(chapter) => element(out, "biblScope", &attributes, Some(chapter)),
        None if number.is_some() => {
            out.raw("<biblScope");
            attributes.iter().for_each(|(n, v)| out.attr(n, v));
            out.raw("/>\n");
        }
        None => {}
    }
}

/// A file's name with blanks that XML would run together, controls and `%` escaped.
fn file_name(name: &str) -> String {
    if name.chars().any(|c| c.is_whitespace() || c.is_control() || c == '%' || c > '\u{D7FF}') {
        address::tei(name)
    } else {
        name.to_string()
    }
}

const RECOVERY: &str = "The text of the source is what stands in body, read in order, without corr, reg and head of type \
supplied. lb is a line feed, with rend crlf a carriage return and a line feed, with rend cr a carriage return alone. space is a \
blank (U+0020), with unit tab a tab, as often as quantity says. An empty g is the character whose code its char declares. White \
space beside a tag means nothing; white space within text is one blank. Encoded as the idno of type encoding says, the text is \
the file, to which the idno of type sha256 bears witness.";

fn encoding_desc(out: &mut Out<'_>, document: &Document) {
    out.raw(
        "<encodingDesc>\n<appInfo>\n<application xml:id=\"zhushu\" ident=\"zhushu\" version=\"",
    );
    out.raw(env!("CARGO_PKG_VERSION"));
    out.raw("\">\n<label>zhushu</label>\n</application>\n</appInfo>\n<editorialDecl>\n<p>");
    out.raw(RECOVERY);
    out.raw("</p>\n<p>What was inferred carries cert, a probability, and resp; ana names the evidence and, for references, how well the place was found.</p>\n");
    out.raw("</editorialDecl>\n");
    if !document.apparatus.is_empty() {
        out.raw("<variantEncoding method=\"location-referenced\" location=\"external\"/>\n");
    }
    refs_decl(out, document);
    taxonomies(out, document);
    char_decl(out, document);
    out.raw("</encodingDesc>\n");
}

/// The parts of a locus: chapter, section, sentence, or what follows a sentence. What lies in no
/// section is in section 0.
fn refs_decl(out: &mut Out<'_>, document: &Document) {
    const OUTSIDE: &str = "[not(ancestor::div[@type='zhang'])]";
    out.raw(
        "<refsDecl>\n<citeStructure unit=\"pian\" match=\"//body/div[@type='pian']\" use=\"@n\">\n",
    );
    if !document.divisions.is_empty() {
        out.raw(
            "<citeStructure unit=\"zhang\" delim=\".\" match=\"div[@type='zhang']\" use=\"@n\">\n",
        );
        leaves(out, ".", "");
        out.raw("</citeStructure>\n");
    }
    leaves(out, if document.meta.role == Role::Witness { ".0." } else { "." }, OUTSIDE);
    out.raw("</citeStructure>\n</refsDecl>\n");
}

/// Sentences of the classic, and notes and sub-commentary with `@n` of their own (`2.zhu`,
/// `2.shu.0`).
fn leaves(out: &mut Out<'_>, delim: &str, only: &str) {
    let kinds = [
        ("ju", ".//seg[@type='ju']"),
        ("note", ".//note[@n]"),
        ("shu", ".//div[@type='shu']/p/*[@n]"),
    ];
    for (unit, path) in kinds {
        out.raw("<citeStructure");
        out.attr("unit", unit);
        out.attr("delim", delim);
        out.attr("match", &format!("{path}{only}"));
        out.raw(" use=\"@n\"/>\n");
    }
}

/// Status of references and codes of evidence, so that `@ana` has something to point at.
fn taxonomies(out: &mut Out<'_>, document: &Document) {
    out.raw("<classDecl>\n<taxonomy xml:id=\"status\">\n");
    for status in Status::ALL {
        category(out, status.id(), status.id());
    }
    out.raw("</taxonomy>\n");
    let codes = evidence_codes(document);
    if !codes.is_empty() {
        out.raw("<taxonomy xml:id=\"evidence\">\n");
        for code in codes {
            category(out, &format!("ev-{}", ids::name(code)), code);
        }
        out.raw("</taxonomy>\n");
    }
    out.raw("</classDecl>\n");
}

fn category(out: &mut Out<'_>, id: &str, words: &str) {
    out.raw("<category");
    out.attr("xml:id", id);
    out.raw("><catDesc>");
    out.plain(words);
    out.raw("</catDesc></category>\n");
}

fn evidence_codes(document: &Document) -> BTreeSet<&str> {
    let of = document.segments.iter().map(|s| &s.evidence);
    let of = of
        .chain(document.links.iter().map(|l| &l.evidence))
        .chain(document.readings.iter().map(|r| &r.evidence));
    let of = of.chain(document.apparatus.iter().map(|e| &e.evidence));
    of.chain(document.divisions.iter().map(|d| &d.evidence)).flatten().map(|e| e.code).collect()
}

fn char_decl(out: &mut Out<'_>, document: &Document) {
    let mut declared = Declared::default();
    declared.scan(document.source.text());
    document.readings.iter().for_each(|r| declared.scan(&r.reading));
    if declared.is_empty() {
        return;
    }
    out.raw("<charDecl>\n");
    for (id, c) in &declared.points {
        out.raw("<char");
        out.attr("xml:id", id);
        out.raw("><localProp name=\"code\" value=\"");
        out.show(format_args!("{:04X}", *c as u32));
        out.raw("\"/></char>\n");
    }
    for name in &declared.entities {
        out.raw("<char");
        out.attr("xml:id", name);
        out.raw("><localProp name=\"entity\"");
        out.attr("value", name);
        out.raw("/></char>\n");
    }
    out.raw("</charDecl>\n");
}

fn profile_desc(out: &mut Out<'_>, context: &Context<'_>) {
    let meta = &context.document.meta;
    if meta.language.is_empty() && context.people.is_empty() {
        return;
    }
    out.raw("<profileDesc>\n");
    if !meta.language.is_empty() {
        out.raw("<langUsage><language");
        out.attr("ident", &meta.language);
        out.raw("/></langUsage>\n");
    }
    if !context.people.is_empty() {
        out.raw("<particDesc>\n<listPerson>\n");
        context.people.iter().for_each(|p| person(out, p));
        out.raw("</listPerson>\n</particDesc>\n");
    }
    out.raw("</profileDesc>\n");
}

fn person(out: &mut Out<'_>, person: &ids::Person<'_>) {
    let roles: Vec<_> = person.layers.iter().map(|l| l.id()).collect();
    out.raw("<person");
    out.attr("xml:id", &person.id);
    if person.id != person.who.key {
        out.attr("n", &person.who.key);
    }
    out.attr("role", &roles.join(" "));
    out.raw(">\n");
    element(out, "persName", &[], Some(&person.who.name));
    element(out, "floruit", &[], person.who.period.as_deref());
    out.raw("</person>\n");
}
