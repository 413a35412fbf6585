//! `zhushu train`: makes the files that the splitter learns from.

mod held_out;
mod lessons;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::Settings;
use crate::books;
use crate::diag::Error;
use crate::model::Document;
use crate::passes::known;
use crate::passes::split::train::{self, Lesson};

use super::{Outcome, output, texts};
use held_out::{HeldOut, HeldOutTest};
use lessons::{LessonRow, WitnessLibraries};

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/train.txt"))]
pub struct Args {
    /// Corpus folder or manifest with marked texts to learn from
    #[arg(default_value = "corpus", conflicts_with_all = ["lesson", "lessons"])]
    corpus: PathBuf,
    /// Runs of 音義 and 疏 instead of 經 and 注
    #[arg(long, conflicts_with = "lesson")]
    voices: bool,
    /// The filter of the classics, from plain texts of them
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["lesson", "voices"])]
    canon: Option<PathBuf>,
    /// A text and the JSON with its correct cut; learns weights
    #[arg(long, value_name = "TEXT=JSON")]
    lesson: Vec<String>,
    /// A table of lessons: book, text, JSON and, if there is one, a plain copy of the classic,
    /// separated by tabs
    #[arg(long, value_name = "TABLE", conflicts_with = "lesson")]
    lessons: Option<PathBuf>,
    /// Instead of weights, how well each text of the table is cut by weights learned without it
    #[arg(long, value_name = "WHAT", value_enum, requires = "lessons", num_args = 0..=1,
        default_missing_value = "book", require_equals = true)]
    held_out: Option<HeldOut>,
    /// Only the weights for books of which nothing is known; the others stay as they are
    #[arg(long, requires = "lessons")]
    unknown: bool,
    /// The words of the chapters of a folder of plain classics, by which chapters are recognised
    #[arg(long, conflicts_with = "lesson")]
    profile: bool,
    /// Encoding of the texts, such as gb18030 or big5 [default: recognised by their bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let made = match &args.canon {
        _ if args.profile => books::profile_of(read(&args.corpus, args, settings)?),
        Some(folder) => train::canon_file(&read(folder, args, settings)?)?,
        None if args.lesson.is_empty() && args.lessons.is_none() => {
            runs(args, settings)?.into_bytes()
        }
        None => learned(args, settings)?.into_bytes(),
    };
    output::to(args.output.as_deref(), |out| out.write_all(&made))?;
    Ok(0)
}

/// The texts of a corpus; the first error if one cannot be read.
fn read(corpus: &Path, args: &Args, settings: &Settings) -> Result<Vec<Document>, Error> {
    let mut corpus = texts::open(corpus, settings)?;
    texts::encode_as(&mut corpus, args.encoding.as_deref());
    let loaded = settings.read(&corpus)?;
    loaded.errors.into_iter().next().map_or(Ok(loaded.documents), Err)
}

/// Runs of the texts in which a reader leaves nothing undivided, so that their own marks show every
/// layer. 疏 and 音義 are always marked.
fn runs(args: &Args, settings: &Settings) -> Result<String, Error> {
    let documents = read(&args.corpus, args, settings)?;
    let marked: HashSet<String> =
        documents.iter().filter(|d| !d.has_undivided()).map(|d| d.id.clone()).collect();
    let library = settings.run(documents);
    let all = library.documents.iter().map(|d| &**d);
    Ok(if args.voices {
        known::write_voices(all)
    } else {
        known::write(all.filter(|d| marked.contains(&d.id)))
    })
}

/// Weights learned from the lessons, or how well these are cut without having been learned from.
fn learned(args: &Args, settings: &Settings) -> Result<String, Error> {
    let rows = match &args.lessons {
        Some(table) => LessonRow::of_table(table)?,
        None => args.lesson.iter().map(|l| LessonRow::of_argument(l)).collect::<Result<_, _>>()?,
    };
    let mut witnesses = WitnessLibraries::default();
    let read = |row: &LessonRow| row.read(args.encoding.as_deref(), settings, &mut witnesses);
    let lessons: Vec<Lesson> = rows.iter().map(read).collect::<Result<_, _>>()?;
    match args.held_out {
        Some(what) => {
            let only_unknown = args.unknown;
            HeldOutTest { rows: &rows, lessons: &lessons, settings, only_unknown }.table(what)
        }
        None => {
            let lessons: Vec<&Lesson> = lessons.iter().collect();
            let models = &settings.models.layers;
            let weights = match args.unknown {
                true => train::weights_of_unknown(&lessons, models),
                false => train::weights(&lessons, models),
            };
            Ok(train::write_weights(&weights))
        }
    }
}
