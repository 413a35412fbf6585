//! The members of an archive (ZIP), with limits: a small file must not become a large one.

use std::io::{Cursor, Read};

use quick_xml::Reader as XmlEvents;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;
use zip::result::ZipError;

use crate::source::Source;

/// Bytes that are unpacked of one archive at most. The whole 四庫全書 has three times as many.
const MAX_BYTES: u64 = 1 << 29;
/// No text is packed more tightly than this.
const MAX_RATIO: u64 = 200;
/// Below so many bytes no member is too large.
const SMALL: u64 = 1 << 22;
/// More members no text has.
const MAX_MEMBERS: usize = 1 << 16;

/// True for an archive.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// An archive that is read.
pub(super) struct Archive<'b> {
    members: ZipArchive<Cursor<&'b [u8]>>,
    left: u64,
}

impl<'b> Archive<'b> {
    /// Opens one.
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, String> {
        let members = ZipArchive::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
        if members.len() > MAX_MEMBERS {
            return Err(format!("it has more than {MAX_MEMBERS} parts"));
        }
        Ok(Archive { members, left: MAX_BYTES })
    }

    /// The names of its members.
    pub(super) fn names(&self) -> Vec<String> {
        self.members.file_names().flatten().map(|name| name.to_string()).collect()
    }

    /// A member as text; `None` if there is none of this name.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        let Some(bytes) = self.bytes(name)? else { return Ok(None) };
        let source = Source::decode(name, bytes, None).map_err(|e| e.message)?;
        Ok(Some(source.text().to_string()))
    }

    fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let member = match self.members.by_name(name) {
            Ok(member) => member,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(e) => return Err(format!("{name}: {e}")),
        };
        let limit = self.left.min(SMALL.max(member.compressed_size().saturating_mul(MAX_RATIO)));
        let mut bytes = vec![];
        member.take(limit + 1).read_to_end(&mut bytes).map_err(|e| format!("{name}: {e}"))?;
        if bytes.len() as u64 > limit {
            return Err(format!("{name} unpacks to more than any text"));
        }
        self.left -= bytes.len() as u64;
        Ok(Some(bytes))
    }
}

/// True if the archive has a member.
pub(super) fn has(bytes: &[u8], name: &str) -> bool {
    is_one(bytes)
        && ZipArchive::new(Cursor::new(bytes))
            .is_ok_and(|members| members.index_for_name(name).is_some())
}

/// True if the member `mimetype` says so, which stands unpacked at the beginning.
pub(super) fn says(bytes: &[u8], mime: &str) -> bool {
    is_one(bytes)
        && bytes[..bytes.len().min(200)].windows(mime.len()).any(|at| at == mime.as_bytes())
}

/// Gives all events of an XML text to `take`.
///
/// # Errors
/// When it is not well-formed, or declares entities: nobody's text needs them, and they can grow
/// without end.
pub(super) fn events(xml: &str, mut take: impl FnMut(&Event<'_>)) -> Result<(), String> {
    let mut events = XmlEvents::from_str(xml.trim_start_matches('\u{FEFF}'));
    loop {
        match events.read_event().map_err(|e| e.to_string())? {
            Event::Eof => return Ok(()),
            Event::DocType(words) if words.contains("<!ENTITY") => {
                return Err("it declares entities".into());
            }
            event => take(&event),
        }
    }
}

/// The value of an attribute by its name without prefix.
pub(super) fn attribute(e: &BytesStart<'_>, name: &str) -> Option<String> {
    let is_it = |key: &str| key.rsplit_once(':').map_or(key, |(_, local)| local) == name;
    let found = e.attributes().flatten().find(|a| is_it(a.key.into_inner()))?;
    Some(
        quick_xml::escape::unescape(&found.value)
            .map_or_else(|_| found.value.to_string(), std::borrow::Cow::into_owned),
    )
}

/// A name without its prefix.
pub(super) fn local(e: &BytesStart<'_>) -> String {
    let name = e.name().into_inner();
    name.rsplit_once(':').map_or(name, |(_, local)| local).to_string()
}

/// The character that a reference in XML stands for; nothing for one that XML does not define.
pub(super) fn referred(name: &str) -> String {
    let meant = quick_xml::escape::unescape(&format!("&{name};")).map(std::borrow::Cow::into_owned);
    meant.unwrap_or_default()
}
