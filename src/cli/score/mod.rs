//! `zhushu score`: measures how well texts are cut, against cuts made by hand.

mod errors;
mod json;
mod table;

use std::path::{Path, PathBuf};

use crate::Settings;
use crate::diag::Error;
use crate::model::Document;
use crate::score::{Gold, GoldError, LayerCut, Lines, Score, score};
use crate::source::Source;
use serde_json::Value;

use super::columns::counted;
use super::common::{As, Common};
use super::{Outcome, output, texts};
use errors::Mistake;

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/score.txt"))]
pub struct Args {
    /// The texts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The correct cut of a text; one for each FILE, in the same order
    #[arg(long, required = true, value_name = "GOLD")]
    gold: Vec<PathBuf>,
    /// Score this cut, as written by convert --to json, instead of making one; one for each FILE
    #[arg(long, value_name = "JSON", conflicts_with = "with")]
    prediction: Vec<PathBuf>,
    /// Count borders at line ends too, except those of 疏 [default]
    #[arg(long, overrides_with = "within_lines")]
    across_lines: bool,
    /// Count only borders within a line
    #[arg(long, overrides_with = "across_lines")]
    within_lines: bool,
    /// Show each layer separately
    #[arg(long)]
    layers: bool,
    /// Show up to N missed and N wrong borders of each text
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    errors: usize,
    /// How to print; tsv has no errors and no calibration
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = As::Text)]
    to: As,
    #[command(flatten)]
    common: Common,
}

/// A scored text.
struct Judged<'a> {
    file: &'a Path,
    gold: &'a Path,
    score: Score,
    /// As many as --errors says.
    mistakes: Vec<Mistake>,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let files = args.files.len();
    one_each("--gold", args.gold.len(), files)?;
    if !args.prediction.is_empty() {
        one_each("--prediction", args.prediction.len(), files)?;
    }
    let judged = (0..files).map(|n| judge(args, settings, n)).collect::<Result<Vec<_>, _>>()?;
    let mut all = Score::default();
    judged.iter().for_each(|j| all += &j.score);
    let path = args.common.output.as_deref();
    match args.to {
        As::Text => output::styled(path, &table::text(&judged, &all, args.layers))?,
        As::Tsv => output::to(path, |out| table::tsv(&judged, &all, args.layers, out))?,
        As::Json => output::to(path, |out| json::write(&judged, &all, lines(args), out))?,
    }
    Ok(0)
}

fn one_each(option: &str, n: usize, files: usize) -> Result<(), Error> {
    if n == files {
        return Ok(());
    }
    Err(Error::request(format!("{n} {option} for {}", counted(files, "text")))
        .hint(format!("name one {option} for each FILE, in their order")))
}

fn lines(args: &Args) -> Lines {
    if args.within_lines { Lines::Within } else { Lines::Across }
}

fn judge<'a>(args: &'a Args, settings: &Settings, n: usize) -> Result<Judged<'a>, Error> {
    let (file, path) = (&args.files[n], &args.gold[n]);
    let gold = texts::json(path)?;
    let read = args.common.read(file, settings)?;
    let source = std::sync::Arc::clone(&read[0].source);
    let gold = Gold::read(&gold, &source).map_err(|e| not_of(path, file, e))?;
    let (score, mistakes) = match args.prediction.get(n) {
        Some(prediction) => {
            let cut = prediction_of(prediction, &source, file)?;
            let score = score(&source, &gold, &cut, lines(args));
            let mistakes = errors::of_cut(&source, &score, &cut, args.errors);
            (score, mistakes)
        }
        None => {
            let library = settings.run(read.clone());
            let chapters = texts::of_first_file(&library);
            let documents: Vec<&Document> =
                library.documents[..chapters].iter().map(|d| &**d).collect();
            let cut = LayerCut::of_chapters(&documents);
            let score = score(&source, &gold, &cut, lines(args));
            let mistakes = errors::of_document(&documents, read, settings, &score, args.errors);
            (score, mistakes)
        }
    };
    Ok(Judged { file, gold: path, score, mistakes })
}

/// A cut from a file; if the file names its text, it must be this one.
fn prediction_of(path: &Path, source: &Source, file: &Path) -> Result<LayerCut, Error> {
    let json = texts::json(path)?;
    let sha256 = json.pointer("/source/sha256").and_then(Value::as_str);
    if sha256.is_some_and(|s| s != source.sha256()) {
        return Err(Error::input(
            path,
            format!("it is a cut of another text than {}", file.display()),
        )
        .hint("its source/sha256 is not that of the text"));
    }
    LayerCut::read(&json, source).map_err(|e| not_of(path, file, e))
}

fn not_of(path: &Path, file: &Path, e: GoldError) -> Error {
    Error::input(path, e.to_string())
        .hint(format!("its spans must be code points of {}", file.display()))
}
