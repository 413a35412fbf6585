//! XML from elsewhere: TEI of CBETA and others, DocuXML, TMX, and what is recognised in images
//! (ALTO, PAGE). The source is the XML file itself;
//! tags are marks or furniture, and `elements.tsv` says what each element contains.
//!
//! The reader is lenient: an unknown element has no meaning, and its text counts. Inside a
//! paragraph tags are marks of a segment, so that a printed line break does not cut a sentence.
//! Only XML that is not well-formed is refused.

mod alto;
mod elements;
mod header;
mod images;
mod languages;
mod order;
mod page;
mod readings;
mod tmx;
mod zones;

use std::sync::{Arc, LazyLock};

use quick_xml::Reader as XmlEvents;
use quick_xml::events::{BytesStart, Event};
use regex::Regex;
use rustc_hash::FxHashSet;

use crate::diag::{Diagnostic, Error};
use crate::model::{Cover, Document, Layer, LayerKind, Role};
use crate::source::{Source, Span};
use crate::text::class::is_content;
use crate::text::letters::is_spaced;
use crate::text::pattern;
use crate::vessels::small_elements;
use elements::{ElementRole, XmlDialect};
use header::HeaderFacts;
use images::TeiImages;
use languages::TeiLanguages;
use readings::TeiReadings;
use tmx::TmxVariants;
use zones::ZoneLabels;

/// The mark of a layer that a copy left at the start of its text.
static MARK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^[\[【〔［](?:疏|䟽|注|註|經|经|傳|传|箋|笺|音義|音义|正義|正义)[\]】〕］]")
});

/// Recognises XML with the root element of a known dialect.
pub fn sniff(head: &str) -> u8 {
    if !super::start(head).starts_with('<') {
        return 0;
    }
    if dialect(head).is_some() { 60 } else { 0 }
}

fn dialect(head: &str) -> Option<XmlDialect> {
    let tei = head.contains("<TEI") || head.contains(":TEI") || head.contains("<tei");
    let has = |root: &str| head.contains(root);
    match () {
        () if has("<ThdlPrototypeExport") || has("<ThdlExportXml") => Some(XmlDialect::DocuXml),
        () if tei => Some(XmlDialect::Tei),
        () if has("kanripo.org/ns/KRX") => Some(XmlDialect::Krx),
        () if has("<FictionBook") => Some(XmlDialect::FictionBook),
        () if has("<tmx") => Some(XmlDialect::Tmx),
        () if has("<PcGts") || has(":PcGts") => Some(XmlDialect::Page),
        () if has("<alto") || has(":alto") => Some(XmlDialect::Alto),
        () => None,
    }
}

/// Reads. See the [module](self).
///
/// # Errors
/// If the XML is not well-formed, or its root is neither TEI nor DocuXML.
pub fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let text = source.text();
    let head = &text[..super::floor(text, 1 << 12)];
    let dialect = dialect(head).ok_or_else(|| {
        Error::input(source.path(), "the root element is none that is known")
            .hint("convert other XML to plain text first")
    })?;
    let mut document = Document::new(source.clone(), "xml");
    let base = if is_translation(head) { Layer::Translation } else { Layer::Jing };
    let mut walker = XmlWalker::new(text, dialect, base);
    walker.all(&source)?;
    let unfinished = walker.unfinished();
    let XmlWalker { cover, titles, odd, readings, about, unread, pointed, images, .. } = walker;
    cover.finish_into(&mut document);
    document.diagnostics.extend(unfinished);
    if dialect == XmlDialect::Page {
        document.diagnostics.extend(order::remark(text));
    }
    images.put(&mut document);
    about.put(&mut document.meta);
    if is_translation(head) {
        document.meta.role = Role::Translation;
        if let Some(language) = LANGUAGE.captures(text) {
            document.meta.language = language[1].to_string();
        }
    }
    if readings.lost > 0 {
        let message =
            format!("{} entries of the apparatus have no place in the text", readings.lost);
        document.diagnostics.push(
            Diagnostic::warning("apparatus-left-out", None, message)
                .hint("anchors that are not there, or words over several lines"),
        );
    }
    let mut readings = readings.all;
    readings.sort_by_key(|r| (r.span.start(), std::cmp::Reverse(r.span.end())));
    document.readings = readings.into();
    if let Some(title) = titles.into_iter().max_by_key(|(score, _)| *score) {
        document.meta.title = title.1;
    }
    document.diagnostics.extend(remarks(&odd, &pointed, &unread));
    Ok(document)
}

