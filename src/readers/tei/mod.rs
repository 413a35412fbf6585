//! Our own TEI, back to a document: the source's text and bytes, segments with certainty and
//! evidence, readings, sections and metadata.
//!
//! Links, alignments and diagnostics are not read: the passes find them again from the layers. The
//! layers and readings are taken unchanged ([`Document::settled`]), so that corrections made in the
//! TEI are kept.
//!
//! The file may have been indented or rewritten by another XML program; recovery (see the writer's
//! header) does not depend on white space. TEI from elsewhere is refused: it marks layers in other
//! ways.

#[cfg(test)]
mod agreement;
mod body;
mod codes;
mod header;
mod images;
mod laxness;
mod tags;
mod xml;

use std::sync::Arc;

use ecow::eco_format;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diag::{Diagnostic, Error};
use crate::model::{Document, Evidence, Layer, LeafImages, Role, Segment};
use crate::readers::SOURCE_DIFFERS;
use crate::source::{Exchange, KeptBytes, Source, Span, by_label};
use body::TeiBody;
use header::TeiHeader;
use xml::{XmlNode, XmlReader, XmlToken};

/// 100 for TEI that names this program.
pub fn sniff(head: &str) -> u8 {
    let head = super::start(head);
    let root = head.starts_with('<')
        && (head.contains("<TEI") || head.contains(":TEI") || head.contains("<teiCorpus"))
        && head.contains("http://www.tei-c.org/ns/1.0");
    if root && ours(head) { 100 } else { 0 }
}

fn ours(head: &str) -> bool {
    head.contains("ident=\"zhushu\"") || head.contains("ident='zhushu'")
}

/// Details of evidence: id of what it is about, its number in the list from 1, the text.
type Detail = (String, usize, String);

/// Reads our TEI.
///
/// # Errors
/// Where the XML is not well-formed, the TEI is not ours, or its text cannot be written in the
/// encoding of the source.
pub fn read(source: Source) -> Result<Document, Error> {
    let mut xml = XmlReader::new(&source);
    loop {
        match xml.next()? {
            XmlToken::Open("TEI", ..) => return finished(one(&mut xml)?, &mut xml),
            XmlToken::Open("teiCorpus", ..) => return finished(book(&mut xml)?, &mut xml),
            XmlToken::Open(_, _, at) => {
                return Err(foreign(&xml, at, "the root element is not TEI"));
            }
            XmlToken::Text(_) | XmlToken::Close => {}
            XmlToken::End => {
                return Err(foreign(&xml, source.text().len(), "there is no TEI"));
            }
        }
    }
}

/// With what is wrong with the XML of the file.
fn finished(mut document: Document, xml: &mut XmlReader<'_>) -> Result<Document, Error> {
    document.diagnostics.extend(xml.finish()?);
    Ok(document)
}

/// Reads the chapters of a `teiCorpus`. The document has the text of all, and the chapters as
/// documents of their own.
fn book(xml: &mut XmlReader<'_>) -> Result<Document, Error> {
    let mut chapters = vec![];
    loop {
        match xml.next()? {
            XmlToken::Open("teiHeader", attributes, _) => {
                XmlNode::read(xml, "teiHeader", attributes)?;
            }
            XmlToken::Open("TEI", attributes, _) => {
                xml.set_prefix(attributes.get("xml:id").unwrap_or_default());
                chapters.push(one(xml)?);
                xml.set_prefix("");
            }
            XmlToken::Open(_, _, at) => {
                return Err(foreign(xml, at, "only TEI may be in a teiCorpus"));
            }
            XmlToken::Text(_) => {}
            XmlToken::Close | XmlToken::End => break,
        }
    }
    let Some(first) = chapters.first() else {
        return Err(foreign(xml, 0, "the teiCorpus has no TEI"));
    };
    let whole = Arc::new(Source::joined(chapters.iter().map(|d| &*d.source)));
    let mut document = Document::new(Arc::clone(&whole), "tei");
    document.meta.clone_from(&first.meta);
    document.settled = true;
    document.push(Segment::marked(Layer::Undivided, whole.span()));
    let of = chapters.len() as u32;
    let mut at = 0;
    for (mut chapter, nth) in chapters.into_iter().zip(1..) {
        let end = at + chapter.source.text().len();
        chapter.source = Arc::new(whole.part(Span::new(at, end), nth, of));
        at = end;
        document.chapters.push(chapter);
    }
    Ok(document)
}

