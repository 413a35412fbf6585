//! `zhushu check`: reads everything and reports diagnostics; writes nothing.

use std::io::Write;
use std::path::PathBuf;

use super::language::say;
use crate::Settings;
use crate::books::translations::pair_up;
use crate::corrections::placed;
use crate::diag::{Diagnostic, Error};
use crate::load;
use crate::model::Document;

use super::columns::{self, counted};
use super::texts::{Gathered, NamedBy};
use super::{Failure, Outcome, exit_code, output, readings, render, texts};

/// How many diagnostics of each kind are shown for a text.
const FEW: usize = 3;

#[derive(clap::Args)]
#[command(after_help = include_str!("data/check.txt"))]
pub struct Args {
    /// Texts and corpus folders, read together [default: corpus, or this folder if there is none]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Encoding of the texts, such as gb18030 or big5 [default: recognised by their bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Print every diagnostic
    #[arg(long)]
    all: bool,
    /// Exit with code 1 if there are warnings or errors
    #[arg(long)]
    strict: bool,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let mut gathered = Gathered { encoding: args.encoding.clone(), ..Gathered::default() };
    let usual = [texts::corpus(None)];
    let paths = if args.paths.is_empty() { &usual[..] } else { &args.paths };
    for path in paths {
        gathered.add(path, settings)?;
    }
    gathered.unique_ids();
    let (mut documents, mut errors) = read_all(&mut gathered, settings);
    if documents.is_empty() && errors.is_empty() {
        errors.push(load::no_text(&paths[0]));
    }
    // A manifest says what translates what.
    let pairs = match gathered.entries.iter().any(|named| named.by == NamedBy::Manifest) {
        true => vec![],
        false => pair_up(&mut documents, &settings.works, &settings.models.chapters),
    };
    let library = texts::link_and_align(documents, settings);
    let mut out = vec![];
    let mut counts = SeverityCounts::default();
    for document in &library.documents {
        counts.add(&document.diagnostics);
        print(document, if args.all { usize::MAX } else { FEW }, &mut out)?;
    }
    let read = readings::rows(library.documents.iter().map(|d| &**d));
    write!(out, "{}", columns::lines(&read))?;
    for row in readings::translations(&pairs) {
        writeln!(out, "{}", row.join("  "))?;
    }
    for (path, why) in &gathered.left_out {
        writeln!(out, "{}", say(&format!("left out: {} ({why})", path.display())))?;
    }
    output::styled(None, &String::from_utf8_lossy(&out))?;
    for e in &errors {
        render::error(e)?;
    }
    let texts = counted(library.documents.len(), "text");
    let read = say(&format!("{texts} read, {} not; {counts}", errors.len()));
    output::styled(None, &format!("{read}\n"))?;
    Ok(match errors.first() {
        Some(e) => exit_code(e.kind),
        // A person's decision that has no effect is worse than a doubt of the program.
        None if library.documents.iter().any(|d| d.diagnostics.iter().any(placed::is_about)) => 1,
        None => u8::from(args.strict && counts.worth_a_look() > 0),
    })
}

/// Reads what can be read and continues after errors; other files of a folder count as left out.
fn read_all(gathered: &mut Gathered, settings: &Settings) -> (Vec<Document>, Vec<Error>) {
    let (documents, failed) = gathered.try_all(settings);
    let (mut errors, mut left_out) = (vec![], vec![]);
    for (named, e) in failed {
        match named.by {
            NamedBy::Folder if load::says_no_text(&e) => {
                left_out.push((named.entry.path.clone(), e.why()))
            }
            _ => errors.push(e),
        }
    }
    gathered.left_out.extend(left_out);
    gathered.left_out.sort();
    (documents, errors)
}

/// Prints the diagnostics of a text, kind by kind in the order they first appear, at most `few` of
/// each.
fn print(document: &Document, few: usize, out: &mut impl Write) -> Result<(), Failure> {
    let mut kinds: Vec<(&str, Vec<&Diagnostic>)> = vec![];
    for d in &document.diagnostics {
        match kinds.iter_mut().find(|(code, _)| *code == d.code) {
            Some((_, of_kind)) => of_kind.push(d),
            None => kinds.push((&*d.code, vec![d])),
        }
    }
    for (code, of_kind) in kinds {
        // A correction is never left out of what is reported.
        let few = if of_kind.iter().any(|d| placed::is_about(d)) { usize::MAX } else { few };
        for d in of_kind.iter().take(few) {
            writeln!(out, "{}\n", render::diagnostic(document, d))?;
        }
        if of_kind.len() > few {
            let (more, path) = (of_kind.len() - few, document.source.path().display());
            writeln!(
                out,
                "{}\n",
                say(&format!("… {more} more {code} in {path}; --all shows them"))
            )?;
        }
    }
    Ok(())
}

/// How many diagnostics of each [`Severity`](crate::diag::Severity), in its order.
#[derive(Default)]
pub struct SeverityCounts([usize; 3]);

impl SeverityCounts {
    /// Counts more diagnostics.
    pub fn add(&mut self, diagnostics: &[Diagnostic]) {
        for d in diagnostics {
            self.0[d.severity as usize] += 1;
        }
    }

    /// Errors and warnings.
    pub fn worth_a_look(&self) -> usize {
        let [_, warnings, errors] = self.0;
        errors + warnings
    }
}

impl std::fmt::Display for SeverityCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [infos, warnings, errors] = self.0;
        let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
        write!(f, "{errors}, {warnings}, {}", counted(infos, "remark"))
    }
}
