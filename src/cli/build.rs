//! `zhushu build`: a corpus into its edition.

use std::path::PathBuf;

use zhushu::diag::Error;

use super::Outcome;

const EXAMPLES: &str = "\
Examples:
  zhushu build                      corpus/ of the current folder into out/
  zhushu build texts -o edition
  zhushu build --force              everything anew, changed or not";

/// Read a corpus, tell its layers apart, link and align it, and write TEI, JSON and a reading site
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The corpus: a folder with or without a manifest zhushu.toml
    #[arg(default_value = "corpus")]
    corpus: PathBuf,
    /// Folder to write to
    #[arg(short, long, value_name = "OUT", default_value = "out")]
    output: PathBuf,
    /// Do everything anew, even if nothing changed
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub fn run(_args: &Args) -> Outcome {
    Err(Error::usage("`zhushu build` is not here yet").into())
}
