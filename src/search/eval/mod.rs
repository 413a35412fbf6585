//! Answers a query: from its tree to hits.
//!
//! A part of a query is evaluated within a [`Scope`] (which layers, documents, speakers; whether
//! AND means the same 節 or the same unit) and gives the hits, in order. Nothing of the text is
//! read until words must be verified or shown.

mod relation;
mod scan;
mod scope;
mod words;

use std::collections::HashSet;

use self::scan::Scan;
use self::scope::Scope;
pub(super) use self::scope::holds;
pub(super) use self::words::frequency;
use super::index::Index;
use super::query::{Node, Query};
use super::store::segment::Segment;
use super::units::Placed;
use crate::diag::Error;

/// How much is the same word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folding {
    /// Variants and both scripts: 賔 is 賓, 云 is 雲.
    #[default]
    Full,
    /// Both scripts, but no variants: 云 is 雲, 賔 is not 賓.
    Script,
    /// Only the character itself.
    Exact,
}

/// How to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How much is the same word.
    pub folding: Folding,
    /// Words of the classic are found across the notes that interrupt it (跨夾注).
    pub crossing: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { folding: Folding::Full, crossing: true }
    }
}

/// Where words were found: positions in a file of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Hit {
    pub(super) segment: u32,
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Hit {
    pub(super) fn end(&self) -> u32 {
        self.start + self.len
    }
}

/// All hits of a query, in the order of the index.
pub(super) fn hits(index: &Index, query: &Query, options: Options) -> Result<Vec<Hit>, Error> {
    Evaluator { index, options }.node(&query.node, &Scope::default())
}

/// All hits of a part of a query.
pub(super) fn hits_of(index: &Index, node: &Node, options: Options) -> Result<Vec<Hit>, Error> {
    Evaluator { index, options }.node(node, &Scope::default())
}

/// Which regions of each file the hits of a query can lie in; `None` for all of a file.
pub(super) fn reach(index: &Index, node: &Node) -> Result<Vec<Option<Vec<bool>>>, Error> {
    index.segments.iter().map(|segment| reach_in(segment, node, &Scope::default())).collect()
}

fn reach_in(segment: &Segment, node: &Node, scope: &Scope) -> Result<Option<Vec<bool>>, Error> {
    match node {
        Node::Words(_) | Node::Regex(_) | Node::Any | Node::Near(..) => scope.regions(segment),
        Node::In(layers, inner) => reach_in(segment, inner, &scope.within(layers)),
        Node::On(a, _) => reach_in(segment, a, scope),
        Node::Either(parts) => union(parts.iter().map(|p| reach_in(segment, p, scope))),
        Node::All(parts) => {
            let scope = scope.filtered(parts);
            let mut found =
                parts.iter().filter(|p| !matches!(p, Node::Not(_) | Node::Filter(_))).peekable();
            if found.peek().is_none() {
                return scope.regions(segment);
            }
            union(found.map(|p| reach_in(segment, p, &scope)))
        }
        Node::Not(_) | Node::Filter(_) => reach_in(segment, &Node::All(vec![node.clone()]), scope),
    }
}

/// What any of several reach.
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

/// What AND and NOT compare: file, document and 節, or file and unit.
type Where = (u32, u32, u32);

