//! Makes a source of the bytes of a file, or of the changed text of another.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::charset::{Charset, LABELS, by_label};
use super::exchanged::{Exchange, are_of, exchanged};
use super::{Detected, KeptBytes, MAX_BYTES, Source, decode, detect, hex, named};
use crate::diag::{Error, ErrorKind};

impl Source {
    /// Another text made of this one: a part of it, or the same in another script. It is no file.
    pub(crate) fn changed_to(&self, text: String) -> Source {
        let changed_from = Some(self.changed_from.as_deref().unwrap_or(self.sha256()).to_string());
        Source { changed_from, ..Source::from_text(self.path.clone(), text) }
    }

    /// SHA-256 of the file that the text was changed from, if it was.
    pub(crate) fn changed_from(&self) -> Option<&str> {
        self.changed_from.as_deref()
    }

    /// Decodes `bytes`. Without `label` the encoding is [detected](detect()). `label`, a name of
    /// the WHATWG Encoding Standard such as `gb18030` or `big5`, or a name that is detected,
    /// overrides this. A byte order mark stays in the text as U+FEFF. If lines end only in carriage
    /// returns, these are line feeds in the text. A sequence that does not decode becomes one
    /// U+FFFD.
    ///
    /// # Errors
    /// For an unknown label; for a binary file, unless there is a label; for a label that gives no
    /// text, if another encoding does.
    pub fn decode(
        path: impl Into<PathBuf>,
        bytes: Vec<u8>,
        label: Option<&str>,
    ) -> Result<Self, Error> {
        let path = path.into();
        fits(&path, &bytes)?;
        let (detected, charset) = match label {
            Some(l) => {
                let charset = by_label(l).ok_or_else(|| {
                    Error::request(format!("unknown encoding “{l}”")).hint(LABELS)
                })?;
                (named::judged(&path, charset, &bytes)?, charset)
            }
            None => detect::found(&bytes),
        };
        if detected.binary || help(&bytes).is_some() {
            return Err(binary(&path, &bytes));
        }
        Self::decode_in(path, bytes, charset, detected)
    }

    /// Decodes a file of the program's own formats, which are in UTF-8. It may be written again, so
    /// what does not decode would be lost.
    ///
    /// # Errors
    /// For a file that is too large, or that is not UTF-8 throughout.
    pub(crate) fn utf8(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self, Error> {
        let path = path.into();
        fits(&path, &bytes)?;
        let known = Detected::known(Charset::Utf8, "named");
        let source = Self::decode_in(path, bytes, Charset::Utf8, known)?;
        let bad = source.undecodable().next();
        match bad {
            Some(span) => Err(Error::input(source.path(), "this is not UTF-8").over(&source, span)),
            None => Ok(source),
        }
    }

    fn decode_in(
        path: PathBuf,
        bytes: Vec<u8>,
        charset: Charset,
        detected: Detected,
    ) -> Result<Self, Error> {
        let length = bytes.len();
        let hash = (charset != Charset::Utf8).then(|| hex(&Sha256::digest(&bytes)));
        let (text, kept) = decode::decode(bytes, charset);
        let source = Source { kept, ..Self::with_encoding(path, text, charset, detected) };
        if let Some(hash) = hash {
            let back = source.bytes();
            if back.len() != length || hex(&Sha256::digest(&back)) != hash {
                let message = format!("{} would not give the same bytes back", charset.name());
                return Err(Error::input(&source.path, message)
                    .hint("convert the file to UTF-8; zhushu reads only what it can restore"));
            }
            let _ = source.sha256.set(hash);
        }
        Ok(source)
    }

    /// A source from its text, the name of its encoding, and the kept bytes. `None` if there is no
    /// such encoding, or if decoding the bytes would not give this text.
    pub(crate) fn restored(
        path: impl Into<PathBuf>,
        text: String,
        kept: Vec<KeptBytes>,
        label: &str,
    ) -> Option<Self> {
        let charset = by_label(label)?;
        let (text, kept) = decode::lone_returns(text, kept, charset);
        let (path, known) = (path.into(), Detected::known(charset, "named"));
        if charset == Charset::Utf8 && kept.is_empty() && text.len() <= MAX_BYTES {
            // Its bytes are its text.
            return Some(Self::with_encoding(path, text, charset, known));
        }
        let bytes = decode::restore(&text, &kept, charset);
        fits(&path, &bytes).ok()?;
        let source = Self::decode_in(path, bytes, charset, known).ok()?;
        (source.text == text && source.kept == kept).then_some(source)
    }

    /// The same of a text that has stretches of lines in another order than the file. `None` also
    /// if it has no such stretches.
    pub(crate) fn restored_in_order(
        path: impl Into<PathBuf>,
        text: &str,
        kept: &[KeptBytes],
        label: &str,
        all: &[Exchange],
    ) -> Option<Self> {
        if !are_of(text, all) {
            return None;
        }
        let (stored, kept) = exchanged(text, kept, all);
        let turned: Vec<Exchange> = all.iter().map(|e| e.turned()).collect();
        Self::restored(path, stored, kept, label)?.exchanged(&turned)
    }
}

fn fits(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if bytes.len() <= MAX_BYTES {
        return Ok(());
    }
    let error = Error::input(path, "the file is larger than 1.4 GB");
    Err(error.hint("split it by chapter (juan)"))
}

/// Files that are no text in any encoding: the bytes that each has at a place, and what helps.
const NO_TEXT: [(usize, &[u8], &str); 4] = [
    (0, b"PK\x03\x04", "unpack it, if texts are in it, and name the folder"),
    (
        0,
        b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
        "`soffice --headless --convert-to docx FILE` (of LibreOffice) makes it readable",
    ),
    (60, b"BOOKMOBI", "`ebook-convert FILE BOOK.epub` (of calibre) makes it readable"),
    (0, b"AT&TFORM", "`djvutxt FILE TEXT.txt` (of djvulibre) takes its text out, if it has one"),
];

/// What helps with a file that is no text in any encoding; none for others.
fn help(bytes: &[u8]) -> Option<&'static str> {
    let is_one = |(at, signature, _): &&(usize, &[u8], &str)| {
        bytes.get(*at..).is_some_and(|rest| rest.starts_with(signature))
    };
    NO_TEXT.iter().find(is_one).map(|(.., help)| *help)
}

fn binary(path: &Path, bytes: &[u8]) -> Error {
    let what = infer::get(bytes).map_or(String::new(), |t| format!(" ({})", t.mime_type()));
    let error = Error::input(path, format!("this is a binary file, not a text{what}"));
    match help(bytes) {
        Some(help) => error.hint(help),
        None => {
            error.of_kind(ErrorKind::Encoding).hint("if it is text after all, name its encoding")
        }
    }
}
