//! The differences between two versions of the same text, as evidence: a parallel, or a quotation
//! that differs from the text it quotes, is a witness to that text.

use std::ops::Range;

use crate::memo::Memo;
use crate::model::{Evidence, EvidenceKind};
use crate::text::Key;
use crate::text::collate::{between, side_by_side};

/// Most differences that are listed.
const MAX_SHOWN_DIFFERENCES: usize = 40;

/// Says, among the alignments of a build, that these are ranges that differ.
const DIFFERENCES: u32 = 2;

/// A text with its key.
#[derive(Clone, Copy)]
pub struct KeyedText<'a> {
    /// The source.
    pub text: &'a str,
    /// Its key.
    pub key: &'a Key,
}

impl KeyedText<'_> {
    /// The characters as in the source, without what is between them; – for none.
    fn shown(&self, range: Range<usize>) -> String {
        if range.is_empty() {
            return "–".into();
        }
        range.map(|i| &self.text[self.key.at[i] as usize..self.key.ends[i] as usize]).collect()
    }
}

/// The differences as `here:there`, with `–` for no characters; `None` if there are none.
pub fn evidence(
    [(here, a), (there, b)]: [(KeyedText<'_>, Range<usize>); 2],
    memo: Option<&Memo>,
) -> Option<Evidence> {
    let (x, y) = (&here.key.chars[a.clone()], &there.key.chars[b.clone()]);
    let found = differences(x, y, memo);
    let shift = |r: &Range<usize>, by: usize| r.start + by..r.end + by;
    let listed = found.iter().take(MAX_SHOWN_DIFFERENCES).map(|(p, q)| {
        format!("{}:{}", here.shown(shift(p, a.start)), there.shown(shift(q, b.start)))
    });
    let mut listed: Vec<String> = listed.collect();
    if found.len() > MAX_SHOWN_DIFFERENCES {
        listed.push("…".into());
    }
    (!listed.is_empty()).then(|| Evidence::new(EvidenceKind::WordsDiffer, listed.join(" ")))
}

/// The ranges of `x` and `y` that differ, or what the last build found.
fn differences(x: &[char], y: &[char], memo: Option<&Memo>) -> Vec<(Range<usize>, Range<usize>)> {
    let find = || between(&side_by_side(x, y), x.len(), y.len());
    let Some(memo) = memo else { return find() };
    let number = |r: &Range<usize>| [r.start as u32, r.end as u32];
    let of = [DIFFERENCES, x.len() as u32].into_iter().chain(x.iter().chain(y).map(|c| *c as u32));
    let found =
        memo.aligned(of, || find().iter().flat_map(|(p, q)| [p, q].map(number).concat()).collect());
    let range = |r: &[u32]| r[0] as usize..r[1] as usize;
    found.chunks_exact(4).map(|r| (range(&r[..2]), range(&r[2..]))).collect()
}
