//! Parallels: passages with the same words in another chapter or commentary, without a reference.
//!
//! Runs of four characters that two chapters share are extended to blocks, blocks that follow each
//! other closely are joined to passages, and a passage is kept if its words are too rare for chance
//! or formula ([`rarity`]). The cost grows with the length of the corpus, not with the number of
//! pairs of texts. It is done once for the whole library; each document then takes its own
//! passages. What a resolved reference quotes is not listed again.
//!
//! The alternative was to collate the chapters in pairs with `text::collate`: quadratic in their
//! number.

mod chains;
mod rarity;
mod seeds;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::corpus::index::{CorpusTextPart, Indexed};
use crate::corpus::{Index, Stream};
use crate::model::{
    Certainty, Document, Evidence, EvidenceKind, Layer, Link, LinkKind, Status, Target,
};
use crate::passes::context::Context;
use crate::passes::links::differs::{self, KeyedText};
use crate::source::Span;
use crate::text::collate::{CollatedRun, side_by_side};
use rarity::Rarity;
use seeds::EqualBlock;

/// Fewest equal characters of a parallel.
const MIN_EQUAL_CHARS: usize = 6;
/// Fewest equal characters of a piece of one, where another layer interrupts it.
const MIN_PIECE_CHARS: usize = 4;
/// Least share of equal characters in the longer side.
const MIN_EQUAL_SHARE: f64 = 0.7;
/// Cost in bits of a character that differs.
const BITS_PER_DIFFERENCE: f64 = 3.0;
/// Fewest bits above what chance explains. Below this, more than a third were formulas in a sample
/// read by hand.
const MIN_MARGIN_BITS: f64 = 5.0;
/// Most parallels of the same characters that are linked, the rarest first.
const MAX_PARALLELS_PER_CHAR: u8 = 4;
/// Two texts that share more than this part of the shorter's classic are witnesses of one text.
const MIN_WITNESS_SHARE: f64 = 0.7;

/// A passage that occurs in two places.
#[derive(Clone, Debug)]
struct ParallelPassage {
    sides: [StreamRange; 2],
    /// Bits above what chance explains.
    margin: f64,
    /// Equal characters.
    equal: usize,
}

/// A range of characters in a stream of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct StreamRange {
    entry: usize,
    stream: Stream,
    range: Range<usize>,
}

impl StreamRange {
    fn of(part: &CorpusTextPart, range: Range<usize>) -> Self {
        let from = part.range.start;
        StreamRange {
            entry: part.entry,
            stream: part.stream,
            range: range.start - from..range.end - from,
        }
    }

    fn span(&self, entry: &Indexed) -> Span {
        entry.view.stream(self.stream).span(self.range.start, self.range.end)
    }

    fn side<'a>(&self, entry: &'a Indexed) -> KeyedText<'a> {
        KeyedText { text: entry.document.source.text(), key: entry.view.stream(self.stream) }
    }
}

/// All parallels of a library, the rarest first.
#[derive(Debug, Default)]
pub struct Parallels {
    passages: Vec<ParallelPassage>,
    /// Indices of the passages of each entry.
    of: Vec<Vec<usize>>,
    /// For each entry the text that its resolved references quote, in order.
    quoted: Vec<Vec<Span>>,
}

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let index = context.index();
    let Some(own) = index.get(&document.id) else { return };
    let Some(parallels) = context.shared(Parallels::of) else { return };
    document.links.extend(parallels.links(own, index));
}

impl Parallels {
    /// Finds them.
    pub fn of(index: &Index) -> Self {
        let words = index.words();
        let chapters = seeds::chapters(index);
        let rarity = Rarity::of(words, &chapters);
        let chains = chains::chains(words, seeds::blocks(words, &chapters));
        let mut passages = without_witnesses(
            index,
            chains.iter().filter_map(|c| weigh(index, &rarity, c)).collect(),
        );
        passages.sort_by(|x, y| y.margin.total_cmp(&x.margin));
        let mut of = vec![Vec::new(); index.entries.len()];
        for (n, passage) in passages.iter().enumerate() {
            for side in &passage.sides {
                of[side.entry].push(n);
            }
        }
        Parallels {
            passages,
            of,
            quoted: index.entries.iter().map(|e| quoted(&e.document)).collect(),
        }
    }

