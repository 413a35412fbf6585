//! Sections by the custom of a work: the paragraphs of the 論語, the years of the 左傳, the lines of
//! the 周易.

use std::sync::LazyLock;

use regex::Regex;

use super::starts::{SectionStart, classic_from};
use crate::corpus::works::Sections;
use crate::model::{Document, Evidence, EvidenceKind, Layer, LayerKind};
use crate::text::{numeral, pattern};

/// How certain it is that a paragraph is a section.
const PARAGRAPH: f64 = 0.9;
/// How certain it is that a line which names a year or a line of a hexagram begins a section.
const NAMED: f64 = 0.95;

/// 隱公元年, 十有二年.
static YEAR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?P<year>(?:元|[一二三四五六七八九十有]+)年)"));

/// A title that ends with a year. 隱公（元年～十一年） is that of a duke.
static YEAR_TITLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?P<year>(?:元|[一二三四五六七八九十有]+)年)[》〉」』]?$"));

/// 初九, 六二, 上六, 用九, 《彖》曰, 《象》曰, 《文言》曰.
static LINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^[《「“]?(?P<line>初[九六]|[九六][二三四五]|上[九六]|用[九六]|彖|象|文言)[》」”]?[曰:：，、,]",
    )
});

/// Where the sections of a document begin.
pub(super) fn starts(document: &Document, sections: Sections) -> Vec<SectionStart> {
    match sections {
        Sections::Paragraph => paragraphs(document).into_iter().map(paragraph).collect(),
        Sections::Line => lines(document),
        Sections::Year => years(document),
        #[allow(unreachable_patterns)]
        _ => vec![],
    }
}

fn paragraph(at: usize) -> SectionStart {
    SectionStart {
        at,
        n: None,
        title: None,
        certainty: PARAGRAPH,
        evidence: vec![Evidence::of(EvidenceKind::ParagraphStart)],
    }
}

fn named(at: usize, n: Option<u32>, title: &str) -> SectionStart {
    SectionStart {
        at,
        n,
        title: Some(title.to_string()),
        certainty: NAMED,
        evidence: vec![Evidence::of(EvidenceKind::TitleLine)],
    }
}

/// First bytes of the paragraphs of the classic: after sub-commentary if there is any, else at the
/// beginning of a line.
fn paragraphs(document: &Document) -> Vec<usize> {
    let explained = document.segments.iter().any(|s| s.layer.kind() == LayerKind::Commentary);
    let mut starts = vec![];
    let mut fresh = true;
    for s in document.segments.iter().filter(|s| s.layer.is_text() || s.layer == Layer::Blank) {
        match s.layer.kind() {
            LayerKind::Base | LayerKind::Undivided => {
                starts.extend(fresh.then_some(s.span.start()));
                if !explained {
                    starts.extend(line_starts(document, s.span.start(), s.span.end()));
                }
                fresh = !explained && document.slice(s.span).ends_with('\n');
            }
            LayerKind::Commentary => fresh = true,
            _ if s.layer == Layer::Heading => fresh = true,
            _ if s.layer == Layer::Blank && !explained => {
                fresh |= document.slice(s.span).contains('\n');
            }
            _ => {}
        }
    }
    starts
}

/// Where lines begin inside a stretch, after its beginning.
fn line_starts(document: &Document, from: usize, to: usize) -> Vec<usize> {
    let words = &document.source.text()[from..to];
    let mut starts = vec![];
    for (i, _) in words.match_indices('\n') {
        let rest = words[i..].trim_start();
        if !rest.is_empty() && !rest.starts_with('\n') {
            starts.push(to - rest.len());
        }
    }
    starts.dedup();
    starts
}

/// The paragraphs that begin with the name of a line, and the first.
fn lines(document: &Document) -> Vec<SectionStart> {
    let text = document.source.text();
    let mut starts: Vec<SectionStart> = vec![];
    for at in paragraphs(document) {
        let name = LINE.captures(&text[at..]).map(|c| c["line"].to_string());
        match name {
            Some(name) => starts.push(named(at, None, &name)),
            None if starts.is_empty() => starts.push(paragraph(at)),
            None => {}
        }
    }
    starts
}

/// The years, by the headings that name them; without such headings, by the paragraphs of the
/// classic that begin with a year.
fn years(document: &Document) -> Vec<SectionStart> {
    let headings: Vec<SectionStart> = document
        .of_layer(Layer::Heading)
        .filter_map(|h| {
            let words = document.slice(h.span).trim();
            let found = YEAR_TITLE.captures(words)?;
            let at = classic_from(document, h.span.end())?;
            Some(named(at, numeral::year(&found["year"]), words))
        })
        .collect();
    if !headings.is_empty() {
        return rising(headings);
    }
    let text = document.source.text();
    let year = |at: usize| {
        let words: String = text[at..].chars().take(8).collect();
        let found = YEAR.captures(&words).filter(|c| c.get(0).is_some_and(|m| m.start() == 0))?;
        Some(named(at, numeral::year(&found["year"]), &found["year"]))
    };
    rising(paragraphs(document).into_iter().filter_map(year).collect())
}

/// Years only go up. A second title of the same year (its 傳 after its 經) begins nothing.
fn rising(starts: Vec<SectionStart>) -> Vec<SectionStart> {
    let mut last = 0;
    let mut kept = vec![];
    for start in starts {
        if start.n.is_some_and(|n| n > last) {
            last = start.n.unwrap_or(last);
            kept.push(start);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_begin_at_the_titles_that_end_with_one() {
        let document = Document::of_pieces(&[
            (Layer::Heading, "隱公（元年～十一年）\n"),
            (Layer::Heading, "◇隱公元年\n"),
            (Layer::Jing, "元年春，王正月。\n"),
            (Layer::Heading, "◇隱公二年\n"),
            (Layer::Jing, "二年春，公會戎于潛。\n"),
        ]);
        let years: Vec<_> = starts(&document, Sections::Year).into_iter().map(|s| s.n).collect();
        assert_eq!(years, [Some(1), Some(2)]);
    }
}
