//! The index on disk: checksummed files of sections, and a manifest that lists them.

mod cache;
pub(crate) mod file;
pub(crate) mod lists;
pub(crate) mod manifest;
mod numbers;
pub(crate) mod pages;
mod recent;
mod text;
pub(crate) mod units;
pub(crate) mod varint;
pub(crate) mod write;

/// The sections of a file, in their order.
pub(crate) mod section {
    /// The metadata of each document, as JSON, one after the other.
    pub(crate) const METAS: usize = 0;
    /// A record of fixed size for each document.
    pub(crate) const DOCUMENTS: usize = 1;
    /// A record of fixed size for each layer of each document.
    pub(crate) const REGIONS: usize = 2;
    /// A record of fixed size for each character that begins a pair.
    pub(crate) const CHARACTERS: usize = 3;
    /// For each such character the characters that follow it, and where.
    pub(crate) const LISTS: usize = 4;
    /// Where each block of units begins.
    pub(crate) const UNIT_BLOCKS: usize = 5;
    /// The units.
    pub(crate) const UNITS: usize = 6;
    /// The number of blocks of text, a table of the blocks, and the blocks, compressed.
    pub(crate) const TEXT: usize = 7;
}
