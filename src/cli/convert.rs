//! `zhushu convert`: one file, from any reader to any writer.

use std::path::{Path, PathBuf};

use crate::Settings;
use crate::diag::Error;
use crate::model::Document;
use crate::readers::{SOURCE_DIFFERS, TAKEN_FROM};
use crate::writers::{self, Writer};

use super::common::Common;
use super::{Outcome, export, output, render, texts};

#[derive(clap::Args)]
#[command(after_help = include_str!("data/convert.txt"))]
pub struct Args {
    /// The file, or - for standard input
    file: PathBuf,
    /// Format to write [default: by the ending of -o, else json]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Only this chapter of a whole book, by number, title or id
    #[arg(long, value_name = "CHAPTER")]
    chapter: Option<String>,
    /// With --to source: write it although the TEI was edited, so that it is no longer the file
    /// that the TEI was made from
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    if let Some(edition) = edition(args)? {
        return export::run(&edition, settings);
    }
    let writer = writer(args)?;
    let library = texts::link_and_align(args.common.read(&args.file, settings)?, settings);
    let chapters = texts::of_first_file(&library);
    let chapters: Vec<&Document> = library.documents[..chapters].iter().map(|d| &**d).collect();
    let chosen = match &args.chapter {
        Some(wanted) => vec![chapter(&chapters, wanted)?],
        None => chapters,
    };
    if writer.name == "source" && !args.force {
        chosen.iter().try_for_each(|d| is_as_before(d, &args.file))?;
    }
    let write_book = match writer.write_book {
        None if chosen.len() > 1 => return Err(one_chapter_only(writer, &chosen).into()),
        write_book => write_book,
    };
    output::to(args.common.output.as_deref(), |out| match (&chosen[..], write_book) {
        ([one], _) | ([one, ..], None) => (writer.write)(one, &library, out),
        (many, Some(write)) => write(many, &library, out),
        ([], None) => Ok(()),
    })?;
    render::warned(chosen);
    output::wrote(args.common.output.as_deref());
    Ok(0)
}

/// What `export` is asked to do, if the format is one of its own (`convert --to epub`).
fn edition(args: &Args) -> Result<Option<export::Args>, Error> {
    let Common { with, from, encoding, output } = &args.common;
    let is_own = match (&args.to, output) {
        (Some(name), _) => writers::by_name(name).is_err() && export::knows(name),
        (None, Some(path)) => writer(args).is_err() && export::knows_ending(path),
        (None, None) => false,
    };
    if !is_own {
        return Ok(None);
    }
    if args.chapter.is_some() {
        return Err(Error::request("--chapter works with tei, json, html and source only")
            .hint("`zhushu build` makes a text of each chapter, which `zhushu export` takes"));
    }
    let mut edition = export::Args::plain(&args.file);
    edition.to.clone_from(&args.to);
    edition.output.clone_from(output);
    (edition.with, edition.from, edition.encoding) = (with.clone(), from.clone(), encoding.clone());
    Ok(Some(edition))
}

/// An error if a document is no longer that of the file that its TEI was made from.
fn is_as_before(document: &Document, tei: &Path) -> Result<(), Error> {
    let origin = document.meta.origin.as_deref().and_then(|origin| {
        let kind = origin.strip_prefix(TAKEN_FROM)?.split(" (").next()?;
        Some(kind.trim().to_string())
    });
    let kind = document.source.container().map(|container| container.kind.to_string());
    if let Some(kind) = kind.or(origin) {
        let message = format!("the text was unpacked from a file of {kind}");
        let hint = "the file itself is not kept; --force writes the page that was made of it";
        return Err(Error::input(tei, message).hint(hint));
    }
    let Some(differs) = document.diagnostics.iter().find(|d| d.code == SOURCE_DIFFERS) else {
        return Ok(());
    };
    let hint = "--force writes the text as it is in the TEI now";
    Err(Error::input(tei, differs.message.clone()).hint(hint))
}

/// The chapter with this number, title or id.
fn chapter<'a>(chapters: &[&'a Document], wanted: &str) -> Result<&'a Document, Error> {
    let number: Option<u32> = wanted.parse().ok();
    let fits = |d: &&&Document| {
        d.id == wanted
            || number.is_some() && d.meta.number == number
            || d.meta.chapter.as_deref().is_some_and(|c| folded(c) == folded(wanted))
    };
    chapters.iter().find(fits).copied().ok_or_else(|| {
        Error::request(format!("no chapter is called “{wanted}”")).hint(list_of(chapters))
    })
}

fn folded(words: &str) -> String {
    words.chars().map(crate::text::fold::fold).collect()
}

fn list_of(chapters: &[&Document]) -> String {
    let names: Vec<&str> =
        chapters.iter().map(|d| d.meta.chapter.as_deref().unwrap_or(&d.id)).collect();
    match names.len() {
        0..=24 => format!("there are: {}", names.join("、")),
        n => format!("there are {n}: {} …", names[..24].join("、")),
    }
}

fn one_chapter_only(writer: &Writer, chapters: &[&Document]) -> Error {
    Error::request(format!(
        "{} holds one chapter, and the file has {}",
        writer.name,
        chapters.len()
    ))
    .hint("name one with --chapter, or write all with `zhushu export --to site`")
}

/// The named writer, or the one with the (longest matching) extension of the output, or JSON.
fn writer(args: &Args) -> Result<&'static Writer, Error> {
    if let Some(name) = &args.to {
        return writers::by_name(name).map_err(|e| match name.as_str() {
            // As `export` explains it.
            "parquet" => crate::writers::editions::by_name(name).err().unwrap_or(e),
            _ => e,
        });
    }
    let Some(path) = args.common.output.as_ref().filter(|p| p.as_os_str() != "-") else {
        return writers::by_name("json");
    };
    let name = path.to_string_lossy().to_lowercase();
    let ends = |w: &&Writer| name.ends_with(&format!(".{}", w.extension.trim_start_matches('.')));
    writers::WRITERS.iter().filter(ends).max_by_key(|w| w.extension.len()).ok_or_else(|| {
        let endings: Vec<_> =
            writers::WRITERS.iter().map(|w| format!("{} (.{})", w.name, w.extension)).collect();
        Error::request(format!("no format has the extension of “{}”", path.display()))
            .hint(format!("name it with --to; there are {}", endings.join(", ")))
    })
}
