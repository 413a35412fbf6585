//! Parallels: passages with the same words in another chapter or commentary, without a reference.
//!
//! Runs of four characters that two chapters share are extended to blocks, blocks that follow each
//! other are chained to passages, across what one side leaves out or says otherwise ([`chains`]),
//! and a passage is kept if its words are too rare for chance or formula ([`rarity`]). It is one
//! link from its first words to its last, notes between them included. The cost grows with the length of the corpus, not with the number of
//! pairs of texts. It is done once for the whole library; each document then takes its own
//! passages. What a resolved reference quotes is not listed again.
//!
//! The alternative was to collate the chapters in pairs with `text::collate`: quadratic in their
//! number.

mod chains;
mod found;
mod kept;
mod rarity;
mod seeds;
mod stored;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cache::{CacheKey, digest};
use crate::corpus::index::{CorpusTextPart, Indexed};
use crate::corpus::{Index, Stream};
use crate::memo::Memo;
use crate::model::{
    Certainty, Document, Evidence, EvidenceKind, Layer, Link, LinkKind, Status, Target,
};
use crate::passes::context::Context;
use crate::passes::links::differs::{self, KeyedText, RangePair};
use crate::source::Span;
use crate::text::collate::{Chain, CollatedRun};
pub use found::FoundParallel;
use kept::KeptChains;
use rarity::Rarity;
use seeds::PairRules;

/// Fewest equal characters of a parallel.
const MIN_EQUAL_CHARS: usize = 6;
/// Fewest equal characters side by side that say something of their own.
const MIN_TELLING_CHARS: usize = 3;
/// Least share of equal characters in the longer side.
const MIN_EQUAL_SHARE: f64 = 0.4;
/// Costs in bits: of a character that differs, of leaving something out, of each character left
/// out.
const BITS_PER_DIFFERENCE: f64 = 1.8;
const BITS_PER_OMISSION: f64 = 2.0;
const BITS_PER_OMITTED: f64 = 0.25;
/// Fewest bits above what chance explains. Below this, a third were formulas in samples read by
/// hand.
const MIN_MARGIN_BITS: f64 = 12.0;
/// Most parallels of the same characters that are linked, the rarest first.
const MAX_PARALLELS_PER_CHAR: u8 = 8;
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
    /// Ranges that differ, from the beginning of each side; no more than are listed.
    differences: Vec<RangePair>,
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

    fn place(&self) -> StreamPlace {
        (self.stream, self.range.clone())
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

/// Finds the parallels of the whole library, which uses all threads.
pub fn prepare(context: &Context<'_>) {
    all(context);
}

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let index = context.index();
    let Some(own) = index.get(&document.id) else { return };
    document.links.extend(all(context).links(own, index));
}

/// What the parallels of a document are made from: the passages it has in common with others, and these
/// others.
pub fn answers<'a>(
    document: &Document,
    context: &Context<'a>,
) -> Option<(Vec<&'a Arc<Document>>, CacheKey)> {
    let own = context.index().get(&document.id)?.number;
    let all = all(context);
    let documents: Vec<&Arc<Document>> = context.library.all().collect();
    let passages: Vec<&ParallelPassage> = all.of[own].iter().map(|n| &all.passages[*n]).collect();
    let mut read: Vec<usize> = passages.iter().flat_map(|p| &p.sides).map(|s| s.entry).collect();
    read.sort_unstable();
    read.dedup();
    let side = |s: &StreamRange| (&documents[s.entry].id, s.stream as u8, s.range.clone());
    let said: Vec<_> =
        passages.iter().map(|p| (p.sides.each_ref().map(side), p.margin, &p.differences)).collect();
    let key = digest(&said);
    Some((read.into_iter().filter(|n| *n != own).map(|n| documents[n]).collect(), key))
}

fn all(context: &Context<'_>) -> Arc<Parallels> {
    context.of_all(|| Parallels::of(context.index(), context.memo))
}

impl Parallels {
    /// Finds them.
    pub fn of(index: &Index, memo: Option<&Memo>) -> Self {
        let mut passages = passages(index, None, memo);
        passages.sort_by(|x, y| y.margin.total_cmp(&x.margin));
        let mut of = vec![Vec::new(); index.entries.len()];
        for (n, passage) in passages.iter().enumerate() {
            for side in &passage.sides {
                of[side.entry].push(n);
            }
        }
        Parallels { passages, of, quoted: quoted_in(index) }
    }

