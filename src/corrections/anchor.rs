//! Finds the place of a quotation in a text: exactly, else with differences, else by the words of
//! its own paragraph alone, which may have been moved.
//!
//! A place counts only if the second-best one is clearly worse, and if the words on both sides of
//! its borders meet there. Everything else is ambiguous or lost: a person then decides, since a
//! correction at a wrong place is worse than none.

use rustc_hash::FxHashMap;

use super::file::folded;
use super::{Quote, tags};
use crate::source::Span;
use crate::text::Key;

/// By how many differences the second-best place must be worse.
const MARGIN: usize = 2;
/// The largest share of the characters that may differ, as one of so many.
const ONE_DIFFERS_OF: usize = 3;
/// A place is aligned only if one of so many groups of three characters occurs there.
const ONE_FOUND_OF: usize = 8;
/// Words of its own paragraph alone are enough from this length on.
const MIN_PARAGRAPH_CHARS: usize = 12;
/// So many characters beside words that changed must be as they were; of the words themselves one
/// in so many may be other ones.
const SIDE_CHARS: usize = 8;
/// Diagonals that count as one place.
const DIAGONAL_CHARS: usize = 12;

/// Where a quotation is in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchored {
    /// The words it is about are here.
    At(Span),
    /// They are here, but they or those around them are not quite as they are quoted.
    Alike(Span),
    /// It may be any of these places.
    Ambiguous(Vec<Span>),
    /// It is nowhere; the most similar place, if there is one.
    Lost(Option<Span>),
}

impl Anchored {
    /// Where the words are, if that is known.
    pub fn span(&self) -> Option<Span> {
        match self {
            Anchored::At(span) | Anchored::Alike(span) => Some(*span),
            Anchored::Ambiguous(_) | Anchored::Lost(_) => None,
        }
    }
}

/// A text in which quotations are looked for.
pub struct AnchorText<'a> {
    pub(super) text: &'a str,
    pub(super) key: Key,
    grams: FxHashMap<[char; 3], Vec<u32>>,
    /// What is between its tags, if it is a page.
    pub(super) pieces: Option<Vec<Span>>,
}

/// Folded words with the borders in them that are looked for.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) chars: Vec<char>,
    pub(super) borders: Vec<usize>,
}

/// A place that is like a pattern: characters of the key, and how many differ.
#[derive(Clone, Debug)]
pub(super) struct Alike {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) cost: usize,
    /// For each border the character that follows it, if that is clear.
    borders: Option<Vec<usize>>,
}

/// Where the borders of a pattern are, and by how many characters what is there differs from it.
struct FoundPlace {
    borders: Vec<usize>,
    cost: usize,
}

/// Why no place is found: the places that are as good.
pub(super) struct NotFound(Vec<Alike>, bool);

impl<'a> AnchorText<'a> {
    /// Prepares a text.
    pub fn new(text: &'a str) -> Self {
        let pieces = tags::between(text);
        let key = match &pieces {
            Some(pieces) => Key::of_spans(text, pieces.iter().copied()),
            None => Key::of(text, Span::new(0, text.len())),
        };
        let mut grams: FxHashMap<[char; 3], Vec<u32>> = FxHashMap::default();
        for (n, w) in key.chars.windows(3).enumerate() {
            grams.entry([w[0], w[1], w[2]]).or_default().push(n as u32);
        }
        AnchorText { text, key, grams, pieces }
    }

    /// The text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Its characters.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Finds the place of a quotation.
    pub fn place(&self, quote: &Quote) -> Anchored {
        if self.pieces.is_some() {
            // As older programs quoted a page: with tags, or parts of them.
            let whole = self.placed(&tags::without_in(quote, false));
            if matches!(whole, Anchored::At(_)) {
                return whole;
            }
            let without = self.placed(&tags::without_in(quote, true));
            let is_worse = whole.span().is_some() && !matches!(without, Anchored::At(_));
            return if is_worse { whole } else { without };
        }
        self.placed(quote)
    }

    fn placed(&self, quote: &Quote) -> Anchored {
        let Some(until) = &quote.until else {
            let whole = pattern(&quote.before, &quote.at, &quote.after);
            let own = own_paragraph(quote);
            return match self.borders(&whole, own.as_ref()) {
                Ok(found) => self.found(quote, &found),
                Err(not) => self.failed(not, &folded(&quote.at)),
            };
        };
        // The two ends of a long passage are looked for separately.
        let start = Quote { after: String::new(), until: None, ..quote.clone() };
        let end = Quote { before: String::new(), at: until.clone(), until: None, ..quote.clone() };
        let ends = [self.placed(&start), self.placed(&end)];
        let are_quoted = ends.iter().all(|end| matches!(end, Anchored::At(_)));
        match ends.each_ref().map(Anchored::span) {
            [Some(a), Some(b)] if a.start() < b.end() => {
                let whole = Span::new(a.start(), b.end());
                if are_quoted { Anchored::At(whole) } else { Anchored::Alike(whole) }
            }
            [Some(a), Some(b)] => Anchored::Ambiguous(vec![a, b]),
            places => {
                let is_ambiguous = |end: &Anchored| matches!(end, Anchored::Ambiguous(_));
                let one = places.into_iter().flatten().next();
                let [start, end] = ends;
                match (one, is_ambiguous(&start), is_ambiguous(&end)) {
                    (Some(_), false, true) => end,
                    (None, _, _) | (Some(_), true, _) => start,
                    (one, false, false) => Anchored::Lost(one),
                }
            }
        }
    }

