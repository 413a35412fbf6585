//! Finds the passages of a document by their loci, and the loci of its spans.

mod numbered;
mod units;

use std::sync::OnceLock;

use super::Works;
use crate::model::{BadLocus, Document, Layer, Locus, LocusPath, TextName, slug};
use crate::source::Span;
use crate::text::{numeral, sentences};

pub(crate) use numbered::NotesApart;
pub use units::CitableUnit;
pub(crate) use units::Units;

/// The loci of a document.
///
/// ```
/// use zhushu::{corpus::Loci, pipeline, source::Source};
/// let text = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n";
/// let library = pipeline::convert(Source::from_text("demo.txt", text), None)?;
/// let loci = Loci::of(&library.documents[0]);
/// let all: Vec<_> = loci.units().map(|u| loci.name(u.span).unwrap().to_string()).collect();
/// assert_eq!(all, ["demo.00.0.1", "demo.00.0.1.zhu", "demo.00.0.1.shu.0", "demo.00.0.1.shu.1"]);
/// # Ok::<(), zhushu::diag::Error>(())
/// ```
#[derive(Debug)]
pub struct Loci<'a> {
    document: &'a Document,
    /// Work and chapter.
    pub text: TextName,
    units: Units,
    /// The sentences of each unit, once they were asked for: a long comment has many references.
    pieces: Vec<OnceLock<Box<[Span]>>>,
}

impl<'a> Loci<'a> {
    /// Computes the loci of a document.
    pub fn of(document: &'a Document) -> Self {
        let units = Units::of(document);
        let pieces = units.iter().map(|_| OnceLock::new()).collect();
        Loci { document, text: text_of(document), units, pieces }
    }

    /// Those around a span only, for its name. What comes before counts from the last sentence that
    /// begins there.
    pub(crate) fn around(document: &'a Document, span: Span) -> Self {
        let units = Units::around(document, span);
        let pieces = units.iter().map(|_| OnceLock::new()).collect();
        Loci { document, text: text_of(document), units, pieces }
    }

    /// CTS URN of the whole text in this witness.
    pub fn urn(&self) -> String {
        urn_of(self.document)
    }

    /// All units in the order of the text.
    pub fn units(&self) -> impl DoubleEndedIterator<Item = CitableUnit> + ExactSizeIterator {
        self.units.iter()
    }

    /// The locus of a span: the passage it is in, or the range from the first to the last. A part
    /// of a note is named by the sentences of the note. `None` if nothing there has a locus.
    pub fn name(&self, span: Span) -> Option<Locus> {
        let units = self.units.meet(span);
        let (first, last) = (units.start, units.clone().next_back()?);
        let (mut from, mut to) = (self.within(first, span, true), self.within(last, span, false));
        if first == last && self.is_whole_note(first, from, to) {
            (from, to) = (self.units.get(first).passage, self.units.get(first).passage);
        }
        Some(Locus {
            text: self.text.clone(),
            from: Some(from),
            to: (to != from).then_some(to),
            version: None,
        })
    }

    /// True if a stretch reaches from the first sentence of a note to its last; a sub-commentary is
    /// always named by sentences.
    fn is_whole_note(&self, unit: usize, from: LocusPath, to: LocusPath) -> bool {
        let Some((first, last)) = from.inner.zip(to.inner) else { return false };
        let pieces = self.pieces(unit).len();
        let unit = self.units.get(unit);
        unit.passage.note.is_some_and(|n| n.layer != Layer::Shu)
            && first == unit.before + 1
            && last as usize == unit.before as usize + pieces
    }

    /// The sentences of a unit.
    fn pieces(&self, unit: usize) -> &[Span] {
        self.pieces[unit].get_or_init(|| {
            sentences(self.document.source.text(), self.units.get(unit).span).into_boxed_slice()
        })
    }

