//! Leaves and pages of the printed or written source, where the text says where one begins:
//! `<pb:KR1d0026_SBCK_006-1b>` of the Kanseki Repository, `<pb n="…" ed="…"/>` of TEI, the pages of
//! e-books, the images of ALTO, PAGE and hOCR.

use std::sync::LazyLock;

use quick_xml::escape::unescape;
use regex::Regex;

use crate::model::{Document, LeafImage, LeafName, Meta, is_address};
use crate::source::Span;
use crate::text::pattern;

/// What begins a leaf: its edition and its number.
static BREAK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"<pb:(?:(?P<text>[^<>]*)_)?(?P<page>[^<>_]+)>|<(?:\w+:)?pb\b(?P<pb>[^<>]*)>|<(?:\w+:)?Page\b(?P<scan>[^<>]*)>|<\w+\b(?P<epub>[^<>]*\bepub:type\s*=\s*["']pagebreak["'][^<>]*)>|<\w+\b(?P<hocr>[^<>]*\bocr_page\b[^<>]*)>"#,
    )
});
/// Of a page of ALTO or PAGE, which a scanner numbered, or of which it names the image.
static SCAN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\b(?:PHYSICAL_IMG_NR|imageFilename)\s*=\s*["']([^"'<>]+)["']"#));
/// The image of a page of hOCR.
static IMAGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\bimage\s+(?:&quot;|["'])?([^"'<>;&]+)"#));
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\b(?:n|title|aria-label)\s*=\s*["']([^"'<>]+)["']"#));
static FACS: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bfacs\s*=\s*["']([^"'<>]+)["']"#));
static EDITION: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bed\s*=\s*["']([^"'<>]+)["']"#));

/// A leaf, or a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// The first byte of the source after the sign that begins it.
    pub(crate) at: usize,
    /// The edition, if it is named.
    pub(crate) edition: Option<String>,
    /// Its number, as it is written: `006-1b`.
    pub(crate) number: String,
    /// The address of its image, or where in the file it is (`#s1`), as the sign says.
    facs: Option<String>,
}

impl Leaf {
    /// Edition and number, as a person cites them: `KR1d0026_SBCK 006-1b`, `12a`.
    pub(crate) fn name(&self) -> String {
        match &self.edition {
            Some(edition) => format!("{edition} {}", self.number),
            None => self.number.clone(),
        }
    }

    /// True if words name it: `SBCK 6-1b`, `006-1b`. Zeros before a number do not count, and a part
    /// of the edition's name is enough.
    pub(crate) fn is_called(&self, words: &str) -> bool {
        self.named().is_called(words)
    }

    fn named(&self) -> LeafName<'_> {
        LeafName { edition: self.edition.as_deref(), number: &self.number }
    }

    /// Its image, if the text or what is known about it names one.
    pub(crate) fn image(&self, meta: &Meta) -> Option<LeafImage> {
        let own = self.facs.iter().flat_map(|facs| facs.split_whitespace());
        let mut own = own.filter_map(|facs| match facs.starts_with('#') {
            true => meta.images.iter().find_map(|images| images.with_id(facs)),
            false => is_address(facs).then(|| LeafImage {
                leaf: self.number.clone(),
                address: facs.to_string(),
                size: None,
            }),
        });
        own.next().or_else(|| meta.image_of(self.named()))
    }
}

/// The leaves that some marks begin; places are those in `marks`.
pub(crate) fn leaves_in(marks: &str) -> impl Iterator<Item = Leaf> {
    BREAK.captures_iter(marks).filter_map(|found| {
        let at = found.get(0)?.end();
        let value = |of: &Regex, tag: &str| of.captures(tag).map(|value| value[1].to_string());
        if let Some(page) = found.name("page") {
            let edition = found.name("text").map(|text| text.as_str().to_string());
            return Some(Leaf { at, edition, number: page.as_str().to_string(), facs: None });
        }
        if let Some(page) = found.name("scan") {
            let number = value(&SCAN, page.as_str())?;
            return Some(Leaf { at, edition: None, number, facs: None });
        }
        if let Some(page) = found.name("hocr") {
            let number = value(&IMAGE, page.as_str())?.trim().to_string();
            return Some(Leaf { at, edition: None, number, facs: None });
        }
        let tag = found.name("pb").or_else(|| found.name("epub"))?.as_str();
        let facs = value(&FACS, tag).map(|facs| match unescape(&facs) {
            Ok(facs) => facs.into_owned(),
            Err(_) => facs,
        });
        Some(Leaf { at, edition: value(&EDITION, tag), number: value(&NUMBER, tag)?, facs })
    })
}

/// The leaves of a document, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves(Vec<Leaf>);

