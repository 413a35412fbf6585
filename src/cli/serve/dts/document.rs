//! The words of a text, or of a part of it.

use std::fs;
use std::path::Path;

use super::tree::{self, Tree};
use super::{ADDRESS, Answer, Asked, Unanswered, id_of, leaf};
use crate::cli::serve::reply::Reply;
use crate::corpus::loci::CitableUnit;
use crate::corpus::{Library, Loci};
use crate::markup::{Escaping, Markup};
use crate::model::{Document, Layer, Locus, LocusPath};
use crate::source::Span;

/// The forms in which a text is sent.
pub const TEI: &str = "application/tei+xml";
pub const PLAIN: &str = "text/plain";

/// The whole TEI of a text, or what a part of it says.
pub fn answer(library: &Library, asked: &Asked<'_>, out: &Path) -> Answer<Reply> {
    let document = asked.resource(library)?;
    let tree = tree::named(document, asked.get("tree"))?;
    let plain = match asked.get("mediaType") {
        None | Some(TEI | "application/xml") => false,
        Some(PLAIN) => true,
        Some(other) => {
            return Err(Unanswered(404, format!("texts are {TEI} or {PLAIN}, not “{other}”")));
        }
    };
    let leaves = if tree == Tree::Leaves { leaves(document, asked)? } else { None };
    if let Some(pieces) = leaves {
        return Ok(linked(document, part(document, &pieces, plain)?));
    }
    let loci = Loci::of(document);
    let range = if tree == Tree::Leaves { None } else { range(&loci, asked)? };
    let layer = if let Tree::Loci(layer) = tree { layer } else { None };
    let reply = match range {
        None if !plain && layer.is_none() => whole(document, out)?,
        range => {
            let locus = range.unwrap_or(Locus {
                text: loci.text.clone(),
                from: None,
                to: None,
                version: None,
            });
            let units = loci.find(&locus);
            let units: Vec<_> =
                units.into_iter().filter(|(_, u)| layer.is_none_or(|l| l == u.layer)).collect();
            if units.is_empty() {
                return Err(Unanswered(404, format!("the text has no {}", locus.passage())));
            }
            let piece = |(span, unit): &(Span, CitableUnit)| {
                (*span, unit.layer, Some(unit.passage.to_string()))
            };
            part(document, &units.iter().map(piece).collect::<Vec<_>>(), plain)?
        }
    };
    Ok(linked(document, reply))
}

/// A stretch of text with its layer and its locus.
type CitedText = (Span, Layer, Option<String>);

/// The text of the leaf that `ref` names, or of those from `start` to `end`.
fn leaves(document: &Document, asked: &Asked<'_>) -> Answer<Option<Vec<CitedText>>> {
    let (from, to) = match (asked.get("ref"), asked.get("start"), asked.get("end")) {
        (None, None, None) => return Ok(None),
        (Some(one), None, None) => (one, one),
        (None, Some(from), Some(to)) => (from, to),
        _ => return Err(not_one_part()),
    };
    let text = leaf::text(document, from, to)
        .ok_or_else(|| Unanswered(404, format!("there is no “{from}” – “{to}” in the text")))?;
    Ok(Some(text.into_iter().map(|t| (t.span, t.layer, t.locus)).collect()))
}

fn not_one_part() -> Unanswered {
    Unanswered(400, "either ref, or start and end, or none of them".into())
}

fn linked(document: &Document, reply: Reply) -> Reply {
    let id: String = form_urlencoded::byte_serialize(id_of(document).as_bytes()).collect();
    reply.with_link(format!("</{ADDRESS}/collection?id={id}>; rel=\"collection\""))
}

/// A part of the text.
fn part(document: &Document, pieces: &[CitedText], plain: bool) -> Answer<Reply> {
    if plain { Ok(words(document, pieces)) } else { passage(document, pieces) }
}

/// The passage that `ref`, or `start` and `end`, names.
fn range(loci: &Loci<'_>, asked: &Asked<'_>) -> Answer<Option<Locus>> {
    let path = |words: &str| -> Answer<LocusPath> {
        words.parse().map_err(|_| Unanswered(404, format!("there is no “{words}” in the text")))
    };
    let (from, to) = match (asked.get("ref"), asked.get("start"), asked.get("end")) {
        (None, None, None) => return Ok(None),
        (Some(one), None, None) => (path(one)?, None),
        (None, Some(from), Some(to)) => (path(from)?, Some(path(to)?)),
        _ => return Err(not_one_part()),
    };
    Ok(Some(Locus { text: loci.text.clone(), from: Some(from), to, version: None }))
}

/// The TEI that the build wrote.
fn whole(document: &Document, out: &Path) -> Answer<Reply> {
    let path = out.join("tei").join(format!("{}.xml", document.id));
    let tei = fs::read(&path)
        .map_err(|e| Unanswered(503, format!("{} cannot be read: {e}", path.display())))?;
    Ok(Reply::content(TEI, tei))
}

/// A part as a piece of TEI, each stretch with its locus and its layer.
fn passage(document: &Document, pieces: &[CitedText]) -> Answer<Reply> {
    let mut out = Vec::new();
    let mut x = Markup::xml(&mut out, Escaping::Tei);
    x.open("TEI").attr("xmlns", "http://www.tei-c.org/ns/1.0");
    x.open("dts:wrapper").attr("xmlns:dts", "https://w3id.org/api/dts#").line();
    for (span, layer, locus) in pieces {
        let name = if *layer == Layer::Jing { "ab" } else { "note" };
        x.open(name).attr("type", layer.id()).maybe("n", locus.as_ref());
        x.text(document.words(*span)).close().line();
    }
    x.close().close().line();
    x.finish().map_err(|e| Unanswered(500, e.to_string()))?;
    Ok(Reply::content(TEI, out))
}

/// A part as lines.
fn words(document: &Document, pieces: &[CitedText]) -> Reply {
    let lines: String =
        pieces.iter().map(|(span, ..)| format!("{}\n", document.words(*span).trim())).collect();
    Reply::content(PLAIN, lines.into())
}
