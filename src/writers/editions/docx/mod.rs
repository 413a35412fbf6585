//! DOCX, the format of Word (WordprocessingML, ECMA-376): each layer is a style, titles are
//! headings, notes are footnotes or small type in the line.
//!
//! The files are written with our own builder of XML, into the archive that EPUB has too. The crate
//! `docx-rs` (0.4.22) was weighed: it keeps the whole document as objects until it packs them,
//! while here each paragraph is written and forgotten, and it would bring second versions of `zip`
//! and `quick-xml`. It would save a part of this folder, and ODT could not share it.

mod parts;

use std::io::{self, Write};

use super::archive::EditionArchive;
use super::book::{
    Book, BookParagraph, BookPiece, BookRun, BookScript, LookOf, ParagraphStyle, TakeParagraphs,
    fonts,
};
use super::formats::Format;
use super::{Edition, Layout, Paper};
use crate::markup::{Escaping, Markup};
use crate::model::Layer;

/// The namespace of all that is in a document.
const MAIN: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

pub(super) const FORMAT: Format = Format {
    name: "docx",
    extension: "docx",
    about: "Word: layers as styles, notes as footnotes",
    vertical: true,
    notes: true,
    paper: true,
    write,
    references: false,
    ..Format::PLAIN
};

/// Writes the book.
fn write(edition: &Edition, _: usize, out: &mut dyn Write) -> io::Result<()> {
    let book = Book::of(edition);
    let mut archive = EditionArchive::new(edition, None)?;
    archive.add("[Content_Types].xml", parts::TYPES.as_bytes())?;
    archive.add("_rels/.rels", parts::PACKAGE.as_bytes())?;
    archive.add("docProps/core.xml", &parts::core(edition)?)?;
    archive.add("word/_rels/document.xml.rels", parts::DOCUMENT.as_bytes())?;
    archive.add("word/styles.xml", &parts::styles(&book)?)?;
    archive.add("word/fontTable.xml", &parts::font_table()?)?;
    archive.add("word/settings.xml", &parts::settings(&book)?)?;
    archive.add("word/footer.xml", parts::FOOTER.as_bytes())?;
    let mut notes = vec![];
    document(&book, archive.begin("word/document.xml")?, &mut notes)?;
    archive.add("word/footnotes.xml", &notes)?;
    out.write_all(&archive.finish()?)
}

/// Writes the text, and its footnotes beside it.
fn document(book: &Book<'_>, text: &mut dyn Write, notes: &mut dyn Write) -> io::Result<()> {
    let mut x = Markup::xml(text, Escaping::Xml);
    x.open("w:document").attr("xmlns:w", MAIN).attr("xmlns:r", RELATIONS).open("w:body").line();
    let mut notes = Markup::xml(notes, Escaping::Xml);
    notes.open("w:footnotes").attr("xmlns:w", MAIN).line();
    for (id, kind, sign) in
        [(-1, "separator", "w:separator"), (0, "continuationSeparator", "w:continuationSeparator")]
    {
        notes.open("w:footnote").attr("w:type", kind).attr("w:id", id);
        notes.open("w:p").open("w:r").void(sign).close().close().close().line();
    }
    let mut writer = DocxWriter { book, x, notes, count: 0 };
    book.write(&mut writer);
    let DocxWriter { mut x, mut notes, .. } = writer;
    page(&mut x, &book.edition().layout);
    x.close().close().line();
    notes.close().line();
    x.finish()?;
    notes.finish()
}

