//! Typst source: the text as string literals in calls of the functions that `data/` defines.
//!
//! The text is never Typst markup, so nothing in it is executed. The functions set the lines: every
//! character has a width of its own, so they know where a line ends, that no mark is where it may
//! not be (避頭尾), and how a note goes on in double rows (雙行夾注): one that reaches the end of a
//! line fills both rows up to there and continues in the next line, as in woodblock prints.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use super::flow::{EditionBlock, EditionRun, EditionSection, Variant};
use super::formats::Format;
use super::{Edition, Facing, Paper};
use crate::model::{Document, Layer, LayerKind};
use crate::reading::Chapter;
use crate::text::class::is_content;
use crate::text::script::{self, Script};

/// Functions for both directions, then those for lines and those for columns.
const COMMON: &str = include_str!("data/common.typ");
const LEVEL: &str = include_str!("data/level.typ");
const UPRIGHT: &str = include_str!("data/upright.typ");

pub(super) const FORMAT: Format = Format {
    name: "typst",
    extension: "typ",
    about: "Typst source, 注 in double rows (雙行夾注)",
    vertical: true,
    pages: true,
    paper: true,
    write,
    references: false,
    ..Format::PLAIN
};

/// Typst source that the command line typesets.
pub(super) const PDF: Format = Format {
    name: "pdf",
    extension: "pdf",
    about: "the same, typeset by the typst of this machine",
    ..FORMAT
};

/// Writes all texts.
fn write(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let vertical = edition.layout.vertical;
    writeln!(
        out,
        "#let paper = {}\n#let marks = {}\n#let region = {}\n\n{COMMON}\n{}",
        literal(edition.layout.paper.unwrap_or(Paper::A5).name()),
        literal(edition.layout.marks.name()),
        literal(region(edition)),
        if vertical { UPRIGHT } else { LEVEL }
    )?;
    out.write_all(head(edition).as_bytes())?;
    for d in edition.documents() {
        out.write_all(document(edition, d).as_bytes())?;
    }
    Ok(())
}

/// Where the forms of characters and the places of points are usual: by the script of the text,
/// since few texts name theirs.
fn region(edition: &Edition) -> &'static str {
    let first = edition.documents().next();
    let simplified = match first.and_then(|d| script::detect(d.source.text())) {
        Some(script) => script == Script::Simplified,
        None => edition.language().contains("Hans"),
    };
    if simplified { "CN" } else { "TW" }
}

fn head(edition: &Edition) -> String {
    let about = &edition.about;
    let people = edition.people();
    let authors = people.iter().map(|(name, _)| name).chain(&about.editors);
    let colophon: Vec<String> = edition
        .documents()
        .map(|d| {
            let facts: Vec<String> =
                d.meta.facts().iter().map(|f| format!("{} {}", f.zh, f.words)).collect();
            array(std::iter::once(&d.meta.title).chain(&facts))
        })
        .collect();
    let people: Vec<String> =
        people.iter().map(|(name, layers)| format!("{name} {layers}")).collect();
    let facing =
        if edition.layout.translation == Facing::Facing { "\n  facing: true," } else { "" };
    format!(
        "#show: edition.with(\n  title: {},\n  authors: {},\n  date: datetime(year: {}, month: {}, day: {}),{facing}\n)\n\
         #title-page({}, {}, {}, {}, {}, ({}))\n",
        literal(&about.title),
        array(authors),
        about.date.year,
        about.date.month,
        about.date.day,
        literal(&about.title),
        array(people.iter()),
        array(about.editors.iter()),
        about.licence.as_deref().map_or("none".into(), literal),
        literal(&about.date.to_string()),
        colophon.iter().map(|c| format!("{c}, ")).collect::<String>(),
    )
}

/// An array of strings; the comma after the last makes an array also of a single string.
fn array<'a>(words: impl Iterator<Item = &'a String>) -> String {
    format!("({})", words.map(|w| format!("{}, ", literal(w))).collect::<String>())
}

/// Calls of the functions, in the form that their context needs.
struct Calls {
    out: String,
    context: CallContext,
}

#[derive(Clone, Copy, PartialEq)]
enum CallContext {
    /// In the text: Typst lays out the page.
    Text,
    /// In a block of code.
    Code,
    /// In a list of columns, which the functions lay out.
    List,
}

impl Calls {
    fn call(&mut self, name: &str, arguments: &str) {
        let (before, after) = match self.context {
            CallContext::Text => ("#", ""),
            CallContext::Code => ("  ", ""),
            CallContext::List => ("  ", ","),
        };
        let _ = writeln!(self.out, "{before}{name}({arguments}){after}");
    }

