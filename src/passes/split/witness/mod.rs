//! Other texts of the same classic that mark their layers: their borders, brought over by
//! collation.
//!
//! The undivided words are collated with each text of the library that sets 經 and 注 apart. What
//! matches takes the layer it has there; what is inserted between two neighbouring characters of a
//! witness's classic is commentary, so a witness of the bare classic serves too. A vote is as
//! strong as the stretch that matches is long. Formulas and parallels in other chapters match here
//! and there; they are told from a witness by how much of its classic answers to the text.

mod disagree;
mod marked;
mod tails;

use std::sync::Arc;

pub use disagree::disagreements;
use marked::{Marked, signed};
pub use tails::{End, ends};

use super::feature::{CLASSIC, Feature, NOTE};
use super::group::{Found, Paragraph};
use crate::model::{Document, Evidence};
use crate::passes::Context;
use crate::text::collate::{Base, Chain};

/// The weights of what witnesses say, a character. They are set, not learned: the lessons have no
/// witnesses, and a sure character must outweigh what any other evidence says of a clause, three
/// sure ones all of it.
pub const FIXED: [(Feature, f64); 2] =
    [(Feature::ClassicAgainstWitness, -5.0), (Feature::NoteAgainstWitness, -5.0)];

/// The least a chain must match, in characters.
const CHAIN: usize = 24;
/// A chain that could not well be a parallel or a formula, in characters; only by such is a text
/// known for a witness.
const PASSAGE: usize = 80;
/// The share of the classic that matches in such a chain; parallels of two chapters stay below it.
const CLOSE: f64 = 0.82;
/// The least share of a chain's stretch of the witness's classic that must match.
const DENSE: f64 = 0.75;
/// Characters of classic that a chain may leap over.
const LEAP: usize = 24;
/// The least share of a witness's classic, or of the text, that must match in all.
const SHARE: f64 = 0.5;
/// A chain of this many characters, of which this share matches, makes a text a witness by itself:
/// no parallel is so long and so close.
const BOOK: usize = 300;
const SAME: f64 = 0.92;
/// Matches with no larger gap between them count as one stretch.
const NEAR: usize = 2;
/// A stretch of this many characters is sure; one of [`CHANCE`] characters says nothing.
const LONG: usize = 8;
/// Characters that match by chance, or because commentaries repeat the classic.
const CHANCE: usize = 2;
/// The longest insertion that is taken for a note, in characters.
const LONGEST_GAP: usize = 400;
/// Characters that differ without a reason to think them of another layer.
const REWORDED: usize = 6;
/// The share of a vote that the rest of its sentence gets.
const SPREADS: f64 = 0.3;
/// Borders that headers make certain, before a witness is judged by them.
const CHECKS: f64 = 8.0;
/// The share of errors that says nothing against a witness (headers have misprints), and the one
/// that makes it worthless.
const CARELESS: (f64, f64) = (0.01, 0.06);
/// Clauses up to this length are taken for clauses; longer ones have no marks.
const MARKED: usize = 24;
/// Characters on each side that must match for a border to be projected.
const SIDE: usize = 2;
/// The least strength of a vote that a border is projected by.
const FIRM: f64 = 0.6;

/// What the witnesses say of a paragraph.
#[derive(Clone, Debug, Default)]
pub struct Votes {
    /// For each character, above 0 for 經, below 0 for 注, 0 where no witness speaks; 1 is sure.
    pub of: Vec<f64>,
    /// Places where a layer begins in a witness, in order, with the witness.
    pub borders: Vec<Border>,
    /// The witness that speaks of most of its characters.
    pub witness: Option<Arc<str>>,
}

/// A place where a layer begins in a witness.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Border {
    /// The character it begins with.
    pub at: usize,
    /// The witness marks it; otherwise it lacks a note there.
    pub exact: bool,
    /// The witness.
    pub witness: Arc<str>,
}

impl Votes {
    /// Prefix sums of the votes for a label; nothing where no witness speaks.
    pub fn sums(&self, label: usize) -> Vec<f64> {
        let votes = self.of.iter().scan(0.0, |sum, v| {
            *sum += for_label(label, *v);
            Some(*sum)
        });
        if self.of.is_empty() { Vec::new() } else { std::iter::once(0.0).chain(votes).collect() }
    }

    /// The votes on a stretch that speak for a layer, as a sum.
    pub fn sum(&self, label: usize, from: usize, to: usize) -> f64 {
        self.of.get(from..to).map_or(0.0, |v| v.iter().map(|v| for_label(label, *v)).sum())
    }

