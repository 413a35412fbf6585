//! Finds a text inside another one that has notes between its words.
//!
//! What both share is chained as for any two texts ([`Base`]); of the chains, those are taken that
//! follow each other and match most. Between the long runs of the result the best way is found
//! through two states, the text and a note (a pair hidden Markov model with fixed scores: Durbin,
//! Eddy, Krogh, Mitchison, “Biological sequence analysis”, 1998, chapter 4). A note that begins
//! and ends with the same words as what is around it could stand in more than one place: habits
//! decide, which are learned from the notes themselves, at which characters and line ends they
//! begin and end.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::collate::{Base, CollatedRun};

/// A text that was found inside another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextWithin {
    /// For each character of the other text the one of this text that stands there, equal or not.
    /// A single character that only the other has counts as that before it.
    pub places: Vec<Option<usize>>,
    /// How many characters are equal.
    pub equal: usize,
}

impl TextWithin {
    fn of(places: &[Option<usize>], whole: &[char], text: &[char]) -> Self {
        let is_equal =
            |(n, place): &(usize, &Option<usize>)| place.is_some_and(|p| whole[*n] == text[p]);
        let equal = places.iter().enumerate().filter(is_equal).count();
        TextWithin { places: places.to_vec(), equal }
    }

    /// From the first to the last character in the other text.
    pub fn range(&self) -> Range<usize> {
        let first = self.places.iter().position(Option::is_some);
        let last = self.places.iter().rposition(Option::is_some);
        first.unwrap_or_default()..last.map_or(0, |last| last + 1)
    }

    /// The part of this text that stands there.
    pub fn part(&self) -> Range<usize> {
        let mut placed = self.places.iter().flatten();
        let first = placed.next().copied().unwrap_or_default();
        first..placed.next_back().map_or(first, |last| last + 1)
    }

    /// What stands between its words in the other text.
    pub fn notes(&self) -> Vec<Range<usize>> {
        let range = self.range();
        let mut notes = vec![];
        let mut at = range.start;
        for part in self.places[range].chunk_by(|a, b| a.is_some() == b.is_some()) {
            if part[0].is_none() {
                notes.push(at..at + part.len());
            }
            at += part.len();
        }
        notes
    }
}

/// Scores of a step: an equal pair, an unequal one, a character that only one has, a border.
const EQUAL: f32 = 1.0;
const UNEQUAL: f32 = -2.5;
const ADDED: f32 = -3.0;
const LACKING: f32 = -3.0;
const BORDER: f32 = -2.0;
/// A note seldom begins as the text goes on: for each of its first characters that do.
const GOES_ON: f32 = -0.8;
const MAX_GOING_ON: usize = 3;
/// How much the characters at a border weigh, and its place in the line; and at most.
const BY_CHARS: f32 = 1.2;
const BY_LINE: f32 = 0.8;
const MOST_BY_CHARS: f32 = 3.0;
const MOST_BY_LINE: f32 = 3.0;
/// How often it is read: the first time without habits.
const READINGS: usize = 3;
/// If less than this part of what must be equal is so, it is not read again.
const CLEARLY: f64 = 0.9;
/// In the middle of a run of so many characters the text is surely not interrupted.
const SURE_RUN_CHARS: usize = 14;
/// Cells of a table that is filled at once; a larger one is cut at a shorter run.
const MAX_CELLS: usize = 1 << 22;

/// Finds `text` inside `whole`; `line_starts` says which characters of that begin a line. Only a
/// part of `text` may be there. `None` if it soon shows that less than `least` of that part is
/// equal: texts that only quote the same take no time. Time grows with the product of what lies
/// between runs that both have, which is bounded.
pub fn text_within(
    whole: &[char],
    line_starts: &[bool],
    text: &[char],
    least: f64,
) -> Option<TextWithin> {
    let mut runs = in_order(whole, text);
    let (first, last) = (*runs.first()?, *runs.last()?);
    let in_runs: usize = runs.iter().map(|run| run.len).sum();
    // Of a copy far more than half is in runs.
    if (in_runs as f64) < least / 2.0 * (last.b_end() - first.b) as f64 {
        return None;
    }
    // There is no room for more of it before and after what both share.
    let from = first.b.saturating_sub(first.a);
    let rest = whole.len() - last.a_end();
    let to = text.len().min(last.b_end() + rest);
    let is_part = [from > 0, to < text.len()];
    runs.iter_mut().for_each(|run| run.b -= from);
    let text = &text[from..to];
    let mut places = read(whole, (text, is_part), &runs, &Habits::default());
    for _ in 1..READINGS {
        // Habits move borders, by which little becomes equal.
        let found = TextWithin::of(&places, whole, text);
        if (found.equal as f64) < least * CLEARLY * found.part().len() as f64 {
            return None;
        }
        places = read(whole, (text, is_part), &runs, &Habits::of(whole, line_starts, &places));
    }
    let found = TextWithin::of(&places, whole, text);
    let places = places.into_iter().map(|place| Some(place? + from)).collect();
    Some(TextWithin { places, ..found })
}

