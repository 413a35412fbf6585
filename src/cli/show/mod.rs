//! `zhushu show`: shows a passage by its locus, with all its commentaries.

mod cite;
mod text;

use std::path::PathBuf;

use crate::Settings;
use crate::ask::passage;
use crate::build::{Built, is_current};
use crate::corpus::{Library, loci};
use crate::diag::Error;
use crate::model::Layer;

use super::build;
use super::texts::{self, Gathered};
use super::{Outcome, output, render};

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/show.txt"))]
pub struct Args {
    /// What to show: yili.05.2.3, a range, a section, a URN; titles are accepted for work and
    /// chapter; or a leaf of the print, SBCK 6-1b
    locus: String,
    /// Texts, corpus folders or folders that `build` wrote [default: out if it is current, else
    /// corpus]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Encoding of the texts, such as gb18030 or big5 [default: recognised by their bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Only these layers, by Chinese or pinyin names (經, zhu …)
    #[arg(long, value_name = "LAYER", num_args = 1..)]
    layer: Vec<Layer>,
    /// How to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ShowFormat::Text)]
    to: ShowFormat,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum ShowFormat {
    /// For a person
    Text,
    /// For programs
    Json,
    /// How to cite it: a Chinese footnote, GB/T 7714, Chicago, APA, MLA
    Cite,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let asked = passage::asked(&args.locus, settings)
        .map_err(|e| in_two_words(args, settings).unwrap_or(e))?;
    let chapter = asked.as_ref().map_or_else(|_| String::new(), |locus| locus.text.to_string());
    let library = match built_chapter(args, &chapter, settings)? {
        Some(library) => library,
        None => read(&args.paths, args.encoding.as_deref(), settings)?,
    };
    let (locus, shown) = passage::find(&args.locus, &asked, &library, &args.layer)?;
    let path = args.output.as_deref();
    match args.to {
        ShowFormat::Text => output::styled(path, &text::text(&locus, &shown))?,
        ShowFormat::Json => output::to(path, |out| passage::write_json(&locus, &shown, out))?,
        ShowFormat::Cite => output::styled(path, &cite::text(&locus, &shown))?,
    }
    Ok(0)
}

/// The texts of a chapter from a build, all if it has no such chapter: the one that is named, or
/// `out` if it is that of `corpus` as it is now.
fn built_chapter(args: &Args, name: &str, settings: &Settings) -> Result<Option<Library>, Error> {
    let built = match &args.paths[..] {
        [out] => Built::open(out, settings)?.inspect(|b| build::age::report_age(b, settings)),
        [] if is_current("corpus".as_ref(), "out".as_ref(), settings) => {
            Built::open("out".as_ref(), settings)?
        }
        _ => None,
    };
    Ok(built.and_then(|b| b.chapter(name).or_else(|| b.library())))
}

/// The error for 論語 1.1 without quotation marks: the number was taken for a path.
fn in_two_words(args: &Args, settings: &Settings) -> Option<Error> {
    let next = args.paths.first().filter(|p| !p.exists())?.to_str()?;
    let whole = format!("{} {next}", args.locus);
    loci::parse(&whole, &settings.works).ok()?;
    let error = Error::request(format!("“{}” alone is not a locus", args.locus));
    Some(error.hint(format!("a locus with a blank needs quotation marks: '{whole}'")))
}

/// Reads and links the texts of some paths, or of the usual folders.
///
/// # Errors
/// When they cannot be read.
pub fn read(
    paths: &[PathBuf],
    encoding: Option<&str>,
    settings: &Settings,
) -> Result<Library, Error> {
    let usual = ["corpus", "out"]
        .map(PathBuf::from)
        .into_iter()
        .find(|p| p.is_dir())
        .unwrap_or_else(|| "corpus".into());
    let encoding = encoding.map(str::to_string);
    let mut gathered = Gathered { encoding, ..Gathered::default() };
    for path in if paths.is_empty() { std::slice::from_ref(&usual) } else { paths } {
        gathered.add(&texts::built(path), settings)?;
    }
    gathered.unique_ids();
    let library = texts::link_and_align(gathered.read(settings)?, settings);
    render::undecided(library.documents.iter().map(|d| &**d));
    Ok(library)
}
