//! What decoders of our own give: stretches of text with the bytes that they are made of.

/// A stretch of decoded bytes.
pub(super) struct Piece<'a> {
    /// Its text; empty if it does not decode.
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) kind: Kind,
}

/// How a piece decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its text gives the same bytes back.
    Regular,
    /// It decodes, but its text would give other bytes.
    Irregular,
    /// It does not decode.
    Malformed,
}
