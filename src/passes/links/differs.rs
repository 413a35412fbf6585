//! What differs between two places of the same words, put down as evidence: a quotation that reads
//! otherwise than the text it quotes, or a parallel, is a witness to that text.

use std::ops::Range;

use crate::model::{Evidence, EvidenceKind};
use crate::text::Key;
use crate::text::collate::{between, side_by_side};

/// Differences that are told one by one.
const MAX_SHOWN_DIFFERENCES: usize = 12;

/// The words of a key, with the text they are of.
#[derive(Clone, Copy)]
pub struct KeyedText<'a> {
    /// The source.
    pub text: &'a str,
    /// Its key.
    pub key: &'a Key,
}

impl KeyedText<'_> {
    /// As the source writes them, without what stands between; – for none.
    fn shown(&self, range: Range<usize>) -> String {
        if range.is_empty() {
            return "–".into();
        }
        range.map(|i| &self.text[self.key.at[i] as usize..self.key.ends[i] as usize]).collect()
    }
}

/// The differences as `here:there`, `–` for nothing; `None` if there are none.
pub fn evidence(
    here: KeyedText<'_>,
    a: Range<usize>,
    there: KeyedText<'_>,
    b: Range<usize>,
) -> Option<Evidence> {
    let (x, y) = (&here.key.chars[a.clone()], &there.key.chars[b.clone()]);
    let found = between(&side_by_side(x, y), x.len(), y.len());
    let shift = |r: &Range<usize>, by: usize| r.start + by..r.end + by;
    let told = found.iter().take(MAX_SHOWN_DIFFERENCES).map(|(p, q)| {
        format!("{}:{}", here.shown(shift(p, a.start)), there.shown(shift(q, b.start)))
    });
    let mut told: Vec<String> = told.collect();
    if found.len() > MAX_SHOWN_DIFFERENCES {
        told.push("…".into());
    }
    (!told.is_empty()).then(|| Evidence::new(EvidenceKind::WordsDiffer, told.join(" ")))
}
