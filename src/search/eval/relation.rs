//! `A @ B`: the units of A's hits that stand in a relation to units of B's.
//!
//! * A note comments on the passage of the classic that it stands on, the last before it in its 節;
//!   notes of different layers on one passage are related too.
//! * A sub-commentary comments on the classic and the notes of its 節; so do two of different
//!   layers.
//! * A side of a bead of a translation answers to the passages of the classic that the bead names,
//!   and to the notes on them.
//!
//! The relation holds both ways: `注:A @ 經:B` gives notes, `經:B @ 注:A` the passages they stand
//! on.

use std::collections::HashSet;

use super::scope::Scope;
use super::{Evaluator, Hit};
use crate::diag::Error;
use crate::model::{Layer, LayerKind};
use crate::search::query::Node;
use crate::search::store::segment::{Segment, covers};
use crate::search::units::Placed;

/// A unit of the index: file and number.
type Id = (u32, u32);
/// A 節: file, document, number.
type Group = (u32, u32, u32);

/// What the units of one side are, as far as the other may be related to them.
#[derive(Default)]
struct Side {
    /// Passages of the classic.
    base: HashSet<Id>,
    /// Passages that notes stand on, with the layer of the note.
    noted: HashSet<(Id, Layer)>,
    /// 節 of classic and notes.
    treated: HashSet<Group>,
    /// 節 of sub-commentaries, with their layer.
    treats: HashSet<(Group, Layer)>,
    /// Passages that are translated.
    translated: HashSet<Id>,
}

impl Evaluator<'_> {
    pub(super) fn on(
        &self,
        left: Vec<Hit>,
        right: &Node,
        scope: &Scope,
    ) -> Result<Vec<Hit>, Error> {
        let (right, wanted) = match right {
            Node::Not(inner) => (&**inner, false),
            right => (right, true),
        };
        let right = self.node(right, scope)?;
        let mut documents = Documents { evaluator: self, bases: Default::default(), places: None };
        let mut side = Side::default();
        let mut last = None;
        for pair in self.with_units(&right) {
            let (hit, unit) = pair?;
            if last != Some((hit.segment, unit.n)) {
                last = Some((hit.segment, unit.n));
                documents.add(hit.segment, &unit, &mut side)?;
            }
        }
        let mut kept = vec![];
        let mut last = None;
        for pair in self.with_units(&left) {
            let (hit, unit) = pair?;
            let related = match last {
                Some((segment, n, related)) if (segment, n) == (hit.segment, unit.n) => related,
                _ => documents.related(hit.segment, &unit, &side)?,
            };
            last = Some((hit.segment, unit.n, related));
            if related == wanted {
                kept.push(hit);
            }
        }
        Ok(kept)
    }
}

/// A passage of the classic: first byte, number of its unit, 節.
type Passage = (usize, u32, u32);

/// What is known of the documents that were met.
struct Documents<'a> {
    evaluator: &'a Evaluator<'a>,
    /// The passages of the classic by document, in reading order.
    bases: std::collections::HashMap<Id, Vec<Passage>>,
    /// File and number of every document, by id.
    places: Option<std::collections::HashMap<String, Id>>,
}

