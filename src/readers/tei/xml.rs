//! XML as the three events this reader needs (open, close, text), with entities resolved and places
//! for errors.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::errors::IllFormedError;
use quick_xml::events::attributes::{AttrError, Attributes as RawAttributes};
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::laxness::Laxness;
use super::tags::{self, Attribute};
use crate::diag::{Diagnostic, Error};
use crate::source::Source;
use crate::text::class::is_content;

/// How deep elements may nest. Ours nest some ten deep.
const MAX_DEPTH: usize = 256;

/// An element's attributes, in order.
#[derive(Debug, Default, Clone)]
pub(super) struct Attributes<'a>(Vec<Attribute<'a>>);

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
    /// The text without a byte order mark.
    body: &'a str,
    base: usize,
    /// How much of `body` has been read.
    place: usize,
    /// Reads what is not plain (see [`tags`]).
    reader: Reader<&'a [u8]>,
    /// Everything is left to the parser: a test compares both ways.
    #[cfg(test)]
    pub(super) parses_all: bool,
    /// The parser is between two events, so that what comes next may be read without it.
    between: bool,
    /// The element that opened last was empty.
    is_empty: bool,
    /// The names of the elements that are open.
    open: Vec<&'a str>,
    roots: usize,
    text: Cow<'a, str>,
    ready: Option<XmlToken<'a>>,
    /// Attributes that are not needed any more: the memory is used again.
    spare: Vec<Attribute<'a>>,
    /// The prefix of ids, which is not part of them.
    prefix: String,
    laxness: Laxness,
}

/// What was read next.
enum Piece<'a> {
    Token(XmlToken<'a>),
    /// Text, which was added to the text before it, or something that does not matter.
    Through,
    /// What only the parser can read.
    NotPlain,
}

