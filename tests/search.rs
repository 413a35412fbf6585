//! The search engine against slow ways to the same answers: queries of every kind on made-up books whose structure is
//! known, phrases drawn from the bundled corpus, and what becomes of an index that is cut, mixed up or interrupted.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use zhushu::corpus::{Library, Loci};
use zhushu::diag::ErrorKind;
use zhushu::model::{Alignment, Bead, Cert, Document, Layer, LayerKind, Segment};
use zhushu::search::{self, Folding, Found, Index, Options, Query, Show};
use zhushu::source::{Source, Span};
use zhushu::text::Key;
use zhushu::text::fold::{fold, fold_script};
use zhushu::{load, pipeline};

/// Few characters, so that hits abound; 获, 賔 and 雲 fold into others.
const ALPHABET: [char; 8] = ['獲', '获', '坐', '今', '云', '雲', '賔', '賓'];

// --- Books whose structure is known -------------------------------------------------------------------------------

/// A passage of the classic with the notes on it.
#[derive(Clone, Debug)]
struct Passage {
    words: String,
    notes: Vec<(Layer, String)>,
    translation: Option<String>,
}

/// Passages with the 疏 that explains them; without one there is one passage.
#[derive(Clone, Debug)]
struct Group {
    passages: Vec<Passage>,
    shu: Vec<String>,
}

/// What the slow way knows of a unit.
#[derive(Clone, Debug)]
struct Unit {
    doc: usize,
    layer: Layer,
    /// Folded, as it stands, byte, end.
    chars: Vec<(char, char, usize, usize)>,
    group: usize,
    /// Index of the passage that a note stands on.
    anchor: Option<usize>,
    /// Index of the passage that a translation translates.
    target: Option<usize>,
}

#[derive(Default)]
struct Books {
    library: Library,
    units: Vec<Unit>,
}

fn words(max: usize) -> impl Strategy<Value = String> {
    let character =
        prop_oneof![8 => prop::sample::select(&ALPHABET[..]), 1 => Just('，'), 1 => Just('。'), 1 => Just('\n'), 1 => Just('○')];
    prop::collection::vec(character, 0..max).prop_flat_map(|rest| (prop::sample::select(&ALPHABET[..]), Just(rest))).prop_map(
        |(c, mut rest)| {
            rest.insert(0, c);
            rest.into_iter().collect::<String>().trim_end().to_string()
        },
    )
}

fn group() -> impl Strategy<Value = Group> {
    let note = (prop_oneof![3 => Just(Layer::Zhu), 1 => Just(Layer::Yin)], words(6));
    let passage = (words(8), prop::collection::vec(note, 0..3), prop::option::of(words(8)));
    let passage = passage.prop_map(|(words, notes, translation)| Passage { words, notes, translation });
    (prop::collection::vec(passage, 1..4), prop::collection::vec(words(12), 0..3)).prop_map(|(mut passages, shu)| {
        if shu.is_empty() {
            passages.truncate(1);
        }
        Group { passages, shu }
    })
}

fn books() -> impl Strategy<Value = Books> {
    prop::collection::vec(prop::collection::vec(group(), 1..4), 1..4).prop_map(|docs| {
        let mut books = Books::default();
        docs.iter().enumerate().for_each(|(n, groups)| books.add(n, groups));
        books
    })
}

struct Draft {
    text: String,
    segments: Vec<Segment>,
}

impl Draft {
    fn push(&mut self, layer: Layer, words: &str) -> Span {
        let start = self.text.len();
        self.text.push_str(words);
        let span = Span::new(start, self.text.len());
        self.segments.push(Segment::marked(layer, span));
        span
    }

    fn document(self, id: &str) -> Document {
        let mut document = Document::new(Arc::new(Source::from_text(format!("{id}.txt"), self.text)), "test");
        document.segments = self.segments;
        document.number();
        document.check().unwrap();
        document
    }
}

impl Books {
    fn unit(&mut self, doc: usize, draft: &Draft, layer: Layer, span: Span, group: usize, anchor: Option<usize>) -> usize {
        let chars = draft.text[span.range()].char_indices().filter(|(_, c)| ALPHABET.contains(c));
        let chars = chars.map(|(i, c)| (fold(c), c, span.start() + i, span.start() + i + c.len_utf8())).collect();
        self.units.push(Unit { doc, layer, chars, group, anchor, target: None });
        self.units.len() - 1
    }

