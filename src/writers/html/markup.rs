//! Writing HTML that cannot go wrong: tags balance by construction, and nothing but the program's
//! own words gets in unescaped, because names of tags and attributes are `&'static str` and all
//! else is escaped on its way.
//!
//! What comes out is XML as well as HTML (void elements closed, attributes with values), so that
//! the same markup can go into an EPUB and be checked by an XML parser. Characters that act on the
//! page instead of being seen (directions, zero widths, controls) and signs for lost or uncoded
//! characters are shown as labelled boxes.

use std::fmt::{self, Display, Write as _};
use std::io;

/// Bytes kept before they are passed on.
const CHUNK: usize = 1 << 16;

/// Writes tags and text. An error of the receiver is kept and given by [`Html::finish`].
pub(crate) struct Html<'w> {
    to: &'w mut dyn io::Write,
    buffer: String,
    open: Vec<&'static str>,
    /// How the tag being written will end, if there is one.
    tag: Option<&'static str>,
    failed: Option<io::Error>,
}

impl<'w> Html<'w> {
    /// Writes to `to`.
    pub(crate) fn new(to: &'w mut dyn io::Write) -> Self {
        Html {
            to,
            buffer: String::with_capacity(CHUNK * 2),
            open: Vec::new(),
            tag: None,
            failed: None,
        }
    }

    /// Opens an element; attributes may follow.
    pub(crate) fn open(&mut self, name: &'static str) -> &mut Self {
        self.end_tag();
        self.buffer.push('<');
        self.buffer.push_str(name);
        self.open.push(name);
        self.tag = Some(">");
        self
    }

    /// An element without content; attributes may follow.
    pub(crate) fn void(&mut self, name: &'static str) -> &mut Self {
        self.end_tag();
        self.buffer.push('<');
        self.buffer.push_str(name);
        self.tag = Some("/>");
        self
    }

    /// An attribute of the tag just opened.
    pub(crate) fn attr(&mut self, name: &'static str, value: impl Display) -> &mut Self {
        debug_assert!(self.tag.is_some(), "attribute {name} outside a tag");
        self.buffer.push(' ');
        self.buffer.push_str(name);
        self.buffer.push_str("=\"");
        // Writing to a string does not fail.
        let _ = write!(Escaped(&mut self.buffer), "{value}");
        self.buffer.push('"');
        self
    }

    /// An attribute if there is a value.
    pub(crate) fn maybe(&mut self, name: &'static str, value: Option<impl Display>) -> &mut Self {
        match value {
            Some(v) => self.attr(name, v),
            None => self,
        }
    }

    /// Text of the program or of metadata.
    pub(crate) fn text(&mut self, words: impl Display) -> &mut Self {
        self.end_tag();
        let _ = write!(Escaped(&mut self.buffer), "{words}");
        self
    }

    /// Closes the element opened last.
    pub(crate) fn close(&mut self) -> &mut Self {
        self.end_tag();
        if let Some(name) = self.open.pop() {
            self.buffer.push_str("</");
            self.buffer.push_str(name);
            self.buffer.push('>');
        }
        self
    }

    /// An element with nothing but text.
    pub(crate) fn element(&mut self, name: &'static str, words: impl Display) -> &mut Self {
        self.open(name).text(words).close()
    }

    /// A line end between blocks, where white space means nothing; passes on what has gathered.
    pub(crate) fn line(&mut self) -> &mut Self {
        self.end_tag();
        self.buffer.push('\n');
        if self.buffer.len() >= CHUNK {
            self.flush();
        }
        self
    }

    /// A style sheet or script of the program, as it is: the `&'static str` keeps everything else
    /// out.
    pub(crate) fn own(&mut self, words: &'static str) -> &mut Self {
        self.end_tag();
        self.buffer.push_str(words);
        self
    }

    /// Words of a source. Line ends between Chinese characters go (HTML would show a blank there).
    pub(crate) fn words(&mut self, words: &str) -> &mut Self {
        self.end_tag();
        let mut rest = words;
        while let Some(at) = rest.find(is_special) {
            let _ = Escaped(&mut self.buffer).write_str(&rest[..at]);
            let before = rest[..at].chars().next_back();
            rest = &rest[at..];
            let len = self.special(rest, before);
            rest = &rest[len..];
        }
        let _ = Escaped(&mut self.buffer).write_str(rest);
        self
    }

    /// Writes what `rest` begins with; gives its length in bytes.
    fn special(&mut self, rest: &str, before: Option<char>) -> usize {
        let Some(c) = rest.chars().next() else { return 0 };
        let len = c.len_utf8();
        if matches!(c, '\n' | '\r') {
            let after = rest[len..].chars().next();
            if before.is_some_and(|b| b.is_ascii_alphanumeric())
                && after.is_some_and(|a| a.is_ascii_alphanumeric())
            {
                self.buffer.push(' ');
            }
            return len;
        }
        if c == '&' {
            let Some(entity) = entity(rest) else {
                self.buffer.push_str("&amp;");
                return len;
            };
            let title =
                "字庫外字 a character named by an entity, not in Unicode when the file was made";
            self.boxed("abbr", "gaiji", title, entity);
            return entity.len();
        }
        match c {
            '■' | '□' | '●' | '\u{FFFD}' => self.boxed(
                "abbr",
                "lost",
                "闕字 a character lost or unreadable in the source",
                &rest[..len],
            ),
            c if is_private(c) => {
                let title = format_args!("U+{:04X} 私用區外字 a private-use character", c as u32);
                self.named("gaiji private", title, c);
            }
            c if is_rare(c) => {
                let title = format_args!(
                    "U+{:04X} 罕用字,字型或缺 a rare character that fonts may lack",
                    c as u32
                );
                self.named("rare", title, c);
            }
            c => {
                let title = format_args!(
                    "U+{:04X} {}",
                    c as u32,
                    if is_legal(c) {
                        "不可見字元 an invisible character"
                    } else {
                        "控制字元 a control character"
                    }
                );
                let words = if is_legal(c) { &rest[..len] } else { "\u{FFFD}" };
                self.boxed("bdi", "ctl", title, words);
            }
        }
        len
    }

