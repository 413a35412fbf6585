//! UTF-16 and UTF-32. `encoding_rs` does not write UTF-16 and does not know UTF-32: the web does
//! not send them.

/// One of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wide {
    /// Four bytes a unit, not two.
    four: bool,
    /// The first byte is the highest.
    big: bool,
}

impl Wide {
    pub(super) const UTF_16LE: Self = Wide { four: false, big: false };
    pub(super) const UTF_16BE: Self = Wide { four: false, big: true };
    pub(super) const UTF_32LE: Self = Wide { four: true, big: false };
    pub(super) const UTF_32BE: Self = Wide { four: true, big: true };

    pub(super) fn name(self) -> &'static str {
        match (self.four, self.big) {
            (false, false) => "UTF-16LE",
            (false, true) => "UTF-16BE",
            (true, false) => "UTF-32LE",
            (true, true) => "UTF-32BE",
        }
    }

    pub(super) fn is_utf32(self) -> bool {
        self.four
    }

    pub(super) fn encode(self, text: &str) -> Vec<u8> {
        match (self.four, self.big) {
            (false, false) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            (false, true) => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            (true, false) => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
            (true, true) => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        }
    }

    /// The characters with their bytes; `None` for a lone surrogate, for what is no code point, and
    /// for odd bytes at the end.
    pub(super) fn chars(self, bytes: &[u8]) -> impl Iterator<Item = (Option<char>, &[u8])> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = at;
            if start == bytes.len() {
                return None;
            }
            let (c, len) = if self.four { self.one32(bytes, at) } else { self.one16(bytes, at) };
            at = bytes.len().min(start + len);
            Some((c, &bytes[start..at]))
        })
    }

    fn one16(self, bytes: &[u8], at: usize) -> (Option<char>, usize) {
        let unit = |i: usize| {
            let pair = [*bytes.get(i)?, *bytes.get(i + 1)?];
            Some(if self.big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
        };
        let Some(first) = unit(at) else { return (None, 2) };
        let decoded =
            |units: &[u16]| char::decode_utf16(units.iter().copied()).next().and_then(Result::ok);
        match decoded(&[first]) {
            Some(c) => (Some(c), 2),
            None => match unit(at + 2).and_then(|second| decoded(&[first, second])) {
                Some(c) => (Some(c), 4),
                None => (None, 2),
            },
        }
    }

    fn one32(self, bytes: &[u8], at: usize) -> (Option<char>, usize) {
        let Some(Ok(unit)) = bytes.get(at..at + 4).map(<[u8; 4]>::try_from) else {
            return (None, 4);
        };
        let unit = if self.big { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) };
        (char::from_u32(unit), 4)
    }
}
