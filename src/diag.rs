//! Diagnostics, which have a place in a text, and errors, which end the work.
//!
//! Reading does not fail on odd content: a reader returns its document together with
//! [`Diagnostic`]s. An [`Error`] is for cases without anything to return (no file, not text, a
//! manifest that cannot be understood).

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::source::{Position, Source, Span};

/// The severity of a diagnostic.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Severity {
    /// Good to know; nothing is wrong.
    Info,
    /// A person should check it; the result is still used.
    Warning,
    /// Part of the input could not be processed.
    Error,
}

impl Severity {
    /// Lower-case word, as in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Code of the warning that notes which nothing marks are perhaps among the classic: supposed when
/// a text is read, and taken back where a pass finds notes.
pub(crate) const MORE_THAN_CLASSIC: &str = "more-than-classic";

/// Something noticed at a place of a document.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Diagnostic {
    /// Severity.
    pub severity: Severity,
    /// Stable kebab-case name of its kind, such as `header-misprint`.
    pub code: Cow<'static, str>,
    /// The text concerned; `None` for the document as a whole.
    pub span: Option<Span>,
    /// One sentence, no full stop.
    pub message: String,
    /// What a person could do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without a hint.
    pub fn new(
        severity: Severity,
        code: &'static str,
        span: impl Into<Option<Span>>,
        message: impl Into<String>,
    ) -> Self {
        let (code, span, message) = (code.into(), span.into(), message.into());
        Diagnostic { severity, code, span, message, hint: None }
    }
    /// A warning.
    pub fn warning(
        code: &'static str,
        span: impl Into<Option<Span>>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }
    /// A remark.
    pub fn info(
        code: &'static str,
        span: impl Into<Option<Span>>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(Severity::Info, code, span, message)
    }
    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// What an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A request: an unknown name, or options that do not work together.
    Request,
    /// A search query.
    Query,
    /// A file's content.
    Input,
    /// A file's bytes: they do not decode.
    Encoding,
    /// A file's format: no reader recognises it.
    Format,
    /// A folder: no file in it is a text.
    NoText,
    /// The search index: it is damaged, or of another version.
    Index,
    /// A search that was to stop: [`Index::until`](crate::search::Index::until).
    Stopped,
    /// The manifest.
    Manifest,
    /// The file system.
    Io,
}

impl ErrorKind {
    /// True if a file is not a readable text: a folder without manifest may contain such files.
    pub(crate) fn is_of_file(self) -> bool {
        matches!(self, ErrorKind::Input | ErrorKind::Encoding | ErrorKind::Format)
    }
}

/// An error that ends the work on a file or a command.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Error {
    /// What it is about.
    pub kind: ErrorKind,
    /// The file concerned.
    pub path: Option<PathBuf>,
    /// Where in it.
    pub place: Option<Position>,
    /// How many characters from there on it concerns; 0 if only the point is known.
    pub width: usize,
    /// The line that contains the place, if it helps to show it.
    pub line: Option<Box<str>>,
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub hint: Option<Box<str>>,
}

impl Error {
    fn new(kind: ErrorKind, path: Option<&Path>, message: impl Into<String>) -> Self {
        Error {
            kind,
            path: path.map(Path::to_path_buf),
            place: None,
            width: 0,
            line: None,
            message: message.into(),
            hint: None,
        }
    }
    /// An invalid request.
    pub fn request(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Request, None, message)
    }
    /// A file that cannot be understood.
    pub fn input(path: &Path, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, Some(path), message)
    }
    /// A manifest that is wrong.
    pub fn manifest(path: &Path, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Manifest, Some(path), message)
    }
    /// An error of the operating system; `doing` is what was tried, such as “read”.
    pub fn io(path: &Path, doing: &str, e: &std::io::Error) -> Self {
        let why = match e.kind() {
            std::io::ErrorKind::NotFound if path.is_symlink() => {
                "it is a link to what is not there".to_string()
            }
            std::io::ErrorKind::NotFound => "there is no such file or folder".to_string(),
            std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
            std::io::ErrorKind::IsADirectory => "it is a folder".to_string(),
            _ => e.to_string(),
        };
        Self::new(ErrorKind::Io, Some(path), format!("cannot {doing}: {why}"))
    }
    /// What is wrong, without the path, for a list that shows the path beside it.
    pub(crate) fn why(&self) -> String {
        match self.place {
            Some(p) => format!("line {}, column {}: {}", p.line, p.column, self.message),
            None => self.message.clone(),
        }
    }
    /// The same at a place.
    #[must_use]
    pub fn at(mut self, place: Position) -> Self {
        self.place = Some(place);
        self
    }
    /// The same about a span of a source, showing its line.
    #[must_use]
    pub fn over(mut self, source: &Source, span: Span) -> Self {
        let (text, at) = (source.text(), span.start());
        let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
        self.width = text[at..span.end().min(end)].chars().count();
        self.line = Some(text[start..end].trim_end_matches('\r').into());
        self.at(source.place(at))
    }
    /// The same, showing the line.
    #[must_use]
    pub fn line(mut self, line: impl Into<Box<str>>) -> Self {
        self.line = Some(line.into());
        self
    }
    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Box<str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }
    /// The same as another kind of error.
    #[must_use]
    pub(crate) fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(p) = &self.path {
            write!(f, "{}", p.display())?;
            if let Some(Position { line, column }) = self.place {
                write!(f, ":{line}:{column}")?;
            }
            write!(f, ": ")?;
        }
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Error {}
