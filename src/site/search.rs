//! The search of a site: its program (`data/`) and its data. Both are scripts, since a page opened
//! from the file system may load only scripts. They are loaded when a reader first searches.

use std::io;

use base64::prelude::BASE64_STANDARD;
use base64::write::EncoderWriter;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::json;

use crate::corpus::Library;
use crate::markup::address;
use crate::model::Document;
use crate::search;
use crate::writers::html::ASK_FILE;
use crate::writers::html::addresses::file_of;

/// The address for queries. On disk there is none, so pages search the texts themselves. A server
/// that answers queries sends other content for this file.
pub const ENDPOINT: (&str, &str) = ("index.endpoint.js", "zhushu.endpoint = null;\n");

/// The search box, and the scripts that answer it without a server.
const PROGRAM: &[(&str, &str)] = &[
    (ASK_FILE, concat!(include_str!("data/ask.js"), include_str!("data/check.js"))),
    (
        "index.find.js",
        concat!(
            include_str!("data/query.js"),
            include_str!("data/texts.js"),
            include_str!("data/find.js"),
            include_str!("data/relation.js"),
            include_str!("data/answer.js"),
            include_str!("data/nearly.js"),
        ),
    ),
];

/// The files for searching that all texts share.
pub(super) fn shared(library: &Library) -> Vec<(&'static str, String)> {
    let program = PROGRAM.iter().chain([&ENDPOINT]).map(|(name, words)| (*name, words.to_string()));
    program.chain([("index.search.js", tables(library))]).collect()
}

fn tables(library: &Library) -> String {
    let mut tables = search::tables_for_pages(library);
    for (document, text) in
        library.documents.iter().zip(tables["texts"].as_array_mut().into_iter().flatten())
    {
        text["page"] = json!(file_of(&document.id));
        text["words"] = json!(address::page(&file(document)));
    }
    format!("zhushu.tables({tables});\n")
}

/// The name of the file for searching a text.
pub(crate) fn file(document: &Document) -> String {
    format!("{}.search.js", document.id)
}

/// Writes the file for searching a text: its units, deflated, in base 64. Plain they are longer
/// than the text.
///
/// # Errors
/// When writing fails.
pub(crate) fn words(
    document: &Document,
    library: &Library,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    out.write_all(b"zhushu.packed('")?;
    let letters = EncoderWriter::new(&mut *out, &BASE64_STANDARD);
    let mut packed = DeflateEncoder::new(letters, Compression::default());
    search::words_for_pages(document, library, &mut packed)?;
    packed.finish()?.finish()?;
    out.write_all(b"');\n")
}
