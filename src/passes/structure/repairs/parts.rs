//! Characters written as their parts: 扌兌 for 挩, in texts that were typed before Unicode had the
//! character. One of the parts is no character by itself, so that the pair is certain to be one.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::model::{Certainty, Document, Evidence, EvidenceKind, Reading, ReadingKind};
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::fold::fold_script;

/// Certainty if the table has the very parts, and if it has them in the other script.
const CERTAINTY: f64 = 0.95;
const OTHER_SCRIPT_CERTAINTY: f64 = 0.85;
/// A pair beside one of these is explained, not written: 從扌兌聲.
const EXPLAINED_AFTER: [char; 4] = ['從', '从', '旁', '偏'];
const EXPLAINED_BEFORE: [char; 4] = ['聲', '声', '旁', '部'];

/// Where a part is that is no character by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Side {
    Before,
    After,
}

/// A character that consists of two parts.
#[derive(Clone, Copy)]
struct Whole {
    /// The part that is a character, as the table has it.
    other: char,
    whole: char,
}

/// The characters with each part and other part; the latter in one script.
static WHOLES: LazyLock<FxHashMap<(Side, char, char), Vec<Whole>>> = LazyLock::new(|| {
    let mut wholes: FxHashMap<_, Vec<Whole>> = FxHashMap::default();
    let rows = include_str!("parts.tsv").lines().filter(|l| !l.starts_with('#'));
    for row in rows.map(|l| l.split('\t').collect::<Vec<_>>()) {
        let [side, part, pairs] = row[..] else { continue };
        let side = if side == "before" { Side::Before } else { Side::After };
        let pairs: Vec<char> = pairs.chars().collect();
        for part in part.chars() {
            for pair in pairs.chunks_exact(2) {
                let of = wholes.entry((side, part, fold_script(pair[0]))).or_default();
                of.push(Whole { other: pair[0], whole: pair[1] });
            }
        }
    }
    wholes
});

/// All parts that are no characters by themselves, and where they are.
static PARTS: LazyLock<FxHashMap<char, Vec<Side>>> = LazyLock::new(|| {
    let mut parts: FxHashMap<char, Vec<Side>> = FxHashMap::default();
    for (side, part, _) in WHOLES.keys() {
        let sides = parts.entry(*part).or_default();
        if !sides.contains(side) {
            sides.push(*side);
        }
    }
    parts
});

/// A simplified part and the traditional one.
const SIMPLIFIED_PARTS: [(char, char); 4] =
    [('讠', '訁'), ('纟', '糹'), ('饣', '飠'), ('钅', '釒')];

/// A character written as two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitCharacter {
    /// Both parts.
    pub span: Span,
    /// The character, with its certainty; none if the table does not have it.
    pub whole: Option<(char, f64)>,
}

/// True if a text may have any.
pub fn may_have(text: &str) -> bool {
    text.contains(|c| PARTS.contains_key(&c))
}

/// The characters of a document that are written as two, in order.
pub fn find(document: &Document) -> Vec<SplitCharacter> {
    if !may_have(document.source.text()) {
        return vec![];
    }
    let texts = document.segments.iter().filter(|s| s.layer.is_text());
    texts.flat_map(|s| in_span(document.source.text(), s.span)).collect()
}

fn in_span(text: &str, span: Span) -> Vec<SplitCharacter> {
    let chars: Vec<(usize, char)> =
        text[span.range()].char_indices().map(|(at, c)| (span.start() + at, c)).collect();
    let mut found: Vec<SplitCharacter> = Vec::new();
    for n in 0..chars.len() {
        let c = chars[n].1;
        let Some(sides) = PARTS.get(&c) else { continue };
        let pair = |side| match side {
            Side::Before => Some((n, n + 1)).filter(|(_, to)| *to < chars.len()),
            Side::After => n.checked_sub(1).map(|from| (from, n)),
        };
        let pairs: Vec<_> = sides.iter().filter_map(|s| Some((*s, pair(*s)?))).collect();
        let candidates = pairs.into_iter().filter_map(|(side, (from, to))| {
            let other = if side == Side::Before { chars[to].1 } else { chars[from].1 };
            let usable = is_content(other) && !is_explained(&chars, from, to);
            let span = Span::new(chars[from].0, chars[to].0 + chars[to].1.len_utf8());
            usable.then(|| SplitCharacter { span, whole: whole(side, c, other) })
        });
        let Some(best) = candidates.max_by_key(|s| s.whole.is_some()) else { continue };
        // 阝 is before or after: what has a whole character is meant.
        match found.last() {
            Some(last) if last.span.overlap(best.span) > 0 => {
                if last.whole.is_none() && best.whole.is_some() {
                    found.pop();
                    found.push(best);
                }
            }
            _ => found.push(best),
        }
    }
    found
}

