//! Other texts of the same classic that mark their layers: collation projects their borders.
//!
//! The undivided text is collated with each text of the library that separates 經 and 注. What
//! matches takes its layer there. What is inserted between two adjacent characters of a witness's
//! classic is commentary, so a witness with only the classic helps too. The longer the matching
//! text, the stronger the vote. Formulas and parallels in other chapters match in places only; a
//! witness is recognised by how much of its classic matches.

mod chains;
mod marked;
mod tails;
mod testimony;

use std::sync::Arc;

pub use tails::{ShuEnd, ends};

use super::hints::HeaderMatch;
use super::neighbours;
use super::paragraph::{Clause, Paragraph};
use super::run::{CLASSIC, NOTE};
use super::votes::{Border, FIRM_VOTE, Votes, for_label};
use crate::model::Document;
use crate::passes::context::Context;
use crate::text::collate::Base;
use testimony::{Testimony, testimony};

/// The share of a vote that passes to the rest of its sentence.
const SPREAD_SHARE: f64 = 0.3;
/// A witness is judged by headers only from this many votes at borders that headers make certain.
const MIN_CHECKED_VOTES: f64 = 8.0;
/// The share of errors that does not count against a witness (headers have misprints), and the
/// share that makes it worthless.
const ERROR_SHARES: (f64, f64) = (0.01, 0.06);
/// A longer clause counts as text without punctuation.
const MAX_CLAUSE_CHARS: usize = 24;

/// Records the votes of all witnesses on some paragraphs, and cuts clauses at borders inside them.
pub fn consult(document: &Document, context: &Context<'_>, paragraphs: &mut [Paragraph]) {
    let others = neighbours::witnesses(document, context);
    if others.is_empty() || paragraphs.is_empty() {
        return;
    }
    let text: Vec<char> = paragraphs.iter().flat_map(|p| p.key.chars.iter().copied()).collect();
    let base = Base::new(&text);
    let starts: Vec<usize> =
        paragraphs.iter().scan(0, |at, p| Some(std::mem::replace(at, *at + p.key.len()))).collect();
    let mut testimonies: Vec<Testimony> =
        others.into_iter().filter_map(|o| testimony(&base, &starts, o, context)).collect();
    testimonies.iter_mut().for_each(|t| discount(t, paragraphs, &starts));
    let mut at = 0;
    for p in paragraphs {
        let n = p.key.len();
        p.votes = combined(&testimonies, at, at + n);
        spread(p, document.source.text());
        cut_at_borders(p);
        at += n;
    }
}

/// The votes of all witnesses on some ranges of characters, in order; empty without a witness.
pub fn votes(document: &Document, context: &Context<'_>, stretches: &[&[char]]) -> Vec<Votes> {
    let others = neighbours::witnesses(document, context);
    if others.is_empty() {
        return vec![Votes::default(); stretches.len()];
    }
    let text: Vec<char> = stretches.concat();
    let starts: Vec<usize> =
        stretches.iter().scan(0, |at, s| Some(std::mem::replace(at, *at + s.len()))).collect();
    let base = Base::new(&text);
    let testimonies: Vec<Testimony> =
        others.into_iter().filter_map(|o| testimony(&base, &starts, o, context)).collect();
    stretches.iter().zip(&starts).map(|(s, at)| combined(&testimonies, *at, at + s.len())).collect()
}

/// Weakens a witness by what the lemma headers show against it: where they name the last words of
/// the classic and the first of the note, its layers must change too. Each layer is judged by
/// itself, since a witness may be right about one and careless about the other.
fn discount(testimony: &mut Testimony, paragraphs: &[Paragraph], starts: &[usize]) {
    let (mut right, mut wrong) = ([0.0f64; 2], [0.0f64; 2]);
    for (p, start) in paragraphs.iter().zip(starts) {
        let sure = |k: &usize| {
            p.hints[*k].note_from == HeaderMatch::Here
                && p.hints[*k].classic_to == HeaderMatch::Here
        };
        for k in (1..p.key.len()).filter(sure) {
            for (n, label) in [(k - 1, CLASSIC), (k, NOTE)] {
                let vote = testimony.votes[start + n];
                right[label] += f64::from(u8::from(for_label(label, vote) > 0.0));
                wrong[1 - label] += f64::from(u8::from(for_label(1 - label, vote) > 0.0));
            }
        }
    }
    let worth = [CLASSIC, NOTE].map(|label| {
        // One misprint in a header is forgiven.
        let (error, all) = ((wrong[label] - 1.0).max(0.0), right[label] + wrong[label]);
        if all < MIN_CHECKED_VOTES {
            1.0
        } else {
            (1.0 - (error / all - ERROR_SHARES.0) / (ERROR_SHARES.1 - ERROR_SHARES.0))
                .clamp(0.05, 1.0)
        }
    });
    testimony
        .votes
        .iter_mut()
        .for_each(|v| *v *= if *v > 0.0 { worth[CLASSIC] } else { worth[NOTE] });
}

