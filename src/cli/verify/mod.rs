//! `zhushu verify`: checks the quotations of a text against books.

mod books;
mod shown;

use std::path::{Path, PathBuf};

use crate::Settings;
use crate::diag::{Error, ErrorKind};
use crate::load;
use crate::verify::{QuotingText, Verifier, VerifyReport};

use super::language::say;
use super::{Outcome, aside, output};

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/verify.txt"))]
pub struct Args {
    /// Files with quotations, quotations themselves, or - for standard input
    #[arg(required = true, value_name = "TEXT")]
    texts: Vec<String>,
    /// Where to look: the folder of a build, an index, or texts that were not built; may be
    /// repeated
    #[arg(long = "in", value_name = "BOOKS", default_value = "out")]
    books: Vec<PathBuf>,
    /// Format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = VerifyFormat::Text)]
    to: VerifyFormat,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum VerifyFormat {
    /// For a person
    Text,
    /// One object for each text, a line each
    Json,
    /// One line for each quotation, as compilers write them and editors read them
    Lines,
    /// The text with a remark after each quotation
    Annotated,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let texts = args.texts.iter().map(|t| text(t)).collect::<Result<Vec<_>, _>>()?;
    if let Some(text) = texts.iter().find(|t| args.to == VerifyFormat::Annotated && !t.is_plain()) {
        let message = "remarks can only be put into plain text and Markdown in UTF-8";
        return Err(Error::input(Path::new(&text.name()), message)
            .hint("--to lines names each quotation by its line")
            .into());
    }
    let shelf = settings.shelf.as_deref();
    let books = books::open(&args.books, &texts, (settings, shelf))?;
    let mut verifier = Verifier::new(settings.works.clone());
    if shelf.is_some() {
        verifier = verifier.partly();
    }
    for books in &books {
        verifier = verifier.with(books.name.clone(), books.index())?;
    }
    let reports = texts.iter().map(|t| verifier.check(t)).collect::<Result<Vec<_>, _>>()?;
    write(args, &texts, &reports)?;
    summarise(&reports);
    Ok(u8::from(!reports.iter().all(VerifyReport::is_all_verbatim)))
}

/// A file, standard input, or words of the command line.
fn text(named: &str) -> Result<QuotingText, Error> {
    let path = Path::new(named);
    if named == "-" {
        let bytes = load::streamed(path, std::io::stdin().lock(), None)?;
        return QuotingText::of_file(path, bytes);
    }
    if path.is_file() {
        return QuotingText::of_file(path, load::bytes(path, None)?);
    }
    if named.is_ascii() || path.is_dir() {
        let message = "there is no such file, and these are no Chinese words";
        return Err(Error::input(path, message).of_kind(ErrorKind::Io));
    }
    let text = QuotingText::of_words("-", named);
    // 稿.md is a file that is not there, and no quotation.
    let extension = path.extension().and_then(|e| e.to_str());
    let is_named_so = extension.is_some_and(|e| e.chars().all(|c| c.is_ascii_alphabetic()));
    let is_quoted = named.contains(['「', '『', '“', '《', '"']);
    if !is_quoted && (is_named_so || named.contains('/')) {
        return Err(Error::input(path, "there is no such file or folder")
            .of_kind(ErrorKind::Io)
            .hint("if these are words, put them in 「」"));
    }
    Ok(text)
}

fn write(
    args: &Args,
    texts: &[QuotingText],
    reports: &[VerifyReport],
) -> Result<(), super::Failure> {
    let path = args.output.as_deref();
    match args.to {
        VerifyFormat::Text => output::styled(path, &shown::text(reports)),
        VerifyFormat::Json => output::to(path, |out| {
            for report in reports {
                out.write_all(report.to_json().as_bytes())?;
                out.write_all(b"\n")?;
            }
            Ok(())
        }),
        VerifyFormat::Lines => output::styled(path, &shown::lines(reports)),
        VerifyFormat::Annotated => output::to(path, |out| {
            for (text, report) in texts.iter().zip(reports) {
                out.write_all(shown::annotated(text, report).as_bytes())?;
            }
            Ok(())
        }),
    }
}

/// How many quotations there were, beside the result.
fn summarise(reports: &[VerifyReport]) {
    let sum = |of: fn(&VerifyReport) -> usize| reports.iter().map(of).sum::<usize>();
    let unread = sum(|r| r.counts.unread);
    let verbatim = sum(|r| r.counts.verbatim) - unread;
    let short = sum(|r| r.counts.too_short);
    let checked = sum(|r| r.items.iter().filter(|i| shown::is_quotation(i)).count());
    if checked == 0 {
        aside::line(&say("nothing was checked: there are no quotations long enough"));
    }
    aside::line(&say(&format!(
        "{verbatim} of {checked} quotations are verbatim, and where a place is named, there"
    )));
    if unread > 0 {
        aside::line(&say(&format!(
            "verbatim, but the place or speaker that is named was not checked: {unread}"
        )));
    }
    if short > 0 {
        aside::line(&say(&format!(
            "too short to be checked (fewer than four characters): {short}"
        )));
    }
}
