//! What one witness shows of the layers of the whole text.

use std::ops::Range;
use std::sync::Arc;

use super::chains::chains;
use super::marked::{MarkedText, signed};
use crate::model::Document;
use crate::passes::context::Context;
use crate::passes::evidence::run::{CLASSIC, NOTE};
use crate::passes::evidence::votes::FIRM_VOTE;
use crate::text::collate::{Base, Chain};

/// Matches with at most this many characters between them count as one stretch.
const MAX_STRETCH_GAP: usize = 2;
/// A stretch of this many characters is certain; one of [`CHANCE_CHARS`] counts for nothing.
const SURE_STRETCH_CHARS: usize = 8;
/// Characters that may match by chance, or because commentaries repeat the classic.
const CHANCE_CHARS: usize = 2;
/// The longest insertion that counts as a note, in characters.
const MAX_NOTE_CHARS: usize = 400;
/// So many characters may differ without being of another layer.
const MAX_REWORDED_CHARS: usize = 6;
/// Characters on each side that must match for a border to be projected.
const MIN_SIDE_CHARS: usize = 2;

/// What one witness shows of the whole text.
pub struct Testimony {
    /// A vote for each character.
    pub votes: Vec<f64>,
    /// Places of borders, and whether each is exact.
    pub borders: Vec<(usize, bool)>,
    /// The witness has no notes.
    pub plain: bool,
    /// Id of the witness.
    pub id: Arc<str>,
}

impl Testimony {
    /// Votes on the characters that have no vote yet.
    fn fill(&mut self, from: usize, to: usize, vote: f64) {
        self.votes[from..to].iter_mut().filter(|v| **v == 0.0).for_each(|v| *v = vote);
    }
}

/// The votes of a text; none if it is not a witness.
pub fn testimony(
    base: &Base<'_>,
    starts: &[usize],
    other: &Arc<Document>,
    context: &Context<'_>,
) -> Option<Testimony> {
    let (marked, chains) = chains(base, other, context)?;
    let length = base.chars().len();
    let mut testimony = Testimony {
        votes: vec![0.0; length],
        borders: Vec::new(),
        plain: !marked.has_notes,
        id: other.id.as_str().into(),
    };
    let readings = || {
        chains.iter().map(|chain| ChainReading {
            chain,
            marked: &marked,
            base: base.chars(),
            starts,
        })
    };
    // Matches first, so that what one chain only infers never hides what another matches.
    readings().for_each(|r| r.matched(&mut testimony));
    readings().for_each(|r| r.inferred(&mut testimony));
    if !marked.has_notes {
        left_over(&mut testimony, starts);
    }
    testimony.borders.sort_unstable();
    Some(testimony)
}

/// Where the matches of a bare classic stop, what follows is likely a note: up to the next match or
/// the end of the paragraph.
fn left_over(testimony: &mut Testimony, starts: &[usize]) {
    let length = testimony.votes.len();
    let classic: Vec<usize> =
        (0..length).filter(|n| testimony.votes[*n] > 0.0).chain([length]).collect();
    for pair in classic.windows(2) {
        let (from, to) = (pair[0] + 1, pair[1]);
        let within = starts.iter().copied().find(|s| (from + 1..to).contains(s)).unwrap_or(to);
        if (3..=MAX_NOTE_CHARS).contains(&(within - from))
            && testimony.votes[from..within].iter().all(|v| *v == 0.0)
        {
            testimony.votes[from..within].fill(signed(NOTE, 0.4));
        }
    }
}

/// One chain, with what its layers are read from.
struct ChainReading<'a> {
    chain: &'a Chain,
    marked: &'a MarkedText,
    base: &'a [char],
    starts: &'a [usize],
}