    /// The place of a quotation of which the borders were found. Words that are less alike than a
    /// few corrections make them are those quoted only if what is on both sides of them is as it
    /// was: a passage that is like one that was deleted is another passage.
    fn found(&self, quote: &Quote, found: &FoundPlace) -> Anchored {
        let (from, to) = (found.borders[0], found.borders[1]);
        if from >= to {
            // They are gone from between the words around them.
            let near = from.min(self.key.len().saturating_sub(1));
            return Anchored::Lost((near < self.key.len()).then(|| self.key.span(near, near + 1)));
        }
        let span = self.key.span(from, to);
        if found.cost == 0 {
            return Anchored::At(span);
        }
        let words = folded(&quote.at);
        let here = self.key.chars[from..to].to_vec();
        let differing = strsim::generic_levenshtein(&here, &words);
        // One of so many was corrected.
        if differing * SIDE_CHARS <= words.len().next_multiple_of(SIDE_CHARS / 2) {
            return Anchored::Alike(span);
        }
        let (before, after) = (folded(&quote.before), folded(&quote.after));
        let before = &before[before.len().saturating_sub(SIDE_CHARS)..];
        let after = &after[..after.len().min(SIDE_CHARS)];
        let is_between = differing * 2 <= words.len()
            && before.len() + after.len() >= SIDE_CHARS
            && self.key.chars[..from].ends_with(before)
            && self.key.chars[to..].starts_with(after);
        if is_between { Anchored::Alike(span) } else { Anchored::Lost(Some(span)) }
    }

    /// Why some words have no place. What is around them may be found without them: they are then
    /// lost, not ambiguous.
    fn failed(&self, NotFound(alike, ambiguous): NotFound, words: &[char]) -> Anchored {
        let has_words = |a: &Alike| {
            let found = &self.key.chars[a.from..a.to];
            words.is_empty() || found.windows(words.len()).any(|w| w == words)
        };
        let is_there = ambiguous && alike.iter().any(has_words);
        let mut spans = alike.iter().map(|a| self.key.span(a.from, a.to.max(a.from + 1)));
        if is_there { Anchored::Ambiguous(spans.collect()) } else { Anchored::Lost(spans.next()) }
    }

    /// The borders of a pattern in the text; if its words are not found together, those of its own
    /// paragraph.
    fn borders(&self, whole: &Pattern, own: Option<&Pattern>) -> Result<FoundPlace, NotFound> {
        match self.find(whole) {
            Err(not) => {
                let found = own.and_then(|own| self.find(own).ok());
                // The words around it may show another place: then neither is sure.
                let contradicted = |at: usize| {
                    not.0.iter().any(|a| {
                        a.cost * ONE_DIFFERS_OF <= whole.chars.len() && (at < a.from || at > a.to)
                    })
                };
                let found = found.filter(|found| !contradicted(found.borders[0]));
                // What is around its paragraph is not as it was.
                found.map(|found| FoundPlace { cost: found.cost.max(1), ..found }).ok_or(not)
            }
            found => found,
        }
    }

    fn find(&self, p: &Pattern) -> Result<FoundPlace, NotFound> {
        let exact = self.exact(&p.chars);
        if let [at] = exact[..] {
            let borders = p.borders.iter().map(|b| at + b).collect();
            return Ok(FoundPlace { borders, cost: 0 });
        }
        let alike = match &exact[..] {
            [] => self.alike(p),
            several => several
                .iter()
                .map(|at| Alike { from: *at, to: at + p.chars.len(), cost: 0, borders: None })
                .collect(),
        };
        let Some(best) = alike.first() else { return Err(NotFound(vec![], false)) };
        if best.cost * ONE_DIFFERS_OF > p.chars.len() {
            return Err(NotFound(alike, false));
        }
        let close = alike.iter().filter(|a| a.cost < best.cost + MARGIN).count();
        match &best.borders {
            Some(borders) if close == 1 => {
                Ok(FoundPlace { borders: borders.clone(), cost: best.cost })
            }
            _ => Err(NotFound(alike[..close].to_vec(), true)),
        }
    }

