//! `styles.xml` of an ODT, and the names of its styles.

use std::io;

use rustc_hash::FxHashMap;

use super::root;
use crate::markup::Markup;
use crate::writers::editions::archive::xml;
use crate::writers::editions::book::{Book, BookLook, BookScript, LookKind, fonts};
use crate::writers::editions::{Layout, Paper};

const SCRIPTS: [BookScript; 2] = [BookScript::Hant, BookScript::Hans];

/// The names of the styles of a book, by their ids.
pub(super) struct OdtNames(FxHashMap<String, String>);

impl OdtNames {
    pub(super) fn new(book: &Book<'_>) -> Self {
        OdtNames(book.looks().into_iter().map(|look| (look.id, encoded(&look.odt))).collect())
    }

    /// The name of a style.
    pub(super) fn of(&self, id: Option<&str>) -> Option<&str> {
        self.0.get(id?).map(String::as_str)
    }
}

/// A name as the format writes it: without blanks.
fn encoded(name: &str) -> String {
    name.replace(' ', "_20_")
}

/// The styles of text in another script than that of the book.
pub(super) fn of_scripts(x: &mut Markup<'_>) {
    font_faces(x);
    x.open("office:automatic-styles").line();
    for script in SCRIPTS {
        x.open("style:style").attr("style:name", format_args!("{script:?}"));
        x.attr("style:family", "text").void("style:text-properties");
        east_asian(x, script);
        x.close().line();
    }
    x.close().line();
}

/// The font and the language of a script.
fn east_asian(x: &mut Markup<'_>, script: BookScript) {
    let (language, country) = script.locale();
    x.attr("style:font-name-asian", format_args!("{script:?}"));
    x.attr("style:language-asian", language).attr("style:country-asian", country);
}

/// The fonts of each script, the best first.
fn font_faces(x: &mut Markup<'_>) {
    x.open("office:font-face-decls").line();
    for script in SCRIPTS {
        let families: Vec<String> = fonts(script).1.iter().map(|f| format!("'{f}'")).collect();
        x.void("style:font-face").attr("style:name", format_args!("{script:?}"));
        x.attr("svg:font-family", families.join(", "));
        x.attr("style:font-family-generic", "roman").line();
    }
    x.close().line();
}

/// `styles.xml`.
pub(super) fn styles(book: &Book<'_>) -> io::Result<Vec<u8>> {
    let layout = &book.edition().layout;
    xml(|x| {
        root(x, "office:document-styles");
        font_faces(x);
        x.open("office:styles").line();
        x.open("style:default-style").attr("style:family", "paragraph");
        x.void("style:paragraph-properties").attr("style:tab-stop-distance", "12.5mm");
        x.void("style:text-properties").attr("style:font-size-asian", "12pt");
        x.attr("fo:font-family", "'Times New Roman', 'Liberation Serif'");
        x.attr("fo:font-size", "12pt").attr("fo:language", "en").attr("fo:country", "US");
        east_asian(x, book.script);
        x.close().line();
        x.void("style:style").attr("style:name", "Standard").attr("style:family", "paragraph");
        x.line();
        book.looks().iter().for_each(|look| style(x, look));
        x.void("text:notes-configuration").attr("text:note-class", "footnote");
        x.attr("text:citation-style-name", "Footnote_20_anchor");
        x.attr("text:citation-body-style-name", "Footnote_20_anchor");
        x.attr("text:default-style-name", "Footnote").attr("style:num-format", "1");
        x.attr("style:num-suffix", " ").line();
        x.close().line();
        page(x, layout);
        x.close();
    })
}

/// The page, with its number at the foot; for vertical lines it lies on its side.
fn page(x: &mut Markup<'_>, layout: &Layout) {
    x.open("office:automatic-styles").line();
    x.open("style:style").attr("style:name", "centred").attr("style:family", "paragraph");
    x.void("style:paragraph-properties").attr("fo:text-align", "center").close().line();
    x.open("style:page-layout").attr("style:name", "page");
    let millimetres = layout.paper.unwrap_or(Paper::A4).millimetres();
    let [short, long, margin] = millimetres.map(|n| format!("{n}mm"));
    let (width, height, orientation, mode) = match layout.vertical {
        true => (long, short, "landscape", "tb-rl"),
        false => (short, long, "portrait", "lr-tb"),
    };
    x.void("style:page-layout-properties").attr("fo:page-width", width);
    x.attr("fo:page-height", height).attr("style:print-orientation", orientation);
    x.attr("style:writing-mode", mode).attr("fo:margin", margin);
    x.open("style:footer-style").void("style:header-footer-properties");
    x.attr("fo:margin-top", "6mm").attr("fo:min-height", "6mm").close();
    x.close().line().close().line();
    x.open("office:master-styles").open("style:master-page").attr("style:name", "Standard");
    x.attr("style:page-layout-name", "page").open("style:footer").open("text:p");
    x.attr("text:style-name", "centred");
    x.open("text:page-number").attr("text:select-page", "current").text(1).close();
    x.close().close().close().close().line();
}

fn style(x: &mut Markup<'_>, look: &BookLook) {
    let is_paragraph = look.kind == LookKind::Paragraph;
    let name = encoded(&look.odt);
    x.open("style:style").attr("style:name", &name);
    if name != look.odt {
        x.attr("style:display-name", &look.odt);
    }
    x.attr("style:family", if is_paragraph { "paragraph" } else { "text" });
    if is_paragraph {
        let parent = if look.parent.is_some() { "Footnote" } else { "Standard" };
        x.attr("style:parent-style-name", parent);
    }
    x.maybe("style:default-outline-level", look.level);
    if is_paragraph {
        let [left, first, before, after] = look.distances;
        x.void("style:paragraph-properties");
        for (name, points) in [
            ("fo:margin-left", left),
            ("fo:text-indent", first),
            ("fo:margin-top", before),
            ("fo:margin-bottom", after),
        ] {
            x.attr(name, format_args!("{points}pt"));
        }
        x.attr("fo:line-height", format_args!("{}%", look.line));
        if look.level.is_some() {
            x.attr("fo:keep-with-next", "always");
        }
        if look.level == Some(1) {
            x.attr("fo:break-before", "page");
        }
    }
    x.void("style:text-properties");
    if look.is_bold {
        x.attr("fo:font-weight", "bold").attr("style:font-weight-asian", "bold");
    }
    if let Some(colour) = look.colour {
        x.attr("fo:color", format_args!("#{colour}"));
    }
    if look.size > 0.0 {
        let size = format!("{}pt", look.size);
        x.attr("fo:font-size", &size).attr("style:font-size-asian", &size);
    }
    if look.is_raised {
        x.attr("style:text-position", "super 58%");
    }
    x.close().line();
}
