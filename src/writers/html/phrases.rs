//! Descriptions of references and uncertainty on a page, from [`crate::model::phrases`], as
//! templates.

use crate::language::escape;
use crate::model::phrases::{phrase, why};
use crate::model::{Certainty, Layer, Link, NEEDS_REVIEW};

/// The least of the thresholds in the bar that a certainty is below, for the tint of what is
/// doubtful.
pub(crate) fn doubt_group(certainty: Certainty) -> Option<&'static str> {
    const GROUPS: [(f64, &str); 3] = [(0.7, "few"), (NEEDS_REVIEW, "some"), (0.99, "all")];
    GROUPS.iter().find(|(below, _)| certainty.get() < *below).map(|(_, name)| *name)
}

/// True if the uncertainty should be shown to the reader.
pub(crate) fn is_low(certainty: Certainty) -> bool {
    certainty.get() < NEEDS_REVIEW
}

/// The kind of a reference, its target, how well that was found, and the evidence.
pub(crate) fn reference(link: &Link) -> String {
    let work = link.work.as_deref().map(|w| format!(" {}", escape(w))).unwrap_or_default();
    let others = match link.alternatives.len() {
        0 => String::new(),
        n if link.target.is_none() => format!(" · {{same-in-places n={n}}}"),
        n => format!(" · {{same-elsewhere n={n}}}"),
    };
    format!(
        "{}{work} · {} · {}{others}",
        phrase(link.kind.id()),
        phrase(link.status.id()),
        why(link.certainty, &link.evidence)
    )
}

/// The name of a layer, as a template.
pub(crate) fn layer_name(layer: Layer) -> String {
    format!("{{{}}}", layer_key(layer))
}

/// What a layer is, as a template.
pub(crate) fn layer_about(layer: Layer) -> String {
    format!("{{{}-about}}", layer_key(layer))
}

/// Keys of messages have hyphens.
fn layer_key(layer: Layer) -> String {
    format!("layer-{}", layer.id().replace('_', "-"))
}