    /// A classic and its translation.
    fn add(&mut self, n: usize, groups: &[Group]) {
        let mut draft = Draft { text: String::new(), segments: vec![] };
        let mut translation = Draft { text: String::new(), segments: vec![] };
        let (doc, other) = (2 * n, 2 * n + 1);
        let (mut beads, mut sides) = (vec![], vec![]);
        for (g, group) in groups.iter().enumerate() {
            let heading = draft.push(Layer::Heading, "坐");
            self.unit(doc, &draft, Layer::Heading, heading, 100 + g, None);
            draft.push(Layer::Blank, "\n\n");
            for passage in &group.passages {
                let span = draft.push(Layer::Jing, &passage.words);
                let base = self.unit(doc, &draft, Layer::Jing, span, g, None);
                for (layer, words) in &passage.notes {
                    let span = draft.push(*layer, words);
                    self.unit(doc, &draft, *layer, span, g, Some(base));
                }
                draft.push(Layer::Blank, if passage.notes.is_empty() { "\n" } else { " " });
                if let Some(words) = &passage.translation {
                    let side = translation.push(Layer::Translation, words);
                    translation.push(Layer::Blank, "\n");
                    sides.push((side, base));
                    beads.push(Bead { source: vec![span], translation: vec![side], cert: Cert::SURE, evidence: vec![] });
                }
            }
            for words in &group.shu {
                draft.push(Layer::Mark, "[疏]");
                let span = draft.push(Layer::Shu, words);
                self.unit(doc, &draft, Layer::Shu, span, g, None);
                draft.push(Layer::Blank, "\n\n");
            }
        }
        for (i, (side, base)) in sides.into_iter().enumerate() {
            let unit = self.unit(other, &translation, Layer::Translation, side, i, None);
            self.units[unit].target = Some(base);
        }
        let ids = [format!("classic{n}"), format!("translation{n}")];
        self.library.documents.push(Arc::new(draft.document(&ids[0])));
        if translation.text.is_empty() {
            translation.push(Layer::Blank, "\n");
        }
        self.library.documents.push(Arc::new(translation.document(&ids[1])));
        self.library.alignments.push(Alignment { source: ids[0].clone(), translation: ids[1].clone(), grain: Default::default(), beads });
    }
}

// --- Queries, and the slow way to answer them -----------------------------------------------------------------------

#[derive(Clone, Debug)]
enum Ask {
    Words(Vec<Option<char>>),
    Regex(char, char),
    Any,
    In(Layer, Box<Ask>),
    All(Vec<Ask>, Option<Box<Ask>>),
    Either(Box<Ask>, Box<Ask>),
    Near(Vec<char>, usize, Vec<char>),
    On(Box<Ask>, bool, Box<Ask>),
}

impl Ask {
    fn text(&self) -> String {
        match self {
            Ask::Words(chars) => chars.iter().map(|c| c.unwrap_or('?')).collect(),
            Ask::Regex(a, b) => format!("re:{a}.{{0,2}}{b}"),
            Ask::Any => "*".into(),
            Ask::In(layer, x) => format!("{}:({})", layer.zh(), x.text()),
            Ask::All(parts, not) => {
                let parts: Vec<String> = parts.iter().map(|p| format!("({})", p.text())).collect();
                format!("{}{}", parts.join(" AND "), not.as_ref().map_or(String::new(), |n| format!(" NOT ({})", n.text())))
            }
            Ask::Either(a, b) => format!("({}) OR ({})", a.text(), b.text()),
            Ask::Near(a, n, b) => format!("{} NEAR/{n} {}", a.iter().collect::<String>(), b.iter().collect::<String>()),
            Ask::On(a, not, b) => format!("({}) @ {}({})", a.text(), if *not { "NOT " } else { "" }, b.text()),
        }
    }
}

fn ask() -> impl Strategy<Value = Ask> {
    let character = || prop::sample::select(&ALPHABET[..]);
    let pattern = prop::collection::vec(prop_oneof![5 => character().prop_map(Some), 1 => Just(None)], 1..4);
    let leaf = prop_oneof![
        6 => pattern.prop_filter("a character", |p| p.iter().any(Option::is_some)).prop_map(Ask::Words),
        1 => (character(), character()).prop_map(|(a, b)| Ask::Regex(a, b)),
        1 => Just(Ask::Any),
        1 => (prop::collection::vec(character(), 1..3), 0..4usize, prop::collection::vec(character(), 1..3)).prop_map(|(a, n, b)| Ask::Near(a, n, b)),
    ];
    let layer = prop::sample::select(vec![Layer::Jing, Layer::Zhu, Layer::Yin, Layer::Shu, Layer::Translation]);
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            3 => (layer.clone(), boxed.clone()).prop_map(|(l, x)| Ask::In(l, x)),
            2 => (prop::collection::vec(inner, 1..3), prop::option::of(boxed.clone())).prop_map(|(p, n)| Ask::All(p, n)),
            1 => (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Ask::Either(a, b)),
            3 => (boxed.clone(), any::<bool>(), boxed).prop_map(|(a, n, b)| Ask::On(a, n, b)),
        ]
    })
}

/// Regular expressions of all the forms that say something of what a match holds, or nothing.
fn pattern() -> impl Strategy<Value = String> {
    let character = || prop::sample::select(&ALPHABET[..]);
    let leaf = prop_oneof![
        6 => character().prop_map(String::from),
        2 => prop::collection::vec(character(), 2..4).prop_map(String::from_iter),
        1 => (character(), character()).prop_map(|(a, b)| format!("[{a}{b}]")),
        1 => character().prop_map(|c| format!("[^{c}]")),
        1 => Just(".".to_string()),
    ];
    leaf.prop_recursive(3, 10, 4, |inner| {
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 2..4).prop_map(|p| p.concat()),
            2 => prop::collection::vec(inner.clone(), 2..4).prop_map(|p| format!("({})", p.join("|"))),
            2 => (inner.clone(), prop::sample::select(vec!["?", "*", "+", "{2}", "{1,3}", "{0,2}", "*?"])).prop_map(|(p, n)| format!("({p}){n}")),
            1 => inner.clone().prop_map(|p| format!("^{p}")),
            1 => inner.prop_map(|p| format!("{p}$")),
        ]
    })
}

