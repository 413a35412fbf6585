//! Compares words with a stretch of text, character by character: Sellers' dynamic programme (as in
//! [`text::find`](crate::text::find)) with the way back, in a band around the place where the words
//! are expected.

use super::form::characters;
use crate::text::fold::fold;

/// Words side by side: what was looked for, and what a text has instead.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct WordPiece {
    /// As quoted.
    pub quoted: String,
    /// As in the text.
    pub found: String,
    /// True if both are the same; in words that differ, perhaps in other forms of the characters.
    pub same: bool,
}

/// One step of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EditStep {
    Same,
    Changed,
    /// Only the words looked for have it.
    Added,
    /// Only the text has it.
    Missing,
}

/// How words compare with a stretch of text.
#[derive(Clone, Debug, Default)]
pub(super) struct Comparison {
    /// First character of the text, and how many.
    pub(super) from: usize,
    pub(super) len: usize,
    /// Characters that are not the same.
    pub(super) edits: usize,
    steps: Vec<EditStep>,
}

/// Costs of a row of the programme: columns `first..first + costs.len()` of the text.
struct Band {
    width: usize,
    /// Cost and step for each cell, row by row.
    cells: Vec<(u32, Option<EditStep>)>,
}

/// No way leads here.
const NEVER: u32 = u32::MAX / 2;

impl Comparison {
    /// Compares `words` with `text`; character `at.0` of the text is expected to be character
    /// `at.1` of the words. `None` if they differ in more than `most` characters.
    pub(super) fn of(
        words: &[char],
        text: &[char],
        at: (usize, usize),
        most: usize,
    ) -> Option<Self> {
        // Column `c` of row `i` is the text's character `i + c` from `shift` on.
        let shift = at.0 as isize - at.1 as isize - most as isize;
        let band = Band::of(words, text, shift, 2 * most + 1);
        let last = words.len() * band.width;
        let end = (0..band.width).min_by_key(|c| (band.cells[last + c].0, c.abs_diff(most)))?;
        let edits = band.cells[last + end].0 as usize;
        if edits > most {
            return None;
        }
        let (mut row, mut column, mut steps) = (words.len(), end, vec![]);
        while let Some(step) = band.cells[row * band.width + column].1 {
            steps.push(step);
            match step {
                EditStep::Same | EditStep::Changed => row -= 1,
                EditStep::Added => (row, column) = (row - 1, column + 1),
                EditStep::Missing => column -= 1,
            }
        }
        steps.reverse();
        let from = usize::try_from(shift + column as isize).ok()?;
        let len = steps.iter().filter(|s| **s != EditStep::Added).count();
        (len > 0).then_some(Comparison { from, len, edits, steps })
    }

    /// The longest run of characters that are the same.
    pub(super) fn run(&self) -> usize {
        let runs = self.steps.split(|s| *s != EditStep::Same).map(<[EditStep]>::len);
        runs.max().unwrap_or(0)
    }
}

impl Band {
    fn of(words: &[char], text: &[char], shift: isize, width: usize) -> Self {
        let mut band = Band { width, cells: Vec::with_capacity((words.len() + 1) * width) };
        let in_text = |row: usize, column: usize| shift + row as isize + column as isize;
        for column in 0..width {
            let is_inside = (0..=text.len() as isize).contains(&in_text(0, column));
            band.cells.push((if is_inside { 0 } else { NEVER }, None));
        }
        for (row, word) in (1..).zip(words) {
            for column in 0..width {
                let end = in_text(row, column);
                let cell = match usize::try_from(end).ok().filter(|end| *end <= text.len()) {
                    Some(end) => {
                        let own = end.checked_sub(1).map(|n| text[n] == *word);
                        band.cell(row, column, own)
                    }
                    None => (NEVER, None),
                };
                band.cells.push(cell);
            }
        }
        band
    }