/// True if a text explains the parts of a character.
fn is_explained(chars: &[(usize, char)], from: usize, to: usize) -> bool {
    let before = from.checked_sub(1).is_some_and(|n| EXPLAINED_AFTER.contains(&chars[n].1));
    before || chars.get(to + 1).is_some_and(|(_, c)| EXPLAINED_BEFORE.contains(c))
}

/// The character with these parts: of those with the parts in one or the other script the one in
/// the earliest block of Unicode, since characters of the later ones are rare.
fn whole(side: Side, part: char, other: char) -> Option<(char, f64)> {
    let traditional = SIMPLIFIED_PARTS.iter().find(|(s, _)| *s == part).map(|(_, t)| *t);
    let parts = std::iter::once(part).chain(traditional);
    let wholes = parts.filter_map(|p| Some((p, WHOLES.get(&(side, p, fold_script(other)))?)));
    let exact = |p: char, w: &Whole| p == part && w.other == other;
    let all = wholes.flat_map(|(p, all)| all.iter().map(move |w| (exact(p, w), w.whole)));
    let all: Vec<(bool, char)> = all.collect();
    let block = all.iter().map(|(_, c)| block(*c)).min()?;
    let mut best = all.iter().filter(|(_, c)| self::block(*c) == block);
    let certainty = |exact: bool| if exact { CERTAINTY } else { OTHER_SCRIPT_CERTAINTY };
    let exact = best.clone().find(|(exact, _)| *exact);
    let (is_exact, c) = exact.or_else(|| best.next().filter(|_| best.next().is_none()))?;
    Some((*c, certainty(*is_exact)))
}

/// A number for the block of a character: the first, extension A, the others.
fn block(c: char) -> u8 {
    match c {
        '\u{4E00}'..='\u{9FFF}' => 0,
        '\u{3400}'..='\u{4DBF}' => 1,
        _ => 2,
    }
}

/// The readings of the characters that the table has.
pub fn readings(document: &Document, split: &[SplitCharacter]) -> Vec<Reading> {
    let reading = |s: &SplitCharacter| {
        let (whole, certainty) = s.whole?;
        let parts = document.slice(s.span);
        Some(Reading {
            span: s.span,
            reading: whole.into(),
            kind: ReadingKind::Repair,
            certainty: Certainty::new(certainty),
            evidence: [Evidence::new(EvidenceKind::Parts, format!("{parts} is {whole}"))].into(),
        })
    };
    split.iter().filter_map(reading).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Layer;

    fn found(text: &str) -> Vec<(String, Option<char>)> {
        let document = Document::of_pieces(&[(Layer::Jing, text)]);
        let all = find(&document);
        all.iter().map(|s| (document.slice(s.span).into(), s.whole.map(|w| w.0))).collect()
    }

    #[test]
    fn a_character_written_as_its_parts_is_found() {
        assert_eq!(found("坐扌兌手"), [("扌兌".into(), Some('挩'))]);
        assert_eq!(found("冪用綌若糹易"), [("糹易".into(), Some('緆'))]);
        assert_eq!(found("其南釒薄"), [("釒薄".into(), Some('鑮'))]);
        assert_eq!(found("坐挩手"), []);
    }

    #[test]
    fn the_commonest_of_the_characters_with_these_parts_is_meant() {
        // 礻几 has a character of its own in a later block.
        assert_eq!(found("“礻几”之"), [("礻几".into(), Some('禨'))]);
        assert_eq!(found("纟取爵"), [("纟取".into(), Some('緅'))]);
    }

    #[test]
    fn parts_that_are_explained_or_make_no_character_are_left_alone() {
        assert_eq!(found("從扌兌聲"), []);
        assert_eq!(found("从扌，兌聲"), []);
        assert_eq!(found("扌龘"), [("扌龘".into(), None)]);
    }
}