/// The page, with its number at the foot; for vertical lines it lies on its side.
fn page(x: &mut Markup<'_>, layout: &Layout) {
    x.open("w:sectPr").void("w:footerReference").attr("w:type", "default").attr("r:id", "footer");
    // Twentieths of a point.
    let twips = |millimetres: f64| (millimetres / 25.4 * 1440.0).round() as u32;
    let [short, long, margin] = layout.paper.unwrap_or(Paper::A4).millimetres().map(twips);
    x.void("w:pgSz");
    match layout.vertical {
        true => x.attr("w:w", long).attr("w:h", short).attr("w:orient", "landscape"),
        false => x.attr("w:w", short).attr("w:h", long),
    };
    x.void("w:pgMar");
    for (side, twips) in [
        ("w:top", margin),
        ("w:right", margin),
        ("w:bottom", margin),
        ("w:left", margin),
        ("w:header", margin / 2),
        ("w:footer", margin / 2),
        ("w:gutter", 0),
    ] {
        x.attr(side, twips);
    }
    x.void("w:titlePg");
    if layout.vertical {
        x.void("w:textDirection").attr("w:val", "tbRl");
    }
    x.close().line();
}

struct DocxWriter<'b, 'x, 'n> {
    book: &'b Book<'b>,
    x: Markup<'x>,
    notes: Markup<'n>,
    /// How many notes there were.
    count: usize,
}

impl TakeParagraphs for DocxWriter<'_, '_, '_> {
    fn paragraph(&mut self, paragraph: &BookParagraph<'_>) {
        begin(&mut self.x, paragraph.style.id());
        if let Some(n) = paragraph.anchor {
            self.x.void("w:bookmarkStart").attr("w:id", n).attr("w:name", anchor(n));
        }
        for piece in &paragraph.pieces {
            match piece {
                BookPiece::Run(of) => run(&mut self.x, of, paragraph.script),
                BookPiece::Note(layer, runs) => self.note(*layer, runs, paragraph.script),
            }
        }
        if let Some(n) = paragraph.anchor {
            self.x.void("w:bookmarkEnd").attr("w:id", n);
        }
        self.x.close().line();
        if paragraph.style == ParagraphStyle::Contents {
            self.contents();
        }
    }
}

impl DocxWriter<'_, '_, '_> {
    fn note(&mut self, layer: Layer, runs: &[BookRun<'_>], script: Option<BookScript>) {
        self.count += 1;
        let x = &mut self.x;
        x.open("w:r").open("w:rPr").void("w:rStyle").attr("w:val", "reference").close();
        x.void("w:footnoteReference").attr("w:id", self.count).close();
        let x = &mut self.notes;
        x.open("w:footnote").attr("w:id", self.count);
        begin(x, ParagraphStyle::Layer(layer).id());
        x.open("w:r").open("w:rPr").void("w:rStyle").attr("w:val", "reference").close();
        x.void("w:footnoteRef").close();
        x.open("w:r").open("w:t").attr("xml:space", "preserve").text(" ").close().close();
        runs.iter().for_each(|of| run(x, of, script));
        x.close().close().line();
    }

    /// The contents: a field, which Word fills with pages, and until then the titles.
    fn contents(&mut self) {
        let x = &mut self.x;
        x.open("w:sdt").open("w:sdtPr").open("w:docPartObj");
        x.void("w:docPartGallery").attr("w:val", "Table of Contents").void("w:docPartUnique");
        x.close().close().open("w:sdtContent").line();
        let sign = |x: &mut Markup<'_>, kind: &'static str| {
            x.open("w:r").void("w:fldChar").attr("w:fldCharType", kind);
            if kind == "begin" {
                x.attr("w:dirty", "true");
            }
            x.close();
        };
        for (n, title) in self.book.contents.iter().enumerate() {
            begin(x, Some(if title.level == 1 { "entry1" } else { "entry2" }));
            if n == 0 {
                sign(x, "begin");
                x.open("w:r").open("w:instrText").attr("xml:space", "preserve");
                x.text(" TOC \\o \"1-2\" \\h \\z \\u ").close().close();
                sign(x, "separate");
            }
            x.open("w:hyperlink").attr("w:anchor", anchor(n)).attr("w:history", 1).open("w:r");
            words(x, &title.words);
            x.close().close();
            if n + 1 == self.book.contents.len() {
                sign(x, "end");
            }
            x.close().line();
        }
        x.close().close().line();
    }
}

