//! Files of Word (DOCX): paragraphs, sizes of type, styles, notes, ruby, tables. What was deleted
//! with changes tracked is not text; comments, headers and images are left out.

use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;

use super::archive::{self, Archive, attribute, events, local, referred};
use super::unpacked::Unpacked;
use super::written::{self, StyledRun, WrittenBlock, WrittenText};
use crate::vessels::edits::has_han;

const DOCUMENT: &str = "word/document.xml";
/// The size of type of a file that names none, in half points.
const USUAL_SIZE: u32 = 20;
/// Elements whose text is not that of the document, and what they are.
const NOT_TEXT: [(&str, Option<&str>); 8] = [
    ("del", Some("deletions")),
    ("moveFrom", Some("deletions")),
    ("instrText", None),
    ("delText", Some("deletions")),
    // The same again for older programs.
    ("Fallback", None),
    ("sectPr", None),
    ("footnotePr", None),
    ("rubyPr", None),
];

/// True for a file of Word.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    archive::has(bytes, DOCUMENT)
}

/// Its text.
pub(super) fn read(bytes: &[u8]) -> Result<Unpacked, String> {
    let mut parts = Archive::open(bytes)?;
    let styles = match parts.text("word/styles.xml")? {
        Some(xml) => WordStyles::read(&xml)?,
        None => WordStyles::default(),
    };
    let mut notes = FxHashMap::default();
    for (part, element) in [("word/footnotes.xml", "footnote"), ("word/endnotes.xml", "endnote")] {
        if let Some(xml) = parts.text(part)? {
            notes.extend(read_notes(&xml, element, &styles)?);
        }
    }
    let xml = parts.text(DOCUMENT)?.ok_or("it has no document")?;
    let mut walker = WordWalker::new(&styles);
    walker.notes = notes;
    events(&xml, |event| walker.event(event))?;
    walker.end_paragraph();
    walker.written.title = title(parts.text("docProps/core.xml")?.as_deref());
    let names = parts.names();
    let has = |start: &str| names.iter().any(|name| name.starts_with(start));
    let left_out = [
        (walker.deletions > 0, "deletions"),
        (walker.has_hidden, "hidden text"),
        (walker.images > 0, "images"),
        (has("word/comments"), "comments"),
        (has("word/header"), "headers"),
    ];
    let left_out = left_out.iter().filter(|(is_there, _)| *is_there);
    let left_out = left_out.map(|(_, what)| what.to_string()).collect();
    Ok(Unpacked { text: walker.written.page(), parts: DOCUMENT.into(), left_out })
}

/// The title that the properties of a file give.
pub(super) fn title(core: Option<&str>) -> Option<String> {
    let (mut title, mut is_in) = (String::new(), false);
    events(core?, |event| match event {
        Event::Start(e) => is_in = local(e) == "title",
        Event::Text(words) if is_in => title.push_str(words),
        Event::End(_) => is_in = false,
        _ => {}
    })
    .ok()?;
    (!title.trim().is_empty()).then(|| title.trim().to_string())
}

/// A style: its name, size of type, level of heading, and what it is based on.
#[derive(Clone, Debug, Default)]
struct WordStyle {
    name: String,
    size: Option<u32>,
    heading: Option<u32>,
    based_on: Option<String>,
}

#[derive(Debug, Default)]
struct WordStyles {
    by_id: FxHashMap<String, WordStyle>,
    /// The size of what has no style.
    size: Option<u32>,
    /// The style of paragraphs that name none.
    usual: Option<String>,
}

/// Longest chain of styles that is followed.
const MAX_STYLES: usize = 16;

impl WordStyles {
    fn read(xml: &str) -> Result<Self, String> {
        let mut styles = WordStyles::default();
        let (mut id, mut style) = (None, WordStyle::default());
        let mut is_default = false;
        events(xml, |event| match event {
            Event::Start(e) | Event::Empty(e) => match &*local(e) {
                "docDefaults" => is_default = true,
                "style" => {
                    (id, style) = (attribute(e, "styleId"), WordStyle::default());
                    let is_usual = attribute(e, "default").is_some_and(|on| on != "0")
                        && attribute(e, "type").is_none_or(|of| of == "paragraph");
                    styles.usual = styles.usual.take().or(id.clone().filter(|_| is_usual));
                }
                "name" => {
                    style.name = attribute(e, "val").unwrap_or_default();
                    style.heading = style.heading.or(heading(&style.name));
                }
                "basedOn" => style.based_on = attribute(e, "val"),
                "outlineLvl" => style.heading = level(e).or(style.heading),
                "sz" if is_default => styles.size = number(e),
                "sz" => style.size = number(e),
                _ => {}
            },
            Event::End(e) => match e.name().into_inner().rsplit(':').next() {
                Some("docDefaults") => is_default = false,
                Some("style") => {
                    let style = std::mem::take(&mut style);
                    styles.by_id.extend(id.take().map(|id| (id, style)));
                }
                _ => {}
            },
            _ => {}
        })?;
        Ok(styles)
    }

