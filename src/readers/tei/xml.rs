//! XML as the three events this reader needs (open, close, text), with entities resolved and places
//! for errors.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::attributes::{AttrError, Attributes as RawAttributes};
use quick_xml::events::{BytesStart, Event};

use super::laxness::Laxness;
use crate::diag::{Diagnostic, Error};
use crate::source::Source;

/// How deep elements may nest. Ours nest some ten deep.
const MAX_DEPTH: usize = 256;

/// An element's attributes, in order.
#[derive(Debug, Default, Clone)]
pub(super) struct Attributes<'a>(Vec<(&'a str, Cow<'a, str>)>);

impl Attributes<'_> {
    /// The value of an attribute.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, v)| &**v)
    }
    /// The value of `@type`.
    pub(super) fn kind(&self) -> &str {
        self.get("type").unwrap_or_default()
    }
}

/// The next event.
#[derive(Debug)]
pub(super) enum XmlToken<'a> {
    /// An element opens: local name, attributes, byte offset in the XML.
    Open(&'a str, Attributes<'a>, usize),
    /// The innermost element closes.
    Close,
    /// All text up to the next tag.
    Text(Cow<'a, str>),
    /// The end of the file.
    End,
}

/// Tokens of a file.
pub(super) struct XmlReader<'a> {
    source: &'a Source,
    reader: Reader<&'a [u8]>,
    base: usize,
    depth: usize,
    roots: usize,
    text: Cow<'a, str>,
    ready: Option<XmlToken<'a>>,
    /// The prefix of ids, which is not part of them.
    prefix: String,
    laxness: Laxness,
}

impl<'a> XmlReader<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        let text = source.text();
        let body = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut reader = Reader::from_str(body);
        reader.config_mut().expand_empty_elements = true;
        XmlReader {
            source,
            reader,
            base: text.len() - body.len(),
            depth: 0,
            roots: 0,
            text: Cow::default(),
            ready: None,
            prefix: String::new(),
            laxness: Laxness::default(),
        }
    }

    /// From now on `prefix` is removed from ids and from pointers to them.
    pub(super) fn set_prefix(&mut self, prefix: &str) {
        self.prefix = prefix.to_string();
    }

    /// The next token.
    ///
    /// # Errors
    /// Where the XML is not well-formed, or names an entity XML does not define.
    pub(super) fn next(&mut self) -> Result<XmlToken<'a>, Error> {
        if let Some(token) = self.ready.take() {
            return Ok(token);
        }
        loop {
            let at = self.at();
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(e) => {
                    return Err(self
                        .error(self.reader.error_position() as usize + self.base, e.to_string()));
                }
            };
            let token = match event {
                Event::Start(e) => self.open(&e, at)?,
                Event::End(_) => {
                    self.depth -= 1;
                    XmlToken::Close
                }
                Event::Text(t) => {
                    self.laxness.text(&t, at);
                    self.push(t.xml10_content(), at)?;
                    continue;
                }
                Event::CData(t) => {
                    self.laxness.characters(&t, at);
                    self.push(t.xml10_content(), at)?;
                    continue;
                }
                Event::GeneralRef(r) => {
                    let c = match r.resolve_char_ref() {
                        Ok(Some(c)) => Cow::Owned(c.to_string()),
                        Ok(None) => match quick_xml::escape::resolve_predefined_entity(&r) {
                            Some(s) => Cow::Borrowed(s),
                            None => {
                                return Err(
                                    self.error(at, format!("the entity &{}; is not defined", &*r))
                                );
                            }
                        },
                        Err(e) => return Err(self.error(at, e.to_string())),
                    };
                    self.laxness.characters(&c, at);
                    self.push(c, at)?;
                    continue;
                }
                Event::Comment(c) => {
                    self.laxness.comment(&c, at);
                    continue;
                }
                Event::Decl(d) => {
                    self.laxness.declaration(&d, at, self.source);
                    continue;
                }
                Event::DocType(d) => {
                    self.laxness.document_type(&d, at);
                    continue;
                }
                Event::PI(_) => continue,
                Event::Eof if self.depth > 0 => {
                    return Err(self.error(at, "the file ends inside an element"));
                }
                Event::Eof => XmlToken::End,
                Event::Empty(_) => continue,
            };
            if self.text.is_empty() {
                return Ok(token);
            }
            self.ready = Some(token);
            return Ok(XmlToken::Text(std::mem::take(&mut self.text)));
        }
    }

    /// Reads the rest, which is not of the document, and tells what of the file is not as XML demands.
    ///
    /// # Errors
    /// As [`XmlReader::next`].
    pub(super) fn finish(&mut self) -> Result<Vec<Diagnostic>, Error> {
        while !matches!(self.next()?, XmlToken::End) {}
        Ok(std::mem::take(&mut self.laxness).diagnostics(self.source))
    }

    /// Byte offset of what comes next.
    pub(super) fn at(&self) -> usize {
        self.reader.buffer_position() as usize + self.base
    }

    fn push(&mut self, words: Cow<'a, str>, at: usize) -> Result<(), Error> {
        if self.depth == 0 {
            return if words.chars().all(is_blank) {
                Ok(())
            } else {
                Err(self.error(at, "there is text outside the root element"))
            };
        }
        // Most text is in one piece and is not copied.
        match self.text.is_empty() {
            true => self.text = words,
            false => self.text.to_mut().push_str(&words),
        }
        Ok(())
    }

    fn open(&mut self, e: &BytesStart<'_>, at: usize) -> Result<XmlToken<'a>, Error> {
        self.roots += usize::from(self.depth == 0);
        if self.roots > 1 {
            return Err(self.error(at, "there is a second root element"));
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(at, "elements nest too deep"));
        }
        // The content of the event is in the source after its `<`. Slices of the source outlive the
        // event.
        let tag: &'a str = &self.source.text()[at + 1..][..e.len()];
        self.laxness.name(tag, at);
        let mut attributes = Attributes::default();
        let place = |key: &str| key.as_ptr() as usize - tag.as_ptr() as usize;
        // Names used twice are looked for here, in the list that is made anyway.
        for a in RawAttributes::new(tag, e.name().as_ref().len()).with_checks(false) {
            let a = a.map_err(|e| self.error(at, e.to_string()))?;
            let key = a.key.0;
            if let Some((same, _)) = attributes.0.iter().find(|(name, _)| *name == key) {
                let twice = AttrError::Duplicated(place(key), place(same));
                return Err(self.error(at, twice.to_string()));
            }
            self.laxness.name(key, at);
            self.laxness.value(key, &a.value, at);
            let value = a
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|e| self.error(at, e.to_string()))?;
            attributes.0.push((key, self.without_prefix(key, value)));
        }
        let name = &tag[..e.name().as_ref().len()];
        let name = name.split_once(':').map_or(name, |(_, local)| local);
        Ok(XmlToken::Open(name, attributes, at))
    }

    /// An id, or pointers to ids, without the prefix.
    fn without_prefix(&self, name: &str, value: Cow<'a, str>) -> Cow<'a, str> {
        if self.prefix.is_empty() {
            return value;
        }
        if let Some(id) = value.strip_prefix(&self.prefix).filter(|_| name == "xml:id") {
            return Cow::Owned(id.to_string());
        }
        let prefix = format!("#{}", self.prefix);
        if value.contains(&prefix) { Cow::Owned(value.replace(&prefix, "#")) } else { value }
    }

    /// An error at byte `at` of the XML.
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        let text = self.source.text();
        let at = (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
        Error::input(self.source.path(), message).at(self.source.place(at)).line(&text[line..end])
    }
}