/// Where a title is, as Word names it.
fn anchor(n: usize) -> String {
    format!("_Toc{n:08}")
}

/// Begins a paragraph.
fn begin(x: &mut Markup<'_>, style: Option<&'static str>) {
    x.open("w:p");
    if let Some(style) = style {
        x.open("w:pPr").void("w:pStyle").attr("w:val", style).close();
    }
}

fn run(x: &mut Markup<'_>, run: &BookRun<'_>, script: Option<BookScript>) {
    x.open("w:r");
    let style = run.style.id();
    if style.is_some() || script.is_some() {
        x.open("w:rPr");
        if let Some(style) = style {
            x.void("w:rStyle").attr("w:val", style);
        }
        if let Some(script) = script {
            x.void("w:rFonts").attr("w:eastAsia", fonts(script).0);
            x.void("w:lang").attr("w:eastAsia", locale(script));
        }
        x.close();
    }
    words(x, &run.shown());
    x.close();
}

fn locale(script: BookScript) -> String {
    let (language, country) = script.locale();
    format!("{language}-{country}")
}

/// Characters of a run; ends of lines and tabs are elements.
fn words(x: &mut Markup<'_>, words: &str) {
    let mut rest = words;
    while !rest.is_empty() {
        let end = rest.find(['\t', '\n', '\r']).unwrap_or(rest.len());
        if end > 0 {
            x.open("w:t").attributes(" xml:space=\"preserve\"").text(&rest[..end]).close();
        }
        let sign = rest[end..].chars().next();
        if let Some(c) = sign {
            x.void(if c == '\t' { "w:tab" } else { "w:br" });
        }
        rest = &rest[end + sign.map_or(0, char::len_utf8)..];
    }
}

#[cfg(test)]
mod tests {
    use super::super::book::tests::edition;
    use super::*;

    fn written(edition: &Edition) -> [String; 2] {
        let (mut text, mut notes) = (vec![], vec![]);
        document(&Book::of(edition), &mut text, &mut notes).unwrap();
        [text, notes].map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn a_note_is_a_footnote_that_its_sign_names() {
        let mut edition = edition(&[(Layer::Jing, "二筭為純。"), (Layer::Zhu, "純猶全也。")]);
        let [text, notes] = written(&edition);
        assert!(text.contains("二筭為純。</w:t></w:r>") && !text.contains("純猶全也"), "{text}");
        assert!(text.contains("<w:footnoteReference w:id=\"1\"/>"), "{text}");
        let (_, note) = notes.split_once("<w:footnote w:id=\"1\">").unwrap();
        assert!(note.starts_with("<w:p><w:pPr><w:pStyle w:val=\"zhu\"/>"), "{note}");
        assert!(note.contains(">注\u{3000}</w:t>") && note.contains(">純猶全也。</w:t>"), "{note}");
        edition.layout.notes = super::super::NotesAt::Inline;
        edition.layout.vertical = true;
        let [text, notes] = written(&edition);
        assert!(text.contains("<w:rStyle w:val=\"zhu-within\"/></w:rPr>"), "{text}");
        assert!(!notes.contains("純猶全也") && text.contains("<w:textDirection w:val=\"tbRl\"/>"));
    }

    #[test]
    fn the_language_is_that_of_the_script_and_tabs_are_elements() {
        let edition = edition(&[(Layer::Jing, "获者执\t旌。\u{1}")]);
        let [text, _] = written(&edition);
        let tab = "获者执</w:t><w:tab/><w:t xml:space=\"preserve\">旌。<";
        assert!(text.contains(tab) && text.contains("\u{FFFD}"), "{text}");
        let styles = String::from_utf8(parts::styles(&Book::of(&edition)).unwrap()).unwrap();
        assert!(
            styles.contains("w:eastAsia=\"zh-CN\"") && styles.contains("w:eastAsia=\"SimSun\"")
        );
        assert!(styles.contains("w:styleId=\"jing\"><w:name w:val=\"經\"/>"), "{styles}");
    }
}
