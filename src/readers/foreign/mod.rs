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
mod order;
mod readings;
mod tmx;

use std::sync::{Arc, LazyLock};

use quick_xml::Reader as XmlEvents;
use quick_xml::events::{BytesStart, Event};
use regex::Regex;

use crate::diag::{Diagnostic, Error};
use crate::model::{Cover, Document, Layer, LayerKind, Role};
use crate::source::{Source, Span};
use crate::text::class::is_content;
use crate::text::letters::is_spaced;
use crate::text::pattern;
use elements::{ElementRole, XmlDialect};
use header::HeaderFacts;
use images::TeiImages;
use readings::TeiReadings;
use tmx::TmxVariants;

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
    let mut walker = XmlWalker {
        text,
        dialect,
        cover: Cover::new(text),
        open: vec![],
        base: if is_translation(head) { Layer::Translation } else { Layer::Jing },
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
        about: HeaderFacts::default(),
        titles: vec![],
        odd: vec![],
        readings: TeiReadings::default(),
        unread: vec![],
        pointed: vec![],
        images: TeiImages::default(),
    };
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

impl XmlWalker<'_> {
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
        let own = self.line_of(e).or_else(|| self.variants.role(e));
        let role = own.unwrap_or_else(|| elements::role(self.dialect, e, &parent));
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
mod tests {
    use super::*;

    fn layers(text: &str) -> Vec<(Layer, String)> {
        let d = read(Source::from_text("t.xml", text)).unwrap();
        d.check().unwrap();
        let text = d.segments.iter().filter(|s| s.layer.is_text());
        text.map(|s| (s.layer, d.words(s.span).to_string())).collect()
    }

    #[test]
    fn notes_and_lines_of_tei_are_read() {
        let text = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><teiHeader><fileDesc><titleStmt>\
            <title>燕禮</title></titleStmt></fileDesc></teiHeader><text><body><head>燕禮第六</head>\n\
            <lb n=\"1\"/><p>燕禮小臣<anchor/>戒\n<lb n=\"2\"/>與者<note place=\"inline\">小臣相君\
            </note>膳宰<app><lem>具</lem><rdg>俱</rdg></app>官饌</p><note type=\"orig\">x</note>\
            <p><choice><sic>雲</sic><corr>云</corr></choice></p></body></text></TEI>";
        assert_eq!(sniff(text), 60);
        let want = [
            (Layer::Heading, "燕禮第六"),
            (Layer::Jing, "燕禮小臣戒與者"),
            (Layer::Zhu, "小臣相君"),
            (Layer::Jing, "膳宰具官饌"),
            (Layer::Jing, "雲"),
        ];
        assert_eq!(layers(text), want.map(|(l, w)| (l, w.to_string())));
        let d = read(Source::from_text("t.xml", text)).unwrap();
        assert_eq!(d.meta.title, "燕禮");
    }

    #[test]
    fn blanks_beside_elements_are_kept_where_the_script_has_them() {
        let text = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><body><div type=\"translation\">\
            <p>The <hi>Master</hi> said, <emph>Is it</emph> <hi>not</hi> a\n  joy &amp; <lb/>rest?\
            </p></div><p>子曰 <hi>學</hi>\n而<lb/> 時習</p></body></text></TEI>";
        let want = [
            (Layer::Translation, "The Master said, Is it not a\njoy & rest?"),
            (Layer::Jing, "子曰學而時習"),
        ];
        assert_eq!(layers(text), want.map(|(l, w)| (l, w.to_string())));
    }

    #[test]
    fn an_apparatus_apart_from_the_text_leads_to_its_words() {
        let text = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><body><p>願明哲<anchor \
            xml:id=\"beg1\"/>唯<anchor xml:id=\"end1\"/>留思<supplied reason=\"omitted\">三\n人\
            </supplied>察<note type=\"mod\">一作審</note></p></body><back><app from=\"#beg1\" \
            to=\"#end1\"><lem>唯</lem><rdg wit=\"#wit2\">惟</rdg></app><app from=\"#x\" to=\"#y\">\
            <lem>察</lem><rdg>審</rdg></app></back></text></TEI>";
        let d = read(Source::from_text("t.xml", text)).unwrap();
        let readings: Vec<_> =
            d.readings.iter().map(|r| (d.words(r.span).to_string(), &*r.reading)).collect();
        let expected = [("唯", "惟"), ("三", ""), ("人", "")];
        assert_eq!(readings, expected.map(|(a, b)| (a.to_string(), b)));
        for code in ["notes-left-out", "apparatus-left-out"] {
            assert!(d.diagnostics.iter().any(|d| d.code == code), "{code}");
        }
    }