/// Remarks on references to characters, notes with pointers and notes that are not read.
fn remarks(odd: &[Span], pointed: &[Span], unread: &[Span]) -> Vec<Diagnostic> {
    let mut remarks = vec![];
    let mut say = |code, places: &[Span], message: String, hint: &str| {
        let first = places.first();
        remarks.extend(first.map(|at| Diagnostic::warning(code, *at, message).hint(hint)));
    };
    say(
        "reference-left-out",
        odd,
        format!("{} characters are written as references and left out", odd.len()),
        "write ＜ and ＞ for &lt; and &gt;, and other characters themselves",
    );
    say(
        "notes-elsewhere",
        pointed,
        format!(
            "{} notes say by a pointer what they are about; they are read where they stand",
            pointed.len()
        ),
        "put each note into the text, after its words",
    );
    say(
        "notes-left-out",
        unread,
        format!("{} notes of the edition are left out", unread.len()),
        "their readings are in the apparatus, if the file has one",
    );
    remarks
}

/// The language of a text.
static LANGUAGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"<(?:text|body)\b[^<>]*\bxml:lang="([A-Za-z-]{2,20})""#));

/// True for a translation of a text that is another file, as the TLS has them.
fn is_translation(head: &str) -> bool {
    static TRANSLATION: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r#"<TEI\b[^<>]*\btype="[^"]*translation|<title\b[^<>]*>\s*Translation of\b"#)
    });
    TRANSLATION.is_match(head)
}

/// An element that is open.
#[derive(Clone, Debug)]
struct OpenElement {
    name: String,
    /// The layer of its text; none if it is not text of the work.
    layer: Option<Layer>,
    /// True if it is a paragraph or a separate layer.
    bounds: bool,
    /// Notes in it are text, though it is none.
    has_notes: bool,
}

struct XmlWalker<'a> {
    text: &'a str,
    dialect: XmlDialect,
    cover: Cover<'a>,
    open: Vec<OpenElement>,
    /// The layer of text that no element gives another.
    base: Layer,
    /// The layer of the last segment, if text may still be added to it.
    last: Option<Layer>,
    /// Of each line of an image, whether it is a half of a double row; and how many were read.
    small: Vec<bool>,
    lines: usize,
    /// Where the readings of a page begin that are text, and what its zones are called.
    shown: FxHashSet<usize>,
    zones: ZoneLabels<'a>,
    /// What its languages say of a text in TEI.
    languages: TeiLanguages,
    /// Where its elements of small type begin, by the sizes that styles give.
    in_small_type: FxHashSet<usize>,
    /// Which variants of the units of a memory are the classic.
    variants: TmxVariants,
    /// What the header says of the edition.
    about: HeaderFacts,
    /// Titles in the header; a higher number is better.
    titles: Vec<(u8, String)>,
    /// Character references in the text.
    odd: Vec<Span>,
    /// What the file says of its words.
    readings: TeiReadings,
    /// Notes of its edition that are no text here, as each is there in several forms.
    unread: Vec<Span>,
    /// Notes that say by a pointer what they are about.
    pointed: Vec<Span>,
    /// Images of its leaves.
    images: TeiImages,
}

impl<'a> XmlWalker<'a> {
    /// At the beginning of `text`, with what its dialect needs to know of the whole of it.
    fn new(text: &'a str, dialect: XmlDialect, base: Layer) -> Self {
        Self {
            text,
            dialect,
            cover: Cover::new(text),
            open: vec![],
            base,
            last: None,
            small: match dialect {
                XmlDialect::Alto | XmlDialect::Page => alto::small_lines(text),
                _ => vec![],
            },
            variants: match dialect {
                XmlDialect::Tmx => TmxVariants::of(text),
                _ => TmxVariants::default(),
            },
            lines: 0,
            shown: match dialect {
                XmlDialect::Page => page::readings(text),
                _ => FxHashSet::default(),
            },
            zones: match dialect {
                XmlDialect::Alto => ZoneLabels::of(text),
                _ => ZoneLabels::default(),
            },
            languages: match dialect {
                XmlDialect::Tei => TeiLanguages::of(text),
                _ => TeiLanguages::default(),
            },
            in_small_type: match dialect {
                XmlDialect::Tei => small_elements(text),
                _ => FxHashSet::default(),
            },
            about: HeaderFacts::default(),
            titles: vec![],
            odd: vec![],
            readings: TeiReadings::default(),
            unread: vec![],
            pointed: vec![],
            images: TeiImages::default(),
        }
    }

