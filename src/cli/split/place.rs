//! `FILE[:LINE[:COLUMN]]`, the form in which messages print places.

use std::path::{Path, PathBuf};

use crate::diag::Error;
use crate::source::{Source, Span};

/// A file, and perhaps a place in it, counted from 1.
#[derive(Debug, PartialEq)]
pub struct Place {
    pub file: PathBuf,
    line: Option<usize>,
    column: Option<usize>,
}

impl Place {
    /// Parses what the user wrote. A path that exists is a file, even if it ends like a place.
    pub fn parse(argument: &Path) -> Self {
        Self::parse_where(argument, Path::exists)
    }

    fn parse_where(argument: &Path, exists: impl Fn(&Path) -> bool) -> Self {
        let whole = Place { file: argument.to_path_buf(), line: None, column: None };
        // A path that is not Unicode cannot have a line: its bytes cannot be cut safely.
        let Some(words) = argument.to_str().filter(|_| !exists(argument)) else { return whole };
        let Some((file, last)) = number_after(words) else { return whole };
        let line = Place { file: file.into(), line: Some(last), column: None };
        match number_after(file) {
            // `a:3:7` is column 7 of line 3 of `a`, unless there is a file `a:3`.
            Some((shorter, first)) if !exists(Path::new(file)) => {
                Place { file: shorter.into(), line: Some(first), column: Some(last) }
            }
            _ => line,
        }
    }

    /// The span of a place: a line, or one character; none for the whole file.
    ///
    /// # Errors
    /// When the file has no such place.
    pub fn within(&self, source: &Source) -> Result<Option<Span>, Error> {
        let Some(n) = self.line else { return Ok(None) };
        let Some(line) = source.line(n) else {
            let last = source.place(source.text().len()).line;
            return Err(Error::request(format!("there is no line {n} in {}", self.file.display()))
                .hint(format!("lines are counted from 1; the last is {last}")));
        };
        let Some(column) = self.column else { return Ok(Some(line)) };
        let at = column.checked_sub(1).and_then(|c| source.char_of_line(line, c));
        let Some(at) = at else {
            let last = source.slice(line).chars().count();
            return Err(Error::request(format!(
                "line {n} of {} has no column {column}",
                self.file.display()
            ))
            .hint(format!("columns are characters, counted from 1; the last is {last}")));
        };
        Ok(Some(at))
    }
}

/// `name:12` → `name`, 12.
fn number_after(words: &str) -> Option<(&str, usize)> {
    let (name, digits) = words.rsplit_once(':')?;
    let sound =
        !name.is_empty() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    sound.then(|| digits.parse().ok()).flatten().map(|n| (name, n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(argument: &str, files: &[&str]) -> (String, Option<usize>, Option<usize>) {
        let p =
            Place::parse_where(Path::new(argument), |p| files.iter().any(|f| Path::new(f) == p));
        (p.file.display().to_string(), p.line, p.column)
    }

    #[test]
    fn colons_in_names_and_before_lines() {
        let whole = |f: &str| (f.to_string(), None, None);
        assert_eq!(parse("a.txt", &["a.txt"]), whole("a.txt"));
        assert_eq!(parse("a.txt:7", &["a.txt"]), ("a.txt".into(), Some(7), None));
        assert_eq!(parse("a.txt:7:12", &["a.txt"]), ("a.txt".into(), Some(7), Some(12)));
        assert_eq!(parse("a:7", &["a", "a:7"]), whole("a:7"));
        assert_eq!(parse("a:7:3", &["a", "a:7"]), ("a:7".into(), Some(3), None));
        assert_eq!(
            parse("儀禮:鄉射.txt:9", &["儀禮:鄉射.txt"]),
            ("儀禮:鄉射.txt".into(), Some(9), None)
        );
        assert_eq!(parse("c:x.txt", &[]), whole("c:x.txt"));
        assert_eq!(parse("-:4", &[]), ("-".into(), Some(4), None));
        assert_eq!(parse(":4", &[]), whole(":4"));
        assert_eq!(
            parse("a.txt:99999999999999999999", &["a.txt"]),
            whole("a.txt:99999999999999999999")
        );
    }

    #[test]
    fn a_place_is_words_or_an_error() {
        let source = Source::from_text("a.txt", "眾賓繼射\n\n釋獲\n");
        let within = |line, column| Place { file: "a.txt".into(), line, column }.within(&source);
        assert_eq!(within(None, None).unwrap(), None);
        assert_eq!(within(Some(1), None).unwrap(), Some(Span::new(0, 12)));
        assert_eq!(within(Some(3), Some(2)).unwrap().map(|s| source.slice(s)), Some("獲"));
        assert!(within(Some(2), None).unwrap().is_some_and(Span::is_empty));
        for (line, column) in [(0, None), (5, None), (1, Some(0)), (1, Some(5)), (2, Some(1))] {
            assert!(within(Some(line), column).is_err(), "{line} {column:?}");
        }
    }
}
