//! The layer of text of a PDF, taken out by `pdftotext` (of poppler), where it is installed: the
//! order of reading in a PDF is a guess, and that program makes it best.

use std::io::Write;
use std::process::{Command, Stdio};

use super::unpacked::Unpacked;

/// The program.
const PROGRAM: &str = "pdftotext";

/// True for a PDF.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"%PDF-")
}

/// Its text.
pub(super) fn read(bytes: &[u8]) -> Result<Unpacked, String> {
    let missing = "zhushu reads the text of a PDF by the program pdftotext (of poppler-utils), \
                   which is not installed";
    let mut child = Command::new(PROGRAM)
        .args(["-enc", "UTF-8", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|_| missing.to_string())?;
    let mut stdin = child.stdin.take().ok_or("it cannot be given to pdftotext")?;
    // WrittenText beside: the program may answer before it has read all.
    let given = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(bytes));
        child.wait_with_output()
    });
    let output = given.map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err("pdftotext cannot read it".into());
    }
    if text.trim().is_empty() {
        return Err("it has no layer of text: its pages are images (OCR makes one)".into());
    }
    let left_out = vec!["images".to_string()];
    Ok(Unpacked { text, parts: "its layer of text".into(), left_out })
}
