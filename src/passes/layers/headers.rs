//! Parses the lemma headers of a sub-commentary: `“眾賓”至“上耦”。注“於是”至“及賓”。釋曰`.
//!
//! A header names the first and last words of what it explains (or all of them): first those of the
//! classic, then, after 注, those of the commentary. It opens a sub-commentary paragraph; another
//! may follow inside it, where the explanation of the commentary begins. The pass cuts headers out
//! of [`Layer::Shu`] as [`Layer::ShuHeader`] and records their parts in [`Document::headers`].

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::model::{
    Certainty, Commentary, Document, Evidence, EvidenceKind, Header, HeaderPart, Layer, Segment,
};
use crate::passes::context::Context;
use crate::source::{Span, ends_line};

/// One part: an optional 注 (NAMED: any other commentary), first words in quotation marks, and
/// perhaps 至 with the last words.
const PART: &str = r#"(?:(?P<who>經|经|注|註|傳注|傳|传|NAMED)\s*)?[“「『‘"](?P<from>[^“”「」『』‘’"]{1,60})[”」』’"](?:\s*(?:以下|已下|下)?\s*至\s*[“「『‘"](?P<to>[^“”「」『』‘’"]{1,40})[”」』’"])?"#;
fn part() -> String {
    PART.replace("NAMED", &Commentary::marks())
}
/// What may separate parts.
const GAP: &str = r"[\s。.,，、○;；:：]*";
/// The opening of the explanation, which the end of a cut line may divide. 辭曰 is a common misprint
/// of 釋曰.
const OPENING: &str = r"(?:[釋释辭]\s*曰|正\s*[義义]\s*曰|解\s*[云雲曰])";

static PARTS: LazyLock<Regex> = LazyLock::new(|| Regex::new(&part()).expect("a valid pattern"));
/// A header at the start of a paragraph; 釋曰 may be missing.
static LEADING: LazyLock<Regex> = LazyLock::new(|| {
    let part = part().replace("?P<who>", "?:").replace("?P<from>", "?:").replace("?P<to>", "?:");
    Regex::new(&format!(r"^{GAP}(?:{part}{GAP})+")).expect("a valid pattern")
});
/// A header inside a paragraph. To differ from a quotation, it needs 注 or ○ before it and 釋曰
/// after it.
static INNER: LazyLock<Regex> = LazyLock::new(|| {
    let part = part().replace("?P<who>", "?:").replace("?P<from>", "?:").replace("?P<to>", "?:");
    let named = Commentary::marks();
    Regex::new(&format!(r#"(?:[。”」"○\n]\s*(?P<header>(?:注|註|傳|传|{named})\s*[“「『‘"](?:[^“”「」『』‘’"]{{1,60}})[”」』’"](?:\s*至\s*[“「『‘"][^“”「」『』‘’"]{{1,40}}[”」』’"])?{GAP}(?:{part}{GAP})*)|○\s*(?P<circled>(?:{part}{GAP})+)){OPENING}"#))
        .expect("a valid pattern")
});
/// What must follow a header on a further line of a sub-commentary: nothing, or the opening
/// formula. Otherwise its quotation marks are a quotation: `○“貢士於天子”者，…`.
static FOLLOWS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"^(?:$|{OPENING})")).expect("a valid pattern"));

/// A header in a text without punctuation: `眾賓至上耦注於是至及賓釋曰` at the start of a
/// sub-commentary; inside one, only the header of a note.
static BARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"^(?P<header>\p{{Han}}{{2,40}}?){OPENING}")).expect("a valid pattern")
});
static BARE_INNER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"(?P<header>注\p{{Han}}{{1,4}}至\p{{Han}}{{1,4}}){OPENING}"))
        .expect("a valid pattern")
});
/// Words of explanations, which no header contains.
const NO_HEADER: [&str; 6] = ["案", "云", "雲", "故", "論", "者也"];

/// What precedes a stretch of sub-commentary; this decides whether a header can open it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Its mark, or another layer: a header may open it.
    Start,
    /// An earlier line of the same sub-commentary: a header may open it if 釋曰 or the line end
    /// follows.
    Line,
    /// Text of the same line: no header opens it.
    Words,
}

/// Runs the pass.
pub fn run(document: &mut Document, _: &Context<'_>) {
    let headers = headers_of(document);
    let cuts = |s: &Segment| s.layer == Layer::Shu && within(&headers, s.span).next().is_some();
    // Where nothing is cut, the list stays shared with the document before this stage.
    if document.segments.iter().any(cuts) {
        document.replace_segments(headers.len(), |_, segment, segments| match segment.layer {
            Layer::Shu => cut(&segment, &headers, segments),
            _ => segments.push_back(segment),
        });
    }
    document.headers.extend(headers);
}

