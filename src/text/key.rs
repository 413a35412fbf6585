//! A text as its comparable characters, each with its place.

mod packed;

use std::ops::Range;

pub use self::packed::PackedKey;
use super::{class::is_content, fold::fold, graphemes::is_boundary};
use crate::source::Span;

/// The content characters of some spans, folded, and the place of each. Punctuation, blanks and
/// markup are left out, so that text matches across line ends and in spite of different
/// punctuation.
///
/// ```
/// use zhushu::{source::Span, text::Key};
/// let text = "一純以取,實於左手。";
/// let key = Key::of(text, Span::new(0, text.len()));
/// assert_eq!(key.len(), 8);
/// assert_eq!(&text[key.span(2, 5).range()], "以取,實");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Key {
    /// Folded characters.
    pub chars: Vec<char>,
    /// Byte offset of each in the source.
    pub at: Vec<u32>,
    /// Bytes of each.
    lengths: Lengths,
}

/// Lengths in bytes. Those that do not fit into a byte are kept apart: of characters with very many
/// marks.
#[derive(Clone, Debug, Default)]
struct Lengths {
    short: Vec<u8>,
    /// By the number of the character, in order.
    long: Vec<(u32, u32)>,
}

/// Stands for a length that is kept apart.
const LONG: u8 = u8::MAX;

impl Lengths {
    fn of(&self, n: usize) -> usize {
        match self.short[n] {
            LONG => {
                let found = self.long.binary_search_by_key(&(n as u32), |(n, _)| *n);
                found.map_or(0, |at| self.long[at].1 as usize)
            }
            length => usize::from(length),
        }
    }

    fn push(&mut self, length: u32) {
        match u8::try_from(length) {
            Ok(short) if short != LONG => self.short.push(short),
            _ => {
                self.long.push((self.short.len() as u32, length));
                self.short.push(LONG);
            }
        }
    }

    /// Replaces the last one.
    fn set_last(&mut self, length: u32) {
        if self.short.pop() == Some(LONG) {
            self.long.pop();
        }
        self.push(length);
    }

    fn append(&mut self, other: Lengths) {
        let before = self.short.len() as u32;
        self.short.extend(other.short);
        self.long.extend(other.long.into_iter().map(|(n, length)| (n + before, length)));
    }
}

impl Key {
    /// The key of one span of `text`.
    pub fn of(text: &str, span: Span) -> Self {
        let mut key = Key::default();
        key.push(text, span);
        key
    }

    /// The key of several spans, concatenated in this order.
    pub fn of_spans(text: &str, spans: impl IntoIterator<Item = Span>) -> Self {
        let mut key = Key::default();
        for span in spans {
            key.push(text, span);
        }
        key
    }

    /// Adds the characters of another span. A variation selector or combining mark is not a
    /// separate character of the key: it belongs to the character before it, so that no span of the
    /// key cuts between them. An entity such as `&KR0925;`, which represents a character that
    /// Unicode lacks, counts as one character; [scraps](scrap) do not count.
    pub fn push(&mut self, text: &str, span: Span) {
        let first = self.chars.len();
        // Most characters have three bytes.
        let room = span.len() / 3;
        self.chars.reserve(room);
        self.at.reserve(room);
        self.lengths.short.reserve(room);
        let mut done = span.start();
        for (i, c) in text[span.range()].char_indices() {
            let at = span.start() + i;
            let end = (at + c.len_utf8()) as u32;
            if at < done {
                continue;
            }
            // Most characters are of this block; no entity or scrap begins with one.
            if matches!(c, '\u{4E00}'..='\u{9FFF}') {
                self.add(fold(c), at as u32, end);
            } else if c == '&'
                && let Some(n) = entity(&text[at..span.end()])
            {
                done = at + n;
                self.add(private_use(&text[at..done]), at as u32, done as u32);
            } else if let Some(n) = scrap(&text[at..span.end()]) {
                done = at + n;
            } else if is_content(c) {
                self.add(fold(c), at as u32, end);
            } else if self.chars.len() > first
                && self.end(self.len() - 1) == at
                && !is_boundary(text, at)
            {
                self.lengths.set_last(end - self.at[self.len() - 1]);
            }
        }
    }

    /// Adds the characters of another key.
    pub fn append(&mut self, other: Key) {
        self.chars.extend(other.chars);
        self.at.extend(other.at);
        self.lengths.append(other.lengths);
    }

    /// Some of its characters.
    pub fn part(&self, range: Range<usize>) -> Key {
        let mut part = Key { chars: self.chars[range.clone()].to_vec(), ..Key::default() };
        part.at = self.at[range.clone()].to_vec();
        range.for_each(|n| part.lengths.push(self.lengths.of(n) as u32));
        part
    }

    /// Removes all characters, and keeps the room for others.
    pub fn clear(&mut self) {
        self.chars.clear();
        self.at.clear();
        self.lengths.short.clear();
        self.lengths.long.clear();
    }

    /// Gives up room that is not used.
    pub fn shrink_to_fit(&mut self) {
        self.chars.shrink_to_fit();
        self.at.shrink_to_fit();
        self.lengths.short.shrink_to_fit();
    }

    fn add(&mut self, c: char, at: u32, end: u32) {
        self.chars.push(c);
        self.at.push(at);
        self.lengths.push(end - at);
    }

    /// Number of characters.
    pub fn len(&self) -> usize {
        self.chars.len()
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }

    /// Byte offset of the end of character `n`.
    pub fn end(&self, n: usize) -> usize {
        self.at[n] as usize + self.lengths.of(n)
    }