impl Documents<'_> {
    fn segment(&self, n: u32) -> &Segment {
        self.evaluator.segment(n)
    }

    fn add(&mut self, segment: u32, unit: &Placed, side: &mut Side) -> Result<(), Error> {
        let layer = unit.unit.layer;
        let group = (segment, unit.doc, unit.unit.group);
        match layer.kind() {
            LayerKind::Base => {
                side.base.insert((segment, unit.n));
                side.treated.insert(group);
            }
            LayerKind::Note => {
                side.noted.extend(self.anchor(segment, unit)?.map(|id| (id, layer)));
                side.treated.insert(group);
            }
            LayerKind::Translation => side.translated.extend(self.targets(segment, unit)?),
            _ if comments(layer) => _ = side.treats.insert((group, layer)),
            _ => {}
        }
        Ok(())
    }

    fn related(&mut self, segment: u32, unit: &Placed, side: &Side) -> Result<bool, Error> {
        let layer = unit.unit.layer;
        let group = (segment, unit.doc, unit.unit.group);
        let others =
            |but: Option<Layer>| Layer::all().map(|l| l.layer).filter(move |l| Some(*l) != but);
        let treated = |but: Option<Layer>| others(but).any(|l| side.treats.contains(&(group, l)));
        let noted = |id: Id, but: Option<Layer>| others(but).any(|l| side.noted.contains(&(id, l)));
        Ok(match layer.kind() {
            LayerKind::Base => {
                let id = (segment, unit.n);
                noted(id, None) || treated(None) || side.translated.contains(&id)
            }
            LayerKind::Note => {
                let anchor = self.anchor(segment, unit)?;
                let on = anchor.is_some_and(|a| {
                    side.base.contains(&a) || noted(a, Some(layer)) || side.translated.contains(&a)
                });
                on || treated(None)
            }
            LayerKind::Translation => self
                .targets(segment, unit)?
                .into_iter()
                .any(|t| side.base.contains(&t) || noted(t, None)),
            _ if comments(layer) => side.treated.contains(&group) || treated(Some(layer)),
            _ => false,
        })
    }

    /// The passage that a note stands on: the last before it in its 節.
    fn anchor(&mut self, segment: u32, note: &Placed) -> Result<Option<Id>, Error> {
        let bases = self.bases(segment, note.doc)?;
        let before = bases.partition_point(|b| b.0 < note.unit.start());
        let found = before.checked_sub(1).map(|i| bases[i]).filter(|b| b.2 == note.unit.group);
        Ok(found.map(|b| (segment, b.1)))
    }

    fn bases(&mut self, segment: u32, doc: u32) -> Result<&[Passage], Error> {
        if !self.bases.contains_key(&(segment, doc)) {
            let s = self.segment(segment);
            let mut bases = vec![];
            for region in
                s.regions()?.iter().filter(|r| r.doc == doc && r.layer.kind() == LayerKind::Base)
            {
                for unit in s.units(region.unit..region.unit_end) {
                    let unit = unit?;
                    bases.push((unit.unit.start(), unit.n, unit.unit.group));
                }
            }
            bases.sort_unstable();
            self.bases.insert((segment, doc), bases);
        }
        Ok(self.bases.get(&(segment, doc)).map_or(&[], Vec::as_slice))
    }

    /// The passages of the classic that a side of a bead translates.
    fn targets(&mut self, segment: u32, unit: &Placed) -> Result<Vec<Id>, Error> {
        let meta = self.segment(segment).meta(unit.doc)?;
        let mut found = vec![];
        for (target, span) in &unit.unit.targets {
            let Some(target) = meta.targets.get(*target as usize) else { continue };
            let Some((at, doc)) = self.place(&target.id)? else { continue };
            let bases = self.bases(at, doc)?;
            let mut i = bases.partition_point(|b| b.0 <= span.start()).saturating_sub(1);
            let mut candidates = vec![];
            while let Some(base) = bases.get(i).filter(|b| b.0 < span.end()) {
                candidates.push(base.1);
                i += 1;
            }
            for n in candidates {
                if covers(&self.segment(at).unit(n)?.unit, *span) {
                    found.push((at, n));
                }
            }
        }
        Ok(found)
    }

    /// File and number of a document.
    fn place(&mut self, id: &str) -> Result<Option<Id>, Error> {
        if self.places.is_none() {
            let mut places = std::collections::HashMap::new();
            for (segment, n) in self.evaluator.index.segments.iter().zip(0..) {
                for doc in 0..segment.documents()?.len() as u32 {
                    places.insert(segment.meta(doc)?.id.clone(), (n, doc));
                }
            }
            self.places = Some(places);
        }
        Ok(self.places.as_ref().and_then(|p| p.get(id)).copied())
    }
}

/// True for layers that explain a whole 節.
fn comments(layer: Layer) -> bool {
    layer.kind() == LayerKind::Commentary || layer == Layer::ShuHeader
}
