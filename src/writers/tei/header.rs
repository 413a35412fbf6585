//! The header: what is known about the text from its manifest, how the file was made, and how to
//! restore the source.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use super::inference::evidence_id;
use super::pointers::file_of;
use super::text::{Declared, Plain};
use crate::corpus::AuthorityId;
use crate::markup::{Markup, address};
use crate::model::{Commentator, Document, Layer, Meta, Role, Status, decided_by, shown};
use crate::source::sha256_of;

/// Writes the header.
pub(super) fn write(xml: &mut Markup<'_>, context: &Context<'_>) {
    xml.open("teiHeader").line();
    file_desc(xml, context);
    encoding_desc(xml, context);
    profile_desc(xml, context);
    xml.close().line();
}

/// Writes the header of a file of several chapters, which names their file.
pub(super) fn write_book(xml: &mut Markup<'_>, chapters: &[&Document]) {
    let Some(first) = chapters.first() else { return };
    let source = &first.source;
    let title = first.meta.title.split('・').next().unwrap_or_default();
    xml.open("teiHeader").line().open("fileDesc").line().open("titleStmt").line();
    xml.element("title", Plain(title)).line().close().line();
    let chars: usize = chapters.iter().map(|d| d.source.chars()).sum();
    xml.open("extent").void("measure").attr("unit", "character");
    xml.attr("quantity", chars).close().line();
    xml.open("publicationStmt").line().element("publisher", "zhushu").line();
    xml.close().line().open("sourceDesc").line().open("bibl").line();
    element(xml, "idno", &[("type", "file")], Some(&file_name(&source.name())));
    element(xml, "idno", &[("type", "encoding")], Some(source.encoding()));
    if chapters.iter().all(|d| d.source.changed_from().is_none()) {
        let sha256 = sha256_of(chapters.iter().map(|d| d.source.bytes()));
        element(xml, "idno", &[("type", "sha256")], Some(&sha256));
    }
    xml.close().line().close().line().close().line();
    xml.open("encodingDesc").line();
    application(xml, "zhushu-book");
    xml.open("editorialDecl").line();
    xml.element("p", RECOVERY_OF_BOOK).line().close().line();
    xml.close().line().close().line();
}

const RECOVERY_OF_BOOK: &str = "The text of the file is that of its chapters, one after the other, each recovered as its header \
says.";

/// The program that wrote the file.
fn application(xml: &mut Markup<'_>, id: &str) {
    xml.open("appInfo").line().open("application").attr("xml:id", id);
    xml.attr("ident", "zhushu").attr("version", env!("CARGO_PKG_VERSION")).line();
    xml.element("label", "zhushu").line().close().line().close().line();
}

