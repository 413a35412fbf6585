//! Which works a title may name a chapter of, at a glance: a text without punctuation has thousands
//! of lines that might be titles.

use super::titles::{is_joint, is_private};
use super::{Slot, Works, folded};

/// Characters of the longest name of a part or a chapter; a test counts them.
pub(super) const MAX_NAME_CHARS: usize = 16;

impl Works {
    /// Works, as indices of [`all`](Self::all), of which a title may name a part or a chapter: some
    /// part of it begins with such a name, be it after the name of the work. A quick look, for the
    /// many lines that are no title.
    pub(crate) fn perhaps_named_in(&self, title: &str) -> Vec<usize> {
        let known: String = title.chars().filter(|c| !is_private(*c)).collect();
        let plain = known.replace("章句", "");
        let mut all = vec![];
        for part in [title, &known, &plain].into_iter().flat_map(|t| t.split(is_joint)) {
            // A name may have 篇 that the title lacks.
            let words = folded(part) + "篇";
            for (end, slot) in self.slots_of_beginnings(&words) {
                if slot.is_work() {
                    let rest = self.slots_of_beginnings(&words[end..]);
                    all.extend(rest.map(|(_, s)| s.work).filter(|w| *w == slot.work));
                } else {
                    all.push(slot.work);
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What may be called as folded words begin, with the length of each beginning.
    fn slots_of_beginnings<'a>(
        &'a self,
        words: &'a str,
    ) -> impl Iterator<Item = (usize, &'a Slot)> {
        let ends = words.char_indices().map(|(i, c)| i + c.len_utf8()).take(MAX_NAME_CHARS);
        let slots = move |end: usize| Some((end, self.names.get(&words[..end])?));
        ends.filter_map(slots).flat_map(|(end, slots)| slots.iter().map(move |s| (end, s)))
    }
}
