//! The files of a DOCX other than its text and notes: what it consists of, styles, fonts, settings,
//! properties.

use std::io;

use super::{MAIN, locale};
use crate::markup::Markup;
use crate::writers::editions::Edition;
use crate::writers::editions::archive::xml;
use crate::writers::editions::book::{Book, BookLook, BookScript, LookKind, fonts};

macro_rules! package {
    ($path:literal) => {
        concat!("http://schemas.openxmlformats.org/package/2006/", $path)
    };
}
macro_rules! office {
    ($path:literal) => {
        concat!("http://schemas.openxmlformats.org/officeDocument/2006/relationships/", $path)
    };
}
macro_rules! word {
    ($path:literal) => {
        concat!("application/vnd.openxmlformats-officedocument.wordprocessingml.", $path, "+xml")
    };
}
macro_rules! relation {
    ($id:literal, $kind:expr, $file:literal) => {
        concat!("<Relationship Id=\"", $id, "\" Type=\"", $kind, "\" Target=\"", $file, "\"/>\n")
    };
}
macro_rules! of_type {
    ($file:literal, $kind:expr) => {
        concat!("<Override PartName=\"", $file, "\" ContentType=\"", $kind, "\"/>\n")
    };
}

/// `[Content_Types].xml`.
pub(super) const TYPES: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n",
    "<Types xmlns=\"",
    package!("content-types"),
    "\">\n<Default Extension=\"rels\" ContentType=\"",
    "application/vnd.openxmlformats-package.relationships+xml\"/>\n",
    "<Default Extension=\"xml\" ContentType=\"application/xml\"/>\n",
    of_type!("/word/document.xml", word!("document.main")),
    of_type!("/word/styles.xml", word!("styles")),
    of_type!("/word/fontTable.xml", word!("fontTable")),
    of_type!("/word/settings.xml", word!("settings")),
    of_type!("/word/footnotes.xml", word!("footnotes")),
    of_type!("/word/footer.xml", word!("footer")),
    of_type!("/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"),
    "</Types>\n"
);

/// `_rels/.rels`.
pub(super) const PACKAGE: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n",
    "<Relationships xmlns=\"",
    package!("relationships"),
    "\">\n",
    relation!("document", office!("officeDocument"), "word/document.xml"),
    relation!("core", package!("relationships/metadata/core-properties"), "docProps/core.xml"),
    "</Relationships>\n"
);

/// `word/_rels/document.xml.rels`.
pub(super) const DOCUMENT: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n",
    "<Relationships xmlns=\"",
    package!("relationships"),
    "\">\n",
    relation!("styles", office!("styles"), "styles.xml"),
    relation!("fonts", office!("fontTable"), "fontTable.xml"),
    relation!("settings", office!("settings"), "settings.xml"),
    relation!("notes", office!("footnotes"), "footnotes.xml"),
    relation!("footer", office!("footer"), "footer.xml"),
    "</Relationships>\n"
);

/// `word/footer.xml`: the number of the page.
pub(super) const FOOTER: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n",
    "<w:ftr xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">",
    "<w:p><w:pPr><w:jc w:val=\"center\"/></w:pPr><w:fldSimple w:instr=\" PAGE \">",
    "<w:r><w:t>1</w:t></w:r></w:fldSimple></w:p></w:ftr>\n"
);

/// `docProps/core.xml`.
pub(super) fn core(edition: &Edition) -> io::Result<Vec<u8>> {
    let about = &edition.about;
    let people: Vec<String> = edition.people().into_iter().map(|(name, _)| name).collect();
    xml(|x| {
        x.open("cp:coreProperties");
        x.attr("xmlns:cp", package!("metadata/core-properties"));
        x.attr("xmlns:dc", "http://purl.org/dc/elements/1.1/");
        x.attr("xmlns:dcterms", "http://purl.org/dc/terms/");
        x.attr("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance").line();
        x.element("dc:title", &about.title).line();
        let who = if people.is_empty() { &about.editors } else { &people };
        x.element("dc:creator", who.join("; ")).line();
        x.element("dc:description", about.licence.as_deref().unwrap_or_default()).line();
        x.element("dc:language", edition.language()).line();
        x.element("cp:lastModifiedBy", about.editors.join("; ")).line();
        for name in ["dcterms:created", "dcterms:modified"] {
            x.open(name).attr("xsi:type", "dcterms:W3CDTF");
            x.text(format_args!("{}T00:00:00Z", about.date)).close().line();
        }
        x.close();
    })
}