/// Combines all votes on one range: witnesses that agree count as one, those that disagree weaken
/// each other.
fn combined(testimonies: &[Testimony], from: usize, to: usize) -> Votes {
    let fold = |n: usize| {
        let votes = testimonies.iter().map(|t| t.votes[n]);
        votes.clone().fold(0.0, f64::max) + votes.fold(0.0, f64::min)
    };
    let mut votes = Votes { of: (from..to).map(fold).collect(), ..Votes::default() };
    let inside = |t: &Testimony| {
        let borders = t.borders.iter().filter(|b| (from..to).contains(&b.0));
        borders
            .map(|(at, exact)| Border { at: at - from, exact: *exact, witness: Arc::clone(&t.id) })
            .collect::<Vec<_>>()
    };
    votes.borders = testimonies.iter().flat_map(inside).collect();
    votes.borders.sort_by(|a, b| (a.at, b.exact, &a.witness).cmp(&(b.at, a.exact, &b.witness)));
    votes.borders.dedup_by_key(|b| b.at);
    let speaks = |t: &&Testimony| t.votes[from..to].iter().filter(|v| **v != 0.0).count();
    votes.witness = testimonies
        .iter()
        .rev()
        .max_by_key(speaks)
        .filter(|t| speaks(t) > 0)
        .map(|t| Arc::clone(&t.id));
    votes.plain = testimonies.iter().filter(|t| speaks(t) > 0).all(|t| t.plain);
    votes
}

/// Gives characters without a vote a share of their sentence's vote, if its votes agree: a layer
/// seldom begins within a sentence, nor between a speech and its answer (`”“`).
fn spread(p: &mut Paragraph, text: &str) {
    if p.votes.witness.is_none() {
        return;
    }
    let mut from = 0;
    for n in 0..p.units.len() {
        let answered = |next: &Clause| {
            p.units[n].closes_quote && text[next.start..].starts_with(['“', '「', '『'])
        };
        if p.units.get(n + 1).is_some_and(|next| !p.units[n].ends_sentence || answered(next)) {
            continue;
        }
        let sentence = &mut p.votes.of[p.units[from].from..p.units[n].to];
        let (least, most) =
            sentence.iter().fold((0.0f64, 0.0f64), |(a, b), v| (a.min(*v), b.max(*v)));
        if least == 0.0 || most == 0.0 {
            let vote = SPREAD_SHARE * (least + most);
            sentence.iter_mut().filter(|v| **v == 0.0).for_each(|v| *v = vote);
        }
        from = n + 1;
    }
}

/// Cuts a clause where a witness has a border inside it, if the votes on both sides are firm. A
/// border inferred from a note that a bare classic lacks may be a few characters off, so it cuts
/// only text without punctuation.
fn cut_at_borders(p: &mut Paragraph) {
    let firm = |k: usize| {
        p.votes.of[k - 1] * p.votes.of[k] < 0.0
            && p.votes.of[k - 1].abs().min(p.votes.of[k].abs()) >= FIRM_VOTE
    };
    let marks = |k: usize| {
        p.units.iter().any(|u| u.from < k && k < u.to && u.to - u.from <= MAX_CLAUSE_CHARS)
    };
    let places = p
        .votes
        .borders
        .iter()
        .filter(|b| b.at > 0 && b.at < p.key.len() && firm(b.at) && (b.exact || !marks(b.at)));
    let places: Vec<usize> = places.map(|b| b.at).collect();
    places.into_iter().for_each(|k| p.cut_inside(k));
}