    /// Why a run is what it is, in words.
    pub fn evidence(&self, run_from: usize, run_to: usize, label: usize) -> Evidence {
        let name = |w: &Arc<str>| w.to_string();
        let border =
            self.borders.iter().find(|b| b.at == run_from && run_from > 0).map(|b| &b.witness);
        let words = match (border, label) {
            (Some(w), NOTE) => format!("{} ends the 經 here", name(w)),
            (Some(w), _) => format!("{} ends the 注 here", name(w)),
            _ if self.sum(label, run_from, run_to) > 0.0 => {
                let who = self.witness.as_ref().map(name).unwrap_or_default();
                format!("{who} has these words as {}", ["經", "注"][label])
            }
            _ => return Evidence::code("witness"),
        };
        Evidence::new("witness", words)
    }
}

fn for_label(label: usize, vote: f64) -> f64 {
    if label == CLASSIC { vote.max(0.0) } else { (-vote).max(0.0) }
}

/// What one witness says of the whole text.
struct Testimony {
    votes: Vec<f64>,
    /// Place, and whether it is exact.
    borders: Vec<(usize, bool)>,
    id: Arc<str>,
}

impl Testimony {
    /// Votes on characters of which nothing was said yet.
    fn fill(&mut self, from: usize, to: usize, vote: f64) {
        self.votes[from..to].iter_mut().filter(|v| **v == 0.0).for_each(|v| *v = vote);
    }
}

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

/// Texts that are known to be of another chapter or work are no witnesses.
fn may_be(document: &Document, other: &Document) -> bool {
    let (m, o) = (&document.meta, &other.meta);
    let differ = |x: &Option<String>, y: &Option<String>| x.is_some() && y.is_some() && x != y;
    !differ(&m.work, &o.work) && !differ(&m.chapter, &o.chapter)
}

/// Weakens a witness by what the lemma headers say against it: where they name the last words of
/// the classic and the first of the note, its layers must change there too. It may be right about
/// the one layer and careless about the other.
fn discount(said: &mut Testimony, paragraphs: &[Paragraph], starts: &[usize]) {
    let (mut right, mut wrong) = ([0.0f64; 2], [0.0f64; 2]);
    for (p, start) in paragraphs.iter().zip(starts) {
        let sure = |k: &usize| {
            p.hints[*k].note_from == Found::Here && p.hints[*k].classic_to == Found::Here
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
        if all < CHECKS {
            1.0
        } else {
            (1.0 - (error / all - CARELESS.0) / (CARELESS.1 - CARELESS.0)).clamp(0.05, 1.0)
        }
    });
    said.votes.iter_mut().for_each(|v| *v *= if *v > 0.0 { worth[CLASSIC] } else { worth[NOTE] });
}

/// What of a witness answers to the text; nothing if it is no witness.
fn chains(base: &Base<'_>, other: &Document) -> Option<(Marked, Vec<Chain>)> {
    let marked = Marked::of(other);
    if !marked.labels.contains(&CLASSIC) {
        return None;
    }
    let length = base.chars().len();
    let dense = |c: &Chain| c.matched() >= CHAIN && density(c, &marked.labels) >= DENSE;
    let chains = base.against(&marked.chars).into_iter().flat_map(|c| pieces(c, &marked.labels));
    let chains: Vec<Chain> = chains.filter(dense).collect();
    let known = |c: &&Chain| c.matched() >= PASSAGE && density(c, &marked.labels) >= CLOSE;
    let matched: usize = chains.iter().filter(known).map(Chain::matched).sum();
    let own = marked.labels.iter().filter(|l| **l == CLASSIC).count();
    let book = chains.iter().any(|c| c.matched() >= BOOK && density(c, &marked.labels) >= SAME);
    if !book && (matched as f64) < SHARE * length.min(own) as f64 {
        return None;
    }
    Some((marked, chains))
}

fn testimony(base: &Base<'_>, starts: &[usize], other: &Document) -> Option<Testimony> {
    let (marked, chains) = chains(base, other)?;
    let length = base.chars().len();
    let mut said =
        Testimony { votes: vec![0.0; length], borders: Vec::new(), id: other.id.as_str().into() };
    let readings = || {
        chains.iter().map(|chain| Reading { chain, marked: &marked, base: base.chars(), starts })
    };
    // First what matches, so that what one chain only infers never hides what another has.
    readings().for_each(|r| r.matched(&mut said));
    readings().for_each(|r| r.inferred(&mut said));
    if !marked.has_notes {
        left_over(&mut said, starts);
    }
    said.borders.sort_unstable();
    Some(said)
}

