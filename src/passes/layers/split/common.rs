//! Characters by which commentaries differ from the classics they explain, whatever the book: 謂
//! and 也 are in notes, and notes begin with 言.
//!
//! The character models know the words of some books. These figures are means over many books, and
//! only of characters that most of them have, so they help with a book that nobody has read before.
//! They are learned with the weights, each lesson being judged by the figures of other books.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::{CLASSIC, NOTE, Run};

/// What is said of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// It is in notes rather than in the classic.
    InNote,
    /// It begins a note rather than a clause of the classic.
    NoteFirst,
    /// It begins classic after a note rather than a clause of the note.
    ClassicFirst,
}

/// Number of habits.
const HABITS: usize = 3;
/// Fewest books that must have a character before it gets figures.
const MIN_BOOKS: usize = 3;
/// Added to each count (in a thousand characters), so that rare characters have little weight.
const ADDED_IN_THOUSAND: [f64; HABITS] = [0.5, 10.0, 10.0];
/// Smaller figures are not kept.
const MIN_FIGURE: f64 = 0.05;

/// The figures: natural logarithms of how much likelier each habit is than its opposite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommonCharacters(FxHashMap<char, [f32; HABITS]>);

impl CommonCharacters {
    /// The figure of a character; 0 for one that is not common.
    pub fn of(&self, c: char, habit: Habit) -> f64 {
        self.0.get(&c).map_or(0.0, |figures| f64::from(figures[habit as usize]))
    }

    /// Reads a row of the table of weights. False if it is none.
    pub fn read_row(&mut self, name: &str, cells: &mut dyn Iterator<Item = &str>) -> bool {
        let mut chars = name.chars();
        let (Some(c), None) = (chars.next(), chars.next()) else { return false };
        let mut figures = [0.0; HABITS];
        for figure in &mut figures {
            match cells.next().and_then(|cell| cell.parse::<f32>().ok()).filter(|f| f.is_finite()) {
                Some(f) => *figure = f,
                None => return false,
            }
        }
        self.0.insert(c, figures);
        true
    }

    /// The rows of the table of weights.
    pub fn rows(&self) -> String {
        let mut out = String::new();
        for (c, figures) in self.0.iter().collect::<BTreeMap<_, _>>() {
            let _ = write!(out, "{c}");
            figures.iter().for_each(|f| {
                let _ = write!(out, "\t{f:.2}");
            });
            out.push('\n');
        }
        out
    }
}

/// Counts of the two sides of each habit, by character.
type HabitCounts = BTreeMap<char, [[f64; 2]; HABITS]>;

/// Counts characters in texts whose layers are known.
#[derive(Clone, Debug, Default)]
pub struct CharacterCounts {
    books: BTreeMap<String, HabitCounts>,
}

impl CharacterCounts {
    /// Counts a paragraph with its true runs.
    pub fn add(&mut self, book: &str, p: &Paragraph, runs: &[Run]) {
        let counts = self.books.entry(book.to_string()).or_default();
        let mut count = |c: char, habit: Habit, side: usize| {
            counts.entry(c).or_default()[habit as usize][side] += 1.0;
        };
        let first = |unit: usize| p.key.chars[p.units[unit].from];
        let text = runs.iter().enumerate().filter(|(_, r)| [CLASSIC, NOTE].contains(&r.label));
        for (n, run) in text {
            let is_note = run.label == NOTE;
            let next_first = if is_note { Habit::ClassicFirst } else { Habit::NoteFirst };
            for c in &p.key.chars[p.units[run.from].from..p.units[run.to - 1].to] {
                count(*c, Habit::InNote, usize::from(!is_note));
            }
            (run.from + 1..run.to).for_each(|unit| count(first(unit), next_first, 1));
            if let Some(next) = runs.get(n + 1) {
                count(first(next.from), next_first, 0);
            }
        }
    }

    /// The figures of all books but one.
    pub fn without(&self, book: Option<&str>) -> CommonCharacters {
        let books: Vec<&HabitCounts> =
            self.books.iter().filter(|(b, _)| Some(b.as_str()) != book).map(|(_, c)| c).collect();
        let sizes: Vec<[[f64; 2]; HABITS]> = books.iter().map(|b| size(b)).collect();
        let all: BTreeSet<char> = books.iter().flat_map(|b| b.keys().copied()).collect();
        let known = |c: &char| books.iter().filter(|b| b.contains_key(c)).count() >= MIN_BOOKS;
        let figures = all.into_iter().filter(known).filter_map(|c| {
            let figures = std::array::from_fn(|habit| figure(&books, &sizes, c, habit));
            let tells = figures.iter().any(|f: &f32| f64::from(f.abs()) >= MIN_FIGURE);
            tells.then_some((c, figures))
        });
        CommonCharacters(figures.collect())
    }
}

