//! Errors of the library as the exception `zhushu.Error`, which is a class of the package: the
//! stable interface of Python cannot derive from an exception before 3.12.

use std::path::Path;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zhushu::diag::{Error, ErrorKind};

/// A result for Python.
pub type Result<T> = std::result::Result<T, Raised>;

/// An error that becomes an exception once it is returned to Python.
pub enum Raised {
    /// Of the library.
    Ours(Box<Error>),
    /// Of Python.
    Python(PyErr),
}

impl From<Error> for Raised {
    fn from(e: Error) -> Self {
        Raised::Ours(Box::new(e))
    }
}

impl From<PyErr> for Raised {
    fn from(e: PyErr) -> Self {
        Raised::Python(e)
    }
}

impl From<Raised> for PyErr {
    fn from(raised: Raised) -> Self {
        match raised {
            Raised::Python(e) => e,
            Raised::Ours(e) => Python::attach(|py| exception(py, &e).unwrap_or_else(|e| e)),
        }
    }
}

/// A request that cannot be met.
pub fn request(message: impl Into<String>, hint: impl Into<String>) -> Raised {
    Error::request(message).hint(hint.into()).into()
}

/// An error of the file system while writing.
pub fn writing(path: &Path, e: &std::io::Error) -> Raised {
    Error::io(path, "write", e).into()
}

fn exception(py: Python<'_>, e: &Error) -> PyResult<PyErr> {
    let class = py.import("zhushu._error")?.getattr("Error")?;
    let facts = PyDict::new(py);
    facts.set_item("kind", kind(e.kind))?;
    facts.set_item("path", e.path.as_ref().map(|p| p.to_string_lossy().into_owned()))?;
    facts.set_item("line", e.place.map(|p| p.line))?;
    facts.set_item("column", e.place.map(|p| p.column))?;
    facts.set_item("width", e.width)?;
    facts.set_item("source_line", e.line.as_deref())?;
    facts.set_item("hint", e.hint.as_deref())?;
    Ok(PyErr::from_value(class.call((e.message.as_str(),), Some(&facts))?))
}

fn kind(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Request => "request",
        ErrorKind::Query => "query",
        ErrorKind::Input => "input",
        ErrorKind::Encoding => "encoding",
        ErrorKind::Format => "format",
        ErrorKind::NoText => "no-text",
        ErrorKind::Index => "index",
        ErrorKind::Manifest => "manifest",
        ErrorKind::Io => "io",
        _ => "other",
    }
}

/// Runs long work without the interpreter's lock. A panic, which is a fault of zhushu, becomes an
/// exception and does not end the interpreter.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> Result<T> {
    let work = std::panic::AssertUnwindSafe(work);
    py.detach(|| std::panic::catch_unwind(work)).map_err(|_| {
        PyRuntimeError::new_err("a fault of zhushu; please report it, with the text if you can")
            .into()
    })
}