/// Index of the first unit, of the first character in it, and characters.
type Slow = (usize, usize, usize);

impl Books {
    /// Units whose characters run on from one to the next: of one document and layer, or one unit.
    fn runs(&self, layers: Option<&HashSet<Layer>>) -> Vec<Vec<usize>> {
        let mut runs: Vec<Vec<usize>> = vec![];
        for (i, unit) in self.units.iter().enumerate().filter(|(_, u)| layers.is_none_or(|l| l.contains(&u.layer))) {
            let on = matches!(unit.layer.kind(), LayerKind::Base | LayerKind::Translation);
            let run = runs.iter_mut().find(|r| on && (self.units[r[0]].doc, self.units[r[0]].layer) == (unit.doc, unit.layer));
            match run {
                Some(run) => run.push(i),
                None => runs.push(vec![i]),
            }
        }
        runs
    }

    fn stretches(&self, layers: Option<&HashSet<Layer>>, fits: impl Fn(&[char]) -> Vec<(usize, usize)>) -> BTreeSet<Slow> {
        let mut found = BTreeSet::new();
        for run in self.runs(layers) {
            let places: Vec<(usize, usize)> = run.iter().flat_map(|u| (0..self.units[*u].chars.len()).map(move |c| (*u, c))).collect();
            let chars: Vec<char> = places.iter().map(|(u, c)| self.units[*u].chars[*c].0).collect();
            found.extend(fits(&chars).into_iter().map(|(from, len)| (places[from].0, places[from].1, len)));
        }
        found
    }

    fn answer(&self, ask: &Ask, layers: Option<&HashSet<Layer>>, by_unit: bool) -> BTreeSet<Slow> {
        match ask {
            Ask::Words(pattern) => self.stretches(layers, |chars| places(chars, pattern).map(|i| (i, pattern.len())).collect()),
            Ask::Regex(a, b) => {
                let layers_of = |u: &Unit| layers.is_none_or(|l| l.contains(&u.layer));
                let mut found = BTreeSet::new();
                for (n, unit) in self.units.iter().enumerate().filter(|(_, u)| layers_of(u)) {
                    let mut at = 0;
                    // As regular expressions do: from the left, as long as may be, none over another.
                    while at < unit.chars.len() {
                        let to = (at + 1..unit.chars.len().min(at + 4)).rev().find(|to| unit.chars[*to].0 == fold(*b));
                        match to.filter(|_| unit.chars[at].0 == fold(*a)) {
                            Some(to) => {
                                found.insert((n, at, to + 1 - at));
                                at = to + 1;
                            }
                            None => at += 1,
                        }
                    }
                }
                found
            }
            Ask::Any => self
                .units
                .iter()
                .enumerate()
                .filter(|(_, u)| layers.is_none_or(|l| l.contains(&u.layer)))
                .map(|(i, u)| (i, 0, u.chars.len()))
                .collect(),
            Ask::In(layer, inner) => {
                let only: HashSet<Layer> = [*layer].into_iter().filter(|l| layers.is_none_or(|o| o.contains(l))).collect();
                self.answer(inner, Some(&only), true)
            }
            Ask::All(parts, not) => {
                let key = |u: usize| if by_unit { (u, usize::MAX) } else { (self.units[u].doc, self.units[u].group) };
                let found: Vec<_> = parts.iter().map(|p| self.answer(p, layers, by_unit)).collect();
                let keys: Vec<HashSet<_>> = found.iter().map(|f| f.iter().map(|h| key(h.0)).collect()).collect();
                let not: HashSet<_> = not.iter().flat_map(|n| self.answer(n, layers, by_unit)).map(|h| key(h.0)).collect();
                found.into_iter().flatten().filter(|h| keys.iter().all(|k| k.contains(&key(h.0))) && !not.contains(&key(h.0))).collect()
            }
            Ask::Either(a, b) => &self.answer(a, layers, by_unit) | &self.answer(b, layers, by_unit),
            Ask::Near(a, n, b) => {
                let folded = |w: &[char]| w.iter().map(|c| Some(fold(*c))).collect::<Vec<_>>();
                let (a, b) = (folded(a), folded(b));
                self.stretches(layers, |chars| {
                    let pairs = places(chars, &a).flat_map(|x| places(chars, &b).map(move |y| (x, y))).collect::<Vec<_>>();
                    let apart = |x: usize, xl: usize, y: usize| y >= x + xl && y - x - xl <= *n;
                    pairs
                        .into_iter()
                        .filter_map(|(x, y)| match () {
                            () if apart(x, a.len(), y) => Some((x, y + b.len() - x)),
                            () if apart(y, b.len(), x) => Some((y, x + a.len() - y)),
                            () => None,
                        })
                        .collect()
                })
            }
            Ask::On(a, not, b) => {
                let right: HashSet<usize> = self.answer(b, layers, by_unit).iter().map(|h| h.0).collect();
                self.answer(a, layers, by_unit).into_iter().filter(|h| right.iter().any(|r| self.related(h.0, *r)) != *not).collect()
            }
        }
    }

    fn related(&self, a: usize, b: usize) -> bool {
        self.comments(a, b) || self.comments(b, a)
    }