    /// The cheapest way to a cell; `own` says if its character is that of the words.
    fn cell(&self, row: usize, column: usize, own: Option<bool>) -> (u32, Option<EditStep>) {
        let cost = |row: usize, column: usize| self.cells[row * self.width + column].0;
        let beside = own.map(|same| {
            let step = if same { EditStep::Same } else { EditStep::Changed };
            (cost(row - 1, column) + u32::from(!same), step)
        });
        let added =
            (column + 1 < self.width).then(|| (cost(row - 1, column + 1) + 1, EditStep::Added));
        let missing = (column > 0).then(|| (cost(row, column - 1) + 1, EditStep::Missing));
        let ways = [beside, added, missing].into_iter().flatten();
        let best = ways.filter(|(cost, _)| *cost < NEVER).min_by_key(|(cost, _)| *cost);
        best.map_or((NEVER, None), |(cost, step)| (cost, Some(step)))
    }
}

/// The words as typed beside those of a text.
pub(super) fn pieces(found: &Comparison, typed: &[&str], text: &str) -> Vec<WordPiece> {
    let (mut words, mut own) = (typed.iter(), characters(text).into_iter());
    let mut pieces: Vec<WordPiece> = vec![];
    for step in &found.steps {
        let same = *step == EditStep::Same;
        let quoted = if *step == EditStep::Missing { None } else { words.next() };
        let found = if *step == EditStep::Added { None } else { own.next() };
        let both = (quoted.copied().unwrap_or_default(), found.unwrap_or_default());
        add_piece(&mut pieces, both, same);
    }
    pieces
}

/// Adds words to the last piece if that is of the same kind.
fn add_piece(pieces: &mut Vec<WordPiece>, (quoted, found): (&str, &str), same: bool) {
    if pieces.last().is_none_or(|last| last.same != same) {
        pieces.push(WordPiece { quoted: String::new(), found: String::new(), same });
    }
    if let Some(last) = pieces.last_mut() {
        last.quoted.push_str(quoted);
        last.found.push_str(found);
    }
}

/// Words as typed beside those of a text that has the same characters in other forms; where
/// something is left out, dots.
pub(super) fn forms(typed: &[&str], found: &str) -> Vec<WordPiece> {
    let (mut all, mut words) = (vec![], typed.iter().peekable());
    for own in characters(found) {
        let same = |a: &str| a.chars().map(fold).eq(own.chars().map(fold));
        match words.next_if(|word| same(word)) {
            Some(word) => add_piece(&mut all, (word, own), *word == own),
            None if all.last().is_some_and(|p: &WordPiece| p.found.ends_with('…')) => {}
            None => add_piece(&mut all, ("…", "…"), true),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(words: &str, text: &str, at: (usize, usize)) -> Option<(usize, String)> {
        let chars = |s: &str| s.chars().collect::<Vec<_>>();
        let found = Comparison::of(&chars(words), &chars(text), at, 2)?;
        let own: String = text.chars().skip(found.from).take(found.len).collect();
        let shown = pieces(&found, &characters(words), &own).into_iter().map(|p| match p.same {
            true => p.found,
            false => format!("[{}|{}]", p.quoted, p.found),
        });
        Some((found.edits, shown.collect()))
    }

    #[test]
    fn what_is_changed_added_and_missing_is_shown() {
        let text = "子曰學而時習之不亦說乎有朋";
        let of = |words| compared(words, text, (3, 1));
        assert_eq!(of("學而時習之不亦說乎"), Some((0, "學而時習之不亦說乎".into())));
        assert_eq!(of("學而時温之不亦悅乎"), Some((2, "學而時[温|習]之不亦[悅|說]乎".into())));
        assert_eq!(of("學而時時習之不亦說"), Some((1, "學而[時|]時習之不亦說".into())));
        assert_eq!(of("學而習之不亦說乎"), Some((1, "學而[|時]習之不亦說乎".into())));
        assert_eq!(of("不知其仁焉用佞也已"), None);
    }

    #[test]
    fn characters_in_other_forms_are_shown() {
        let shown = |quoted: &str, found: &str| {
            let all = forms(&characters(quoted), found).into_iter().map(|p| match p.same {
                true => p.found,
                false => format!("[{}|{}]", p.quoted, p.found),
            });
            all.collect::<String>()
        };
        assert_eq!(shown("今文于為於", "今文「於」為「于」"), "今文[于|於]為[於|于]");
        assert_eq!(shown("二算取", "二筭為純，取"), "二[算|筭]…取");
    }
}
