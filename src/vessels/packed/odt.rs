//! Files of LibreOffice and other programs in OpenDocument (ODT): paragraphs, headings, sizes of
//! type, notes, ruby, tables.

use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;

use super::archive::{self, Archive, attribute, events, local, referred};
use super::unpacked::Unpacked;
use super::written::{self, StyledRun, WrittenBlock, WrittenText};
use crate::vessels::edits::has_han;

/// What such a file says it is.
const MIME: &str = "application/vnd.oasis.opendocument.text";
/// Elements whose text is not that of the document, and what they are.
const NOT_TEXT: [(&str, Option<&str>); 5] = [
    ("tracked-changes", Some("deletions")),
    ("annotation", Some("comments")),
    ("note-citation", None),
    ("sequence-decls", None),
    ("table-of-content", None),
];

/// True for one.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    archive::says(bytes, MIME)
}

/// Its text.
pub(super) fn read(bytes: &[u8]) -> Result<Unpacked, String> {
    let mut parts = Archive::open(bytes)?;
    let mut styles = OdtStyles::default();
    for part in ["styles.xml", "content.xml"] {
        if let Some(xml) = parts.text(part)? {
            styles.read(&xml)?;
        }
    }
    let xml = parts.text("content.xml")?.ok_or("it has no content")?;
    let mut walker = OdtWalker { styles: &styles, ..OdtWalker::new(&styles) };
    events(&xml, |event| walker.event(event))?;
    walker.written.title = super::word::title(parts.text("meta.xml")?.as_deref());
    let left_out = walker.left_out.into_iter().map(str::to_string).collect();
    Ok(Unpacked { text: walker.written.page(), parts: "content.xml".into(), left_out })
}

#[derive(Debug, Default)]
struct OdtStyle {
    name: String,
    parent: Option<String>,
    /// In half points, or in percent of that of the parent.
    size: Option<u32>,
    percent: Option<u32>,
}

#[derive(Debug, Default)]
struct OdtStyles {
    by_name: FxHashMap<String, OdtStyle>,
    size: Option<u32>,
}

/// Longest chain of styles that is followed.
const MAX_STYLES: usize = 16;

impl OdtStyles {
    fn read(&mut self, xml: &str) -> Result<(), String> {
        let mut open: Option<(String, OdtStyle)> = None;
        events(xml, |event| match event {
            Event::Start(e) | Event::Empty(e) if local(e) == "style" => {
                let name = attribute(e, "name").unwrap_or_default();
                let shown = attribute(e, "display-name").unwrap_or_else(|| name.clone());
                let parent = attribute(e, "parent-style-name");
                open = Some((name, OdtStyle { name: shown, parent, ..OdtStyle::default() }));
                if matches!(event, Event::Empty(_)) {
                    self.by_name.extend(open.take());
                }
            }
            Event::Start(e) | Event::Empty(e) if local(e) == "text-properties" => {
                let Some(size) = attribute(e, "font-size") else { return };
                let of = |unit| size.strip_suffix(unit)?.trim().parse::<f32>().ok();
                let points = of("pt").map(|n| (n * 2.0) as u32);
                let percent = of("%").map(|n| n as u32);
                match &mut open {
                    Some((_, style)) => (style.size, style.percent) = (points, percent),
                    None => self.size = self.size.or(points),
                }
            }
            Event::End(e) if e.name().into_inner().ends_with("style") => {
                self.by_name.extend(open.take());
            }
            _ => {}
        })
    }

    /// The size of a style in half points.
    fn size(&self, name: Option<&str>) -> Option<u32> {
        let (mut percent, mut at) = (100, self.by_name.get(name?));
        for _ in 0..MAX_STYLES {
            let style = at?;
            if let Some(size) = style.size {
                return Some(size * percent / 100);
            }
            percent = percent * style.percent.unwrap_or(100) / 100;
            at = self.by_name.get(style.parent.as_deref()?);
        }
        None
    }

    /// True for the style of titles, and one that is based on it.
    fn is_title(&self, name: Option<&str>) -> bool {
        let parent = || self.by_name.get(name?)?.parent.as_deref();
        name == Some("Title") || parent() == Some("Title")
    }

    /// True for the style of the numbers of notes.
    fn is_of_notes(&self, name: Option<&str>) -> bool {
        name.is_some_and(|name| name.replace("_20_", "").ends_with("noteanchor"))
    }

    /// The name that a person gave a style, or the one it is based on.
    fn name(&self, name: Option<&str>) -> Option<String> {
        let style = self.by_name.get(name?)?;
        // OdtStyles without a name of their own are called P1, T2 …
        let is_made = |name: &str| {
            name.is_ascii() && name.len() > 1 && name.bytes().skip(1).all(|b| b.is_ascii_digit())
        };
        let named = match is_made(&style.name) {
            true => self.by_name.get(style.parent.as_deref()?)?,
            false => style,
        };
        // Our own editions name each note's layer, and number sentences.
        let name = named.name.replace("_20_", " ");
        (!name.is_ascii() || OWN_STYLES.contains(&&*name.replace(' ', "_20_"))).then_some(name)
    }
}

