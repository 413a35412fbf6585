//! The differences between two versions of the same text, as evidence: a parallel, or a quotation
//! that differs from the text it quotes, is a witness to that text.

use std::ops::Range;

use crate::model::{Evidence, EvidenceKind};
use crate::text::CharPlaces;

/// Most differences that are listed.
pub const MAX_SHOWN_DIFFERENCES: usize = 40;

/// A text with its key.
#[derive(Clone, Copy)]
pub struct KeyedText<'a> {
    /// The source.
    pub text: &'a str,
    /// Its key.
    pub key: &'a dyn CharPlaces,
}

impl KeyedText<'_> {
    /// The characters as in the source, without what is between them; – for none.
    fn shown(&self, range: Range<usize>) -> String {
        if range.is_empty() {
            return "–".into();
        }
        range.map(|i| &self.text[self.key.char_span(i).range()]).collect()
    }
}

/// Corresponding ranges of two texts.
pub type RangePair = [Range<usize>; 2];

/// The differences between two texts that begin at some places of their keys, as `here:there`, with
/// `–` for no characters; `None` if there are none.
pub fn evidence(
    [(here, a), (there, b)]: [(KeyedText<'_>, usize); 2],
    found: &[RangePair],
) -> Option<Evidence> {
    let shift = |r: &Range<usize>, by: usize| r.start + by..r.end + by;
    let listed = found
        .iter()
        .take(MAX_SHOWN_DIFFERENCES)
        .map(|[p, q]| format!("{}:{}", here.shown(shift(p, a)), there.shown(shift(q, b))));
    let mut listed: Vec<String> = listed.collect();
    if found.len() > MAX_SHOWN_DIFFERENCES {
        listed.push("…".into());
    }
    (!listed.is_empty()).then(|| Evidence::new(EvidenceKind::WordsDiffer, listed.join(" ")))
}
