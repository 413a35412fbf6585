//! `lab train`: makes the files that the splitter learns from.

mod classics;
mod fit;
mod held_out;
mod joined;
mod lesson;
mod lessons;
mod runs;
mod weights;

use std::collections::HashSet;
use std::path::PathBuf;

use zhushu::Settings;
use zhushu::diag::Error;
use zhushu::passes::split::model::write_weights;

use super::texts;
use held_out::{HeldOut, HeldOutTest};
use lesson::Lesson;
use lessons::{LessonRow, WitnessLibraries};

/// The options of `lab train`.
#[derive(clap::Args)]
#[command(after_help = include_str!("examples.txt"))]
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
///
/// # Errors
/// When a text cannot be read, or the result not written.
pub fn run(args: &Args, settings: &Settings) -> Result<(), Error> {
    let encoding = args.encoding.as_deref();
    let made = match &args.canon {
        _ if args.profile => classics::profile(texts::of_corpus(&args.corpus, encoding, settings)?),
        Some(folder) => classics::filter(&texts::of_corpus(folder, encoding, settings)?)?,
        None if args.lesson.is_empty() && args.lessons.is_none() => {
            runs_of(args, settings)?.into_bytes()
        }
        None => learned(args, settings)?.into_bytes(),
    };
    texts::write(args.output.as_deref(), &made)
}

/// Runs of the texts in which a reader leaves nothing undivided, so that their own marks show every
/// layer. 疏 and 音義 are always marked.
fn runs_of(args: &Args, settings: &Settings) -> Result<String, Error> {
    let documents = texts::of_corpus(&args.corpus, args.encoding.as_deref(), settings)?;
    let marked: HashSet<String> =
        documents.iter().filter(|d| !d.has_undivided()).map(|d| d.id.clone()).collect();
    let library = settings.run(documents);
    let all = library.documents.iter().map(|d| &**d);
    Ok(if args.voices {
        runs::of_voices(all)
    } else {
        runs::of_classic_and_notes(all.filter(|d| marked.contains(&d.id)))
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
            let models = settings.models.layers();
            let weights = match args.unknown {
                true => weights::weights_of_unknown(&lessons, models),
                false => weights::weights(&lessons, models),
            };
            Ok(write_weights(&weights))
        }
    }
}

/// A cut by hand has no references, so none are searched.
fn without_references(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.references = false;
    settings
}
