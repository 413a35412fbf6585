//! `zhushu convert`: one file, any reader to any writer.

use std::path::PathBuf;

use zhushu::{pipeline, writers};

use super::{Outcome, input, output};

const EXAMPLES: &str = "\
Examples:
  zhushu convert chapter.txt                              JSON on standard output
  zhushu convert chapter.txt --to tei -o chapter.xml
  zhushu convert chapter.txt --with corpus/ -o chapter.json   resolve references in a corpus
  zhushu convert chapter.xml --to source -o chapter.txt   the original bytes back from our TEI
  iconv -f gb18030 -t utf-8 old.txt | zhushu convert - --to json";

/// Convert one file from any format that can be read to any that can be written
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The file, or - for standard input
    file: PathBuf,
    /// Format of FILE [default: recognised by its text]
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Format to write [default: by the ending of -o, else json]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Further texts, or a corpus folder, as witnesses and as targets of references
    #[arg(long, value_name = "OTHER", num_args = 1..)]
    with: Vec<PathBuf>,
    /// Encoding of FILE, such as gb18030 or big5 [default: utf-8]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    let writer = writers::by_name(args.to.as_deref().unwrap_or("json"))?;
    let library = pipeline::convert(input::source(&args.file, args.encoding.as_deref())?, args.from.as_deref())?;
    output::to(args.output.as_deref(), |out| (writer.write)(&library.documents[0], &library, out))?;
    Ok(0)
}