    /// The passage of `span` in one unit: its first sentence there, or its last.
    fn within(&self, number: usize, span: Span, first: bool) -> LocusPath {
        let unit = self.units.get(number);
        let Some(note) = unit.passage.note else { return unit.passage };
        if unit.layer == Layer::ShuHeader {
            return LocusPath { inner: Some(0), ..unit.passage };
        }
        let pieces = self.pieces(number);
        if note.layer != Layer::Shu && pieces.len() < 2 {
            return unit.passage;
        }
        let n = match first {
            true => pieces.partition_point(|p| p.end() <= span.start()),
            false => pieces.partition_point(|p| p.start() < span.end()).saturating_sub(1),
        };
        LocusPath { inner: Some(unit.before + n as u32 + 1), ..unit.passage }
    }

    /// The stretches that a locus names, each with its unit, in order; empty where this document
    /// has no such passage.
    pub fn find(&self, locus: &Locus) -> Vec<(Span, CitableUnit)> {
        let other = locus.version.as_ref().is_some_and(|v| slug(&self.document.id) != *v);
        if self.text != locus.text || other {
            return vec![];
        }
        let Some(from) = locus.from else {
            return self.units.iter().map(|u| (u.span, u)).collect();
        };
        let first = self.passage(&from);
        let Some(to) = locus.to else { return first };
        let last = self.passage(&to);
        let (Some(start), Some(end)) = (first.first(), last.last()) else { return vec![] };
        let (start, end) = (start.0.start(), end.0.end());
        let within = self.units.iter().filter(|u| u.span.end() > start && u.span.start() < end);
        within.map(|u| (Span::new(u.span.start().max(start), u.span.end().min(end)), u)).collect()
    }

    /// Comments that follow later, if `units` end before the end of a run of the classic: a note is
    /// about all of the classic since the note before it, not only about the sentence it follows.
    pub(crate) fn later_comments(&self, units: &[(Span, CitableUnit)]) -> Vec<CitableUnit> {
        let Some((_, last)) = units.last().filter(|(_, u)| u.passage.note.is_none()) else {
            return vec![];
        };
        let after = self.units.after(last.span.start()).map(|i| self.units.get(i));
        let mut rest = after.skip_while(|u| u.passage.note.is_none()).peekable();
        let section = |u: &&CitableUnit| u.passage.section == last.passage.section;
        if rest.peek().filter(section).is_none() {
            return vec![];
        }
        rest.take_while(|u| {
            u.passage.note.is_some_and(|n| !matches!(n.layer, Layer::Label | Layer::Heading))
        })
        .collect()
    }

    fn passage(&self, passage: &LocusPath) -> Vec<(Span, CitableUnit)> {
        let Some(inner) = passage.inner else {
            return self
                .units
                .iter()
                .filter(|u| passage.holds(&u.passage))
                .map(|u| (u.span, u))
                .collect();
        };
        let whole = LocusPath { inner: None, ..*passage };
        let piece = |u: &CitableUnit| match u.layer {
            Layer::ShuHeader => (inner == 0).then_some(u.span),
            _ => {
                let n = inner.checked_sub(u.before + 1)? as usize;
                sentences(self.document.source.text(), u.span).get(n).copied()
            }
        };
        self.units
            .iter()
            .filter(|u| whole.holds(&u.passage))
            .filter_map(|u| Some((piece(&u)?, u)))
            .collect()
    }
}

/// The first part of the loci of a document: key and number of its work and chapter, or its id and
/// 0.
pub(crate) fn text_of(document: &Document) -> TextName {
    let meta = &document.meta;
    let known = || Some(Works::builtin().work(meta.work.as_deref()?)?.key.clone());
    let key = meta.work_key.clone().or_else(|| document.cited_as.clone()).or_else(known);
    let work = key.unwrap_or_else(|| document.id.clone());
    TextName { work: slug(&work), chapter: meta.number.unwrap_or(0) }
}

/// CTS URN of a whole document.
pub(crate) fn urn_of(document: &Document) -> String {
    let text = text_of(document);
    Locus { text, from: None, to: None, version: None }.urn(Some(&document.id))
}