    /// Where the characters occur exactly.
    fn exact(&self, chars: &[char]) -> Vec<usize> {
        let all = &self.key.chars;
        let fits = |at: usize| all[at..].starts_with(chars);
        let rarest = chars
            .windows(3)
            .enumerate()
            .map(|(n, w)| (n, self.at(w)))
            .min_by_key(|(_, at)| at.len());
        match rarest {
            Some((n, at)) => {
                let starts = at.iter().filter_map(|at| (*at as usize).checked_sub(n));
                starts.filter(|at| fits(*at)).collect()
            }
            None => (0..all.len()).filter(|at| fits(*at)).collect(),
        }
    }

    fn at(&self, gram: &[char]) -> &[u32] {
        self.grams.get(&[gram[0], gram[1], gram[2]]).map_or(&[], |at| &at[..])
    }

    /// The places that are like a pattern, the most similar first; of those that overlap, one.
    pub(super) fn alike(&self, p: &Pattern) -> Vec<Alike> {
        let half = (DIAGONAL_CHARS / 2) as i64;
        let mut votes: FxHashMap<i64, usize> = FxHashMap::default();
        for (n, w) in p.chars.windows(3).enumerate() {
            for at in self.at(w) {
                let band = (i64::from(*at) - n as i64).div_euclid(half);
                *votes.entry(band).or_default() += 1;
                *votes.entry(band - 1).or_default() += 1;
            }
        }
        let least = (p.chars.len() / ONE_FOUND_OF).max(1);
        let mut bands: Vec<(usize, i64)> =
            votes.into_iter().filter(|v| v.1 >= least).map(|(band, n)| (n, band)).collect();
        bands.sort_by(|a, b| b.cmp(a));
        let mut alike: Vec<Alike> = vec![];
        for (_, band) in bands.into_iter().take(MAX_PLACES) {
            let from = (band * half - half).max(0) as usize;
            let to = (band * half + 3 * half).max(0) as usize + p.chars.len();
            alike.extend(self.aligned(p, from, to.min(self.key.len())));
        }
        alike.sort_by_key(|a| (a.cost, a.from));
        let mut kept: Vec<Alike> = vec![];
        for a in alike {
            if kept.iter().all(|k| a.to <= k.from || k.to <= a.from) {
                kept.push(a);
            }
        }
        kept
    }

    /// The best alignment of a pattern with a part of characters `from..to`. A border is clear if
    /// it is the same however equally good alignments are chosen.
    fn aligned(&self, p: &Pattern, from: usize, to: usize) -> Option<Alike> {
        let text = self.key.chars.get(from..to)?;
        let n = p.chars.len();
        let forward = align(&p.chars, text);
        let reversed: (Vec<char>, Vec<char>) =
            (p.chars.iter().rev().copied().collect(), text.iter().rev().copied().collect());
        let backward = align(&reversed.0, &reversed.1);
        let back = |border: usize| {
            let (meets, edge) = backward.border(n - border)?;
            Some((text.len() - meets, edge))
        };
        let clear = |border: &usize| {
            let (a, b) = (forward.border(*border)?, back(*border)?);
            (a.0 == b.0 && a.1 && b.1).then_some(from + a.0)
        };
        Some(Alike {
            from: from + forward.from,
            to: from + forward.to,
            cost: forward.cost,
            borders: p.borders.iter().map(clear).collect(),
        })
    }
}

/// At most so many places are compared with a quotation: those with the most in common.
const MAX_PLACES: usize = 16;

pub(super) fn pattern(before: &str, at: &str, after: &str) -> Pattern {
    let parts = [before, at, after].map(folded);
    let borders = vec![parts[0].len(), parts[0].len() + parts[1].len()];
    Pattern { chars: parts.concat(), borders }
}

/// The words of the quotation that are in the paragraphs of the words it is about; none if they are
/// few, or all of them.
fn own_paragraph(quote: &Quote) -> Option<Pattern> {
    if !quote.before.contains('¶') && !quote.after.contains('¶') {
        return None;
    }
    let before = quote.before.rsplit('¶').next().unwrap_or_default();
    let after = quote.after.split('¶').next().unwrap_or_default();
    let own = pattern(before, &quote.at, after);
    (own.chars.len() >= MIN_PARAGRAPH_CHARS).then_some(own)
}

/// An alignment of a pattern with a part of a text.
struct Alignment {
    cost: usize,
    from: usize,
    to: usize,
    /// For each character of the pattern the one of the text, and whether they are equal.
    pairs: Vec<Option<(usize, bool)>>,
}

