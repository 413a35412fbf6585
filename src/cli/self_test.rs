//! `zhushu self-test`: tries an installed program on the bundled corpus, as a person would use it,
//! and says which programs and fonts of this machine it could use.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::language::{colon, say};
use super::{Outcome, demo, output};
use crate::diag::Error;

/// Does something with the program; true if it did as it should.
type Passes = fn(&Trial<'_>) -> io::Result<bool>;

/// What is tried, in this order, each in the folder that the one before left.
const TRIALS: &[(&str, Passes)] = &[
    ("the bundled texts are written out", |t| t.runs(&["demo", "."])),
    ("they are read and divided, and an edition is written", |t| {
        t.runs(&["build", "corpus", "-o", "out"])
    }),
    ("their files come back from the TEI, byte for byte", comes_back),
    ("words are found in the index", |t| t.runs(&["search", "射", "--index", "out"])),
    ("an EPUB and a Word file are written", |t| {
        Ok(t.runs(&["export", "corpus", "-o", "a.epub"])?
            && t.runs(&["export", "corpus", "-o", "a.docx"])?)
    }),
];

/// Programs and fonts: a command that shows them, what they are, and what needs them.
const OTHERS: &[(&[&str], &str, &str)] = &[
    (&["typst", "--version"], "typst", "PDF; see https://typst.app"),
    (&["pdftotext", "-v"], "pdftotext", "reading the text of a PDF (package poppler-utils)"),
    (&["fc-list", ":lang=zh-tw"], "a Chinese font", "pages and PDF (package fonts-noto-cjk)"),
    (
        &["fc-list", ":charset=2a6d6"],
        "a font with rare characters",
        "pages and PDF (package fonts-hanazono)",
    ),
];

/// A folder in which the program is tried.
struct Trial<'p> {
    program: &'p OsStr,
    folder: &'p Path,
}

/// Runs the command.
pub fn run() -> Outcome {
    let failed = |e: io::Error| Error::io(Path::new("."), "make the folder", &e);
    let program = std::env::current_exe().map_err(failed)?;
    let folder = tempfile::tempdir().map_err(failed)?;
    let trial = Trial { program: program.as_os_str(), folder: folder.path() };
    let mut all = true;
    for (what, passes) in TRIALS {
        let begun = Instant::now();
        let passed = passes(&trial).unwrap_or(false);
        all &= passed;
        let (how, seconds) = (if passed { "ok" } else { "FAILED" }, begun.elapsed().as_secs_f64());
        line(&format!("{:7} {} ({seconds:.1} s)", say(how), say(what)))?;
    }
    for (command, what, needed) in OTHERS {
        let how = if is_there(command) { "ok" } else { "none" };
        line(&format!("{:7} {}{}{}", say(how), say(what), colon(), say(needed)))?;
    }
    if !all {
        line(&say("this program does not work here; please report it, with these lines"))?;
    }
    Ok(u8::from(!all))
}

impl Trial<'_> {
    /// True if the program runs with these arguments.
    fn runs(&self, arguments: &[&str]) -> io::Result<bool> {
        let mut command = Command::new(self.program);
        command.args(arguments).current_dir(self.folder).env("ZHUSHU_LIBRARY", "");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command.status()?.success())
    }
}

/// True if each bundled text is what its TEI gives back.
fn comes_back(trial: &Trial<'_>) -> io::Result<bool> {
    for (name, bytes) in demo::texts() {
        let tei = format!("out/tei/{}.xml", name.trim_end_matches(".txt"));
        if !trial.runs(&["convert", &tei, "--to", "source", "-o", "back"])? {
            return Ok(false);
        }
        let back = trial.folder.join("back");
        if fs::read(&back)? != bytes {
            return Ok(false);
        }
        fs::remove_file(back)?;
    }
    Ok(true)
}

/// True if a command succeeds and prints something.
fn is_there(command: &[&str]) -> bool {
    let [program, arguments @ ..] = command else { return false };
    let run = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    run.is_ok_and(|run| run.status.success() && !(run.stdout.is_empty() && run.stderr.is_empty()))
}

fn line(words: &str) -> Result<(), super::Failure> {
    output::to(None, |out| writeln!(out, "{words}"))
}
