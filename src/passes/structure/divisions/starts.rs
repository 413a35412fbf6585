//! Where sections begin.

use crate::model::{Document, Evidence, LayerKind};

/// The start of a section, with its title and evidence.
pub(super) struct SectionStart {
    /// Its first byte.
    pub(super) at: usize,
    /// Its number, if the text itself gives it; otherwise sections are counted.
    pub(super) n: Option<u32>,
    /// Its title.
    pub(super) title: Option<String>,
    /// How certain it is.
    pub(super) certainty: f64,
    /// Why.
    pub(super) evidence: Vec<Evidence>,
}

/// First byte of the classic at or after `at`.
pub(super) fn classic_from(document: &Document, at: usize) -> Option<usize> {
    let from = document.segment_at(at)?;
    let first = document.segments[from..]
        .iter()
        .find(|s| matches!(s.layer.kind(), LayerKind::Base | LayerKind::Undivided))?;
    Some(first.span.start().max(at))
}
