//! Typst source: the text as string literals in calls of the functions that `data/` defines.
//!
//! The text is never Typst markup, so nothing in it is executed. The functions set the double rows
//! (雙行夾注): every character is as wide as a square or half a square, so a note that reaches the
//! end of a line fills both rows up to there and continues in the next line, as in woodblock
//! prints.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::flow::{EditionBlock, EditionRun, EditionSection, Variant};
use super::formats::Format;
use super::{Edition, Facing};
use crate::model::{Document, Layer};

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
    writeln!(out, "{COMMON}\n{}", if vertical { UPRIGHT } else { LEVEL })?;
    out.write_all(head(edition).as_bytes())?;
    for d in edition.documents() {
        out.write_all(document(edition, d).as_bytes())?;
    }
    Ok(())
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
        "#show: edition.with(\n  title: {},\n  authors: {},\n  date: datetime(year: {}, month: {}, day: {}),\n  lang: {},{facing}\n)\n\
         #title-page({}, {}, {}, {}, {}, ({}))\n",
        literal(&about.title),
        array(authors),
        about.date.year,
        about.date.month,
        about.date.day,
        literal(if edition.language().contains("Hans") { "CN" } else { "TW" }),
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
    let mut writer =
        TextWriter { edition, foot, calls: Calls { out: "\n".into(), context: CallContext::Text } };
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

struct TextWriter<'a> {
    edition: &'a Edition,
    foot: FootEntries,
    calls: Calls,
}

impl TextWriter<'_> {
    fn sections(&mut self, sections: &[EditionSection<'_>], facing: bool) {
        for section in sections {
            if let Some(n) = section.number {
                self.calls.call(
                    "section",
                    &format!("\"{n}\", {}", literal(section.title.unwrap_or_default())),
                );
            }
            if facing {
                passages(&section.blocks).into_iter().for_each(|p| self.facing(p));
            } else {
                section.blocks.iter().for_each(|b| self.block(b));
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

    fn block(&mut self, block: &EditionBlock<'_>) {
        match block {
            EditionBlock::Heading(words) => self.calls.call("head", &literal(words)),
            EditionBlock::Label(words) | EditionBlock::Other(words) => {
                self.calls.call("label-line", &literal(words))
            }
            EditionBlock::Translation(words) => self.calls.call("translation", &literal(words)),
            EditionBlock::Said { layer, header, runs } => {
                let header = header.as_deref().map_or("none".into(), literal);
                let words: String = runs
                    .iter()
                    .map(|r| match r.is_note() && r.layer != *layer {
                        true => format!("({})", noted(r)),
                        false => r.words.to_string(),
                    })
                    .collect();
                let foot = self.foot.of(runs);
                self.calls.call(
                    "said",
                    &format!("{}, {header}, {}{foot}", literal(layer.zh()), literal(&words)),
                );
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
        match (run.is_note(), run.number.filter(|_| self.edition.layout.numbers)) {
            (true, _) => format!("z({}{foot}), ", literal(&noted(run))),
            (false, Some(n)) => {
                format!("t({}, n: {}{foot}), ", literal(&run.words), literal(&n.to_string()))
            }
            (false, None) => format!("t({}{foot}), ", literal(&run.words)),
        }
    }
}

/// The words of a note, after the name of its layer if it has to be named.
fn noted<'r>(run: &'r EditionRun<'_>) -> Cow<'r, str> {
    match run.named {
        true => format!("[{}]{}", run.layer.zh(), run.words.trim()).into(),
        false => run.words.trim().into(),
    }
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
