//! Prints errors and diagnostics with their place: file, line and column, the text there, a hint.
//!
//! A paragraph of a 注疏 is one line of thousands of characters. `annotate-snippets` shows the
//! relevant part of it. It knows that an ideograph is two columns wide, so the marks are under the
//! right characters.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::Range;

use crate::corrections::placed;
use crate::diag::{Diagnostic, Error, ErrorKind, Severity};
use crate::language::Language;
use crate::model::Document;
use crate::source::Position;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::aside;
use super::columns::{self, counted};
use super::escapes::{shown, shown_styled};
use super::language::{self, colon, say};

/// Columns shown of the marked text.
const WITHIN: usize = 52;

/// Prints an error on standard error.
///
/// # Errors
/// When standard error is closed.
pub fn error(e: &Error) -> io::Result<()> {
    aside::finish();
    let text = render(Level::ERROR, None, &e.message, excerpt_of_error(e), hint(e).as_deref());
    writeln!(anstream::stderr(), "{}", shown_styled(&text))
}

/// Prints a remark on standard error, unless nothing is to be said beside results.
///
/// # Errors
/// When standard error is closed.
pub fn note(message: &str) -> io::Result<()> {
    if aside::is_silent() {
        return Ok(());
    }
    aside::finish();
    writeln!(anstream::stderr(), "{}{}{}", say("note"), colon(), shown(&say(message)))
}

/// Says on standard error that texts have warnings, and of which kinds: a command that only writes
/// a result must not hide how it was read.
pub fn warned<'a>(documents: impl IntoIterator<Item = &'a Document>) {
    let all = documents.into_iter().flat_map(|d| &d.diagnostics);
    let (mut n, mut kinds) = (0, BTreeSet::new());
    for d in all.filter(|d| d.severity >= Severity::Warning) {
        n += 1;
        kinds.insert(&*d.code);
    }
    if n > 0 {
        let kinds = kinds.into_iter().collect::<Vec<_>>().join(", ");
        let warnings = counted(n, "warning");
        _ = note(&format!("{warnings} ({kinds}); `zhushu check` says where, and what helps"));
    }
}

/// Says on standard error that decisions of a person have no effect, if some have none.
pub fn undecided<'a>(documents: impl IntoIterator<Item = &'a Document>) {
    let all = documents.into_iter().flat_map(|d| &d.diagnostics);
    match all.filter(|d| placed::is_about(d)).count() {
        0 => {}
        1 => _ = note("one decision has no effect; `zhushu check` says which, and what helps"),
        n => {
            _ = note(&format!(
                "{n} decisions have no effect; `zhushu check` says which, and what helps"
            ));
        }
    }
}

/// The hint of an error as it is shown, which names an option or command that helps.
fn hint(e: &Error) -> Option<String> {
    let option = match e.kind {
        ErrorKind::Encoding => "--encoding NAME",
        ErrorKind::Format => "--from NAME; `zhushu formats` lists them",
        ErrorKind::NoText => "`zhushu formats` lists what can be read",
        ErrorKind::Index => return Some(say("`zhushu build` rebuilds the index")),
        _ => return e.hint.as_deref().map(say),
    };
    let option = say(option);
    Some(match &e.hint {
        Some(hint) => format!("{}{}{option}", say(hint), colon()),
        None => option,
    })
}

/// A diagnostic of `document`, styled: print it through `anstream`.
pub fn diagnostic(document: &Document, d: &Diagnostic) -> String {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    render(level, Some(&d.code), &d.message, excerpt_of(document, d), d.hint.as_deref())
}

/// Part of a line, and which part of it is marked.
struct Excerpt {
    path: String,
    place: Option<Position>,
    text: String,
    /// Bytes of `text`.
    mark: Range<usize>,
}

/// A message with its place and hint, in the language of messages.
fn render(
    level: Level<'_>,
    code: Option<&str>,
    message: &str,
    at: Option<Excerpt>,
    hint: Option<&str>,
) -> String {
    let message = say(message);
    let mut title = named(level).primary_title(message);
    if let Some(code) = code {
        title = title.id(code);
    }
    let mut group = Group::with_title(title);
    if let Some(at) = &at {
        group = match at.place.filter(|_| !at.text.is_empty()) {
            Some(place) => {
                let mark = AnnotationKind::Primary.span(at.mark.clone());
                let snippet =
                    Snippet::source(at.text.as_str()).path(at.path.as_str()).line_start(place.line);
                group.element(snippet.annotation(mark))
            }
            None => group.element(origin(at)),
        };
    }
    if let Some(hint) = hint {
        group = group.element(named(Level::HELP).message(say(hint)));
    }
    let text = Renderer::styled().decor_style(DecorStyle::Ascii).term_width(76).render(&[group]);
    with_colons(text)
}

