//! Which 節 each segment belongs to.
//!
//! A 節 begins with words of the classic after a note, a label or a sub-commentary, with a
//! paragraph of the classic, at a heading and at a division. A note inside a sentence of punctuated
//! text ends nothing. Where a 疏 stands, all that has stood since the one before (or since a
//! heading) is one 節 with it; a 集釋, which stands after each note, ends only its own.

use crate::model::{Document, Layer, LayerKind};
use crate::text::class::{closes, ends_sentence};

/// The number of the 節 of every segment, rising.
pub(super) fn groups(document: &Document) -> Vec<u32> {
    let mut walk = Walk {
        document,
        punctuated: is_punctuated(document),
        now: 0,
        closed: Closed::No,
        paragraph: false,
        base: None,
        division: None,
    };
    let fine: Vec<u32> = (0..document.segments.len()).map(|i| walk.group(i)).collect();
    joined(document, fine)
}

/// What has ended the passage that is being read.
#[derive(Clone, Copy, PartialEq)]
enum Closed {
    No,
    /// A note: the sentence may go on after it.
    Note,
    /// A label, a sub-commentary, a heading.
    Wholly,
}

struct Walk<'a> {
    document: &'a Document,
    punctuated: bool,
    now: u32,
    closed: Closed,
    /// The source has ended a line since the last words.
    paragraph: bool,
    /// The last segment of the classic.
    base: Option<usize>,
    division: Option<usize>,
}

impl Walk<'_> {
    fn group(&mut self, i: usize) -> u32 {
        let s = &self.document.segments[i];
        if !s.layer.is_text() {
            self.paragraph |= s.layer == Layer::Blank && self.document.slice(s.span).contains('\n');
            return self.now;
        }
        let paragraph = std::mem::take(&mut self.paragraph);
        let division = self
            .document
            .divisions
            .partition_point(|d| d.span.start() <= s.span.start())
            .checked_sub(1);
        let mut begin = division != self.division;
        self.division = division;
        match s.layer.kind() {
            LayerKind::Base | LayerKind::Undivided | LayerKind::Translation => {
                let goes_on = self.closed == Closed::Note && !paragraph && self.in_sentence();
                begin |= paragraph || (self.closed != Closed::No && !goes_on);
                self.closed = Closed::No;
                self.base = Some(i);
            }
            LayerKind::Note if self.closed == Closed::No => self.closed = Closed::Note,
            LayerKind::Note => {}
            _ => {
                begin |= s.layer == Layer::Heading;
                self.closed = Closed::Wholly;
            }
        }
        self.now += u32::from(begin);
        self.now
    }

    /// The classic broke off within a sentence.
    fn in_sentence(&self) -> bool {
        self.punctuated
            && self.base.is_some_and(|b| !ends(self.document.slice(self.document.segments[b].span)))
    }
}

/// Joins the passages that one 疏 explains.
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

/// True if most runs of the classic end with a sentence, so that one that does not is interrupted.
fn is_punctuated(document: &Document) -> bool {
    let base: Vec<_> =
        document.segments.iter().filter(|s| s.layer.kind() == LayerKind::Base).collect();
    base.iter().filter(|s| ends(document.slice(s.span))).count() * 2 > base.len()
}

fn ends(words: &str) -> bool {
    words.trim_end_matches(|c: char| closes(c) || c.is_whitespace()).ends_with(ends_sentence)
}
