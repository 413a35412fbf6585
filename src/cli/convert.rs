//! `zhushu convert`: one file, any reader to any writer.

use std::path::PathBuf;

use crate::Settings;
use crate::diag::Error;
use crate::writers::{self, Writer};

use super::common::Common;
use super::{Outcome, output, texts};

/// Convert one file from any format that can be read to any that can be written
#[derive(clap::Args)]
#[command(after_help = include_str!("data/convert.txt"))]
pub struct Args {
    /// The file, or - for standard input
    file: PathBuf,
    /// Format to write [default: by the ending of -o, else json]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let writer = writer(args)?;
    let library = texts::link_and_align(args.common.read(&args.file, settings)?, settings);
    output::to(args.common.output.as_deref(), |out| {
        (writer.write)(&library.documents[0], &library, out)
    })?;
    Ok(0)
}

/// The writer that was named, or the one whose files end as the output does (the longest such
/// ending), or JSON.
fn writer(args: &Args) -> Result<&'static Writer, Error> {
    if let Some(name) = &args.to {
        return writers::by_name(name);
    }
    let Some(path) = args.common.output.as_ref().filter(|p| p.as_os_str() != "-") else {
        return writers::by_name("json");
    };
    let name = path.to_string_lossy().to_lowercase();
    let ends = |w: &&Writer| name.ends_with(&format!(".{}", w.extension.trim_start_matches('.')));
    writers::WRITERS.iter().filter(ends).max_by_key(|w| w.extension.len()).ok_or_else(|| {
        let endings: Vec<_> =
            writers::WRITERS.iter().map(|w| format!("{} (.{})", w.name, w.extension)).collect();
        Error::request(format!("the ending of “{}” names no format", path.display()))
            .hint(format!("say it with --to; there are {}", endings.join(", ")))
    })
}
