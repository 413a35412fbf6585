//! PDF, made by the `typst` program of this machine.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use crate::diag::Error;
use crate::writers::editions::{Edition, EditionFile, Format};

/// The program, or the one that `TYPST` names.
fn program() -> std::ffi::OsString {
    std::env::var_os("TYPST").filter(|p| !p.is_empty()).unwrap_or_else(|| "typst".into())
}

/// Looks for it.
///
/// # Errors
/// When there is none.
pub fn found() -> Result<(), Error> {
    let asked = Command::new(program())
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if asked.is_ok_and(|s| s.success()) {
        return Ok(());
    }
    let error = Error::request(format!(
        "PDF needs the program typst, but “{}” does not run",
        program().to_string_lossy()
    ));
    Err(error.hint(
        "install it (cargo install typst-cli, or https://github.com/typst/typst/releases), set \
         the variable TYPST to its path, or use --to typst",
    ))
}

/// Typesets the source that `format` writes.
///
/// # Errors
/// When it cannot be run or reports an error.
pub fn write(
    edition: &Edition,
    format: &Format,
    part: &EditionFile,
    out: &mut dyn Write,
) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let (source, pdf) = (folder.path().join("edition.typ"), folder.path().join("edition.pdf"));
    let mut file = io::BufWriter::new(std::fs::File::create(&source)?);
    (format.write)(edition, part.which, &mut file)?;
    file.flush()?;
    let done = Command::new(program())
        .arg("compile")
        .arg(&source)
        .arg(&pdf)
        .env("SOURCE_DATE_EPOCH", edition.about.date.seconds().to_string())
        .output()?;
    if !done.status.success() {
        return Err(io::Error::other(format!(
            "typst: {}",
            String::from_utf8_lossy(&done.stderr).trim()
        )));
    }
    io::copy(&mut std::fs::File::open(&pdf)?, out).map(|_| ())
}
