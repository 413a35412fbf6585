//! Notes by number: a note is about the place where its number stands in the text, wherever the
//! note itself is printed.
//!
//! Numbers are marks of the document: `〔二〕` in the classic, and `〔二〕` before the note. The
//! reference of a note is the last one before it with the same number. In markup they are
//! addresses: `href="#n2"` or `target="#n2"` in the classic, and `id="n2"` before the note.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Document, Layer, LayerKind, NoteName, Segment, Sentence};
use crate::source::Span;
use crate::text::{char_floor, pattern};

/// How many marks before a note may be tags of it, and how many bytes of them are read.
const MAX_TAGS: usize = 6;
const MAX_TAG_BYTES: usize = 400;
/// How many segments before a note its reference is looked for in.
const REACH: usize = 1000;

static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[①-⑳㈠-㈩㊀-㊉]|[〔【［\[（(〈]注?[0-9０-９〇一二三四五六七八九十百]{1,5}[〕】］\]）)〉]|\[\^[^\]\s]+\](?:: ?\p{Han}{0,4})?)$",
    )
});

/// The address to which a tag leads, in this file, and that of an element.
static TARGET: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\b(?:href|target)\s*=\s*["'][^"'#\s]*#([^"'\s]{1,80})["']"#));
static ADDRESS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\b(?:id|name)\s*=\s*["']([^"'\s]{1,80})["']"#));

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
        let may_be = |s: &Segment| is_between(s.layer);
        let is_number = |s: &Segment| may_be(s) && number_of_note(document, s.span).is_some();
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

    /// Where the number of the note in segment `i` stands in the text.
    fn reference(&self, i: usize) -> Option<Span> {
        let document = self.document;
        let own = own_number(document, i)?;
        let same = self.same.get(number_of_note(document, document.segments[own].span)?)?;
        let before = same.partition_point(|n| self.all[*n].1 < own);
        let (reference, segment) = self.all[*same[..before].last()?];
        (segment + REACH >= own).then_some(reference)
    }

    /// The sentence that the note in segment `i` is about, and its name there.
    pub(super) fn about(&self, i: usize) -> Option<(Sentence, NoteName)> {
        let document = self.document;
        let reference = self.reference(i)?;
        // The next sentence may begin with the tags before it.
        let at = before_marks(document, reference.start());
        let after = document.sentences.partition_point(|j| j.span.start() < at);
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

/// Notes that stand elsewhere than their numbers.
#[derive(Default)]
pub(crate) struct NotesApart {
    /// The byte where its number is in the text and the segment of each, in the order of the text.
    all: Vec<(usize, usize)>,
    segments: FxHashSet<usize>,
}

impl NotesApart {
    /// Those of a document.
    pub fn of(document: &Document) -> Self {
        let all = 0..document.segments.len();
        let Some(places) = NumberPlaces::of(document, all.clone()) else {
            return NotesApart::default();
        };
        let notes = all.filter(|i| document.segments[*i].layer.kind() == LayerKind::Note);
        let at = |i: usize| Some((places.reference(i)?.start(), i));
        let mut all: Vec<(usize, usize)> = notes.filter_map(at).collect();
        all.sort_unstable();
        let segments = all.iter().map(|(_, segment)| *segment).collect();
        NotesApart { all, segments }
    }

    /// True for the segment of such a note.
    pub fn has(&self, segment: usize) -> bool {
        self.segments.contains(&segment)
    }

    /// All of them: the byte where its number is in the text and the segment of each, in the order
    /// of the text.
    pub fn all(&self) -> &[(usize, usize)] {
        &self.all
    }

    /// Those whose numbers begin in some bytes of the text.
    pub fn within(&self, bytes: Range<usize>) -> &[(usize, usize)] {
        let first = self.all.partition_point(|(at, _)| *at < bytes.start);
        let last = self.all.partition_point(|(at, _)| *at < bytes.end);
        &self.all[first..last.max(first)]
    }
}

/// Where the marks begin that follow each other up to a byte.
fn before_marks(document: &Document, at: usize) -> usize {
    let marks = &document.marks[..document.marks.partition_point(|m| m.end() <= at)];
    let together = marks.iter().rev().scan(at, |at, mark| {
        let goes_on = mark.end() == *at;
        *at = mark.start();
        goes_on.then_some(*at)
    });
    together.last().unwrap_or(at)
}

/// The segment with the number before the note in segment `i`: the one right before it, or within
/// the tags before it.
fn own_number(document: &Document, i: usize) -> Option<usize> {
    if !is_note(document.segments[i].layer) {
        return None;
    }
    let layer = |j: usize| document.segments[j].layer;
    // A blank before a tag may have the tag.
    let is_blank = |j: usize| {
        is_between(layer(j)) && document.slice(document.segments[j].span).trim().is_empty()
    };
    let before = (0..i).rev().filter(|j| !is_blank(*j)).take(MAX_TAGS);
    let mut before = before.take_while(|j| is_between(layer(*j)));
    let is_own = |j: usize| number_of_note(document, document.segments[j].span).is_some();
    let first = before.next()?;
    let is_tag = |j: usize| document.slice(document.segments[j].span).trim().starts_with('<');
    match is_own(first) {
        // A number of the page is no mark.
        true => (layer(first) == Layer::Mark || is_tag(first)).then_some(first),
        false if is_tag(first) => before.find(|j| is_tag(*j) && is_own(*j)),
        false => None,
    }
}

/// True for what may stand between a note and its number.
fn is_between(layer: Layer) -> bool {
    matches!(layer, Layer::Mark | Layer::Furniture | Layer::Blank)
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

/// The number that a mark in the text is, or the address to which it leads.
fn number(document: &Document, mark: Span) -> Option<&str> {
    let words = document.slice(mark).trim();
    if words.starts_with('<') {
        return last(&TARGET, words);
    }
    number_in(words)
}

/// The same of the mark before a note.
fn number_of_note(document: &Document, mark: Span) -> Option<&str> {
    let words = document.slice(mark).trim();
    if words.contains('<') { last(&ADDRESS, words) } else { number_in(words) }
}

/// What a pattern finds last in some tags.
fn last<'t>(pattern: &Regex, tags: &'t str) -> Option<&'t str> {
    let near = char_floor(tags, tags.len().saturating_sub(MAX_TAG_BYTES));
    pattern.captures_iter(&tags[near..]).last()?.get(1).map(|found| found.as_str())
}

fn number_in(words: &str) -> Option<&str> {
    // Other marks are far more frequent.
    let may_be = words.starts_with(|c: char| !c.is_alphanumeric() || c as u32 > 0x2000);
    (may_be && words.len() < 40 && NUMBER.is_match(words))
        .then(|| words.split(':').next().unwrap_or(words))
}

#[cfg(test)]
mod tests {
    use super::NotesApart;
    use crate::corpus::Loci;
    use crate::pipeline;
    use crate::source::Source;

    /// The words before the number of each note, and the note.
    fn apart(name: &str, text: &str) -> Vec<(String, String)> {
        let library = pipeline::convert(Source::from_text(name, text), None).unwrap();
        let document = &library.documents[0];
        let words = |at: usize, n: usize| {
            let before = document.segments.iter().rev().filter(|s| s.span.start() < at);
            let mut before = before.filter(|s| s.layer.is_text());
            let s = before.next().unwrap().span;
            let text = document.words(crate::source::Span::new(s.start(), s.end().min(at)));
            let note = document.words(document.segments[n].span).into_owned();
            (text.trim().to_string(), note.trim().to_string())
        };
        NotesApart::of(document).all().iter().map(|(at, n)| words(*at, *n)).collect()
    }

    #[test]
    fn an_address_in_markup_is_a_number() {
        let expected =
            [("子曰學而時習之", "馬曰：子者，男子之通稱。"), ("有朋自遠方來", "包曰：同門曰朋。")];
        let expected = expected.map(|(a, b)| (a.to_string(), b.to_string()));
        let tei = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><body><p>子曰學而時習之<ptr \
            target=\"#n1\"/>，不亦說乎？</p><p>有朋自遠方來<ref target=\"#n2\">2</ref>，不亦樂乎？</p></body>\n\
            <back><div type=\"notes\"><note xml:id=\"n1\">馬曰：子者，男子之通稱。</note>\n\
            <note xml:id=\"n2\">包曰：同門曰朋。</note></div></back></text></TEI>";
        assert_eq!(apart("a.xml", tei), expected);
        let html = "<html><body><h1>學而第一</h1>\n<p>子曰學而時習之<a href=\"#fn1\" class=\"footnote-ref\" \
            id=\"fnref1\"><sup>1</sup></a>，不亦說乎？</p>\n<p>有朋自遠方來<a href=\"#fn2\" \
            class=\"footnote-ref\"><sup>2</sup></a>，不亦樂乎？</p>\n<section class=\"footnotes\"><ol>\n\
            <li id=\"fn1\"><p>馬曰：子者，男子之通稱。<a href=\"#fnref1\">↩</a></p></li>\n\
            <li id=\"fn2\"><p>包曰：同門曰朋。</p></li></ol></section></body></html>";
        assert_eq!(apart("a.html", html), expected);
    }

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
