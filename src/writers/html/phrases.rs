//! Descriptions of references and uncertainty on a page, from [`crate::model::phrases`].

use std::fmt::{self, Display};

use crate::model::phrases::{Phrase, Why, chinese};
use crate::model::{Certainty, Link, NEEDS_REVIEW};

/// True if the uncertainty should be shown to the reader.
pub(crate) fn is_low(certainty: Certainty) -> bool {
    certainty.get() < NEEDS_REVIEW
}

/// The kind of a reference, its target, how well that was found, and the evidence.
pub(crate) struct Reference<'a>(pub(crate) &'a Link);

impl Display for Reference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let link = self.0;
        f.write_str(chinese(link.kind.id()))?;
        if let Some(work) = &link.work {
            write!(f, " {work}")?;
        }
        write!(f, " · {} · {}", Phrase(link.status.id()), Why(link.certainty, &link.evidence))?;
        match link.alternatives.len() {
            0 => Ok(()),
            n => write!(f, " · 他處同文 {n}"),
        }
    }
}
