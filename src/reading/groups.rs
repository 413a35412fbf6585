//! The groups of the index (節), a number for each segment.
//!
//! A group begins with classic after a note, a label or a sub-commentary, with a paragraph of the
//! classic, at a heading and at a division. A note inside a sentence of punctuated text ends
//! nothing. Everything since the previous 疏 (or a heading) is one group with the 疏 that follows it;
//! a 集釋, which follows each note, ends only its own group.

use super::{Chapter, Element};
use crate::model::{Document, Layer, LayerKind};
use crate::text::ends_with_sentence;

/// The number of the group of every segment, ascending.
pub(crate) fn groups(chapter: &Chapter, document: &Document) -> Vec<u32> {
    let mut walk = Walk {
        document,
        punctuated: document.is_punctuated(),
        now: 0,
        closed: Closed::No,
        base: None,
        division: None,
    };
    let mut groups = vec![0; document.segments.len()];
    for portion in chapter.segments() {
        walk.add(chapter.first(portion));
        groups[portion.segment()] = walk.now;
    }
    joined(document, groups)
}

/// What has ended the current group.
#[derive(Clone, Copy, PartialEq)]
enum Closed {
    No,
    /// A note: the sentence may continue after it.
    Note,
    /// A label, a sub-commentary, a heading.
    Wholly,
}

struct Walk<'a> {
    document: &'a Document,
    punctuated: bool,
    now: u32,
    closed: Closed,
    /// The last segment of the classic.
    base: Option<usize>,
    division: Option<usize>,
}

impl Walk<'_> {
    /// Adds the first element of a segment.
    fn add(&mut self, first: &Element) {
        if !first.layer.is_text() {
            return;
        }
        let mut begin = first.division() != self.division;
        self.division = first.division();
        match first.layer.kind() {
            LayerKind::Base | LayerKind::Undivided | LayerKind::Translation => {
                let goes_on = self.closed == Closed::Note && self.is_in_sentence();
                begin |= first.gap.blank_line() || (self.closed != Closed::No && !goes_on);
                self.closed = Closed::No;
                self.base = Some(first.segment());
            }
            LayerKind::Note if self.closed == Closed::No => self.closed = Closed::Note,
            LayerKind::Note => {}
            _ => {
                begin |= first.layer == Layer::Heading;
                self.closed = Closed::Wholly;
            }
        }
        self.now += u32::from(begin);
    }

    /// The classic broke off within a sentence.
    fn is_in_sentence(&self) -> bool {
        let base = self.base.map(|b| self.document.segments[b].span);
        self.punctuated && base.is_some_and(|s| !ends_with_sentence(self.document.slice(s)))
    }
}

/// Joins the groups that one 疏 explains.
fn joined(document: &Document, mut groups: Vec<u32>) -> Vec<u32> {
    // The first segment that no 疏 and no heading has closed yet.
    let mut open = 0;
    let mut i = 0;
    while i < groups.len() {
        let last = i + groups[i..].iter().take_while(|g| **g == groups[i]).count();
        let layers = || document.segments[i..last].iter().map(|s| s.layer);
        if layers().any(|l| matches!(l, Layer::Shu | Layer::ShuHeader)) {
            let first = groups[open];
            groups[open..last].fill(first);
            open = last;
        } else if layers().any(|l| l == Layer::Heading) {
            open = last;
        }
        i = last;
    }
    groups
}
