//! `zhushu demo`: the bundled corpus, written out for someone who has only the program.

use std::path::PathBuf;

use zhushu::diag::Error;

use super::Outcome;

const EXAMPLES: &str = "\
Examples:
  zhushu demo yili                 then: cd yili && zhushu build";

/// Write the bundled corpus (five texts of 儀禮 and their manifest) into a new folder
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Folder to make; its texts go into corpus/ there
    folder: PathBuf,
}

/// Runs the command.
pub fn run(_args: &Args) -> Outcome {
    Err(Error::usage("`zhushu demo` is not here yet").into())
}
