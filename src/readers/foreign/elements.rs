//! The table of elements.

use std::sync::LazyLock;

use quick_xml::events::BytesStart;

use crate::model::{Layer, LayerKind};

/// The dialect of the XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum XmlDialect {
    Tei,
    DocuXml,
    Tmx,
    /// PAGE, of transcriptions of images.
    Page,
    /// FictionBook: a book and its notes.
    FictionBook,
    /// Tokens of the Kanseki Repository (KRX): each character is in an attribute.
    Krx,
    /// ALTO, of what was recognised in images: its text is in attributes.
    Alto,
}

/// True for a language of a memory that is that of the classic, in small letters.
pub(super) fn is_classical(language: &str) -> bool {
    TABLE.iter().filter(|r| r.dialect == XmlDialect::Tmx).any(|r| {
        let named = r.attribute.is_some_and(|(_, value)| value.eq_ignore_ascii_case(language));
        named && matches!(r.role, ElementRole::Layer(Layer::Jing))
    })
}

/// What an element means for its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ElementRole {
    /// Not text of the work.
    Hidden,
    /// Not text of the work, but for the notes in it.
    Notes,
    /// Text of the work inside an element that is not; or the text of a document.
    Shown,
    /// A title, even inside hidden text.
    Heading,
    /// A paragraph.
    Block,
    /// Nothing.
    Through,
    /// A layer.
    Layer(Layer),
}

/// A row of the table.
struct ElementRow {
    dialect: XmlDialect,
    element: &'static str,
    attribute: Option<(&'static str, &'static str)>,
    role: ElementRole,
}

static TABLE: LazyLock<Vec<ElementRow>> = LazyLock::new(|| {
    let lines = include_str!("elements.tsv").lines().filter(|l| !l.starts_with('#'));
    lines.map(|l| row(l).expect("a test reads the table")).collect()
});

fn row(line: &'static str) -> Option<ElementRow> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [dialect, element, attribute, value, role] = cells[..] else { return None };
    Some(ElementRow {
        dialect: match dialect {
            "tei" => XmlDialect::Tei,
            "docuxml" => XmlDialect::DocuXml,
            "fb2" => XmlDialect::FictionBook,
            "tmx" => XmlDialect::Tmx,
            "page" => XmlDialect::Page,
            "alto" => XmlDialect::Alto,
            _ => return None,
        },
        element,
        attribute: (attribute != "-").then_some((attribute, value)),
        role: role_named(role)?,
    })
}

/// The role that a table names.
pub(super) fn role_named(name: &str) -> Option<ElementRole> {
    Some(match name {
        "hidden" => ElementRole::Hidden,
        "notes" => ElementRole::Notes,
        "shown" => ElementRole::Shown,
        "block" => ElementRole::Block,
        "through" => ElementRole::Through,
        layer => ElementRole::Layer(layer.parse().ok()?),
    })
}

/// The name of an element without its prefix.
pub(super) fn local<'a>(e: &'a BytesStart<'_>) -> &'a str {
    let name = e.name().into_inner();
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// What an element means for its text. `parent` is the element around it.
pub(super) fn role(dialect: XmlDialect, e: &BytesStart<'_>, parent: &str) -> ElementRole {
    let name = local(e);
    let is = |attribute: &str, value: &str| {
        let found = e.try_get_attribute(attribute).ok().flatten();
        found.is_some_and(|a| match value.strip_prefix('~') {
            Some(part) => a.value.contains(part),
            // Languages are written in small and in capital letters.
            None => value == "*" || a.value.eq_ignore_ascii_case(value),
        })
    };
    match (dialect, name, parent) {
        // A correction outside a `choice` is the only text.
        (XmlDialect::Tei, "corr" | "reg" | "expan", outside) if outside != "choice" => {
            return ElementRole::Through;
        }
        (XmlDialect::DocuXml, "title", "document") => return ElementRole::Heading,
        _ => {}
    }
    let fits = |r: &&ElementRow| {
        r.dialect == dialect
            && (r.element == "*" || r.element == name)
            && r.attribute.is_none_or(|(a, v)| is(a, v))
    };
    let named = || {
        let tag = name.strip_prefix("Udef_").and_then(|n| n.parse().ok());
        let given = ["type", "Term"].into_iter().find_map(|a| {
            let value = e.try_get_attribute(a).ok().flatten()?;
            value.value.parse().ok()
        });
        given.or(tag)
    };
    let may_be_layer = match dialect {
        XmlDialect::DocuXml => true,
        XmlDialect::Tei => matches!(name, "seg" | "ab" | "p" | "div" | "note" | "quote"),
        XmlDialect::Tmx
        | XmlDialect::Page
        | XmlDialect::Alto
        | XmlDialect::FictionBook
        | XmlDialect::Krx => false,
    };
    // In TEI `other` and `label` are types of divisions as well.
    let is_layer = |l: &Layer| {
        may_be_layer && (dialect == XmlDialect::DocuXml || l.kind() != LayerKind::Structure)
    };
    match named().filter(is_layer) {
        Some(layer) => ElementRole::Layer(layer),
        None => match TABLE.iter().find(fits).map(|r| r.role.clone()) {
            Some(ElementRole::Shown) if parent != "document" => ElementRole::Through,
            role => role.unwrap_or(ElementRole::Through),
        },
    }
}
