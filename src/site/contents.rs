//! The contents of a corpus: its works, their chapters and the texts of each. They are the first
//! page of a site, and the drawer that any page opens.

use std::collections::{BTreeSet, HashMap};
use std::io;

use serde_json::{Value, json};

use super::Take;
use super::collated::{ids as collated_ids, page_of};
use super::frame::{INDEX, NamedPage, Title, frame, named_frame};
use crate::corpus::Library;
use crate::corpus::loci::text_of;
use crate::language::escape;
use crate::markup::Markup;
use crate::model::{Document, Role};
use crate::text::fold::fold;
use crate::writers::html::addresses::file_of;
use crate::writers::html::common_bar;

/// The script of the drawer.
const DRAWER: &str = include_str!("data/drawer.js");

/// A work of a corpus, or a book that is of none that is known; texts of neither have one without a
/// title.
struct ListedWork<'a> {
    title: Option<&'a str>,
    key: Option<&'a str>,
    chapters: Vec<ListedChapter<'a>>,
}

/// A chapter of a work, with its texts in the order of the corpus.
struct ListedChapter<'a> {
    title: Option<&'a str>,
    number: Option<u32>,
    /// What is between the work and it.
    group: Option<&'a str>,
    texts: Vec<&'a Document>,
}

/// The works of a corpus in the order in which their first texts come, and their chapters by
/// number.
fn works(library: &Library) -> Vec<ListedWork<'_>> {
    let mut works: Vec<ListedWork<'_>> = Vec::new();
    let mut of_work: HashMap<Option<&str>, usize> = HashMap::new();
    // Poems of one title have different numbers; a text may have none.
    let mut of_title: HashMap<(usize, Option<String>), Option<u32>> = HashMap::new();
    let mut of_chapter: HashMap<(usize, Option<String>, Option<u32>), usize> = HashMap::new();
    for document in &library.documents {
        let meta = &document.meta;
        let book = || meta.title.rsplit_once('・').map(|(book, _)| book);
        let is_part = document.source.file_part().is_some();
        let title = meta.work.as_deref().or_else(|| book().filter(|_| is_part));
        let work = *of_work.entry(title).or_insert_with(|| {
            works.push(ListedWork { title, key: meta.work_key.as_deref(), chapters: vec![] });
            works.len() - 1
        });
        let chapters = &mut works[work].chapters;
        let folded: Option<String> = meta.chapter.as_ref().map(|c| c.chars().map(fold).collect());
        let first = *of_title.entry((work, folded.clone())).or_insert(meta.number);
        let number = meta.number.or(first);
        let chapter = *of_chapter.entry((work, folded, number)).or_insert_with(|| {
            let (title, number) = (meta.chapter.as_deref(), meta.number);
            let group = meta.group.as_deref();
            chapters.push(ListedChapter { title, number, group, texts: vec![] });
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

/// How the chapters of a corpus are shown on its first page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unfolding {
    /// All of them.
    Open,
    /// Those of a work that the reader unfolds.
    Folded,
    /// On a page for each work: with all of them, the first page would be long to load.
    Apart,
}

/// Most chapters of several works that the first page shows unfolded.
const OPEN_CHAPTERS: usize = 40;
/// Most texts of which the first page has the names.
const NAMED_TEXTS: usize = 800;
/// The beginning of the names of pages of works.
const CONTENTS: &str = "index.contents";
/// Most editions of a work that the first page names.
const EDITIONS: usize = 6;

impl Unfolding {
    fn of(library: &Library, works: &[ListedWork<'_>]) -> Self {
        let chapters: usize = works.iter().map(|work| work.chapters.len()).sum();
        match (works.len(), library.documents.len()) {
            (0 | 1, _) => Unfolding::Open,
            (_, texts) if texts > NAMED_TEXTS => Unfolding::Apart,
            _ if chapters > OPEN_CHAPTERS => Unfolding::Folded,
            _ => Unfolding::Open,
        }
    }
}

/// Writes `index.html`, in the same folder as the pages of the library's documents
/// (`yili-05-zhushu.html`). Of a library of many texts it names the works only.
///
/// # Errors
/// When writing to `out` fails.
pub fn index(library: &Library, title: Title<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let collated = collated_ids(library);
    let works = works(library);
    let unfolding = Unfolding::of(library, &works);
    frame(INDEX, (title, library.language), out, |h| {
        for (n, work) in works.iter().enumerate() {
            match unfolding {
                Unfolding::Open => {
                    h.open("section").attr("class", "work");
                    // A corpus of texts that no work is known of needs no heading for them.
                    if work.title.is_some() || works.len() > 1 {
                        h.said("h2", &work.name()).line();
                    }
                    chapters(h, work, &collated);
                }
                Unfolding::Folded => {
                    h.open("details").attr("class", "work").open("summary");
                    h.said("h2", &work.name());
                    holds(h, work);
                    h.close().line();
                    chapters(h, work, &collated);
                }
                Unfolding::Apart => {
                    h.open("section").attr("class", "work apart").open("h2").open("a");
                    h.attr("href", page_of_work(CONTENTS, n, work))
                        .say(&work.name())
                        .close()
                        .close();
                    holds(h, work);
                }
            }
            h.close().line();
        }
    })
}

/// Writes the first page, and those of works whose chapters it has no room for.
///
/// # Errors
/// When `take` fails.
pub(super) fn pages(library: &Library, title: Title<'_>, take: Take<'_>) -> io::Result<()> {
    let mut first = Vec::new();
    index(library, title, &mut first)?;
    take(INDEX, &first)?;
    let works = works(library);
    if Unfolding::of(library, &works) != Unfolding::Apart {
        return Ok(());
    }
    let collated = collated_ids(library);
    for (n, work) in works.iter().enumerate() {
        let file = page_of_work(CONTENTS, n, work);
        let named = NamedPage { file: &file, full: format!("{} · {}", work.name(), title.name()) };
        let mut page = Vec::new();
        named_frame(named, (title, library.language), &mut page, common_bar, |h| {
            h.open("section").attr("class", "work").said("h2", &work.name());
            holds(h, work);
            chapters(h, work, &collated);
            h.close().line();
        })?;
        take(&file, &page)?;
    }
    Ok(())
}

/// The content of a general page about some texts.
type AboutTexts = fn(&mut Markup<'_>, &Library, Title<'_>);

/// Writes a general page about all texts; of a library of many texts a page for each work, and one
/// that names these.
///
/// # Errors
/// When `take` fails.
pub(super) fn by_work(
    (general, write): (&'static str, AboutTexts),
    library: &Library,
    title: Title<'_>,
    take: Take<'_>,
) -> io::Result<()> {
    let mut page = Vec::new();
    if library.documents.len() <= NAMED_TEXTS {
        frame(general, (title, library.language), &mut page, |h| write(h, library, title))?;
        return take(general, &page);
    }
    let room = general.trim_end_matches(".html");
    let works = works(library);
    frame(general, (title, library.language), &mut page, |h| {
        h.open("ul").attr("class", "texts").line();
        for (n, work) in works.iter().enumerate() {
            h.open("li").open("a").attr("href", page_of_work(room, n, work));
            h.say(&work.name()).close().close().line();
        }
        h.close().line();
    })?;
    take(general, &page)?;
    for (n, work) in works.iter().enumerate() {
        let file = page_of_work(room, n, work);
        let own = work.library(library);
        let named = NamedPage { file: &file, full: format!("{} · {}", work.name(), title.name()) };
        let mut page = Vec::new();
        named_frame(named, (title, library.language), &mut page, common_bar, |h| {
            h.said("h2", &work.name()).line();
            write(h, &own, title);
        })?;
        take(&file, &page)?;
    }
    Ok(())
}

/// The page of a work, the `n`th of all, in a room of pages.
fn page_of_work(room: &str, n: usize, work: &ListedWork<'_>) -> String {
    let is_plain = |key: &&str| key.bytes().all(|b| b.is_ascii_lowercase());
    match work.key.filter(is_plain) {
        Some(key) => format!("{room}-{key}.html"),
        None => format!("{room}-{}.html", n + 1),
    }
}

impl ListedWork<'_> {
    /// Its title, as a template.
    fn name(&self) -> String {
        self.title.map_or_else(|| "{other-texts}".into(), escape)
    }

    /// Its texts alone, with what is aligned among them.
    fn library(&self, library: &Library) -> Library {
        let own = self.chapters.iter().flat_map(|c| &c.texts);
        let own: BTreeSet<&str> = own.map(|d| d.id.as_str()).collect();
        let documents = library.documents.iter().filter(|d| own.contains(d.id.as_str()));
        let alignments = library.alignments.iter().filter(|a| own.contains(a.source.as_str()));
        Library {
            documents: documents.cloned().collect(),
            alignments: alignments.cloned().collect(),
            language: library.language,
            ..Library::default()
        }
    }
}

/// How many chapters a work has, and in which editions.
fn holds(h: &mut Markup<'_>, work: &ListedWork<'_>) {
    let texts = work.chapters.iter().flat_map(|c| c.texts.iter().map(move |d| (c, *d)));
    let mut editions: Vec<String> = vec![];
    for (chapter, document) in texts {
        let name = escape(without_chapter(document, chapter));
        let about = about(document);
        let name = if about.is_empty() { name } else { format!("{name} ({about})") };
        if !editions.contains(&name) {
            editions.push(name);
        }
        if editions.len() > EDITIONS {
            editions[EDITIONS] = "…".into();
            break;
        }
    }
    h.text(" ").open("span").attr("class", "holds");
    h.said("span", &format!("{{chapters-count n={}}}", work.chapters.len()));
    for edition in &editions {
        h.text(" · ").said("span", edition);
    }
    h.close().line();
}

/// The title of a text without that of its chapter: 儀禮注疏・鄉射禮 is 儀禮注疏.
fn without_chapter<'a>(document: &'a Document, chapter: &ListedChapter<'_>) -> &'a str {
    let title = document.meta.title.as_str();
    let folded = |words: &str| words.chars().map(fold).collect::<String>();
    match (title.rsplit_once('・'), chapter.title) {
        (Some((book, of)), Some(name)) if folded(of) == folded(name) => book,
        _ => title,
    }
}

fn chapters(h: &mut Markup<'_>, work: &ListedWork<'_>, collated: &BTreeSet<&str>) {
    for of_group in work.chapters.chunk_by(|a, b| a.group == b.group) {
        if let Some(group) = of_group[0].group {
            h.open("h3").attr("class", "group").words(group).close().line();
        }
        h.open("ol").attr("class", "chapters").line();
        for chapter in of_group {
            let collation = chapter.texts.iter().find(|d| collated.contains(d.id.as_str()));
            list(h, chapter, collation.map(|d| page_of(&d.id)));
        }
        h.close();
    }
}

fn list(h: &mut Markup<'_>, chapter: &ListedChapter<'_>, collation: Option<String>) {
    h.open("li").maybe("value", chapter.number);
    if chapter.number.is_none() {
        h.attr("class", "unnumbered");
    }
    if let Some(title) = chapter.title {
        let heading = if chapter.group.is_some() { "h4" } else { "h3" };
        h.open(heading).words(title).close();
    }
    h.open("ul").attr("class", "texts");
    for document in &chapter.texts {
        h.open("li").open("a").attr("href", file_of(&document.id));
        h.words(without_chapter(document, chapter)).close();
        let about = about(document);
        if !about.is_empty() {
            h.text(" ").open("small").say(&about).close();
        }
        h.close();
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
        json!([c.number, c.title, texts, c.group])
    });
    json!([work.title, chapters.collect::<Vec<_>>()])
}

/// Title, file, locus, and the sections with their numbers and titles.
fn text_of_drawer(document: &Document) -> Value {
    let sections = document.divisions.iter().map(|d| json!([d.n, d.title]));
    let sections: Vec<Value> = sections.collect();
    json!([document.meta.title, file_of(&document.id), text_of(document).to_string(), sections])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::source::Source;

    /// Two works with so many chapters each.
    fn library(chapters: u32) -> Library {
        let document = |(work, n): (&str, u32)| {
            let source = Arc::new(Source::from_text(format!("{work}-{n}.txt"), "經。"));
            let mut document = Document::new(source, "plain");
            document.id = format!("{work}-{n}");
            document.meta.work = Some(work.into());
            document.meta.work_key = Some(work.into());
            document.meta.chapter = Some(format!("章{n}"));
            document.meta.number = Some(n);
            document.meta.title = format!("{work}注・章{n}");
            Arc::new(document)
        };
        let all = (1..=chapters).flat_map(|n| [("shan", n), ("水", n)]);
        Library { documents: all.map(document).collect(), ..Library::default() }
    }

    /// What is written of a library with so many chapters.
    fn written(
        chapters: u32,
        write: fn(&Library, Title<'_>, Take<'_>) -> io::Result<()>,
    ) -> Vec<(String, String)> {
        let mut made = vec![];
        let mut take = |name: &str, bytes: &[u8]| {
            made.push((name.to_string(), String::from_utf8(bytes.to_vec()).unwrap()));
            Ok(())
        };
        write(&library(chapters), Title::default(), &mut take).unwrap();
        made
    }

    #[test]
    fn of_many_texts_each_work_has_figures_of_its_own() {
        let write: fn(&Library, Title<'_>, Take<'_>) -> io::Result<()> = |library, title, take| {
            by_work(("index.figures.html", super::super::figures::figures), library, title, take)
        };
        assert_eq!(written(3, write).len(), 1);
        let many = written(500, write);
        let names: Vec<&str> = many.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["index.figures.html", "index.figures-shan.html", "index.figures-2.html"]
        );
        assert!(many[0].1.contains("href=\"index.figures-shan.html\""));
        assert!(many[1].1.contains("shan-499.html") && !many[1].1.contains("水-499"));
    }

    #[test]
    fn works_are_open_folded_or_have_pages_by_how_much_there_is() {
        let few = written(3, pages);
        assert!(few.len() == 1 && few[0].1.contains("<section class=\"work\">"));
        assert!(few[0].1.contains("<a href=\"shan-2.html\">shan注</a>"), "{}", few[0].1);
        let more = written(100, pages);
        assert!(more.len() == 1 && more[0].1.contains("<details class=\"work\">"));
        let many = written(500, pages);
        let names: Vec<&str> = many.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["index.html", "index.contents-shan.html", "index.contents-2.html"]);
        let first = &many[0].1;
        assert!(!first.contains("章7") && first.contains("href=\"index.contents-2.html\""));
        assert!(many[2].1.contains("-500.html"));
    }
}