    /// The first says something about the second.
    fn comments(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.units[a], &self.units[b]);
        let (k, l) = (x.layer.kind(), y.layer.kind());
        match (k, l) {
            (LayerKind::Note, LayerKind::Base) => x.anchor == Some(b),
            (LayerKind::Note, LayerKind::Note) => x.layer != y.layer && x.anchor == y.anchor,
            (LayerKind::Commentary, LayerKind::Base | LayerKind::Note) => (x.doc, x.group) == (y.doc, y.group),
            (LayerKind::Translation, LayerKind::Base) => x.target == Some(b),
            (LayerKind::Translation, LayerKind::Note) => x.target == y.anchor,
            _ => false,
        }
    }

    /// First and last byte of a hit.
    fn place(&self, (unit, from, len): Slow) -> Place {
        let run = self.runs(None).into_iter().find(|r| r.contains(&unit)).unwrap();
        let after = run.iter().skip_while(|u| **u != unit).flat_map(|u| self.units[*u].chars.clone()).skip(from);
        let end = after.take(len).last().unwrap().3;
        let u = &self.units[unit];
        (self.library.documents[u.doc].id.clone(), u.layer, u.chars[from].2, end)
    }
}

fn places<'a>(chars: &'a [char], pattern: &'a [Option<char>]) -> impl Iterator<Item = usize> + 'a {
    let fits = |(c, p): (&char, &Option<char>)| p.is_none_or(|p| fold(p) == *c);
    (0..(chars.len() + 1).saturating_sub(pattern.len())).filter(move |i| chars[*i..*i + pattern.len()].iter().zip(pattern).all(fits))
}

/// Document, layer, first byte, end.
type Place = (String, Layer, usize, usize);

fn places_of(found: &Found<'_>) -> Vec<Place> {
    let answers = found.answers(&Show { limit: usize::MAX, context: 3, ..Show::default() }).unwrap();
    assert_eq!(answers.len(), found.total());
    answers.into_iter().map(|a| (a.document, a.layer, a.bytes[0].start(), a.bytes.last().unwrap().end())).collect()
}

fn index_of(library: &Library) -> (tempfile::TempDir, Index) {
    let folder = tempfile::tempdir().unwrap();
    search::build(library, folder.path()).unwrap();
    let index = Index::open(folder.path()).unwrap();
    (folder, index)
}

impl std::fmt::Debug for Books {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for d in &self.library.documents {
            let layers: Vec<_> = d.segments.iter().map(|s| (s.layer.zh(), d.slice(s.span))).collect();
            writeln!(f, "{}: {layers:?}", d.id)?;
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_query_is_answered_as_the_slow_way_does(books in books(), asks in prop::collection::vec(ask(), 12)) {
        let (_folder, index) = index_of(&books.library);
        for ask in asks {
            let query: Query = ask.text().parse().unwrap_or_else(|e| panic!("{}: {e}", ask.text()));
            let got = places_of(&index.search(&query, Options::default()).unwrap());
            let want: BTreeSet<Place> = books.answer(&ask, None, false).into_iter().map(|h| books.place(h)).collect();
            prop_assert_eq!(got.len(), want.len(), "{}", ask.text());
            prop_assert_eq!(got.into_iter().collect::<BTreeSet<_>>(), want, "{}", ask.text());
        }
    }

    #[test]
    fn exact_and_uncrossed_hits_are_those_that_read_so(books in books(), drawn in prop::collection::vec((any::<prop::sample::Index>(), 1..5usize), 8)) {
        let (_folder, index) = index_of(&books.library);
        // Drawn from the texts, so that some are found, and some of them over the end of a unit.
        let runs: Vec<Vec<char>> = books.runs(None).iter().map(|r| r.iter().flat_map(|u| books.units[*u].chars.iter().map(|c| c.1)).collect()).collect();
        let places: Vec<(usize, usize)> = runs.iter().enumerate().flat_map(|(r, run)| (0..run.len()).map(move |c| (r, c))).collect();
        for (at, len) in drawn {
            let (run, from) = places[at.index(places.len())];
            let words = &runs[run][from..runs[run].len().min(from + len)];
            let query: Query = words.iter().collect::<String>().parse().unwrap();
            let all = Ask::Words(words.iter().copied().map(Some).collect());
            let slow = books.answer(&all, None, false);
            let exact = index.search(&query, Options { folding: Folding::Exact, ..Options::default() }).unwrap();
            let own = |h: &&Slow| {
                let run = books.runs(None).into_iter().find(|r| r.contains(&h.0)).unwrap();
                let chars = run.iter().skip_while(|u| **u != h.0).flat_map(|u| books.units[*u].chars.clone()).skip(h.1).take(h.2);
                chars.map(|c| c.1).eq(words.iter().copied())
            };
            let want: BTreeSet<Place> = slow.iter().filter(own).map(|h| books.place(*h)).collect();
            prop_assert_eq!(places_of(&exact).into_iter().collect::<BTreeSet<_>>(), want);
            let uncrossed = index.search(&query, Options { crossing: false, ..Options::default() }).unwrap();
            let want: BTreeSet<Place> = slow.iter().filter(|h| h.1 + h.2 <= books.units[h.0].chars.len()).map(|h| books.place(*h)).collect();
            prop_assert_eq!(places_of(&uncrossed).into_iter().collect::<BTreeSet<_>>(), want);
        }
    }

