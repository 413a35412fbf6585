//! What is taken out of a packed file.

/// The text of a packed file.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    pub(super) text: String,
    /// Which parts of the file it is from.
    pub(super) parts: String,
    /// What of the file is not in the text, in words.
    pub(super) left_out: Vec<String>,
}
