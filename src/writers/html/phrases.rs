//! References and doubt in the words of a page, made of [`crate::model::phrases`].

use std::fmt::{self, Display};

use crate::model::phrases::{Phrase, Why, chinese};
use crate::model::{Certainty, Link, NEEDS_REVIEW};

/// True if the doubt should be shown to the reader.
pub(crate) fn is_low(certainty: Certainty) -> bool {
    certainty.get() < NEEDS_REVIEW
}

/// What a reference is, where it leads, how well it was found, and why.
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