/// An element with text on a line of its own, if there is text.
fn element(
    xml: &mut Markup<'_>,
    name: &'static str,
    attributes: &[(&'static str, &str)],
    text: Option<&str>,
) {
    let Some(text) = text.filter(|t| !t.trim().is_empty()) else { return };
    xml.open(name);
    for (name, value) in attributes {
        xml.attr(name, value);
    }
    xml.text(Plain(text)).close().line();
}

fn file_desc(xml: &mut Markup<'_>, context: &Context<'_>) {
    let document = context.document;
    xml.open("fileDesc").line();
    title_stmt(xml, context);
    xml.open("extent").void("measure").attr("unit", "character");
    xml.attr("quantity", document.source.chars()).close().line();
    publication_stmt(xml, document);
    if let Some(title) = &document.meta.collection.title {
        xml.open("seriesStmt").line();
        element(xml, "title", &[], Some(title));
        xml.close().line();
    }
    xml.open("sourceDesc").line();
    bibl(xml, document);
    super::apparatus::list_wit(xml, document);
    xml.close().line().close().line();
}

fn title_stmt(xml: &mut Markup<'_>, context: &Context<'_>) {
    let meta = &context.document.meta;
    xml.open("titleStmt").line();
    xml.element("title", Plain(&meta.title)).line();
    for person in context.people.iter().filter(|p| !p.layers.is_empty()) {
        xml.open("author").attr("ref", format_args!("#{}", person.id));
        xml.text(Plain(&person.who.name)).close().line();
    }
    for editor in &meta.collection.editors {
        element(xml, "editor", &[], Some(editor));
    }
    deciders(xml, context);
    xml.close().line();
}

/// The people who decided something about the text that the program doubted or had wrong.
fn deciders(xml: &mut Markup<'_>, context: &Context<'_>) {
    let document = context.document;
    let segments = document.segments.iter().map(|s| &s.evidence[..]);
    let readings = document.readings.iter().map(|r| &r.evidence[..]);
    let links = document.links.iter().map(|l| &l.evidence[..]);
    let decided = segments.chain(readings).chain(links).filter_map(decided_by);
    let beads = context.pointers.alignments.iter().flatten().filter_map(|b| b.by.as_deref());
    let mut people: BTreeMap<&str, usize> = BTreeMap::new();
    for who in decided.chain(beads).filter(|w| !w.is_empty()) {
        *people.entry(who).or_default() += 1;
    }
    for (who, n) in people {
        xml.open("respStmt").attr("xml:id", super::inference::person_id(who));
        xml.element("resp", format_args!("decided {n} places of the text"));
        xml.element("name", Plain(who)).close().line();
    }
}

fn publication_stmt(xml: &mut Markup<'_>, document: &Document) {
    let meta = &document.meta;
    xml.open("publicationStmt").line();
    xml.element("publisher", "zhushu").line();
    if let Some(date) = &meta.collection.date {
        element(xml, "date", &[("when", date)], Some(date));
    }
    element(xml, "idno", &[("type", "document")], Some(&address::tei(&document.id)));
    let rights = meta.rights.as_deref().filter(|r| !r.trim().is_empty());
    xml.open("availability").maybe("status", rights.is_none().then_some("unknown"));
    xml.element("p", Plain(rights.unwrap_or("No rights are stated for the source."))).line();
    element(xml, "licence", &[], meta.collection.licence.as_deref());
    xml.close().line().close().line();
}

/// The work, the edition, and the file.
fn bibl(xml: &mut Markup<'_>, document: &Document) {
    let meta = &document.meta;
    xml.open("bibl").line();
    let mut attributes = vec![("level", "m")];
    attributes.extend(meta.work_key.iter().map(|k| ("key", k.as_str())));
    let elsewhere = meta.work.iter().flat_map(|work| AuthorityId::of_work(work));
    let elsewhere: Vec<String> = elsewhere.map(|id| id.address).collect();
    let elsewhere = elsewhere.join(" ");
    attributes.extend((!elsewhere.is_empty()).then_some(("ref", elsewhere.as_str())));
    if meta.work.is_none() && meta.work_key.is_some() {
        xml.void("title");
        attributes.iter().for_each(|(n, v)| _ = xml.attr(n, v));
        xml.line();
    }
    element(xml, "title", &attributes, meta.work.as_deref());
    element(xml, "biblScope", &[("unit", "group")], meta.group.as_deref());
    chapter(xml, meta);
    part_of_file(xml, document);
    element(xml, "edition", &[], meta.edition.as_deref());
    for editor in &meta.editors {
        element(xml, "editor", &[], Some(editor));
    }
    element(xml, "date", &[], meta.date.as_deref());
    element(xml, "idno", &[("type", "siglum")], meta.siglum.as_deref());
    element(xml, "note", &[("type", "origin")], meta.origin.as_deref());
    let source = &document.source;
    element(xml, "idno", &[("type", "file")], Some(&file_name(&source.name())));
    element(xml, "idno", &[("type", "encoding")], Some(source.encoding()));
    let file = source.changed_from().unwrap_or(source.sha256());
    element(xml, "idno", &[("type", "sha256")], Some(file));
    let exchanged = source.exchanges().iter();
    let chars = exchanged.map(|e| e.places().map(|at| source.char_of(at).to_string()).join(" "));
    let chars = chars.collect::<Vec<_>>().join(" ");
    element(xml, "note", &[("type", "exchanged")], Some(&chars));
    for id in &meta.translates {
        xml.void("relatedItem").attr("type", "translated").attr("target", file_of(id)).line();
    }
    xml.close().line();
}

fn chapter(xml: &mut Markup<'_>, meta: &Meta) {
    let number = meta.number.map(|n| n.to_string());
    let mut attributes = vec![("unit", "pian")];
    attributes.extend(number.iter().map(|n| ("n", n.as_str())));
    match &meta.chapter {
        Some(chapter) => element(xml, "biblScope", &attributes, Some(chapter)),
        None if number.is_some() => {
            xml.void("biblScope");
            attributes.iter().for_each(|(n, v)| _ = xml.attr(n, v));
            xml.line();
        }
        None => {}
    }
}

/// The lines and code points of the file that a chapter of a book is, from 1.
fn part_of_file(xml: &mut Markup<'_>, document: &Document) {
    let source = &document.source;
    let Some(part) = source.file_part() else { return };
    let last_line = source.place(source.text().trim_end().len()).line;
    for (unit, from, to) in [
        ("line", part.lines + 1, last_line),
        ("character", part.chars + 1, part.chars + source.chars()),
    ] {
        xml.void("biblScope").attr("unit", unit).attr("from", from).attr("to", to).line();
    }
}

/// A file's name, with `%`, control characters and blanks that XML would merge escaped.
fn file_name(name: &str) -> String {
    if name.chars().any(|c| c.is_whitespace() || c.is_control() || c == '%' || c > '\u{D7FF}') {
        address::tei(name)
    } else {
        name.to_string()
    }
}

const RECOVERY: &str = "The text of the source is what is in body, read in order, without corr, reg and head of type \
supplied. lb is a line feed, with rend crlf a carriage return and a line feed, with rend cr a carriage return alone. space is a \
blank (U+0020), with unit tab a tab, as often as quantity says. An empty g is the character whose code its char declares; if the char declares bytes too, the file has these bytes there. White \
space beside a tag means nothing; white space within text is one blank.";

const OF_THE_FILE: &str = " Encoded as the idno of type encoding says, the text is the file, to which the idno of type sha256 \
bears witness.";
const CHANGED: &str = " The text is not that of the file, to which the idno of type sha256 bears witness: a part of it was \
left out, or it was changed, as the edition says. The file cannot be restored from it.";

const EXCHANGED: &str = "The numbers in the note of type exchanged, in threes a b c, are characters of the text of the source, \
counted from 0. The file has the characters after b, before c, where the text has those from a, before b, then b, then these.";

const INFERENCE: &str = "What was inferred carries cert, a probability, and resp; ana names the evidence and, for references, \
how well the place was found. An ana that points at a category of the taxonomy grounds stands for the three attributes there.";

fn encoding_desc(xml: &mut Markup<'_>, context: &Context<'_>) {
    let document = context.document;
    xml.open("encodingDesc").line();
    application(xml, "zhushu");
    xml.open("editorialDecl").line();
    let is_changed = document.source.changed_from().is_some();
    let of_file = if is_changed { CHANGED } else { OF_THE_FILE };
    xml.element("p", format_args!("{RECOVERY}{of_file}")).line();
    if !document.source.exchanges().is_empty() {
        xml.element("p", EXCHANGED).line();
    }
    xml.element("p", INFERENCE).line();
    xml.close().line();
    if !document.apparatus.is_empty() {
        xml.void("variantEncoding").attr("method", "location-referenced");
        xml.attr("location", "external").line();
    }
    refs_decl(xml, document);
    taxonomies(xml, context);
    char_decl(xml, document);
    xml.close().line();
}

/// The parts of a locus: chapter, section, sentence, or what follows a sentence. Text in no section
/// is in section 0.
fn refs_decl(xml: &mut Markup<'_>, document: &Document) {
    const OUTSIDE: &str = "[not(ancestor::div[@type='zhang'])]";
    xml.open("refsDecl").line();
    xml.open("citeStructure").attr("unit", "pian");
    xml.attr("match", "//body/div[@type='pian']").attr("use", "@n").line();
    if !document.divisions.is_empty() {
        xml.open("citeStructure").attr("unit", "zhang").attr("delim", ".");
        xml.attr("match", "div[@type='zhang']").attr("use", "@n").line();
        leaves(xml, ".", "");
        xml.close().line();
    }
    leaves(xml, if document.meta.role == Role::Witness { ".0." } else { "." }, OUTSIDE);
    xml.close().line().close().line();
}

/// Sentences of the classic, and notes and sub-commentary with `@n` of their own (`2.zhu`,
/// `2.shu.0`).
fn leaves(xml: &mut Markup<'_>, delim: &str, only: &str) {
    let kinds = [
        ("ju", ".//seg[@type='ju']"),
        ("note", ".//note[@n]"),
        ("shu", ".//div[@type='shu']/p/*[@n]"),
    ];
    for (unit, path) in kinds {
        xml.void("citeStructure").attr("unit", unit).attr("delim", delim);
        xml.attr("match", format_args!("{path}{only}")).attr("use", "@n").line();
    }
}

/// Status of references, codes of evidence, and what several things have of these, as targets of
/// `@ana`.
fn taxonomies(xml: &mut Markup<'_>, context: &Context<'_>) {
    let document = context.document;
    xml.open("classDecl").line().open("taxonomy").attr("xml:id", "status").line();
    for status in Status::ALL {
        category(xml, status.id());
    }
    xml.close().line();
    let codes = evidence_codes(document);
    if !codes.is_empty() {
        xml.open("taxonomy").attr("xml:id", "evidence").line();
        for code in codes {
            category(xml, &evidence_id(code));
        }
        xml.close().line();
    }
    context.grounds.write(xml);
    xml.close().line();
}

/// A category that its id describes.
fn category(xml: &mut Markup<'_>, id: &str) {
    xml.void("category").attr("xml:id", id).line();
}

fn evidence_codes(document: &Document) -> BTreeSet<&str> {
    let of = document.segments.iter().map(|s| &s.evidence[..]);
    let of = of
        .chain(document.links.iter().map(|l| &l.evidence[..]))
        .chain(document.readings.iter().map(|r| &r.evidence[..]));
    let of = of.chain(document.apparatus.iter().map(|e| &e.evidence[..]));
    let of = of.chain(document.divisions.iter().map(|d| &d.evidence[..]));
    let of = of.chain(document.supplied.iter().map(|m| std::slice::from_ref(&m.evidence)));
    let mut codes = BTreeSet::new();
    // To collect them would sort a list of all.
    of.flat_map(shown).for_each(|e| _ = codes.insert(e.code()));
    codes
}

fn char_decl(xml: &mut Markup<'_>, document: &Document) {
    let mut declared = Declared::default();
    declared.scan(document.source.text());
    declared.scan_bytes(&document.source);
    document.readings.iter().for_each(|r| declared.scan(&r.reading));
    if declared.is_empty() {
        return;
    }
    xml.open("charDecl").line();
    for (id, c) in &declared.points {
        xml.open("char").attr("xml:id", id).void("localProp").attr("name", "code");
        xml.attr("value", format_args!("{:04X}", *c as u32)).close().line();
    }
    for (id, (c, bytes)) in &declared.bytes {
        xml.open("char").attr("xml:id", id).void("localProp").attr("name", "code");
        xml.attr("value", format_args!("{:04X}", *c as u32));
        xml.void("localProp").attr("name", "bytes").attr("value", bytes).close().line();
    }
    for name in &declared.entities {
        xml.open("char").attr("xml:id", name).void("localProp").attr("name", "entity");
        xml.attr("value", name).close().line();
    }
    xml.close().line();
}

fn profile_desc(xml: &mut Markup<'_>, context: &Context<'_>) {
    let meta = &context.document.meta;
    if meta.language.is_empty() && context.people.is_empty() {
        return;
    }
    xml.open("profileDesc").line();
    if !meta.language.is_empty() {
        xml.open("langUsage").void("language").attr("ident", &meta.language).close().line();
    }
    if !context.people.is_empty() {
        xml.open("particDesc").line().open("listPerson").line();
        context.people.iter().for_each(|p| person(xml, p));
        xml.close().line().close().line();
    }
    xml.close().line();
}

fn person(xml: &mut Markup<'_>, person: &Person<'_>) {
    let roles: Vec<_> = person.layers.iter().map(|l| l.id()).collect();
    let key = &person.who.key;
    xml.open("person").attr("xml:id", &person.id).maybe("n", (person.id != *key).then_some(key));
    xml.maybe("role", (!roles.is_empty()).then(|| roles.join(" ")));
    if let Some(certainty) = person.who.inferred.filter(|_| !roles.is_empty()) {
        xml.inferred_by(certainty, None);
    }
    xml.line();
    element(xml, "persName", &[], Some(&person.who.name));
    element(xml, "floruit", &[], person.who.period.as_deref());
    xml.close().line();
}

/// `key` with all characters replaced that are not allowed in an XML name.
pub(super) fn name(key: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    key.chars().map(|c| if allowed(c) { c } else { '_' }).collect()
}

/// A person of the header.
#[derive(Debug)]
pub(super) struct Person<'a> {
    /// Id in the file.
    pub(super) id: String,
    /// The person.
    pub(super) who: Cow<'a, Commentator>,
    /// The layers they wrote, in the order of the metadata; none if notes report them only.
    pub(super) layers: Vec<Layer>,
}

/// The people of a document, each once: who wrote its layers, then who is reported in them.
pub(super) fn people(document: &Document) -> Vec<Person<'_>> {
    let mut people: Vec<Person<'_>> = Vec::new();
    for (layer, who) in &document.meta.layers {
        let same = |p: &&mut Person<'_>| {
            let sure = p.who.inferred.is_some() == who.inferred.is_some();
            sure && (&p.who.key, &p.who.name, &p.who.period) == (&who.key, &who.name, &who.period)
        };
        match people.iter_mut().find(same) {
            Some(p) => p.layers.push(*layer),
            None => add(&mut people, Cow::Borrowed(who), vec![*layer]),
        }
    }
    for speech in &document.speeches {
        if !people.iter().any(|p| p.who.name == speech.who.as_str()) {
            let name = speech.who.to_string();
            let who = Commentator { key: name.clone(), name, ..Commentator::default() };
            add(&mut people, Cow::Owned(who), vec![]);
        }
    }
    people
}