    /// What a style or one that it is based on says.
    fn find<T>(&self, id: Option<&str>, of: impl Fn(&WordStyle) -> Option<T>) -> Option<T> {
        let mut style = self.by_id.get(id?);
        for _ in 0..MAX_STYLES {
            let found = of(style?);
            if found.is_some() {
                return found;
            }
            style = self.by_id.get(style?.based_on.as_deref()?);
        }
        None
    }

    /// True for the style of the numbers of notes.
    fn is_of_notes(&self, id: Option<&str>) -> bool {
        let style = self.by_id.get(id.unwrap_or_default());
        style.is_some_and(|style| {
            style.name.to_lowercase().replace(' ', "").ends_with("notereference")
        })
    }

    /// The name of a style, if it is no built-in one without a meaning.
    fn name(&self, id: Option<&str>) -> Option<String> {
        let name = &self.by_id.get(id?)?.name;
        let plain = ["normal", "default", "body", "list", "nospacing", "footnote", "hyperlink"];
        let small = name.to_lowercase().replace(' ', "");
        let is_plain = plain.iter().any(|plain| small.starts_with(plain));
        (!is_plain && heading(name).is_none() && !name.is_empty()).then(|| name.clone())
    }
}

/// The level of a heading by the name of a style.
fn heading(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    if name == "title" || name == "标题" || name == "標題" {
        return Some(1);
    }
    let starts = ["heading", "标题", "標題", "überschrift", "titre"];
    let rest = starts.iter().find_map(|start| name.strip_prefix(start))?;
    rest.trim().parse().ok()
}

/// The level that a paragraph has in the outline.
fn level(e: &BytesStart<'_>) -> Option<u32> {
    number(e).filter(|level| *level < 9).map(|level| level + 1)
}

fn number(e: &BytesStart<'_>) -> Option<u32> {
    attribute(e, "val")?.parse().ok()
}

/// The notes of a part, by their kind and number, as markup.
fn read_notes(
    xml: &str,
    element: &str,
    styles: &WordStyles,
) -> Result<FxHashMap<(String, String), String>, String> {
    let mut notes = FxHashMap::default();
    let mut walker = WordWalker::new(styles);
    let mut id = None;
    events(xml, |event| match event {
        Event::Start(e) if local(e) == element => {
            // Separators are notes of a type.
            id = attribute(e, "id").filter(|_| attribute(e, "type").is_none());
            walker = WordWalker::new(styles);
        }
        Event::End(e) if e.name().into_inner().rsplit(':').next() == Some(element) => {
            walker.end_paragraph();
            let words: String = walker.written.blocks.iter().map(words_of).collect();
            if let Some(id) = id.take().filter(|_| !words.trim().is_empty()) {
                let style = walker.written.blocks.iter().find_map(style_of);
                let html = written::note(element, style, &words);
                notes.insert((element.to_string(), id), html);
            }
        }
        event => walker.event(event),
    })?;
    Ok(notes)
}

fn words_of(block: &WrittenBlock) -> String {
    match block {
        WrittenBlock::Paragraph { runs, .. } => written::words_of_note(runs),
        WrittenBlock::Tag(_) => String::new(),
    }
}

fn style_of(block: &WrittenBlock) -> Option<&str> {
    match block {
        WrittenBlock::Paragraph { style, .. } => style.as_deref(),
        WrittenBlock::Tag(_) => None,
    }
}

/// The look of what is read.
#[derive(Clone, Debug, Default)]
struct RunLook {
    size: Option<u32>,
    style: Option<String>,
    is_note: bool,
    is_hidden: bool,
}

struct WordWalker<'s> {
    styles: &'s WordStyles,
    notes: FxHashMap<(String, String), String>,
    written: WrittenText,
    runs: Vec<StyledRun>,
    style: Option<String>,
    level: Option<u32>,
    look: RunLook,
    /// Elements that are open, from one whose text is none.
    hidden: usize,
    in_text: bool,
    deletions: usize,
    images: usize,
    has_hidden: bool,
}

