//! Elements of a TEI source that are not interpreted: milestones, names, dates, what an editor adds
//! (`data/kept.tsv`). Their tags are marks of the source; the elements stand again where they did:
//! around the same words where they nest with ours, else, empty, in a `seg` of type `kept` in the
//! mark. The text of the marks remains, so that the source can be restored.

use std::ops::Range;
use std::sync::LazyLock;

use quick_xml::Reader as XmlEvents;
use quick_xml::events::{BytesStart, Event};
use regex::Regex;
use rustc_hash::FxHashMap;

use super::pages;
use crate::markup::Markup;
use crate::model::Document;
use crate::source::Span;
use crate::text::pattern;

/// What an element may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeptContent {
    /// Nothing: a milestone.
    Nothing,
    /// Words, and kept elements.
    Phrases,
    /// Whatever its text has.
    Anything,
}

/// A row of the table: what the element may contain, and its attributes, each with the sign of its
/// kind.
type Row = (KeptContent, Vec<(&'static str, char)>);

static TABLE: LazyLock<FxHashMap<&'static str, Row>> = LazyLock::new(|| {
    let lines = include_str!("data/kept.tsv").lines().filter(|l| !l.starts_with('#'));
    lines.map(|line| row(line).expect("a test reads the table")).collect()
});

const DATE: &str = r"^-?\d{4}(-\d\d(-\d\d)?)?$";
static IS_DATE: LazyLock<Regex> = LazyLock::new(|| pattern(DATE));
static IS_CERTAINTY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(high|medium|low|unknown|0?\.\d+|[01])$"));

fn row(line: &'static str) -> Option<(&'static str, Row)> {
    let mut cells = line.split('\t');
    let name = cells.next()?;
    let content = match cells.next()? {
        "nothing" => KeptContent::Nothing,
        "phrases" => KeptContent::Phrases,
        "anything" => KeptContent::Anything,
        _ => return None,
    };
    let kind = |word: &'static str| match word.strip_suffix(['~', '=', '+']) {
        Some(name) => (name, word.chars().next_back().unwrap_or(' ')),
        None => (word, ' '),
    };
    let own = cells.next()?.split_whitespace().map(kind);
    Some((name, (content, own.chain([("n", 'n'), ("rend", 'n'), ("cert", '%')]).collect())))
}

/// An element of the source.
#[derive(Clone, Debug)]
pub(super) struct KeptElement {
    name: &'static str,
    pub(super) content: KeptContent,
    attributes: Vec<(&'static str, String)>,
    /// First byte of its start tag.
    pub(super) at: usize,
    /// Between its tags, without the marks there; empty for a milestone.
    pub(super) inside: Span,
}

impl KeptElement {
    /// Opens it.
    pub(super) fn open(&self, xml: &mut Markup<'_>) {
        self.attributes(xml.open(self.name));
    }

    /// Gives the beginning of a page the address of its image instead of what points at it.
    fn show(&mut self, image: impl FnOnce() -> Option<String>) {
        if self.name == "pb" {
            self.attributes.retain(|(name, _)| *name != "facs");
            self.attributes.extend(image().map(|address| ("facs", address)));
        }
    }

    fn attributes(&self, xml: &mut Markup<'_>) {
        self.attributes.iter().for_each(|(name, value)| _ = xml.attr(name, value));
    }
}

/// True if a document is TEI of others.
pub(super) fn is_kept_in(document: &Document) -> bool {
    document.reader == "xml"
}

/// The kept elements of a document, in order.
pub(super) fn elements(document: &Document) -> Vec<KeptElement> {
    let text = document.source.text();
    if !is_kept_in(document) {
        return vec![];
    }
    let mut all: Vec<KeptElement> = vec![];
    // Of each open element its number if it is kept, and whether it is in a header.
    let mut open: Vec<(Option<usize>, bool)> = vec![];
    let body = text.trim_start_matches('\u{FEFF}');
    let base = text.len() - body.len();
    let mut events = XmlEvents::from_str(body);
    let kept = |e: &BytesStart<'_>, from: usize, to: usize| {
        let mut kept = element(e, from, to)?;
        kept.show(|| pages::image(&text[from..to], &document.meta));
        Some(kept)
    };
    // A chapter of a file has ends of elements that began before it.
    events.config_mut().check_end_names = false;
    events.config_mut().allow_unmatched_ends = true;
    loop {
        let from = base + events.buffer_position() as usize;
        let event = events.read_event();
        let to = base + events.buffer_position() as usize;
        match event {
            Ok(Event::Start(e)) => {
                let hidden = open.last().is_some_and(|o| o.1) || local(&e) == "teiHeader";
                let kept = kept(&e, from, to).filter(|_| !hidden);
                open.push((kept.is_some().then_some(all.len()), hidden));
                all.extend(kept);
            }
            Ok(Event::Empty(e)) if !open.last().is_some_and(|o| o.1) => {
                all.extend(kept(&e, from, to));
            }
            Ok(Event::End(_)) => {
                if let Some((Some(n), _)) = open.pop() {
                    all[n].inside = inside(document, all[n].inside.start()..from);
                }
            }
            Ok(Event::Eof) | Err(_) => return all,
            Ok(_) => {}
        }
    }
}