    /// What every match must hold is looked up in the index first: that must leave nothing out.
    #[test]
    fn patterns_find_what_a_full_scan_finds(books in books(), patterns in prop::collection::vec(pattern(), 8)) {
        let (_folder, index) = index_of(&books.library);
        for pattern in patterns {
            for folding in [Folding::Full, Folding::Script, Folding::Exact] {
                let fold: fn(char) -> char = match folding {
                    Folding::Full => fold,
                    Folding::Script => fold_script,
                    Folding::Exact => |c| c,
                };
                let regex = regex::Regex::new(&pattern.chars().map(|c| if c.is_ascii() { c } else { fold(c) }).collect::<String>()).unwrap();
                let mut want = BTreeSet::new();
                for unit in &books.units {
                    let text: String = unit.chars.iter().map(|c| fold(c.1)).collect();
                    for m in regex.find_iter(&text).filter(|m| !m.is_empty()) {
                        let (from, len) = (text[..m.start()].chars().count(), m.as_str().chars().count());
                        let (first, last) = (unit.chars[from], unit.chars[from + len - 1]);
                        want.insert((books.library.documents[unit.doc].id.clone(), unit.layer, first.2, last.3));
                    }
                }
                let query: Query = format!("re:\"{pattern}\"").parse().unwrap();
                let got = places_of(&index.search(&query, Options { folding, ..Options::default() }).unwrap());
                prop_assert_eq!(got.len(), want.len(), "{} {:?}", &pattern, folding);
                prop_assert_eq!(got.into_iter().collect::<BTreeSet<_>>(), want, "{} {:?}", &pattern, folding);
            }
        }
    }