impl Alignment {
    /// The character of the text that follows a border, if the characters on both sides of it meet
    /// there. At the end of the pattern its outermost character must be found as it is.
    fn border(&self, border: usize) -> Option<(usize, bool)> {
        let edge = |pair: Option<&Option<(usize, bool)>>| matches!(pair, Some(Some((_, true))));
        if border == 0 {
            let first = self.pairs.first();
            return Some((self.from, edge(first)));
        }
        if border == self.pairs.len() {
            return Some((self.to, edge(self.pairs.last())));
        }
        let before = self.pairs[..border].iter().rev().flatten().next();
        let after = self.pairs[border..].iter().flatten().next();
        match (before, after) {
            (Some((a, _)), Some((b, _))) => Some((*b, a + 1 == *b)),
            _ => None,
        }
    }
}

/// Sellers' alignment of a whole pattern with the part of the text that is most like it; of equally
/// good ones the pairs of characters are chosen as late in the text as possible.
fn align(pattern: &[char], text: &[char]) -> Alignment {
    let (n, m) = (pattern.len(), text.len());
    let width = m + 1;
    let mut costs = vec![0u16; (n + 1) * width];
    for i in 1..=n {
        let (above, row) = costs.split_at_mut(i * width);
        let above = &above[(i - 1) * width..];
        let mut left = i as u16;
        row[0] = left;
        for j in 1..=m {
            let change = above[j - 1] + u16::from(pattern[i - 1] != text[j - 1]);
            left = change.min(above[j] + 1).min(left + 1);
            row[j] = left;
        }
    }
    let cost = |i: usize, j: usize| usize::from(costs[i * width + j]);
    let to = (0..=m).min_by_key(|j| (cost(n, *j), *j)).unwrap_or(0);
    let mut pairs = vec![None; n];
    let (mut i, mut j) = (n, to);
    while i > 0 {
        let differ = j > 0 && pattern[i - 1] != text[j - 1];
        if j > 0 && cost(i, j) == cost(i - 1, j - 1) + usize::from(differ) {
            (i, j) = (i - 1, j - 1);
            pairs[i] = Some((j, !differ));
        } else if cost(i, j) == cost(i - 1, j) + 1 {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    Alignment { cost: cost(n, to), from: j, to, pairs }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "眾賓繼射,釋獲皆如初。司射所作,唯上耦。於是言唯上耦者,嫌賓、主人射亦作之。\n\n\
                        卒射,釋獲者遂以所執餘獲,升自西階,盡階,不升堂,告于賓:左右卒射。降反位。\n";

    fn place(text: &str) -> Anchored {
        let quote = Quote {
            before: "釋獲皆如初。司射所作,唯上耦。".into(),
            at: "於是言唯上耦者,".into(),
            until: None,
            after: "嫌賓、主人射亦作之。¶卒射,釋獲者".into(),
        };
        AnchorText::new(text).place(&quote)
    }

    fn found(text: &str) -> String {
        match place(text).span() {
            Some(span) => text[span.range()].to_string(),
            None => format!("{:?}", place(text)),
        }
    }

    #[test]
    fn a_place_is_found_after_edits() {
        assert_eq!(found(TEXT), "於是言唯上耦者");
        assert_eq!(found(&TEXT.replace([',', '。'], "")), "於是言唯上耦者");
        assert_eq!(found(&TEXT.replace("於是言", "于是\n言")), "于是\n言唯上耦者");
        assert_eq!(found(&TEXT.replace("司射所作", "司射作")), "於是言唯上耦者");
        assert_eq!(found(&TEXT.replace("上耦。於是", "上禺。扵是")), "扵是言唯上耦者");
        // The paragraphs change places.
        let (first, second) = TEXT.split_once("\n\n").unwrap();
        assert_eq!(found(&format!("{second}\n{first}\n")), "於是言唯上耦者");
    }

    #[test]
    fn a_place_that_is_not_clear_is_not_chosen() {
        let gone = TEXT.split_once("\n\n").unwrap().1;
        assert!(matches!(place(gone), Anchored::Lost(_)), "{:?}", place(gone));
        // Only what is around the words is still there.
        for gone in ["於是言唯上耦者,", "於是言唯上耦", "是言唯上耦者"] {
            let without = TEXT.replace(gone, "");
            assert!(matches!(place(&without), Anchored::Lost(Some(_))), "{:?}", place(&without));
        }
        // A passage that is only like it.
        let like = TEXT.replace("上耦。於是", "下耦。由此");
        assert!(matches!(place(&like), Anchored::Lost(Some(_))), "{:?}", place(&like));
        let twice = format!("{TEXT}\n{TEXT}");
        assert!(matches!(place(&twice), Anchored::Ambiguous(p) if p.len() == 2));
        // Words are added exactly at the border: they may belong to either side.
        let added = TEXT.replace("唯上耦。於是", "唯上耦。下同。於是");
        assert!(matches!(place(&added), Anchored::Ambiguous(_)), "{:?}", place(&added));
    }
}
