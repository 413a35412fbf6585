//! What is beside a passage: its translation, or on the page of a translation its classic.

use std::collections::HashMap;

use crate::corpus::Library;
use crate::model::{Bead, Document};
use crate::reading::ChapterText;
use crate::reading::Passages;
use crate::source::Span;

/// Longest stretch without counterpart that is shown at its place; longer ones go to the end of the
/// page.
const MAX_BEADS_IN_PLACE: usize = 3;

/// A bead, from the side of the page's document.
#[derive(Clone, Copy)]
pub(super) struct Beside<'a> {
    /// Number of the alignment and of the bead in it.
    pub(super) key: (usize, usize),
    pub(super) bead: &'a Bead,
    pub(super) other: &'a Document,
    /// Its spans in the page's document.
    pub(super) here: &'a [Span],
    /// Its spans in the other document.
    pub(super) there: &'a [Span],
}

/// Everything beside a document.
#[derive(Default)]
pub(super) struct Companions<'a> {
    /// By passage.
    by_passage: HashMap<usize, Vec<Beside<'a>>>,
    /// By element: keys of the beads it is in.
    by_place: HashMap<usize, Vec<(usize, usize)>>,
    /// Long stretches of the other text without counterpart here.
    pub(super) left_over: Vec<Beside<'a>>,
    /// Beads of the page without counterpart there.
    pub(super) bare: usize,
    /// True if there is anything beside the text.
    pub(super) any: bool,
}

impl<'a> Companions<'a> {
    pub(super) fn of(
        chapter: &ChapterText<'_>,
        passages: &Passages<'_>,
        library: &'a Library,
    ) -> Self {
        let mut all = Companions::default();
        let id = &chapter.document.id;
        let first = |n| passages.portions(n).next().map_or(0, |p| p.elements().start);
        let starts: Vec<usize> = (0..passages.len()).map(first).collect();
        for (n, alignment) in library.alignments.iter().enumerate() {
            let forward = alignment.source == *id;
            let other = if forward { &alignment.translation } else { &alignment.source };
            // The page has a translation of its own where it stands.
            let is_own = alignment.source == alignment.translation;
            if is_own || !forward && alignment.translation != *id {
                continue;
            }
            let Some(other) = library.get(other) else { continue };
            let beads = alignment.beads.iter().enumerate().map(|(i, bead)| {
                let (here, there) = if forward {
                    (&bead.source, &bead.translation)
                } else {
                    (&bead.translation, &bead.source)
                };
                Beside { key: (n, i), bead, other, here, there }
            });
            all.add(chapter, &starts, beads);
        }
        all.any = !all.by_passage.is_empty();
        if !all.any {
            // The other text has another part of the work: nothing of it belongs on this page.
            all.left_over.clear();
        }
        all
    }

    fn add(
        &mut self,
        chapter: &ChapterText<'_>,
        starts: &[usize],
        beads: impl Iterator<Item = Beside<'a>>,
    ) {
        let mut waiting: Vec<Beside<'a>> = Vec::new();
        let mut passage = None;
        for beside in beads {
            let Some(first) = beside.here.iter().map(|s| chapter.meet(*s)).find(|r| !r.is_empty())
            else {
                if !beside.there.is_empty() {
                    waiting.push(beside);
                }
                continue;
            };
            if beside.there.is_empty() {
                self.bare += 1;
                continue;
            }
            match passage {
                Some(p) if waiting.len() <= MAX_BEADS_IN_PLACE => {
                    self.by_passage.entry(p).or_default().append(&mut waiting)
                }
                _ => self.left_over.append(&mut waiting),
            }
            let now = starts.partition_point(|s| *s <= first.start).saturating_sub(1);
            self.by_passage.entry(now).or_default().push(beside);
            for place in beside.here.iter().flat_map(|s| chapter.meet(*s)) {
                let keys = self.by_place.entry(place).or_default();
                if keys.last() != Some(&beside.key) {
                    keys.push(beside.key);
                }
            }
            passage = Some(now);
        }
        self.left_over.append(&mut waiting);
    }

    /// What is beside passage number `n`.
    pub(super) fn of_passage(&self, n: usize) -> &[Beside<'a>] {
        self.by_passage.get(&n).map_or(&[], Vec::as_slice)
    }

    /// Keys of the beads that an element is in, for `data-b`.
    pub(super) fn keys(&self, place: usize) -> Option<String> {
        let keys = self.by_place.get(&place)?;
        Some(keys.iter().map(|(a, b)| format!("{a}-{b}")).collect::<Vec<_>>().join(" "))
    }
}
