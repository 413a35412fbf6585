//! Rich text (RTF): paragraphs, sizes of type, footnotes, and characters of any code page.

use encoding_rs::Encoding;

use super::unpacked::Unpacked;
use super::written::{StyledRun, WrittenBlock, WrittenText};

/// Groups whose content is not text.
const NOT_TEXT: [&str; 18] = [
    "headerl",
    "headerr",
    "headerf",
    "footerl",
    "footerr",
    "footerf",
    "fonttbl",
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "header",
    "footer",
    "object",
    "datafield",
    "themedata",
    "listtable",
    "generator",
];
/// Deepest nesting of groups.
const MAX_DEPTH: usize = 1000;

/// True for one.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"{\\rtf")
}

/// Its text.
pub(super) fn read(bytes: &[u8]) -> Result<Unpacked, String> {
    let mut rich =
        RichText { state: State { size: Some(24), ..State::default() }, ..Default::default() };
    rich.all(bytes)?;
    rich.paragraph();
    // All groups end in a whole file.
    let is_cut_off = !rich.around.is_empty();
    let left_out = [(rich.pictures, "images"), (is_cut_off, "its end (the file may be cut off)")];
    let left_out = left_out.iter().filter(|(is_so, _)| *is_so).map(|(_, what)| what.to_string());
    let parts = "its text".to_string();
    Ok(Unpacked { text: rich.written.page(), parts, left_out: left_out.collect() })
}

/// What a group changes until it ends.
#[derive(Clone, Debug, Default)]
struct State {
    size: Option<u32>,
    /// Bytes that stand for a character to programs that know no Unicode.
    skip: usize,
    hidden: bool,
    /// It is hidden only if its first word is not known.
    is_starred: bool,
    /// It is a footnote.
    is_note: bool,
    /// What is said of type is about letters from right to left.
    is_rtl: bool,
}

#[derive(Default)]
struct RichText {
    written: WrittenText,
    runs: Vec<StyledRun>,
    state: State,
    around: Vec<State>,
    encoding: Option<&'static Encoding>,
    /// Bytes of a code page that are not decoded yet.
    bytes: Vec<u8>,
    /// The first half of a character beyond the first plane.
    high: Option<u16>,
    /// Characters that are still to be skipped.
    skipping: usize,
    pictures: bool,
}

impl RichText {
    fn all(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.state.skip = 1;
        let mut at = 0;
        while let Some(byte) = bytes.get(at).copied() {
            at += 1;
            match byte {
                b'{' => {
                    self.flush();
                    if self.around.len() >= MAX_DEPTH {
                        return Err("its groups are nested too deeply".into());
                    }
                    self.around.push(self.state.clone());
                }
                b'}' => {
                    self.flush();
                    let ended = std::mem::take(&mut self.state);
                    let Some(state) = self.around.pop() else { return Ok(()) };
                    if ended.is_note && !state.is_note && !ended.hidden {
                        self.runs.push(StyledRun::markup("</span>"));
                    }
                    self.state = state;
                }
                b'\\' => at = self.control(bytes, at),
                b'\r' | b'\n' => {}
                byte => self.byte(byte),
            }
        }
        self.flush();
        Ok(())
    }

    /// A byte of text.
    fn byte(&mut self, byte: u8) {
        if self.skipping > 0 {
            self.skipping -= 1;
        } else if !self.state.hidden {
            self.bytes.push(byte);
        }
    }

    /// What follows a backslash; returns where it ends.
    fn control(&mut self, bytes: &[u8], at: usize) -> usize {
        let rest = &bytes[at..];
        let word = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        if word == 0 {
            return at + self.sign(rest);
        }
        let sign = usize::from(rest.get(word) == Some(&b'-'));
        let digits = rest[word + sign..].iter().take(9).take_while(|b| b.is_ascii_digit()).count();
        let number = match digits {
            0 => None,
            _ => std::str::from_utf8(&rest[word..word + sign + digits])
                .ok()
                .and_then(|digits| digits.parse::<i64>().ok()),
        };
        let end = if digits > 0 { word + sign + digits } else { word };
        let blank = usize::from(rest.get(end) == Some(&b' '));
        self.word(&String::from_utf8_lossy(&rest[..word]), number);
        at + end + blank
    }