    /// The span of the source from character `from` to character `to` (exclusive; `from < to`).
    pub fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.at[from] as usize, self.end(to - 1))
    }

    /// Index of the first character at or after byte `at`. Only for keys of spans in ascending
    /// order.
    pub fn index_at(&self, at: usize) -> usize {
        self.at.partition_point(|&a| (a as usize) < at)
    }
}

/// The characters of a text and where each is.
pub trait CharPlaces {
    /// The bytes of character `n`.
    fn char_span(&self, n: usize) -> Span;
}

impl CharPlaces for Key {
    fn char_span(&self, n: usize) -> Span {
        self.span(n, n + 1)
    }
}

/// Bytes of the scrap with which `text` begins, if there is one: a page mark
/// (`<pb:KR1d0026_SBCK_006-1b>`), a tag of a page, or pinyin in brackets that a web page put after
/// a character (`(yue)`). Its letters are not part of the text.
pub fn scrap(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(['<', '(', '（'])?;
    let open = text.len() - rest.len();
    if let Some(page) = text.strip_prefix("<pb:") {
        let inner = page.find(['>', '\n']).filter(|n| page[*n..].starts_with('>'))?;
        return Some("<pb:".len() + inner + 1);
    }
    if text.starts_with('<') {
        return tag(text);
    }
    let latin = |c: char| {
        c.is_alphabetic() && (c as u32) < 0x250
            || matches!(c as u32, 0x300..=0x36F | 0x1E00..=0x1EFF)
    };
    let letters = rest.chars().take_while(|c| latin(*c)).take(MAX_PINYIN_CHARS + 1);
    let (n, bytes) = letters.fold((0, 0), |(n, bytes), c| (n + 1, bytes + c.len_utf8()));
    let tail = rest[bytes..].strip_prefix(['1', '2', '3', '4', '5']).unwrap_or(&rest[bytes..]);
    let close = tail.chars().next().filter(|c| matches!(c, ')' | '）'))?;
    (1..=MAX_PINYIN_CHARS).contains(&n).then(|| open + rest.len() - tail.len() + close.len_utf8())
}

/// Bytes of the tag that `text`, which has a `<`, begins with.
fn tag(text: &str) -> Option<usize> {
    let name = text[1..].strip_prefix('/').unwrap_or(&text[1..]);
    let end = text.bytes().skip(1).take(MAX_TAG_BYTES).position(|b| matches!(b, b'<' | b'>'))? + 1;
    let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic());
    (is_tag && text.as_bytes()[end] == b'>').then_some(end + 1)
}

/// Bytes of a tag; a longer one is text.
const MAX_TAG_BYTES: usize = 400;
/// Letters and tone marks of a syllable.
const MAX_PINYIN_CHARS: usize = 8;

/// Bytes of the entity that `text` begins with.
fn entity(text: &str) -> Option<usize> {
    let name = text[1..].bytes().take_while(u8::is_ascii_alphanumeric).count();
    ((2..=12).contains(&name) && text.as_bytes().get(name + 1) == Some(&b';')).then_some(name + 2)
}

/// A private-use character of plane 16 for an entity, the same for the same name.
fn private_use(entity: &str) -> char {
    let hash = entity.bytes().fold(0u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b)));
    char::from_u32(0x10_0000 + hash % 0xFFFD).unwrap_or('\u{10FFFD}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_and_marks_belong_to_the_character_before() {
        let text = "葛\u{E0100}城、\u{FE00}e\u{301}";
        let key = Key::of(text, Span::new(0, text.len()));
        assert_eq!(key.chars, ['葛', '城', 'e']);
        assert_eq!(&text[key.span(0, 1).range()], "葛\u{E0100}");
        assert_eq!(&text[key.span(1, 2).range()], "城");
        assert_eq!(&text[key.span(2, 3).range()], "e\u{301}");
    }

    #[test]
    fn a_character_may_have_any_number_of_marks() {
        let long = format!("e{}", "\u{301}".repeat(200));
        let text = format!("{long}甲{long}乙");
        let mut key = Key::of(&text, Span::new(0, long.len() + 3));
        key.append(Key::of(&text, Span::new(long.len() + 3, text.len())));
        let words: Vec<&str> = (0..key.len()).map(|n| &text[key.span(n, n + 1).range()]).collect();
        assert_eq!(words, [&*long, "甲", &*long, "乙"]);
    }

    #[test]
    fn an_entity_is_one_character() {
        let text = "當&KR0925;北面,a&b;c&;";
        let key = Key::of(text, Span::new(0, text.len()));
        assert_eq!(key.len(), 7, "{:?}", key.chars);
        assert_eq!(&text[key.span(1, 2).range()], "&KR0925;");
        let again = Key::of("&KR0925;", Span::new(0, 8));
        assert_eq!(again.chars[0], key.chars[1]);
    }

    #[test]
    fn scraps_are_not_text() {
        let text = "燕(yàn4)飲)¶\n<pb:KR1d0026_SBCK_006-1b>¶\n(之（fa）法(a note too long)";
        let key = Key::of(text, Span::new(0, text.find("(a").unwrap()));
        assert_eq!(key.chars.iter().collect::<String>(), "燕飲之法");
        for no in ["(yue", "()", "(a note)", "<pb:x", "<b", "<骨玄>", "(注)", "yue"] {
            assert_eq!(scrap(no), None, "{no}");
        }
    }

    #[test]
    fn a_span_does_not_reach_beyond_itself() {
        let key = Key::of("葛\u{E0100}城", Span::new(0, 3));
        assert_eq!(key.span(0, 1), Span::new(0, 3));
    }
}