/// Reads one `TEI` element, whose start tag has been read.
fn one(xml: &mut XmlReader<'_>) -> Result<Document, Error> {
    let (mut header, mut body, mut details, mut role) = (None, None, Vec::new(), Role::Witness);
    let (mut depth, mut outside) = (1, 0);
    loop {
        match xml.next()? {
            XmlToken::Open(name, attributes, at) => match (name, &header) {
                ("teiHeader", None) => {
                    let tree = XmlNode::read(xml, name, attributes)?;
                    if !tree.all("application").any(|a| a.attributes.get("ident") == Some("zhushu"))
                    {
                        return Err(foreign(
                            xml,
                            at,
                            "this TEI was not written by zhushu, and marks its layers in another way",
                        ));
                    }
                    header = Some(header::read(&tree));
                }
                ("text", _) => {
                    depth += 1;
                    if attributes.kind() == "translation" {
                        role = Role::Translation;
                    }
                }
                ("body", None) => {
                    return Err(foreign(xml, at, "the text comes before its teiHeader"));
                }
                ("body", Some(header)) if body.is_none() => body = Some(body::read(xml, header)?),
                // What we do not write there somebody has added.
                ("front" | "back" | "group" | "body", Some(_)) => {
                    outside += XmlNode::read(xml, name, attributes)?.content();
                }
                ("listAnnotation", _) if attributes.kind() == "evidence" => {
                    details.extend(
                        XmlNode::read(xml, name, attributes)?.children.iter().filter_map(detail),
                    );
                }
                _ => {
                    depth += 1;
                    xml.reuse(attributes);
                }
            },
            XmlToken::Text(_) => {}
            XmlToken::Close if depth > 1 => depth -= 1,
            XmlToken::Close | XmlToken::End => break,
        }
    }
    let (Some(mut header), Some(body)) = (header, body) else {
        return Err(foreign(xml, xml.at(), "the TEI has no header or no body"));
    };
    header.meta.role = role;
    let mut document = document(xml, header, body, details)?;
    document.diagnostics.extend(not_read(outside));
    Ok(document)
}

fn foreign(xml: &XmlReader<'_>, at: usize, message: &str) -> Error {
    xml.error(at, message)
        .hint("this reader reads the TEI that zhushu writes; other TEI is read with --from xml")
}

fn detail(annotation: &XmlNode<'_>) -> Option<Detail> {
    let target = annotation.attributes.get("target")?.strip_prefix('#')?.to_string();
    let n = annotation.attributes.get("n")?.parse().ok()?;
    Some((target, n, annotation.first("note")?.text.clone()))
}

/// What of the decisions of persons is not read.
fn decisions(by: &[String]) -> Option<Diagnostic> {
    if by.is_empty() {
        return None;
    }
    let message = format!(
        "the TEI names what persons decided ({}); layers and readings are as they said, but who speaks, references and beads are found again",
        by.join(", ")
    );
    let hint = "read the text itself, with its NAME.review.toml: this file is an edition";
    Some(Diagnostic::warning("decisions-not-read", None, message).hint(hint))
}

/// Assembles the document and checks it against the checksum.
fn document(
    xml: &XmlReader<'_>,
    header: TeiHeader,
    mut body: TeiBody,
    details: Vec<Detail>,
) -> Result<Document, Error> {
    attach(&mut body, details);
    let text = std::mem::take(&mut body.text);
    let source = rebuild(xml, &header, text, std::mem::take(&mut body.kept))?;
    let mut document = Document::new(Arc::new(source), "tei");
    let differs = differs(&header, &document);
    if let Some(id) = header.id {
        document.id = id;
    }
    document.meta = header.meta;
    if !body.images.is_empty() {
        let images = std::mem::take(&mut body.images);
        document.meta.images.push(LeafImages::listed(images));
    }
    number_the_nameless(&mut body.segments);
    document.segments = body.segments.into();
    document.marks = body.marks.into();
    document.readings = body.readings.into();
    document.supplied = body.supplied.into();
    document.divisions = body.divisions.into();
    if document.meta.role == Role::Witness {
        document.sentences = body.ju.into();
    }
    document.settled = true;
    document.diagnostics.extend(differs);
    document.diagnostics.extend(decisions(&header.deciders));
    let strange = body.strange.iter().map(|(name, at)| {
        let n = xml.error(*at, "").place.map_or(0, |p| p.line);
        let message = format!(
            "zhushu does not write the element {name} here (line {n}); its text is taken as the source's"
        );
        Diagnostic::warning("tei-element", None, message)
    });
    document.diagnostics.extend(strange.collect::<Vec<_>>());
    if body.more_strange > 0 {
        let message = format!(
            "zhushu does not write {} more of the elements; their text is taken as the source's",
            body.more_strange
        );
        document.diagnostics.push(Diagnostic::warning("tei-element", None, message));
    }
    Ok(document)
}