impl ChainReading<'_> {
    /// What matches has the layer of the witness.
    fn matched(&self, testimony: &mut Testimony) {
        let strengths = self.strengths();
        for (run, strength) in self.chain.runs.iter().zip(&strengths) {
            for n in 0..run.len {
                testimony.votes[run.a + n] =
                    signed(self.marked.label(run.b + n), strength * self.marked.worth(run.b + n));
            }
        }
        let within = self.chain.runs.iter().zip(&strengths).filter(|(_, s)| **s >= FIRM_VOTE);
        for (run, _) in within {
            let borders = (1..run.len).filter(|n| self.marked.changes(run.b + n));
            // The last characters of a run may match by chance: a border needs matches on both
            // sides.
            testimony.borders.extend(
                borders
                    .filter(|n| {
                        *n >= MIN_SIDE_CHARS.min(run.len / 2)
                            && run.len - n >= MIN_SIDE_CHARS.min(run.len / 2)
                    })
                    .map(|n| (run.a + n, true)),
            );
        }
    }

    /// Votes on what lies between matches.
    fn inferred(&self, testimony: &mut Testimony) {
        let strengths = self.strengths();
        for (runs, strengths) in self.chain.runs.windows(2).zip(strengths.windows(2)) {
            let (from, to, b_from, b_to) = (runs[0].a_end(), runs[1].a, runs[0].b_end(), runs[1].b);
            let strength = strengths[0].min(strengths[1]);
            self.between(from..to, b_from..b_to, strength, testimony);
            if strength >= FIRM_VOTE
                && (from == to || to - from == b_to - b_from)
                && b_to - b_from <= MAX_REWORDED_CHARS
            {
                testimony.borders.extend(self.across(from, to, b_from, b_to));
            }
        }
    }

    /// Borders where characters differ one by one, or where only the witness has text.
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

    /// The strength of each run, by the length of the stretch it belongs to.
    fn strengths(&self) -> Vec<f64> {
        let runs = &self.chain.runs;
        let mut strengths = vec![0.0; runs.len()];
        let mut first = 0;
        for n in 0..runs.len() {
            let ends = runs.get(n + 1).is_none_or(|next| {
                next.a - runs[n].a_end() > MAX_STRETCH_GAP
                    || next.b - runs[n].b_end() > MAX_STRETCH_GAP
            });
            if ends {
                let length: usize = runs[first..=n].iter().map(|r| r.len).sum();
                let strength = (length.saturating_sub(CHANCE_CHARS) as f64
                    / (SURE_STRETCH_CHARS - CHANCE_CHARS) as f64)
                    .min(1.0);
                strengths[first..=n].fill(strength);
                first = n + 1;
            }
        }
        strengths
    }

    /// Votes on `own` characters, in whose place the witness has those of `others`.
    fn between(
        &self,
        own: Range<usize>,
        others: Range<usize>,
        strength: f64,
        testimony: &mut Testimony,
    ) {
        let (from, to, b_from, b_to) = (own.start, own.end, others.start, others.end);
        let strength = (b_from - 1..=b_to).fold(strength, |s, b| s.min(self.marked.worth(b)));
        let (gap, other) = (to - from, b_to - b_from);
        let label = |b: usize| self.marked.label(b);
        if gap == 0 {
            return;
        }
        let around = (b_from - 1..=b_to).all(|b| label(b) == label(b_from));
        let classic = (b_from..b_to).filter(|b| label(*b) == CLASSIC).count();
        // If a witness has notes but none here, it has lost text, and the layer of that is unknown.
        let lost = self.marked.has_notes && classic == other;
        let enclosed = label(b_from - 1) == CLASSIC && label(b_to) == CLASSIC;
        let alike = gap <= MAX_REWORDED_CHARS.min(3 * other + usize::from(lost));
        if around && (alike || label(b_from) == NOTE && gap <= MAX_NOTE_CHARS) {
            testimony.fill(from, to, signed(label(b_from), 0.8 * strength));
        } else if enclosed && 4 * classic <= gap && !lost {
            self.inserted(from, to, other == 0, 0.9 * strength * self.single(from, to), testimony);
        } else if gap == other && gap <= MAX_REWORDED_CHARS {
            (0..gap).for_each(|n| {
                testimony.fill(from + n, from + n + 1, signed(label(b_from + n), 0.6 * strength))
            });
        }
    }

    /// How likely an insertion is one note: unlikely if it spans paragraphs or is very short or
    /// long.
    fn single(&self, from: usize, to: usize) -> f64 {
        let whole = !self.starts.iter().any(|s| (from + 1..to).contains(s));
        if whole && (3..=MAX_NOTE_CHARS).contains(&(to - from)) { 1.0 } else { 0.3 }
    }

    /// A note where the witness has only classic. If its first characters also follow it, it could
    /// begin and end a little later (or earlier, likewise). Those characters get no vote.
    fn inserted(
        &self,
        from: usize,
        to: usize,
        contiguous: bool,
        strength: f64,
        testimony: &mut Testimony,
    ) {
        let a = self.base;
        let (mut later, mut earlier) = (0, 0);
        if contiguous {
            let n = to - from;
            later = (0..n.min(a.len() - to)).take_while(|r| a[from + r] == a[to + r]).count();
            earlier = (1..=n.min(from)).take_while(|r| a[from - r] == a[to - r]).count();
        }
        testimony.fill(from, to, signed(NOTE, strength));
        testimony.votes[from..from + later].fill(0.0);
        testimony.votes[to..to + later].fill(0.0);
        testimony.votes[from - earlier..from].fill(0.0);
        testimony.votes[to - earlier..to].fill(0.0);
        if later + earlier == 0 && strength >= FIRM_VOTE {
            testimony.borders.extend([(from, false), (to, false)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::model::Layer;
    use proptest::prelude::*;

    /// Runs of 經 and 注 in turn. No character occurs twice, so there is one way to match a copy;
    /// they are Hangul, which folding leaves as they are.
    fn runs() -> impl Strategy<Value = Vec<(usize, Vec<char>)>> {
        prop::collection::vec(20..40usize, 10..16).prop_map(|lengths| {
            let mut next = 0xac00..0xc000;
            let mut run = |(n, length): (usize, &usize)| {
                (n % 2, next.by_ref().take(*length).filter_map(char::from_u32).collect())
            };
            lengths.iter().enumerate().map(&mut run).collect()
        })
    }

    /// At the start of a run, in the middle or at its end (0, 1, 2): how many characters are lost
    /// and how many others are there.
    fn gap() -> impl Strategy<Value = (usize, usize, usize)> {
        let place = prop_oneof![2 => Just(0usize), 1 => Just(1), 2 => Just(2)];
        let lost = prop_oneof![1 => Just(0usize), 2 => 7..12usize];
        (place, lost, prop_oneof![1 => Just(0usize), 1 => 1..9usize])
    }

    fn witness(runs: &[(usize, Vec<char>)]) -> Document {
        let words: Vec<String> = runs.iter().map(|(_, w)| w.iter().collect()).collect();
        let pieces: Vec<(Layer, &str)> = runs
            .iter()
            .zip(&words)
            .map(|((label, _), w)| (if *label == CLASSIC { Layer::Jing } else { Layer::Zhu }, &**w))
            .collect();
        Document::of_pieces(&pieces)
    }

    proptest! {
        /// A copy that has lost text, or has other text in its place, may show nothing there, but
        /// never the wrong layer.
        #[test]
        fn a_copy_with_gaps_never_votes_for_the_wrong_layer(
            runs in runs(),
            gaps in prop::collection::vec(prop::option::weighted(0.4, gap()), 16),
        ) {
            let text: Vec<char> = runs.iter().flat_map(|(_, w)| w.clone()).collect();
            let truth: Vec<usize> =
                runs.iter().flat_map(|(label, w)| vec![*label; w.len()]).collect();
            let mut copy = runs;
            let mut strange = (0xc000..0xd000).filter_map(char::from_u32);
            let gaps = gaps.into_iter().zip(&mut copy).filter_map(|(g, (_, words))| Some((g?, words)));
            for ((place, lost, added), words) in gaps {
                let from = (words.len() - lost) * place / 2;
                words.splice(from..from + lost, strange.by_ref().take(added));
            }
            let (base, library) = (Base::new(&text), Library::default());
            let other = Arc::new(witness(&copy));
            let Some(found) = testimony(&base, &[0], &other, &Context::new(&library)) else {
                return Err(TestCaseError::reject("too little is left"));
            };
            for (n, vote) in found.votes.iter().enumerate() {
                let wrong = if truth[n] == CLASSIC { *vote < 0.0 } else { *vote > 0.0 };
                prop_assert!(!wrong, "character {n} of layer {}: {vote}", truth[n]);
            }
            for (at, exact) in found.borders {
                prop_assert!(!exact || truth[at - 1] != truth[at], "no border at {at}");
            }
        }
    }
}
