//! `zhushu sniff`: reports what a file is: its encoding, the reader that recognises it, the work,
//! the chapters, and why.

use std::fmt::Write as _;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use super::language::{colon, say};
use crate::Settings;
use crate::books::{self, Claim, Grounds, LineRole, Survey};
use crate::corpus::TextEntry;
use crate::diag::{Diagnostic, Error, Severity};
use crate::model::{Coverage, Document};
use crate::readers;
use crate::text::cell::uncalculated;
use unicode_width::UnicodeWidthStr;

use super::common::As;
use super::{Failure, Outcome, columns, exit_code, output, readings, render, texts};

const NAME: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const DOUBT: Style = AnsiColor::Yellow.on_default();

/// How many chapters are listed without `--all`.
const FEW: usize = 12;

#[derive(clap::Args)]
#[command(after_help = include_str!("data/sniff.txt"))]
pub struct Args {
    /// The files, or folders of texts, or - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Encoding of the files [default: recognised by their bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// List all chapters
    #[arg(long)]
    all: bool,
    /// How to print: text, tsv (a line for each chapter, or for a text without), json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = As::Text)]
    to: As,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let (mut found, mut failed) = (vec![], None);
    for entry in entries(args, settings)? {
        match sniff(&entry, settings) {
            Ok(sniffed) => found.push(sniffed),
            Err(e) => {
                render::error(&e)?;
                failed = failed.or(Some(exit_code(e.kind)));
            }
        }
    }
    print(args, &found)?;
    Ok(failed.unwrap_or(0))
}

/// All that is known about a file.
struct Sniffed {
    document: Document,
    readers: Vec<readers::Claim>,
    survey: Survey,
}

/// The files that are named, and the texts of the folders.
fn entries(args: &Args, settings: &Settings) -> Result<Vec<TextEntry>, Error> {
    let encoding = args.encoding.as_deref();
    let mut entries = vec![];
    for path in &args.files {
        match path.is_dir() {
            true => {
                let mut corpus = texts::open(path, settings)?;
                corpus.encode_as(encoding);
                entries.append(&mut corpus.about.texts);
            }
            false => entries.push(texts::entry(path, None, encoding)),
        }
    }
    Ok(entries)
}

fn sniff(entry: &TextEntry, settings: &Settings) -> Result<Sniffed, Error> {
    let document = match entry.path.as_os_str() == "-" {
        true => settings.unnamed_source(entry, texts::standard_input(entry)?)?,
        false => settings.unnamed(entry)?,
    };
    let readers = settings.readers.claims(&document.source);
    let survey = books::survey(&document, &settings.works, &settings.models.chapters);
    Ok(Sniffed { document, readers, survey })
}

fn print(args: &Args, found: &[Sniffed]) -> Result<(), Failure> {
    match args.to {
        As::Text => {
            let texts: Vec<String> = found.iter().map(|s| s.text(args.all)).collect();
            output::styled(None, &texts.join("\n"))
        }
        As::Tsv => output::to(None, |out| {
            writeln!(out, "file\tnumber\tkind\tline\twork\tchapter\ttitle")?;
            found.iter().try_for_each(|s| out.write_all(s.tsv().as_bytes()))
        }),
        As::Json => output::to(None, |out| {
            let all: Vec<Value> = found.iter().map(Sniffed::json).collect();
            serde_json::to_writer_pretty(&mut *out, &all)?;
            writeln!(out)
        }),
    }
}

impl Sniffed {
    fn text(&self, all: bool) -> String {
        let (d, mut out) = (&self.document, String::new());
        // Writing to a string does not fail.
        let _ = writeln!(out, "{NAME}{}{NAME:#}", d.source.path().display());
        let mut field = |name, value: &str| out.push_str(&format!("  {}{value}\n", label(name)));
        field("encoding", d.source.encoding());
        field("format", &format!("{}{}", d.reader, self.other_readers()));
        field("layers", &say(&readings::characters(&Coverage::of(d))));
        for (line, warning) in self.warnings().take(FEW) {
            let at = line.map_or(String::new(), |n| format!("{} {n}{}", say("line"), colon()));
            field("warning", &format!("{DOUBT}{at}{}{DOUBT:#}", say(&warning.message)));
        }
        let best = self.survey.identified.best();
        field("work", &best.map_or_else(|| say("not known"), claim));
        for other in self.survey.identified.claims.iter().skip(1) {
            let agrees = self.survey.identified.best().is_some_and(|b| b.work == other.work);
            let (style, word) = if agrees { (DIM, "also") } else { (DOUBT, "but") };
            let (gap, word) = (label(""), say(word));
            let _ = writeln!(out, "  {gap}{style}{word} {}{style:#}", claim(other));
        }
        self.chapters(all, &mut out);
        out
    }

    /// What the reader did not understand, with the line where it begins.
    fn warnings(&self) -> impl Iterator<Item = (Option<usize>, &Diagnostic)> {
        let all = self.document.diagnostics.iter().filter(|d| d.severity >= Severity::Warning);
        all.map(|d| (d.span.map(|s| self.document.source.place(s.start()).line), d))
    }

