//! Headings of whole books, counted line by line against the books' own title lines.
//!
//! The patterns below are written by hand for these books; the program knows none of them. A line
//! that they match is a title, unless it is an entry of a table of contents, whose lines are given.

mod variations;

use std::fmt::Write as _;
use std::path::Path;

use regex::Regex;

use crate::Settings;
use crate::corpus::TextEntry;
use crate::model::{Document, Layer, LayerKind};
use crate::source::Span;
use crate::text::fold::fold;

/// A book: its file, the last line of its table of contents, and what its title lines look like.
/// The group `t` is the title by which its chapter is called.
struct CountedBook(&'static str, usize, &'static [&'static str]);

const N: &str = "[一二三四五六七八九十百]+";

const BOOKS: &[CountedBook] = &[
    CountedBook("canon/仪礼.txt", 19, &["^(?P<t>.{2,6})第N$"]),
    CountedBook("canon/周易.txt", 0, &["^《(?P<t>.{1,3})第N》$"]),
    CountedBook("canon/周礼.txt", 8, &["^(?P<t>.官).{2,3}第.$"]),
    CountedBook("canon/孝經.txt", 0, &[r"^\*\* \d+ 《(?P<t>.+)》$"]),
    CountedBook("canon/孟子.txt", 15, &["^卷N (?P<t>.+)$"]),
    CountedBook("canon/尔雅.txt", 21, &["^(?P<t>释.)第N$"]),
    CountedBook("canon/尚书.txt", 60, &["^.书 (?P<t>.+?)[上中下]?第N$"]),
    CountedBook("canon/春秋公羊传.txt", 0, &["^公羊传(?P<t>.公)$", "^(?P<t>.公)（经.*）.+年$"]),
    CountedBook("canon/春秋左传.txt", 12, &["^(?P<t>.公)（元年～.+）$", "^◇(?P<t>.公).+年$"]),
    CountedBook(
        "canon/春秋穀梁傳.txt",
        0,
        &[r"^\*\* \d+ (?P<t>.公)$", r"^\d+\.\d+《(?P<t>.公).+年》$"],
    ),
    CountedBook("canon/礼记.txt", 53, &["^《礼记(?P<t>[^《》]+)》$"]),
    CountedBook("canon/诗经.txt", 313, &[r"^[国小大周鲁商]\S+ (?:\S+ )?(?P<t>[^\s，。]+)$"]),
    CountedBook("canon/论语.txt", 22, &["^(?P<t>.{2,3})第N$"]),
    CountedBook("samples/books/人物志.txt", 0, &["^(?P<t>..)第N$"]),
    CountedBook("samples/books/公孙龙子注.txt", 0, &["^(?P<t>.{2,3})弟.(?:（.）)?$"]),
    CountedBook("samples/books/列子集释.txt", 0, &["^列子集释卷第N$", "^(?P<t>..|周穆王)第N$"]),
    CountedBook(
        "samples/books/周礼注疏.txt",
        0,
        &["^●卷N$", "^◎(?P<t>.官)..(?:第.|下)$", "^●周礼正义序$"],
    ),
    CountedBook(
        "samples/books/孟子注疏.txt",
        0,
        &["^●卷N[上下]·(?P<t>..?.?)章句(?P<h>[上下])(?:（.*）)?$"],
    ),
    CountedBook("samples/books/淮南鸿烈解.txt", 0, &["^淮南鸿烈解卷N$", "^.{2,3}训【.*】?$"]),
    CountedBook("samples/books/论语全解.txt", 0, &["^论语全解卷N$", "^(?P<t>.{2,3})第N$"]),
    CountedBook("samples/books/论语注疏.txt", 0, &["^●卷N (?P<t>.{2,3})第N$"]),
];

/// What became of the title lines of a book.
#[derive(Clone, Copy, Default)]
struct HeadingCounts {
    lines: usize,
    found: usize,
    named: usize,
    classic: usize,
}

#[test]
fn of_a_hundred_title_lines_of_whole_books_ninety_eight_are_headings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !folder.join("canon").is_dir() {
        eprintln!("skipped: there is no {}", folder.display());
        return;
    }
    let (mut table, mut all, mut missed) = (String::new(), HeadingCounts::default(), String::new());
    for CountedBook(file, contents, patterns) in BOOKS {
        let document = Settings::default().entry(&TextEntry::file(&folder.join(file))).unwrap();
        let patterns: Vec<Regex> =
            patterns.iter().map(|p| Regex::new(&p.replace('N', N)).unwrap()).collect();
        let tally = tally(&document, *contents, &patterns, &mut missed);
        let HeadingCounts { lines, found, named, classic } = tally;
        writeln!(table, "{file}\t{lines}\t{found}\t{named}\t{classic}").unwrap();
        all.lines += lines;
        all.found += found;
        all.named += named;
        all.classic += classic;
    }
    let HeadingCounts { lines, found, named, classic } = all;
    let shown = format!("{table}all\t{lines}\t{found}\t{named}\t{classic}\n{missed}");
    assert!(lines > 1500, "{shown}");
    assert!(found * 100 >= lines * 99 && named * 100 >= lines * 99, "{shown}");
    assert_eq!(classic, 0, "{shown}");
    eprintln!("{shown}");
}

fn tally(
    document: &Document,
    contents: usize,
    patterns: &[Regex],
    missed: &mut String,
) -> HeadingCounts {
    let mut tally = HeadingCounts::default();
    let mut at = 0;
    for (n, raw) in document.source.text().split_inclusive('\n').enumerate() {
        let words = raw.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
        let start = at + raw.find(words).unwrap_or(0);
        at += raw.len();
        let title = patterns.iter().find_map(|p| p.captures(words));
        let Some(title) = title.filter(|_| n >= contents) else { continue };
        let span = Span::new(start, start + words.len());
        let wanted = title
            .name("t")
            .map(|t| t.as_str().to_string() + title.name("h").map_or("", |h| h.as_str()));
        let is = |layer: Layer| segments(document, span).any(|l| l == layer);
        let found = is(Layer::Heading) || is(Layer::Furniture);
        let named = wanted.as_ref().is_none_or(|w| is_named(document, span, w));
        let classic = segments(document, span)
            .any(|l| matches!(l.kind(), LayerKind::Base | LayerKind::Undivided));
        tally.lines += 1;
        tally.found += usize::from(found);
        tally.named += usize::from(named);
        tally.classic += usize::from(classic);
        if !found || !named || classic {
            let chapter = chapter_at(document, span);
            let what = (found, named, classic);
            writeln!(missed, "{}:{} {words} {what:?} {chapter:?}", document.id, n + 1).unwrap();
        }
    }
    tally
}

fn segments(document: &Document, span: Span) -> impl Iterator<Item = Layer> {
    let overlaps = move |s: Span| s.start() < span.end() && span.start() < s.end();
    document.segments.iter().filter(move |s| overlaps(s.span)).map(|s| s.layer)
}

fn chapter_at(document: &Document, span: Span) -> Option<(&str, &str)> {
    let chapter = document.outline.iter().find(|c| c.span.contains(span))?;
    Some((chapter.name(), chapter.title.as_str()))
}

/// True if the chapter in which a title is has that title.
fn is_named(document: &Document, span: Span, wanted: &str) -> bool {
    let folded = |s: &str| s.chars().map(fold).collect::<String>();
    chapter_at(document, span).is_some_and(|(name, title)| {
        let wanted = folded(wanted);
        folded(name).starts_with(&wanted) || folded(title).ends_with(&wanted)
    })
}
