//! `zhushu check`: reads everything, tells what was noticed, writes nothing.

use std::path::PathBuf;

use zhushu::diag::Error;

use super::Outcome;

const EXAMPLES: &str = "\
Examples:
  zhushu check                     the corpus in the current folder
  zhushu check chapter.txt         one text by itself
  zhushu check corpus --all        every diagnostic, not the first few of a kind
  zhushu check corpus --strict     exit code 1 if there is anything to look at";

/// Read everything and print what was noticed; write nothing
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Texts, or one corpus folder [default: corpus]
    paths: Vec<PathBuf>,
    /// Print every diagnostic
    #[arg(long)]
    all: bool,
    /// End with exit code 1 if there are warnings or errors
    #[arg(long)]
    strict: bool,
}

/// Runs the command.
pub fn run(_args: &Args) -> Outcome {
    Err(Error::usage("`zhushu check` is not here yet").into())
}
