//! Notes by number: a note is about the place where its number stands in the text, wherever the
//! note itself is printed.
//!
//! Numbers are marks of the document: `〔二〕` in the classic, and `〔二〕` before the note. The
//! reference of a note is the last one before it with the same number.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use crate::model::{Document, Layer, LayerKind, NoteName, Segment, Sentence};
use crate::source::Span;
use crate::text::pattern;

/// How many segments before a note its reference is looked for in.
const REACH: usize = 1000;

static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[①-⑳㈠-㈩㊀-㊉]|[〔【［\[（(〈]注?[0-9０-９〇一二三四五六七八九十百]{1,5}[〕】］\]）)〉]|\[\^[^\]\s]+\](?:: ?\p{Han}{0,4})?)$",
    )
});

/// The numbers in a text that refer to notes.
pub(super) struct NumberPlaces<'d> {
    document: &'d Document,
    /// In order, each with its segment.
    all: Vec<(Span, usize)>,
    /// Those of each number, as places in `all`.
    same: FxHashMap<&'d str, Vec<usize>>,
}

impl<'d> NumberPlaces<'d> {
    /// Those that notes in some segments can refer to; `None` if these have no numbers.
    pub(super) fn of(document: &'d Document, range: Range<usize>) -> Option<Self> {
        let is_number = |s: &Segment| s.layer == Layer::Mark && number(document, s.span).is_some();
        if !document.segments[range.clone()].iter().any(is_number) {
            return None;
        }
        let mut places = NumberPlaces { document, all: vec![], same: FxHashMap::default() };
        for j in range.start.saturating_sub(REACH)..range.end {
            for reference in references(document, j) {
                let same = places.same.entry(number(document, reference).unwrap_or_default());
                same.or_default().push(places.all.len());
                places.all.push((reference, j));
            }
        }
        Some(places)
    }

    /// The sentence that the note in segment `i` is about, and its name there.
    pub(super) fn about(&self, i: usize) -> Option<(Sentence, NoteName)> {
        let document = self.document;
        let own = own_number(document, i)?;
        let same = self.same.get(number(document, document.segments[own].span)?)?;
        let before = same.partition_point(|n| self.all[*n].1 < own);
        let (reference, segment) = self.all[*same[..before].last()?];
        if segment + REACH < own {
            return None;
        }
        let after = document.sentences.partition_point(|j| j.span.start() < reference.start());
        let sentence = *document.sentences[..after].last()?;
        let same = |j: &&Sentence| (j.section, j.n) == (sentence.section, sentence.n);
        let first = document.sentences[..after].iter().rev().take_while(same).last()?;
        let nth = self.between(Span::new(first.span.start(), reference.start())) + 1;
        Some((sentence, NoteName { layer: document.segments[i].layer, nth }))
    }

    /// How many stand in a stretch of the text.
    pub(super) fn between(&self, span: Span) -> u32 {
        let from = self.all.partition_point(|(r, _)| r.start() < span.start());
        let to = self.all.partition_point(|(r, _)| r.end() <= span.end());
        to.saturating_sub(from) as u32
    }
}

/// The segment with the number before the note in segment `i`.
fn own_number(document: &Document, i: usize) -> Option<usize> {
    let is_blank = |j: &usize| document.segments[*j].layer == Layer::Blank;
    let before = (0..i).rev().find(|j| !is_blank(j))?;
    let s = &document.segments[before];
    let is_note = is_note(document.segments[i].layer);
    (is_note && s.layer == Layer::Mark && number(document, s.span).is_some()).then_some(before)
}

fn is_note(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Note | LayerKind::Commentary)
}

/// The numbers in segment `j` that refer to a note: the segment itself, or marks inside it.
fn references(document: &Document, j: usize) -> Vec<Span> {
    let s = &document.segments[j];
    if s.layer == Layer::Mark {
        let next = document.segments[j + 1..].iter().find(|s| s.layer != Layer::Blank);
        let opens = next.is_some_and(|next| is_note(next.layer));
        return (!opens && number(document, s.span).is_some())
            .then_some(s.span)
            .into_iter()
            .collect();
    }
    if s.layer.kind() != LayerKind::Base {
        return vec![];
    }
    let inside = document.marks_in(s.span).iter().copied();
    inside.filter(|m| number(document, *m).is_some()).collect()
}

/// The number that a mark is.
fn number(document: &Document, mark: Span) -> Option<&str> {
    let words = document.slice(mark).trim();
    // Other marks are far more frequent.
    let may_be = words.starts_with(|c: char| !c.is_alphanumeric() || c as u32 > 0x2000);
    (may_be && words.len() < 40 && NUMBER.is_match(words))
        .then(|| words.split(':').next().unwrap_or(words))
}

#[cfg(test)]
mod tests {
    use crate::corpus::Loci;
    use crate::pipeline;
    use crate::source::Source;

    #[test]
    fn a_note_is_about_the_place_of_its_number() {
        let text = "梁惠王上\n\n孟子見梁惠王〔一〕。王曰：「叟〔二〕不遠千里而來，亦將有以利吾國乎？」孟子對曰：「王何必曰利？亦有仁義而已矣〔三〕。」\n\n〔一〕惠王，魏侯也。\n〔二〕叟，長老之稱。\n〔三〕言治國之道。\n";
        let library = pipeline::convert(Source::from_text("a.txt", text), None).unwrap();
        let document = &library.documents[0];
        let loci = Loci::of(document);
        let of = |words: &str| {
            let segment = document.segments.iter().find(|s| document.slice(s.span).contains(words));
            let span = segment.unwrap().span;
            let around = Loci::around(document, span).name(span).unwrap().to_string();
            assert_eq!(around, loci.name(span).unwrap().to_string());
            around
        };
        assert!(of("魏侯").ends_with(".1.1.zhu"), "{}", of("魏侯"));
        assert!(of("長老").ends_with(".1.2.zhu"), "{}", of("長老"));
        assert!(of("治國").ends_with(".zhu"), "{}", of("治國"));
    }
}