    fn all(&mut self, source: &Source) -> Result<(), Error> {
        let body = self.text.trim_start_matches('\u{FEFF}');
        let base = self.text.len() - body.len();
        let mut events = XmlEvents::from_str(body);
        loop {
            let from = base + events.buffer_position() as usize;
            let event = events.read_event().map_err(|e| {
                let at = (base + events.error_position() as usize).min(self.text.len());
                let at = super::floor(self.text, at);
                Error::input(source.path(), e.to_string()).over(source, Span::new(at, at))
            })?;
            let to = base + events.buffer_position() as usize;
            match event {
                Event::Start(e) => {
                    let has_notes = self.open.last().is_some_and(|open| open.has_notes);
                    let is_text = self.layer().is_some() || self.readings.is_open() || has_notes;
                    self.start(&e, Span::new(from, to));
                    if self.dialect == XmlDialect::Tei && is_text {
                        self.readings.start(&e, to);
                    }
                    self.content(from, to, &e);
                }
                Event::Empty(e) => {
                    if elements::local(&e) == "anchor" {
                        self.readings.anchor(&e, Span::new(from, to));
                    }
                    // A reading of nothing.
                    if self.readings.is_open() {
                        self.readings.start(&e, to);
                        self.readings.end(elements::local(&e), to, self.text);
                    }
                    self.start(&e, Span::new(from, to));
                    self.content(from, to, &e);
                    self.end();
                }
                Event::End(e) => {
                    let name = e.name().into_inner();
                    let name = name.rsplit_once(':').map_or(name, |(_, local)| local);
                    self.readings.end(name, from, self.text);
                    self.end();
                }
                Event::Text(_) => self.words(from, to),
                Event::CData(_) => self.words(from + "<![CDATA[".len(), to - "]]>".len()),
                Event::GeneralRef(_) => self.reference(from, to),
                Event::Eof => {
                    self.cover.to(self.text.trim_end().len(), Layer::Furniture);
                    return Ok(());
                }
                _ => {}
            }
        }
    }

    /// The layer of text here.
    fn layer(&self) -> Option<Layer> {
        self.open.last().and_then(|e| e.layer)
    }

    fn start(&mut self, e: &BytesStart<'_>, tag: Span) {
        if self.dialect == XmlDialect::Tei {
            self.images.start(e, tag);
        }
        let (parent, above, has_notes) = match self.open.last() {
            Some(parent) => (parent.name.clone(), parent.layer, parent.has_notes),
            None => (String::new(), Some(self.base), false),
        };
        let by_size = self.line_of(e);
        let is_other = self.dialect == XmlDialect::Page
            && elements::local(e) == "TextEquiv"
            && !self.shown.contains(&tag.start());
        let own = is_other.then_some(ElementRole::Hidden);
        let own = own.or_else(|| self.zones.role(self.dialect, e)).or(by_size);
        let own = own.or_else(|| self.variants.role(e));
        let role = own.unwrap_or_else(|| elements::role(self.dialect, e, &parent));
        let says_nothing = matches!(role, ElementRole::Block | ElementRole::Through);
        let after = &self.text[tag.end()..];
        let by_language = above
            .filter(|_| says_nothing && self.dialect == XmlDialect::Tei)
            .and_then(|above| match self.in_small_type.contains(&tag.start()) {
                true => (above == self.base).then_some(Layer::Zhu),
                false => self.languages.layer(e, after, (above, self.base)),
            });
        let role = by_language.map_or(role, ElementRole::Layer);
        let layer = match (&role, above) {
            (ElementRole::Shown, _) => Some(Layer::Jing),
            (ElementRole::Heading, _) => Some(Layer::Heading),
            (ElementRole::Layer(layer), None) if has_notes => {
                (layer.kind() == LayerKind::Note).then_some(*layer)
            }
            (_, None) | (ElementRole::Hidden | ElementRole::Notes, _) => None,
            (ElementRole::Layer(layer), _) => Some(*layer),
            (_, above) => above,
        };
        // What leads to its id says where a note belongs (`corpus/loci/numbered.rs`).
        let has = |name| e.try_get_attribute(name).ok().flatten().is_some();
        let note = elements::local(e) == "note" && layer.is_some();
        if note && has("target") && !has("xml:id") {
            self.pointed.push(tag);
        }
        // The next line of an image goes on.
        let bounds =
            !matches!(role, ElementRole::Through | ElementRole::Hidden | ElementRole::Notes)
                && elements::local(e) != "TextLine";
        if bounds {
            self.last = None;
        }
        let name = elements::local(e).to_string();
        let has_notes = has_notes || role == ElementRole::Notes;
        self.open.push(OpenElement { name, layer, bounds, has_notes });
    }

    fn end(&mut self) {
        if self.open.pop().is_some_and(|e| e.bounds) {
            self.last = None;
        }
    }