    /// Calls within a block of code.
    fn code(&mut self, inside: impl FnOnce(&mut Self)) {
        self.out.push_str("{\n");
        let before = std::mem::replace(&mut self.context, CallContext::Code);
        inside(self);
        self.context = before;
        self.out.push('}');
    }
}

fn document(edition: &Edition, document: &Document) -> String {
    let sections = edition.sections(document);
    let foot = FootEntries::new(edition, document);
    let calls = Calls { out: "\n".into(), context: CallContext::Text };
    let goes_on = notes_have_lines(document);
    let mut writer =
        TextWriter { edition, foot, calls, goes_on, printed: document.meta.title.clone() };
    let translated =
        sections.iter().flat_map(|s| &s.blocks).any(|b| matches!(b, EditionBlock::Translation(_)));
    let title = literal(&document.meta.title);
    match (edition.layout.vertical, edition.layout.translation) {
        (true, _) => {
            writer.calls.out.push_str("#volume((\n");
            writer.calls.context = CallContext::List;
            writer.calls.call("work", &title);
            writer.sections(&sections, false);
            writer.calls.out.push_str("))\n");
        }
        (false, Facing::Facing) if !translated => {
            writer.calls.call("work", &title);
            writer.calls.out.push_str("#both-sides(");
            let mut calls = std::mem::replace(
                &mut writer.calls,
                Calls { out: String::new(), context: CallContext::Code },
            );
            writer.sections(&sections, false);
            calls.code(|c| c.out.push_str(&writer.calls.out));
            calls.out.push_str(")\n");
            writer.calls = calls;
        }
        (false, facing) => {
            writer.calls.call("work", &title);
            writer.sections(&sections, facing == Facing::Facing);
        }
    }
    writer.calls.out
}

/// Entries of the apparatus for the foot of the page.
struct FootEntries {
    /// The text, as loci name it.
    text: String,
    waiting: Vec<Variant>,
    at_foot: bool,
}

impl FootEntries {
    fn new(edition: &Edition, document: &Document) -> Self {
        let waiting = edition.apparatus(document);
        FootEntries {
            text: crate::corpus::loci::text_of(document).to_string(),
            waiting,
            at_foot: edition.layout.foot,
        }
    }

    /// The argument of a call with the pending entries at `runs`, which are then removed.
    fn of(&mut self, runs: &[EditionRun<'_>]) -> String {
        if !self.at_foot || self.waiting.is_empty() {
            return String::new();
        }
        let loci: Vec<_> = runs.iter().map(|r| r.locus(&self.text)).collect();
        let here = |v: &Variant| v.locus.is_some() && loci.contains(&v.locus);
        let (now, later) = std::mem::take(&mut self.waiting).into_iter().partition(here);
        self.waiting = later;
        let now: Vec<Variant> = now;
        if now.is_empty() { String::new() } else { format!(", foot: ({})", self.rows(&now)) }
    }

    fn rows(&self, entries: &[Variant]) -> String {
        let before = format!("{}.", self.text);
        let row = |e: &Variant| {
            let locus = e.locus.as_deref().map_or("–", |l| l.strip_prefix(&before).unwrap_or(l));
            format!("({}, {}, {}), ", literal(locus), literal(&e.lemma), literal(&e.says))
        };
        entries.iter().map(row).collect()
    }
}

/// True if most notes begin on a line of their own. Then the line ends around them show what is a
/// note, and text after a note is not a new paragraph.
fn notes_have_lines(document: &Document) -> bool {
    let chapter = Chapter::outline(document);
    let text = || chapter.elements.iter().filter(|e| e.layer.is_text());
    let (mut all, mut alone) = (0, 0);
    for (before, note) in text().zip(text().skip(1)) {
        if before.layer.kind() == LayerKind::Base && note.layer.kind() == LayerKind::Note {
            all += 1;
            alone += usize::from(note.gap.ends_paragraph());
        }
    }
    alone * 2 > all
}

/// True if two headings have the same words.
fn same_words(one: &str, other: &str) -> bool {
    let content = |words: &str| words.chars().filter(|c| is_content(*c)).collect::<String>();
    !one.is_empty() && content(one) == content(other)
}

struct TextWriter<'a> {
    edition: &'a Edition,
    foot: FootEntries,
    calls: Calls,
    /// Text after a note goes on in its line.
    goes_on: bool,
    /// The heading that was printed last.
    printed: String,
}

