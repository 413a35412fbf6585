//! Reads files that come with texts and say something about them.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// The bytes of a regular file. A manifest or corrections from others could be links to a device or
/// pipe, which never ends.
///
/// # Errors
/// When it cannot be read, or is a pipe or a device.
pub(crate) fn regular(path: &Path) -> Result<Vec<u8>> {
    let about = fs::metadata(path)?;
    if about.is_file() || about.is_dir() {
        return fs::read(path);
    }
    Err(Error::new(ErrorKind::InvalidInput, "this is not a regular file"))
}