    /// What is still open at the end: the file may have been cut off.
    fn unfinished(&self) -> Option<Diagnostic> {
        let open = self.open.last()?;
        let message = format!("the file ends within the element {}; it may be cut off", open.name);
        let hint = "compare it with where it is from, or download it again";
        Some(Diagnostic::warning("cut-off", None, message).hint(hint))
    }

    /// The role of a line of an image that ALTO or PAGE describes, if its width shows it.
    fn line_of(&mut self, e: &BytesStart<'_>) -> Option<ElementRole> {
        let of_image = matches!(self.dialect, XmlDialect::Alto | XmlDialect::Page);
        if !of_image || elements::local(e) != "TextLine" {
            return None;
        }
        self.lines += 1;
        let is_small = self.small.get(self.lines - 1).copied().unwrap_or_default();
        is_small.then_some(ElementRole::Layer(Layer::Zhu))
    }

    /// The text in an attribute of ALTO or KRX.
    fn content(&mut self, from: usize, to: usize, e: &BytesStart<'_>) {
        let attribute = match (self.dialect, elements::local(e)) {
            (XmlDialect::Alto, "String") => alto::content,
            (XmlDialect::Krx, "t") => alto::character,
            _ => return,
        };
        if let (Some(span), Some(layer)) = (attribute(self.text, from, to), self.layer()) {
            self.put(span.start(), span.end(), layer);
        }
    }

    /// A character that is written as a reference: of `&amp;` the first character is the one meant.
    fn reference(&mut self, from: usize, to: usize) {
        match self.layer() {
            Some(layer) if &self.text[from..to] == "&amp;" => self.put(from, from + 1, layer),
            Some(_) => self.odd.push(Span::new(from, to)),
            None => {}
        }
    }

    /// Characters between tags.
    fn words(&mut self, from: usize, to: usize) {
        let words = &self.text[from..to];
        let Some(layer) = self.layer() else {
            let note = self.open.last().is_some_and(|e| e.name == "note");
            let note = note && self.open.iter().any(|e| e.name == "text");
            if note && !self.readings.is_open() && !words.trim().is_empty() {
                self.unread.push(Span::new(from, to));
            }
            return self.title(words);
        };
        // The number of a note elsewhere.
        let is_link = self.open.last().is_some_and(|e| e.name == "ref");
        if is_link && words.trim().bytes().all(|b| b.is_ascii_digit()) {
            return;
        }
        for line in crate::text::lines(words).iter().filter(|l| !l.words.is_empty()) {
            self.put(from + line.words.start(), from + line.words.end(), layer);
        }
    }

    fn put(&mut self, from: usize, to: usize, layer: Layer) {
        if self.last == Some(layer) {
            if let Some(blank) = self.blank_between(from) {
                self.cover.keep_blank(blank);
            }
            return self.cover.go_on(from, to);
        }
        let between = &self.text[self.cover.at()..from];
        let is_blank = between.trim().is_empty();
        self.cover.to(from, if is_blank { Layer::Blank } else { Layer::Furniture });
        if let Some(mark) = MARK.find(&self.text[from..to]).filter(|_| layer != Layer::Jing) {
            self.cover.to(from + mark.end(), Layer::Mark);
        }
        self.cover.to(to, layer);
        self.last = Some(layer);
    }

    /// A blank between the last words and those at `from`, beside tags, if the words are of a
    /// script that has blanks.
    fn blank_between(&self, from: usize) -> Option<Span> {
        let at = self.cover.at();
        let spaced = |c: Option<char>| c.is_some_and(is_spaced);
        if !spaced(self.text[..at].chars().rev().find(|c| is_content(*c)))
            || !spaced(self.text[from..].chars().find(|c| is_content(*c)))
        {
            return None;
        }
        let mut in_tag = false;
        let (n, blank) = self.text[at..from].char_indices().find(|(_, c)| {
            in_tag = match c {
                '<' => true,
                '>' => false,
                _ => in_tag,
            };
            !in_tag && c.is_whitespace()
        })?;
        Some(Span::new(at + n, at + n + blank.len_utf8()))
    }

    /// Text of the header: its title.
    fn title(&mut self, words: &str) {
        let path: Vec<&str> = self.open.iter().rev().take(2).map(|e| e.name.as_str()).collect();
        let words = words.trim();
        self.about.add(&path, words);
        if path == ["title", "titleStmt"] && !words.is_empty() {
            // Of several titles the shortest Chinese one.
            let han = words.chars().any(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c));
            let short = 100 - words.chars().count().min(100) as u8;
            self.titles.push((if han { 100 + short } else { 1 }, words.to_string()));
        }
    }
}

#[cfg(test)]
mod tests;
