//! Segments: the runs of one layer that together cover a source.

use std::fmt;

use ecow::EcoString;

use super::{Evidence, Layer, SharedList};
use crate::source::Span;

/// The probability that an inference is right, 0 to 1.
#[derive(Clone, Copy, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
pub struct Certainty(f32);

impl Certainty {
    /// Stated by the source itself: marked, not inferred.
    pub const SURE: Certainty = Certainty(1.0);

    /// A certainty, limited to 0 to 1. NaN counts as 0.
    pub fn new(certainty: f64) -> Self {
        Certainty(if certainty.is_nan() { 0.0 } else { certainty.clamp(0.0, 1.0) as f32 })
    }
    /// The value as a number.
    pub fn get(self) -> f64 {
        f64::from(self.0)
    }
    /// The same to three decimals, so that output is short and stable.
    pub fn rounded(self) -> f64 {
        (self.get() * 1000.0).round() / 1000.0
    }
}

impl fmt::Debug for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}
impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

/// A run of one layer. Segments follow each other without gap or overlap from the start of the
/// source to its end.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Segment {
    /// Letters of its layer and a running number (`z12`); unique in the document, empty until ids
    /// are assigned.
    pub id: EcoString,
    /// The layer.
    pub layer: Layer,
    /// Its kind within its layer, if known: the 傳 of the 喪服 is part of the 經 and counts as 經.
    pub sub: Option<Layer>,
    /// Its text.
    pub span: Span,
    /// The certainty that the segment starts here and has this layer.
    pub certainty: Certainty,
    /// Why.
    pub evidence: SharedList<Evidence>,
}

impl Segment {
    /// A segment that the source itself marks.
    pub fn marked(layer: Layer, span: Span) -> Self {
        Segment {
            id: EcoString::new(),
            layer,
            sub: None,
            span,
            certainty: Certainty::SURE,
            evidence: SharedList::default(),
        }
    }
    /// A segment that was inferred.
    pub fn inferred(
        layer: Layer,
        span: Span,
        certainty: Certainty,
        evidence: impl Into<SharedList<Evidence>>,
    ) -> Self {
        let id = EcoString::new();
        Segment { id, layer, sub: None, span, certainty, evidence: evidence.into() }
    }
}
