//! The one builder of XML and HTML.
//!
//! Its output is well-formed by construction: elements are closed in the order they were opened,
//! names of elements and attributes are `&'static str`, and everything else is escaped on its way
//! in. Namespaces are plain attributes. HTML is written as XML that is valid HTML too (void
//! elements closed, attributes with values), so that the same code serves pages and EPUB.
//!
//! Write errors are kept and returned by [`Markup::finish`], so that calling code does not need a
//! `?` after each tag.

pub(crate) mod address;
mod escape;
mod said;
mod source_text;

use std::fmt::{Display, Write as _};
use std::io;

use crate::language::Language;

pub(crate) use escape::{Escaping, is_forbidden, is_private_use};

/// Bytes that are buffered before they are written.
const CHUNK_BYTES: usize = 1 << 16;

/// Writes elements, attributes and text.
pub(crate) struct Markup<'w> {
    to: &'w mut dyn io::Write,
    buffer: String,
    escaping: Escaping,
    open: Vec<&'static str>,
    /// How the current tag will end, if one is open.
    tag: Option<&'static str>,
    /// Every tag begins a line, one blank per level, unless it follows text.
    indented: bool,
    after_text: bool,
    failed: Option<io::Error>,
    /// Set while one of several texts of a file is written.
    ids: Option<IdPrefixes>,
    /// The language of our own words.
    language: Language,
    /// The page keeps their templates, so that its script can write them in another language.
    switchable: bool,
}

/// Keeps the ids of several texts in one file distinct.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdPrefixes {
    /// The prefix of the ids of the current text.
    pub(crate) own: String,
    /// The prefixes of all texts of this file, by the file name that each text has elsewhere.
    pub(crate) files: std::collections::HashMap<String, String>,
}

/// Attributes of TEI that point to ids.
const POINTERS: &[&str] = &[
    "ana", "corresp", "from", "next", "prev", "ref", "resp", "source", "target", "to", "who", "wit",
];

impl IdPrefixes {
    /// The value of an attribute, with prefixes added to ids.
    fn value(&self, name: &str, value: &str) -> String {
        match name {
            "xml:id" => format!("{}{value}", self.own),
            _ if POINTERS.contains(&name) => {
                value.split(' ').map(|p| self.pointer(p)).collect::<Vec<_>>().join(" ")
            }
            _ => value.to_string(),
        }
    }

    fn pointer(&self, pointer: &str) -> String {
        match pointer.split_once('#') {
            Some(("", id)) => format!("#{}{id}", self.own),
            Some((file, id)) => match self.files.get(file) {
                Some(prefix) => format!("#{prefix}{id}"),
                None => pointer.to_string(),
            },
            None => match self.files.get(pointer) {
                Some(prefix) => format!("#{prefix}"),
                None => pointer.to_string(),
            },
        }
    }
}

impl<'w> Markup<'w> {
    /// Writes HTML to `to`, or XML that escapes as HTML does.
    pub(crate) fn html(to: &'w mut dyn io::Write) -> Self {
        Markup::new(to, Escaping::Html)
    }