impl TextWriter<'_> {
    fn sections(&mut self, sections: &[EditionSection<'_>], facing: bool) {
        for section in sections {
            if let Some(n) = section.number {
                let title = section.title.unwrap_or_default();
                // The title of the text, or of the section before, is not printed once more.
                let words = if same_words(title, &self.printed) { "" } else { title };
                self.calls.call("section", &format!("\"{n}\", {}", literal(words)));
                if !words.is_empty() {
                    self.printed = words.into();
                }
            }
            if facing {
                passages(&section.blocks).into_iter().for_each(|p| self.facing(p));
            } else {
                let goes_on = self.goes_on;
                for blocks in section.blocks.chunk_by(|a, b| goes_on && runs_on(a, b)) {
                    self.blocks(blocks);
                }
            }
        }
        if !self.foot.waiting.is_empty() {
            let rows = self.foot.rows(&self.foot.waiting);
            self.calls.call("apparatus", &format!("({rows})"));
        }
    }

    /// A passage with its translation on the facing page.
    fn facing(&mut self, blocks: &[EditionBlock<'_>]) {
        let (right, left): (Vec<&EditionBlock<'_>>, Vec<&EditionBlock<'_>>) =
            blocks.iter().partition(|b| matches!(b, EditionBlock::Translation(_)));
        self.calls.out.push_str("#facing(");
        for (side, after) in [(left, ", "), (right, ")\n")] {
            let before = std::mem::replace(
                &mut self.calls,
                Calls { out: String::new(), context: CallContext::Code },
            );
            side.into_iter().for_each(|b| self.block(b));
            let inside = std::mem::replace(&mut self.calls, before);
            self.calls.code(|c| c.out.push_str(&inside.out));
            self.calls.out.push_str(after);
        }
    }

    /// A block, or several that are one paragraph.
    fn blocks(&mut self, blocks: &[EditionBlock<'_>]) {
        let texts = blocks.iter().filter_map(|b| match b {
            EditionBlock::Text(runs) => Some(runs),
            _ => None,
        });
        match blocks {
            [block] => self.block(block),
            _ => {
                let runs: String = texts.flatten().map(|r| self.run(r)).collect();
                self.calls.call("base", &format!("({runs})"));
            }
        }
    }

    fn block(&mut self, block: &EditionBlock<'_>) {
        match block {
            EditionBlock::Heading(words) if same_words(words, &self.printed) => {}
            EditionBlock::Heading(words) => {
                self.calls.call("head", &literal(words));
                self.printed = words.to_string();
            }
            EditionBlock::Label(words) | EditionBlock::Other(words) => {
                self.calls.call("label-line", &literal(words))
            }
            EditionBlock::Translation(words) => self.calls.call("translation", &literal(words)),
            EditionBlock::Said { layer, header, runs } => {
                let header = header.as_deref().map_or("none".into(), literal);
                let words = said(*layer, runs);
                let foot = self.foot.of(runs);
                self.calls
                    .call("said", &format!("{}, {header}, {}{foot}", literal(layer.zh()), words));
            }
            EditionBlock::Text(runs) if runs.iter().all(|r| r.layer == Layer::Translation) => {
                self.calls
                    .call("plain", &literal(&runs.iter().map(|r| &*r.words).collect::<String>()));
            }
            EditionBlock::Text(runs) => {
                let runs: String = runs.iter().map(|r| self.run(r)).collect();
                self.calls.call("base", &format!("({runs})"));
            }
        }
    }

    fn run(&mut self, run: &EditionRun<'_>) -> String {
        let foot = self.foot.of(std::slice::from_ref(run));
        let number = run.number.filter(|_| self.edition.layout.numbers && !run.is_note());
        let number = number.map(|n| format!(", n: {}", literal(&n.to_string())));
        let more = number.unwrap_or_default() + &foot;
        let words = if run.is_note() { noted(run) } else { run.words.as_ref().into() };
        let leaves: Vec<_> =
            run.leaves.iter().map(|(at, n)| (in_note(run, *at), n.clone())).collect();
        // Notes in double rows have no room for lines beside them.
        let names = if run.is_note() { &[][..] } else { &run.names };
        in_parts(&words, &leaves, names, |words, first, look| {
            let more = if first { &*more } else { "" };
            format!("{}({}{more}{look}), ", if run.is_note() { "z" } else { "t" }, literal(words))
        })
    }
}

/// Words in parts, each as `call` writes it with the look of a name, if it is one: cut around
/// names, and where a leaf begins, with a call of `leaf` there.
fn in_parts(
    words: &str,
    leaves: &[(usize, String)],
    names: &[Range<usize>],
    call: impl Fn(&str, bool, &str) -> String,
) -> String {
    let border = |at: usize| {
        (0..=at.min(words.len())).rev().find(|at| words.is_char_boundary(*at)).unwrap_or(0)
    };
    let names: Vec<Range<usize>> = names.iter().map(|n| border(n.start)..border(n.end)).collect();
    let names: Vec<Range<usize>> =
        names.into_iter().filter(|name| !is_in_title(words, name.start)).collect();
    let of_names = names.iter().flat_map(|name| [name.start, name.end]);
    let of_leaves = leaves.iter().map(|(at, _)| border(*at));
    let borders: BTreeSet<usize> = of_names.chain(of_leaves).chain([words.len()]).collect();
    let (mut out, mut from) = (String::new(), 0);
    for to in borders {
        if to > from || words.is_empty() {
            let name = names.iter().position(|name| name.contains(&from));
            // Neighbours have lines of their own.
            let look = match name {
                Some(n) if n % 2 == 0 => ", look: \"name\"",
                Some(_) => ", look: \"next-name\"",
                None => "",
            };
            out.push_str(&call(&words[from..to], from == 0, look));
            from = to;
        }
        for (_, name) in leaves.iter().filter(|(at, _)| border(*at) == to) {
            // The edition is the same on all pages.
            let name = name.rsplit(' ').next().unwrap_or(name);
            let _ = write!(out, "leaf({}), ", literal(name));
        }
    }
    out
}

/// True within the marks of a title, which has a line of its own.
fn is_in_title(words: &str, at: usize) -> bool {
    let count = |marks: [char; 2]| words[..at].matches(marks).count();
    count(['《', '〈']) > count(['》', '〉'])
}

/// The words of a commentary: a string, or parts with the leaves that begin in them, and names.
fn said(layer: Layer, runs: &[EditionRun<'_>]) -> String {
    if runs.iter().all(|r| r.leaves.is_empty() && r.names.is_empty()) {
        return literal(&runs.iter().map(|r| said_run(layer, r)).collect::<String>());
    }
    let parts = runs.iter().map(|r| {
        let words = said_run(layer, r);
        let is_apart = r.is_note() && r.layer != layer;
        let place = |at: usize| if is_apart { '('.len_utf8() + in_note(r, at) } else { at };
        let leaves: Vec<_> = r.leaves.iter().map(|(at, n)| (place(*at), n.clone())).collect();
        let names = if is_apart { &[][..] } else { &r.names };
        let part = |words: &str, _, look: &str| format!("t({}{look}), ", literal(words));
        in_parts(&words, &leaves, names, part)
    });
    format!("({})", parts.collect::<String>())
}

/// The words of a run of commentary; those of a note in it in brackets.
fn said_run<'r>(layer: Layer, run: &'r EditionRun<'_>) -> Cow<'r, str> {
    match run.is_note() && run.layer != layer {
        true => format!("({})", noted(run)).into(),
        false => run.words.as_ref().into(),
    }
}

/// The words of a note, after the name of its layer if it has to be named.
fn noted<'r>(run: &'r EditionRun<'_>) -> Cow<'r, str> {
    match run.named {
        true => format!("{}：{}", run.layer.zh(), run.words.trim()).into(),
        false => run.words.trim().into(),
    }
}

/// Where a byte of a run is in what is written of it.
fn in_note(run: &EditionRun<'_>, at: usize) -> usize {
    if !run.is_note() {
        return at;
    }
    let before = run.words.len() - run.words.trim_start().len();
    let name = if run.named { run.layer.zh().len() + '：'.len_utf8() } else { 0 };
    at.saturating_sub(before) + name
}

/// True if text follows on text, with a note between them.
fn runs_on(one: &EditionBlock<'_>, next: &EditionBlock<'_>) -> bool {
    let (EditionBlock::Text(one), EditionBlock::Text(next)) = (one, next) else { return false };
    let translated = |runs: &[EditionRun<'_>]| runs.iter().all(|r| r.layer == Layer::Translation);
    let noted = |run: Option<&EditionRun<'_>>| run.is_some_and(EditionRun::is_note);
    (noted(one.last()) || noted(next.first())) && !translated(one) && !translated(next)
}

/// The blocks split before each paragraph of the classic.
fn passages<'b, 'a>(blocks: &'b [EditionBlock<'a>]) -> Vec<&'b [EditionBlock<'a>]> {
    let mut parts = vec![];
    let mut from = 0;
    for (i, block) in blocks.iter().enumerate() {
        if i > from && matches!(block, EditionBlock::Text(_) | EditionBlock::Heading(_)) {
            parts.push(&blocks[from..i]);
            from = i;
        }
    }
    parts.push(&blocks[from..]);
    parts
}

/// A string literal. Invisible characters are written by number.
fn literal(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + 2);
    out.push('"');
    for c in words.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0' => out.push('\u{FFFD}'),
            '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}' => _ = write!(out, "\\u{{{:x}}}", c as u32),
            c if c.is_control() => _ = write!(out, "\\u{{{:x}}}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