/// Styles of the editions that we write: of names of layers, numbers of sentences, and the list of
/// sources at the end.
const OWN_STYLES: [&str; 5] = [
    "layer_20_name",
    "sentence_20_number",
    "variants_20_of_20_the_20_text",
    "about_20_this_20_edition",
    "Bibliography_20_1",
];

struct OdtWalker<'s> {
    styles: &'s OdtStyles,
    written: WrittenText,
    /// Paragraphs that are open; that of a note is inside another.
    open: Vec<OpenParagraph>,
    /// OdtStyles of the stretches that are open.
    spans: Vec<Option<String>>,
    hidden: usize,
    left_out: std::collections::BTreeSet<&'static str>,
}

struct OpenParagraph {
    heading: Option<u32>,
    style: Option<String>,
    runs: Vec<StyledRun>,
}

impl<'s> OdtWalker<'s> {
    fn new(styles: &'s OdtStyles) -> Self {
        OdtWalker {
            styles,
            written: WrittenText::default(),
            open: vec![],
            spans: vec![],
            hidden: 0,
            left_out: Default::default(),
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(_) if self.hidden > 0 => self.hidden += 1,
            Event::Start(e) => self.start(e),
            Event::Empty(e) if self.hidden == 0 => {
                self.start(e);
                // What is hidden has no end.
                match self.hidden {
                    0 => self.end(&local(e)),
                    _ => self.hidden = 0,
                }
            }
            Event::End(_) if self.hidden > 0 => self.hidden -= 1,
            Event::End(e) => self.end(e.name().into_inner().rsplit(':').next().unwrap_or_default()),
            Event::Text(words) if self.hidden == 0 => self.words(words),
            Event::GeneralRef(name) if self.hidden == 0 => {
                self.words(&referred(name));
            }
            _ => {}
        }
    }

    fn words(&mut self, words: &str) {
        let Some(paragraph) = self.open.last_mut() else { return };
        let words: String = words.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
        if words.is_empty() {
            return;
        }
        let span = self.spans.iter().rev().flatten().next().map(String::as_str);
        let of_paragraph = self.styles.size(paragraph.style.as_deref()).or(self.styles.size);
        let size = self.styles.size(span).or(of_paragraph);
        let style = match self.styles.is_of_notes(span) && !has_han(&words) {
            true => Some(written::NUMBER.to_string()),
            false => self.styles.name(span),
        };
        paragraph.runs.push(StyledRun { size, style, ..StyledRun::of(&words) });
    }

    fn markup(&mut self, html: &str) {
        if let Some(paragraph) = self.open.last_mut() {
            paragraph.runs.push(StyledRun::markup(html));
        }
    }

    fn start(&mut self, e: &BytesStart<'_>) {
        let name = local(e);
        if let Some((_, what)) = NOT_TEXT.iter().find(|(hidden, _)| *hidden == name) {
            self.left_out.extend(what);
            self.hidden += 1;
            return;
        }
        let style = attribute(e, "style-name");
        match &*name {
            "p" | "h" => {
                let heading = (name == "h").then(|| {
                    attribute(e, "outline-level").and_then(|n| n.parse().ok()).unwrap_or(1)
                });
                self.open.push(OpenParagraph { heading, style, runs: vec![] });
            }
            "span" => self.spans.push(style),
            "s" | "tab" => self.words(" "),
            "line-break" => self.markup("<br>"),
            "ruby" => self.markup("<ruby>"),
            "ruby-text" => self.markup("<rt>"),
            "table" => self.written.blocks.push(WrittenBlock::Tag("<table>\n")),
            "table-row" => self.written.blocks.push(WrittenBlock::Tag("<tr>")),
            "table-cell" => self.written.blocks.push(WrittenBlock::Tag("<td>")),
            "image" => _ = self.left_out.insert("images"),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "p" | "h" => {
                let Some(OpenParagraph { heading, style, runs }) = self.open.pop() else { return };
                if runs.is_empty() {
                    return;
                }
                if let Some(around) = self.open.last_mut() {
                    // The paragraph of a note.
                    let style = self.styles.name(style.as_deref());
                    let words = written::words_of_note(&runs);
                    let html = written::note("footnote", style.as_deref(), &words);
                    return around.runs.push(StyledRun::markup(html));
                }
                let heading = heading.or(self.styles.is_title(style.as_deref()).then_some(1));
                let style = self.styles.name(style.as_deref());
                self.written.blocks.push(WrittenBlock::Paragraph { heading, style, runs });
            }
            "span" => _ = self.spans.pop(),
            "ruby-text" => self.markup("</rt>"),
            "ruby" => self.markup("</ruby>"),
            "table" => self.written.blocks.push(WrittenBlock::Tag("</table>\n")),
            "table-row" => self.written.blocks.push(WrittenBlock::Tag("</tr>\n")),
            "table-cell" => self.written.blocks.push(WrittenBlock::Tag("</td>")),
            _ => {}
        }
    }
}
