//! Pages of which the end is missing: an element of a whole page is still open there.

use super::{ENDS_ITSELF, OpenElement};
use crate::diag::Diagnostic;

/// Elements whose end may be missing from a whole page.
const MAY_STAY_OPEN: [&str; 6] = ["html", "body", "head", "tbody", "center", "font"];

/// What to say of the elements that are open at the end of a page, if it began as a whole one.
pub(super) fn unfinished(open: &[OpenElement]) -> Option<Diagnostic> {
    let is = |element: &OpenElement, name: &[u8]| element.name == name;
    open.iter().find(|element| is(element, b"html") || is(element, b"body"))?;
    let may_stay = |name: &[u8]| {
        MAY_STAY_OPEN.iter().any(|may| may.as_bytes() == name) || ENDS_ITSELF.contains(&name)
    };
    let inner = open.iter().rfind(|element| !may_stay(&element.name));
    // If all but its body and the whole is closed, it may have been cut between two paragraphs, or
    // was written so.
    let last = inner.or(match open {
        [whole, body] if is(whole, b"html") && is(body, b"body") => Some(body),
        _ => None,
    })?;
    let message = format!(
        "the file ends within the element {}; it may be cut off",
        String::from_utf8_lossy(&last.name)
    );
    let hint = "compare it with where it is from, or download it again";
    let found = match inner {
        Some(_) => Diagnostic::warning("cut-off", last.tag, message),
        None => Diagnostic::info("cut-off", last.tag, message),
    };
    Some(found.hint(hint))
}
