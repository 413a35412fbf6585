//! What can be said about a text: positioned diagnostics, and the small separate type of errors
//! that end the work.
//!
//! Reading does not fail on odd content: a reader returns its document together with
//! [`Diagnostic`]s. An [`Error`] is for what leaves nothing to return (no file, not text, a
//! manifest that cannot be understood).

use std::fmt;
use std::path::{Path, PathBuf};

use crate::source::{Position, Source, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know; nothing is wrong.
    Info,
    /// Worth a person's look; the result stands.
    Warning,
    /// Part of the input could not be dealt with.
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

/// Something noticed at a place of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// Stable kebab-case name of the kind of thing, such as `header-misprint`.
    pub code: &'static str,
    /// The words concerned; `None` for the document as a whole.
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
        Diagnostic { severity, code, span: span.into(), message: message.into(), hint: None }
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

/// Whose fault an [`Error`] is; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line (exit code 2).
    Usage,
    /// A file's content (exit code 3).
    Input,
    /// The manifest (exit code 4).
    Manifest,
    /// The file system (exit code 5).
    Io,
}

/// What ends the work on a file or a command.
#[derive(Clone, Debug)]
pub struct Error {
    /// Whose fault.
    pub kind: ErrorKind,
    /// The file concerned.
    pub path: Option<PathBuf>,
    /// Where in it.
    pub place: Option<Position>,
    /// How many characters from there on are meant; 0 where only the point is known.
    pub width: usize,
    /// The line the place is in, if it helps to see it.
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
    /// A wrong command line.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, None, message)
    }
    /// A file that cannot be made sense of.
    pub fn input(path: &Path, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, Some(path), message)
    }
    /// A manifest that is wrong.
    pub fn manifest(path: &Path, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Manifest, Some(path), message)
    }
    /// The operating system refused; `doing` is what was tried, such as “read”.
    pub fn io(path: &Path, doing: &str, e: &std::io::Error) -> Self {
        let why = match e.kind() {
            std::io::ErrorKind::NotFound => "there is no such file or folder".to_string(),
            std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
            std::io::ErrorKind::IsADirectory => "it is a folder".to_string(),
            _ => e.to_string(),
        };
        Self::new(ErrorKind::Io, Some(path), format!("cannot {doing}: {why}"))
    }
    /// The same at a place.
    #[must_use]
    pub fn at(mut self, place: Position) -> Self {
        self.place = Some(place);
        self
    }
    /// The same about a stretch of a source, showing its line.
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
    /// Exit code of a command that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            ErrorKind::Usage => 2,
            ErrorKind::Input => 3,
            ErrorKind::Manifest => 4,
            ErrorKind::Io => 5,
        }
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
