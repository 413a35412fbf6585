//! The numbering of a chapter on its longest witness: a section and a sentence number for every
//! character of the classic.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::own;
use crate::corpus::index::Indexed;
use crate::model::{Certainty, Division, Evidence, EvidenceKind, Layer};
use crate::text::collate::Base;

/// Fewest equal characters of a chain; shorter ones may be formulas that recur by chance.
const MIN_CHAIN_CHARS: usize = 12;
/// Least share of a witness's classic that must be aligned with the first witness's.
const MIN_ALIGNED_SHARE: f64 = 0.3;

/// A section that begins on the first witness, with its evidence.
#[derive(Clone, Debug)]
pub struct GridSection {
    /// Its number, if the text states it or a list has it.
    pub n: Option<u32>,
    pub title: Option<String>,
    pub certainty: Certainty,
    pub evidence: Vec<Evidence>,
}

/// For each character of a member the one of the first witness that is aligned with it, in four
/// bytes: all members of a chapter share its numbering, which is kept until all of them are
/// numbered.
pub struct AlignedChars(Vec<u32>);

/// No character.
const NONE: u32 = u32::MAX;

impl AlignedChars {
    /// For each character.
    pub fn iter(&self) -> impl Iterator<Item = Option<usize>> {
        self.0.iter().map(|a| (*a != NONE).then_some(*a as usize))
    }
}

/// A numbering of a chapter.
pub struct Grid {
    /// Section and sentence of each character of the first witness.
    pub ids: Vec<(u32, u32)>,
    /// Sections by number.
    pub sections: BTreeMap<u32, GridSection>,
    /// Number of the last sentence of each section.
    pub last: HashMap<u32, u32>,
    /// For each member, the character of the first witness that is aligned with each of its own.
    pub maps: HashMap<String, AlignedChars>,
}

impl Grid {
    /// The numbering on the witness `first`, and the ids of the witnesses that share it.
    pub fn of(first: &str, family: &[&Indexed]) -> (Self, Vec<String>) {
        let Some(reference) = family.iter().find(|e| e.document.id == first) else {
            return (Self::empty(), vec![]);
        };
        let base = Base::new(reference.view.base.chars());
        let mut maps = HashMap::new();
        for e in family {
            let map = match e.document.id == first {
                true => AlignedChars((0..e.view.base.len() as u32).collect()),
                false => aligned(&base, e.view.base.chars()),
            };
            let found = map.iter().flatten().count();
            if e.document.id == first
                || found as f64 >= MIN_ALIGNED_SHARE * map.0.len() as f64
                    && found >= MIN_CHAIN_CHARS
            {
                maps.insert(e.document.id.clone(), map);
            }
        }
        let members: Vec<&Indexed> =
            family.iter().filter(|e| maps.contains_key(&e.document.id)).copied().collect();
        let sections = sections(reference, &members, &maps);
        let sentences = sentences(reference, &members, &maps);
        let ids = members.iter().map(|e| e.document.id.clone()).collect();
        (Self::numbered(reference, sections, &sentences, maps), ids)
    }

    fn empty() -> Self {
        Grid { ids: vec![], sections: BTreeMap::new(), last: HashMap::new(), maps: HashMap::new() }
    }

    fn numbered(
        reference: &Indexed,
        starts: BTreeMap<usize, GridSection>,
        sentences: &[usize],
        maps: HashMap<String, AlignedChars>,
    ) -> Self {
        let mut grid = Grid { maps, ..Self::empty() };
        let mut next = reference.document.meta.first_section.unwrap_or(1);
        let (mut section, mut n) = (0, 0);
        for i in 0..reference.view.base.len() {
            let opens = starts.get(&i);
            if let Some(s) = opens {
                next = s.n.map_or(next, |n| n.max(next));
                grid.sections.insert(next, s.clone());
                (section, n, next) = (next, 0, next.saturating_add(1));
            }
            if n == 0 || sentences.binary_search(&i).is_ok() {
                n += 1;
            }
            grid.ids.push((section, n));
            grid.last.insert(section, n);
        }
        grid
    }
}