/// Reads a locus; work and chapter may also be titles of `works`, as they are usually cited:
/// 儀禮.鄉射.23.2, 周禮・考工記・梓人.1, 論語 1.1, 孟子 1上.1, 左傳 隱1.1.
///
/// # Errors
/// What is wrong with it.
pub fn parse(words: &str, works: &Works) -> Result<Locus, BadLocus> {
    let words = words.trim();
    if words.starts_with("urn:") {
        return words.parse();
    }
    let plain: String = words.chars().map(|c| if is_joint(c) { '.' } else { c }).collect();
    let plain = customary(&apart(&plain), works);
    let parts: Vec<&str> = plain.split('.').collect();
    let titles = parts.iter().take_while(|p| !p.starts_with(|c: char| c.is_ascii_digit())).count();
    if titles == 0 || parts[..titles].iter().all(|p| p.is_ascii()) {
        return plain.parse();
    }
    let first =
        works.all().iter().find(|w| w.key == parts[0]).map_or(parts[0], |w| w.title.as_str());
    let title = std::iter::once(first)
        .chain(parts[1..titles].iter().copied())
        .collect::<Vec<_>>()
        .join("・");
    let named = works
        .resolve(&title, None)
        .ok_or_else(|| BadLocus(format!("“{title}” is not in the list of works")))?
        .named;
    let key = works.work(&named.work).map_or(named.work.as_str(), |w| w.key.as_str());
    let rest = &parts[titles..];
    match works.number(&named) {
        Some(n) => [&[key, &n.to_string()], rest].concat().join(".").parse(),
        None if rest.is_empty() => Err(BadLocus(format!("“{title}” is not the name of a chapter"))),
        None => [&[key], rest].concat().join(".").parse(),
    }
}

/// Separators of the parts of a locus.
fn is_joint(c: char) -> bool {
    matches!(c, '・' | '·' | '．' | '‧' | '•' | '：' | ':') || c.is_whitespace()
}

/// A number right after a title as a part of its own: 論語2.4 is 論語.2.4.
fn apart(words: &str) -> String {
    let (first, rest) = words.split_at(words.find('.').unwrap_or(words.len()));
    match first.find(|c: char| c.is_ascii_digit()) {
        Some(i) if i > 0 && !first[..i].is_ascii() => {
            format!("{}.{}{rest}", &first[..i], &first[i..])
        }
        _ => words.to_string(),
    }
}

/// 1上, 隱1 and 隱公元年 as numbers: 孟子.1上.1 is 孟子.1.1, and 左傳.隱1.1 is 左傳.隱.1.1.
fn customary(words: &str, works: &Works) -> String {
    let mut parts: Vec<String> = words.split('.').map(str::to_string).collect();
    let Some(work) = parts.first().and_then(|w| works.resolve(w, None)) else {
        return words.to_string();
    };
    let Some(second) = parts.get(1).cloned() else { return words.to_string() };
    let digits = second.trim_end_matches(|c: char| c.is_ascii_digit());
    let half = second.trim_end_matches(['上', '中', '下']);
    if let Ok(n) = half.parse::<usize>()
        && half.len() < second.len()
        && let Some(number) = half_of(&work.named.work, n, &second[half.len()..], works)
    {
        parts[1] = number.to_string();
    } else if let Some((duke, year)) = year_of(&second) {
        parts[1] = format!("{duke}.{year}");
    } else if !digits.is_empty() && digits.len() < second.len() && !digits.is_ascii() {
        parts[1] = format!("{digits}.{}", &second[digits.len()..]);
    }
    parts.join(".")
}

/// The duke and the year of 隱公元年 or 僖二十八年.
fn year_of(words: &str) -> Option<(&str, u32)> {
    let starts = words.char_indices().map(|(i, _)| i).skip(1);
    starts.into_iter().find_map(|i| Some((&words[..i], numeral::year(&words[i..])?)))
}