/// True for tags of a page that end a line, with nothing after them.
fn is_line_tag(mark: &str) -> bool {
    mark.trim_end().ends_with('>') && ends_line(mark)
}

/// The headers of a document in order: those that the source marks, and those within
/// sub-commentary.
fn headers_of(document: &Document) -> Vec<Header> {
    let header = |shown: &ShownWords<'_>, words: Range<usize>| Header {
        span: shown.span(words.clone()),
        parts: parts(shown, words),
    };
    let mut headers = Vec::new();
    let mut before = Before::Start;
    for segment in &document.segments {
        before = match segment.layer {
            Layer::Shu => {
                let shown = ShownWords::of(document, segment.span);
                let found = headers_in(&shown.words, before).into_iter();
                headers.extend(found.map(|words| header(&shown, words)));
                Before::Words
            }
            Layer::ShuHeader => {
                let shown = ShownWords::of(document, segment.span);
                let parts = parts(&shown, 0..shown.words.len());
                let whole = Header { span: segment.span, parts };
                headers.extend(Some(whole).filter(|h| !h.parts.is_empty()));
                Before::Words
            }
            Layer::Blank if before == Before::Words => Before::Line,
            Layer::Blank | Layer::Furniture => before,
            // Tags of a page end a line as its end does in a text.
            Layer::Mark if is_line_tag(document.slice(segment.span)) => match before {
                Before::Words => Before::Line,
                before => before,
            },
            _ => Before::Start,
        };
    }
    headers
}

/// Those of `headers`, which are in order, that are within `span`.
fn within(headers: &[Header], span: Span) -> impl Iterator<Item = &Header> {
    let first = headers.partition_point(|h| h.span.start() < span.start());
    headers[first..].iter().take_while(move |h| span.contains(h.span))
}

/// Words without the marks among them, such as tags, and where they stand.
struct ShownWords<'t> {
    words: Cow<'t, str>,
    /// Where each piece between marks begins, in the words and in the text.
    pieces: Vec<(usize, usize)>,
    whole: Span,
}

impl<'t> ShownWords<'t> {
    fn of(document: &'t Document, span: Span) -> Self {
        let mut pieces = vec![];
        let mut at = 0;
        for piece in document.without_marks(span).filter(|piece| !piece.is_empty()) {
            pieces.push((at, piece.start()));
            at += piece.len();
        }
        ShownWords { words: document.words(span), pieces, whole: span }
    }

    /// Where some of the words stand in the text, without marks before or after them.
    fn span(&self, words: Range<usize>) -> Span {
        let place = |at: usize, piece: usize| {
            // Without words there is one place.
            let first = (0, self.whole.start());
            let (shown, text) = *self.pieces.get(piece.saturating_sub(1)).unwrap_or(&first);
            text + (at - shown)
        };
        let start = place(words.start, self.pieces.partition_point(|p| p.0 <= words.start));
        if words.is_empty() {
            return Span::new(start, start);
        }
        let end = place(words.end, self.pieces.partition_point(|p| p.0 < words.end));
        // No piece of a layer is of marks alone.
        Span::new(if words.start == 0 { self.whole.start() } else { start }, end)
    }
}

/// The headers in words of sub-commentary, in order.
fn headers_in(words: &str, before: Before) -> Vec<Range<usize>> {
    let tail = |c: char| c.is_whitespace() || c == '○';
    let at = |start: usize, end: usize| start..words[..end].trim_end_matches(tail).len();
    let mut found: Vec<Range<usize>> = Vec::new();
    if is_bare(words) {
        return bare_headers(words, before)
            .into_iter()
            .map(|(start, end)| at(start, end))
            .collect();
    }
    if before != Before::Words
        && let Some(m) = LEADING.find(words)
        && (before == Before::Start || FOLLOWS.is_match(&words[m.end()..]))
        && !words[m.end()..].starts_with('者')
    {
        found.push(at(m.start(), m.end()));
    }
    let from = found.first().map_or(0, |first| first.end);
    // The match includes the full stop before the header, so step back one character.
    let from = words[..from].char_indices().next_back().map_or(0, |(i, _)| i);
    let inner =
        INNER.captures_iter(&words[from..]).filter_map(|c| c.name("header").or(c.name("circled")));
    found.extend(inner.map(|m| at(from + m.start(), from + m.end())));
    found.dedup_by(|b, a| b.start < a.end);
    found
}

