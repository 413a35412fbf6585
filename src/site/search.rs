//! The search of a site: its program (`data/`), and what it looks through. These are scripts, since
//! a page opened from the file system may load scripts and nothing else; they are loaded once
//! somebody asks.

use serde_json::json;

use crate::corpus::Library;
use crate::markup::address;
use crate::model::Document;
use crate::search;
use crate::writers::html::ASK_FILE;
use crate::writers::html::places::file_of;

/// Who answers queries: on disk nobody, so that pages look through the words themselves. A server
/// that does answer them gives another address for this name, relative to the pages.
pub const ENDPOINT: (&str, &str) = ("index.endpoint.js", "zhushu.endpoint = null;\n");

/// The search box, and what answers it where there is no server: queries, words, finding, answers.
const PROGRAM: &[(&str, &str)] = &[
    (ASK_FILE, include_str!("data/ask.js")),
    (
        "index.find.js",
        concat!(
            include_str!("data/query.js"),
            include_str!("data/texts.js"),
            include_str!("data/find.js"),
            include_str!("data/relation.js"),
            include_str!("data/answer.js"),
        ),
    ),
];

/// What every text of a site shares for searching.
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

fn file(document: &Document) -> String {
    format!("{}.search.js", document.id)
}

/// The words of a text: name of the file and content.
pub(super) fn words(document: &Document, library: &Library) -> (String, String) {
    (file(document), format!("zhushu.words({});\n", search::words_for_pages(document, library)))
}