    /// The links of one document to its parallels.
    fn links(&self, own: &Indexed, index: &Index) -> Vec<Link> {
        let seen = self.of[own.number].iter().map(|n| SeenPassage::of(&self.passages[*n], own));
        let seen = seen.filter(|s| !s.is_quoted(own, index, &self.quoted));
        let chosen = chosen(seen.map(|s| (s.here.place(), s)));
        let mut links: Vec<Link> = chosen.iter().map(|s| s.link(own, index)).collect();
        links.sort_by_key(|l| (l.span.start(), l.span.end()));
        links
    }
}

/// All passages that the texts of an index have in common, in the order of the text of all; `only`
/// says which pairs of them are compared.
fn passages(
    index: &Index,
    only: Option<&FxHashSet<(usize, usize)>>,
    memo: Option<&Memo>,
) -> Vec<ParallelPassage> {
    let words = index.words();
    let chapters = seeds::chapters(index);
    let figures = index.figures.as_deref();
    let rarity = Rarity::of(words, &chapters, figures);
    let rules = PairRules { chapters: &chapters, own: index.own, only };
    let mut kept = KeptChains::of(words, rules, figures, memo);
    let chains = chains::completed_chains(words, &mut kept.pairs, |blocks| {
        let bits: f64 = blocks.iter().map(|r| rarity.bits(r.a..r.a_end())).sum();
        bits >= MIN_BLOCK_SHARE * rarity.expected()
    });
    memo.filter(|_| figures.is_none()).into_iter().for_each(|memo| kept.keep(memo));
    without_witnesses(index, chains.iter().filter_map(|c| weigh(index, &rarity, c)).collect())
}

/// Characters of a stream of a document.
type StreamPlace = (Stream, Range<usize>);

/// Of what is at some places, the rarest first, that of which less than half is linked often enough.
fn chosen<T>(found: impl Iterator<Item = (StreamPlace, T)>) -> Vec<T> {
    let mut linked: FxHashMap<(Stream, usize), u8> = FxHashMap::default();
    let not_too_often = found.filter_map(|((stream, range), what)| {
        let times = |i: &usize| linked.get(&(stream, *i)).copied().unwrap_or(0);
        let often = range.clone().filter(|i| times(i) >= MAX_PARALLELS_PER_CHAR).count();
        if often * 2 > range.len() {
            return None;
        }
        range.for_each(|i| *linked.entry((stream, i)).or_insert(0) += 1);
        Some(what)
    });
    not_too_often.collect()
}

/// A passage as one of its two documents sees it.
struct SeenPassage<'a> {
    passage: &'a ParallelPassage,
    here: &'a StreamRange,
    there: &'a StreamRange,
}

impl<'a> SeenPassage<'a> {
    fn of(passage: &'a ParallelPassage, own: &Indexed) -> Self {
        let [x, y] = &passage.sides;
        let (here, there) = if x.entry == own.number { (x, y) } else { (y, x) };
        SeenPassage { passage, here, there }
    }

    /// True if references already cover at least half of one side.
    fn is_quoted(&self, own: &Indexed, index: &Index, quoted: &[Vec<Span>]) -> bool {
        let other = &index.entries[self.there.entry];
        let is = |place: &StreamRange, entry: &Indexed| {
            is_quoted(place.span(entry), &quoted[entry.number])
        };
        is(self.here, own) || is(self.there, other)
    }

    fn link(&self, own: &Indexed, index: &Index) -> Link {
        let of_first = *self.here == self.passage.sides[0];
        let differ = self.passage.differences.iter().map(|[x, y]| match of_first {
            true => [x.clone(), y.clone()],
            false => [y.clone(), x.clone()],
        });
        let differ: Vec<RangePair> = differ.collect();
        let other = &index.entries[self.there.entry];
        link((own, self.here), (other, self.there), self.passage.margin, &differ)
    }
}

/// True if references already quote at least half of a span.
fn is_quoted(span: Span, quoted: &[Span]) -> bool {
    let first = quoted.partition_point(|q| q.end() <= span.start());
    let of_span = quoted[first..].iter().take_while(|q| q.start() < span.end());
    of_span.map(|q| q.overlap(span)).sum::<usize>() * 2 >= span.len()
}

