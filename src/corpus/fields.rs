//! The keys of a TOML table, read one by one with their places, so that every error in a manifest
//! shows its line and text. Unknown keys are errors that suggest the nearest known key: a misspelt
//! key would otherwise be ignored.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diag::{Error, ErrorKind};
use crate::source::{Source, Span};

/// A string of the manifest and its place.
#[derive(Clone, Debug)]
pub(super) struct TomlText {
    pub(super) value: String,
    pub(super) span: Span,
}

/// One table of a manifest with the keys it may have.
pub(super) struct Fields<'a> {
    source: &'a Source,
    /// Its name in messages: `[[text]]`.
    name: &'a str,
    table: &'a DeTable<'a>,
    /// The place of the table, to report missing keys.
    span: Span,
}

impl<'a> Fields<'a> {
    /// A table, after a check of its keys.
    pub(super) fn new(
        source: &'a Source,
        name: &'a str,
        table: &'a DeTable<'a>,
        at: Range<usize>,
        known: &[&str],
    ) -> Result<Self, Error> {
        let mut keys: Vec<_> = table.keys().collect();
        keys.sort_by_key(|k| k.span().start);
        if let Some(key) = keys.into_iter().find(|k| !known.contains(&k.get_ref().as_ref())) {
            let hint = nearest(key.get_ref(), known.iter().copied())
                .unwrap_or_else(|| format!("it may have: {}", known.join(", ")));
            return Err(wrong(
                source,
                span(key.span()),
                format!("{name} has no key `{}`", key.get_ref()),
            )
            .hint(hint));
        }
        Ok(Fields { source, name, table, span: span(at) })
    }

    fn wrong_type(&self, key: &str, value: &Spanned<DeValue<'_>>, want: &str) -> Error {
        let got = describe(value.get_ref());
        wrong(
            self.source,
            span(value.span()),
            format!("`{key}` of {} must be {want}, not {got}", self.name),
        )
    }

    /// A string, if the key exists; an empty string is an error.
    pub(super) fn text(&self, key: &str) -> Result<Option<TomlText>, Error> {
        self.table.get(key).map(|v| self.as_text(key, v)).transpose()
    }

    fn as_text(&self, key: &str, v: &Spanned<DeValue<'_>>) -> Result<TomlText, Error> {
        let value = v
            .get_ref()
            .as_str()
            .ok_or_else(|| self.wrong_type(key, v, "a string in quotation marks"))?;
        if value.trim().is_empty() {
            return Err(wrong(
                self.source,
                span(v.span()),
                format!("`{key}` of {} is empty", self.name),
            )
            .hint("delete the key"));
        }
        Ok(TomlText { value: value.to_string(), span: span(v.span()) })
    }

    /// The value of a string, without its place.
    pub(super) fn string(&self, key: &str) -> Result<Option<String>, Error> {
        Ok(self.text(key)?.map(|t| t.value))
    }

    /// A required string.
    pub(super) fn need(&self, key: &str) -> Result<TomlText, Error> {
        self.text(key)?.ok_or_else(|| {
            wrong(self.source, self.span, format!("{} needs a key `{key}`", self.name))
        })
    }