    #[test]
    fn any_words_are_a_query_or_a_mistake_with_a_place(text in ".{0,40}") {
        if let Err(e) = text.parse::<Query>() {
            prop_assert!(e.kind == ErrorKind::Usage && e.place.is_some(), "{e}");
        }
    }
}

// --- The bundled corpus ---------------------------------------------------------------------------------------------

fn corpus() -> Library {
    let corpus = load::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")).unwrap();
    let mut library = pipeline::run(load::read(&corpus).unwrap().documents);
    pipeline::align(&mut library);
    library
}

/// A character of a text, folded, and the bytes it stands at.
type At = (char, usize, usize);

/// The texts of a layer of a document as a scan would read them: one for the classic and for a translation, one a
/// segment elsewhere, where notes that an editor's note or a page interrupts go on.
fn scanned(document: &Document, layer: Layer) -> Vec<Vec<At>> {
    let mut texts: Vec<Vec<At>> = vec![];
    let runs_on = matches!(layer.kind(), LayerKind::Base | LayerKind::Translation);
    let mut open = false;
    for (i, s) in document.segments.iter().enumerate() {
        if s.layer != layer {
            open &= !s.layer.is_text() || s.layer == Layer::An;
            continue;
        }
        let key = Key::of_spans(document.source.text(), document.without_marks(s.span));
        let own = (0..key.len()).map(|n| (key.chars[n], key.at[n] as usize, key.ends[n] as usize));
        let between = document.segments[..i].iter().rev().take_while(|b| b.layer != layer);
        let interrupted = between.clone().any(|b| matches!(b.layer, Layer::An | Layer::Furniture));
        let line = between.clone().any(|b| !b.layer.is_text() && b.layer != Layer::Furniture && document.slice(b.span).contains('\n'));
        let goes_on = layer != Layer::An
            && open
            && match layer.kind() {
                LayerKind::Note => interrupted,
                LayerKind::Commentary => interrupted || !line,
                _ => false,
            };
        match texts.last_mut() {
            Some(last) if runs_on || goes_on => last.extend(own),
            _ => texts.push(own.collect()),
        }
        open = true;
    }
    texts
}

/// A little generator, so that the draw is the same each time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// A document as a print has it: lines and pages turn within its words, a mark at each.
fn printed(document: &Document) -> Document {
    let (mut text, mut segments, mut marks, mut column) = (String::new(), vec![], vec![], 0);
    for s in &document.segments {
        let start = text.len();
        let words = document.slice(s.span);
        for (i, c) in words.char_indices() {
            text.push(c);
            column += 1;
            if s.layer.is_text() && column >= 9 && i + c.len_utf8() < words.len() {
                let mark = text.len();
                text.push_str(if mark % 4 == 0 { "¶\n<pb:KR1d0026_SBCK_006-1b>¶\n" } else { "¶\n" });
                marks.push(Span::new(mark, text.len()));
                column = 0;
            }
        }
        segments.push(Segment { span: Span::new(start, text.len()), ..s.clone() });
    }
    let mut copy = Document::new(Arc::new(Source::from_text("printed.txt", text)), "test");
    (copy.segments, copy.marks) = (segments, marks);
    copy.number();
    copy.check().unwrap();
    copy
}

/// What stands between the first and the last character of a phrase.
#[derive(Default)]
struct Met {
    notes: usize,
    lines: usize,
    marks: usize,
    punctuation: usize,
    variants: usize,
}

impl Met {
    fn look(&mut self, document: &Document, text: &[At]) {
        let span = Span::new(text[0].1, text[text.len() - 1].2);
        let (first, last) = (document.segment_at(span.start()), document.segment_at(span.end() - 1));
        let between = first.zip(last).map_or(&[][..], |(a, b)| &document.segments[a..=b]);
        let own = between[0].layer;
        self.notes += usize::from(between.iter().any(|s| s.layer.is_text() && s.layer != own));
        self.lines += usize::from(document.slice(span).contains('\n'));
        self.marks += usize::from(!document.marks_in(span).is_empty());
        self.punctuation += usize::from(text.windows(2).any(|w| w[0].2 < w[1].1));
    }
}

#[test]
fn phrases_of_every_layer_are_all_found_and_nothing_else() {
    let mut library = corpus();
    library.documents.push(Arc::new(printed(library.get("yili-05-jishi").unwrap())));
    let (_folder, index) = index_of(&library);
    let mut draw = Draw(11);
    let (mut drawn, mut met) = (0, Met::default());
    let layers: BTreeSet<Layer> =
        library.documents.iter().flat_map(|d| d.segments.iter().map(|s| s.layer)).filter(|l| l.is_text()).collect();
    for layer in layers {
        let texts: Vec<(&Document, Vec<At>)> = library
            .documents
            .iter()
            .flat_map(|d| scanned(d, layer).into_iter().map(|t| (&**d, t)))
            .filter(|(_, t)| !t.is_empty())
            .collect();
        let chars: Vec<Vec<char>> = texts.iter().map(|(_, t)| t.iter().map(|c| c.0).collect()).collect();
        for _ in 0..300 {
            let (document, text) = &texts[draw.below(texts.len())];
            let from = draw.below(text.len());
            let text = &text[from..text.len().min(from + 1 + draw.below(12))];
            met.look(document, text);
            let phrase: Vec<char> = text.iter().map(|c| c.0).collect();
            let typed: Vec<char> = phrase.iter().map(|c| variant(*c, &mut draw)).collect();
            met.variants += usize::from(typed != phrase);
            // Punctuation and blanks in the question are passed over like those in the text.
            let typed: String = typed.iter().flat_map(|c| [Some(*c), (draw.below(9) == 0).then_some('，')]).flatten().collect();
            let query: Query = format!("{}:\"{typed}\"", layer.zh()).parse().unwrap();
            let found = index.search(&query, Options::default()).unwrap();
            let mut want: BTreeSet<(&str, usize, usize)> = BTreeSet::new();
            for ((document, text), chars) in texts.iter().zip(&chars) {
                let same = chars.windows(phrase.len()).enumerate().filter(|(_, w)| **w == phrase[..]);
                want.extend(same.map(|(i, _)| (document.id.as_str(), text[i].1, text[i + phrase.len() - 1].2)));
            }
            assert_eq!(found.total(), want.len(), "{}", query.text());
            if want.len() <= 30 {
                let got = places_of(&found);
                assert!(got.iter().all(|p| p.1 == layer));
                let got: BTreeSet<_> = got.iter().map(|(d, _, a, b)| (d.as_str(), *a, *b)).collect();
                assert_eq!(got, want, "{}", query.text());
            }
            drawn += 1;
        }
    }
    assert!(drawn >= 3000, "{drawn}");
    let Met { notes, lines, marks, punctuation, variants } = met;
    assert!([notes, lines, marks, punctuation, variants].iter().all(|n| *n > 50), "{notes} {lines} {marks} {punctuation} {variants}");
}

/// Words as pages know them: elements, and characters that are no blanks before them in each.
fn told(document: &Document, span: Span) -> String {
    let place = |holds: usize, end: usize| {
        let s = &document.segments[document.segment_at(holds).unwrap()];
        let elements = match s.layer.kind() {
            LayerKind::Base | LayerKind::Translation => document.sentences(s).into_iter().map(|e| e.0).collect(),
            _ => vec![s.span],
        };
        let n = elements.iter().position(|e| e.end() > holds).unwrap();
        let number = if elements.len() > 1 || elements.len() == 1 && matches!(s.layer.kind(), LayerKind::Base | LayerKind::Translation) {
            format!(".{}", n + 1)
        } else {
            String::new()
        };
        let before = document.words(Span::new(elements[n].start(), end));
        format!("{}{number}:{}", s.id, before.chars().filter(|c| !c.is_whitespace()).count())
    };
    format!("{}-{}", place(span.start(), span.start()), place(span.end() - 1, span.end()))
}

#[test]
fn figures_are_about_what_the_query_looks_through() {
    let library = corpus();
    let (_folder, index) = index_of(&library);
    for (query, layers, chapter) in [
        ("獲者", None, None),
        ("注:獲者", Some(vec![Layer::Zhu]), None),
        ("注:獲者 OR (疏:獲 chapter:鄉射禮)", None, None),
        ("(注:獲者 OR 疏:獲) chapter:鄉射禮", Some(vec![Layer::Zhu, Layer::Shu]), Some("鄉射禮")),
        ("注:獲 @ 經:射", Some(vec![Layer::Zhu]), None),
        ("chapter:燕禮", None, Some("燕禮")),
    ] {
        let found = index.search(&query.parse().unwrap(), Options::default()).unwrap();
        let reach = found.reach().unwrap();
        let within = |d: &Document, l: Layer| match query.contains("OR (") {
            true => l == Layer::Zhu || l == Layer::Shu && d.meta.chapter.as_deref() == Some("鄉射禮"),
            false => layers.as_ref().is_none_or(|a| a.contains(&l)) && chapter.is_none_or(|c| d.meta.chapter.as_deref() == Some(c)),
        };
        let mut all: Vec<char> = vec![];
        for d in &library.documents {
            for s in d.segments.iter().filter(|s| s.layer.is_text() && within(d, s.layer)) {
                all.extend(Key::of_spans(d.source.text(), d.without_marks(s.span)).chars);
            }
        }
        assert_eq!(reach.characters, all.len() as u64, "{query}");
        for collocate in found.collocates(3).unwrap().iter().step_by(7) {
            assert_eq!(collocate.in_reach, all.iter().filter(|c| **c == collocate.character).count() as u64, "{query}");
        }
    }
    let named = |query: &str| {
        let reach = index.search(&query.parse().unwrap(), Options::default()).unwrap().reach().unwrap();
        (reach.layers.join(" "), reach.texts.join(" "))
    };
    assert_eq!(named("獲"), (String::new(), String::new()));
    assert_eq!(named("注:獲"), ("注".into(), String::new()));
    assert_eq!(named("注:獲 chapter:燕禮"), ("注".into(), "儀禮・燕禮".into()));
}

/// The 傳 that stands in the 經 is found as either.
#[test]
fn what_stands_within_a_layer_has_its_own_name_too() {
    let mut draft = Draft { text: String::new(), segments: vec![] };
    draft.push(Layer::Jing, "斬衰裳。");
    draft.push(Layer::Jing, "傳曰斬者何。");
    draft.segments[1].sub = Some(Layer::Zhuan);
    let library = Library { documents: vec![Arc::new(draft.document("a"))], alignments: vec![] };
    let (folder, _index) = index_of(&library);
    let totals = ["斬", "經:斬", "傳:斬", "傳:裳"].map(|q| total(folder.path(), q));
    assert_eq!(totals, [2, 2, 1, 0]);
}

#[test]
fn hits_are_cited_as_the_rest_of_the_program_cites_their_words() {
    let library = corpus();
    let (_folder, index) = index_of(&library);
    let mut draw = Draw(7);
    let (mut cited, mut ranges, mut inner, mut rendered) = (0, 0, 0, 0);
    for document in &library.documents {
        let loci = Loci::of(document);
        let layers: BTreeSet<Layer> = document.segments.iter().map(|s| s.layer).filter(|l| l.is_text()).collect();
        let texts: Vec<(Layer, Vec<At>)> = layers.iter().flat_map(|l| scanned(document, *l).into_iter().map(|t| (*l, t))).collect();
        let texts: Vec<_> = texts.into_iter().filter(|(_, t)| !t.is_empty()).collect();
        for n in 0..200 {
            // The classic is one of many texts, and has most of the words.
            let (layer, text) = &texts[if n % 2 == 0 { 0 } else { draw.below(texts.len()) }];
            let from = draw.below(text.len());
            let phrase: String = text[from..].iter().take(1 + draw.below(30)).map(|c| c.0).collect();
            let query: Query = format!("{}:\"{phrase}\"", layer.zh()).parse().unwrap();
            let show = Show { limit: 40, ..Show::default() };
            for answer in index.search(&query, Options::default()).unwrap().answers(&show).unwrap() {
                let passage = answer.locus.passage.as_ref();
                let span = Span::new(answer.bytes[0].start(), answer.bytes.last().unwrap().end());
                let own = library.get(&answer.document).unwrap();
                let place = own.source.place(span.start());
                assert_eq!((answer.line, answer.column), (place.line, place.column));
                let chars = answer.bytes.iter().map(|b| (own.source.char_of(b.start()), own.source.char_of(b.end())));
                assert_eq!(answer.spans, chars.collect::<Vec<_>>());
                assert_eq!(answer.words.as_deref(), Some(&*told(own, span)));
                if answer.layer == Layer::Translation {
                    let beads = library.alignments.iter().filter(|a| a.translation == answer.document).flat_map(|a| &a.beads);
                    let beads = beads.filter(|b| !b.source.is_empty());
                    let beads: Vec<&Bead> = beads.filter(|b| b.translation.iter().any(|t| t.overlap(span) > 0)).collect();
                    let source = Loci::of(library.get("yili-05-zhushu").unwrap());
                    match beads[..] {
                        [] => assert_eq!(passage, None, "{span:?}"),
                        [bead] if bead.translation.iter().any(|t| t.contains(span)) => {
                            let whole = Span::new(bead.source[0].start(), bead.source.last().unwrap().end());
                            assert_eq!(passage, source.name(whole).as_ref());
                        }
                        _ => assert!(passage.is_some()),
                    }
                    rendered += 1;
                } else if answer.document == document.id {
                    assert_eq!(passage, loci.name(span).as_ref(), "{} at {span:?}", document.id);
                    cited += 1;
                    ranges += usize::from(passage.is_some_and(|p| p.to.is_some()));
                    inner += usize::from(passage.is_some_and(|p| p.from.is_some_and(|f| f.inner > Some(1))));
                }
            }
        }
    }
    assert!(cited > 1000 && ranges > 50 && inner > 50 && rendered > 10, "{cited} {ranges} {inner} {rendered}");
}

/// Another character that folds into the same, if there is one at hand.
fn variant(c: char, draw: &mut Draw) -> char {
    const ROWS: [&str; 12] = ["賓賔宾", "眾衆众", "云雲", "獲获", "筭算", "於于", "觶觯", "說説说", "為爲为", "髙高", "羣群", "畧略"];
    let row = ROWS.iter().find(|r| r.chars().any(|v| fold(v) == c));
    let members: Vec<char> = row.map_or(vec![c], |r| r.chars().filter(|v| fold(*v) == c).collect());
    members[draw.below(members.len())]
}

// --- What becomes of the files ----------------------------------------------------------------------------------------

fn small(id: &str, words: &str) -> Document {
    let mut draft = Draft { text: String::new(), segments: vec![] };
    draft.push(Layer::Jing, words);
    draft.document(id)
}

fn library_of(texts: &[(&str, &str)]) -> Library {
    Library { documents: texts.iter().map(|(id, words)| Arc::new(small(id, words))).collect(), alignments: vec![] }
}

fn total(folder: &Path, query: &str) -> usize {
    Index::open(folder).unwrap().search(&query.parse().unwrap(), Options::default()).unwrap().total()
}

#[test]
fn a_build_that_was_killed_leaves_the_old_index_usable() {
    let folder = tempfile::tempdir().unwrap();
    search::build(&library_of(&[("a", "賢獲")]), folder.path()).unwrap();
    // What a build leaves that is killed while it writes: files under unfinished names, and finished ones no index names.
    fs::write(folder.path().join(".zhushu-0123.seg"), "half").unwrap();
    fs::write(folder.path().join("0123456789abcdef01234567.seg"), "whole").unwrap();
    assert_eq!(total(folder.path(), "賢獲"), 1);
    search::build(&library_of(&[("a", "今文")]), folder.path()).unwrap();
    assert_eq!(total(folder.path(), "今文"), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "and the next build sweeps it up");
}

#[test]
fn a_build_that_cannot_write_leaves_the_old_index_usable() {
    let folder = tempfile::tempdir().unwrap();
    search::build(&library_of(&[("a", "賢獲")]), folder.path()).unwrap();
    // The manifest cannot be put in place: a folder stands where its unfinished file would.
    fs::create_dir(folder.path().join(".zhushu-index.json")).unwrap();
    let e = search::build(&library_of(&[("a", "今文")]), folder.path()).unwrap_err();
    assert_eq!(e.kind, ErrorKind::Io);
    assert_eq!(total(folder.path(), "賢獲"), 1);
}

/// Opens the index and asks; what goes wrong.
fn complaint(folder: &Path) -> Option<String> {
    let asked = Index::open(folder).and_then(|i| {
        let found = i.search(&"賢獲".parse().unwrap(), Options::default())?;
        found.answers(&Show { limit: 500, ..Show::default() }).map(|a| assert_eq!(a.len(), 200))
    });
    asked.err().map(|e| {
        assert!(e.hint.as_ref().is_some_and(|h| h.contains("zhushu build")), "{e} has no hint");
        e.to_string()
    })
}

#[test]
fn a_cut_foreign_or_old_index_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = || complaint(folder.path());
    assert!(open().is_some_and(|e| e.contains("there is no such file")));
    let words = "賢獲坐".repeat(200);
    let library = library_of(&[("a", words.as_str())]);
    let show = |name: &str| folder.path().join(name);
    let rebuild = || search::build(&library, folder.path()).map(|b| b.written).unwrap();
    rebuild();
    let file = fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().path()).find(|p| p.extension().is_some_and(|e| e == "seg")).unwrap();
    let (whole, manifest) = (fs::read(&file).unwrap(), fs::read_to_string(show("index.json")).unwrap());
    for n in [0, 1, 100, whole.len() / 2, whole.len() - 1] {
        fs::write(&file, &whole[..n]).unwrap();
        assert!(open().is_some(), "cut at {n}");
        assert!(Index::verify(folder.path()).is_err());
        assert_eq!(rebuild(), 1, "a damaged file is made anew");
        assert_eq!(open(), None);
    }
    for at in (0..whole.len()).step_by(37) {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        fs::write(&file, &flipped).unwrap();
        assert!(Index::verify(folder.path()).is_err(), "byte {at}");
        // Asking reads only some of it: what it reads is right, or refused.
        let _ = open();
    }
    fs::write(&file, &whole).unwrap();
    fs::write(show("index.json"), manifest.replace("\"version\": 2", "\"version\": 9")).unwrap();
    assert!(open().is_some_and(|e| e.contains("format 9")));
    fs::write(show("index.json"), "{\"format\": \"another\"}").unwrap();
    assert!(open().is_some_and(|e| e.contains("no search index")));
    fs::write(show("index.json"), &manifest[..manifest.len() / 2]).unwrap();
    assert!(open().is_some_and(|e| e.contains("damaged")));
    fs::write(show("index.json"), manifest.replace(".seg", "/../x.seg")).unwrap();
    assert!(open().is_some_and(|e| e.contains("no name of a file")));
    fs::write(show("index.json"), &manifest).unwrap();
    fs::remove_file(&file).unwrap();
    assert!(open().is_some_and(|e| e.contains("gone")));
}