    /// The links of one document to its parallels.
    fn links(&self, own: &Indexed, index: &Index) -> Vec<Link> {
        let mut linked: HashMap<(Stream, usize), u8> = HashMap::new();
        let mut links = Vec::new();
        for passage in self.of[own.number].iter().map(|n| &self.passages[*n]) {
            let [x, y] = &passage.sides;
            let (here, there) = if x.entry == own.number { (x, y) } else { (y, x) };
            let other = &index.entries[there.entry];
            let often = here
                .range
                .clone()
                .filter(|i| {
                    linked.get(&(here.stream, *i)).is_some_and(|t| *t >= MAX_PARALLELS_PER_CHAR)
                })
                .count();
            if self.is_quoted(here, own)
                || self.is_quoted(there, other)
                || often * 2 > here.range.len()
            {
                continue;
            }
            here.range.clone().for_each(|i| *linked.entry((here.stream, i)).or_insert(0) += 1);
            let pieces = pieces(own, here, other, there);
            let new =
                pieces.iter().filter(|(a, b)| !self.is_quoted(a, own) && !self.is_quoted(b, other));
            links.extend(new.map(|(a, b)| link(own, a, other, b, passage.margin)));
        }
        links.sort_by_key(|l| (l.span.start(), l.span.end()));
        links
    }

    /// True if references already cover at least half of `place`.
    fn is_quoted(&self, place: &StreamRange, entry: &Indexed) -> bool {
        let span = place.span(entry);
        let quoted = &self.quoted[entry.number];
        let first = quoted.partition_point(|q| q.end() <= span.start());
        let of_span = quoted[first..].iter().take_while(|q| q.start() < span.end());
        of_span.map(|q| q.overlap(span)).sum::<usize>() * 2 >= span.len()
    }
}

/// The text that resolved references of a document quote, in order and without overlaps.
fn quoted(document: &Document) -> Vec<Span> {
    let resolved =
        document.links.iter().filter(|l| l.target.is_some() && l.kind != LinkKind::Parallel);
    let mut spans: Vec<Span> = resolved.filter_map(|l| l.quoted).collect();
    spans.sort_by_key(|s| (s.start(), s.end()));
    let mut apart: Vec<Span> = Vec::new();
    for s in spans {
        match apart.last_mut() {
            Some(last) if s.start() <= last.end() => {
                *last = Span::new(last.start(), last.end().max(s.end()))
            }
            _ => apart.push(s),
        }
    }
    apart
}

/// A chain of blocks as a passage, if it is long, similar and rare enough.
fn weigh(index: &Index, rarity: &Rarity<'_>, chain: &[EqualBlock]) -> Option<ParallelPassage> {
    let words = index.words();
    let (first, last) = (chain.first()?, chain.last()?);
    let (a, b) = (first.a..last.a + last.len, first.b..last.b + last.len);
    let equal: usize = chain.iter().map(|b| b.len).sum();
    if equal < MIN_EQUAL_CHARS || (equal as f64) < MIN_EQUAL_SHARE * a.len().max(b.len()) as f64 {
        return None;
    }
    let differ = a.len().max(b.len()) - equal;
    let bits: f64 =
        chain.iter().map(|block| rarity.bits(&words.text[block.a..block.a + block.len])).sum();
    let margin = bits - BITS_PER_DIFFERENCE * differ as f64 - rarity.expected();
    let sides = [a, b].map(|range| StreamRange::of(words.part(range.start), range));
    (margin >= MIN_MARGIN_BITS).then_some(ParallelPassage { sides, margin, equal })
}

/// Leaves out passages between two witnesses of one text that are not both identified as a chapter.
fn without_witnesses(index: &Index, mut passages: Vec<ParallelPassage>) -> Vec<ParallelPassage> {
    let mut common: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    for p in passages.iter().filter(|p| p.sides.iter().all(|s| s.stream == Stream::Base)) {
        *common.entry([0, 1].map(|n| p.sides[n].entry)).or_insert(0) += p.equal;
    }
    let classic = |n: usize| index.entries[n].view.base.len();
    let titled = |n: usize| index.entries[n].document.meta.chapter.is_some();
    common.retain(|[a, b], equal| {
        !(titled(*a) && titled(*b))
            && *equal as f64 > MIN_WITNESS_SHARE * classic(*a).min(classic(*b)) as f64
    });
    passages.retain(|p| !common.contains_key(&[0, 1].map(|n| p.sides[n].entry)));
    passages
}