    #[test]
    fn layers_of_docuxml_are_read() {
        let text = "<?xml version=\"1.0\"?>\n<ThdlPrototypeExport><corpus name=\"a\"><x>不是</x></corpus>\n\
            <documents><document filename=\"a\"><title>燕禮</title><corpus>儀禮</corpus><doc_content>\n\
            <Paragraph><Udef_layer Term=\"經\">樂人縣。</Udef_layer></Paragraph>\n\
            <Paragraph><Udef_zhu>縣,鍾磬也。</Udef_zhu><Udef_shu>[疏]釋曰</Udef_shu></Paragraph>\n\
            </doc_content></document></documents></ThdlPrototypeExport>";
        let want = [
            (Layer::Heading, "燕禮"),
            (Layer::Jing, "樂人縣。"),
            (Layer::Zhu, "縣,鍾磬也。"),
            (Layer::Shu, "釋曰"),
        ];
        assert_eq!(layers(text), want.map(|(l, w)| (l, w.to_string())));
    }

    #[test]
    fn tmx_is_a_classic_and_its_translation() {
        let text = "<tmx version=\"1.4\"><header srclang=\"lzh\"><note>x</note></header><body><tu>\n\
            <tuv xml:lang=\"lzh\"><seg>巧言令色，鮮矣仁。</seg></tuv><tuv xml:lang=\"zh\"><seg>花言\
            巧語。</seg></tuv></tu></body></tmx>";
        let want = [(Layer::Jing, "巧言令色，鮮矣仁。"), (Layer::Translation, "花言巧語。")];
        let want = want.map(|(l, w)| (l, w.to_string()));
        assert_eq!(layers(text), want);
        // The language of the classic by another name, or none that is its own.
        for (one, other) in [("LZH", "ZH"), ("zh-TW", "en"), ("zh-TW", "zh-CN"), ("zh", "zh")] {
            let text = text.replace("lang=\"zh\"", &format!("lang=\"{other}\""));
            let text = text.replace("lang=\"lzh\"", &format!("lang=\"{one}\""));
            assert_eq!(layers(&text), want, "{one} {other}");
        }
    }

    #[test]
    fn half_columns_of_alto_and_lines_named_notes_are_notes() {
        let line = |x, wide, words| {
            format!(
                "<TextLine HPOS=\"{x}\" VPOS=\"1\" WIDTH=\"{wide}\" HEIGHT=\"450\">\
                 <String CONTENT=\"{words}\"/></TextLine>\n"
            )
        };
        let lines = [
            line(800, 40, "學而時習之"),
            line(820, 20, "馬曰子"),
            line(800, 20, "者男子"),
            line(740, 40, "不亦說乎"),
            line(700, 38, "有朋自遠方來"),
        ];
        let alto = format!(
            "<alto><Description><fileName>一</fileName></Description><Layout><Page><TextBlock>\n{}\
             </TextBlock></Page></Layout></alto>",
            lines.concat()
        );
        let line = |kind, words| {
            format!(
                "<TextLine custom=\"structure {{type:{kind};}}\"><Word><TextEquiv><Unicode>x</Unicode>\
                 </TextEquiv></Word><TextEquiv><Unicode>{words}</Unicode></TextEquiv></TextLine>\n"
            )
        };
        let lines = [
            line("main", "學而時習之"),
            line("note", "馬曰子"),
            line("note", "者男子"),
            line("main", "不亦說乎"),
            line("main", "有朋自遠方來"),
        ];
        let page = format!(
            "<PcGts><Metadata><Creator>某</Creator></Metadata><Page><TextRegion>\n{}<TextEquiv>\
             <Unicode>學而時習之</Unicode></TextEquiv></TextRegion></Page></PcGts>",
            lines.concat()
        );
        let want = [
            (Layer::Jing, "學而時習之"),
            (Layer::Zhu, "馬曰子者男子"),
            (Layer::Jing, "不亦說乎有朋自遠方來"),
        ];
        for text in [alto, page] {
            assert_eq!(layers(&text), want.map(|(l, w)| (l, w.to_string())), "{text}");
        }
    }

    #[test]
    fn a_file_that_is_cut_off_says_so() {
        let said = |text: &str| {
            let document = read(Source::from_text("t.xml", text)).expect("it is read");
            document.diagnostics.iter().filter(|d| d.code == "cut-off").count()
        };
        assert_eq!(said("<TEI><text><body><p>樂人縣。</p></body></text></TEI>"), 0);
        assert_eq!(said("<TEI><text><body><p>樂人縣。</p><p>膳宰"), 1);
    }

    #[test]
    fn broken_xml_is_refused_at_its_place() {
        let e = read(Source::from_text("t.xml", "<TEI><text>\n<p>燕禮</text></TEI>")).unwrap_err();
        assert_eq!(e.place.map(|p| p.line), Some(2));
    }
}