/// The chains of two texts that follow each other in both and match most, as their runs.
fn in_order(whole: &[char], text: &[char]) -> Vec<CollatedRun> {
    let chains = Base::new(whole).against(text);
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(chains.len());
    for (n, chain) in chains.iter().enumerate() {
        let follows = |m: &usize| {
            chains[*m].a().end <= chain.a().start && chains[*m].b().end <= chain.b().start
        };
        let before = (0..n).filter(follows).max_by_key(|m| best[*m].0);
        best.push((chain.matched() + before.map_or(0, |m| best[m].0), before));
    }
    let mut next = (0..chains.len()).max_by_key(|n| best[*n].0);
    let mut taken = vec![];
    while let Some(n) = next {
        taken.push(n);
        next = best[n].1;
    }
    taken.into_iter().rev().flat_map(|n| chains[n].runs.clone()).collect()
}

/// The place in `text` of each character of `whole`, by the best way through each part between sure
/// places.
fn read(
    whole: &[char],
    (text, is_part): (&[char], [bool; 2]),
    runs: &[CollatedRun],
    habits: &Habits,
) -> Vec<Option<usize>> {
    let mut places = vec![None; whole.len()];
    let mut from = (0, 0);
    for to in sure_places(runs, (whole.len(), text.len())) {
        let part = BothParts {
            whole: &whole[from.0..to.0],
            text: &text[from.1..to.1],
            habits: habits.part(from.0),
            first: (from == (0, 0)).then_some(is_part[0]),
            last: (to == (whole.len(), text.len())).then_some(is_part[1]),
        };
        if part.cells() <= 2 * MAX_CELLS {
            part.read(from.1, &mut places[from.0..to.0]);
        }
        from = to;
    }
    places
}

/// Where the text is surely not interrupted, in both; the last is the end.
fn sure_places(runs: &[CollatedRun], end: (usize, usize)) -> Vec<(usize, usize)> {
    let middle = |r: &CollatedRun| (r.a + r.len / 2, r.b + r.len / 2);
    let mut places: Vec<(usize, usize)> =
        runs.iter().filter(|r| r.len >= SURE_RUN_CHARS).map(middle).chain([end]).collect();
    let mut from = (0, 0);
    let mut n = 0;
    while n < places.len() {
        let to = places[n];
        if (to.0 - from.0 + 1) * (to.1 - from.1 + 1) > MAX_CELLS {
            let inside = |r: &&CollatedRun| {
                let m = middle(r);
                from.0 < m.0 && m.0 < to.0 && from.1 < m.1 && m.1 < to.1
            };
            if let Some(run) = runs.iter().filter(inside).max_by_key(|r| r.len) {
                places.insert(n, middle(run));
                continue;
            }
        }
        from = to;
        n += 1;
    }
    places
}

/// Where notes begin and end, as logarithms of how much more often than elsewhere.
#[derive(Default)]
struct Habits {
    /// For each character of the whole, if a note begins or ends before it.
    borders: Vec<[f32; 2]>,
}

/// The habits of a part.
#[derive(Clone, Copy)]
struct HabitsFrom<'a>(&'a [[f32; 2]]);

impl HabitsFrom<'_> {
    fn of(self, at: usize) -> [f32; 2] {
        self.0.get(at).copied().unwrap_or_default()
    }
}

impl Habits {
    fn part(&self, from: usize) -> HabitsFrom<'_> {
        HabitsFrom(self.borders.get(from..).unwrap_or_default())
    }

    /// Those of a first reading.
    fn of(whole: &[char], line_starts: &[bool], places: &[Option<usize>]) -> Self {
        let mut counted = CountedBorders::default();
        whole.iter().for_each(|c| *counted.all.entry(*c).or_default() += 1.0);
        counted.total = whole.len() as f32;
        for n in 1..whole.len() {
            let is_text = places[n].is_some();
            if is_text != places[n - 1].is_some() {
                counted.add(usize::from(is_text), [whole[n - 1], whole[n]], line_starts[n]);
            }
        }
        let lines = line_starts.iter().filter(|l| **l).count() as f32;
        let share = (lines + 1.0) / (whole.len() as f32 + 2.0);
        let habit = |n: usize| {
            if n == 0 {
                return [0.0; 2];
            }
            [0, 1].map(|side| {
                let chars = counted.by_chars(side, [whole[n - 1], whole[n]]);
                let line = counted.by_line(side, line_starts[n], share);
                BY_CHARS * chars.clamp(-MOST_BY_CHARS, MOST_BY_CHARS)
                    + BY_LINE * line.clamp(-MOST_BY_LINE, MOST_BY_LINE)
            })
        };
        Habits { borders: (0..whole.len()).map(habit).collect() }
    }
}

