//! Evaluates a query: from its tree to hits.
//!
//! A part of a query is evaluated within a [`Scope`] (which layers, documents, speakers; whether
//! AND means the same 節 or the same unit) and gives the hits in order. The text is read only to
//! verify a phrase or to show it.

mod names;
mod relation;
mod scan;
mod scope;
mod words;

use std::collections::HashSet;

use self::scan::Scan;
use self::scope::Scope;
pub(super) use self::scope::{holds, is_named};
pub(super) use self::words::frequency;
use super::index::Index;
use super::query::{Query, QueryNode};
use super::store::file::IndexFile;
use super::units::Placed;
use crate::diag::Error;

/// Which characters count as the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folding {
    /// Variants and both scripts: 賔 is 賓, 云 is 雲.
    #[default]
    Full,
    /// Both scripts, but not variants: 云 is 雲, 賔 is not 賓.
    Script,
    /// Only the character itself.
    Exact,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which characters count as the same.
    pub folding: Folding,
    /// The classic is searched across the notes that interrupt it (跨夾注).
    pub crossing: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { folding: Folding::Full, crossing: true }
    }
}

/// Where something was found: positions in a file of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct HitRange {
    pub(super) file: u32,
    pub(super) start: u32,
    pub(super) len: u32,
}

impl HitRange {
    pub(super) fn end(&self) -> u32 {
        self.start + self.len
    }
}

/// All hits of a query, in the order of the index.
pub(super) fn hits(index: &Index, query: &Query, options: Options) -> Result<Vec<HitRange>, Error> {
    Evaluator { index, options }.node(&query.node, &Scope::default())
}

/// All hits of a part of a query.
pub(super) fn hits_of(
    index: &Index,
    node: &QueryNode,
    options: Options,
) -> Result<Vec<HitRange>, Error> {
    Evaluator { index, options }.node(node, &Scope::default())
}

/// True if a stretch is in one run: no break is in it.
pub(super) fn is_unbroken(index: &Index, hit: &HitRange) -> Result<bool, Error> {
    words::unbroken(&index.files[hit.file as usize], hit.start, hit.end())
}

/// Which regions of each file the hits of a query can be in; `None` for all of a file.
pub(super) fn reach(index: &Index, node: &QueryNode) -> Result<Vec<Option<Vec<bool>>>, Error> {
    index.files.iter().map(|file| reach_in(file, node, &Scope::default())).collect()
}

fn reach_in(file: &IndexFile, node: &QueryNode, scope: &Scope) -> Result<Option<Vec<bool>>, Error> {
    match node {
        QueryNode::Phrase(_)
        | QueryNode::Regex(_)
        | QueryNode::Any
        | QueryNode::Marked(..)
        | QueryNode::Near(..) => scope.regions(file),
        QueryNode::In(layers, inner) => reach_in(file, inner, &scope.within(layers)),
        QueryNode::On(a, _) => reach_in(file, a, scope),
        QueryNode::Either(parts) => union(parts.iter().map(|p| reach_in(file, p, scope))),
        QueryNode::All(parts) => {
            let scope = scope.filtered(parts);
            let mut found = parts
                .iter()
                .filter(|p| !matches!(p, QueryNode::Not(_) | QueryNode::Filter(_)))
                .peekable();
            if found.peek().is_none() {
                return scope.regions(file);
            }
            union(found.map(|p| reach_in(file, p, &scope)))
        }
        QueryNode::Not(_) | QueryNode::Filter(_) => {
            reach_in(file, &QueryNode::All(vec![node.clone()]), scope)
        }
    }
}

/// The regions that are in any of several sets.
fn union(
    all: impl Iterator<Item = Result<Option<Vec<bool>>, Error>>,
) -> Result<Option<Vec<bool>>, Error> {
    let mut reached: Option<Vec<bool>> = None;
    for one in all {
        let Some(one) = one? else { return Ok(None) };
        reached = Some(match reached {
            Some(reached) => reached.iter().zip(one).map(|(a, b)| *a || b).collect(),
            None => one,
        });
    }
    Ok(reached)
}

struct Evaluator<'a> {
    index: &'a Index,
    options: Options,
}

/// NEAR finds the same stretch by many pairs. This many are listed before those that are equal are
/// merged; after that, twice as many as were left.
const MAX_UNMERGED: usize = 1 << 16;

/// What AND and NOT compare: file, document and 節, or file and unit.
type ScopeKey = (u32, u32, u32);

