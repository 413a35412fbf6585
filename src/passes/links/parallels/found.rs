//! Parallels of texts of which only some are at hand, for a corpus that no machine has all of:
//! found by pairs of texts, and put together for each text.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::passage::StreamPlace;
use super::passages::passages;
use super::seen::{SeenPassage, chosen, quoted_in};
use crate::corpus::Index;
use crate::model::Link;

/// A parallel of a document, found by comparing it with one other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FoundParallel {
    /// Bits above what chance explains.
    margin: f64,
    /// Of parallels with the same margin the first comes first: the numbers of the two texts in the
    /// whole corpus with their streams, and a number among what these two have in common.
    order: [usize; 5],
    /// The characters of its document.
    place: StreamPlace,
    /// What it becomes if it is among the rarest of these characters.
    link: Link,
}

impl FoundParallel {
    /// The parallels of each text of an index, if only some pairs of them are compared. `numbers`
    /// are those of the texts in the whole corpus; they rise.
    pub(crate) fn of_pairs(
        index: &Index,
        numbers: &[usize],
        pairs: &FxHashSet<(usize, usize)>,
    ) -> Vec<Vec<Self>> {
        let quoted = quoted_in(index);
        let mut found = vec![vec![]; index.entries.len()];
        for (n, passage) in passages(index, Some(pairs), None).iter().enumerate() {
            let [x, y] = passage.sides.each_ref().map(|s| (numbers[s.entry], s.stream as usize));
            for side in &passage.sides {
                let own = &index.entries[side.entry];
                let seen = SeenPassage::of(passage, own);
                if !seen.is_quoted(own, index, &quoted) {
                    found[side.entry].push(FoundParallel {
                        margin: passage.margin,
                        order: [x.0, x.1, y.0, y.1, n],
                        place: side.place(),
                        link: seen.link(own, index),
                    });
                }
            }
        }
        found
    }

    /// The links of a document to its parallels, of all that were found.
    pub(crate) fn links(mut found: Vec<Self>) -> Vec<Link> {
        found.sort_by(|x, y| y.margin.total_cmp(&x.margin).then_with(|| x.order.cmp(&y.order)));
        let mut links = chosen(found.into_iter().map(|f| (f.place, f.link)));
        links.sort_by_key(|l| (l.span.start(), l.span.end()));
        links
    }
}
