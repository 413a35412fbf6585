//! Terms: words that a clause repeats in order to explain them (峻,大也; 止者,…; 澳,於六反), and
//! their places. A commentary explains the classic just before it. So a note whose terms occur only
//! in itself contains classic, and classic that is not explained afterwards may be commentary.

use super::formula::{EXPLAINING_VERBS, gloss, is_sound};
use crate::passes::evidence::paragraph::Paragraph;

/// How far before a note its terms are searched, in characters.
const MAX_CHARS_BEFORE: usize = 90;
/// How far after a run of classic the clauses that explain it are searched, in characters.
const MAX_CHARS_AFTER: usize = 160;
/// The longest term, in characters.
const MAX_TERM_CHARS: usize = 6;

/// The terms of one paragraph.
pub struct Terms {
    /// For each clause that a note could begin with: the clauses from there on that name a term.
    from: Vec<Vec<TakenUpTerm>>,
    /// For each clause and the end: number of clauses before it whose terms occur before them.
    sums: Vec<f64>,
}

/// A clause that names a term, seen from a possible start of a note.
#[derive(Clone, Copy)]
struct TakenUpTerm {
    clause: usize,
    /// First character of the term's nearest place before the note, if near enough.
    before: Option<usize>,
    /// The term occurs between the start of the note and the clause.
    inside: bool,
}

impl Terms {
    /// Finds the terms of a paragraph.
    pub fn of(p: &Paragraph) -> Terms {
        let named: Vec<(usize, Vec<usize>)> =
            (0..p.units.len()).filter_map(|u| Some((u, places(p, u, term(p, u)?)))).collect();
        let from = (0..p.units.len()).map(|b| seen_from(p, b, &named)).collect();
        let mut sums = vec![0.0];
        let mut next = named.iter().filter(|(_, places)| !places.is_empty()).peekable();
        for u in 0..p.units.len() {
            let takes = next.next_if(|(n, _)| *n == u).is_some();
            sums.push(sums[u] + f64::from(u8::from(takes)));
        }
        Terms { from, sums }
    }

    /// Number of terms of the note `from..to` (clauses) that occur shortly before it, and of those
    /// that occur only in the note itself.
    pub fn of_note(&self, from: usize, to: usize) -> (usize, usize) {
        let within = || self.from[from].iter().take_while(|t| t.clause < to);
        (
            within().filter(|t| t.before.is_some()).count(),
            within().filter(|t| t.before.is_none() && t.inside).count(),
        )
    }

    /// Number of clauses soon after a run of classic whose terms occur in it. The run begins with
    /// character `start` and ends before clause `to`.
    pub fn after_classic(&self, start: usize, to: usize) -> usize {
        self.from.get(to).map_or(0, |taken| {
            taken.iter().filter(|t| t.before.is_some_and(|at| at >= start)).count()
        })
    }

    /// Number of clauses of a run whose terms occur before them.
    pub fn inside(&self, from: usize, to: usize) -> f64 {
        self.sums[to] - self.sums[from]
    }
}

fn seen_from(p: &Paragraph, b: usize, named: &[(usize, Vec<usize>)]) -> Vec<TakenUpTerm> {
    let start = p.units[b].from;
    let first = named.partition_point(|(u, _)| *u < b);
    let near =
        named[first..].iter().take_while(|(u, _)| p.units[*u].from < start + MAX_CHARS_AFTER);
    near.map(|(u, places)| TakenUpTerm {
        clause: *u,
        before: places
            .iter()
            .copied()
            .filter(|at| *at < start && *at + MAX_CHARS_BEFORE >= start)
            .max(),
        inside: places.iter().any(|at| *at >= start),
    })
    .collect()
}

/// Places of a term before its clause, not too far away.
fn places(p: &Paragraph, unit: usize, term: &[char]) -> Vec<usize> {
    let end = p.units[unit].from;
    let begin = end.saturating_sub(MAX_CHARS_BEFORE + MAX_CHARS_AFTER);
    let windows = p.key.chars[begin..end].windows(term.len()).enumerate();
    windows.filter(|(_, w)| *w == term).map(|(n, _)| begin + n).collect()
}

/// The words that a clause explains: before 者, 謂, 猶 or 讀, before the comma of a gloss, or
/// before a sound.
fn term(p: &Paragraph, unit: usize) -> Option<&[char]> {
    let u = &p.units[unit];
    let words = &p.key.chars[u.from..u.to];
    let verb = words
        .iter()
        .position(|c| *c == '者' || EXPLAINING_VERBS.contains(c))
        .filter(|n| (1..=MAX_TERM_CHARS).contains(n));
    let alone = || (words.len() <= 4 && explained(p, unit)).then_some(words.len());
    let end = verb.or_else(alone)?;
    let words = match &words[..end] {
        [first, rest @ ..] if matches!(first, '言' | '云' | '雲' | '凡') && !rest.is_empty() => {
            rest
        }
        all => all,
    };
    Some(words)
}

/// True if the next clause explains this one: X,Y也; X,謂Y; X,音Y; X,丁丈反.
fn explained(p: &Paragraph, unit: usize) -> bool {
    if p.units[unit].ends_sentence {
        return false;
    }
    let Some(next) = p.units.get(unit + 1) else { return false };
    let words = &p.key.chars[next.from..next.to];
    gloss(p, unit).is_some()
        || words.first().is_some_and(|c| EXPLAINING_VERBS.contains(c) || *c == '言')
        || is_sound(words)
}
