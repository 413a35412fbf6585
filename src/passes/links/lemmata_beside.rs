//! Resolves the lemma headers of a sub-commentary that was printed alone (單疏): the words that it
//! treats are in other texts of the work, in the same order.
//!
//! Each part of a header is looked for in the classic and the notes of these texts. The longest
//! chain of places that go forwards is taken (patience sorting), and what the chain does not have
//! is looked for between its places, where one character may differ.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::corpus::view::{Stream, stream_of};
use crate::model::{
    Certainty, Document, Evidence, EvidenceKind, HeaderPart, Layer, LayerKind, LinkKind, Role,
    Status, Target,
};
use crate::passes::context::Context;
use crate::source::Span;
use crate::text::Key;
use crate::text::find::find_within;

/// Words that are in more places say nothing about where they are meant.
const MOST_PLACES: usize = 32;
/// Parts that must follow each other before a text is believed to be the one that is explained.
const MIN_CHAIN: usize = 4;
/// Most characters from the first words of a part to its last.
const MAX_PART_CHARS: usize = 1500;
/// How certain a place in the chain is, and one that was found between two of them.
const IN_CHAIN: f64 = 0.95;
const BETWEEN: f64 = 0.85;

/// The texts in which lemmata are looked for: of the same work, with the classic and notes on it,
/// one for each chapter. None if the document has the classic itself.
pub fn beside<'a>(document: &Document, context: &Context<'a>) -> Vec<&'a Arc<Document>> {
    let Some(work) = document.meta.work.as_deref() else { return vec![] };
    let has = |d: &Document, kind| d.segments.iter().any(|s| s.layer.kind() == kind);
    if document.headers.is_empty()
        || has(document, LayerKind::Base)
        || has(document, LayerKind::Undivided)
    {
        return vec![];
    }
    let is_explained = |d: &&Arc<Document>| {
        d.meta.work.as_deref() == Some(work)
            && d.meta.role == Role::Witness
            && d.id != document.id
            && has(d, LayerKind::Base)
            && has(d, LayerKind::Note)
    };
    let mut all: Vec<&Arc<Document>> =
        context.library.documents.iter().filter(is_explained).collect();
    all.sort_by_key(|d| (d.meta.number.is_none(), d.meta.number));
    all.dedup_by_key(|d| d.meta.number.map_or_else(|| Err(d.id.clone()), Ok));
    all
}

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let texts = beside(document, context);
    if texts.is_empty() {
        return;
    }
    let explained = Explained::of(&texts);
    let headers = document.headers.iter().flat_map(|h| &h.parts);
    let parts: Vec<SoughtPart> = headers.map(|part| SoughtPart::of(document, part)).collect();
    let found: FxHashMap<Span, (Target, Status, f64)> = explained
        .places(&parts)
        .into_iter()
        .zip(&parts)
        .filter_map(|(place, part)| Some((part.span, explained.target(place?, part)?)))
        .collect();
    if found.is_empty() {
        return;
    }
    let mut links = document.links.to_vec();
    let open =
        links.iter_mut().filter(|l| l.kind == LinkKind::Lemma && l.status == Status::Unresolved);
    for link in open {
        if let Some((target, status, certainty)) = found.get(&link.span) {
            (link.target, link.status) = (Some(target.clone()), *status);
            link.certainty = Certainty::new(*certainty);
            link.evidence = [Evidence::of(EvidenceKind::LemmaHeader)].into();
        }
    }
    document.links = links.into();
}

/// A part of a header.
struct SoughtPart {
    span: Span,
    layer: LayerKind,
    first: Vec<char>,
    last: Option<Vec<char>>,
}

impl SoughtPart {
    fn of(document: &Document, part: &HeaderPart) -> Self {
        let words = |span| Key::of(document.source.text(), span).chars;
        let last = part.to.map(words).filter(|words| !words.is_empty());
        let layer = stream_of(part.layer).map_or(LayerKind::Base, |s| match s {
            Stream::Notes => LayerKind::Note,
            _ => LayerKind::Base,
        });
        SoughtPart { span: part.span, layer, first: words(part.from), last }
    }
}

/// The classic and the notes of some texts, one after the other.
struct Explained {
    chars: Vec<char>,
    layers: Vec<LayerKind>,
    /// The id of each text, its key, and where it begins.
    texts: Vec<(String, Key, usize)>,
    /// Where pairs of characters are.
    pairs: FxHashMap<[char; 2], Vec<u32>>,
}

/// Where a part begins, and whether the chain has it.
type ChainPlace = (usize, bool);