fn local<'a>(e: &'a BytesStart<'_>) -> &'a str {
    let name = e.name().into_inner();
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

fn element(e: &BytesStart<'_>, from: usize, to: usize) -> Option<KeptElement> {
    let (name, (content, known)) = TABLE.get_key_value(local(e))?;
    let mut attributes: Vec<(&'static str, String)> = vec![];
    let has = |all: &[(&str, String)], name: &str| all.iter().any(|(n, _)| *n == name);
    for (name, kind) in known {
        let found = e.try_get_attribute(name).ok().flatten();
        let Some(value) =
            found.and_then(|a| Some(quick_xml::escape::unescape(&a.value).ok()?.into_owned()))
        else {
            continue;
        };
        // What it points at is in a header that is not kept.
        if let Some(id) = value.strip_prefix('#').filter(|_| *kind == '~') {
            if !matches!(*name, "ref" | "target" | "corresp") {
                continue;
            }
            let other = if known.iter().any(|k| k.0 == "key") { "key" } else { "n" };
            if !has(&attributes, other) && e.try_get_attribute(other).ok().flatten().is_none() {
                attributes.push((other, id.to_string()));
            }
        } else if is_valid(&value, *kind) {
            attributes.push((name, value));
        }
    }
    let inside = Span::new(to, to);
    Some(KeptElement { name, content: *content, attributes, at: from, inside })
}

/// True if tei_all allows a value in an attribute of this kind.
fn is_valid(value: &str, kind: char) -> bool {
    let is_word = !value.is_empty() && !value.contains(char::is_whitespace);
    match kind {
        'n' => !value.trim().is_empty(),
        '=' => IS_DATE.is_match(value),
        '+' => is_word && value.bytes().all(|b| b.is_ascii_digit()),
        '%' => IS_CERTAINTY.is_match(value),
        '~' => is_word && !value.contains(['{', '}', '|', '\\', '^', '`', '"', '<', '>']),
        _ => is_word,
    }
}

/// What is between two tags, without the marks at its ends.
fn inside(document: &Document, range: Range<usize>) -> Span {
    let (mut start, mut end) = (range.start, range.end.max(range.start));
    let marks = document.marks_in(Span::new(start, end));
    for mark in marks {
        if mark.start() <= start {
            start = start.max(mark.end());
        }
    }
    for mark in marks.iter().rev() {
        if mark.end() >= end {
            end = end.min(mark.start());
        }
    }
    if start < end { Span::new(start, end) } else { Span::new(range.start, range.start) }
}

/// Writes elements that stand in a mark.
pub(super) fn write<'k>(xml: &mut Markup<'_>, elements: impl Iterator<Item = &'k KeptElement>) {
    let mut elements = elements.peekable();
    if elements.peek().is_none() {
        return;
    }
    xml.open("seg").attr("type", "kept");
    for element in elements {
        element.attributes(xml.void(element.name));
    }
    xml.close();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::readers;
    use crate::source::Source;

    fn tei_of(text: &str) -> String {
        let source = Source::from_text("a.xml", text);
        let document = readers::read(source, Some("xml")).unwrap();
        let mut out = vec![];
        super::super::write(&document, &Library::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_table_can_be_read() {
        assert!(TABLE.len() > 20);
    }

    #[test]
    fn elements_stand_where_they_stood() {
        let tei = tei_of(
            "<TEI><teiHeader><persName>x</persName></teiHeader><text><body>\
             <pb n=\"1a\" ed=\"T\" facs=\"#z\"/><p>昔者<lb n=\"0001a01\"/><persName ref=\"#P1\" \
             type=\"two words\">莊<hi rend=\"b\">周</hi></persName>夢為<gap reason=\"lost\" \
             quantity=\"2\"/>胡蝶。<term>栩</term>栩然<del>x</del>胡蝶也。</p></body></text></TEI>",
        );
        for element in [
            r#"<pb ed="T" n="1a"/>"#,
            r#"<seg type="kept"><lb n="0001a01"/></seg>"#,
            r#"<persName key="P1">莊<fw"#,
            r#"<hi rend="b">周</hi>"#,
            r#"<gap reason="lost" quantity="2"/>"#,
            "<term>栩</term>",
            r#"<seg type="kept"><del/></seg>"#,
        ] {
            assert!(tei.contains(element), "{element} in {tei}");
        }
        assert_eq!(tei.matches("<persName").count(), 1, "{tei}");
        assert_eq!(tei.matches("<pb").count(), 1, "{tei}");
    }

    #[test]
    fn what_crosses_a_sentence_is_in_its_mark() {
        let tei =
            tei_of("<TEI><text><body><p>昔者<hi>莊周。夢為</hi>胡蝶。</p></body></text></TEI>");
        assert!(tei.contains(r#"<seg type="kept"><hi/></seg>"#), "{tei}");
    }
}
