//! The words of a text, or of a part of it.

use std::fs;
use std::path::Path;

use super::{ADDRESS, Answer, Asked, Unanswered, id_of, tree};
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
    let layer = tree::layer_of(document, asked.get("tree"))?;
    let plain = match asked.get("mediaType") {
        None | Some(TEI | "application/xml") => false,
        Some(PLAIN) => true,
        Some(other) => {
            return Err(Unanswered(404, format!("texts are {TEI} or {PLAIN}, not “{other}”")));
        }
    };
    let loci = Loci::of(document);
    let range = range(&loci, asked)?;
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
            if plain { words(document, &units) } else { passage(document, &units)? }
        }
    };
    let id: String = form_urlencoded::byte_serialize(id_of(document).as_bytes()).collect();
    Ok(reply.with_link(format!("</{ADDRESS}/collection?id={id}>; rel=\"collection\"")))
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
        _ => {
            let why = "either ref, or start and end, or none of them";
            return Err(Unanswered(400, why.into()));
        }
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

/// Units as a piece of TEI, each with its locus and its layer.
fn passage(document: &Document, units: &[(Span, CitableUnit)]) -> Answer<Reply> {
    let mut out = Vec::new();
    let mut x = Markup::xml(&mut out, Escaping::Tei);
    x.open("TEI").attr("xmlns", "http://www.tei-c.org/ns/1.0");
    x.open("dts:wrapper").attr("xmlns:dts", "https://w3id.org/api/dts#").line();
    for (span, unit) in units {
        let name = if unit.layer == Layer::Jing { "ab" } else { "note" };
        x.open(name).attr("type", unit.layer.id()).attr("n", unit.passage);
        x.text(document.words(*span)).close().line();
    }
    x.close().close().line();
    x.finish().map_err(|e| Unanswered(500, e.to_string()))?;
    Ok(Reply::content(TEI, out))
}

/// Units as lines.
fn words(document: &Document, units: &[(Span, CitableUnit)]) -> Reply {
    let lines: String =
        units.iter().map(|(span, _)| format!("{}\n", document.words(*span).trim())).collect();
    Reply::content(PLAIN, lines.into())
}
