//! Finds the formulas in a note.

use std::ops::Range;

use super::GlossPlace;
use super::explained::Explained;
use super::formulas::{FORMULAS, Formula, FormulaPiece};
use super::row::{GlossBorder, GlossRow};
use crate::model::{Certainty, Layer};

/// A note, and what it is about.
pub(super) struct Note<'a> {
    row: &'a GlossRow,
    range: Range<usize>,
    layer: Layer,
    about: &'a Explained<'a>,
    /// No mark is in it: clauses end with 也, or nowhere.
    is_flat: bool,
}

/// A statement that a formula fits, in characters of the row.
#[derive(Clone, Debug)]
pub(super) struct FoundGloss {
    pub(super) formula: &'static Formula,
    pub(super) head: Range<usize>,
    pub(super) sense: Range<usize>,
    pub(super) whole: Range<usize>,
    pub(super) lemma: Option<Range<usize>>,
    pub(super) place: GlossPlace,
    pub(super) certainty: Certainty,
}

/// A template that fits so far.
#[derive(Clone, Debug, Default)]
struct Fit {
    at: usize,
    head: Option<Range<usize>>,
    sense: Option<usize>,
    sense_end: usize,
    /// A border of the template is before it, so that one may be in the note.
    is_divided: bool,
}

/// A headword with its place.
#[derive(Clone)]
struct Head {
    range: Range<usize>,
    lemma: Option<Range<usize>>,
    place: GlossPlace,
}

impl<'a> Note<'a> {
    /// The note with this number.
    pub(super) fn new(row: &'a GlossRow, n: usize, about: &'a Explained<'a>) -> Self {
        let part = row.note(n);
        let (range, layer) = (part.range.clone(), part.layer);
        Note { row, range, layer, about, is_flat: !part.is_punctuated }
    }

    /// All glosses, in order.
    pub(super) fn glosses(&self) -> Vec<FoundGloss> {
        let mut found: Vec<FoundGloss> = Vec::new();
        let rows: Vec<&'static Formula> =
            FORMULAS.rows.iter().filter(|f| f.is_of(self.layer)).collect();
        let (mut at, mut heads): (usize, Vec<Head>) = (self.range.start, vec![]);
        while at < self.range.end {
            let rows = rows.iter().copied().filter(|f| !f.goes_on || !heads.is_empty());
            let mut fits = rows.filter(|f| f.goes_on || self.begins(at));
            let hit = fits.find_map(|f| self.fit(f, at, &heads));
            match hit {
                Some((all, next)) => {
                    heads = all.iter().map(Head::of).collect();
                    found.extend(all);
                    at = next.max(at + 1);
                }
                None => {
                    heads.clear();
                    at += 1;
                }
            }
        }
        found
    }

    /// True if a statement may begin with a character.
    fn begins(&self, at: usize) -> bool {
        at == self.range.start
            || self.row.border(at) >= GlossBorder::Clause
            || self.row.opens(at)
            || self.is_flat && self.row.key.chars[at - 1] == '也'
    }

    /// True if a clause ends before a character.
    fn ends(&self, at: usize) -> bool {
        at >= self.range.end
            || self.row.border(at) >= GlossBorder::Clause
            || self.row.closes(at) && FORMULAS.may_end(&self.row.key.chars[at..])
            || self.is_flat
    }

    /// What a formula finds at a character, and where it ends.
    fn fit(
        &self,
        formula: &'static Formula,
        at: usize,
        before: &[Head],
    ) -> Option<(Vec<FoundGloss>, usize)> {
        let fit = self.pieces(formula, 0, &Fit { at, is_divided: true, ..Fit::default() })?;
        let heads = match &fit.head {
            Some(range) => self.heads(range),
            None => before.to_vec(),
        };
        let sense = fit.sense?..fit.sense_end;
        let whole = fit.head.as_ref().map_or(at, |h| h.start.min(sense.start))..fit.at;
        let is_repeated = self.about.repeats(self.chars(&whole));
        let all = heads.into_iter().filter_map(|head| {
            let certainty = formula.certainty(head.place, self.is_flat)?;
            let Head { range, lemma, place } = head;
            let (sense, whole) = (sense.clone(), whole.clone());
            Some(FoundGloss { formula, head: range, sense, whole, lemma, place, certainty })
        });
        let all: Vec<FoundGloss> = if is_repeated { vec![] } else { all.collect() };
        (!all.is_empty() || is_repeated).then_some((all, fit.at))
    }

    fn chars(&self, range: &Range<usize>) -> &[char] {
        &self.row.key.chars[range.clone()]
    }

    /// The headwords of a list, each with its place.
    fn heads(&self, range: &Range<usize>) -> Vec<Head> {
        let mut from = range.start;
        let ends = range.clone().skip(1).filter(|i| self.row.border(*i) == GlossBorder::List);
        let ends: Vec<usize> = ends.chain([range.end]).collect();
        let one = |end: usize| {
            let own = from..end;
            from = end;
            let (place, lemma) = self.about.find(self.chars(&own));
            Head { range: own, lemma, place }
        };
        ends.into_iter().map(one).collect()
    }