/// Splits a passage into pieces that no other layer interrupts, on either side.
fn pieces(
    own: &Indexed,
    here: &StreamRange,
    other: &Indexed,
    there: &StreamRange,
) -> Vec<(StreamRange, StreamRange)> {
    let chars =
        |e: &Indexed, p: &StreamRange| e.view.stream(p.stream).chars[p.range.clone()].to_vec();
    let cuts = |e: &Indexed, p: &StreamRange| -> Vec<usize> {
        let stretches = e.view.stretches(&e.document, p.stream, p.range.clone());
        stretches.iter().skip(1).map(|r| r.start - p.range.start).collect()
    };
    let (a_cuts, b_cuts) = (cuts(own, here), cuts(other, there));
    let runs = side_by_side(&chars(own, here), &chars(other, there));
    let mut pieces: Vec<Vec<CollatedRun>> = Vec::new();
    for run in runs.into_iter().flat_map(|r| split(r, &a_cuts, &b_cuts)) {
        let cut =
            |cuts: &[usize], from: usize, to: usize| cuts.iter().any(|c| (from..=to).contains(c));
        match pieces.last_mut() {
            Some(piece)
                if piece.last().is_some_and(|l| {
                    !cut(&a_cuts, l.a_end(), run.a) && !cut(&b_cuts, l.b_end(), run.b)
                }) =>
            {
                piece.push(run)
            }
            _ => pieces.push(vec![run]),
        }
    }
    let place = |of: &StreamRange, from: usize, to: usize| StreamRange {
        range: of.range.start + from..of.range.start + to,
        ..of.clone()
    };
    let long = pieces.iter().filter(|p| p.iter().map(|r| r.len).sum::<usize>() >= MIN_PIECE_CHARS);
    let ends = long.filter_map(|p| p.first().zip(p.last()));
    ends.map(|(f, l)| (place(here, f.a, l.a_end()), place(there, f.b, l.b_end()))).collect()
}

/// A run, cut where either text is cut.
fn split(run: CollatedRun, a_cuts: &[usize], b_cuts: &[usize]) -> Vec<CollatedRun> {
    let of_a = a_cuts.iter().filter_map(|c| c.checked_sub(run.a));
    let of_b = b_cuts.iter().filter_map(|c| c.checked_sub(run.b));
    let mut at: Vec<usize> =
        of_a.chain(of_b).filter(|n| (1..run.len).contains(n)).chain([0, run.len]).collect();
    at.sort_unstable();
    at.dedup();
    at.windows(2)
        .map(|w| CollatedRun { a: run.a + w[0], b: run.b + w[0], len: w[1] - w[0] })
        .collect()
}

fn link(
    own: &Indexed,
    here: &StreamRange,
    other: &Indexed,
    there: &StreamRange,
    margin: f64,
) -> Link {
    let differ = differs::evidence(
        here.side(own),
        here.range.clone(),
        there.side(other),
        there.range.clone(),
    );
    let span = here.span(own);
    Link {
        kind: LinkKind::Parallel,
        span,
        quoted: None,
        layer: own
            .document
            .segment_at(span.start())
            .map_or(Layer::Undivided, |i| own.document.segments[i].layer),
        work: None,
        target: Some(Target { doc: Some(other.document.id.clone()), span: there.span(other) }),
        alternatives: vec![],
        status: if differ.is_some() { Status::Variant } else { Status::Exact },
        certainty: Certainty::new(certainty(margin)),
        evidence: std::iter::once(Evidence::of(EvidenceKind::RareWordsInCommon))
            .chain(differ)
            .collect(),
    }
}

/// Certainty that a passage with this margin is not a formula, fitted by eye to that sample: at .7
/// to .8 five in seven were parallels, at .8 to .95 fourteen in fifteen, above that all 63.
fn certainty(margin: f64) -> f64 {
    1.0 - 0.4 * (-margin / 12.0).exp2()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::corpus::Library;

    #[test]
    fn links_of_other_passes_stay_as_they_are() {
        let words = |from: u32| (from..from + 90).filter_map(char::from_u32).collect::<String>();
        let shared = "司馬正洗散遂實爵興";
        let document = |id: &str, from: u32| {
            let text = format!("{}{shared}{}", words(from), words(from + 100));
            let mut document = Document::of_pieces(&[(Layer::Jing, &text)]);
            document.id = id.to_string();
            document
        };
        let mut own = document("a", 0x4e00);
        let span = own.segments[0].span;
        own.links.push(Link {
            kind: LinkKind::Lemma,
            span,
            quoted: None,
            layer: Layer::Jing,
            work: None,
            target: Some(Target { doc: None, span }),
            alternatives: vec![],
            status: Status::Exact,
            certainty: Certainty::SURE,
            evidence: vec![Evidence::of(EvidenceKind::LemmaHeader)],
        });
        let earlier = own.links.clone();
        let documents = vec![Arc::new(own.clone()), Arc::new(document("b", 0x5600))];
        let library = Library { documents, ..Library::default() };
        run(&mut own, &Context::new(&library));
        let parallels: Vec<&str> = own
            .links
            .iter()
            .filter(|l| l.kind == LinkKind::Parallel)
            .map(|l| own.slice(l.span))
            .collect();
        assert_eq!(parallels, [shared]);
        assert_eq!(own.links[..1], earlier, "earlier links are unchanged");
        assert_eq!(own.links.len(), 2);
    }
}
