//! Where the bytes of a text are in another one made from it.

use crate::source::Span;

/// Where bytes of the old text are in the new one.
#[derive(Debug, Default)]
pub struct OffsetMap(Vec<OffsetStretch>);

/// Old bytes that correspond to new ones: one by one if there are equally many, else as a whole.
#[derive(Debug)]
struct OffsetStretch {
    old: usize,
    old_len: usize,
    new: usize,
    new_len: usize,
}

impl OffsetMap {
    /// Adds the next piece: `old_len` bytes at `old` became `new_len` bytes at `new`.
    pub fn push(&mut self, old: usize, old_len: usize, new: usize, new_len: usize) {
        let stretch = OffsetStretch { old, old_len, new, new_len };
        match self.0.last_mut() {
            Some(last) if last.goes_on_in(&stretch) => {
                last.old_len += old_len;
                last.new_len += new_len;
            }
            _ => self.0.push(stretch),
        }
    }

    /// The new place of an old byte; for omitted text, the place where it was.
    fn at(&self, old: usize) -> usize {
        let Some(i) = self.0.partition_point(|s| s.old <= old).checked_sub(1) else { return 0 };
        let s = &self.0[i];
        let inside = old - s.old;
        match inside {
            0 => s.new,
            _ if inside < s.old_len && s.old_len == s.new_len => s.new + inside,
            _ => s.new + s.new_len,
        }
    }

    /// What is left of a span, empty if nothing.
    pub fn whole(&self, span: Span) -> Span {
        let start = self.at(span.start());
        Span::new(start, self.at(span.end()).max(start))
    }

    /// What is left of a span, if anything; an empty one keeps its place.
    pub fn span(&self, span: Span) -> Option<Span> {
        let new = self.whole(span);
        (span.is_empty() || !new.is_empty()).then_some(new)
    }
}

impl OffsetStretch {
    fn goes_on_in(&self, next: &OffsetStretch) -> bool {
        let plain = |s: &OffsetStretch| s.old_len == s.new_len;
        plain(self)
            && plain(next)
            && self.old + self.old_len == next.old
            && self.new + self.new_len == next.new
    }
}