impl<'s> WordWalker<'s> {
    fn new(styles: &'s WordStyles) -> Self {
        WordWalker {
            styles,
            notes: FxHashMap::default(),
            written: WrittenText::default(),
            runs: vec![],
            style: None,
            level: None,
            look: RunLook::default(),
            hidden: 0,
            in_text: false,
            deletions: 0,
            images: 0,
            has_hidden: false,
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(e) => self.start(e, false),
            Event::Empty(e) => self.start(e, true),
            Event::End(e) => {
                if self.hidden > 0 {
                    self.hidden -= 1;
                } else {
                    self.end(e.name().into_inner().rsplit(':').next().unwrap_or_default());
                }
            }
            Event::Text(words) if self.in_text => self.words(words),
            Event::GeneralRef(name) if self.in_text => {
                self.words(&referred(name));
            }
            _ => {}
        }
    }

    fn words(&mut self, words: &str) {
        let RunLook { size, style, is_note, is_hidden } = self.look.clone();
        if is_hidden {
            self.has_hidden = true;
            return;
        }
        let size = size
            .or_else(|| self.styles.find(style.as_deref(), |s| s.size))
            .or_else(|| self.styles.find(self.style.as_deref(), |s| s.size))
            .or_else(|| self.styles.find(self.styles.usual.as_deref(), |s| s.size))
            .or(self.styles.size)
            .unwrap_or(USUAL_SIZE);
        let style = match self.styles.is_of_notes(style.as_deref()) && !has_han(words) {
            true => Some(written::NUMBER.to_string()),
            false => self.styles.name(style.as_deref()),
        };
        self.runs.push(StyledRun { size: Some(size), style, is_note, ..StyledRun::of(words) });
    }

    fn start(&mut self, e: &BytesStart<'_>, is_empty: bool) {
        let name = local(e);
        if self.hidden > 0 {
            self.hidden += usize::from(!is_empty);
            return;
        }
        if let Some((_, what)) = NOT_TEXT.iter().find(|(hidden, _)| *hidden == name) {
            self.deletions += usize::from(what.is_some() && !is_empty);
            self.hidden += usize::from(!is_empty);
            return;
        }
        match &*name {
            "p" => {
                self.end_paragraph();
                (self.style, self.level) = (None, None);
            }
            "pStyle" => self.style = attribute(e, "val"),
            "outlineLvl" => self.level = level(e),
            "r" => self.look = RunLook::default(),
            "rStyle" => self.look.style = attribute(e, "val"),
            "sz" => self.look.size = number(e),
            // 雙行合一.
            "eastAsianLayout" => {
                self.look.is_note = attribute(e, "combine").is_some_and(|on| on != "0");
            }
            "vanish" => {
                self.look.is_hidden =
                    attribute(e, "val").is_none_or(|on| on != "0" && on != "false");
            }
            "t" => self.in_text = !is_empty,
            "tab" if !self.runs.is_empty() => self.words(" "),
            "br" | "cr" if attribute(e, "type").is_none() => {
                self.runs.push(StyledRun::markup("<br>"))
            }
            "ruby" => self.runs.push(StyledRun::markup("<ruby>")),
            "rt" => self.runs.push(StyledRun::markup("<rt>")),
            "footnoteReference" | "endnoteReference" => {
                let kind = name.trim_end_matches("Reference").to_string();
                let note = attribute(e, "id").and_then(|id| self.notes.remove(&(kind, id)));
                self.runs.extend(note.map(StyledRun::markup));
            }
            "drawing" | "pict" => self.images += 1,
            "tbl" => self.tag("<table>\n"),
            "tr" => self.tag("<tr>"),
            "tc" => self.tag("<td>"),
            _ => {}
        }
        if is_empty && name == "p" {
            self.end_paragraph();
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "p" => self.end_paragraph(),
            "t" => self.in_text = false,
            "rt" => self.runs.push(StyledRun::markup("</rt>")),
            "ruby" => self.runs.push(StyledRun::markup("</ruby>")),
            "tbl" => self.tag("</table>\n"),
            "tr" => self.tag("</tr>\n"),
            "tc" => self.tag("</td>"),
            _ => {}
        }
    }

    fn tag(&mut self, tag: &'static str) {
        self.end_paragraph();
        self.written.blocks.push(WrittenBlock::Tag(tag));
    }

    fn end_paragraph(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        if runs.is_empty() {
            return;
        }
        let style = self.style.as_deref();
        let heading = self.level.or_else(|| self.styles.find(style, |s| s.heading));
        let is_contents = self.styles.by_id.get(style.unwrap_or_default()).is_some_and(|style| {
            let name = style.name.to_lowercase();
            name.starts_with("toc") || name.starts_with("目录") || name.starts_with("目錄")
        });
        let style = if is_contents { Some("toc".to_string()) } else { self.styles.name(style) };
        self.written.blocks.push(WrittenBlock::Paragraph { heading, style, runs });
    }
}