    /// Writes XML to `to`, beginning with the XML declaration.
    pub(crate) fn xml(to: &'w mut dyn io::Write, escaping: Escaping) -> Self {
        let mut xml = Markup::new(to, escaping);
        xml.verbatim("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml
    }

    fn new(to: &'w mut dyn io::Write, escaping: Escaping) -> Self {
        Markup {
            to,
            buffer: String::with_capacity(CHUNK_BYTES * 2),
            escaping,
            open: Vec::new(),
            tag: None,
            indented: false,
            after_text: false,
            failed: None,
            ids: None,
            language: Language::default(),
            switchable: false,
        }
    }

    /// From now on ids and pointers to them get these prefixes.
    pub(crate) fn prefix_ids(&mut self, ids: Option<IdPrefixes>) {
        self.ids = ids;
    }

    /// The same with every tag on a line of its own, except after text.
    pub(crate) fn indented(mut self) -> Self {
        self.indented = true;
        self
    }

    /// Opens an element; attributes may follow.
    pub(crate) fn open(&mut self, name: &'static str) -> &mut Self {
        self.start_tag(name, ">");
        self.open.push(name);
        self
    }

    /// An element without content; attributes may follow.
    pub(crate) fn void(&mut self, name: &'static str) -> &mut Self {
        self.start_tag(name, "/>");
        self
    }

    /// An attribute of the tag just opened.
    pub(crate) fn attr(&mut self, name: &'static str, value: impl Display) -> &mut Self {
        debug_assert!(self.tag.is_some(), "attribute {name} outside a tag");
        self.buffer.push(' ');
        self.buffer.push_str(name);
        self.buffer.push_str("=\"");
        match &self.ids {
            Some(ids) => {
                let value = ids.value(name, &value.to_string());
                self.escaped(value);
            }
            None => self.escaped(value),
        }
        self.buffer.push('"');
        self
    }

    /// Attributes of the tag just opened that are always the same, as they are written: a blank
    /// before each.
    pub(crate) fn attributes(&mut self, written: &'static str) -> &mut Self {
        debug_assert!(self.tag.is_some(), "attributes {written} outside a tag");
        self.buffer.push_str(written);
        self
    }

    /// An attribute if there is a value.
    pub(crate) fn maybe(&mut self, name: &'static str, value: Option<impl Display>) -> &mut Self {
        match value {
            Some(v) => self.attr(name, v),
            None => self,
        }
    }

    /// Text.
    pub(crate) fn text(&mut self, text: impl Display) -> &mut Self {
        self.end_tag();
        self.escaped(text);
        self.after_text = true;
        self
    }

    /// Text in which only `&`, `<` and `>` need escaping.
    pub(crate) fn plain(&mut self, text: &str) -> &mut Self {
        if !text.is_empty() {
            self.end_tag();
            self.buffer.push_str(&quick_xml::escape::partial_escape(text));
            self.after_text = true;
        }
        self
    }

    /// Closes the element opened last.
    pub(crate) fn close(&mut self) -> &mut Self {
        self.end_tag();
        if let Some(name) = self.open.pop() {
            self.indent();
            self.buffer.push_str("</");
            self.buffer.push_str(name);
            self.buffer.push('>');
        }
        self
    }

    /// An element that contains only text.
    pub(crate) fn element(&mut self, name: &'static str, text: impl Display) -> &mut Self {
        self.open(name).text(text).close()
    }

    /// A line end where white space has no meaning.
    pub(crate) fn line(&mut self) -> &mut Self {
        self.end_tag();
        self.buffer.push('\n');
        self
    }

    /// A declaration, style sheet or script of the program, unescaped. The `&'static str` keeps
    /// everything else out.
    pub(crate) fn verbatim(&mut self, markup: &'static str) -> &mut Self {
        self.end_tag();
        self.buffer.push_str(markup);
        self
    }

    /// True if a tag was written last, or nothing yet.
    pub(crate) fn is_after_tag(&self) -> bool {
        // `>` is escaped in text.
        self.tag.is_some() || self.buffer.is_empty() || self.buffer.ends_with('>')
    }

    /// Writes what is left in the buffer.
    ///
    /// # Errors
    /// The first write error.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.end_tag();
        debug_assert!(self.open.is_empty(), "left open: {:?}", self.open);
        self.flush();
        self.failed.map_or(Ok(()), Err)
    }

    fn start_tag(&mut self, name: &'static str, end: &'static str) {
        self.end_tag();
        self.indent();
        if self.buffer.len() >= CHUNK_BYTES {
            self.flush();
        }
        self.buffer.push('<');
        self.buffer.push_str(name);
        self.tag = Some(end);
    }

    fn end_tag(&mut self) {
        if let Some(end) = self.tag.take() {
            self.buffer.push_str(end);
        }
    }

    fn indent(&mut self) {
        if !std::mem::take(&mut self.after_text) && self.indented {
            if !self.buffer.ends_with('\n') {
                self.buffer.push('\n');
            }
            self.buffer.extend(std::iter::repeat_n(' ', self.open.len()));
        }
    }

    fn escaped(&mut self, value: impl Display) {
        // Writing to a string does not fail.
        let _ = write!(self.escaping.into(&mut self.buffer), "{value}");
    }

    /// The same for words, which need not be formatted.
    fn push(&mut self, words: &str) {
        let _ = self.escaping.into(&mut self.buffer).write_str(words);
    }

    fn flush(&mut self) {
        if self.failed.is_none()
            && let Err(e) = self.to.write_all(self.buffer.as_bytes())
        {
            self.failed = Some(e);
        }
        self.buffer.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_escaped_and_tags_balance() {
        let mut out = Vec::new();
        let mut html = Markup::html(&mut out);
        html.open("a").attr("title", "\"><script>").void("br").text("<").close();
        html.finish().unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "<a title=\"&quot;&gt;&lt;script&gt;\"><br/>&lt;</a>"
        );
    }

    #[test]
    fn indented_tags_begin_lines_except_after_text() {
        let mut out = Vec::new();
        let mut xml = Markup::xml(&mut out, Escaping::Xml).indented();
        xml.open("a").attr("b", "it's").void("c").element("d", "").element("e", "x").close();
        xml.line();
        xml.finish().unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b=\"it&apos;s\">\n <c/>\n <d></d>\n \
             <e>x</e>\n</a>\n"
        );
    }

    #[test]
    fn errors_of_the_receiver_are_returned_at_the_end() {
        struct Full;
        impl io::Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut full = Full;
        let mut html = Markup::html(&mut full);
        html.element("p", "x");
        assert_eq!(html.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