    fn boxed(&mut self, name: &'static str, class: &'static str, title: impl Display, words: &str) {
        self.open(name).attr("class", class).attr("title", title).text(words).close();
    }

    /// A character that may have no glyph: its number is shown with it or in its place.
    fn named(&mut self, class: &'static str, title: impl Display, c: char) {
        self.open("abbr")
            .attr("class", class)
            .attr("data-u", format_args!("U+{:04X}", c as u32))
            .attr("title", title);
        self.text(c).close();
    }

    /// Passes on what is left.
    ///
    /// # Errors
    /// The first error of the receiver.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.end_tag();
        debug_assert!(self.open.is_empty(), "left open: {:?}", self.open);
        self.flush();
        self.failed.map_or(Ok(()), Err)
    }

    fn end_tag(&mut self) {
        if let Some(end) = self.tag.take() {
            self.buffer.push_str(end);
        }
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

/// Escapes for text and for attributes in double quotes. What XML forbids becomes U+FFFD.
struct Escaped<'a>(&'a mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, words: &str) -> fmt::Result {
        let mut rest = words;
        while let Some(at) =
            rest.find(|c| matches!(c, '&' | '<' | '>' | '"' | '\'') || !is_legal(c))
        {
            self.0.push_str(&rest[..at]);
            let c = rest[at..].chars().next().unwrap_or_default();
            self.0.push_str(match c {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&quot;",
                '\'' => "&#39;",
                _ => "\u{FFFD}",
            });
            rest = &rest[at + c.len_utf8()..];
        }
        self.0.push_str(rest);
        Ok(())
    }
}

/// True for what may stand in an XML document and is no control character.
fn is_legal(c: char) -> bool {
    !matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FDD0}'..='\u{FDEF}')
        && (c as u32) & 0xFFFE != 0xFFFE
}

/// True for the planes beyond the second, whose characters few systems have.
fn is_rare(c: char) -> bool {
    matches!(c, '\u{30000}'..='\u{3FFFD}')
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}

/// True for what does not stand for itself in the text of a page.
fn is_special(c: char) -> bool {
    match c {
        '\n' | '\r' | '&' | '■' | '□' | '●' | '\u{FFFD}' => true,
        '\u{AD}'
        | '\u{61C}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' => true,
        c => is_private(c) || is_rare(c) || !is_legal(c),
    }
}

/// The character entity that `words` begin with, such as `&KR0925;`, `&CB00178;` or `&CDP-8B7C;`.
fn entity(words: &str) -> Option<&str> {
    let end = words.bytes().take(32).position(|b| b == b';')?;
    let name = words.get(1..end)?;
    let sound = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'+'))
        && name.bytes().any(|b| b.is_ascii_digit());
    sound.then(|| &words[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let mut out = Vec::new();
        let mut html = Html::new(&mut out);
        html.words(text);
        html.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn hostile_words_come_out_as_words() {
        assert_eq!(
            words("<script>alert('x')</script>"),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"
        );
        assert_eq!(words("a&amp;b"), "a&amp;amp;b");
        assert_eq!(
            words("\u{202E}"),
            "<bdi class=\"ctl\" title=\"U+202E 不可見字元 an invisible character\">\u{202E}</bdi>"
        );
        assert!(words("a\0b").contains("U+0000"));
        assert!(!words("a\0b").contains('\0'));
    }

    #[test]
    fn signs_for_characters_are_labelled() {
        assert!(words("射&KR0925;之").contains(">&amp;KR0925;</abbr>之"));
        assert!(words("&ok;").starts_with("&amp;ok;"));
        assert!(words("\u{E000}").contains("data-u=\"U+E000\""));
        assert!(words("\u{30EDE}").contains("data-u=\"U+30EDE\""));
        assert!(words("■").starts_with("<abbr class=\"lost\""));
    }

    #[test]
    fn line_ends_leave_no_blank_between_characters() {
        assert_eq!(words("左賢于右。\n”"), "左賢于右。”");
        assert_eq!(words("two\nwords"), "two words");
    }

    #[test]
    fn attributes_are_escaped_and_tags_balance() {
        let mut out = Vec::new();
        let mut html = Html::new(&mut out);
        html.open("a").attr("title", "\"><script>").void("br").text("<").close();
        html.finish().unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "<a title=\"&quot;&gt;&lt;script&gt;\"><br/>&lt;</a>"
        );
    }
}
