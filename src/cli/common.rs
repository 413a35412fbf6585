//! Arguments that several commands share.

use std::path::PathBuf;

use crate::Settings;
use crate::diag::Error;
use crate::model::Document;

use super::texts;

/// How a text is read, which other texts are read with it, where to write.
#[derive(clap::Args)]
pub struct Common {
    /// Further texts, or a corpus folder, as witnesses and as targets of references
    #[arg(long, value_name = "OTHER", num_args = 1..)]
    pub with: Vec<PathBuf>,
    /// Format of FILE [default: recognised by its text]
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<String>,
    /// Encoding of FILE, such as gb18030 or big5 [default: recognised by its bytes]
    #[arg(long, value_name = "LABEL")]
    pub encoding: Option<String>,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl Common {
    /// Reads `file` first, then the other texts.
    ///
    /// # Errors
    /// When a named text cannot be read.
    pub fn read(
        &self,
        file: &std::path::Path,
        settings: &Settings,
    ) -> Result<Vec<Document>, Error> {
        let first = texts::entry(file, self.from.as_deref(), self.encoding.as_deref());
        texts::beside(first, &self.with, settings)?.read(settings)
    }
}

/// How to print anything that is not an edition or an alignment.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum As {
    /// For a person
    Text,
    /// Tab-separated lines
    Tsv,
    /// For programs
    Json,
}
