//! Files that are no text themselves, such as those of Word, and have one.

/// The file that a text was taken out of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Container {
    /// What people call its kind.
    pub(crate) kind: &'static str,
    /// Which parts of it have the text.
    pub(crate) parts: String,
    /// SHA-256 of the file.
    pub(crate) sha256: String,
    /// What of it is not in the text.
    pub(crate) left_out: Vec<String>,
}
