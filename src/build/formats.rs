//! What an edition consists of.

use serde::{Deserialize, Serialize};

/// A part of what a build writes; each is a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum EditionFormat {
    /// A TEI file for each text
    Tei,
    /// Spans, links and diagnostics for other programs; beads of translations
    Json,
    /// Pages to read
    Site,
    /// The search index
    Index,
}

impl EditionFormat {
    /// All of them.
    pub const ALL: [EditionFormat; 4] =
        [EditionFormat::Tei, EditionFormat::Json, EditionFormat::Site, EditionFormat::Index];

    /// Its folder.
    pub const fn folder(self) -> &'static str {
        match self {
            EditionFormat::Tei => "tei",
            EditionFormat::Json => "json",
            EditionFormat::Site => "site",
            EditionFormat::Index => "index",
        }
    }
}