/// The character of `base` that is aligned with each of `chars`. Gaps of equal length between equal
/// runs are aligned character by character, whatever they contain.
fn aligned(base: &Base<'_>, chars: &[char]) -> AlignedChars {
    let mut map = vec![NONE; chars.len()];
    for chain in base.against(chars).iter().filter(|c| c.matched() >= MIN_CHAIN_CHARS) {
        let mut before: Option<(usize, usize)> = None;
        for run in &chain.runs {
            if let Some((a, b)) = before.filter(|(a, b)| run.a - a == run.b - b) {
                (0..run.b - b).for_each(|k| map[b + k] = (a + k) as u32);
            }
            (0..run.len).for_each(|k| map[run.b + k] = (run.a + k) as u32);
            before = Some((run.a_end(), run.b_end()));
        }
    }
    AlignedChars(map)
}

/// The character aligned with `i`, estimated from the first aligned one of the six from `i` on.
fn aligned_near(map: &AlignedChars, i: usize) -> Option<usize> {
    map.iter().skip(i).take(6).enumerate().find_map(|(k, a)| a.map(|a| a.saturating_sub(k)))
}

/// The range of the first witness that a member covers.
fn covered(map: &AlignedChars) -> Range<usize> {
    let (min, max) = (map.iter().flatten().min(), map.iter().flatten().max());
    min.unwrap_or(0)..max.map_or(0, |m| m + 1)
}

/// Starts of sections by character. Witnesses with labels take precedence, then those with more
/// sections; the others fill the gaps.
fn sections(
    reference: &Indexed,
    members: &[&Indexed],
    maps: &HashMap<String, AlignedChars>,
) -> BTreeMap<usize, GridSection> {
    let labels = |e: &Indexed| e.document.of_layer(Layer::Label).count();
    let mut sources: Vec<&&Indexed> =
        members.iter().filter(|e| !e.document.divisions.is_empty()).collect();
    sources.sort_by_key(|e| {
        std::cmp::Reverse((
            labels(e) > 0,
            e.document.divisions.len(),
            e.document.id == reference.document.id,
        ))
    });
    let mut out = BTreeMap::new();
    let mut taken: Vec<Range<usize>> = Vec::new();
    for e in sources {
        let (own, map) = (e.document.id == reference.document.id, &maps[&e.document.id]);
        let listed =
            |d: &Division| d.evidence.iter().any(|e| e.kind == EvidenceKind::ListedOpening);
        let states = |d: &&Division| d.title.is_some() || own || labels(e) > 0 || listed(d);
        for d in e.document.divisions.iter().filter(states) {
            let Some(at) = aligned_near(map, e.view.base.index_at(d.span.start())) else {
                continue;
            };
            if taken.iter().any(|t| t.contains(&at)) {
                continue;
            }
            let evidence = match own {
                true => d.evidence.clone(),
                false => vec![Evidence::new(EvidenceKind::SectionOfWitness, e.document.id.clone())],
            };
            let certainty =
                if own { d.certainty } else { Certainty::new(d.certainty.get() * 0.95) };
            let n = listed(d).then_some(d.n);
            out.insert(at, GridSection { n, title: d.title.clone(), certainty, evidence });
        }
        taken.push(if own && labels(e) > 0 { 0..reference.view.base.len() } else { covered(map) });
    }
    out
}

/// Starts of sentences by character, in order, from the punctuated witnesses, the first witness
/// before the others.
fn sentences(
    reference: &Indexed,
    members: &[&Indexed],
    maps: &HashMap<String, AlignedChars>,
) -> Vec<usize> {
    let mut sources: Vec<(&&Indexed, bool)> =
        members.iter().map(|e| (e, e.document.is_punctuated())).collect();
    let own = |e: &Indexed| e.document.id == reference.document.id;
    sources.retain(|(e, punctuated)| *punctuated || own(e));
    sources
        .sort_by_key(|(e, punctuated)| std::cmp::Reverse((*punctuated, own(e), e.view.base.len())));
    let mut out = Vec::new();
    let mut taken: Vec<Range<usize>> = Vec::new();
    for (e, _) in sources {
        let map = &maps[&e.document.id];
        let starts = own::starts(&e.document).into_iter().filter(|s| s.opens);
        let at = starts.filter_map(|s| aligned_near(map, e.view.base.index_at(s.span.start())));
        let new: Vec<usize> = at.filter(|i| !taken.iter().any(|t| t.contains(i))).collect();
        out.extend(new);
        taken.push(covered(map));
    }
    out.sort_unstable();
    out.dedup();
    out
}