/// A chain cut where it leaps over much of the witness's classic: there another chain may lie, of a
/// block transposed.
fn pieces(chain: Chain, labels: &[usize]) -> Vec<Chain> {
    let mut pieces: Vec<Chain> = Vec::new();
    for run in chain.runs {
        let leaps =
            |last: usize| labels[last..run.b].iter().filter(|l| **l == CLASSIC).count() > LEAP;
        match pieces.last_mut() {
            Some(p) if !leaps(p.b().end) => p.runs.push(run),
            _ => pieces.push(Chain { runs: vec![run] }),
        }
    }
    pieces
}

/// The share of the classic in a chain's stretch of the witness that matches; of all its words
/// where it has no classic.
fn density(chain: &Chain, labels: &[usize]) -> f64 {
    let classic =
        |range: std::ops::Range<usize>| labels[range].iter().filter(|l| **l == CLASSIC).count();
    let matched: usize = chain.runs.iter().map(|r| classic(r.b..r.b_end())).sum();
    match classic(chain.b()) {
        0 => chain.matched() as f64 / chain.b().len().max(1) as f64,
        all => matched as f64 / all as f64,
    }
}

/// Where a witness of the bare classic breaks off and goes on elsewhere or not at all, what lies
/// between, or is left of the paragraph, is likely a note.
fn left_over(said: &mut Testimony, starts: &[usize]) {
    let length = said.votes.len();
    let classic: Vec<usize> =
        (0..length).filter(|n| said.votes[*n] > 0.0).chain([length]).collect();
    for pair in classic.windows(2) {
        let (from, to) = (pair[0] + 1, pair[1]);
        let within = starts.iter().copied().find(|s| (from + 1..to).contains(s)).unwrap_or(to);
        if (3..=LONGEST_GAP).contains(&(within - from))
            && said.votes[from..within].iter().all(|v| *v == 0.0)
        {
            said.votes[from..within].fill(signed(NOTE, 0.4));
        }
    }
}

/// One chain, read for what it says of layers.
struct Reading<'a> {
    chain: &'a Chain,
    marked: &'a Marked,
    base: &'a [char],
    starts: &'a [usize],
}