/// The original source: the text in the encoding that the header names.
fn rebuild(
    xml: &XmlReader<'_>,
    header: &TeiHeader,
    text: String,
    kept: Vec<KeptBytes>,
) -> Result<Source, Error> {
    let refuse = |why: String| {
        xml.error(0, why)
            .hint("the source cannot be rebuilt; correct the TEI, or its idno of type encoding")
    };
    if by_label(&header.encoding).is_none() {
        return Err(refuse(format!(
            "the header names no known encoding, but “{}”",
            header.encoding
        )));
    }
    let exchanged = exchanged(&header.exchanged, &text);
    let in_order = (!exchanged.is_empty()).then(|| {
        Source::restored_in_order(&header.file, &text, &kept, &header.encoding, &exchanged)
    });
    let source = in_order
        .flatten()
        .or_else(|| Source::restored(&header.file, text, kept, &header.encoding))
        .ok_or_else(|| refuse(format!("the text has characters that {} lacks", header.encoding)))?;
    Ok(match header.before {
        Some((lines, chars)) => source.after(lines, chars),
        None => source,
    })
}

/// Stretches of a text that its file has in another order; none if the text has no such places.
fn exchanged(places: &[usize], text: &str) -> Vec<Exchange> {
    if places.is_empty() {
        return vec![];
    }
    let bytes: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
    let one = |three: &[usize]| {
        let [from, middle, to] = three else { return None };
        let (from, middle, to) = (bytes.get(*from)?, bytes.get(*middle)?, bytes.get(*to)?);
        (from <= middle && middle < to).then(|| Exchange::new(Span::new(*from, *to), *middle))
    };
    places.chunks(3).map(one).collect::<Option<_>>().unwrap_or_default()
}

/// A warning if there are words before or after the body, which are not read.
fn not_read(chars: usize) -> Option<Diagnostic> {
    let message = format!("{chars} characters outside the first body of the TEI are not read");
    let hint = "put them into the body, or into a text of their own";
    (chars > 0).then(|| Diagnostic::warning(SOURCE_DIFFERS, None, message).hint(hint))
}

/// A warning if the text is no longer that of the file the TEI was made from.
fn differs(header: &TeiHeader, document: &Document) -> Option<Diagnostic> {
    if document.source.sha256() == header.sha256 {
        return None;
    }
    let (now, then) = (document.source.chars(), header.chars);
    let how = match then {
        Some(then) if now > then => format!("{} characters more", now - then),
        Some(then) if now < then => format!("{} characters fewer", then - now),
        _ => "as many characters".to_string(),
    };
    let message = format!(
        "the text in the TEI is no longer that of {}: {how}, another SHA-256",
        document.source.name()
    );
    Some(
        Diagnostic::warning(SOURCE_DIFFERS, None, message).hint(
            "ignore this if you edited the TEI on purpose; otherwise compare it with the source",
        ),
    )
}

/// Adds details to the evidence.
fn attach(body: &mut TeiBody, details: Vec<Detail>) {
    if details.is_empty() {
        return;
    }
    // Few segments have details.
    let wanted: FxHashSet<&str> = details.iter().map(|(id, ..)| id.as_str()).collect();
    let numbered = body.segments.iter().enumerate();
    let segments: FxHashMap<String, usize> = numbered
        .filter(|(_, s)| wanted.contains(s.id.as_str()))
        .map(|(i, s)| (s.id.to_string(), i))
        .collect();
    for (id, n, words) in details {
        let list = match (segments.get(&id), body.ids.get(&id)) {
            (Some(i), _) => &mut body.segments[*i].evidence[..],
            (None, Some(i)) => &mut body.readings[*i].evidence[..],
            (None, None) => continue,
        };
        if let Some(e) = n.checked_sub(1).and_then(|n| list.get_mut(n)) {
            *e = Evidence::new(e.kind.clone(), words);
        }
    }
}

/// Blanks between elements have no id in the file: they get the next number in order. If ids then
/// clash (the file was edited), all are renumbered.
fn number_the_nameless(segments: &mut [Segment]) {
    let mut counts: FxHashMap<_, u32> = FxHashMap::default();
    let name = |s: &Segment, n: u32| eco_format!("{}{n}", s.layer.info().prefix);
    for s in segments.iter_mut() {
        let n = counts.entry(s.layer).or_insert(0);
        *n += 1;
        if s.id.is_empty() {
            s.id = name(s, *n);
        }
    }
    let mut seen = FxHashSet::with_capacity_and_hasher(segments.len(), Default::default());
    if !segments.iter().all(|s| seen.insert(&s.id)) {
        counts.clear();
        for s in segments {
            let n = counts.entry(s.layer).or_insert(0);
            *n += 1;
            s.id = name(s, *n);
        }
    }
}