    /// Strings; none if the key does not exist.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<TomlText>, Error> {
        let Some(v) = self.table.get(key) else { return Ok(vec![]) };
        let want = "a list of strings, [\"…\", \"…\"]";
        let array = v.get_ref().as_array().ok_or_else(|| self.wrong_type(key, v, want))?;
        array.iter().map(|v| self.as_text(key, v)).collect()
    }

    /// A whole number, at least 1.
    pub(super) fn number(&self, key: &str) -> Result<Option<u32>, Error> {
        let Some(v) = self.table.get(key) else { return Ok(None) };
        let n = v
            .get_ref()
            .as_integer()
            .and_then(|i| u32::from_str_radix(i.as_str(), i.radix()).ok())
            .filter(|n| *n > 0);
        n.map(Some).ok_or_else(|| self.wrong_type(key, v, "a whole number, at least 1"))
    }

    /// `true` or `false`; `false` if the key does not exist.
    pub(super) fn flag(&self, key: &str) -> Result<bool, Error> {
        let Some(v) = self.table.get(key) else { return Ok(false) };
        v.get_ref().as_bool().ok_or_else(|| self.wrong_type(key, v, "true or false"))
    }

    /// The table under a key.
    pub(super) fn table(
        &self,
        key: &str,
    ) -> Result<Option<(&'a DeTable<'a>, Range<usize>)>, Error> {
        let Some(v) = self.table.get(key) else { return Ok(None) };
        let table = v.get_ref().as_table().ok_or_else(|| self.wrong_type(key, v, "a table"))?;
        Ok(Some((table, v.span())))
    }

    /// The tables of a list (`[[text]]` or `[{…}, {…}]`).
    pub(super) fn tables(&self, key: &str) -> Result<Vec<(&'a DeTable<'a>, Range<usize>)>, Error> {
        let Some(v) = self.table.get(key) else { return Ok(vec![]) };
        let array =
            v.get_ref().as_array().ok_or_else(|| self.wrong_type(key, v, "a list of tables"))?;
        array
            .iter()
            .map(|v| {
                v.get_ref()
                    .as_table()
                    .map(|t| (t, v.span()))
                    .ok_or_else(|| self.wrong_type(key, v, "a list of tables"))
            })
            .collect()
    }
}

/// An error about a part of the manifest.
pub(super) fn wrong(source: &Source, span: Span, message: impl Into<String>) -> Error {
    Error::manifest(source.path(), message).over(source, span)
}

/// The whole file as TOML.
pub(super) fn parse(source: &Source) -> Result<Spanned<DeTable<'_>>, Error> {
    DeTable::parse(source.text()).map_err(|e| {
        let at = e.span().map_or(source.span(), |r| boundaries(source.text(), r));
        let message = e.message().lines().collect::<Vec<_>>().join("; ");
        wrong(source, at, format!("this is not TOML: {message}"))
    })
}

/// An error of reading the file, as an error of the manifest.
pub(super) fn as_manifest(mut e: Error) -> Error {
    if e.kind.is_of_file() {
        e.kind = ErrorKind::Manifest;
        e.hint = Some("a manifest is TOML in UTF-8".into());
    }
    e
}

fn span(r: Range<usize>) -> Span {
    Span::new(r.start, r.end)
}

/// A parser's range may end inside a character if the error is about a byte.
fn boundaries(text: &str, r: Range<usize>) -> Span {
    let start =
        (0..=r.start.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    let end = (r.end.min(text.len())..=text.len())
        .find(|i| text.is_char_boundary(*i))
        .unwrap_or(text.len());
    Span::new(start, end.max(start))
}

fn describe(v: &DeValue<'_>) -> String {
    match v {
        DeValue::String(_) => "a string".into(),
        DeValue::Integer(i) => format!("the number {}", i.as_str()),
        DeValue::Float(f) => format!("the number {}", f.as_str()),
        DeValue::Boolean(b) => format!("{b}"),
        DeValue::Datetime(_) => "a date".into(),
        DeValue::Array(_) => "a list".into(),
        DeValue::Table(_) => "a table".into(),
    }
}

/// “did you mean …”, if one of `known` is within a third of the word's length (edit distance,
/// Damerau–Levenshtein).
pub(super) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let reach = (word.chars().count().max(3)).div_ceil(3);
    known
        .map(|k| (strsim::damerau_levenshtein(word, k), k))
        .filter(|(d, _)| *d <= reach)
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| format!("did you mean `{k}`?"))
}

/// The address of a site, with a slash at its end.
///
/// # Errors
/// When it is none.
pub(super) fn site_address(source: &Source, text: TomlText) -> Result<String, Error> {
    let rest = ["https://", "http://"].iter().find_map(|scheme| text.value.strip_prefix(scheme));
    let is_one = |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_graphic());
    if !rest.is_some_and(is_one) || text.value.contains(['"', '<', '>', '?', '#', '&']) {
        let error = wrong(source, text.span, "this is no address of a site".to_string());
        return Err(error.hint("write it as https://example.org/classics/"));
    }
    Ok(format!("{}/", text.value.trim_end_matches('/')))
}
