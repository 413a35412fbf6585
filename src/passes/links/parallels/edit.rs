//! What differs between a part of the text in the last build and now.

use std::ops::Range;

/// The stretch in which two versions of a text differ, from the first difference to the last.
/// Characters from the beginning of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    start: u32,
    /// Where it ended, and where it ends now.
    ends: [u32; 2],
}

impl Edit {
    /// That between two versions.
    pub fn between(old: &[char], new: &[char]) -> Self {
        let start = old.iter().zip(new).take_while(|(x, y)| x == y).count();
        let [x, y] = [old, new].map(|text| text[start..].iter().rev());
        let same = x.zip(y).take_while(|(x, y)| x == y).count();
        Edit { start: start as u32, ends: [old, new].map(|text| (text.len() - same) as u32) }
    }

    /// The stretch in each version, with so many characters before and after it.
    pub fn with_context(&self, chars: usize, lengths: [usize; 2]) -> [Range<usize>; 2] {
        let start = (self.start as usize).saturating_sub(chars);
        [0, 1].map(|n| start..(self.ends[n] as usize + chars).min(lengths[n]))
    }

    /// True if it touches a range of the old version.
    pub fn touches(&self, range: &Range<u32>) -> bool {
        self.start <= range.end && range.start <= self.ends[0]
    }

    /// Where a place of the old version is now. A place within the stretch is moved to its
    /// beginning or to its end.
    pub fn start_moved(&self, at: u32) -> u32 {
        if at < self.ends[0] { at.min(self.start) } else { at - self.ends[0] + self.ends[1] }
    }

    /// The same for the end of a range.
    pub fn end_moved(&self, at: u32) -> u32 {
        if at <= self.start { at } else { at.max(self.ends[0]) - self.ends[0] + self.ends[1] }
    }

    /// A range of the old version, as it is now.
    pub fn moved(&self, range: &Range<u32>) -> Range<u32> {
        self.start_moved(range.start)..self.end_moved(range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn what_is_beyond_an_edit_moves_with_it() {
        let edit = Edit::between(&chars("甲乙丙丁戊己"), &chars("甲乙天地人戊己"));
        assert_eq!(edit, Edit { start: 2, ends: [4, 5] });
        assert_eq!(edit.moved(&(0..2)), 0..2);
        assert_eq!(edit.moved(&(4..6)), 5..7);
        assert_eq!(edit.moved(&(1..3)), 1..5);
        assert_eq!(edit.moved(&(3..6)), 2..7);
        assert!(edit.touches(&(0..2)) && edit.touches(&(4..5)));
        assert!(!edit.touches(&(0..1)) && !edit.touches(&(5..6)));
        assert_eq!(edit.with_context(2, [6, 7]), [0..6, 0..7]);
    }

    #[test]
    fn what_is_put_in_or_left_out_has_no_length_on_one_side() {
        let put_in = Edit::between(&chars("甲乙"), &chars("甲天乙"));
        assert_eq!(put_in, Edit { start: 1, ends: [1, 2] });
        assert_eq!([put_in.moved(&(0..1)), put_in.moved(&(1..2))], [0..1, 2..3]);
        let left_out = Edit::between(&chars("甲甲乙"), &chars("甲乙"));
        assert_eq!(left_out, Edit { start: 1, ends: [2, 1] });
    }
}