/// True if the text has no quotation marks; then headers have none either.
fn is_bare(words: &str) -> bool {
    !words.contains(['“', '「', '『', '‘', '"'])
}

/// Ranges of the headers in a sub-commentary without quotation marks.
fn bare_headers(words: &str, before: Before) -> Vec<(usize, usize)> {
    let leading = BARE.captures(words).and_then(|c| c.name("header")).filter(|m| {
        let named =
            m.as_str().contains(['至', '注']) && !NO_HEADER.iter().any(|w| m.as_str().contains(w));
        before == Before::Start && named
    });
    let from = leading.map_or(0, |m| m.end());
    let inner = BARE_INNER.captures_iter(&words[from..]).filter_map(|c| c.name("header"));
    leading
        .map(|m| (m.start(), m.end()))
        .into_iter()
        .chain(inner.map(|m| (from + m.start(), from + m.end())))
        .collect()
}

/// The parts of a header without quotation marks: the text before 注 and after it, each split at
/// its 至.
fn bare_parts(shown: &ShownWords<'_>, header: Range<usize>) -> Vec<HeaderPart> {
    let words = &shown.words[header.clone()];
    let note = words.find('注').unwrap_or(words.len());
    let part = |layer: Layer, from: usize, to: usize| {
        let blank = |c: char| c.is_whitespace() || c == '\u{3000}';
        let here = &words[from..to];
        let (from, to) = (
            from + here.len() - here.trim_start_matches(blank).len(),
            from + here.trim_end_matches(blank).len(),
        );
        let span = |a: usize, b: usize| shown.span(header.start + a..header.start + b);
        let turn = words
            .get(from..to)?
            .char_indices()
            .skip(1)
            .find(|(i, c)| *c == '至' && from + i + c.len_utf8() < to);
        let (first, last) = match turn {
            Some((i, c)) => (span(from, from + i), Some(span(from + i + c.len_utf8(), to))),
            None => (span(from, to), None),
        };
        (from < to).then_some(HeaderPart { layer, span: span(from, to), from: first, to: last })
    };
    let after = (note + '注'.len_utf8()).min(words.len());
    [(Layer::Jing, 0, note), (Layer::Zhu, after, words.len())]
        .into_iter()
        .filter_map(|(l, a, b)| part(l, a, b))
        .collect()
}

fn parts(shown: &ShownWords<'_>, header: Range<usize>) -> Vec<HeaderPart> {
    let words = &shown.words[header.clone()];
    if is_bare(words) {
        return bare_parts(shown, header);
    }
    let mut parts: Vec<HeaderPart> = Vec::new();
    let place = |from: usize, to: usize| shown.span(header.start + from..header.start + to);
    for c in PARTS.captures_iter(words) {
        let span = |c: &Captures<'_>, name: &str| c.name(name).map(|m| place(m.start(), m.end()));
        let Some(from) = span(&c, "from") else { continue };
        let whole = c.get_match();
        let who = c.name("who");
        let layer = match who.map(|m| m.as_str()) {
            Some("經" | "经") => Layer::Jing,
            Some(who) => Commentary::marked(who).map_or(Layer::Zhu, Layer::Named),
            // 注 applies to the following parts too.
            None => parts.last().map_or(Layer::Jing, |p| p.layer),
        };
        let start = who.map_or(whole.start(), |m| m.end());
        let start = start + (words[start..].len() - words[start..].trim_start().len());
        parts.push(HeaderPart { layer, span: place(start, whole.end()), from, to: span(&c, "to") });
    }
    parts.shrink_to_fit();
    parts
}