/// `word/fontTable.xml`: each font that a style names, and the others that serve instead.
pub(super) fn font_table() -> io::Result<Vec<u8>> {
    xml(|x| {
        x.open("w:fonts").attr("xmlns:w", MAIN).line();
        for script in [BookScript::Hant, BookScript::Hans] {
            let (name, all) = fonts(script);
            let others: Vec<&str> = all.into_iter().filter(|other| *other != name).collect();
            x.open("w:font").attr("w:name", name);
            x.void("w:altName").attr("w:val", others.join(","));
            x.void("w:family").attr("w:val", "roman").close().line();
        }
        x.close();
    })
}

/// `word/settings.xml`.
pub(super) fn settings(book: &Book<'_>) -> io::Result<Vec<u8>> {
    xml(|x| {
        x.open("w:settings").attr("xmlns:w", MAIN).line();
        x.open("w:footnotePr");
        [-1, 0].iter().for_each(|id| _ = x.void("w:footnote").attr("w:id", id));
        x.close().line().open("w:compat").void("w:compatSetting");
        x.attr("w:name", "compatibilityMode");
        x.attr("w:uri", "http://schemas.microsoft.com/office/word").attr("w:val", 15);
        x.close().line().void("w:themeFontLang").attr("w:val", "en-US");
        x.attr("w:eastAsia", locale(book.script)).line().close();
    })
}

/// `word/styles.xml`.
pub(super) fn styles(book: &Book<'_>) -> io::Result<Vec<u8>> {
    xml(|x| {
        x.open("w:styles").attr("xmlns:w", MAIN).line();
        x.open("w:docDefaults").open("w:rPrDefault").open("w:rPr").void("w:rFonts");
        for of in ["w:ascii", "w:hAnsi", "w:cs"] {
            x.attr(of, "Times New Roman");
        }
        x.attr("w:eastAsia", fonts(book.script).0);
        x.void("w:sz").attr("w:val", 24).void("w:lang").attr("w:val", "en-US");
        x.attr("w:eastAsia", locale(book.script)).close().close();
        x.open("w:pPrDefault").close().close().line();
        for (kind, id, name) in
            [("paragraph", "normal", "Normal"), ("character", "default", "Default Paragraph Font")]
        {
            x.open("w:style").attr("w:type", kind).attr("w:default", 1).attr("w:styleId", id);
            x.void("w:name").attr("w:val", name).close().line();
        }
        for look in book.looks() {
            style(x, &look);
        }
        x.close();
    })
}

fn style(x: &mut Markup<'_>, look: &BookLook) {
    let is_paragraph = look.kind == LookKind::Paragraph;
    x.open("w:style").attr("w:type", if is_paragraph { "paragraph" } else { "character" });
    if look.is_ours {
        x.attr("w:customStyle", 1);
    }
    x.attr("w:styleId", &look.id).void("w:name").attr("w:val", &look.name);
    let base = if is_paragraph { "normal" } else { "default" };
    x.void("w:basedOn").attr("w:val", look.parent.unwrap_or(base));
    if let Some(layer) = look.layer {
        let other = if is_paragraph { "-within" } else { "" };
        x.void("w:link").attr("w:val", format_args!("{}{other}", layer.id()));
    }
    if is_paragraph {
        x.void("w:qFormat").open("w:pPr");
        paragraph(x, look);
        x.close();
    }
    x.open("w:rPr");
    if look.is_bold {
        x.void("w:b");
    }
    if let Some(colour) = look.colour {
        x.void("w:color").attr("w:val", colour);
    }
    if look.size > 0.0 {
        let half_points = (look.size * 2.0).round();
        x.void("w:sz").attr("w:val", half_points).void("w:szCs").attr("w:val", half_points);
    }
    if look.is_raised {
        x.void("w:vertAlign").attr("w:val", "superscript");
    }
    x.close().close().line();
}

fn paragraph(x: &mut Markup<'_>, look: &BookLook) {
    let twips = |points: f32| (points * 20.0).round();
    let [left, first, before, after] = look.distances;
    if look.level.is_some() {
        x.void("w:keepNext");
    }
    if look.level == Some(1) {
        x.void("w:pageBreakBefore");
    }
    x.void("w:spacing").attr("w:before", twips(before)).attr("w:after", twips(after));
    x.attr("w:line", (look.line * 2.4).round()).attr("w:lineRule", "auto");
    x.void("w:ind").attr("w:left", twips(left));
    match first < 0.0 {
        true => x.attr("w:hanging", twips(-first)),
        false => x.attr("w:firstLine", twips(first)),
    };
    if let Some(level) = look.level {
        x.void("w:outlineLvl").attr("w:val", level - 1);
    }
}
