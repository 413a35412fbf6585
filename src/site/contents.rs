//! The contents of a corpus: its works, their chapters and the texts of each. They are the first
//! page of a site, and the drawer that any page opens.

use std::collections::HashMap;
use std::io;

use serde_json::{Value, json};

use super::collated::{ids as collated_ids, page_of};
use super::frame::{INDEX, Title, frame, page};
use crate::corpus::Library;
use crate::corpus::loci::text_of;
use crate::language::escape;
use crate::markup::Markup;
use crate::model::{Document, Role};
use crate::text::fold::fold;
use crate::writers::html::addresses::file_of;

/// The script of the drawer.
const DRAWER: &str = include_str!("data/drawer.js");

/// A work of a corpus; texts of no known work have one without a title.
struct ListedWork<'a> {
    title: Option<&'a str>,
    chapters: Vec<ListedChapter<'a>>,
}

/// A chapter of a work, with its texts in the order of the corpus.
struct ListedChapter<'a> {
    title: Option<&'a str>,
    number: Option<u32>,
    texts: Vec<&'a Document>,
}

/// The works of a corpus in the order in which their first texts come, and their chapters by
/// number.
fn works(library: &Library) -> Vec<ListedWork<'_>> {
    let mut works: Vec<ListedWork<'_>> = Vec::new();
    let mut of_work: HashMap<Option<&str>, usize> = HashMap::new();
    let mut of_chapter: HashMap<(usize, Option<String>), usize> = HashMap::new();
    for document in &library.documents {
        let meta = &document.meta;
        let title = meta.work.as_deref();
        let work = *of_work.entry(title).or_insert_with(|| {
            works.push(ListedWork { title, chapters: vec![] });
            works.len() - 1
        });
        let chapters = &mut works[work].chapters;
        let folded = meta.chapter.as_ref().map(|c| c.chars().map(fold).collect());
        let chapter = *of_chapter.entry((work, folded)).or_insert_with(|| {
            let (title, number) = (meta.chapter.as_deref(), meta.number);
            chapters.push(ListedChapter { title, number, texts: vec![] });
            chapters.len() - 1
        });
        chapters[chapter].texts.push(document);
    }
    for work in &mut works {
        // Chapters without a number stay in their order, after the others.
        work.chapters.sort_by_key(|c| (c.number.is_none(), c.number));
    }
    works
}

/// Writes `index.html`, in the same folder as the pages of the library's documents
/// (`yili-05-zhushu.html`).
///
/// # Errors
/// When writing to `out` fails.
pub fn index(library: &Library, title: Title<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let collated = collated_ids(library);
    let works = works(library);
    frame(INDEX, (title, library.language), out, |h| {
        for work in &works {
            h.open("section").attr("class", "work");
            match work.title {
                Some(title) => _ = h.open("h2").words(title).close().line(),
                // A corpus of texts that no work is known of needs no heading for them.
                None if works.len() > 1 => _ = h.said("h2", "{other-texts}").line(),
                None => {}
            }
            h.open("ol").attr("class", "chapters").line();
            for chapter in &work.chapters {
                let collation = chapter.texts.iter().find(|d| collated.contains(d.id.as_str()));
                list(h, chapter, collation.map(|d| page_of(&d.id)));
            }
            h.close().close().line();
        }
    })
}

fn list(h: &mut Markup<'_>, chapter: &ListedChapter<'_>, collation: Option<String>) {
    h.open("li").maybe("value", chapter.number);
    if chapter.number.is_none() {
        h.attr("class", "unnumbered");
    }
    if let Some(title) = chapter.title {
        h.open("h3").words(title).close();
    }
    h.open("ul").attr("class", "texts").line();
    for document in &chapter.texts {
        h.open("li");
        page(h, document);
        let about = about(document);
        if !about.is_empty() {
            h.text(" ").open("small").say(&about).close();
        }
        h.close().line();
    }
    if let Some(collation) = collation {
        h.open("li").open("a").attr("href", collation).say("{collation-others}").close().close();
    }
    h.close().close().line();
}

/// What a text is, in one line, as a template.
fn about(document: &Document) -> String {
    let meta = &document.meta;
    let role = (meta.role == Role::Translation).then(|| "{translation}".to_string());
    let known = meta.edition.as_deref().or(meta.siglum.as_deref()).map(escape);
    role.into_iter().chain(known).collect::<Vec<_>>().join(" · ")
}

/// The script of the drawer with the contents. A page loads it when the drawer is opened.
pub(super) fn drawer(library: &Library) -> String {
    let works: Vec<Value> = works(library).iter().map(work_of_drawer).collect();
    format!("{DRAWER}zhushuContents({});\n", json!(works))
}

fn work_of_drawer(work: &ListedWork<'_>) -> Value {
    let chapters = work.chapters.iter().map(|c| {
        let texts: Vec<Value> = c.texts.iter().map(|d| text_of_drawer(d)).collect();
        json!([c.number, c.title, texts])
    });
    json!([work.title, chapters.collect::<Vec<_>>()])
}

/// Title, file, locus, and the sections with their numbers and titles.
fn text_of_drawer(document: &Document) -> Value {
    let sections = document.divisions.iter().map(|d| json!([d.n, d.title]));
    let sections: Vec<Value> = sections.collect();
    json!([document.meta.title, file_of(&document.id), text_of(document).to_string(), sections])
}
