//! Codes of evidence from a file.

use crate::model::EvidenceKind;

/// The kind of evidence that a code names. What is not a code (lower-case words joined by hyphens)
/// becomes `unknown`.
pub(super) fn kind(code: &str) -> EvidenceKind {
    let is_code = !code.is_empty()
        && code.len() <= 64
        && code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if is_code { EvidenceKind::from(code) } else { EvidenceKind::Unknown }
}
