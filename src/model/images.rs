//! Where images of the leaves of the print are: what a manifest says of them, or the file itself.
//!
//! An address comes from people and from files of others, and a page makes a link of it: only
//! `http`, `https` and relative addresses are taken.

use std::borrow::Cow;
use std::sync::LazyLock;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use regex::Regex;

use super::SharedList;
use crate::text::pattern;

/// Images of leaves, from one source.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum LeafImages {
    /// An address with parts of a leaf's name in it: `https://…/{volume:03}/{page}{side}.jpg`.
    Pattern(String),
    /// The image of each leaf, by the names of the leaves.
    Listed(SharedList<LeafImage>),
}

/// The image of one leaf.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LeafImage {
    /// The leaf, as the list names it; for a pattern its number.
    pub leaf: String,
    /// The address of the image.
    pub address: String,
    /// Width and height in pixels, if they are known.
    pub size: Option<(u32, u32)>,
}

/// What a pattern may name, each with what it is.
pub(crate) const LEAF_PARTS: [&str; 7] =
    ["edition", "text", "siglum", "leaf", "volume", "page", "side"];

/// A part of a leaf's name in a pattern, with the least number of its digits.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\{(?P<name>[^{}:]*)(?::0?(?P<digits>[^{}]*))?\}"));
/// A leaf's number: volume, page and side.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:(?P<volume>.+)[-_.])?(?P<page>\d+)(?P<side>[A-Za-z]?)$"));

/// All but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The name of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeafName<'a> {
    /// The edition, if it is named: `KR1d0026_SBCK`.
    pub(crate) edition: Option<&'a str>,
    /// The number, as it is written: `006-1b`.
    pub(crate) number: &'a str,
}

impl<'a> LeafName<'a> {
    /// True if words mean it: `SBCK 6-1b`, `006-1b`. Zeros before a number do not count, and a part
    /// of the edition's name is enough.
    pub(crate) fn is_called(self, words: &str) -> bool {
        let mut words: Vec<&str> = words.split([' ', '_', '\u{3000}']).collect();
        if words.pop().is_none_or(|last| number_key(last) != number_key(self.number)) {
            return false;
        }
        let edition = self.edition.unwrap_or_default();
        words.iter().all(|word| edition.split('_').any(|part| part.eq_ignore_ascii_case(word)))
    }

    /// A part of it.
    fn part(self, name: &str) -> Option<&'a str> {
        let edition = self.edition.filter(|e| !e.is_empty());
        let number = || NUMBER.captures(self.number);
        match name {
            "edition" => edition,
            "text" => Some(edition?.split_once('_')?.0),
            "siglum" => edition.map(|e| e.rsplit_once('_').map_or(e, |(_, siglum)| siglum)),
            "leaf" => Some(self.number),
            "volume" | "page" | "side" => Some(number()?.name(name)?.as_str()),
            _ => None,
        }
    }
}

/// A number without zeros before it, in small letters.
fn number_key(number: &str) -> String {
    number.trim_start_matches('0').to_lowercase()
}

impl LeafImages {
    /// A list. It is in the order of the leaves' numbers, so that a leaf is found in it soon.
    pub(crate) fn listed(mut images: Vec<LeafImage>) -> Self {
        images.sort_by_cached_key(LeafImage::key);
        LeafImages::Listed(images.into())
    }

    /// The image of a leaf.
    pub(crate) fn of(&self, leaf: LeafName<'_>) -> Option<LeafImage> {
        match self {
            LeafImages::Pattern(pattern) => {
                let address = filled(pattern, leaf)?;
                let leaf = leaf.number.to_string();
                is_address(&address).then_some(LeafImage { leaf, address, size: None })
            }
            LeafImages::Listed(list) => {
                let key = number_key(leaf.number);
                let first = list.partition_point(|image| image.key() < key);
                let same = list[first..].iter().take_while(|image| image.key() == key);
                same.into_iter().find(|image| leaf.is_called(&image.leaf)).cloned()
            }
        }
    }

    /// The image that the file itself has under an id.
    pub(crate) fn with_id(&self, id: &str) -> Option<LeafImage> {
        let LeafImages::Listed(list) = self else { return None };
        let key = number_key(id);
        let first = list.partition_point(|image| image.key() < key);
        list[first..].iter().take_while(|i| i.key() == key).find(|i| i.leaf == id).cloned()
    }
}

impl LeafImage {
    fn key(&self) -> String {
        number_key(self.leaf.rsplit([' ', '_', '\u{3000}']).next().unwrap_or_default())
    }
}

/// The address of a leaf by a pattern; `None` if the leaf has not all that the pattern names.
fn filled(pattern: &str, leaf: LeafName<'_>) -> Option<String> {
    let mut out = String::with_capacity(pattern.len());
    let mut at = 0;
    for place in PLACE.captures_iter(pattern) {
        let (all, name) = (place.get(0)?, place.name("name")?.as_str());
        out.push_str(&pattern[at..all.start()]);
        at = all.end();
        let value = leaf.part(name)?;
        let is_number = matches!(name, "volume" | "page");
        let value = match value.parse::<u64>() {
            Ok(n) if is_number => {
                let digits = place.name("digits").and_then(|d| d.as_str().parse().ok());
                Cow::Owned(format!("{n:0width$}", width = digits.unwrap_or(0).min(9)))
            }
            _ => Cow::Borrowed(value),
        };
        out.extend(utf8_percent_encode(&value, RESERVED));
    }
    out.push_str(&pattern[at..]);
    Some(out)
}

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PatternFault {
    /// Parts of a leaf have other names.
    UnknownPart(String),
    /// After the colon is no number of digits.
    NoDigits(String),
    /// Every leaf would have the same image.
    SameForAll,
    /// It is no address.
    NoAddress,
}