impl Explained {
    fn of(texts: &[&Arc<Document>]) -> Self {
        let mut all =
            Explained { chars: vec![], layers: vec![], texts: vec![], pairs: FxHashMap::default() };
        for text in texts {
            let is_own =
                |layer: Layer| matches!(stream_of(layer), Some(Stream::Base | Stream::Notes));
            let mut key = Key::default();
            let begin = all.chars.len();
            for s in text.segments.iter().filter(|s| is_own(s.layer)) {
                key.push(text.source.text(), s.span);
                all.layers.resize(begin + key.len(), s.layer.kind());
            }
            all.chars.extend(&key.chars);
            all.texts.push((text.id.clone(), key, begin));
        }
        for (at, pair) in all.chars.windows(2).enumerate() {
            all.pairs.entry([pair[0], pair[1]]).or_default().push(at as u32);
        }
        all
    }

    /// Where each part begins.
    fn places(&self, parts: &[SoughtPart]) -> Vec<Option<ChainPlace>> {
        let mut places: Vec<Option<ChainPlace>> = vec![None; parts.len()];
        let chain = self.chain(parts);
        if chain.len() < MIN_CHAIN {
            return places;
        }
        for (part, at) in &chain {
            places[*part] = Some((*at, true));
        }
        let mut from = chain[0].1;
        for n in chain[0].0..parts.len() {
            match places[n] {
                Some((at, _)) => from = at,
                None => {
                    let next = chain.partition_point(|(part, _)| *part < n);
                    let end = chain.get(next).map_or(from + MAX_PART_CHARS, |(_, at)| at + 1);
                    let place = self.between(&parts[n], from..end.min(from + MAX_PART_CHARS));
                    places[n] = place.map(|at| (at, false));
                    from = place.unwrap_or(from);
                }
            }
        }
        places
    }

    /// The longest chain of parts with rare words whose places go forwards: part and place.
    fn chain(&self, parts: &[SoughtPart]) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize, Option<usize>)> = vec![];
        // For each length of a chain, the end that leaves most room.
        let mut ends: Vec<usize> = vec![];
        for (n, part) in parts.iter().enumerate() {
            let mut places = self.all_places(part);
            places.reverse();
            for at in places {
                let length = ends.partition_point(|e| found[*e].1 < at);
                found.push((n, at, length.checked_sub(1).map(|l| ends[l])));
                match ends.get_mut(length) {
                    Some(end) => *end = found.len() - 1,
                    None => ends.push(found.len() - 1),
                }
            }
        }
        let mut chain = vec![];
        let mut at = ends.last().copied();
        while let Some(i) = at {
            chain.push((found[i].0, found[i].1));
            at = found[i].2;
        }
        chain.reverse();
        chain
    }

    /// All places of the first words of a part in its layer; none of words that are in many places.
    fn all_places(&self, part: &SoughtPart) -> Vec<usize> {
        let [a, b, ..] = part.first[..] else { return vec![] };
        let starts = self.pairs.get(&[a, b]).filter(|all| all.len() <= MOST_PLACES << 6);
        let starts = starts.into_iter().flatten().map(|at| *at as usize);
        let is_whole = |at: &usize| self.chars[*at..].starts_with(&part.first);
        let places = starts.filter(is_whole).filter(|at| self.layers[*at] == part.layer);
        let places: Vec<usize> = places.take(MOST_PLACES + 1).collect();
        if places.len() > MOST_PLACES { vec![] } else { places }
    }

    /// The first place of a part within a range: in its layer, or with one character that differs.
    fn between(&self, part: &SoughtPart, within: Range<usize>) -> Option<usize> {
        let within = within.start..(within.end + part.first.len()).min(self.chars.len());
        let hits = |differ| {
            let hits = find_within(&self.chars, within.clone(), &part.first, differ).into_iter();
            hits.map(|hit| hit.from).find(|at| self.layers[*at] == part.layer)
        };
        hits(0).or_else(|| hits(usize::from(part.first.len() > 2)))
    }

    /// The words of a part that begins at a place. `None` if its last words do not follow.
    fn target(
        &self,
        (from, in_chain): ChainPlace,
        part: &SoughtPart,
    ) -> Option<(Target, Status, f64)> {
        let n = self.texts.partition_point(|(_, _, begin)| *begin <= from).checked_sub(1)?;
        let (id, key, begin) = &self.texts[n];
        let end = match &part.last {
            None => from + part.first.len(),
            Some(last) => {
                let text = begin + key.len();
                let within = from..(from + MAX_PART_CHARS).min(text);
                find_within(&self.chars, within, last, 0).first()?.to
            }
        };
        let span = key.span(from - begin, (end - begin).min(key.len()));
        let target = Target { doc: Some(id.as_str().into()), span };
        let status = if part.last.is_some() { Status::Range } else { Status::Exact };
        Some((target, status, if in_chain { IN_CHAIN } else { BETWEEN }))
    }
}
