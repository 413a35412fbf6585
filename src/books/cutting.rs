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

    /// The first of each run of titles that have no text between them.
    pub(super) fn first_of_runs(&self, members: &[usize]) -> Vec<usize> {
        let line = |n: usize| self.titles[n].line;
        let apart = |a: usize, b: usize| self.text[line(a) + 1..line(b)].contains(&true);
        let runs = members.chunk_by(|a, b| !apart(*a, *b));
        runs.map(|run| run[0]).collect()
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

    /// The volumes of the commonest shape, if they are a series.
    pub(super) fn volumes(&self, blocks: &[Vec<usize>]) -> Option<Vec<usize>> {
        let mut counts: HashMap<&TitleShape, Vec<usize>> = HashMap::new();
        for block in blocks {
            let mut seen = HashSet::new();
            for n in block.iter().filter(|n| self.titles[**n].shape.volume) {
                let shape = &self.titles[*n].shape;
                // Below 卷3, the number in 九章算術卷第二 is another.
                if seen.insert(shape) {
                    counts.entry(shape).or_default().push(*n);
                }
            }
        }
        let volumes = counts.into_values().max_by_key(|m| (m.len(), m[0]))?;
        let series = self.steps(&volumes) * 10 >= volumes.len() * 9;
        (self.distinct(&volumes) >= MIN_NAMED && series).then_some(volumes)
    }

    /// How many numbers titles have.
    pub(super) fn distinct(&self, members: &[usize]) -> usize {
        self.numbers(members).iter().flatten().collect::<HashSet<_>>().len()
    }

    /// True if volumes are the outermost series: the list of works names few of the chapters, and
    /// other numbers begin again in each volume or are in few of them.
    pub(super) fn are_outermost(
        &self,
        volumes: &[usize],
        blocks: &[Vec<usize>],
        named: usize,
    ) -> bool {
        let distinct = self.distinct(volumes);
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
        few_named && (begins_again || few_inside)
    }
}

/// True if titles name most chapters that the list of works has, or most of its parts. Where there
/// are about as many volumes as chapters, they are the chapters.
pub(super) fn names_most<'n>(
    named: impl Iterator<Item = &'n Named> + Clone,
    volumes: usize,
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
    let one_each = most(volumes, chapters) && most(chapters, volumes);
    !one_each && most(distinct(true), chapters) || most(distinct(false), work.part.len())
}
