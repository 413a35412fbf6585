//! The encodings that files have: those of the WHATWG Encoding Standard, and others that are no
//! longer allowed on web pages but are found on old discs, in mail and in damaged files.

use encoding_rs::{BIG5_INIT, EUC_KR_INIT, Encoding, GB18030, GB18030_INIT, SHIFT_JIS_INIT, UTF_8};

use super::escaped::Escaped;
use super::twice::Twice;
use super::wide::Wide;

/// An encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// UTF-8.
    Utf8,
    /// UTF-16 or UTF-32.
    Wide(Wide),
    /// Seven bits, with escapes.
    Escaped(Escaped),
    /// UTF-8 that was read in another encoding, and saved as UTF-8 again.
    Twice(Twice),
    /// Another of the Standard.
    Table(&'static Encoding),
}

/// Encodings that the Standard lacks or has by other names only.
const OWN_LABELS: [(&str, Charset); 25] = [
    ("gb18030-2005", Charset::Table(&GB18030_INIT)),
    ("gb18030-2022", Charset::Table(&GB18030_INIT)),
    ("gb-18030", Charset::Table(&GB18030_INIT)),
    ("cp936", Charset::Table(&GB18030_INIT)),
    ("cp950", Charset::Table(&BIG5_INIT)),
    ("cp932", Charset::Table(&SHIFT_JIS_INIT)),
    ("cp949", Charset::Table(&EUC_KR_INIT)),
    ("hkscs", Charset::Table(&BIG5_INIT)),
    ("big5hkscs", Charset::Table(&BIG5_INIT)),
    ("utf16", Charset::Wide(Wide::UTF_16LE)),
    ("utf16-le", Charset::Wide(Wide::UTF_16LE)),
    ("utf16le", Charset::Wide(Wide::UTF_16LE)),
    ("utf16-be", Charset::Wide(Wide::UTF_16BE)),
    ("utf16be", Charset::Wide(Wide::UTF_16BE)),
    ("utf-32", Charset::Wide(Wide::UTF_32LE)),
    ("utf32", Charset::Wide(Wide::UTF_32LE)),
    ("utf-32le", Charset::Wide(Wide::UTF_32LE)),
    ("utf-32be", Charset::Wide(Wide::UTF_32BE)),
    ("hz", Charset::Escaped(Escaped::Hz)),
    ("hz-gb-2312", Charset::Escaped(Escaped::Hz)),
    ("iso2022-jp", Charset::Escaped(Escaped::Iso2022Jp)),
    ("iso-2022-jp", Charset::Escaped(Escaped::Iso2022Jp)),
    ("utf-8-twice", Charset::Twice(Twice::Windows1252)),
    ("utf-8-twice-latin1", Charset::Twice(Twice::Latin1)),
    ("utf-8-twice-gbk", Charset::Twice(Twice::Gbk)),
];

/// A list of encoding labels, for hints.
pub(crate) const LABELS: &str = "names as in the WHATWG Encoding Standard: utf-8, gb18030, big5, \
                                 utf-16le, shift_jis …; also hz, utf-32le, utf-8-twice";

/// The encoding with this label: one of the WHATWG Encoding Standard, or of those that it lacks.
/// GBK and GB2312 are read as GB18030, which contains them: files often use characters outside the
/// smaller set.
pub(crate) fn by_label(label: &str) -> Option<Charset> {
    let hyphens = label.trim().to_ascii_lowercase().replace('_', "-");
    if let Some((_, charset)) = OWN_LABELS.iter().find(|(own, _)| *own == hyphens) {
        return Some(*charset);
    }
    let known = Encoding::for_label(label.as_bytes());
    let known = known.or_else(|| Encoding::for_label(hyphens.as_bytes()))?;
    match known.name() {
        "UTF-8" => Some(Charset::Utf8),
        "UTF-16LE" => Some(Charset::Wide(Wide::UTF_16LE)),
        "UTF-16BE" => Some(Charset::Wide(Wide::UTF_16BE)),
        "ISO-2022-JP" => Some(Charset::Escaped(Escaped::Iso2022Jp)),
        "GBK" => Some(Charset::Table(GB18030)),
        "replacement" => None,
        _ => Some(Charset::Table(known)),
    }
}

impl Charset {
    /// Its name, which is also a label.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Charset::Utf8 => UTF_8.name(),
            Charset::Wide(wide) => wide.name(),
            Charset::Escaped(escaped) => escaped.name(),
            Charset::Twice(twice) => twice.name(),
            Charset::Table(encoding) => encoding.name(),
        }
    }

    /// The bytes of a text. What the encoding lacks becomes something else.
    pub(super) fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Charset::Utf8 => text.as_bytes().to_vec(),
            Charset::Wide(wide) => wide.encode(text),
            Charset::Escaped(escaped) => escaped.encode(text),
            Charset::Twice(twice) => twice.encode(text),
            Charset::Table(encoding) => encoding.encode(text).0.into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_a_label() {
        let all = OWN_LABELS.iter().map(|(_, charset)| *charset);
        let more = ["utf-8", "gbk", "big5", "shift_jis", "euc-jp", "euc-kr", "windows-1252"];
        for charset in all.chain(more.iter().filter_map(|l| by_label(l))) {
            assert_eq!(by_label(charset.name()), Some(charset), "{}", charset.name());
        }
        assert_eq!(by_label("GB_2312-80").map(Charset::name), Some("gb18030"));
        assert_eq!(by_label("iso-2022-cn"), None);
    }
}
