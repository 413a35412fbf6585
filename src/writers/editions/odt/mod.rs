//! ODT, the text format of OpenDocument (LibreOffice and others): each layer is a style, titles are
//! headings, notes are footnotes or small type in the line.

mod styles;

use std::io::{self, Write};

use super::Edition;
use super::archive::{EditionArchive, xml};
use super::book::{
    Book, BookParagraph, BookPiece, BookRun, BookScript, LookOf, ParagraphStyle, TakeParagraphs,
};
use super::formats::Format;
use crate::markup::{Escaping, Markup};
use crate::model::Layer;
use styles::OdtNames;

const MEDIA_TYPE: &str = "application/vnd.oasis.opendocument.text";

pub(super) const FORMAT: Format = Format {
    name: "odt",
    extension: "odt",
    about: "OpenDocument for LibreOffice: layers as styles, notes as footnotes",
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
    let mut archive = EditionArchive::new(edition, Some(MEDIA_TYPE))?;
    content(&book, archive.begin("content.xml")?)?;
    archive.add("styles.xml", &styles::styles(&book)?)?;
    archive.add("meta.xml", &meta(edition)?)?;
    archive.add("META-INF/manifest.xml", &manifest()?)?;
    out.write_all(&archive.finish()?)
}

/// The root of a file, with the namespaces that it needs.
fn root<'x, 'w>(x: &'x mut Markup<'w>, name: &'static str) -> &'x mut Markup<'w> {
    x.open(name).attr("office:version", "1.3");
    for (prefix, of) in [
        ("xmlns:office", "office"),
        ("xmlns:style", "style"),
        ("xmlns:text", "text"),
        ("xmlns:meta", "meta"),
        ("xmlns:fo", "xsl-fo-compatible"),
        ("xmlns:svg", "svg-compatible"),
    ] {
        x.attr(prefix, format_args!("urn:oasis:names:tc:opendocument:xmlns:{of}:1.0"));
    }
    x.attr("xmlns:xlink", "http://www.w3.org/1999/xlink");
    x.attr("xmlns:dc", "http://purl.org/dc/elements/1.1/").line()
}

fn manifest() -> io::Result<Vec<u8>> {
    xml(|x| {
        x.open("manifest:manifest").attr("manifest:version", "1.3");
        x.attr("xmlns:manifest", "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0").line();
        for (file, kind) in [
            ("/", MEDIA_TYPE),
            ("content.xml", "text/xml"),
            ("styles.xml", "text/xml"),
            ("meta.xml", "text/xml"),
        ] {
            x.void("manifest:file-entry").attr("manifest:full-path", file);
            x.attr("manifest:media-type", kind).line();
        }
        x.close();
    })
}

fn meta(edition: &Edition) -> io::Result<Vec<u8>> {
    let about = &edition.about;
    let people: Vec<String> = edition.people().into_iter().map(|(name, _)| name).collect();
    xml(|x| {
        root(x, "office:document-meta").open("office:meta").line();
        x.element("dc:title", &about.title).line();
        let who = if people.is_empty() { &about.editors } else { &people };
        x.element("meta:initial-creator", who.join("; ")).line();
        x.element("dc:creator", about.editors.join("; ")).line();
        x.element("dc:description", about.licence.as_deref().unwrap_or_default()).line();
        x.element("dc:language", edition.language()).line();
        for name in ["meta:creation-date", "dc:date"] {
            x.element(name, format_args!("{}T00:00:00", about.date)).line();
        }
        x.close().close();
    })
}

/// Writes the text.
fn content(book: &Book<'_>, to: &mut dyn Write) -> io::Result<()> {
    let names = OdtNames::new(book);
    let mut x = Markup::xml(to, Escaping::Xml);
    root(&mut x, "office:document-content");
    styles::of_scripts(&mut x);
    x.open("office:body").open("office:text").line();
    let mut writer = OdtWriter { book, names, x, count: 0 };
    book.write(&mut writer);
    let mut x = writer.x;
    x.close().close().close().line();
    x.finish()
}

struct OdtWriter<'b, 'x> {
    book: &'b Book<'b>,
    names: OdtNames,
    x: Markup<'x>,
    /// How many notes there were.
    count: usize,
}

impl TakeParagraphs for OdtWriter<'_, '_> {
    fn paragraph(&mut self, paragraph: &BookParagraph<'_>) {
        if paragraph.style == ParagraphStyle::Contents {
            return self.contents(&paragraph.pieces);
        }
        let level = paragraph.style.level();
        self.x.open(if level.is_some() { "text:h" } else { "text:p" });
        self.x.maybe("text:style-name", self.names.of(paragraph.style.id()));
        self.x.maybe("text:outline-level", level);
        if let Some(n) = paragraph.anchor {
            self.x.void("text:bookmark").attr("text:name", format_args!("title{n}"));
        }
        self.pieces(&paragraph.pieces, paragraph.script);
        self.x.close().line();
    }
}

