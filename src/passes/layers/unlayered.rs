//! Warns of a text of which many characters are in no layer, or in the classic and no words of one.

use crate::diag::{Diagnostic, MORE_THAN_CLASSIC};
use crate::model::{Coverage, Document, LayerKind, Segment};
use crate::passes::context::Context;

/// Share of the characters above which a text is reported.
const MANY: f64 = 0.02;
/// Least number of them, since a line or two are more than that of a short text.
const LEAST: usize = 40;

/// Runs the pass.
pub fn run(document: &mut Document, _: &Context<'_>) {
    super::notes_within::report(document);
    // Notes that nothing marks were supposed (`books/unfamiliar.rs`) before any were found.
    let is_note = |s: &Segment| matches!(s.layer.kind(), LayerKind::Note | LayerKind::Commentary);
    if document.segments.iter().any(is_note) {
        document.diagnostics.retain(|d| d.code != MORE_THAN_CLASSIC);
    }
    let (count, longest) = Coverage::unexplained(document);
    let share = Coverage { in_none: count, ..Coverage::of(document) }.share();
    let Some(longest) = longest.filter(|_| count >= LEAST && share > MANY) else { return };
    let message = format!(
        "{count} characters ({:.1} %) are in no layer; the longest piece begins here",
        share * 100.0
    );
    let hint = "name the format with --from or in a manifest, give a plain copy of the classic \
                with --with, or decide it with “zhushu review”";
    document.diagnostics.push(Diagnostic::warning("in-no-layer", longest, message).hint(hint));
}