impl Evaluator<'_> {
    fn segment(&self, n: u32) -> &Segment {
        &self.index.segments[n as usize]
    }

    fn node(&self, node: &Node, scope: &Scope) -> Result<Vec<Hit>, Error> {
        match node {
            Node::Words(words) => {
                self.each(scope, |n, s, allowed| words::find(words, n, s, allowed, self.options))
            }
            Node::Regex(pattern) => {
                let scan = Scan::of(pattern, self.options.folding)?;
                self.each(scope, |n, s, allowed| scan.find(n, s, allowed))
            }
            Node::Any => self.each(scope, words::units),
            Node::In(layers, inner) => self.node(inner, &scope.within(layers)),
            Node::All(parts) => self.all(parts, scope),
            Node::Either(parts) => {
                let found =
                    parts.iter().map(|p| self.node(p, scope)).collect::<Result<Vec<_>, _>>()?;
                Ok(merged(found))
            }
            Node::Near(a, n, b) => self.near(&self.node(a, scope)?, &self.node(b, scope)?, *n),
            Node::On(a, b) => self.on(self.node(a, scope)?, b, scope),
            // These stand only among others, see `all`; alone they are everything that they leave.
            Node::Not(_) | Node::Filter(_) => self.all(std::slice::from_ref(node), scope),
        }
    }

    /// Looks into every file, with the regions that the scope allows.
    fn each(
        &self,
        scope: &Scope,
        mut look: impl FnMut(u32, &Segment, Option<&[bool]>) -> Result<Vec<Hit>, Error>,
    ) -> Result<Vec<Hit>, Error> {
        let mut hits = vec![];
        for (segment, n) in self.index.segments.iter().zip(0..) {
            let allowed = scope.regions(segment)?;
            if allowed.as_ref().is_none_or(|a| a.contains(&true)) {
                hits.append(&mut look(n, segment, allowed.as_deref())?);
            }
        }
        Ok(hits)
    }

    fn all(&self, parts: &[Node], scope: &Scope) -> Result<Vec<Hit>, Error> {
        let scope = scope.filtered(parts);
        let (mut found, mut not) = (vec![], vec![]);
        for part in parts {
            match part {
                Node::Filter(_) => {}
                Node::Not(inner) if matches!(**inner, Node::Filter(_)) => {}
                Node::Not(inner) => not.push(self.node(inner, &scope)?),
                part => found.push(self.node(part, &scope)?),
            }
        }
        if found.is_empty() {
            found.push(self.node(&Node::Any, &scope)?);
        }
        if found.len() == 1 && not.is_empty() {
            return Ok(found.swap_remove(0));
        }
        let keys = found.iter().map(|f| self.wheres(f, &scope)).collect::<Result<Vec<_>, _>>()?;
        let mut both: HashSet<Where> = keys[0].iter().copied().collect();
        for more in &keys[1..] {
            let more: HashSet<Where> = more.iter().copied().collect();
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

    /// Where each hit stands, as far as AND and NOT look.
    fn wheres(&self, hits: &[Hit], scope: &Scope) -> Result<Vec<Where>, Error> {
        let key = |(h, unit): (Hit, Placed)| match scope.by_unit {
            true => (h.segment, u32::MAX, unit.n),
            false => (h.segment, unit.doc, unit.unit.group),
        };
        self.with_units(hits).map(|pair| pair.map(key)).collect()
    }

    fn with_units<'h>(
        &'h self,
        hits: &'h [Hit],
    ) -> impl Iterator<Item = Result<(Hit, Placed), Error>> + 'h {
        with_units(self.index, hits)
    }

    /// Pairs of hits of which one begins at most `n` characters after the other's end, with no
    /// break between.
    fn near(&self, a: &[Hit], b: &[Hit], n: u32) -> Result<Vec<Hit>, Error> {
        let longest = a.iter().chain(b).map(|h| h.len).max().unwrap_or(0);
        let mut found = vec![];
        for x in a {
            let from = Hit {
                segment: x.segment,
                start: x.start.saturating_sub(n.saturating_add(longest)),
                len: 0,
            };
            let candidates = b[b.partition_point(|y| *y < from)..].iter();
            for y in candidates
                .take_while(|y| y.segment == x.segment && y.start <= x.end().saturating_add(n))
            {
                let (first, second) = if x.start <= y.start { (x, y) } else { (y, x) };
                if first.end() > second.start || second.start - first.end() > n {
                    continue;
                }
                let whole =
                    Hit { segment: x.segment, start: first.start, len: second.end() - first.start };
                if words::unbroken(self.segment(x.segment), whole.start, whole.end())? {
                    found.push(whole);
                }
            }
        }
        Ok(merged(vec![found]))
    }
}

/// Hits of several lists as one, in order, each once.
fn merged(lists: Vec<Vec<Hit>>) -> Vec<Hit> {
    let mut all = lists.concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// Hits with the units that they begin in.
pub(super) fn with_units<'h>(
    index: &'h Index,
    hits: &'h [Hit],
) -> impl Iterator<Item = Result<(Hit, Placed), Error>> + 'h {
    let mut last: Option<(u32, Placed)> = None;
    hits.iter().map(move |hit| {
        if let Some((_, unit)) = last
            .as_ref()
            .filter(|(s, u)| *s == hit.segment && u.first <= hit.start && hit.start < u.end())
        {
            return Ok((*hit, unit.clone()));
        }
        let unit = index.segments[hit.segment as usize].unit_at(hit.start)?;
        last = Some((hit.segment, unit.clone()));
        Ok((*hit, unit))
    })
}