impl<'a> XmlReader<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        let text = source.text();
        let body = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut reader = Reader::from_str(body);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        // It does not see all tags, so names are compared here.
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        XmlReader {
            source,
            body,
            base: text.len() - body.len(),
            place: 0,
            reader,
            #[cfg(test)]
            parses_all: false,
            between: false,
            is_empty: false,
            open: vec![],
            roots: 0,
            text: Cow::default(),
            ready: None,
            spare: vec![],
            prefix: String::new(),
            laxness: Laxness::default(),
        }
    }

    /// From now on `prefix` is removed from ids and from pointers to them.
    pub(super) fn set_prefix(&mut self, prefix: &str) {
        self.prefix = prefix.to_string();
    }

    /// Takes back attributes, so that those of another element need no memory of their own.
    pub(super) fn reuse(&mut self, attributes: Attributes<'a>) {
        self.spare = attributes.0;
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
            let piece = match self.plain()? {
                Piece::NotPlain => self.parsed()?,
                piece => piece,
            };
            let Piece::Token(token) = piece else { continue };
            if self.text.is_empty() {
                return Ok(token);
            }
            self.ready = Some(token);
            return Ok(XmlToken::Text(std::mem::take(&mut self.text)));
        }
    }

    /// Reads a tag or text that is written plainly.
    fn plain(&mut self) -> Result<Piece<'a>, Error> {
        if std::mem::take(&mut self.is_empty) {
            self.open.pop();
            return Ok(Piece::Token(XmlToken::Close));
        }
        #[cfg(test)]
        let between = self.between && !self.parses_all;
        #[cfg(not(test))]
        let between = self.between;
        if !between {
            return Ok(Piece::NotPlain);
        }
        let (at, rest) = (self.at(), &self.body[self.place..]);
        match rest.as_bytes() {
            [b'<', b'/', after @ ..] => {
                let name = self.open.last().map_or("", |name| name);
                let is_its = after.starts_with(name.as_bytes());
                if name.is_empty() || !is_its || after.get(name.len()) != Some(&b'>') {
                    return Ok(Piece::NotPlain);
                }
                self.place += "</>".len() + name.len();
                self.open.pop();
                Ok(Piece::Token(XmlToken::Close))
            }
            [b'<', ..] => {
                let mut attributes = std::mem::take(&mut self.spare);
                let Some(tag) = tags::open(rest, &mut attributes) else {
                    self.spare = attributes;
                    return Ok(Piece::NotPlain);
                };
                self.enter(tag.name, at)?;
                self.place += tag.length;
                self.is_empty = tag.is_empty;
                for (name, value) in attributes.iter_mut().filter(|_| !self.prefix.is_empty()) {
                    *value = self.without_prefix(name, std::mem::take(value));
                }
                Ok(Piece::Token(XmlToken::Open(local(tag.name), Attributes(attributes), at)))
            }
            _ => {
                let Some(words) = tags::text(rest) else { return Ok(Piece::NotPlain) };
                self.place += words.len();
                self.laxness.text(words, at);
                self.push(Cow::Borrowed(words), at)?;
                Ok(Piece::Through)
            }
        }
    }

    /// Reads an event with the parser.
    fn parsed(&mut self) -> Result<Piece<'a>, Error> {
        let at = self.at();
        *self.reader.get_mut() = &self.body.as_bytes()[self.place..];
        // It counts only what it has read itself.
        let counted = self.reader.buffer_position() as usize;
        let event = self.reader.read_event().map_err(|e| {
            let wrong = self.reader.error_position() as usize;
            self.error((wrong + at).saturating_sub(counted), e.to_string())
        })?;
        self.place = self.body.len() - self.reader.get_ref().len();
        self.between = match &event {
            Event::Start(_) => !self.body[..self.place].ends_with("/>"),
            Event::End(_) | Event::Comment(_) | Event::PI(_) => true,
            Event::Decl(_) | Event::DocType(_) => true,
            _ => false,
        };
        match event {
            Event::Start(e) => return Ok(Piece::Token(self.start(&e, at)?)),
            Event::End(e) => {
                self.close(e.name().as_ref(), at)?;
                return Ok(Piece::Token(XmlToken::Close));
            }
            Event::Eof if !self.open.is_empty() => {
                return Err(self.error(at, "the file ends inside an element"));
            }
            Event::Eof => return Ok(Piece::Token(XmlToken::End)),
            Event::Text(t) => {
                self.laxness.text(&t, at);
                self.push(t.xml10_content(), at)?;
            }
            Event::CData(t) => {
                self.laxness.characters(&t, at);
                self.push(t.xml10_content(), at)?;
            }
            Event::GeneralRef(r) => {
                let c = self.entity(&r, at)?;
                self.laxness.characters(&c, at);
                self.push(c, at)?;
            }
            Event::Comment(c) => self.laxness.comment(&c, at),
            Event::Decl(d) => self.laxness.declaration(&d, at, self.source),
            Event::DocType(d) => self.laxness.document_type(&d, at),
            Event::PI(_) | Event::Empty(_) => {}
        }
        Ok(Piece::Through)
    }

    /// The text of an entity.
    fn entity(&self, r: &BytesRef<'_>, at: usize) -> Result<Cow<'a, str>, Error> {
        match r.resolve_char_ref() {
            Ok(Some(c)) => Ok(Cow::Owned(c.to_string())),
            Ok(None) => quick_xml::escape::resolve_predefined_entity(r)
                .map(Cow::Borrowed)
                .ok_or_else(|| self.error(at, format!("the entity &{}; is not defined", &**r))),
            Err(e) => Err(self.error(at, e.to_string())),
        }
    }

    /// Reads the rest, which is not of the document, and tells what of the file is not as XML
    /// demands.
    ///
    /// # Errors
    /// As [`XmlReader::next`].
    pub(super) fn finish(&mut self) -> Result<Vec<Diagnostic>, Error> {
        while !matches!(self.next()?, XmlToken::End) {}
        Ok(std::mem::take(&mut self.laxness).diagnostics(self.source))
    }

    /// Bytes of the file.
    pub(super) fn len(&self) -> usize {
        self.source.text().len()
    }

    /// Byte offset of what comes next.
    pub(super) fn at(&self) -> usize {
        self.place + self.base
    }

    fn push(&mut self, words: Cow<'a, str>, at: usize) -> Result<(), Error> {
        if self.open.is_empty() {
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

    /// An element opens.
    fn enter(&mut self, name: &'a str, at: usize) -> Result<(), Error> {
        self.roots += usize::from(self.open.is_empty());
        if self.roots > 1 {
            return Err(self.error(at, "there is a second root element"));
        }
        self.open.push(name);
        if self.open.len() > MAX_DEPTH {
            return Err(self.error(at, "elements nest too deep"));
        }
        Ok(())
    }

    /// The innermost element closes by the name at `at`.
    fn close(&mut self, found: &str, at: usize) -> Result<(), Error> {
        let wrong = match self.open.pop() {
            Some(name) if name == found => return Ok(()),
            Some(name) => {
                IllFormedError::MismatchedEndTag { expected: name.into(), found: found.into() }
            }
            None => IllFormedError::UnmatchedEndTag(found.into()),
        };
        Err(self.error(at, quick_xml::Error::IllFormed(wrong).to_string()))
    }

    fn start(&mut self, e: &BytesStart<'_>, at: usize) -> Result<XmlToken<'a>, Error> {
        // The content of the event is in the source after its `<`. Slices of the source outlive the
        // event.
        let tag: &'a str = &self.source.text()[at + 1..][..e.len()];
        let name = &tag[..e.name().as_ref().len()];
        self.enter(name, at)?;
        self.laxness.name(tag, at);
        let mut attributes = Attributes::default();
        let place = |key: &str| key.as_ptr() as usize - tag.as_ptr() as usize;
        // Names used twice are looked for here, in the list that is made anyway.
        for a in RawAttributes::new(tag, name.len()).with_checks(false) {
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
            if attributes.0.len() == tags::MAX_ATTRIBUTES {
                return Err(self.error(at, "an element has too many attributes"));
            }
            attributes.0.push((key, self.without_prefix(key, value)));
        }
        Ok(XmlToken::Open(local(name), attributes, at))
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

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

/// White space in XML.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Text by the rule of our TEI: blanks beside tags mean nothing, blanks within text are one blank.
pub(super) fn collapse(words: &str, into: &mut String) {
    let words = words.trim_matches(is_blank);
    // Most text has no blank; to look at all bytes is the fastest way to see that.
    if !words.bytes().fold(false, |found, b| found | (b <= b' ')) {
        return into.push_str(words);
    }
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

    /// How many characters of its text, and of that of the elements inside, are no punctuation.
    pub(super) fn content(&self) -> usize {
        let own = self.text.chars().filter(|c| is_content(*c)).count();
        own + self.children.iter().map(XmlNode::content).sum::<usize>()
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
