//! `zhushu formats`: readers, passes, writers and layers from their tables.

use zhushu::diag::Error;

use super::Outcome;

const EXAMPLES: &str = "\
Examples:
  zhushu formats";

/// List what can be read and written, the passes between, and the layers
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args) -> Outcome {
    Err(Error::usage("`zhushu formats` is not here yet").into())
}
