//! The results of a check for a person: with the words of the places, as lines for editors, or as
//! remarks in the text.

use anstyle::{AnsiColor, Style};

use crate::cli::language::{colon, comma, say};
use crate::cli::search::kwic;
use crate::search::Answer;
use crate::verify::{
    CheckedPlace, Item, ItemKind, QuotingText, Verdict, VerifyReport, WordForm, WordPiece,
};

use super::super::columns::one_line;

const GOOD: Style = AnsiColor::Green.on_default();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// True for a quotation, not a title alone.
pub(super) fn is_quotation(item: &Item) -> bool {
    item.kind == ItemKind::Quotation
}

/// Each quotation with its verdict and its places; then what was searched.
pub(super) fn text(reports: &[VerifyReport]) -> String {
    let mut out = String::new();
    for report in reports {
        for item in &report.items {
            out.push_str(&item_with_places(report, item));
        }
    }
    // All texts were checked against the same books.
    let Some(first) = reports.first() else { return out };
    for books in &first.searched {
        let (name, works) = (&books.name, books.works.join("、"));
        let layers = books.layers.join("、");
        out.push_str(&say(&format!("searched {name}: {works} ({layers})")));
        out.push('\n');
    }
    out.push_str(&say("what is not found there may be in other books"));
    out.push('\n');
    out
}

fn item_with_places(report: &VerifyReport, item: &Item) -> String {
    let (place, style) = (place(report, item), style(item.verdict));
    let words = one_line(&item.words);
    let mut out = format!("{place}: {style}{}{style:#}  {words}", verdict(item));
    if let Some(cited) = item.cited.as_ref().filter(|_| is_quotation(item)) {
        let name = cited.locus.as_ref().or(cited.name.as_ref()).unwrap_or(&cited.words);
        out.push_str(&format!("  ← {name}"));
    }
    out.push('\n');
    for place in item.places.iter().filter(|p| !p.differences.is_empty()).take(1) {
        out.push_str(&format!("    {}\n", differences(&place.differences)));
    }
    let answers: Vec<Answer> = item.places.iter().map(|p| p.answer.clone()).collect();
    for line in kwic::lines(&answers).lines() {
        out.push_str(&format!("    {line}\n"));
    }
    if item.total > item.places.len() {
        let more = item.total - item.places.len();
        out.push_str(&format!("    {}\n", say(&format!("and {more} more"))));
    }
    out
}

/// One line for each quotation, in the form of the messages of compilers.
pub(super) fn lines(reports: &[VerifyReport]) -> String {
    let mut out = String::new();
    for report in reports {
        for item in &report.items {
            let level = match item.verdict {
                Verdict::Verbatim if item.unread.is_none() => "note",
                Verdict::Verbatim | Verdict::Elsewhere | Verdict::Differs => "warning",
                _ if is_quotation(item) => "warning",
                _ => "note",
            };
            let place = place(report, item);
            out.push_str(&format!("{place}: {level}: {}\n", remark(item)));
        }
    }
    out
}

/// The text with a remark after each quotation.
pub(super) fn annotated(text: &QuotingText, report: &VerifyReport) -> String {
    let remarks: Vec<_> =
        report.items.iter().map(|i| (i.span, format!("〔{}〕", remark(i)))).collect();
    text.with_remarks(remarks.iter().map(|(span, words)| (*span, &**words)))
}

/// The verdict with the first place.
fn remark(item: &Item) -> String {
    let mut words = verdict(item);
    let Some(place) = item.places.first() else {
        let cited = item.cited.as_ref().filter(|c| !c.is_here);
        return match cited {
            Some(cited) => format!("{words}{}{}", colon(), one_line(&cited.words)),
            None => words,
        };
    };
    words.push_str(&format!("{}{}", colon(), locus(place)));
    if !place.differences.is_empty() {
        words.push_str(&format!("{}{}", comma(), differences(&place.differences)));
    }
    words
}

/// File, line and column.
fn place(report: &VerifyReport, item: &Item) -> String {
    format!("{}:{}:{}", one_line(&report.file), item.line, item.column)
}

/// The locus with the layer.
fn locus(place: &CheckedPlace) -> String {
    format!("{} {}", place.answer.locus, place.answer.layer.zh())
}

/// 學而時【溫→習】之: what is quoted, and what the text has.
fn differences(pieces: &[WordPiece]) -> String {
    let shown = |p: &WordPiece| match p.same {
        true => p.found.clone(),
        false => format!("【{}→{}】", or_nothing(&p.quoted), or_nothing(&p.found)),
    };
    pieces.iter().map(shown).collect()
}

fn or_nothing(words: &str) -> &str {
    if words.is_empty() { "∅" } else { words }
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Verbatim => GOOD,
        Verdict::Elsewhere | Verdict::Differs | Verdict::Near => DOUBTFUL,
        Verdict::NotFound | Verdict::WorkAbsent | Verdict::TooShort => BAD,
    }
}

/// A verdict in words.
fn verdict(item: &Item) -> String {
    if !is_quotation(item) {
        return match item.verdict {
            Verdict::Verbatim => say("this title is among what was searched"),
            _ => say("this title is not among what was searched"),
        };
    }
    let is_absent = item.cited.as_ref().is_some_and(|c| !c.is_here);
    let form = match (item.verdict, item.form) {
        (Verdict::Elsewhere, _) if is_absent => {
            "the text cited was not found in what was searched, the words were"
        }
        (Verdict::NotFound, _) if item.is_long() => {
            "not found as it is, and too long to look for something like it"
        }
        (Verdict::WorkAbsent, None) if !item.places.is_empty() => {
            "the text cited is not here, something like the words is"
        }
        (Verdict::Verbatim, Some(WordForm::Punctuation)) => "verbatim, with other punctuation",
        (Verdict::Verbatim, Some(WordForm::Script)) => "verbatim, in the other script",
        (Verdict::Verbatim, Some(WordForm::Variants)) => "verbatim, in variant characters",
        (Verdict::Verbatim, _) => "verbatim",
        (Verdict::Elsewhere, _) => "elsewhere than cited",
        (Verdict::Differs, _) => "with differences",
        (Verdict::Near, _) => "only nearly there",
        (Verdict::NotFound, _) => "not found in what was searched",
        (Verdict::WorkAbsent, Some(_)) => "the text cited is not here, the words are",
        (Verdict::WorkAbsent, None) => "the text cited is not here",
        (Verdict::TooShort, _) => "too short",
    };
    match &item.unread {
        Some(words) => {
            let unread = say(&format!("“{}” was not checked", one_line(words)));
            format!("{}{}{unread}", say(form), comma())
        }
        None => say(form),
    }
}