/// How many characters are counted on each side of each habit.
fn size(counts: &HabitCounts) -> [[f64; 2]; HABITS] {
    let mut size = [[0.0; 2]; HABITS];
    for of in counts.values() {
        for (sum, n) in size.as_flattened_mut().iter_mut().zip(of.as_flattened()) {
            *sum += n;
        }
    }
    size
}

/// The figure of a character: every book counts the same.
fn figure(books: &[&HabitCounts], sizes: &[[[f64; 2]; HABITS]], c: char, habit: usize) -> f32 {
    let in_thousand = |side: usize| {
        let shares = books
            .iter()
            .zip(sizes)
            .filter(|(_, s)| s[habit][side] > 0.0)
            .map(|(b, s)| 1000.0 * b.get(&c).map_or(0.0, |n| n[habit][side]) / s[habit][side]);
        let shares: Vec<f64> = shares.collect();
        shares.iter().sum::<f64>() / shares.len().max(1) as f64 + ADDED_IN_THOUSAND[habit]
    };
    (in_thousand(0) / in_thousand(1)).ln() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Document, Layer};
    use crate::passes::evidence::group;

    #[test]
    fn what_most_books_share_is_learned_and_what_one_book_has_is_not() {
        let mut counts = CharacterCounts::default();
        for (book, text) in
            [("甲", "山高。謂高也。"), ("乙", "水深。謂深也。"), ("丙", "火明。謂明也。")]
        {
            let document = Document::of_pieces(&[(Layer::Undivided, text)]);
            let paragraph = &group::paragraphs(&document)[0];
            let run = |n, label| Run { from: n, to: n + 1, label };
            counts.add(book, paragraph, &[run(0, CLASSIC), run(1, NOTE)]);
        }
        let common = counts.without(None);
        assert!(common.of('謂', Habit::InNote) > 1.0 && common.of('謂', Habit::NoteFirst) > 1.0);
        assert_eq!(common.of('山', Habit::InNote), 0.0);
        assert_eq!(counts.without(Some("甲")).of('謂', Habit::InNote), 0.0, "two books are few");
        let mut read = CommonCharacters::default();
        for row in common.rows().lines() {
            let mut cells = row.split('\t');
            assert!(read.read_row(cells.next().unwrap(), &mut cells));
        }
        assert!((read.of('謂', Habit::InNote) - common.of('謂', Habit::InNote)).abs() < 0.01);
        assert!(!read.read_row("Model", &mut ["1"].into_iter()));
    }

    #[test]
    fn only_the_first_characters_of_later_clauses_and_of_the_next_run_are_counted() {
        let mut counts = CharacterCounts::default();
        for book in ["甲", "乙", "丙"] {
            let text = "山高，水深。謂高，言深。火明，日明。";
            let document = Document::of_pieces(&[(Layer::Undivided, text)]);
            let run = |from, label| Run { from, to: from + 2, label };
            let runs = [run(0, CLASSIC), run(2, NOTE), run(4, CLASSIC)];
            counts.add(book, &group::paragraphs(&document)[0], &runs);
        }
        let common = counts.without(None);
        let sign = |c: char, habit: Habit| {
            let figure = common.of(c, habit);
            if figure.abs() < MIN_FIGURE { 0 } else { figure.signum() as i32 }
        };
        let first = |c: char| [sign(c, Habit::NoteFirst), sign(c, Habit::ClassicFirst)];
        assert_eq!(first('山'), [0, 0], "the first clause of the paragraph");
        assert_eq!(first('水'), [-1, 0], "a later clause of the classic");
        assert_eq!(first('謂'), [1, 0], "the first of the note");
        assert_eq!(first('言'), [0, -1], "a later clause of the note");
        assert_eq!(first('火'), [0, 1], "the first of the classic after it");
        assert_eq!(sign('謂', Habit::InNote), 1);
        assert_eq!(sign('火', Habit::InNote), -1);
    }
}
