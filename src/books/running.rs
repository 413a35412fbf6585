//! Running heads: titles that are repeated on every page or at the head of every volume.

use std::collections::{HashMap, HashSet};

use super::headings::{FoundTitles, Numbering};

/// How often a line must come to be a running head.
const MIN_REPEATS: usize = 3;

/// Titles that are running heads: the same words several times, without a number, most of them
/// beside another title.
pub(super) fn running_heads(found: &FoundTitles, contents: &HashSet<usize>) -> HashSet<usize> {
    let mut same: HashMap<&str, Vec<usize>> = HashMap::new();
    for (n, t) in found.titles.iter().enumerate() {
        let numbered = t.number.is_some() || t.volume.is_some();
        if !numbered && t.shape.numbering == Numbering::None && !contents.contains(&n) {
            same.entry(&t.key).or_default().push(n);
        }
    }
    let repeated = same.into_values().filter(|all| all.len() >= MIN_REPEATS);
    repeated
        .filter(|all| all.iter().filter(|n| has_neighbour(found, **n)).count() * 2 > all.len())
        .flatten()
        .collect()
}

/// True if the title before or after is next to this one, with no text between.
fn has_neighbour(found: &FoundTitles, n: usize) -> bool {
    let apart = |a: usize, b: usize| {
        let (a, b) = (found.titles[a].line, found.titles[b].line);
        found.text[a + 1..b].contains(&true)
    };
    n > 0 && !apart(n - 1, n) || n + 1 < found.titles.len() && !apart(n, n + 1)
}
