//! Detects the encoding of bytes. Every candidate decodes them, and the one that gives the most
//! likely Chinese text wins.
//!
//! The measure is the length of the text in bits under a model of single characters: a common
//! character costs few bits, a rare one many, and bytes that do not decode cost more than any
//! character. So invalid bytes and rare characters are measured in one unit, and a single damaged
//! byte does not decide. The difference to the next candidate gives the certainty.

use encoding_rs::{BIG5_INIT, EUC_JP_INIT, EUC_KR_INIT, GB18030_INIT, SHIFT_JIS_INIT};

use super::charset::Charset;
use super::escaped::Escaped;
use super::tally::{Sample, Tally};
use super::twice::Twice;
use super::wide::Wide;

/// Bytes at the beginning of a file that are examined.
const SAMPLE: usize = 1 << 18;

/// Bytes that are examined first: they nearly always decide.
const HEAD: usize = 1 << 14;

/// By so many bits one candidate must be better than all others in the head, so that these are not
/// tried on the rest.
const CLEAR_BITS: f64 = 4096.0;

/// So many characters beyond ASCII that are valid in UTF-8 are so by no chance.
const NO_CHANCE: usize = 20;

/// Valid UTF-8 of which more than this share is odd may have been encoded twice.
const MAX_ODD_ONCE: f64 = 0.2;

/// Each bit of difference counts as this much evidence: neighbouring characters depend on each
/// other, so a sum over characters is overconfident.
const WEIGHT_OF_BITS: f64 = 0.3;

/// A file with more than this share of characters that no text has, and fewer common ones, is
/// binary.
const MAX_JUNK: f64 = 0.05;

/// The same for a file that begins with the signature of a binary format.
const MAX_JUNK_IN_TEXT: f64 = 0.01;

/// Encodings of Chinese texts.
const USUAL: [Charset; 5] = [
    Charset::Utf8,
    Charset::Table(&GB18030_INIT),
    Charset::Table(&BIG5_INIT),
    Charset::Wide(Wide::UTF_16LE),
    Charset::Wide(Wide::UTF_16BE),
];

/// Encodings of texts from Japan and Korea, and of programs.
const OTHERS: [Charset; 5] = [
    Charset::Table(&SHIFT_JIS_INIT),
    Charset::Table(&EUC_JP_INIT),
    Charset::Table(&EUC_KR_INIT),
    Charset::Wide(Wide::UTF_32LE),
    Charset::Wide(Wide::UTF_32BE),
];

/// The encoding of some bytes, and the evidence for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Detected {
    /// Its name in the WHATWG Encoding Standard, or `HZ-GB-2312`, `UTF-32LE`, `UTF-32BE`; or
    /// `UTF-8-twice`, for UTF-8 that was read as windows-1252 and saved as UTF-8 again (with
    /// `-latin1` or `-GBK` if it was read as this).
    pub encoding: &'static str,
    /// Probability that it is right, 0 to 1. Less than one half if the user named an encoding, and
    /// another is likelier.
    pub certainty: f64,
    /// The evidence, in one phrase.
    pub why: String,
    /// The second best encoding, if it gives another text.
    pub alternative: Option<&'static str>,
    /// True if the bytes are not text in any of the encodings.
    pub binary: bool,
}

impl Detected {
    /// The same, if there was a choice: `None` for clear UTF-8, or an encoding given by the user.
    pub(crate) fn guessed(&self) -> Option<&Self> {
        let plain = self.encoding == "UTF-8" && self.certainty > 0.99;
        (self.alternative.is_some() && !plain).then_some(self)
    }

    /// An encoding that did not have to be guessed.
    pub(super) fn known(charset: Charset, why: &str) -> Self {
        Detected {
            encoding: charset.name(),
            certainty: 1.0,
            why: why.into(),
            alternative: None,
            binary: false,
        }
    }
}

/// Detects the encoding of `bytes`: UTF-8, UTF-16 and UTF-32 with or without byte order mark,
/// GB18030 (which includes GBK and GB2312), HZ, Big5 with its Hong Kong characters, Shift_JIS,
/// EUC-JP, ISO-2022-JP, EUC-KR, or UTF-8 that was encoded twice.
pub fn detect(bytes: &[u8]) -> Detected {
    found(bytes).0
}

/// What is detected, and as which encoding.
pub(super) fn found(bytes: &[u8]) -> (Detected, Charset) {
    let sample = beginning(bytes);
    let is_plain = sample.bytes.is_ascii() && memchr::memchr(0, sample.bytes).is_none();
    if is_plain && escapes(sample).next().is_none() {
        let binary = Tally::of(Charset::Utf8, sample).is_binary(MAX_JUNK);
        let known = Detected::known(Charset::Utf8, "only ASCII characters");
        return (Detected { binary, ..known }, Charset::Utf8);
    }
    let tallies = clear_by_head(sample).unwrap_or_else(|| candidates(sample));
    let best = &tallies[0];
    let next = tallies[1..].iter().find(|t| t.text != best.text);
    let junk = best.junk_share();
    let detected = Detected {
        encoding: best.charset.name(),
        certainty: next.map_or(1.0, |next| certainty(next.bits - best.bits)),
        why: why(best, next),
        alternative: next.map(|t| t.charset.name()),
        binary: best.is_binary(MAX_JUNK) || junk > MAX_JUNK_IN_TEXT && has_magic(bytes),
    };
    (detected, best.charset)
}

