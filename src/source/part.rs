//! The place of a part of a file.

/// The place of a source that is only a part of its file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct FilePart {
    /// Which part, from 1, of those that were read.
    pub nth: u32,
    /// How many parts of the file were read.
    pub of: u32,
    /// Lines of the file before it.
    pub lines: usize,
    /// Code points of the file before it.
    pub chars: usize,
}
