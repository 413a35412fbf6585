//! What nearly every file of the room uses.

pub use super::found::FoundPlace;
pub use super::link::{Draft, draft};
pub use super::places::{Places, Speaker};
pub use super::rules::Rule;
pub use super::words::{
    CLAUSE, MAX_CITED, PARAGRAPH_BYTES, PHRASE, SENTENCE, SENTENCE_BYTES, SoughtWords,
};
pub use crate::corpus::view::{Stream, StreamPart};
pub use crate::corpus::works::{Named, Resolved};
pub use crate::model::{EvidenceKind, Layer, LayerKind, Link, LinkKind, Segment, Status, Target};
pub use crate::source::Span;
pub use crate::text::Key;
pub use crate::text::class::is_content;
