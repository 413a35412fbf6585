//! What both forms of TEI begin with: the header with the witnesses; and the mark of a sentence.

use super::{CollatedChapter, sigla};
use crate::markup::Markup;

/// The namespace of TEI.
pub(super) const NAMESPACE: &str = "http://www.tei-c.org/ns/1.0";

/// The header, with all witnesses; `reported` are the sigla of those that notes report. The method
/// of the apparatus comes with what it means for the text of a witness.
pub(super) fn header(
    xml: &mut Markup<'_>,
    chapters: &[CollatedChapter<'_>],
    reported: &[&str],
    (method, recovery): (&str, &str),
) {
    let sigla = sigla(chapters);
    let title = match chapters {
        [one] => one.title.as_str(),
        _ => "several chapters",
    };
    xml.open("teiHeader").line().open("fileDesc").line().open("titleStmt").line();
    xml.element("title", format_args!("{title}: collation")).line().close().line();
    xml.open("publicationStmt").line().element("publisher", "zhushu").line().close().line();
    xml.open("sourceDesc").line().open("listWit").line();
    for (n, witness) in sigla.iter().enumerate() {
        let meta = &witness.document.meta;
        xml.open("witness").attr("xml:id", format_args!("wit-{}", n + 1)).line();
        xml.open("idno").attr("type", "siglum").text(&witness.siglum).close().line();
        xml.element("title", &meta.title).line();
        if let Some(edition) = &meta.edition {
            xml.open("bibl").element("edition", edition).close().line();
        }
        xml.open("idno").attr("type", "file").text(witness.document.source.name()).close().line();
        xml.close().line();
    }
    for (n, siglum) in reported.iter().enumerate() {
        let id = format!("wit-{}", sigla.len() + n + 1);
        xml.open("witness").attr("xml:id", id).line();
        xml.open("idno").attr("type", "siglum").text(siglum).close().line();
        xml.element("title", "readings that a witness reports").line().close().line();
    }
    xml.close().line().close().line().close().line();
    xml.open("encodingDesc").line();
    xml.open("appInfo").line().open("application").attr("xml:id", "zhushu");
    xml.attr("ident", "zhushu").attr("version", env!("CARGO_PKG_VERSION")).line();
    xml.element("label", "zhushu").line().close().line().close().line();
    xml.void("variantEncoding").attr("method", method).attr("location", "internal").line();
    xml.open("editorialDecl").line().element("p", recovery).line().close().line();
    xml.close().line().close().line();
}

/// A sentence of the base begins: section and number.
pub(super) fn milestone(xml: &mut Markup<'_>, n: &str) {
    xml.void("milestone").attr("unit", "ju").attr("n", n);
}
