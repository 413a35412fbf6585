//! `zhushu align`: a classic and its translation, bead by bead.

use std::path::PathBuf;

use zhushu::diag::Error;

use super::Outcome;

const EXAMPLES: &str = "\
Examples:
  zhushu align classic.txt translation.txt
  zhushu align classic.txt translation.txt -o beads.json";

/// Align a classic with its translation, sentence by sentence
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The classic, with or without commentary
    source: PathBuf,
    /// The translation
    translation: PathBuf,
    /// Format to write
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    to: String,
    /// Format of the classic [default: recognised by its text]
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Format of the translation [default: recognised by its text]
    #[arg(long, value_name = "FORMAT")]
    translation_from: Option<String>,
    /// Encoding of both files [default: utf-8]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(_args: &Args) -> Outcome {
    Err(Error::usage("alignment is not here yet").into())
}
