//! Other texts of the same classic that mark their layers: their borders, brought over by
//! collation.
//!
//! The undivided words are collated with each text of the library that sets 經 and 注 apart. What
//! matches takes the layer it has there; what is inserted between two neighbouring characters of a
//! witness's classic is commentary, so a witness of the bare classic serves too. A vote is as
//! strong as the stretch that matches is long. Formulas and parallels in other chapters match here
//! and there; they are told from a witness by how much of its classic answers to the text.

mod chains;
mod marked;
mod tails;
mod testimony;

use std::sync::Arc;

pub use tails::{ShuEnd, ends};

use super::paragraph::{Clause, HeaderMatch, Paragraph};
use super::run::{CLASSIC, NOTE};
use super::votes::{Border, FIRM_VOTE, Votes, for_label};
use crate::model::Document;
use crate::passes::context::Context;
use crate::text::collate::Base;
use chains::may_be;
use testimony::{Testimony, testimony};

/// The share of a vote that the rest of its sentence gets.
const SPREAD_SHARE: f64 = 0.3;
/// Borders that headers make certain, before a witness is judged by them.
const MIN_CHECKS: f64 = 8.0;
/// The share of errors that says nothing against a witness (headers have misprints), and the one
/// that makes it worthless.
const CARELESS: (f64, f64) = (0.01, 0.06);
/// Clauses up to this length are taken for clauses; longer ones have no marks.
const MAX_CLAUSE_CHARS: usize = 24;
/// Asks all witnesses about some paragraphs, notes down what they say, and cuts clauses where a
/// border falls inside one.
pub fn consult(document: &Document, context: &Context<'_>, paragraphs: &mut [Paragraph]) {
    let mut others =
        context.library.others(&document.id).filter(|o| may_be(document, o)).peekable();
    if others.peek().is_none() || paragraphs.is_empty() {
        return;
    }
    let text: Vec<char> = paragraphs.iter().flat_map(|p| p.key.chars.iter().copied()).collect();
    let base = Base::new(&text);
    let starts: Vec<usize> =
        paragraphs.iter().scan(0, |at, p| Some(std::mem::replace(at, *at + p.key.len()))).collect();
    let mut heard: Vec<Testimony> = others.filter_map(|o| testimony(&base, &starts, o)).collect();
    heard.iter_mut().for_each(|t| discount(t, paragraphs, &starts));
    let mut at = 0;
    for p in paragraphs {
        let n = p.key.len();
        p.votes = together(&heard, at, at + n);
        spread(p, document.source.text());
        cut_at_borders(p);
        at += n;
    }
}

/// What all witnesses say of some stretches of characters, in order; nothing where there is no
/// witness.
pub fn votes(document: &Document, context: &Context<'_>, stretches: &[&[char]]) -> Vec<Votes> {
    let mut others =
        context.library.others(&document.id).filter(|o| may_be(document, o)).peekable();
    if others.peek().is_none() {
        return vec![Votes::default(); stretches.len()];
    }
    let text: Vec<char> = stretches.concat();
    let starts: Vec<usize> =
        stretches.iter().scan(0, |at, s| Some(std::mem::replace(at, *at + s.len()))).collect();
    let base = Base::new(&text);
    let heard: Vec<Testimony> = others.filter_map(|o| testimony(&base, &starts, o)).collect();
    stretches.iter().zip(&starts).map(|(s, at)| together(&heard, *at, at + s.len())).collect()
}

/// Weakens a witness by what the lemma headers say against it: where they name the last words of
/// the classic and the first of the note, its layers must change there too. It may be right about
/// the one layer and careless about the other.
fn discount(said: &mut Testimony, paragraphs: &[Paragraph], starts: &[usize]) {
    let (mut right, mut wrong) = ([0.0f64; 2], [0.0f64; 2]);
    for (p, start) in paragraphs.iter().zip(starts) {
        let sure = |k: &usize| {
            p.hints[*k].note_from == HeaderMatch::Here
                && p.hints[*k].classic_to == HeaderMatch::Here
        };
        for k in (1..p.key.len()).filter(sure) {
            for (n, label) in [(k - 1, CLASSIC), (k, NOTE)] {
                let vote = said.votes[start + n];
                right[label] += f64::from(u8::from(for_label(label, vote) > 0.0));
                wrong[1 - label] += f64::from(u8::from(for_label(1 - label, vote) > 0.0));
            }
        }
    }
    let worth = [CLASSIC, NOTE].map(|label| {
        // One misprint in a header is forgiven.
        let (error, all) = ((wrong[label] - 1.0).max(0.0), right[label] + wrong[label]);
        if all < MIN_CHECKS {
            1.0
        } else {
            (1.0 - (error / all - CARELESS.0) / (CARELESS.1 - CARELESS.0)).clamp(0.05, 1.0)
        }
    });
    said.votes.iter_mut().for_each(|v| *v *= if *v > 0.0 { worth[CLASSIC] } else { worth[NOTE] });
}

/// All testimonies on one stretch: witnesses that agree are one, those that do not weaken each
/// other.
fn together(heard: &[Testimony], from: usize, to: usize) -> Votes {
    let fold = |n: usize| {
        let votes = heard.iter().map(|t| t.votes[n]);
        votes.clone().fold(0.0, f64::max) + votes.fold(0.0, f64::min)
    };
    let mut votes = Votes { of: (from..to).map(fold).collect(), ..Votes::default() };
    let inside = |t: &Testimony| {
        let borders = t.borders.iter().filter(|b| (from..to).contains(&b.0));
        borders
            .map(|(at, exact)| Border { at: at - from, exact: *exact, witness: Arc::clone(&t.id) })
            .collect::<Vec<_>>()
    };
    votes.borders = heard.iter().flat_map(inside).collect();
    votes.borders.sort_by(|a, b| (a.at, b.exact, &a.witness).cmp(&(b.at, a.exact, &b.witness)));
    votes.borders.dedup_by_key(|b| b.at);
    let speaks = |t: &&Testimony| t.votes[from..to].iter().filter(|v| **v != 0.0).count();
    votes.witness =
        heard.iter().rev().max_by_key(speaks).filter(|t| speaks(t) > 0).map(|t| Arc::clone(&t.id));
    votes
}

/// Characters of which nothing is said go with those of their sentence, if these agree: a layer
/// seldom begins within one, nor between a speech and its answer (`”“`).
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

/// Cuts a clause where a witness's border falls inside it and nothing gainsays it. A note that a
/// bare classic lacks is not placed so well: it could lie a few characters off, so that only words
/// without any marks are cut by it.
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