/// The same of each entry.
fn quoted_in(index: &Index) -> Vec<Vec<Span>> {
    index.entries.iter().map(|e| quoted(&e.document)).collect()
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

/// The blocks of a chain must have this share of the bits that are expected by chance before what
/// is between and beyond them is looked at.
const MIN_BLOCK_SHARE: f64 = 0.6;

/// A chain as a passage, if it is long, similar and rare enough.
fn weigh(index: &Index, rarity: &Rarity<'_>, chain: &Chain) -> Option<ParallelPassage> {
    let words = index.words();
    let (a, b, equal) = (chain.a(), chain.b(), chain.matched());
    if equal < MIN_EQUAL_CHARS || (equal as f64) < MIN_EQUAL_SHARE * a.len().max(b.len()) as f64 {
        return None;
    }
    let telling = chain.runs.iter().filter(|r| r.len >= MIN_TELLING_CHARS);
    let bits: f64 = telling.map(|r| rarity.bits(r.a..r.a_end())).sum();
    let differ: f64 = chain.runs.windows(2).map(|w| difference(w[0], w[1])).sum();
    let margin = in_steps(bits - differ - rarity.expected());
    if margin < MIN_MARGIN_BITS {
        return None;
    }
    let differences = differences(chain);
    let sides = [a, b].map(|range| StreamRange::of(words.part(range.start), range));
    Some(ParallelPassage { sides, margin, equal, differences })
}

/// The ranges between the equal ones.
fn differences(chain: &Chain) -> Vec<RangePair> {
    let (a, b) = (chain.a().start, chain.b().start);
    let gap = |w: &[CollatedRun]| [w[0].a_end() - a..w[1].a - a, w[0].b_end() - b..w[1].b - b];
    let gaps = chain.runs.windows(2).map(gap).filter(|gap| gap.iter().any(|r| !r.is_empty()));
    // One more than are listed says that there are more.
    gaps.take(differs::MAX_SHOWN_DIFFERENCES + 1).collect()
}

/// Bits in steps of a quarter. The statistics of a corpus change with each of its characters; a
/// passage that has nothing to do with the change stays as it is.
fn in_steps(bits: f64) -> f64 {
    (4.0 * bits).round() / 4.0
}

/// What it costs, in bits, that something differs between two runs.
fn difference(last: CollatedRun, next: CollatedRun) -> f64 {
    let (a, b) = (next.a - last.a_end(), next.b - last.b_end());
    let omission = if a == b { 0.0 } else { BITS_PER_OMISSION };
    BITS_PER_DIFFERENCE * a.min(b) as f64 + omission + BITS_PER_OMITTED * a.abs_diff(b) as f64
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

fn link(
    (own, here): (&Indexed, &StreamRange),
    (other, there): (&Indexed, &StreamRange),
    margin: f64,
    differences: &[RangePair],
) -> Link {
    let sides = [(here.side(own), here.range.start), (there.side(other), there.range.start)];
    let differ = differs::evidence(sides, differences);
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

    /// Different characters, from one on.
    fn words(from: u32, n: u32) -> String {
        (from..from + n).filter_map(char::from_u32).collect()
    }

    fn chapter(id: &str, title: &str, pieces: &[(Layer, &str)]) -> Document {
        let mut document = Document::of_pieces(pieces);
        document.id = id.into();
        document.meta.work = Some("儀禮".into());
        document.meta.chapter = Some(title.into());
        document
    }

    /// The parallels of the first of some documents: their words, and those they lead to.
    fn parallels_of(documents: Vec<Document>) -> Vec<(String, String)> {
        let documents = documents.into_iter().map(Arc::new).collect();
        let mut library = Library { documents, ..Library::default() };
        let mut first = (*library.documents[0]).clone();
        run(&mut first, &Context::new(&library));
        library.documents[0] = Arc::new(first.clone());
        let ends = |l: &Link| {
            let target = l.target.as_ref()?;
            let there = library.get(target.doc.as_deref()?)?;
            Some((first.slice(l.span).to_string(), there.slice(target.span).to_string()))
        };
        first.links.iter().filter_map(ends).collect()
    }

    #[test]
    fn a_text_repeated_with_omissions_is_one_parallel_over_its_notes() {
        let (x, y) = (words(0x4e00, 60), words(0x5200, 60));
        let (first, second) = ("鼓瑟吹笙承筐是將", "呦呦鹿鳴食野之苹");
        let more = words(0x5600, 12);
        let here = [(Layer::Jing, first), (Layer::Zhu, "注也"), (Layer::Jing, second)];
        let mut pieces = vec![(Layer::Jing, x.as_str())];
        pieces.extend(here);
        pieces.push((Layer::Jing, &y));
        let there = format!("{}{first}{more}{second}{}", words(0x6000, 60), words(0x6400, 60));
        let documents =
            vec![chapter("a", "鄉射禮", &pieces), chapter("b", "大射儀", &[(Layer::Jing, &there)])];
        let whole = (format!("{first}注也{second}"), format!("{first}{more}{second}"));
        assert_eq!(parallels_of(documents), [whole]);
    }

    #[test]
    fn two_editions_of_a_chapter_have_no_parallels() {
        let text = words(0x4e00, 60);
        let edition = |id: &str| chapter(id, "鄉射禮", &[(Layer::Jing, &text)]);
        assert_eq!(parallels_of(vec![edition("a"), edition("b")]), []);
    }
}