    /// A sign after a backslash; returns how many bytes it has.
    fn sign(&mut self, rest: &[u8]) -> usize {
        match rest.first() {
            Some(b'\'') => {
                let hex = rest.get(1..3).and_then(|hex| std::str::from_utf8(hex).ok());
                if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                    self.byte(byte);
                }
                3.min(rest.len())
            }
            Some(sign @ (b'\\' | b'{' | b'}')) => {
                self.byte(*sign);
                1
            }
            Some(b'~') => {
                self.byte(b' ');
                1
            }
            Some(b'*') => {
                self.state.is_starred = !self.state.hidden;
                self.state.hidden = true;
                1
            }
            Some(b'\r' | b'\n') => {
                self.paragraph();
                1
            }
            Some(_) => 1,
            None => 0,
        }
    }

    fn word(&mut self, word: &str, number: Option<i64>) {
        match word {
            "u" => return self.unicode(number.unwrap_or_default()),
            "uc" => self.state.skip = number.map_or(1, |n| n.clamp(0, 16) as usize),
            _ => self.flush(),
        }
        match word {
            "ansicpg" => self.encoding = number.and_then(code_page),
            "par" | "sect" | "page" | "row" => self.paragraph(),
            "line" if !self.state.hidden => self.runs.push(StyledRun::markup("<br>")),
            "tab" | "cell" => self.byte(b' '),
            "rtlch" => self.state.is_rtl = true,
            "ltrch" | "loch" | "hich" | "dbch" => self.state.is_rtl = false,
            "afs" if self.state.is_rtl => {}
            // LibreOffice says the size of Chinese characters so.
            "fs" | "afs" => self.state.size = number.and_then(|n| u32::try_from(n).ok()),
            "plain" => self.state.size = Some(24),
            "footnote" if !self.state.hidden || self.state.is_starred => {
                (self.state.is_note, self.state.hidden) = (true, false);
                self.runs.push(StyledRun::markup("<span class=\"footnote\">"));
            }
            "emdash" => self.words("—"),
            "lquote" => self.words("‘"),
            "rquote" => self.words("’"),
            "ldblquote" => self.words("“"),
            "rdblquote" => self.words("”"),
            "pict" => (self.pictures, self.state.hidden) = (true, true),
            word if NOT_TEXT.contains(&word) => self.state.hidden = true,
            _ => {}
        }
    }

    /// A unit of UTF-16, written as a signed number.
    fn unicode(&mut self, number: i64) {
        self.flush();
        self.skipping = self.state.skip;
        if self.state.hidden {
            return;
        }
        let unit = number as u16;
        let units = self.high.take().into_iter().chain([unit]);
        if (0xD800..0xDC00).contains(&unit) {
            self.high = Some(unit);
            return;
        }
        let words: String =
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        self.words(&words);
    }

    fn words(&mut self, words: &str) {
        if !self.state.hidden && !words.is_empty() {
            let size = self.state.size.filter(|_| !self.state.is_note);
            self.runs.push(StyledRun { size, ..StyledRun::of(words) });
        }
    }

    /// Decodes the bytes that were collected.
    fn flush(&mut self) {
        self.skipping = 0;
        let bytes = std::mem::take(&mut self.bytes);
        if !bytes.is_empty() {
            let encoding = self.encoding.unwrap_or(encoding_rs::WINDOWS_1252);
            self.words(&encoding.decode_without_bom_handling(&bytes).0);
        }
    }

    fn paragraph(&mut self) {
        self.flush();
        if self.state.hidden || self.state.is_note {
            return;
        }
        let runs = std::mem::take(&mut self.runs);
        if !runs.is_empty() {
            self.written.blocks.push(WrittenBlock::Paragraph { heading: None, style: None, runs });
        }
    }
}

/// The encoding of a code page of Windows.
fn code_page(number: i64) -> Option<&'static Encoding> {
    match number {
        936 => Some(encoding_rs::GB18030),
        950 => Some(encoding_rs::BIG5),
        932 => Some(encoding_rs::SHIFT_JIS),
        949 => Some(encoding_rs::EUC_KR),
        65001 => Some(encoding_rs::UTF_8),
        number => Encoding::for_label(format!("windows-{number}").as_bytes()),
    }
}
