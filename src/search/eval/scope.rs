//! Where a part of a query searches: layers, speakers, works, chapters, witnesses.

use std::collections::BTreeSet;

use crate::diag::Error;
use crate::model::{Layer, Locus};
use crate::search::query::{Field, Filter, QueryNode};
use crate::search::store::file::{IndexFile, Region};
use crate::search::units::DocMeta;
use crate::source::Span;
use crate::text::Key;

/// A restriction; the default is none.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    layers: Option<BTreeSet<Layer>>,
    /// Filters, each with whether it must apply or must not.
    filters: Vec<(Filter, bool)>,
    /// AND and NOT compare units and not 節: we are inside a layer's parentheses.
    pub(super) by_unit: bool,
}

impl Scope {
    /// This scope restricted to some layers.
    pub(super) fn within(&self, layers: &BTreeSet<Layer>) -> Self {
        let layers = match &self.layers {
            Some(outer) => outer.intersection(layers).copied().collect(),
            None => layers.clone(),
        };
        Scope { layers: Some(layers), filters: self.filters.clone(), by_unit: true }
    }

    /// This scope with the filters among some parts of a query.
    pub(super) fn filtered(&self, parts: &[QueryNode]) -> Self {
        let mut scope = self.clone();
        for part in parts {
            match part {
                QueryNode::Filter(f) => scope.filters.push((f.clone(), true)),
                QueryNode::Not(inner) => {
                    if let QueryNode::Filter(f) = &**inner {
                        scope.filters.push((f.clone(), false));
                    }
                }
                _ => {}
            }
        }
        scope
    }

    /// Which regions of a file are in the scope; `None` for all.
    pub(super) fn regions(&self, file: &IndexFile) -> Result<Option<Vec<bool>>, Error> {
        if self.layers.is_none() && self.filters.is_empty() {
            return Ok(None);
        }
        let one = |r: &Region| {
            if !self
                .layers
                .as_ref()
                .is_none_or(|l| l.contains(&r.layer) || r.sub.is_some_and(|s| l.contains(&s)))
            {
                return Ok(false);
            }
            if self.filters.is_empty() {
                return Ok(true);
            }
            let meta = file.meta(r.doc)?;
            Ok(self
                .filters
                .iter()
                .all(|(filter, wanted)| holds(filter, &meta, r.layer, r.sub) == *wanted))
        };
        file.regions()?.iter().map(one).collect::<Result<Vec<_>, _>>().map(Some)
    }
}

/// True if a filter applies to a layer of a document.
pub(in crate::search) fn holds(
    filter: &Filter,
    meta: &DocMeta,
    layer: Layer,
    sub: Option<Layer>,
) -> bool {
    let names: Vec<Option<&str>> = match filter.field {
        Field::By => {
            let author = sub.and_then(|s| meta.by(s)).or_else(|| meta.by(layer));
            vec![author.map(|a| a.name.as_str()), author.map(|a| a.key.as_str())]
        }
        Field::Work => vec![
            meta.work.as_deref(),
            meta.work_key.as_deref(),
            meta.work.is_none().then_some(meta.title.as_str()),
        ],
        Field::Chapter => {
            vec![meta.chapter.as_deref(), meta.chapter.is_none().then_some(meta.title.as_str())]
        }
        Field::Witness => {
            vec![meta.siglum.as_deref(), meta.edition.as_deref(), Some(meta.id.as_str())]
        }
    };
    let wanted = key(&filter.value);
    // 鄉射禮 is also yili.05, the beginning of its loci. That name must be complete.
    if filter.field == Field::Chapter
        && !wanted.is_empty()
        && filter.value.parse::<Locus>().is_ok_and(|l| l.to_string() == meta.text)
    {
        return true;
    }
    names.into_iter().flatten().any(|name| contains(&key(name), &wanted))
}

fn key(name: &str) -> Vec<char> {
    Key::of(name, Span::new(0, name.len())).chars
}

fn contains(name: &[char], wanted: &[char]) -> bool {
    !wanted.is_empty() && name.windows(wanted.len()).any(|w| w == wanted)
}