/// Cuts the headers out of `segment`.
fn cut(segment: &Segment, headers: &[Header], out: &mut VecDeque<Segment>) {
    let mut at = segment.span.start();
    for h in within(headers, segment.span) {
        if at < h.span.start() {
            out.push_back(Segment { span: Span::new(at, h.span.start()), ..segment.clone() });
        }
        out.push_back(Segment::inferred(
            Layer::ShuHeader,
            h.span,
            Certainty::new(0.99),
            [Evidence::of(EvidenceKind::HeaderForm)],
        ));
        at = h.span.end();
    }
    if at < segment.span.end() {
        out.push_back(Segment { span: Span::new(at, segment.span.end()), ..segment.clone() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(text: &str) -> Vec<String> {
        let mut document = Document::of_pieces(&[(Layer::Shu, text)]);
        let tags = Regex::new("<[^<>]*>").unwrap();
        let tags = tags.find_iter(text).map(|m| Span::new(m.start(), m.end()));
        document.marks = tags.collect::<Vec<_>>().into();
        let shown = ShownWords::of(&document, Span::new(0, text.len()));
        let describe = |p: &HeaderPart| {
            let words = |span: Span| document.slice(span).to_string();
            format!("{} {} {}", p.layer, words(p.from), p.to.map(words).unwrap_or_default())
        };
        headers_in(&shown.words, Before::Start)
            .into_iter()
            .flat_map(|h| parts(&shown, h).iter().map(describe).collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn headers_of_every_kind() {
        assert_eq!(
            shapes("“眾賓”至“上耦”。注“於是”至“及賓”。釋曰:雲“於是”者"),
            ["jing 眾賓 上耦", "zhu 於是 及賓"]
        );
        assert_eq!(
            shapes("“二筭為純”。注“純猶”至“陰陽”。釋曰:"),
            ["jing 二筭為純 ", "zhu 純猶 陰陽"]
        );
        assert_eq!(shapes("注“變於右”。釋曰:雲“變於右”者"), ["zhu 變於右 "]);
        assert_eq!(
            shapes("“燕禮小臣戒與者”。釋曰:自此盡“告具”,論事。注“小臣”至“歡也”。釋曰:雲“小臣”者"),
            ["jing 燕禮小臣戒與者 ", "zhu 小臣 歡也"]
        );
        assert_eq!(shapes("「古者」至「序也」。\n○正義曰:此"), ["jing 古者 序也"]);
        assert_eq!(shapes("釋曰:此雲“卒射”者,注“射畢”是也。"), Vec::<String>::new());
        assert_eq!(
            shapes(
                "“子曰”至“者乎”。○正義曰:此章。○注“馬曰”至“說懌”。○正義曰:云“子”者。○“有朋”至“樂乎”。○正義曰:同"
            ),
            ["jing 子曰 者乎", "zhu 馬曰 說懌", "jing 有朋 樂乎"]
        );
        let straight = "\"眾賓\"至\"上耦\"。注\"於是\"至\"及賓\"。釋曰:云\"於是\"者";
        assert_eq!(shapes(straight), shapes("“眾賓”至“上耦”。注“於是”至“及賓”。釋曰:雲“於是”者"));
        let tag = "<b>注</b>“<font face=\"a b\">納者”至“<i>西”。</i></font>釋曰:云";
        assert_eq!(shapes(tag), ["zhu 納者 西"]);
        assert_eq!(shapes("“第一”者,次也。"), Vec::<String>::new());
    }

    #[test]
    fn headers_without_marks() {
        assert_eq!(shapes("眾賓至上耦注於是至及賓釋曰雲於是"), ["jing 眾賓 上耦", "zhu 於是 及賓"]);
        assert_eq!(shapes("二筭為純注純猶至陰陽釋曰陰陽"), ["jing 二筭為純 ", "zhu 純猶 陰陽"]);
        assert_eq!(
            shapes("燕禮至與者釋曰自此盡告具注小臣至歡也釋曰云小臣"),
            ["jing 燕禮 與者", "zhu 小臣 歡也"]
        );
        assert_eq!(shapes("此一經論之者案大射釋曰自此"), Vec::<String>::new());
        assert_eq!(shapes("釋曰自此至篇末"), Vec::<String>::new());
    }

    /// The headers that the pass finds in the lines of one sub-commentary.
    fn of_lines(lines: &[&str]) -> Vec<String> {
        let text = lines.join("\n");
        let mut document = Document::new(
            std::sync::Arc::new(crate::source::Source::from_text("t.txt", &*text)),
            "t",
        );
        let mut cover = crate::model::Cover::new(&text);
        let mut end = 0;
        for l in lines {
            end += l.len();
            cover.to(end, Layer::Shu);
            end += 1;
            cover.to(end.min(text.len()), Layer::Blank);
        }
        document.segments = cover.finish().into();
        let library = crate::corpus::Library::default();
        run(&mut document, &Context::new(&library));
        document.check().unwrap();
        document.headers.iter().map(|h| document.slice(h.span).to_string()).collect()
    }

    #[test]
    fn further_lines_open_with_headers_or_with_quotations() {
        let lines = [
            "“古者”至“序也”。",
            "○正義曰:此一篇之義。",
            "○“必先行燕禮”者,案《大射》在未旅之前。",
            "○注“正鵠之名,出自此也”。",
            "○正義曰:以賓射之的。",
            "○注“選士”至“飾之”。○正義曰:云“選士”者,",
        ];
        assert_eq!(
            of_lines(&lines),
            ["“古者”至“序也”。", "○注“正鵠之名,出自此也”。", "○注“選士”至“飾之”。"]
        );
    }
}
