//! The thresholds of certainty that matter to users, each with one name. Weights and priors of a
//! single algorithm are defined with that algorithm.

/// A person should check anything less certain than this. Pages show the certainty, the terminal
/// colours it, readers and passes warn.
pub const NEEDS_REVIEW: f64 = 0.9;

/// The same for borders in running text that only words mark. Most of them are less certain than
/// [`NEEDS_REVIEW`], so a warning at that threshold would mean nothing.
pub const RUNNING_TEXT_NEEDS_REVIEW: f64 = 0.7;

/// The same for a mark that a text does not have: half of those below are wrong.
pub const MARK_NEEDS_REVIEW: f64 = 0.5;

/// The same for a bead of an alignment.
pub const BEAD_NEEDS_REVIEW: f64 = 0.6;

/// An edition with repaired characters makes the repairs that are at least this certain.
pub const REPAIRED_FROM: f64 = 0.5;

/// A model learns only from text whose layer is at least this certain, and only such text of a
/// witness counts.
pub const MIN_TEACHING_CERTAINTY: f64 = 0.9;

/// No inference is more certain than this. Only what the source marks is fully certain.
pub const INFERRED_AT_MOST: f64 = 0.999;

/// A line that a reader recognises by its form and place, in texts with marks or labels elsewhere.
pub const RECOGNISED_BY_FORM: f64 = 0.9;

/// The same in a text without any marks.
pub const RECOGNISED_BY_FORM_ALONE: f64 = 0.85;

/// Text after a bracket or tag that is not closed: it may well belong to another layer.
pub const AFTER_UNCLOSED_MARK: f64 = 0.5;

/// Lower bounds of the groups in which reports count certainties, with the names of the groups.
/// They are narrower near 1, where most certainties are.
pub const GROUPS: [(f64, &str); 4] =
    [(0.99, "≥ .99"), (NEEDS_REVIEW, "≥ .90"), (0.7, "≥ .70"), (0.0, "< .70")];

/// The group of a certainty.
pub fn group_of(certainty: f64) -> usize {
    GROUPS.iter().position(|(from, _)| certainty >= *from).unwrap_or(GROUPS.len() - 1)
}