impl Leaves {
    /// Those that its marks and what is not its text begin.
    pub(crate) fn of(document: &Document) -> Self {
        let source = document.source.text();
        if !["<pb", "pagebreak", "Page ", "ocr_page"].iter().any(|sign| source.contains(sign)) {
            return Leaves::default();
        }
        let outside = document.segments.iter().filter(|s| !s.layer.is_text()).map(|s| s.span);
        let mut spans: Vec<Span> = outside.chain(document.marks.iter().copied()).collect();
        spans.sort_unstable();
        let mut all: Vec<Leaf> = vec![];
        for span in spans {
            let here = leaves_in(document.source.slice(span));
            all.extend(here.map(|leaf| Leaf { at: span.start() + leaf.at, ..leaf }));
            // The rest of the mark is before the text.
            if let Some(last) = all.last_mut().filter(|leaf| leaf.at > span.start()) {
                last.at = span.end();
            }
        }
        Leaves(all)
    }

    /// All of them, in order.
    pub(crate) fn all(&self) -> &[Leaf] {
        &self.0
    }

    /// The leaf that a byte of the source is on, if it is known.
    pub(crate) fn at(&self, byte: usize) -> Option<&Leaf> {
        self.number_at(byte).map(|n| &self.0[n])
    }

    /// The number of that leaf among all, from 0.
    pub(crate) fn number_at(&self, byte: usize) -> Option<usize> {
        self.0.partition_point(|leaf| leaf.at <= byte).checked_sub(1)
    }

    /// The leaves that begin in a span.
    pub(crate) fn within(&self, span: Span) -> &[Leaf] {
        let from = self.0.partition_point(|leaf| leaf.at < span.start());
        let to = self.0.partition_point(|leaf| leaf.at < span.end());
        &self.0[from..to.max(from)]
    }

    /// The same leaves, each at the first text after the sign that begins it.
    pub(crate) fn at_text(self, document: &Document) -> Self {
        let mut segments = document.segments.iter().filter(|s| s.layer.is_text()).peekable();
        let moved = |leaf: Leaf| {
            while segments.next_if(|s| s.span.end() <= leaf.at).is_some() {}
            Some(Leaf { at: segments.peek()?.span.start().max(leaf.at), ..leaf })
        };
        Leaves(self.0.into_iter().map_while(moved).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers;
    use crate::source::Source;

    fn numbers(document: &Document) -> Vec<(String, &str)> {
        let leaves = Leaves::of(document).at_text(document);
        let text = document.source.text();
        leaves.0.iter().map(|l| (l.number.clone(), &text[l.at..l.at + 3])).collect()
    }

    #[test]
    fn leaves_of_mandoku_and_tei() {
        let mandoku = "#+TITLE: 儀禮\n<pb:KR1d0026_SBCK_006-1a>¶\n燕禮小臣戒與者(小臣相¶\n\
            <pb:KR1d0026_SBCK_006-1b>¶\n君)膳宰具官饌¶\n";
        let d = readers::read(Source::from_text("a.txt", mandoku), Some("mandoku")).unwrap();
        let pair = |n: &str, c| (n.to_string(), c);
        assert_eq!(numbers(&d), [pair("006-1a", "燕"), pair("006-1b", "君")]);
        let leaves = Leaves::of(&d);
        let at = |words: &str| leaves.at(mandoku.find(words).unwrap()).unwrap();
        assert_eq!(at("戒").edition.as_deref(), Some("KR1d0026_SBCK"));
        assert_eq!((&*at("戒").number, &*at("膳").number), ("006-1a", "006-1b"));
        let called = |words: &str| at("膳").is_called(words);
        assert!(called("006-1b") && called("SBCK 6-1B") && called("KR1d0026_SBCK_006-1b"));
        assert!(!called("6-1a") && !called("WYG 6-1b") && !called(""));
        assert!(leaves.at(0).is_none());
        let tei = "<TEI><text><body><p><pb n=\"12a\" ed=\"T\"/>燕禮<lb/>小臣<pb xml:id=\"x\" n='12b'/>戒\
            <pb/>與</p></body></text></TEI>";
        let d = readers::read(Source::from_text("a.xml", tei), Some("xml")).unwrap();
        assert_eq!(numbers(&d), [pair("12a", "燕"), pair("12b", "戒")]);
        let alto = "<alto xmlns=\"http://www.loc.gov/standards/alto/ns-v4#\"><Layout><Page ID=\"p\" \
            PHYSICAL_IMG_NR=\"7\"><PrintSpace><TextBlock><TextLine><String CONTENT=\"燕禮小臣\"/>\
            </TextLine></TextBlock></PrintSpace></Page></Layout></alto>";
        let d = readers::read(Source::from_text("a.xml", alto), Some("xml")).unwrap();
        assert_eq!(numbers(&d), [pair("7", "燕")]);
        let page = |n| {
            let title = format!("image \"a_{n}.png\"; bbox 0 0 9 9; ppageno {n}");
            leaves_in(&format!("<div class='ocr_page' title='{title}'>")).map(|l| l.number).next()
        };
        assert_eq!((page(1).as_deref(), page(2).as_deref()), (Some("a_1.png"), Some("a_2.png")));
    }
}
