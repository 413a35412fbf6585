//! The data model: the document and everything known about it.
//!
//! A [`Document`] holds its source text once; [`Segment`]s cover it from end to end, each in one
//! [`Layer`]. Links, readings, divisions and diagnostics are further spans. Passes add to a
//! document; nothing rewrites the text.

mod alignment;
mod apparatus;
mod chapter;
mod confirmed;
mod cover;
mod coverage;
mod date;
mod document;
mod evidence;
mod images;
mod keys;
mod layer;
mod link;
mod locus;
mod meta;
#[cfg(not(feature = "internals"))]
pub(crate) mod phrases;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod phrases;
mod quoted_place;
mod records;
mod segment;
mod shared;
mod speech;
mod supplied;
#[cfg(not(feature = "internals"))]
pub(crate) mod thresholds;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod thresholds;

pub use alignment::{Alignment, Bead, Grain};
pub use apparatus::{ApparatusEntry, Difference};
pub(crate) use chapter::{BookChapter, ChapterKind};
pub(crate) use confirmed::{CORRECTION_LOST, HeadingLine};
#[cfg(not(feature = "internals"))]
pub(crate) use confirmed::{Confirmation, Confirmed};
#[cfg(feature = "internals")]
#[doc(hidden)]
pub use confirmed::{Confirmation, Confirmed};
pub use cover::Cover;
pub(crate) use coverage::Coverage;
pub use date::Date;
pub use document::{Division, Document, Invariant};
pub use evidence::{Evidence, EvidenceKind};
pub(crate) use evidence::{decided_by, is_decided, shown};
pub(crate) use images::{LEAF_PARTS, LeafName, PatternFault, check_pattern, is_address};
pub use images::{LeafImage, LeafImages};
pub(crate) use keys::{KeyRole, columns, key_role, layer_named};
pub use layer::{Commentary, Era, Layer, LayerInfo, LayerKind, UnknownLayer};
pub use link::{Header, HeaderPart, Link, LinkKind, Reading, ReadingKind, Status, Target};
pub(crate) use locus::slug;
pub use locus::{BadLocus, Locus, LocusPath, NoteName, Sentence, SentenceNumber, TextName};
pub use meta::{Collection, Commentator, Meta, Role, SourceFact};
pub(crate) use quoted_place::QuotedPlace;
pub(crate) use records::record_of_title;
pub use segment::{Certainty, Segment};
pub use shared::SharedList;
pub use speech::{Speech, Speeches};
pub use supplied::{MarkSource, SuppliedMark};
pub use thresholds::NEEDS_REVIEW;
