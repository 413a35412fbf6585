//! Files and standard input as sources.

use std::io::Read;
use std::path::Path;

use zhushu::diag::Error;
use zhushu::source::Source;

/// Reads `path`, or standard input for `-`.
///
/// # Errors
/// When it cannot be read or does not decode.
pub fn source(path: &Path, encoding: Option<&str>) -> Result<Source, Error> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    Source::decode(path, bytes.map_err(|e| Error::io(path, "read", &e))?, encoding)
}
