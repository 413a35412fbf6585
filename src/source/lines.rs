//! What a person can say of the lines of a file.

/// What the lines of a text are.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Lines {
    /// A program or a page has cut them: a passage goes on over their ends.
    Wrapped,
    /// Each is a passage.
    Passages,
}

impl Lines {
    /// All, with the names by which people choose them.
    pub const NAMES: [(&'static str, Lines); 2] =
        [("wrapped", Lines::Wrapped), ("passages", Lines::Passages)];
}

impl std::str::FromStr for Lines {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let named = Lines::NAMES.iter().find(|(n, _)| *n == name);
        named.map(|(_, lines)| *lines).ok_or_else(|| "there are wrapped and passages".into())
    }
}