/// Number of the chapter that is the 上 or 下 of the `n`th part of a work.
fn half_of(work: &str, n: usize, half: &str, works: &Works) -> Option<u32> {
    let part = works.work(work)?.part.get(n.checked_sub(1)?)?;
    let chapter = part.chapters.iter().find_map(|c| c.first().filter(|t| t.ends_with(half)))?;
    works.number(&super::works::Named {
        work: work.to_string(),
        part: Some(part.title.clone()),
        chapter: Some(chapter.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_of_a_text_without_segments_has_no_name() {
        let source = std::sync::Arc::new(crate::source::Source::from_text("a.txt", ""));
        let document = Document::new(source, "test");
        assert_eq!(Loci::around(&document, Span::new(0, 0)).name(Span::new(0, 0)), None);
    }

    #[test]
    fn the_name_of_a_span_needs_only_what_is_around_it() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
        let (mut spans, mut notes) = (0, 0);
        for name in ["yili-05-zhushu.txt", "yili-05-jishi.txt", "yili-07-judou.md"] {
            let read = std::fs::read_to_string(root.join(name)).expect("a bundled text");
            let source = crate::source::Source::from_text(name, read);
            let library = crate::pipeline::convert(source, None).expect("it is read");
            let document = &*library.documents[0];
            let (text, whole) = (document.source.text(), Loci::of(document));
            let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            for n in (0..bytes.len()).step_by(17) {
                for length in [0, 1, 12, 130] {
                    let end = bytes.get(n + length).copied().unwrap_or(text.len());
                    let span = Span::new(bytes[n], end);
                    let around = Loci::around(document, span).name(span);
                    assert_eq!(around, whole.name(span), "{name} {span:?}");
                    notes += usize::from(around.is_some_and(|l| l.to_string().contains(".shu.")));
                    spans += 1;
                }
            }
        }
        assert!(spans > 8000 && notes > 600, "{spans} {notes}");
    }

    #[test]
    fn titles_are_as_good_as_keys() {
        let works = Works::builtin();
        for (words, want) in [
            ("儀禮.鄉射.23.2", "yili.05.23.2"),
            ("儀禮・鄉射禮・23.2.注", "yili.05.23.2.zhu"),
            ("yili.鄉射禮.3", "yili.05.3"),
            ("鄉射禮.3.1-4", "yili.05.3.1-3.4"),
            ("大射", "yili.07"),
            ("儀禮.5.1", "yili.05.1"),
            ("yili.5", "yili.05"),
            ("論語 1.1", "lunyu.01.1"),
            ("孟子 1上.1", "mengzi.01.1"),
            ("孟子 7下.3", "mengzi.14.3"),
            ("論語2.4", "lunyu.02.4"),
            ("孟子7下.3", "mengzi.14.3"),
            ("學而1", "lunyu.01.1"),
            ("左傳 隱1.1", "zuozhuan.01.1.1"),
            ("左傳 僖公.4", "zuozhuan.05.4"),
            ("左傳 隱公元年", "zuozhuan.01.1"),
            ("左傳 僖二十八年.3", "zuozhuan.05.28.3"),
            ("公羊 隱1.1", "gongyang.01.1.1"),
            ("穀梁傳 莊公十有二年", "guliang.03.12"),
            ("周易.乾.2", "zhouyi.01.2"),
            ("詩 關雎.1", "shijing.01.1"),
            ("毛詩 七月.2", "shijing.154.2"),
            ("禮記 中庸", "liji.31"),
            ("禮記 學記", "liji.18"),
            ("禮記 曲禮下", "liji.02"),
            ("周禮 大宰.1", "zhouli.01.1"),
            ("孝經 1", "xiaojing.01"),
            ("爾雅 釋天", "erya.08"),
            ("尚書 堯典.1", "shangshu.01.1"),
        ] {
            assert_eq!(parse(words, &works).map(|l| l.to_string()).as_deref(), Ok(want), "{words}");
        }
        for none in ["無此書.3", "儀禮", "yili", ""] {
            assert!(parse(none, &works).is_err(), "{none}");
        }
    }
}
