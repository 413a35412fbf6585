//! Characters of the classic that its note repeats, anywhere in the note and at its end, where many
//! notes come back to the words they explain (故曰，知存亡之門戶也).

use crate::passes::layers::split::feature::Feature;

/// How far before a note what it repeats is looked for, in characters.
const BEFORE_CHARS: usize = 30;
/// How far after classic what repeats it is looked for, in characters.
const AFTER_CHARS: usize = 60;
/// The end of a note, in characters.
const END_CHARS: usize = 10;

/// Where each character of a paragraph occurs next to its other places.
pub struct RepeatedCharacters {
    /// For each character: one past its last place before, 0 if there is none.
    before: Vec<usize>,
    /// For each character: its next place, the length of the paragraph if there is none.
    after: Vec<usize>,
    rarity: Vec<f64>,
}

impl RepeatedCharacters {
    /// Finds the places; `rarity` has a weight for each character.
    pub fn of(chars: &[char], rarity: &[f64]) -> Self {
        let mut last = rustc_hash::FxHashMap::default();
        let (mut before, mut after) = (vec![0; chars.len()], vec![chars.len(); chars.len()]);
        for (k, c) in chars.iter().enumerate() {
            if let Some(earlier) = last.insert(*c, k) {
                before[k] = earlier + 1;
                after[earlier] = k;
            }
        }
        RepeatedCharacters { before, after, rarity: rarity.to_vec() }
    }

    /// What a note `from..to` repeats of the characters before it.
    pub fn of_note(&self, from: usize, to: usize, out: &mut Vec<(Feature, f64)>) {
        if from == 0 {
            return;
        }
        let near = from.saturating_sub(BEFORE_CHARS);
        let end = from.max(to.saturating_sub(END_CHARS));
        out.push((Feature::NoteEchoesAtEnd, self.share(end, to, |k| self.occurs(k, near, from))));
        let head = to.min(from + AFTER_CHARS);
        out.push((Feature::NoteEchoesAll, self.share(from, head, |k| self.occurs(k, near, from))));
    }

    /// What the text after classic `from..to` repeats of it.
    pub fn of_classic(&self, from: usize, to: usize, out: &mut Vec<(Feature, f64)>) {
        if to == self.after.len() {
            return;
        }
        let limit = to + AFTER_CHARS;
        let repeated = |k: usize| {
            let mut at = self.after[k];
            while at < to {
                at = self.after[at];
            }
            at < limit && at < self.after.len()
        };
        let from = from.max(to.saturating_sub(BEFORE_CHARS));
        out.push((Feature::ClassicEchoedAfter, self.share(from, to, repeated)));
    }

    /// True if character `k` occurs in `near..from` too.
    fn occurs(&self, k: usize, near: usize, from: usize) -> bool {
        let mut at = self.before[k];
        while at > from {
            at = self.before[at - 1];
        }
        at > near
    }

    /// The share of the characters `from..to` of which something is true; rare ones count more.
    fn share(&self, from: usize, to: usize, is: impl Fn(usize) -> bool) -> f64 {
        let all: f64 = self.rarity[from..to].iter().sum();
        let found: f64 = (from..to).filter(|k| is(*k)).map(|k| self.rarity[k]).sum();
        if all > 0.0 { found / all } else { 0.0 }
    }
}
