//! The position of an item of a Python sequence.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

/// The position that `at` names in a sequence of `len` items; negative ones count from its end.
pub fn position(at: isize, len: usize) -> PyResult<usize> {
    let from_start = if at < 0 { at + len as isize } else { at };
    usize::try_from(from_start)
        .ok()
        .filter(|n| *n < len)
        .ok_or_else(|| PyIndexError::new_err(format!("{at} of {len}")))
}