/// White space in XML.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Text by the rule of our TEI: blanks beside tags mean nothing, blanks within text are one blank.
pub(super) fn collapse(words: &str, into: &mut String) {
    let words = words.trim_matches(is_blank);
    let mut rest = words;
    while let Some(i) = rest.find(is_blank) {
        into.push_str(&rest[..i]);
        into.push(' ');
        rest = rest[i..].trim_start_matches(is_blank);
    }
    into.push_str(rest);
}

/// A small tree, for the header.
#[derive(Debug, Default)]
pub(super) struct XmlNode<'a> {
    /// Local name.
    pub(super) name: &'a str,
    /// Attributes.
    pub(super) attributes: Attributes<'a>,
    /// All text inside, blanks collapsed.
    pub(super) text: String,
    /// Elements inside.
    pub(super) children: Vec<XmlNode<'a>>,
}

/// Greatest depth of a header.
const MAX_HEADER_DEPTH: usize = 64;

impl<'a> XmlNode<'a> {
    /// Reads the element that has just opened, to its end.
    ///
    /// # Errors
    /// As [`XmlReader::next`], and if elements are nested too deeply.
    pub(super) fn read(
        xml: &mut XmlReader<'a>,
        name: &'a str,
        attributes: Attributes<'a>,
    ) -> Result<Self, Error> {
        let mut open = vec![XmlNode { name, attributes, ..XmlNode::default() }];
        loop {
            match xml.next()? {
                XmlToken::Open(_, _, at) if open.len() == MAX_HEADER_DEPTH => {
                    return Err(xml.error(at, "elements nest too deep"));
                }
                XmlToken::Open(name, attributes, _) => {
                    open.push(XmlNode { name, attributes, ..XmlNode::default() })
                }
                XmlToken::Text(words) => {
                    if let Some(node) = open.last_mut() {
                        collapse(&words, &mut node.text);
                    }
                }
                XmlToken::Close | XmlToken::End => {
                    let Some(node) = open.pop() else { return Ok(XmlNode::default()) };
                    match open.last_mut() {
                        Some(outer) => outer.children.push(node),
                        None => return Ok(node),
                    }
                }
            }
        }
    }

    /// Elements called `name` anywhere inside, in order.
    pub(super) fn all<'n>(
        &'n self,
        name: &'n str,
    ) -> Box<dyn Iterator<Item = &'n XmlNode<'a>> + 'n> {
        Box::new(self.children.iter().flat_map(move |c| {
            std::iter::once(c).filter(move |c| c.name == name).chain(c.all(name))
        }))
    }

    /// The first element called `name`.
    pub(super) fn first<'n>(&'n self, name: &'n str) -> Option<&'n XmlNode<'a>> {
        self.all(name).next()
    }

    /// The first element `name` with this `@type`.
    pub(super) fn typed<'n>(&'n self, name: &'n str, kind: &str) -> Option<&'n XmlNode<'a>> {
        self.all(name).find(|n| n.attributes.kind() == kind)
    }
}