/// Borders that were counted: beginnings of notes, then ends.
#[derive(Default)]
struct CountedBorders {
    all: FxHashMap<char, f32>,
    /// How many these are.
    total: f32,
    /// The characters before and after them.
    around: [[FxHashMap<char, f32>; 2]; 2],
    /// How many are within a line, and at its start.
    lines: [[f32; 2]; 2],
}

impl CountedBorders {
    fn add(&mut self, side: usize, around: [char; 2], at_line: bool) {
        for (known, c) in self.around[side].iter_mut().zip(around) {
            *known.entry(c).or_default() += 1.0;
        }
        self.lines[side][usize::from(at_line)] += 1.0;
    }

    fn number(&self, side: usize) -> f32 {
        self.lines[side].iter().sum()
    }

    /// How much likelier a border is between these characters than between any.
    fn by_chars(&self, side: usize, around: [char; 2]) -> f32 {
        let total = self.total;
        let one = |(known, c): (&FxHashMap<char, f32>, char)| {
            let seen = known.get(&c).copied().unwrap_or_default();
            let expected = self.all.get(&c).copied().unwrap_or_default() / total;
            ((seen + 2.0) / (expected * self.number(side) + 2.0)).ln()
        };
        self.around[side].iter().zip(around).map(one).sum()
    }

    /// The same at the start of a line, or within one; `share` of all places are starts.
    fn by_line(&self, side: usize, at_line: bool, share: f32) -> f32 {
        let expected = if at_line { share } else { 1.0 - share };
        let seen = self.lines[side][usize::from(at_line)] + 1.0;
        (seen / (self.number(side) + 2.0) / expected).ln()
    }
}

/// A part of both texts between two sure places.
struct BothParts<'a> {
    whole: &'a [char],
    text: &'a [char],
    habits: HabitsFrom<'a>,
    /// It is the first, so that it may begin with a note, and more of the text may be before it.
    first: Option<bool>,
    /// It is the last, so that it may end with one, and more of the text may follow.
    last: Option<bool>,
}

/// How a cell was reached: from the state of the text or of a note, or a character of the text is
/// lacking.
const FROM_TEXT: u8 = 0;
const FROM_NOTE: u8 = 1;
const IS_ADDED: u8 = 2;
const IS_LACKING: u8 = 3;

/// The best scores of a row in both states, and how each was reached.
#[derive(Clone)]
struct Scores {
    text: Vec<f32>,
    note: Vec<f32>,
}

