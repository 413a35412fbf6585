//! Percent-encoding of file names and ids in addresses.
//!
//! Letters of all scripts stay as they are (an IRI), since people read these addresses. The crate
//! by itself would encode everything outside ASCII.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Letters and digits of ASCII stay, and `kept`; the rest is encoded.
const fn keeping(kept: &[u8]) -> AsciiSet {
    let mut encoded = NON_ALPHANUMERIC.remove(kept[0]);
    let mut i = 1;
    while i < kept.len() {
        encoded = encoded.remove(kept[i]);
        i += 1;
    }
    encoded
}

/// What is encoded in the reference to a TEI file.
const TEI: &AsciiSet = &keeping(b"-_.~()!$&'*+,;=@[]");

/// All but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &keeping(b"-_.~");

/// What is encoded in the reference to a page.
const PAGE: &AsciiSet = &keeping(b"-_.~(),+=@!");

/// `name` in a reference between TEI files.
pub(crate) fn tei(name: &str) -> String {
    encode(name, TEI, |c| !c.is_whitespace() && !c.is_control())
}

/// `name` in a reference between pages: it cannot lead out of the folder.
pub(crate) fn page(name: &str) -> String {
    encode(name, PAGE, char::is_alphanumeric)
}

/// `name` as one part of a URN.
pub(crate) fn urn_part(name: &str) -> String {
    encode(name, RESERVED, char::is_alphanumeric)
}

/// `name` as a relative URI, which has only ASCII.
pub(crate) fn uri(name: &str) -> String {
    utf8_percent_encode(name, RESERVED).to_string()
}

/// Encodes the ASCII characters in `set`, and all others that `keep` does not keep.
fn encode(name: &str, set: &'static AsciiSet, keep: fn(char) -> bool) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if !c.is_ascii() && keep(c) {
            out.push(c);
        } else {
            out.extend(utf8_percent_encode(c.encode_utf8(&mut [0; 4]), set));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_all_scripts_stay() {
        assert_eq!(tei("鄉射 禮:1\u{3000}%"), "鄉射%20禮%3A1%E3%80%80%25");
        assert_eq!(page("../鄉射 (禮)、"), "..%2F鄉射%20(禮)%E3%80%81");
        assert_eq!(urn_part("鄉射(禮)"), "鄉射%28禮%29");
        assert_eq!(uri("a-鄉.txt"), "a-%E9%84%89.txt");
    }
}
