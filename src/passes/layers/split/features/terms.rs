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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Document, Layer};
    use crate::passes::evidence::group::paragraphs;
    use proptest::prelude::*;

    /// True if the term of clause `unit` occurs before it at a place from `from` to before `to`.
    fn occurs(p: &Paragraph, unit: usize, from: usize, to: usize) -> bool {
        let Some(term) = term(p, unit) else { return false };
        let end = p.units[unit].from;
        let near = end.saturating_sub(MAX_CHARS_BEFORE + MAX_CHARS_AFTER);
        (from.max(near)..to.min(end))
            .any(|i| i + term.len() <= end && p.key.chars[i..].starts_with(term))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn terms_are_counted_as_a_full_search_counts_them(
            clauses in prop::collection::vec("[甲乙丙丁]{1,3}(者|謂[戊己]{1,2}|也)?[,。]", 2..80),
            cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 24),
        ) {
            let text = clauses.concat();
            let document = Document::of_pieces(&[(Layer::Undivided, &text)]);
            let all = paragraphs(&document);
            let p = &all[0];
            let terms = Terms::of(p);
            for (one, other) in cuts {
                let (one, other) = (one.index(p.units.len()), other.index(p.units.len()));
                let (first, last) = (one.min(other), one.max(other));
                // The note from clause `first` up to `last`, and classic from `first` with a note
                // from `last` on.
                let start = p.units[first].from;
                let near = |from: usize| {
                    move |u: &usize| p.units[*u].from < p.units[from].from + MAX_CHARS_AFTER
                };
                let back = |at: usize| at.saturating_sub(MAX_CHARS_BEFORE);
                let before = |u: &usize| occurs(p, *u, back(start), start);
                let inside = |u: &usize| occurs(p, *u, start, usize::MAX);
                let within: Vec<usize> = (first..last).filter(near(first)).collect();
                let want = (
                    within.iter().filter(|u| before(u)).count(),
                    within.iter().filter(|u| !before(u) && inside(u)).count(),
                );
                prop_assert_eq!(terms.of_note(first, last), want, "{} {}..{}", text, first, last);
                let note = p.units[last].from;
                let taken = (last..p.units.len()).filter(near(last));
                let want = taken.filter(|u| occurs(p, *u, start.max(back(note)), note)).count();
                prop_assert_eq!(terms.after_classic(start, last), want, "{} {}..{}", text, first, last);
            }
        }
    }

    #[test]
    fn a_clause_names_what_it_explains() {
        for (text, wanted) in [
            ("甲者，乙也。", Some("甲")),
            ("言甲者，乙也。", Some("甲")),
            ("言者，乙也。", Some("言")),
            ("甲謂乙者丙。", Some("甲")),
            ("甲者謂乙。", Some("甲")),
            ("謂甲也。", None),
            ("甲乙丙丁戊己者，庚也。", Some("甲乙丙丁戊己")),
            ("甲乙丙丁戊己庚者，辛也。", None),
            ("甲，乙也。", Some("甲")),
            ("甲乙丙丁，戊也。", Some("甲乙丙丁")),
            ("甲乙丙丁戊，己也。", None),
            ("甲。乙也。", None),
            ("甲，乙丙丁戊己庚辛。", None),
            ("甲，謂乙丙丁戊己庚辛。", Some("甲")),
            ("甲，言乙丙丁戊己庚辛。", Some("甲")),
            ("甲，丁丈反，丙丁。", Some("甲")),
            ("甲", None),
        ] {
            let document = Document::of_pieces(&[(Layer::Undivided, text)]);
            let found = term(&paragraphs(&document)[0], 0).map(|t| t.iter().collect::<String>());
            assert_eq!(found.as_deref(), wanted, "{text}");
        }
    }
}
