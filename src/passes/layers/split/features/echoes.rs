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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(out: &[(Feature, f64)], feature: Feature) -> Option<f64> {
        out.iter().find(|(f, _)| *f == feature).map(|(_, value)| *value)
    }

    proptest! {
        #[test]
        fn shares_are_those_of_a_search_of_all_characters(
            text in "[甲乙丙丁戊己庚辛壬癸]{2,140}",
            from in any::<prop::sample::Index>(),
            to in any::<prop::sample::Index>(),
        ) {
            let chars: Vec<char> = text.chars().collect();
            let rarity: Vec<f64> = chars.iter().map(|c| f64::from(*c as u32 % 7 + 1)).collect();
            let (from, to) = (from.index(chars.len()), to.index(chars.len()));
            let (from, to) = (from.min(to), from.max(to) + 1);
            let share = |part: std::ops::Range<usize>, others: &[char]| {
                let all: f64 = rarity[part.clone()].iter().sum();
                let found = part.filter(|k| others.contains(&chars[*k])).map(|k| rarity[k]);
                found.sum::<f64>() / all
            };
            let is = |found: Option<f64>, wanted: f64| {
                found.is_some_and(|share| (share - wanted).abs() < 1e-9)
            };
            let repeated = RepeatedCharacters::of(&chars, &rarity);
            let mut out = vec![];
            repeated.of_note(from, to, &mut out);
            if from == 0 {
                prop_assert!(out.is_empty(), "nothing is before the first note");
            } else {
                let before = &chars[from.saturating_sub(BEFORE_CHARS)..from];
                let all = share(from..to.min(from + AFTER_CHARS), before);
                let at_end = share(from.max(to.saturating_sub(END_CHARS))..to, before);
                prop_assert!(is(value(&out, Feature::NoteEchoesAll), all), "{out:?} {all}");
                prop_assert!(is(value(&out, Feature::NoteEchoesAtEnd), at_end), "{out:?} {at_end}");
            }
            let mut out = vec![];
            repeated.of_classic(from, to, &mut out);
            if to == chars.len() {
                prop_assert!(out.is_empty(), "nothing is after the last classic");
            } else {
                let after = &chars[to..chars.len().min(to + AFTER_CHARS)];
                let after = share(from.max(to.saturating_sub(BEFORE_CHARS))..to, after);
                prop_assert!(is(value(&out, Feature::ClassicEchoedAfter), after), "{out:?} {after}");
            }
        }
    }
}