/// Rendered text with the colon of the language after each name.
fn with_colons(text: String) -> String {
    /// Ends the style of a name; that of the message may begin here.
    const ENDS: [&str; 2] = ["\x1b[0m\x1b[1m", "\x1b[0m"];
    match colon() {
        ": " => text,
        own => ENDS
            .iter()
            .fold(text, |text, end| text.replace(&format!("{end}: "), &format!("{end}{own}"))),
    }
}

/// A level with its name as it is shown.
fn named(level: Level<'_>) -> Level<'_> {
    let language = language::shown();
    let name = match level {
        _ if language == Language::En => return level,
        _ if level == Level::ERROR => "error",
        _ if level == Level::WARNING => "warning",
        _ if level == Level::HELP => "help",
        _ => "info",
    };
    level.with_name(say(name))
}

fn origin(at: &Excerpt) -> Origin<'_> {
    let origin = Origin::path(at.path.as_str());
    match at.place {
        Some(p) => origin.line(p.line).char_column(p.column),
        None => origin,
    }
}

fn excerpt_of_error(e: &Error) -> Option<Excerpt> {
    let path = e.path.as_ref()?.display().to_string();
    let (Some(place), Some(line)) = (e.place, &e.line) else {
        return Some(Excerpt { path, place: e.place, text: String::new(), mark: 0..0 });
    };
    let start = line.char_indices().nth(place.column - 1).map_or(line.len(), |(i, _)| i);
    let end = line[start..].char_indices().nth(e.width).map_or(line.len(), |(i, _)| start + i);
    Some(excerpt(path, place, line, start..end))
}

fn excerpt_of(document: &Document, d: &Diagnostic) -> Option<Excerpt> {
    let source = &document.source;
    let path = source.path().display().to_string();
    let Some(span) = d.span else {
        return Some(Excerpt { path, place: None, text: String::new(), mark: 0..0 });
    };
    let text = source.text();
    let from = text[..span.start()].rfind('\n').map_or(0, |i| i + 1);
    let to = text[span.start()..].find('\n').map_or(text.len(), |i| span.start() + i);
    Some(excerpt(
        path,
        source.place(span.start()),
        &text[from..to],
        span.start() - from..span.end().min(to) - from,
    ))
}

/// A line with the marked text, cut to what fits on a screen. What comes far after it is left out,
/// since a line may be as long as a book.
fn excerpt(path: String, place: Position, line: &str, mark: Range<usize>) -> Excerpt {
    let mark = mark.start..mark.start + columns::fitting(line[mark].chars(), WITHIN).len();
    let end = mark.end + columns::fitting(line[mark.end..].chars(), 4 * WITHIN).len();
    Excerpt { path, place: Some(place), text: line[..end].to_string(), mark }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::source::{Source, Span};
    use unicode_width::UnicodeWidthStr;

    use super::*;

    fn plain(document: &Document, d: &Diagnostic) -> String {
        anstream::adapter::strip_str(&diagnostic(document, d)).to_string()
    }

    #[test]
    fn marks_stand_beneath_wide_characters() {
        let source = Source::from_text("a.txt", "題\n左右卒射,握馬坐奠\n");
        let at = source.text().find("握馬").unwrap();
        let document = Document::new(Arc::new(source), "test");
        let d =
            Diagnostic::warning("header-misprint", Span::new(at, at + 6), "the header has 握馬")
                .hint("read 握焉");
        let expected = "\
warning[header-misprint]: the header has 握馬
 --> a.txt:2:6
  |
2 | 左右卒射,握馬坐奠
  |          ^^^^
  |
  = help: read 握焉";
        assert_eq!(plain(&document, &d), expected);
    }

    #[test]
    fn a_long_line_is_cut_around_the_words_meant_and_the_column_stays_that_of_the_file() {
        let line = "經".repeat(500) + "握馬" + &"注".repeat(500);
        let document = Document::new(Arc::new(Source::from_text("a.txt", line)), "test");
        let d = Diagnostic::warning("x", Span::new(1500, 1506), "m");
        let text = plain(&document, &d);
        assert!(text.contains("a.txt:1:501"), "{text}");
        let (shown, mark) = (text.lines().nth(3).unwrap(), text.lines().nth(4).unwrap());
        let before = &shown[..shown.find("握馬").unwrap()];
        assert_eq!(before.width(), mark.find('^').unwrap(), "{text}");
        assert!(text.lines().all(|l| l.width() <= 80), "{text}");
    }

    #[test]
    fn a_mark_longer_than_a_line_is_cut() {
        let e =
            excerpt("a.txt".into(), Position { line: 1, column: 1 }, &"注".repeat(1000), 0..3000);
        assert_eq!(e.mark, 0..78);
        assert!(e.text.width() <= 5 * WITHIN);
    }
}
