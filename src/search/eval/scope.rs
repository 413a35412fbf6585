//! Where a part of a query searches: layers, speakers, works, chapters, witnesses.

use std::collections::BTreeSet;

use super::HitRange;
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
            let units = file.units_in_document(r)?;
            Ok(self.filters.iter().all(|(filter, wanted)| {
                let holds = holds(filter, &meta, r.layer, r.sub);
                // What a note reports of others may be by someone else than the note.
                let said = || meta.speeches.of(units.clone()).iter().map(|s| meta.speeches.name(s));
                let by = filter.field == Field::By;
                holds == *wanted || by && said().any(|who| is_named(filter, who) == *wanted)
            }))
        };
        file.regions()?.iter().map(one).collect::<Result<Vec<_>, _>>().map(Some)
    }
}

impl Scope {
    /// Keeps the hits that the speakers whom the scope names say: of `whole` units those that
    /// report them too.
    pub(super) fn keep_said(
        &self,
        file: &IndexFile,
        whole: bool,
        hits: &mut Vec<HitRange>,
    ) -> Result<(), Error> {
        let by: Vec<_> = self.filters.iter().filter(|(f, _)| f.field == Field::By).collect();
        if by.is_empty() {
            return Ok(());
        }
        let mut kept = Vec::with_capacity(hits.len());
        for hit in hits.drain(..) {
            let place = file.unit_at(hit.start)?;
            let meta = file.meta(place.doc)?;
            let (unit, speeches) = (file.number_in_document(&place)?, &meta.speeches);
            let from = hit.start - place.first.min(hit.start);
            let to = (from + hit.len).min(place.unit.len);
            let is_said = |(filter, wanted): &&(Filter, bool)| {
                let author = || holds(filter, &meta, place.unit.layer, place.unit.sub);
                let mut inside = speeches.of(unit..unit + 1).iter();
                let said = match speeches.who(unit, from, to) {
                    _ if whole => author() || inside.any(|s| is_named(filter, speeches.name(s))),
                    Some(who) => is_named(filter, Some(who)),
                    None => author(),
                };
                said == *wanted
            };
            kept.extend(by.iter().copied().all(|f| is_said(&f)).then_some(hit));
        }
        *hits = kept;
        Ok(())
    }
}

/// True if a filter names a speaker.
pub(in crate::search) fn is_named(filter: &Filter, who: Option<&str>) -> bool {
    who.is_some_and(|who| contains(&key(who), &key(&filter.value)))
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