impl Reading<'_> {
    /// What matches has the layer it has there.
    fn matched(&self, said: &mut Testimony) {
        let strengths = self.strengths();
        for (run, strength) in self.chain.runs.iter().zip(&strengths) {
            for n in 0..run.len {
                said.votes[run.a + n] =
                    signed(self.marked.labels[run.b + n], strength * self.marked.worth[run.b + n]);
            }
        }
        let within = self.chain.runs.iter().zip(&strengths).filter(|(_, s)| **s >= FIRM);
        for (run, _) in within {
            let borders = (1..run.len).filter(|n| self.marked.changes(run.b + n));
            // The last characters of a run may match by chance: a border needs company on both
            // sides.
            said.borders.extend(
                borders
                    .filter(|n| *n >= SIDE.min(run.len / 2) && run.len - n >= SIDE.min(run.len / 2))
                    .map(|n| (run.a + n, true)),
            );
        }
    }

    /// What stands between matches.
    fn inferred(&self, said: &mut Testimony) {
        let strengths = self.strengths();
        for (runs, strengths) in self.chain.runs.windows(2).zip(strengths.windows(2)) {
            let (from, to, b_from, b_to) = (runs[0].a_end(), runs[1].a, runs[0].b_end(), runs[1].b);
            let strength = strengths[0].min(strengths[1]);
            self.between(from, to, b_from, b_to, strength, said);
            if strength >= FIRM
                && (from == to || to - from == b_to - b_from)
                && b_to - b_from <= REWORDED
            {
                said.borders.extend(self.across(from, to, b_from, b_to));
            }
        }
    }

    /// Borders where characters differ one by one, or the witness has some more.
    fn across(&self, from: usize, to: usize, b_from: usize, b_to: usize) -> Vec<(usize, bool)> {
        if from == to {
            return if self.marked.differ(b_from - 1, b_to) {
                vec![(from, true)]
            } else {
                Vec::new()
            };
        }
        (0..=to - from)
            .filter(|n| self.marked.changes(b_from + n))
            .map(|n| (from + n, true))
            .collect()
    }

    /// How much a match counts, for each run: by the length of the stretch it belongs to.
    fn strengths(&self) -> Vec<f64> {
        let runs = &self.chain.runs;
        let mut strengths = vec![0.0; runs.len()];
        let mut first = 0;
        for n in 0..runs.len() {
            let ends = runs.get(n + 1).is_none_or(|next| {
                next.a - runs[n].a_end() > NEAR || next.b - runs[n].b_end() > NEAR
            });
            if ends {
                let length: usize = runs[first..=n].iter().map(|r| r.len).sum();
                let strength =
                    (length.saturating_sub(CHANCE) as f64 / (LONG - CHANCE) as f64).min(1.0);
                strengths[first..=n].fill(strength);
                first = n + 1;
            }
        }
        strengths
    }

    /// What characters `from..to` are, which stand where the witness has its characters
    /// `b_from..b_to`.
    fn between(
        &self,
        from: usize,
        to: usize,
        b_from: usize,
        b_to: usize,
        strength: f64,
        said: &mut Testimony,
    ) {
        let strength = self.marked.worth[b_from - 1..=b_to].iter().fold(strength, |s, w| s.min(*w));
        let (gap, other) = (to - from, b_to - b_from);
        let label = |b: usize| self.marked.labels[b];
        if gap == 0 {
            return;
        }
        let around = (b_from - 1..=b_to).all(|b| label(b) == label(b_from));
        let classic = (b_from..b_to).filter(|b| label(*b) == CLASSIC).count();
        // With notes of its own, a witness that has no note here has lost something, and what it is
        // cannot be known.
        let lost = self.marked.has_notes && classic == other;
        let enclosed = label(b_from - 1) == CLASSIC && label(b_to) == CLASSIC;
        let alike = gap <= REWORDED.min(3 * other + usize::from(lost));
        if around && (alike || label(b_from) == NOTE && gap <= LONGEST_GAP) {
            said.fill(from, to, signed(label(b_from), 0.8 * strength));
        } else if enclosed && 4 * classic <= gap && !lost {
            self.inserted(from, to, other == 0, 0.9 * strength * self.single(from, to), said);
        } else if gap == other && gap <= REWORDED {
            (0..gap).for_each(|n| {
                said.fill(from + n, from + n + 1, signed(label(b_from + n), 0.6 * strength))
            });
        }
    }

    /// How likely an insertion is one note: not where it goes over several paragraphs, nor where it
    /// is very short or long.
    fn single(&self, from: usize, to: usize) -> f64 {
        let whole = !self.starts.iter().any(|s| (from + 1..to).contains(s));
        if whole && (3..=LONGEST_GAP).contains(&(to - from)) { 1.0 } else { 0.3 }
    }

    /// A note where the witness has bare classic. Where its first words are also the words that
    /// follow it, it could begin and end as well a little later (or earlier): of those characters
    /// nothing is said.
    fn inserted(
        &self,
        from: usize,
        to: usize,
        contiguous: bool,
        strength: f64,
        said: &mut Testimony,
    ) {
        let a = self.base;
        let (mut later, mut earlier) = (0, 0);
        if contiguous {
            let n = to - from;
            later = (0..n.min(a.len() - to)).take_while(|r| a[from + r] == a[to + r]).count();
            earlier = (1..=n.min(from)).take_while(|r| a[from - r] == a[to - r]).count();
        }
        said.fill(from, to, signed(NOTE, strength));
        said.votes[from..from + later].fill(0.0);
        said.votes[to..to + later].fill(0.0);
        said.votes[from - earlier..from].fill(0.0);
        said.votes[to - earlier..to].fill(0.0);
        if later + earlier == 0 && strength >= FIRM {
            said.borders.extend([(from, false), (to, false)]);
        }
    }
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
        let answered = |next: &super::group::Unit| {
            p.units[n].closes_quote && text[next.start..].starts_with(['“', '「', '『'])
        };
        if p.units.get(n + 1).is_some_and(|next| !p.units[n].ends_sentence || answered(next)) {
            continue;
        }
        let sentence = &mut p.votes.of[p.units[from].from..p.units[n].to];
        let (least, most) =
            sentence.iter().fold((0.0f64, 0.0f64), |(a, b), v| (a.min(*v), b.max(*v)));
        if least == 0.0 || most == 0.0 {
            let vote = SPREADS * (least + most);
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
            && p.votes.of[k - 1].abs().min(p.votes.of[k].abs()) >= FIRM
    };
    let marks =
        |k: usize| p.units.iter().any(|u| u.from < k && k < u.to && u.to - u.from <= MARKED);
    let places = p
        .votes
        .borders
        .iter()
        .filter(|b| b.at > 0 && b.at < p.key.len() && firm(b.at) && (b.exact || !marks(b.at)));
    let places: Vec<usize> = places.map(|b| b.at).collect();
    places.into_iter().for_each(|k| p.cut_inside(k));
}