impl BothParts<'_> {
    /// How large its table is.
    fn cells(&self) -> usize {
        (self.whole.len() + 1) * (self.text.len() + 1)
    }

    /// Notes the places of its characters in the text; those of this part begin at `from`.
    fn read(&self, from: usize, places: &mut [Option<usize>]) {
        let (width, unreached) = (self.text.len() + 1, f32::NEG_INFINITY);
        let mut row = Scores { text: vec![unreached; width], note: vec![unreached; width] };
        let mut cells = vec![[IS_LACKING; 2]; self.cells()];
        let mut above = self.start();
        for at in 0..self.whole.len() {
            let cells = &mut cells[(at + 1) * width..(at + 2) * width];
            self.row(at, &above, &mut row, cells);
            std::mem::swap(&mut above, &mut row);
        }
        let (mut in_note, mut n) = self.end(&above);
        for at in (0..self.whole.len()).rev() {
            let cell = |n: usize| cells[(at + 1) * width + n][usize::from(in_note)];
            while cell(n) == IS_LACKING && n > 0 {
                n -= 1;
            }
            places[at] = (!in_note).then(|| from + n.saturating_sub(1));
            let reached = cell(n);
            n -= usize::from(!in_note && reached != IS_ADDED && n > 0);
            in_note = reached == FROM_NOTE;
        }
    }

    /// The scores before its first character.
    fn start(&self) -> Scores {
        let lacks = if self.first == Some(true) { 0.0 } else { LACKING };
        let text: Vec<f32> = (0..=self.text.len()).map(|n| n as f32 * lacks).collect();
        let none = vec![f32::NEG_INFINITY; text.len()];
        Scores { note: if self.first.is_some() { text.clone() } else { none }, text }
    }

    /// The best end: whether it is in a note, and how much of the text is before it.
    fn end(&self, last: &Scores) -> (bool, usize) {
        let all = self.text.len();
        let score = |(in_note, n): &(bool, usize)| match in_note {
            true if self.last.is_none() => f32::NEG_INFINITY,
            true => last.note[*n],
            false => last.text[*n],
        };
        let least = if self.last == Some(true) { 0 } else { all };
        let ends = (least..=all).flat_map(|n| [(false, n), (true, n)]);
        ends.max_by(|a, b| score(a).total_cmp(&score(b))).unwrap_or((false, all))
    }

    /// The scores after one more character of the whole.
    fn row(&self, at: usize, above: &Scores, row: &mut Scores, cells: &mut [[u8; 2]]) {
        let [begins, ends] = self.habits.of(at).map(|habit| BORDER + habit);
        for n in 0..=self.text.len() {
            let mut text = (above.text[n] + ADDED, IS_ADDED);
            if n > 0 {
                let pair = if self.text[n - 1] == self.whole[at] { EQUAL } else { UNEQUAL };
                text = better(text, (above.text[n - 1] + pair, FROM_TEXT));
                text = better(text, (above.note[n - 1] + pair + ends, FROM_NOTE));
                text = better(text, (row.text[n - 1] + LACKING, IS_LACKING));
            }
            let mut note = (above.note[n], FROM_NOTE);
            // Seldom so, and to compare the characters that follow takes longer than all else.
            if above.text[n] + begins > note.0 {
                let begins = begins + GOES_ON * self.going_on(at, n) as f32;
                note = better(note, (above.text[n] + begins, FROM_TEXT));
            }
            if n > 0 {
                note = better(note, (row.note[n - 1] + LACKING, IS_LACKING));
            }
            (row.text[n], row.note[n]) = (text.0, note.0);
            cells[n] = [text.1, note.1];
        }
    }

    /// How many characters of the whole are as those with which the text goes on.
    fn going_on(&self, at: usize, n: usize) -> usize {
        let equal = self.whole[at..].iter().zip(&self.text[n..]).take(MAX_GOING_ON);
        equal.take_while(|(a, b)| a == b).count()
    }
}

fn better(one: (f32, u8), other: (f32, u8)) -> (f32, u8) {
    if other.0 > one.0 { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(words: &str) -> Vec<char> {
        words.chars().collect()
    }

    fn found(whole: &str, text: &str) -> (Vec<String>, Range<usize>) {
        let whole = chars(whole);
        let found =
            text_within(&whole, &vec![false; whole.len()], &chars(text), 0.5).expect("a text");
        let notes = found.notes().into_iter().map(|n| whole[n].iter().collect());
        (notes.collect(), found.part())
    }

    #[test]
    fn notes_are_what_the_text_does_not_have() {
        let whole = "學而時習之不亦說乎時者學者以時誦習之有朋自遠方來不亦樂乎同門曰朋人不知而不慍";
        let text = "學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍不亦君子乎";
        assert_eq!(
            found(whole, text),
            (vec!["時者學者以時誦習之".into(), "同門曰朋".into()], 0..25)
        );
    }

    #[test]
    fn a_note_follows_the_words_that_it_repeats() {
        let whole =
            "甄鸞重述善數包犧立周天曆度上直龍切下時律切故曰曆度夫天不可階而升地不可得尺寸而度";
        let text = "甄鸞重述善數包犧立周天曆度夫天不可階而升地不可得尺寸而度";
        assert_eq!(found(whole, text).0, ["上直龍切下時律切故曰曆度"]);
    }

    #[test]
    fn other_characters_of_another_edition_are_of_the_text() {
        let whole = "天命之謂性率性之謂道脩道之謂教命猶令也性即理也道也者不可須臾離也可離非道也";
        let text = "天命之謂性率性之謂道修道之教道也者不可須臾離也可離則非道也";
        assert_eq!(found(whole, text).0, ["命猶令也性即理也"]);
    }

    #[test]
    fn the_table_that_is_filled_at_once_is_bounded() {
        let text: Vec<char> = (0..6000u32).filter_map(|n| char::from_u32(0x4E00 + n)).collect();
        let note = chars("此注也");
        let whole: Vec<char> =
            text.chunks(7).flat_map(|words| words.iter().chain(&note)).copied().collect();
        let found = text_within(&whole, &vec![false; whole.len()], &text, 0.5).expect("a text");
        assert_eq!((found.equal, found.notes().len()), (6000, 6000 / 7));
        let runs = in_order(&whole, &text);
        let mut from = (0, 0);
        for to in sure_places(&runs, (whole.len(), text.len())) {
            assert!((to.0 - from.0 + 1) * (to.1 - from.1 + 1) <= MAX_CELLS);
            from = to;
        }
    }
}