    fn other_readers(&self) -> String {
        let others = self.readers.iter().filter(|c| c.reader != self.document.reader);
        let names: Vec<String> =
            others.take(2).map(|c| format!("{} {}", c.reader, c.score)).collect();
        let own = self.readers.iter().find(|c| c.reader == self.document.reader);
        let own = own.map_or(String::new(), |c| say(&format!(" {} of 100", c.score)));
        match names.is_empty() {
            true => own,
            false => format!("{own}{DIM}; {} {}{DIM:#}", say("next:"), names.join(", ")),
        }
    }

    fn chapters(&self, all: bool, out: &mut String) {
        let outline = &self.survey.outline;
        let count = |role| outline.lines.iter().filter(|(_, r)| *r == role).count();
        let lines = say(&format!(
            "{} of headings, {} of a table of contents, {} of running heads",
            count(LineRole::Heading),
            count(LineRole::Contents),
            count(LineRole::Running)
        ));
        let chapters = match outline.chapters.len() {
            0 => say("one"),
            n => n.to_string(),
        };
        let _ = writeln!(out, "  {}{lines}\n  {}{chapters}", label("lines"), label("chapters"));
        let shown = if all { usize::MAX } else { FEW };
        for chapter in outline.chapters.iter().take(shown) {
            let line = self.document.source.place(chapter.span.start()).line;
            let number = chapter.number.map(|n| n.to_string()).unwrap_or_default();
            let named = if chapter.is_listed() { chapter.name() } else { "" };
            let _ = writeln!(
                out,
                "    {number:>4}  {} {line:<6} {}  {DIM}{named}{DIM:#}",
                say("line"),
                columns::one_line(&chapter.title)
            );
        }
        if outline.chapters.len() > shown {
            let more = outline.chapters.len() - shown;
            out.push_str(&say(&format!("    … {more} more; --all lists them\n")));
        }
    }

    fn tsv(&self) -> String {
        let path = self.document.source.path().display().to_string();
        let mut out = String::new();
        if self.survey.outline.chapters.is_empty() {
            let work = self.survey.identified.best().map_or("", |best| best.work.as_str());
            let title = columns::one_line(&self.document.meta.title);
            let file = columns::one_line(&path);
            let _ = writeln!(
                out,
                "{}\t\ttext\t1\t{work}\t\t{}",
                uncalculated(&file),
                uncalculated(&title)
            );
        }
        for chapter in &self.survey.outline.chapters {
            let line = self.document.source.place(chapter.span.start()).line;
            let number = chapter.number.map(|n| n.to_string()).unwrap_or_default();
            let best = self.survey.identified.best().map(|b| b.work.as_str());
            let work = best.filter(|_| chapter.is_listed()).unwrap_or_default();
            let title = if chapter.is_listed() { chapter.name() } else { "" };
            let _ = writeln!(
                out,
                "{}\t{number}\t{}\t{line}\t{work}\t{title}\t{}",
                uncalculated(&columns::one_line(&path)),
                chapter.kind.id(),
                uncalculated(&columns::one_line(&chapter.title))
            );
        }
        out
    }

    fn json(&self) -> Value {
        let (d, survey) = (&self.document, &self.survey);
        let claims: Vec<Value> = survey.identified.claims.iter().map(|c| {
            json!({"work": c.work, "by": c.by.id(), "listed": c.listed, "cert": c.certainty.rounded(), "words": c.words})
        }).collect();
        let readers: Vec<Value> =
            self.readers.iter().map(|c| json!({"name": c.reader, "score": c.score})).collect();
        let chapters: Vec<Value> = survey.outline.chapters.iter().map(|c| {
            json!({
                "kind": c.kind.id(), "title": c.title, "number": c.number,
                "part": c.part, "chapter": c.chapter,
                "line": d.source.place(c.span.start()).line,
                "start": d.source.char_of(c.span.start()), "end": d.source.char_of(c.span.end()),
            })
        }).collect();
        let lines: Vec<Value> = survey.outline.lines.iter().map(|(span, role)| {
            json!({"line": d.source.place(span.start()).line, "role": role.id(), "words": d.source.slice(*span)})
        }).collect();
        let warnings: Vec<Value> = self
            .warnings()
            .map(|(line, d)| json!({"kind": d.code, "line": line, "message": d.message}))
            .collect();
        let coverage = Coverage::of(d);
        let by_layer =
            coverage.by_layer.iter().map(|(layer, n)| (layer.id().to_string(), json!(n)));
        let by_layer: serde_json::Map<String, Value> = by_layer.collect();
        json!({
            "path": d.source.path().display().to_string(), "encoding": d.source.encoding(),
            "reader": d.reader, "readers": readers, "works": claims, "chapters": chapters,
            "lines": lines, "characters": by_layer, "in_no_layer": coverage.in_none,
            "warnings": warnings,
        })
    }
}

/// An inference in words: 周禮, by the title (“周禮注疏”), 0.98.
fn claim(c: &Claim) -> String {
    let listed = if c.listed { String::new() } else { say(", which is not in the list of works") };
    let (by, words, cert) = (c.by.name(), &c.words, c.certainty);
    let why = match c.by {
        Grounds::Words => format!("{by} has {words} ({cert})"),
        _ => format!("{by} is “{words}” ({cert})"),
    };
    format!("{}{listed}{}{}", c.work, colon(), say(&why))
}

/// The name of a line of the report, as wide as the others.
fn label(name: &str) -> String {
    let name = say(name);
    let width = 10_usize.saturating_sub(name.width());
    name + &" ".repeat(width)
}
