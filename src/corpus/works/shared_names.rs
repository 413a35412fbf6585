//! Names that a work shares with the end of the title of another.

use super::{Slot, Work, Works, folded};

impl Works {
    /// The work that has a chapter which the part with this name lacks, if the name is the end of
    /// its title: 周書・時訓 is in the 逸周書, not in the 周書 of the 尚書.
    pub(super) fn elsewhere(&self, name: &str, slots: &[Slot], rest: &[String]) -> Option<Slot> {
        let ([part], [chapter]) = (slots, rest) else { return None };
        if part.part.is_none() || part.chapter.is_some() || self.run_on(part, chapter).is_some() {
            return None;
        }
        let ends = |w: &Work| w.title.ends_with(name) || folded(&w.title).ends_with(name);
        let works = (0..self.works.len()).filter(|i| *i != part.work && ends(&self.works[*i]));
        let mut tops = works.map(|work| Slot { work, part: None, chapter: None, bare: true });
        tops.find(|top| self.within(top, chapter).is_some())
    }
}