impl Evaluator<'_> {
    fn file(&self, n: u32) -> &IndexFile {
        &self.index.files[n as usize]
    }

    fn node(&self, node: &QueryNode, scope: &Scope) -> Result<Vec<HitRange>, Error> {
        self.index.stop.check()?;
        match node {
            QueryNode::Phrase(words) => {
                self.each(scope, |n, s, allowed| words::find(words, n, s, allowed, self.options))
            }
            QueryNode::Regex(pattern) => {
                let scan = Scan::of(pattern, self.options.folding)?;
                self.each(scope, |n, s, allowed| scan.find(n, s, allowed))
            }
            QueryNode::Any => self.each_said(scope, true, words::units),
            QueryNode::Marked(kind, name) => {
                self.each(scope, |n, s, allowed| names::find((*kind, name), n, s, allowed))
            }
            QueryNode::In(layers, inner) => self.node(inner, &scope.within(layers)),
            QueryNode::All(parts) => self.all(parts, scope),
            QueryNode::Either(parts) => {
                let found =
                    parts.iter().map(|p| self.node(p, scope)).collect::<Result<Vec<_>, _>>()?;
                Ok(merged(found))
            }
            QueryNode::Near(a, n, b) => self.near(&self.node(a, scope)?, &self.node(b, scope)?, *n),
            QueryNode::On(a, b) => self.on(self.node(a, scope)?, b, scope),
            // These normally occur within `all`. Alone they mean everything that they do not
            // exclude.
            QueryNode::Not(_) | QueryNode::Filter(_) => self.all(std::slice::from_ref(node), scope),
        }
    }

    /// Searches every file, within the regions that the scope allows.
    fn each(
        &self,
        scope: &Scope,
        look: impl FnMut(u32, &IndexFile, Option<&[bool]>) -> Result<Vec<HitRange>, Error>,
    ) -> Result<Vec<HitRange>, Error> {
        self.each_said(scope, false, look)
    }

    /// The same; with `whole`, for whole units.
    fn each_said(
        &self,
        scope: &Scope,
        whole: bool,
        mut look: impl FnMut(u32, &IndexFile, Option<&[bool]>) -> Result<Vec<HitRange>, Error>,
    ) -> Result<Vec<HitRange>, Error> {
        let mut hits = vec![];
        for (file, n) in self.index.files.iter().zip(0..) {
            let allowed = scope.regions(file)?;
            if allowed.as_ref().is_none_or(|a| a.contains(&true)) {
                let mut found = look(n, file, allowed.as_deref())?;
                scope.keep_said(file, whole, &mut found)?;
                hits.append(&mut found);
            }
        }
        Ok(hits)
    }

    fn all(&self, parts: &[QueryNode], scope: &Scope) -> Result<Vec<HitRange>, Error> {
        let scope = scope.filtered(parts);
        let (mut found, mut not) = (vec![], vec![]);
        for part in parts {
            match part {
                QueryNode::Filter(_) => {}
                QueryNode::Not(inner) if matches!(**inner, QueryNode::Filter(_)) => {}
                QueryNode::Not(inner) => not.push(self.node(inner, &scope)?),
                part => found.push(self.node(part, &scope)?),
            }
        }
        if found.is_empty() {
            found.push(self.node(&QueryNode::Any, &scope)?);
        }
        if found.len() == 1 && not.is_empty() {
            return Ok(found.swap_remove(0));
        }
        let keys = found.iter().map(|f| self.wheres(f, &scope)).collect::<Result<Vec<_>, _>>()?;
        let mut both: HashSet<ScopeKey> = keys[0].iter().copied().collect();
        for more in &keys[1..] {
            let more: HashSet<ScopeKey> = more.iter().copied().collect();
            both.retain(|k| more.contains(k));
        }
        for excluded in &not {
            for key in self.wheres(excluded, &scope)? {
                both.remove(&key);
            }
        }
        let kept = found.into_iter().zip(keys).map(|(hits, keys)| {
            let kept = hits.into_iter().zip(keys).filter(|(_, k)| both.contains(k));
            kept.map(|(h, _)| h).collect()
        });
        Ok(merged(kept.collect()))
    }

    /// The place of each hit as AND and NOT compare it.
    fn wheres(&self, hits: &[HitRange], scope: &Scope) -> Result<Vec<ScopeKey>, Error> {
        let key = |(h, unit): (HitRange, Placed)| match scope.by_unit {
            true => (h.file, u32::MAX, unit.n),
            false => (h.file, unit.doc, unit.unit.group),
        };
        self.with_units(hits).map(|pair| pair.map(key)).collect()
    }

    fn with_units<'h>(
        &'h self,
        hits: &'h [HitRange],
    ) -> impl Iterator<Item = Result<(HitRange, Placed), Error>> + 'h {
        with_units(self.index, hits)
    }

    /// Pairs of hits of which one begins at most `n` characters after the end of the other, with no
    /// break between.
    fn near(&self, a: &[HitRange], b: &[HitRange], n: u32) -> Result<Vec<HitRange>, Error> {
        let longest = a.iter().chain(b).map(|h| h.len).max().unwrap_or(0);
        let mut found = vec![];
        let mut most = MAX_UNMERGED;
        for x in a {
            self.index.stop.check()?;
            if found.len() > most {
                found = merged(vec![found]);
                most = 2 * found.len().max(MAX_UNMERGED);
            }
            let from = HitRange {
                file: x.file,
                start: x.start.saturating_sub(n.saturating_add(longest)),
                len: 0,
            };
            let candidates = b[b.partition_point(|y| *y < from)..].iter();
            for y in
                candidates.take_while(|y| y.file == x.file && y.start <= x.end().saturating_add(n))
            {
                let (first, second) = if x.start <= y.start { (x, y) } else { (y, x) };
                if first.end() > second.start || second.start - first.end() > n {
                    continue;
                }
                let whole =
                    HitRange { file: x.file, start: first.start, len: second.end() - first.start };
                if words::unbroken(self.file(x.file), whole.start, whole.end())? {
                    found.push(whole);
                }
            }
        }
        Ok(merged(vec![found]))
    }
}

/// The hits of several lists in one, sorted, without duplicates.
fn merged(lists: Vec<Vec<HitRange>>) -> Vec<HitRange> {
    let mut all = lists.concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// Hits with the unit that each begins in.
pub(super) fn with_units<'h>(
    index: &'h Index,
    hits: &'h [HitRange],
) -> impl Iterator<Item = Result<(HitRange, Placed), Error>> + 'h {
    let mut last: Option<(u32, Placed)> = None;
    hits.iter().map(move |hit| {
        if let Some((_, unit)) = last
            .as_ref()
            .filter(|(s, u)| *s == hit.file && u.first <= hit.start && hit.start < u.end())
        {
            return Ok((*hit, unit.clone()));
        }
        let unit = index.files[hit.file as usize].unit_at(hit.start)?;
        last = Some((hit.file, unit.clone()));
        Ok((*hit, unit))
    })
}
