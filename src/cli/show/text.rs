//! A passage for a person.

use std::fmt::Write as _;

use crate::model::NEEDS_REVIEW;
use crate::model::{Document, Layer, Locus};
use crate::source::Span;
use anstyle::Style;

use crate::ask::passage::{Shown, ShownStretch};
use crate::cli::language::say;
use crate::cli::split::runs::colour;
use crate::reading::Leaves;

const TITLE: Style = Style::new().bold();
const QUIET: Style = Style::new().dimmed();

/// The passage in each text.
pub fn text(locus: &Locus, shown: &[Shown<'_>]) -> String {
    let mut out = format!("{TITLE}{locus}{TITLE:#}  {QUIET}{}{QUIET:#}\n", locus.urn(None));
    for s in shown {
        let first = s.stretches.first().map_or(Span::new(0, 0), |s| s.span);
        let place = s.document.source.place(first.start());
        let (path, title) = (s.document.source.path().display(), &s.document.meta.title);
        let leaves = Leaves::of(s.document);
        let leaf = leaves.at(first.start());
        let leaf = leaf.map(|leaf| format!("  {}", say(&format!("leaf {}", leaf.number))));
        let leaf = leaf.unwrap_or_default();
        let _ = writeln!(
            out,
            "\n{TITLE}{title}{TITLE:#}  {QUIET}{path}:{}:{}{leaf}{QUIET:#}",
            place.line, place.column
        );
        let sections = || s.stretches.iter().map(|stretch| stretch.locus.from.map(|p| p.section));
        let several = sections().any(|n| Some(n) != sections().next());
        let mut section = None;
        for stretch in &s.stretches {
            let now = stretch.locus.from.map(|p| p.section);
            if section != now {
                section = now;
                out.push_str(&heading(s.document, now, several));
            }
            out.push_str(&line(s.document, stretch));
        }
        let mut before = None;
        for (document, bead) in &s.translated {
            if before.replace(&document.id) != Some(&document.id) {
                let _ = writeln!(out, "  {QUIET}{}{QUIET:#}", document.meta.title);
            }
            let words = document.line_of(&bead.translation);
            let style = colour(Layer::Translation);
            let _ = writeln!(out, "  譯  {style}{words}{style:#}");
        }
    }
    out
}

/// The section's number and title. Without a title, the number is shown beside those of others.
fn heading(document: &Document, section: Option<u32>, several: bool) -> String {
    let division = document.divisions.iter().find(|d| Some(d.n) == section);
    let title = division.and_then(|d| d.title.as_ref());
    match (section, title) {
        (Some(n), Some(title)) => format!("  {QUIET}{n} {title}{QUIET:#}\n"),
        (Some(n), None) if several => format!("  {QUIET}{n}{QUIET:#}\n"),
        _ => String::new(),
    }
}

/// Layer, number, speaker, text; a doubtful start with its certainty.
fn line(document: &Document, s: &ShownStretch) -> String {
    let number = s.locus.passage();
    let number = number.split_once('.').map_or(number.as_str(), |(_, n)| n);
    // A long note is named by its first sentence.
    let number = number.split('-').next().unwrap_or(number);
    let who = document.speakers().of(s.span);
    let who = who.map(|name| format!("{QUIET}{name}{QUIET:#} ")).unwrap_or_default();
    let doubt = if s.inferred && s.certainty.get() < NEEDS_REVIEW {
        format!(" {QUIET}({}){QUIET:#}", s.certainty)
    } else {
        String::new()
    };
    let zh = match s.layer {
        Layer::ShuHeader => "疏首",
        l => l.zh(),
    };
    let style = colour(s.layer);
    let pad = "  ".repeat(2usize.saturating_sub(zh.chars().count()));
    format!(
        "  {zh}{pad} {QUIET}{number}{QUIET:#}  {who}{style}{}{style:#}{doubt}\n",
        words(document, s.span)
    )
}

/// Text on one line: line ends inside Chinese are dropped.
fn words(document: &Document, span: Span) -> String {
    document.words(span).split(['\n', '\r']).map(str::trim).collect()
}
