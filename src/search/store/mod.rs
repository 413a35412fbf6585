//! How the index stands on disk: checksummed files of sections, and a manifest that names them.

pub(crate) mod manifest;
mod numbers;
pub(crate) mod pages;
pub(crate) mod segment;
pub(crate) mod units;
pub(crate) mod varint;
pub(crate) mod write;

/// The sections of a file, in their order.
pub(crate) mod section {
    /// What is known of each document, as JSON, one after the other.
    pub(crate) const METAS: usize = 0;
    /// A record of fixed size a document.
    pub(crate) const DOCUMENTS: usize = 1;
    /// A record of fixed size for each layer of each document.
    pub(crate) const REGIONS: usize = 2;
    /// A record of fixed size for each character that begins a pair.
    pub(crate) const CHARACTERS: usize = 3;
    /// For each such character what follows it, and where.
    pub(crate) const LISTS: usize = 4;
    /// Where each block of units begins.
    pub(crate) const UNIT_BLOCKS: usize = 5;
    /// The units.
    pub(crate) const UNITS: usize = 6;
    /// A table of the blocks of text, and behind it the text, compressed. The first number is that
    /// of the blocks.
    pub(crate) const TEXT: usize = 7;
}
