//! Which kind of titles cuts a book into chapters: the outermost series of numbers, unless the list
//! of works knows the chapters.

use std::collections::{HashMap, HashSet};

use super::headings::{FoundTitles, Numbering, TitleShape};
use super::series;
use crate::corpus::Works;
use crate::corpus::works::Named;

/// Least number of volumes, or of chapters that are named, that show what a book is cut by.
pub(super) const MIN_NAMED: usize = 3;

impl FoundTitles {
    /// How many titles go on in a series of numbers.
    pub(super) fn steps(&self, members: &[usize]) -> usize {
        let hexagram = |n: &usize| self.titles[*n].shape.numbering == Numbering::Hexagram;
        match members.iter().all(hexagram) {
            true => members.len(),
            false => series::going_on(&self.numbers(members)).iter().filter(|f| **f).count(),
        }
    }

    pub(super) fn numbers(&self, members: &[usize]) -> Vec<Option<u32>> {
        members.iter().map(|n| series::number(&self.titles[*n])).collect()
    }

    /// How many runs of titles have no text between them.
    pub(super) fn runs(&self, members: &[usize]) -> usize {
        let line = |n: usize| self.titles[n].line;
        let apart = |w: &&[usize]| self.text[line(w[0]) + 1..line(w[1])].contains(&true);
        1 + members.windows(2).filter(apart).count()
    }

    /// The shape of titles that begins chapters where the list of works does not know them:
    /// numbered titles before volumes before marked titles.
    pub(super) fn cutting_shape(
        &self,
        blocks: &[Vec<usize>],
        alone: &HashSet<usize>,
    ) -> Option<TitleShape> {
        let mut counts: HashMap<&TitleShape, Vec<usize>> = HashMap::new();
        for n in blocks.iter().flatten() {
            counts.entry(&self.titles[*n].shape).or_default().push(*n);
        }
        let rank = |shape: &TitleShape, members: &[usize]| {
            let numbered = matches!(shape.numbering, Numbering::After | Numbering::Before)
                && self.steps(members) >= 2;
            let volumes = shape.volume && self.steps(members) >= 2;
            let items = shape.numbering == Numbering::List && self.steps(members) >= 2;
            let alone = members.iter().any(|n| alone.contains(n));
            let marked = (shape.mark.is_some() || alone) && members.len() >= 2;
            let rank = [marked, items, volumes, numbered];
            (rank.iter().rposition(|holds| *holds).map_or(0, |r| r + 1), members.len())
        };
        let best = counts
            .into_iter()
            .max_by_key(|(shape, members)| (rank(shape, members), members.first().copied()))?;
        (rank(best.0, &best.1).0 > 0).then(|| best.0.clone())
    }

    /// The shape of volumes, if they are the outermost series: the list of works names few of the
    /// chapters, and other numbers begin again in each volume or are in few of them.
    pub(super) fn outer_volumes(&self, blocks: &[Vec<usize>], named: usize) -> Option<TitleShape> {
        let mut counts: HashMap<&TitleShape, Vec<usize>> = HashMap::new();
        for n in blocks.iter().flatten().filter(|n| self.titles[**n].shape.volume) {
            counts.entry(&self.titles[*n].shape).or_default().push(*n);
        }
        let (shape, volumes) = counts.into_iter().max_by_key(|(_, m)| (m.len(), m[0]))?;
        let numbers = self.numbers(&volumes);
        let distinct = numbers.iter().flatten().collect::<HashSet<_>>().len();
        if distinct < MIN_NAMED || self.steps(&volumes) * 10 < volumes.len() * 9 {
            return None;
        }
        let inner: Vec<usize> = blocks
            .iter()
            .flatten()
            .copied()
            .filter(|n| {
                let shape = &self.titles[*n].shape;
                !shape.volume && matches!(shape.numbering, Numbering::After | Numbering::Before)
            })
            .collect();
        let first = |at: usize| inner.partition_point(|n| *n < at);
        let held = |w: &[usize]| first(w[0]) < first(w[1]);
        let ends = volumes.iter().copied().chain([self.titles.len()]).collect::<Vec<_>>();
        let holding = ends.windows(2).filter(|w| held(w)).count();
        let begins_again = series::restarts(&self.numbers(&inner)) * 2 >= distinct;
        let few_inside = holding * 2 < distinct;
        let few_named = named < 2 || named * 3 < distinct * 2;
        (few_named && (begins_again || few_inside)).then(|| shape.clone())
    }
}

/// True if titles name most chapters that the list of works has, or most of its parts.
pub(super) fn names_most<'n>(
    named: impl Iterator<Item = &'n Named> + Clone,
    work: Option<&str>,
    works: &Works,
) -> bool {
    let Some(work) = work.and_then(|w| works.work(w)) else { return false };
    let distinct = |chapters: bool| {
        let of_kind = named.clone().filter(|n| n.chapter.is_some() == chapters);
        of_kind.map(Named::locus).collect::<HashSet<_>>().len()
    };
    let chapters = work.chapters.len() + work.part.iter().map(|p| p.chapters.len()).sum::<usize>();
    let most = |n: usize, of: usize| n >= MIN_NAMED && of > 0 && n * 5 >= of * 4;
    most(distinct(true), chapters) || most(distinct(false), work.part.len())
}
