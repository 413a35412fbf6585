//! `zhushu collate`: the witnesses of a text side by side.

mod chapters;
mod summary;

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Settings;
use crate::collation::CollatedLayers;
use crate::diag::Error;
use crate::model::Layer;
use crate::site::collation as page;
use crate::writers::collation::{COLLATION_WRITERS, CollatedChapter};

use super::{Outcome, output, render, texts};
use chapters::{ChapterChoice, NamedTexts};
pub use chapters::{is_called, is_of_chapter};

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/collate.txt"))]
pub struct Args {
    /// The witnesses: texts, whole books, corpus folders or what `build` wrote
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The witness that the others are compared with: its number in the order given, its file, id
    /// or siglum [default: the first; in one folder the longest]
    #[arg(long, value_name = "WITNESS")]
    base: Option<String>,
    /// The layers to collate
    #[arg(long, value_name = "LAYERS", value_delimiter = ',', default_value = "經")]
    layer: Vec<Layer>,
    /// Only this chapter, by title, number or locus (yili.05)
    #[arg(long, value_name = "CHAPTER")]
    chapter: Option<String>,
    /// Add the readings that notes report (今文, 古文, editions that a collator names), and where the
    /// sub-commentary quotes the text in other words
    #[arg(long)]
    indirect: bool,
    /// Encoding of the texts, such as gb18030 or big5 [default: recognised by their bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Format to write: summary, tsv, json, tei, tei-endpoints or html [default: by the ending of
    /// -o, else summary]
    #[arg(long, alias = "format", value_name = "FORMAT")]
    to: Option<String>,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What is written.
type WriteChapters = Box<dyn Fn(&[CollatedChapter<'_>], &mut dyn Write) -> std::io::Result<()>>;

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let write = writer(args, settings)?;
    let layers = CollatedLayers::of(args.layer.iter().copied());
    let mut settings = settings.clone();
    // Only what the witnesses report needs references.
    settings.references = args.indirect;
    let named = read(args, &settings)?;
    let choice = ChapterChoice {
        layers: &layers,
        chapter: args.chapter.as_deref(),
        base: args.base.as_deref(),
        indirect: args.indirect,
    };
    let chapters = chapters::collated(&named, &choice)?;
    output::to(args.output.as_deref(), |out| match write {
        Some(write) => write(&chapters, out),
        None => out.write_all(summary::of(&chapters, layers.layers()).as_bytes()),
    })?;
    Ok(0)
}

/// Reads all texts together and separates their layers.
fn read(args: &Args, settings: &Settings) -> Result<NamedTexts, Error> {
    let mut gathered =
        texts::Gathered { encoding: args.encoding.clone(), ..texts::Gathered::default() };
    let mut arguments = Vec::new();
    for (n, path) in args.paths.iter().enumerate() {
        gathered.add(&texts::built(path), settings)?;
        arguments.resize(gathered.entries.len(), n);
    }
    let paths = gathered.entries.iter().zip(&arguments);
    let paths = paths.map(|(named, n)| (named.entry.path.clone(), *n)).collect();
    gathered.unique_ids();
    let library = settings.run(gathered.read(settings)?);
    render::undecided(library.documents.iter().map(|d| &**d));
    Ok(NamedTexts { library, paths, arguments: args.paths.clone() })
}

/// The named format, or the one with the extension of the output; none for the summary.
fn writer(args: &Args, settings: &Settings) -> Result<Option<WriteChapters>, Error> {
    let ending = output::ending(args.output.as_deref());
    let fits = |name: &str, extension: &str| match &args.to {
        Some(wanted) => wanted == name,
        None => ending.as_deref() == Some(extension),
    };
    if let Some(writer) = COLLATION_WRITERS.iter().find(|w| fits(w.name, w.extension)) {
        return Ok(Some(Box::new(writer.write)));
    }
    if fits("html", "html") {
        let own = settings.language;
        return Ok(Some(Box::new(move |chapters, out| page::write(chapters, own, out))));
    }
    match args.to.as_deref() {
        None | Some("summary") => Ok(None),
        Some(name) => Err(Error::request(format!("no format of collations is called “{name}”"))
            .hint("there are: summary, tsv, json, tei, tei-endpoints, html")),
    }
}

/// A path as the user wrote it.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
