//! The results of a query.

use std::collections::HashMap;

use super::answer::said_by;
use super::eval::{self, HitRange, Options};
use super::index::Index;
use super::query::{Query, QueryNode};
use super::store::file::Region;
use super::units::DocMeta;
use crate::diag::Error;

/// The hits of a query.
#[derive(Clone, Debug)]
pub struct SearchResults<'i> {
    pub(super) index: &'i Index,
    pub(super) hits: Vec<HitRange>,
    /// The query.
    pub(super) node: QueryNode,
    pub(super) options: Options,
}

/// What hits are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// By layer: 經, 注.
    Layer,
    /// By work.
    Work,
    /// By work and chapter.
    Chapter,
    /// By who speaks.
    Commentator,
    /// By witness: each document separately.
    Witness,
}

impl Index {
    /// Answers a query.
    ///
    /// # Errors
    /// When the index cannot be read or is damaged.
    pub fn search(&self, query: &Query, options: Options) -> Result<SearchResults<'_>, Error> {
        Ok(SearchResults {
            index: self,
            hits: eval::hits(self, query, options)?,
            node: query.node.clone(),
            options,
        })
    }
}

impl SearchResults<'_> {
    /// How many hits there are.
    pub fn total(&self) -> usize {
        self.hits.len()
    }

    /// How many hits there are for each layer, work …, the largest count first.
    ///
    /// # Errors
    /// When the index cannot be read or is damaged.
    pub fn count(&self, by: Facet) -> Result<Vec<(String, usize)>, Error> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut hits = &self.hits[..];
        while let Some(first) = hits.first() {
            let file = &self.index.files[first.file as usize];
            let region = file.region_at(first.start)?;
            let n = hits.partition_point(|h| h.file == first.file && h.start < region.end).max(1);
            let meta = file.meta(region.doc)?;
            let reports = !meta.speeches.of(file.units_in_document(region)?).is_empty();
            if by == Facet::Commentator && reports {
                for hit in &hits[..n] {
                    let said = said_by(file, hit, &file.unit_at(hit.start)?, &meta)?;
                    let name = said.unwrap_or_else(|| label(by, &meta, region));
                    *counts.entry(name).or_default() += 1;
                }
                hits = &hits[n..];
                continue;
            }
            *counts.entry(label(by, &meta, region)).or_default() += n;
            hits = &hits[n..];
        }
        Ok(ranked(counts))
    }
}

fn label(by: Facet, meta: &DocMeta, region: &Region) -> String {
    let work = || meta.work.clone().unwrap_or_else(|| meta.title.clone());
    match by {
        Facet::Layer => region.sub.unwrap_or(region.layer).zh().to_string(),
        Facet::Work => work(),
        Facet::Chapter => meta.chapter.as_ref().map_or_else(work, |c| format!("{}・{c}", work())),
        Facet::Commentator => meta
            .by(region.layer)
            .map_or_else(|| format!("({})", region.layer.zh()), |a| a.name.clone()),
        Facet::Witness => {
            meta.siglum.as_ref().map_or_else(|| meta.id.clone(), |s| format!("{} {s}", meta.id))
        }
    }
}

/// Counts, largest first; equal counts in the order of their names.
pub(super) fn ranked(counts: HashMap<String, usize>) -> Vec<(String, usize)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}