    /// The rest of a template, from piece number `n` on.
    fn pieces(&self, formula: &Formula, n: usize, fit: &Fit) -> Option<Fit> {
        let Some((piece, may_be_missing)) = formula.pieces.get(n) else {
            return self.end(formula, fit);
        };
        let rest = |fit: Fit| self.pieces(formula, n + 1, &fit);
        let one = || Fit { at: fit.at + 1, is_divided: false, ..fit.clone() };
        let with = match piece {
            FormulaPiece::Open => rest(Fit { sense: Some(fit.at), ..fit.clone() }),
            FormulaPiece::Close => rest(Fit { sense_end: fit.at, ..fit.clone() }),
            FormulaPiece::Clause | FormulaPiece::List | FormulaPiece::Sentence => self
                .is_border(*piece, fit.at)
                .then(|| rest(Fit { is_divided: true, ..fit.clone() }))
                .flatten(),
            FormulaPiece::Char(c) => {
                let here = self.joined(fit) && self.row.key.chars[fit.at] == *c;
                here.then(|| rest(one())).flatten()
            }
            FormulaPiece::One => self.joined(fit).then(|| rest(one())).flatten(),
            FormulaPiece::Head => self.head(formula, n, fit),
            FormulaPiece::Sense(over) => self.sense(formula, n, fit, *over),
        };
        with.or_else(|| may_be_missing.then(|| self.pieces(formula, n + 1, fit)).flatten())
    }

    /// True if the note has the border of a template there.
    fn is_border(&self, piece: FormulaPiece, at: usize) -> bool {
        let is_inside = at < self.range.end;
        match piece {
            FormulaPiece::Clause => {
                is_inside && (self.is_flat || self.row.border(at) == GlossBorder::Clause)
            }
            FormulaPiece::List => is_inside && self.row.border(at) == GlossBorder::List,
            _ => {
                let is_quotation = self.row.opens(at) || self.row.closes(at);
                !is_inside || is_quotation || self.row.border(at) == GlossBorder::Sentence
            }
        }
    }

    /// True if there is a character, and no border of clauses before it but one of the template.
    fn joined(&self, fit: &Fit) -> bool {
        fit.at < self.range.end && (fit.is_divided || self.row.border(fit.at) < GlossBorder::Clause)
    }

    fn head(&self, formula: &Formula, n: usize, fit: &Fit) -> Option<Fit> {
        if !self.joined(fit) {
            return None;
        }
        let mut longest = fit.at + 1;
        let mut in_word = 1;
        while longest < self.range.end && self.row.border(longest) < GlossBorder::Clause {
            in_word = if self.row.border(longest) == GlossBorder::List { 1 } else { in_word + 1 };
            if in_word > formula.max_head {
                break;
            }
            longest += 1;
        }
        // Most templates go on with one character, which is soon compared.
        let goes_on = |end: usize| match formula.pieces.get(n + 1) {
            Some((FormulaPiece::Char(c), false)) => self.row.key.chars.get(end) == Some(c),
            _ => true,
        };
        (fit.at + 1..=longest).rev().filter(|end| goes_on(*end)).find_map(|end| {
            let range = fit.at..end;
            if !FORMULAS.may_be_head(self.chars(&range)) {
                return None;
            }
            let head = Some(range.clone());
            let whole = self.pieces(
                formula,
                n + 1,
                &Fit { at: end, head, is_divided: false, ..fit.clone() },
            )?;
            let certain = |h: &Head| formula.certainty(h.place, self.is_flat).is_some();
            self.heads(&range).iter().all(certain).then_some(whole)
        })
    }

    fn sense(&self, formula: &Formula, n: usize, fit: &Fit, over: bool) -> Option<Fit> {
        if !self.joined(fit) {
            return None;
        }
        let limit = if over { GlossBorder::Sentence } else { GlossBorder::Clause };
        let most = (fit.at + formula.max_sense).min(self.range.end);
        let inner = fit.at + 1..most;
        let longest = inner.into_iter().find(|i| self.row.border(*i) >= limit).unwrap_or(most);
        let shorter = fit.at + 1..=longest;
        shorter.into_iter().find_map(|end| {
            self.pieces(formula, n + 1, &Fit { at: end, is_divided: false, ..fit.clone() })
        })
    }

    /// The end of a template.
    fn end(&self, formula: &Formula, fit: &Fit) -> Option<Fit> {
        if !self.ends(fit.at) {
            return None;
        }
        let start = fit.sense?;
        let sense = &self.row.key.chars[start..fit.sense_end];
        let length = FORMULAS.without_tail(sense);
        FORMULAS
            .may_be_sense(formula.kind, &sense[..length])
            .then(|| Fit { sense_end: start + length, ..fit.clone() })
    }
}

impl Head {
    fn of(found: &FoundGloss) -> Self {
        Head { range: found.head.clone(), lemma: found.lemma.clone(), place: found.place }
    }
}
