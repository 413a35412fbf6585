//! The words and signs of the query language and the messages for errors: tables in `data/`, which
//! the pages of a site use too, so that both read a query in the same way.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::Field;
use crate::diag::{Error, ErrorKind};
use crate::reading::NameKind;
use crate::source::Position;

/// How deep parentheses may be nested.
pub(super) const MAX_DEPTH: usize = 64;
/// Most characters of a query. The time that an answer takes grows with them.
pub(super) const MAX_CHARS: usize = 1000;
/// Most regular expressions of a query. No budget of the search sees the time that
/// it takes to compile them.
pub(super) const MAX_PATTERNS: usize = 16;
/// Most sets within sets in all regular expressions of a query: to compile one takes 5 to 12 ms.
pub(super) const MAX_SETS: usize = 32;
/// Most characters between the sides of NEAR if the query gives no number.
pub(super) const DEFAULT_NEAR_CHARS: u32 = 10;
/// Largest number that NEAR accepts.
pub(super) const MAX_NEAR_CHARS: u32 = 200;

const NAMES_TSV: &str = include_str!("data/names.tsv");
const COMPLAINTS_TSV: &str = include_str!("data/complaints.tsv");

type Rows = HashMap<&'static str, Vec<&'static str>>;

static NAMES: LazyLock<Rows> = LazyLock::new(|| rows(NAMES_TSV));
static COMPLAINTS: LazyLock<Rows> = LazyLock::new(|| rows(COMPLAINTS_TSV));

fn rows(table: &'static str) -> Rows {
    let lines = table.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    lines
        .filter_map(|l| l.split_once('\t'))
        .map(|(name, rest)| (name, rest.split('\t').collect()))
        .collect()
}

fn spellings(name: &str) -> &'static [&'static str] {
    NAMES.get(name).map_or(&[], Vec::as_slice)
}

/// True if `word` is a spelling of `name` in the table.
pub(super) fn is(name: &str, word: &str) -> bool {
    spellings(name).contains(&word)
}

/// True if the character `c` is a spelling of `name` in the table.
pub(super) fn is_sign(name: &str, c: char) -> bool {
    is(name, c.encode_utf8(&mut [0; 4]))
}

/// True if `name` before a colon introduces a regular expression.
pub(super) fn is_pattern(name: &str) -> bool {
    is("pattern", &name.to_lowercase())
}

/// The filter with this name.
pub(super) fn field(name: &str) -> Option<Field> {
    let low = name.to_lowercase();
    let fields = [
        ("field.by", Field::By),
        ("field.work", Field::Work),
        ("field.chapter", Field::Chapter),
        ("field.witness", Field::Witness),
    ];
    fields.into_iter().find(|(n, _)| is(n, &low)).map(|(_, field)| field)
}

/// The kind of names that the source marks with this name.
pub(super) fn name_kind(name: &str) -> Option<NameKind> {
    let low = name.to_lowercase();
    NameKind::ALL.into_iter().find(|kind| is(&format!("name.{}", kind.id()), &low))
}

/// The mark that closes a quotation.
pub(super) fn closing(open: char) -> Option<char> {
    spellings("quotes")
        .iter()
        .find(|pair| pair.starts_with(open))
        .and_then(|pair| pair.chars().nth(1))
}

/// An error of the table about characters `from..to` of a query; `what` fills the placeholder
/// `{0}`.
pub(super) fn wrong(text: &str, from: usize, to: usize, code: &str, what: &str) -> Error {
    let row = COMPLAINTS.get(code).map_or(&[][..], Vec::as_slice);
    let prefixes = COMPLAINTS.get("prefixes").map_or("", |r| r[0]);
    let filled = |words: &str| words.replace("{prefixes}", prefixes).replace("{0}", what);
    let mut error = Error::request(filled(row.first().unwrap_or(&code)))
        .of_kind(ErrorKind::Query)
        .at(Position { line: 1, column: from + 1 })
        .line(text);
    error.path = Some("query".into());
    error.width = to.saturating_sub(from).max(1);
    match row.get(1) {
        Some(hint) => error.hint(filled(hint)),
        None => error,
    }
}

/// The tables and limits for pages.
pub(crate) fn for_pages() -> Value {
    json!({ "names": *NAMES, "complaints": *COMPLAINTS, "deepest": MAX_DEPTH, "longest": MAX_CHARS, "near": DEFAULT_NEAR_CHARS, "farthest": MAX_NEAR_CHARS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_message_and_a_hint() {
        for (code, row) in COMPLAINTS.iter() {
            assert!(row.len() == 2 && row.iter().all(|w| !w.is_empty()), "{code}");
        }
        let used =
            regex::Regex::new(r#"(?:wrong|missing|complain)\((?:[^"]|\n)*?"([a-z-]+)""#).unwrap();
        for source in [include_str!("lex.rs"), include_str!("parse.rs")] {
            for code in used.captures_iter(source).map(|c| c[1].to_string()) {
                assert!(COMPLAINTS.contains_key(code.as_str()), "{code}");
            }
        }
        let error = wrong("鄭:今文", 0, 2, "unknown-prefix", "鄭");
        assert_eq!(error.message, "“鄭” is neither a layer nor a filter");
        assert!(error.hint.is_some_and(|h| h.contains("by:鄭,") && h.contains("`zhushu formats`")));
    }

    #[test]
    fn every_name_has_a_spelling_and_no_spelling_has_two_names() {
        let mut seen = std::collections::HashSet::new();
        for (name, spellings) in NAMES.iter().filter(|(n, _)| **n != "quotes") {
            assert!(!spellings.is_empty(), "{name}");
            assert!(spellings.iter().all(|s| seen.insert(*s)), "{name}");
        }
        assert_eq!((closing('「'), closing('”'), closing('a')), (Some('」'), Some('”'), None));
    }
}
