//! `A @ B`: the hits of A in units that are related to a unit with a hit of B.
//!
//! * A note comments on a passage of the classic: the last one before it in its 節. Notes of
//!   different layers on one passage are related too.
//! * A sub-commentary comments on the classic and the notes of its 節. Sub-commentaries of different
//!   layers on one 節 are related too.
//! * The translated side of a bead is related to the passages of the classic that the bead names,
//!   and to the notes on them.
//!
//! The relation works both ways: `注:A @ 經:B` gives notes, `經:B @ 注:A` the passages that the notes
//! comment on.

use std::collections::HashSet;

use super::scope::Scope;
use super::{Evaluator, HitRange};
use crate::diag::Error;
use crate::model::{Layer, LayerKind};
use crate::search::query::QueryNode;
use crate::search::store::file::{IndexFile, overlaps};
use crate::search::units::Placed;

/// A unit or a document of the index: file and number.
type UnitId = (u32, u32);
/// A 節: file, document, number.
type GroupId = (u32, u32, u32);

/// What the units on one side of `@` offer to be related to.
#[derive(Default)]
struct RelatedUnits {
    /// Passages of the classic.
    base: HashSet<UnitId>,
    /// Passages with notes, with the layer of the note.
    noted: HashSet<(UnitId, Layer)>,
    /// 節 of classic and notes.
    treated: HashSet<GroupId>,
    /// 節 with sub-commentaries, with the layer of the sub-commentary.
    treats: HashSet<(GroupId, Layer)>,
    /// Passages that are translated.
    translated: HashSet<UnitId>,
}

impl Evaluator<'_> {
    pub(super) fn on(
        &self,
        left: Vec<HitRange>,
        right: &QueryNode,
        scope: &Scope,
    ) -> Result<Vec<HitRange>, Error> {
        let (right, wanted) = match right {
            QueryNode::Not(inner) => (&**inner, false),
            right => (right, true),
        };
        let right = self.node(right, scope)?;
        let mut documents =
            RelatedDocuments { evaluator: self, bases: Default::default(), places: None };
        let mut units = RelatedUnits::default();
        let mut last = None;
        for pair in self.with_units(&right) {
            let (hit, unit) = pair?;
            if last != Some((hit.file, unit.n)) {
                last = Some((hit.file, unit.n));
                documents.add(hit.file, &unit, &mut units)?;
            }
        }
        let mut kept = vec![];
        let mut last = None;
        for pair in self.with_units(&left) {
            let (hit, unit) = pair?;
            let related = match last {
                Some((file, n, related)) if (file, n) == (hit.file, unit.n) => related,
                _ => documents.related(hit.file, &unit, &units)?,
            };
            last = Some((hit.file, unit.n, related));
            if related == wanted {
                kept.push(hit);
            }
        }
        Ok(kept)
    }
}

/// A passage of the classic: first byte, number of its unit, 節.
type BasePassage = (usize, u32, u32);

/// What was read of the documents so far.
struct RelatedDocuments<'a> {
    evaluator: &'a Evaluator<'a>,
    /// The passages of the classic by document, in reading order.
    bases: std::collections::HashMap<UnitId, Vec<BasePassage>>,
    /// File and number of every document, by id.
    places: Option<std::collections::HashMap<String, UnitId>>,
}

impl RelatedDocuments<'_> {
    fn file(&self, n: u32) -> &IndexFile {
        self.evaluator.file(n)
    }

    fn add(&mut self, file: u32, unit: &Placed, units: &mut RelatedUnits) -> Result<(), Error> {
        let layer = unit.unit.layer;
        let group = (file, unit.doc, unit.unit.group);
        match layer.kind() {
            LayerKind::Base => {
                units.base.insert((file, unit.n));
                units.treated.insert(group);
            }
            LayerKind::Note => {
                units.noted.extend(self.anchor(file, unit)?.map(|id| (id, layer)));
                units.treated.insert(group);
            }
            LayerKind::Translation => units.translated.extend(self.targets(file, unit)?),
            _ if comments(layer) => _ = units.treats.insert((group, layer)),
            _ => {}
        }
        Ok(())
    }

    fn related(&mut self, file: u32, unit: &Placed, units: &RelatedUnits) -> Result<bool, Error> {
        let layer = unit.unit.layer;
        let group = (file, unit.doc, unit.unit.group);
        let others =
            |but: Option<Layer>| Layer::all().map(|l| l.layer).filter(move |l| Some(*l) != but);
        let treated = |but: Option<Layer>| others(but).any(|l| units.treats.contains(&(group, l)));
        let noted =
            |id: UnitId, but: Option<Layer>| others(but).any(|l| units.noted.contains(&(id, l)));
        Ok(match layer.kind() {
            LayerKind::Base => {
                let id = (file, unit.n);
                noted(id, None) || treated(None) || units.translated.contains(&id)
            }
            LayerKind::Note => {
                let anchor = self.anchor(file, unit)?;
                let on = anchor.is_some_and(|a| {
                    units.base.contains(&a)
                        || noted(a, Some(layer))
                        || units.translated.contains(&a)
                });
                on || treated(None)
            }
            LayerKind::Translation => self
                .targets(file, unit)?
                .into_iter()
                .any(|t| units.base.contains(&t) || noted(t, None)),
            _ if comments(layer) => units.treated.contains(&group) || treated(Some(layer)),
            _ => false,
        })
    }

    /// The passage that a note comments on: the last one before it in its 節.
    fn anchor(&mut self, file: u32, note: &Placed) -> Result<Option<UnitId>, Error> {
        let bases = self.bases(file, note.doc)?;
        let before = bases.partition_point(|b| b.0 < note.unit.start());
        let found = before.checked_sub(1).map(|i| bases[i]).filter(|b| b.2 == note.unit.group);
        Ok(found.map(|b| (file, b.1)))
    }

    fn bases(&mut self, file: u32, doc: u32) -> Result<&[BasePassage], Error> {
        if !self.bases.contains_key(&(file, doc)) {
            let s = self.file(file);
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
            self.bases.insert((file, doc), bases);
        }
        Ok(self.bases.get(&(file, doc)).map_or(&[], Vec::as_slice))
    }

    /// The passages of the classic that the translated side of a bead renders.
    fn targets(&mut self, file: u32, unit: &Placed) -> Result<Vec<UnitId>, Error> {
        let meta = self.file(file).meta(unit.doc)?;
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
                if overlaps(&self.file(at).unit(n)?.unit, *span) {
                    found.push((at, n));
                }
            }
        }
        Ok(found)
    }

    /// File and number of a document.
    fn place(&mut self, id: &str) -> Result<Option<UnitId>, Error> {
        if self.places.is_none() {
            let mut places = std::collections::HashMap::new();
            for (file, n) in self.evaluator.index.files.iter().zip(0..) {
                for doc in 0..file.documents()?.len() as u32 {
                    places.insert(file.meta(doc)?.id.clone(), (n, doc));
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