/// Checks a pattern.
pub(crate) fn check_pattern(pattern: &str) -> Result<(), PatternFault> {
    let mut is_of_leaf = false;
    for place in PLACE.captures_iter(pattern) {
        let name = &place["name"];
        if !LEAF_PARTS.contains(&name) {
            return Err(PatternFault::UnknownPart(name.to_string()));
        }
        is_of_leaf |= matches!(name, "leaf" | "page");
        if let Some(digits) = place.name("digits") {
            let count = digits.as_str().parse::<usize>();
            if !count.is_ok_and(|n| (1..=9).contains(&n)) {
                return Err(PatternFault::NoDigits(place[0].to_string()));
            }
        }
    }
    if !is_of_leaf {
        return Err(PatternFault::SameForAll);
    }
    let example = PLACE.replace_all(pattern, "1");
    if is_address(&example) { Ok(()) } else { Err(PatternFault::NoAddress) }
}

/// True for an address of an image that a page may name: `http`, `https`, or relative. Browsers
/// take white space and controls out of an address, and read a backslash as a slash, so these are
/// in none.
pub(crate) fn is_address(address: &str) -> bool {
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || r#"\"<>^`{|}"#.contains(c);
    if address.is_empty() || address.contains(is_odd) {
        return false;
    }
    let has = |scheme: &str| {
        let head = address.get(..scheme.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(scheme)) && address.len() > scheme.len()
    };
    if has("http://") || has("https://") {
        return true;
    }
    let first = address.split(['/', '?', '#']).next().unwrap_or_default();
    !first.contains(':') && !address.starts_with("//") && !address.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAF: LeafName<'_> = LeafName { edition: Some("KR1d0026_SBCK"), number: "006-1b" };

    #[test]
    fn a_pattern_is_filled_with_parts_of_the_name() {
        let of = |pattern: &str, leaf| {
            check_pattern(pattern).unwrap();
            LeafImages::Pattern(pattern.into()).of(leaf).map(|image| image.address)
        };
        let all = "https://a.org/{text}/{siglum}/{volume}/{page:03}{side}.jpg?x={leaf}";
        let want = "https://a.org/KR1d0026/SBCK/6/001b.jpg?x=006-1b";
        assert_eq!(of(all, LEAF).as_deref(), Some(want));
        let bare = LeafName { edition: None, number: "12" };
        assert_eq!(of("i/{page:4}{side}.png", bare).as_deref(), Some("i/0012.png"));
        assert_eq!(of("i/{volume}/{page}.png", bare), None);
        let odd = LeafName { edition: None, number: "../a:b" };
        assert_eq!(of("i/{leaf}", odd).as_deref(), Some("i/..%2Fa%3Ab"));
    }

    #[test]
    fn patterns_that_are_none_are_refused() {
        use PatternFault::{NoAddress, NoDigits, SameForAll, UnknownPart};
        assert_eq!(check_pattern("a/{seite}.jpg"), Err(UnknownPart("seite".into())));
        assert_eq!(check_pattern("a/{page:0x}.jpg"), Err(NoDigits("{page:0x}".into())));
        assert_eq!(check_pattern("a/{edition}.jpg"), Err(SameForAll));
        assert_eq!(check_pattern("javascript:alert({page})"), Err(NoAddress));
    }

    #[test]
    fn only_addresses_of_images_are_taken() {
        for good in ["https://a.org/1", "HTTP://a.org", "a/b.jpg", "../a.jpg", "/a", "a?b:c"] {
            assert!(is_address(good), "{good}");
        }
        for bad in [
            "",
            "javascript:x",
            "JavaScript:x",
            " javascript:x",
            "java\tscript:x",
            "data:image/png;,",
            "//a.org/x",
            "\\\\a.org",
            "http://",
            "file:///etc/passwd",
            "a b.jpg",
            "#s1",
            "vbscript:x",
        ] {
            assert!(!is_address(bad), "{bad}");
        }
    }

    #[test]
    fn a_list_has_the_leaf_by_any_of_its_names() {
        let image = |leaf: &str| LeafImage { leaf: leaf.into(), address: leaf.into(), size: None };
        let names = ["WYG 6-1b", "SBCK 6-1b", "6-1a", "#s1", "序"];
        let list = LeafImages::listed(names.map(image).to_vec());
        assert_eq!(list.of(LEAF).unwrap().leaf, "SBCK 6-1b");
        assert_eq!(list.of(LeafName { number: "006-1a", ..LEAF }).unwrap().leaf, "6-1a");
        assert_eq!(list.of(LeafName { number: "006-2a", ..LEAF }), None);
        assert_eq!(list.with_id("#s1").unwrap().leaf, "#s1");
    }
}