/// What is examined of a file.
pub(super) fn beginning(bytes: &[u8]) -> Sample<'_> {
    Sample { bytes: &bytes[..bytes.len().min(SAMPLE)], whole: bytes.len() <= SAMPLE }
}

/// The probability of what is so many bits likelier than the next.
pub(super) fn certainty(bits: f64) -> f64 {
    1.0 / (1.0 + (-bits * WEIGHT_OF_BITS * std::f64::consts::LN_2).exp())
}

/// The encodings with escapes of which the bytes have one.
fn escapes(sample: Sample<'_>) -> impl Iterator<Item = Charset> {
    let all = [Escaped::Hz, Escaped::Iso2022Jp].into_iter();
    all.filter(move |escaped| escaped.may_be(sample.bytes)).map(Charset::Escaped)
}

/// The sample decoded by all candidates, the likeliest first.
fn candidates(sample: Sample<'_>) -> Vec<Tally> {
    let tally = |charset| Tally::of(charset, sample);
    let mut tallies: Vec<Tally> = USUAL.into_iter().chain(escapes(sample)).map(tally).collect();
    let utf8 = &tallies[0];
    let is_utf8 = utf8.malformed == 0 && utf8.beyond_ascii() > NO_CHANCE;
    // XML says what it is, and our own may hold a text that looks so, sign by sign.
    let is_declared = utf8.malformed == 0 && declares_utf8(sample.bytes);
    if is_declared || is_utf8 && utf8.is_greek_or_cyrillic() {
        tallies.truncate(1);
        return tallies;
    }
    if !sample.bytes.starts_with(b"<?xml") && may_be_twice(utf8) {
        let twice = [Twice::Windows1252, Twice::Latin1, Twice::Gbk].map(Charset::Twice);
        tallies.extend(twice.map(tally));
    }
    if !is_utf8 {
        tallies.extend(OTHERS.map(tally));
    }
    tallies.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    tallies
}

/// True for XML that says it is UTF-8, or says nothing, which means the same.
fn declares_utf8(bytes: &[u8]) -> bool {
    let Some(declaration) = bytes.strip_prefix(b"<?xml") else { return false };
    let end = declaration.iter().position(|b| *b == b'>').unwrap_or(0);
    let declaration = declaration[..end].to_ascii_lowercase();
    let has = |word: &[u8]| declaration.windows(word.len()).any(|at| at == word);
    end > 0 && (has(b"utf-8") || !has(b"encoding"))
}

/// True for what is nearly all UTF-8, and odd.
fn may_be_twice(tally: &Tally) -> bool {
    tally.charset == Charset::Utf8
        && tally.malformed * NO_CHANCE < tally.beyond_ascii()
        && tally.odd_share() > MAX_ODD_ONCE
}

/// The sample decoded by the candidate that is clearly the likeliest in its head, then the others,
/// of which only the head was decoded; `None` if none is, or if it does not fit the rest.
fn clear_by_head(sample: Sample<'_>) -> Option<Vec<Tally>> {
    let head = Sample { bytes: sample.bytes.get(..HEAD)?, whole: false };
    if escapes(sample).next().is_some() {
        return None;
    }
    let mut tallies = candidates(head);
    let next = tallies[1..].iter().find(|t| t.text != tallies[0].text)?;
    if next.bits - tallies[0].bits < CLEAR_BITS || tallies[0].malformed > 0 {
        return None;
    }
    // Bits of the head only can be compared.
    let bits = tallies[0].bits;
    tallies[0] = Tally::of(tallies[0].charset, sample);
    tallies[0].bits = bits;
    tallies.iter_mut().skip(1).for_each(|t| t.of_head = true);
    let fits = tallies[0].malformed == 0 && !may_be_twice(&tallies[0]);
    fits.then_some(tallies)
}

fn why(best: &Tally, next: Option<&Tally>) -> String {
    let mark = if best.text.starts_with('\u{FEFF}') { "a byte order mark; " } else { "" };
    let next = next.map(|t| {
        let part = if t.of_head { "its beginning as" } else { "as" };
        format!("; {part} {} {}", t.charset.name(), t.words())
    });
    format!("{mark}{}{}", best.words(), next.unwrap_or_default())
}

/// True if the bytes begin like an image, an archive or another binary format.
fn has_magic(bytes: &[u8]) -> bool {
    infer::get(bytes).is_some_and(|t| t.matcher_type() != infer::MatcherType::Text)
}