fn add<'a>(people: &mut Vec<Person<'a>>, who: Cow<'a, Commentator>, layers: Vec<Layer>) {
    let wanted = person_id(&who.key);
    let taken = |id: &str| people.iter().any(|p| p.id == id);
    let id = match taken(&wanted) {
        false => wanted,
        true => (2..).map(|n| format!("{wanted}-{n}")).find(|id| !taken(id)).unwrap_or(wanted),
    };
    people.push(Person { id, who, layers });
}

/// Ids of the header itself.
const OWN_IDS: [&str; 10] = [
    "zhushu",
    "evidence",
    "grounds",
    "status",
    "exact",
    "variant",
    "paraphrase",
    "range",
    "title-only",
    "unresolved",
];

/// The key itself if it is a valid id and cannot clash with one of ours: segments are `x12`,
/// characters `char-E000`, evidence `ev-…`.
fn person_id(key: &str) -> String {
    let id = name(key);
    let letter = id.starts_with(|c: char| c.is_alphabetic());
    let lower = !id.bytes().any(|b| b.is_ascii_uppercase());
    let ours = ["char-", "ev-", "person-"].iter().any(|p| id.starts_with(p))
        || OWN_IDS.contains(&&*id)
        || id.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
    if letter && lower && !ours { id } else { format!("person-{id}") }
}
