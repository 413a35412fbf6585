//! Merges the alignments of all witnesses with the base into one table.

use std::ops::Range;

use super::{
    AlignedCell, CollatedPlace, CollatedWitness, DifferenceClass, FormClasses, MovedBlock,
    PairAlignment, Transposition,
};
use crate::text::collate::Base;

/// Characters of each witness that belong together, and the class of each; before the points
/// between characters are considered.
#[derive(Clone, Debug)]
struct CollatedColumn {
    chars: Vec<Range<usize>>,
    classes: Vec<Option<DifferenceClass>>,
}

/// The places of all witnesses, and their transpositions.
pub fn of(
    witnesses: &[CollatedWitness<'_>],
    base: usize,
    pairs: &[Option<PairAlignment>],
) -> (Vec<CollatedPlace>, Vec<Transposition>) {
    let (mut cells, mut moved) = (Vec::with_capacity(witnesses.len()), Vec::new());
    for (n, pair) in pairs.iter().enumerate() {
        let Some(pair) = pair else {
            cells.push(None);
            continue;
        };
        let (of_base, own) = (&witnesses[base], &witnesses[n]);
        let forms = FormClasses::of(of_base, own, &equal(pair));
        moved.extend(pair.moved.iter().map(|m| transposition(m, n, of_base, own, &forms)));
        cells.push(Some(classified(&pair.cells, of_base, own, &forms)));
    }
    let columns = columns(base, witnesses[base].chars().len(), &cells);
    let columns = columns.into_iter().flat_map(|c| among_others(c, base, witnesses)).collect();
    (places(witnesses, base, columns), moved)
}

/// The equal characters of two witnesses, in place and in transposed blocks.
fn equal(pair: &PairAlignment) -> Vec<(usize, usize)> {
    let in_place = pair.cells.iter().filter(|c| c.class.is_none());
    let moved = pair.moved.iter().flat_map(|m| &m.runs);
    in_place
        .map(|c| (c.base.start, c.own.start))
        .chain(moved.flat_map(|r| (0..r.len).map(|k| (r.a + k, r.b + k))))
        .collect()
}

/// The class of two characters with the same key.
fn form_class(
    (a, base): (usize, &CollatedWitness<'_>),
    (b, own): (usize, &CollatedWitness<'_>),
    forms: &FormClasses<'_>,
) -> Option<DifferenceClass> {
    let (x, y) = (base.form(a), own.form(b));
    if x == y {
        return None;
    }
    let place = |w: &CollatedWitness<'_>, n: usize| w.place_of(w.bytes(n..n + 1));
    forms.class((x, place(base, a)), (y, place(own, b)))
}

/// Cells with the class of every character.
fn classified(
    cells: &[AlignedCell],
    base: &CollatedWitness<'_>,
    own: &CollatedWitness<'_>,
    forms: &FormClasses<'_>,
) -> Vec<AlignedCell> {
    let of = |cell: &AlignedCell| {
        let (a, b) = (cell.base.start, cell.own.start);
        let class = match cell.class {
            None => form_class((a, base), (b, own), forms),
            Some(DifferenceClass::Substantive)
                if cell.base.len() == 1
                    && cell.own.len() == 1
                    && (is_uncoded(base.form(a)) || is_uncoded(own.form(b))) =>
            {
                Some(DifferenceClass::Graphic)
            }
            other => other,
        };
        AlignedCell { class, ..cell.clone() }
    };
    cells.iter().map(of).collect()
}

/// True for the sign of a form that Unicode lacks: an entity such as `&KR0925;`, or a private-use
/// character.
fn is_uncoded(form: &str) -> bool {
    form.starts_with('&')
        || form.starts_with(|c| matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..))
}

fn transposition(
    block: &MovedBlock,
    witness: usize,
    base: &CollatedWitness<'_>,
    own: &CollatedWitness<'_>,
    forms: &FormClasses<'_>,
) -> Transposition {
    let bytes = |w: &CollatedWitness<'_>, chars: Range<usize>| match chars.is_empty() {
        true => w.bytes_before(chars.start).start..w.bytes_before(chars.start).start,
        false => w.bytes(chars),
    };
    let mut differences = Vec::new();
    for run in &block.runs {
        for k in 0..run.len {
            let (a, b) = (run.a + k, run.b + k);
            if let Some(class) = form_class((a, base), (b, own), forms) {
                differences.push((bytes(base, a..a + 1), bytes(own, b..b + 1), class));
            }
        }
    }
    for gap in block.runs.windows(2) {
        let (a, b) = (gap[0].a_end()..gap[1].a, gap[0].b_end()..gap[1].b);
        let class = match (a.is_empty(), b.is_empty()) {
            (true, true) => continue,
            (true, false) => DifferenceClass::Addition,
            (false, true) => DifferenceClass::Omission,
            (false, false) => DifferenceClass::Substantive,
        };
        differences.push((bytes(base, a), bytes(own, b), class));
    }
    differences.sort_by_key(|(a, b, _)| (a.start, b.start));
    Transposition {
        witness,
        base: bytes(base, block.base.clone()),
        own: bytes(own, block.own.clone()),
        differences,
    }
}

/// Where a witness is at each border between characters of the base, before and after what it adds
/// there, and how it differs at each character and border.
struct BaseBorders {
    before: Vec<usize>,
    after: Vec<usize>,
    classes: Vec<Option<DifferenceClass>>,
    added: Vec<Option<DifferenceClass>>,
    /// True if a cell reaches across the border.
    crossed: Vec<bool>,
}

impl BaseBorders {
    fn of(cells: &[AlignedCell], length: usize) -> Self {
        let mut borders = BaseBorders {
            before: vec![0; length + 1],
            after: vec![0; length + 1],
            classes: vec![None; length],
            added: vec![None; length + 1],
            crossed: vec![false; length + 1],
        };
        for cell in cells {
            let (from, to) = (cell.base.start, cell.base.end);
            if cell.base.is_empty() {
                borders.after[from] = cell.own.end;
                borders.added[from] = cell.class;
                continue;
            }
            for place in from..to {
                borders.classes[place] = cell.class;
                if place > from {
                    // Where all of the cell is missing, it can be cut anywhere.
                    borders.crossed[place] = !cell.own.is_empty();
                    borders.before[place] = cell.own.start;
                    borders.after[place] = cell.own.start;
                }
            }
            borders.before[to] = cell.own.end;
            borders.after[to] = cell.own.end;
        }
        borders
    }

    /// The class of what is missing on both sides of a border. What other witnesses add there does
    /// not divide it.
    fn around(&self, border: usize) -> Option<DifferenceClass> {
        let before = *self.classes.get(border.checked_sub(1)?)?;
        before.filter(|c| c.continues() && self.classes.get(border) == Some(&before))
    }
}

/// The columns between the borders that no witness crosses.
fn columns(base: usize, length: usize, cells: &[Option<Vec<AlignedCell>>]) -> Vec<CollatedColumn> {
    let all: Vec<Option<BaseBorders>> =
        cells.iter().map(|c| c.as_ref().map(|c| BaseBorders::of(c, length))).collect();
    let others = || all.iter().flatten();
    let mut columns = Vec::with_capacity(length);
    let mut from = 0;
    for to in 0..=length {
        if others().any(|b| b.crossed[to]) {
            continue;
        }
        if to > from {
            columns.push(column(&all, base, from, to));
        }
        if others().any(|b| b.before[to] < b.after[to]) {
            columns.push(CollatedColumn {
                chars: each(&all, |b| b.map_or(to..to, |b| b.before[to]..b.after[to])),
                classes: each(&all, |b| b.and_then(|b| b.added[to].or_else(|| b.around(to)))),
            });
        }
        from = to;
    }
    columns
}

fn each<T>(all: &[Option<BaseBorders>], of: impl Fn(Option<&BaseBorders>) -> T) -> Vec<T> {
    all.iter().map(|b| of(b.as_ref())).collect()
}

/// The characters `from..to` of the base. What a witness adds inside belongs to them.
fn column(all: &[Option<BaseBorders>], base: usize, from: usize, to: usize) -> CollatedColumn {
    let class = |b: &BaseBorders| {
        let within = b.classes[from..to].iter().chain(&b.added[from + 1..to]).flatten();
        let mut classes: Vec<DifferenceClass> = within.copied().collect();
        classes.dedup();
        match classes[..] {
            [] => None,
            [one] => Some(one),
            _ => Some(DifferenceClass::Substantive),
        }
    };
    let chars = each(all, |b| b.map_or(from..to, |b| b.after[from]..b.before[to]));
    debug_assert_eq!(chars[base], from..to);
    CollatedColumn { chars, classes: each(all, |b| b.and_then(class)) }
}

/// What several witnesses have and the base has not, aligned among them: the first of them is the
/// base of the others.
fn among_others(
    column: CollatedColumn,
    base: usize,
    witnesses: &[CollatedWitness<'_>],
) -> Vec<CollatedColumn> {
    let having: Vec<usize> =
        (0..column.chars.len()).filter(|n| !column.chars[*n].is_empty()).collect();
    let [first, others @ ..] = &having[..] else { return vec![column] };
    if others.is_empty() || !column.chars[base].is_empty() {
        return vec![column];
    }
    let part = |n: usize| &witnesses[n].chars()[column.chars[n].clone()];
    let seeds = Base::new(part(*first));
    let mut cells: Vec<Option<Vec<AlignedCell>>> = (0..column.chars.len()).map(|_| None).collect();
    for n in 0..column.chars.len() {
        cells[n] = match n {
            n if n == *first => None,
            n if others.contains(&n) => Some(PairAlignment::of(&seeds, part(n)).cells),
            // It has nothing here.
            _ => Some(vec![AlignedCell { base: 0..part(*first).len(), own: 0..0, class: None }]),
        };
    }
    let there = |inner: CollatedColumn| {
        let start = |n: usize| column.chars[n].start;
        let moved = |(n, r): (usize, Range<usize>)| r.start + start(n)..r.end + start(n);
        let chars: Vec<Range<usize>> = inner.chars.into_iter().enumerate().map(moved).collect();
        let empty = |n: usize| chars[n].is_empty() && !column.chars[n].is_empty();
        let class = |n: usize| column.classes[n].filter(|_| !empty(n));
        let classes = (0..chars.len()).map(class).collect();
        CollatedColumn { chars, classes }
    };
    let inner = columns(*first, part(*first).len(), &cells);
    inner.into_iter().map(there).flat_map(|c| again(c, *first, base, witnesses)).collect()
}

/// The same for what the first of these witnesses lacks in its turn.
fn again(
    column: CollatedColumn,
    first: usize,
    base: usize,
    witnesses: &[CollatedWitness<'_>],
) -> Vec<CollatedColumn> {
    match column.chars[first].is_empty() {
        true => among_others(column, base, witnesses),
        false => vec![column],
    }
}

/// The places: the columns, and what is between the characters of two columns.
fn places(
    witnesses: &[CollatedWitness<'_>],
    base: usize,
    columns: Vec<CollatedColumn>,
) -> Vec<CollatedPlace> {
    let mut builder = PlaceBuilder {
        witnesses,
        base,
        places: Vec::new(),
        at: vec![0; witnesses.len()],
        agreeing: Vec::new(),
    };
    for (n, column) in columns.iter().enumerate() {
        builder.points(n.checked_sub(1).map(|n| &columns[n]), &columns[n..]);
        builder.chars(column);
    }
    builder.points(columns.last(), &[]);
    builder.places
}

struct PlaceBuilder<'a> {
    witnesses: &'a [CollatedWitness<'a>],
    base: usize,
    places: Vec<CollatedPlace>,
    /// How far each witness is, in bytes.
    at: Vec<usize>,
    /// For each witness the first that agreed with it where one was last added to.
    agreeing: Vec<usize>,
}

impl PlaceBuilder<'_> {
    /// A column.
    fn chars(&mut self, column: &CollatedColumn) {
        let ends = column.chars.iter().zip(self.witnesses).zip(&self.at);
        let end = |((chars, w), at): ((&Range<usize>, &CollatedWitness<'_>), &usize)| match chars {
            chars if chars.is_empty() => *at,
            chars => w.bytes(chars.clone()).end,
        };
        let ends: Vec<usize> = ends.map(end).collect();
        self.push(ends, column.classes.clone());
    }

    /// What is between two columns: punctuation, blanks, ends of lines.
    fn points(&mut self, before: Option<&CollatedColumn>, after: &[CollatedColumn]) {
        let mut ends = self.at.clone();
        for (n, own) in self.witnesses.iter().enumerate() {
            if is_in(before, n) {
                ends[n] = own.bytes_before(joint(before, n)).end;
            }
        }
        let count = self.witnesses.len();
        let classes = (0..count).map(|n| self.class_of_points(n, before, after)).collect();
        self.push(ends, classes);
    }

    /// How the points of a witness differ from those of the base. The points of words that only one
    /// of both has belong to these words.
    fn class_of_points(
        &self,
        n: usize,
        before: Option<&CollatedColumn>,
        after: &[CollatedColumn],
    ) -> Option<DifferenceClass> {
        if n == self.base {
            return None;
        }
        let next = after.iter().find(|c| is_in(Some(c), self.base) || is_in(Some(c), n));
        let both = |column| is_in(column, self.base) && is_in(column, n);
        let (base, own) = (&self.witnesses[self.base], &self.witnesses[n]);
        let equal = || own.points(joint(before, n)) == base.points(joint(before, self.base));
        if both(before) && (both(next) || equal()) {
            let differs = own.is_punctuated() && base.is_punctuated() && !equal();
            return differs.then_some(DifferenceClass::Punctuation);
        }
        let near = [before, after.first()].into_iter().flatten().filter_map(|c| c.classes[n]);
        near.into_iter().find(|c| c.continues())
    }

    /// For each witness the first that agrees with it up to these bytes, so that a place is divided
    /// where what several witnesses add begins to differ between them.
    fn agreeing(&self, ends: &[usize], classes: &[Option<DifferenceClass>]) -> Vec<usize> {
        if classes.iter().flatten().count() < 2 {
            return Vec::new();
        }
        let shown = |n: usize| self.witnesses[n].shown(self.at[n]..ends[n]);
        let all: Vec<String> = (0..ends.len()).map(shown).collect();
        all.iter().map(|a| all.iter().position(|b| a == b).unwrap_or(0)).collect()
    }

    /// A place up to these bytes; one without difference is added to the one before it.
    fn push(&mut self, ends: Vec<usize>, classes: Vec<Option<DifferenceClass>>) {
        if ends == self.at && classes.iter().all(Option::is_none) {
            return;
        }
        let agreeing = self.agreeing(&ends, &classes);
        let same = |last: &CollatedPlace| {
            last.classes == classes
                && classes.iter().flatten().all(|c| c.continues())
                && agreeing == self.agreeing
        };
        match self.places.last_mut() {
            Some(last) if same(last) => {
                last.readings.iter_mut().zip(&ends).for_each(|(r, end)| r.end = *end);
            }
            _ if ends == self.at => return,
            _ => {
                let readings = self.at.iter().zip(&ends).map(|(at, end)| *at..*end).collect();
                self.places.push(CollatedPlace { readings, classes });
            }
        }
        self.agreeing = agreeing;
        self.at = ends;
    }
}

/// True if a witness has characters in a column, or if there is none: at either end of the text.
fn is_in(column: Option<&CollatedColumn>, witness: usize) -> bool {
    column.is_none_or(|c| !c.chars[witness].is_empty())
}

/// The number of the character after a column.
fn joint(before: Option<&CollatedColumn>, witness: usize) -> usize {
    before.map_or(0, |c| c.chars[witness].end)
}