impl OdtWriter<'_, '_> {
    fn pieces(&mut self, pieces: &[BookPiece<'_>], script: Option<BookScript>) {
        if let Some(script) = script {
            self.x.open("text:span").attr("text:style-name", format_args!("{script:?}"));
        }
        let mut after_blank = true;
        for piece in pieces {
            match piece {
                BookPiece::Run(of) => run(&mut self.x, &self.names, of, &mut after_blank),
                BookPiece::Note(layer, runs) => {
                    self.note(*layer, runs, script);
                    after_blank = false;
                }
            }
        }
        if script.is_some() {
            self.x.close();
        }
    }

    fn note(&mut self, layer: Layer, runs: &[BookRun<'_>], script: Option<BookScript>) {
        self.count += 1;
        let x = &mut self.x;
        x.open("text:note").attr("text:id", format_args!("note{}", self.count));
        x.attr("text:note-class", "footnote").element("text:note-citation", self.count);
        x.open("text:note-body").open("text:p");
        x.maybe("text:style-name", self.names.of(ParagraphStyle::Layer(layer).id()));
        if let Some(script) = script {
            x.open("text:span").attr("text:style-name", format_args!("{script:?}"));
        }
        let mut after_blank = true;
        runs.iter().for_each(|of| run(x, &self.names, of, &mut after_blank));
        if script.is_some() {
            x.close();
        }
        x.close().close().close();
    }

    /// The contents, which LibreOffice can make again, with pages.
    fn contents(&mut self, title: &[BookPiece<'_>]) {
        const ENTRIES: [(usize, &str); 2] = [(1, "entry1"), (2, "entry2")];
        let heading = self.names.of(Some("contents")).map(String::from);
        self.x.open("text:table-of-content").attr("text:name", "contents").line();
        self.x.open("text:table-of-content-source").attr("text:outline-level", 2).line();
        self.x.open("text:index-title-template").maybe("text:style-name", heading.as_deref());
        self.pieces(title, None);
        self.x.close().line();
        for (level, style) in ENTRIES {
            let x = &mut self.x;
            x.open("text:table-of-content-entry-template").attr("text:outline-level", level);
            x.maybe("text:style-name", self.names.of(Some(style)));
            x.void("text:index-entry-link-start").void("text:index-entry-text");
            x.void("text:index-entry-tab-stop").attr("style:type", "right");
            x.attr("style:leader-char", ".").void("text:index-entry-page-number");
            x.void("text:index-entry-link-end").close().line();
        }
        self.x.close().line().open("text:index-body").line();
        self.x.open("text:index-title").attr("text:name", "contents-title");
        self.x.open("text:p").maybe("text:style-name", heading);
        self.pieces(title, None);
        self.x.close().close().line();
        for (n, title) in self.book.contents.iter().enumerate() {
            let style = ENTRIES.iter().find(|(level, _)| *level == title.level).map(|e| e.1);
            let x = &mut self.x;
            x.open("text:p").maybe("text:style-name", self.names.of(style));
            x.open("text:a").attr("xlink:type", "simple");
            x.attr("xlink:href", format_args!("#title{n}"));
            words(x, &title.words, &mut true);
            x.close().close().line();
        }
        self.x.close().close().line();
    }
}

fn run(x: &mut Markup<'_>, names: &OdtNames, run: &BookRun<'_>, after_blank: &mut bool) {
    let style = names.of(run.style.id());
    if let Some(style) = style {
        x.open("text:span").attr("text:style-name", style);
    }
    words(x, &run.shown(), after_blank);
    if style.is_some() {
        x.close();
    }
}

/// Characters of a run. A blank at the start of a paragraph or after another would be lost; it is
/// an element, as are tabs and ends of lines.
fn words(x: &mut Markup<'_>, words: &str, after_blank: &mut bool) {
    // What is written begins at `from`; `seen` is the end of the last sign.
    let (mut from, mut seen) = (0, 0);
    for (at, c) in words.match_indices([' ', '\t', '\n', '\r']) {
        if at > seen {
            *after_blank = false;
        }
        seen = at + c.len();
        if c == " " && !*after_blank {
            *after_blank = true;
            continue;
        }
        x.text(&words[from..at]);
        x.void(match c {
            " " => "text:s",
            "\t" => "text:tab",
            _ => "text:line-break",
        });
        *after_blank = c == " ";
        from = seen;
    }
    if from < words.len() {
        x.text(&words[from..]);
        *after_blank = words.ends_with(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::super::book::tests::edition;
    use super::*;

    #[test]
    fn blanks_that_a_reader_would_join_are_elements() {
        let mut bytes = vec![];
        let mut x = Markup::html(&mut bytes);
        x.open("p");
        words(&mut x, " a  b\tc ", &mut true);
        x.close();
        x.finish().unwrap();
        let want = "<p><text:s/>a <text:s/>b<text:tab/>c </p>";
        assert_eq!(String::from_utf8(bytes).unwrap(), want);
    }

    #[test]
    fn a_note_is_where_its_sign_is() {
        let edition = edition(&[(Layer::Jing, "二筭為純。"), (Layer::Zhu, "純猶全也。")]);
        let mut bytes = vec![];
        content(&Book::of(&edition), &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let note = "<text:p text:style-name=\"經\">二筭為純。<text:note text:id=\"note1\" \
            text:note-class=\"footnote\"><text:note-citation>1</text:note-citation>\
            <text:note-body><text:p text:style-name=\"注\"><text:span \
            text:style-name=\"layer_20_name\">注\u{3000}</text:span>純猶全也。</text:p>";
        assert!(text.contains(note), "{text}");
    }
}
