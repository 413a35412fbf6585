//! A corpus: the manifest that a user writes, and the library of documents read from it.

mod authorities;
mod choice;
mod fields;
pub mod figures;
mod images;
pub(crate) mod index;
mod keys;
mod library;
pub mod loci;
pub(crate) mod lookups;
pub(crate) mod manifest;
mod open;
pub mod refs;
mod shape;
mod translated;
pub(crate) mod view;
mod walk;
pub mod works;
mod works_file;

use std::path::Path;

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use crate::text::class::is_obeyed;

pub use authorities::AuthorityId;
pub(crate) use choice::marks_for;
pub use choice::{LayerChoice, Passages, Punctuation};
#[cfg(not(feature = "internals"))]
pub(crate) use index::Index;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub use index::Index;
pub use keys::Keys;
pub(crate) use library::LIBRARY_PREFIX;
pub use library::Library;
pub use loci::Loci;
pub use manifest::{Manifest, ManifestWork, TextEntry};
pub use open::Corpus;
pub(crate) use open::is_manifest;
pub(crate) use open::{MANIFEST, root_around, unique_ids};
pub(crate) use shape::read as shapes;
pub use shape::{Shape, ShapeEnd, ShapeFit, ShapeMark, ShapePlace};
pub(crate) use view::{Stream, View};
pub(crate) use walk::CORRECTIONS;
pub use works::Works;

/// Bytes of an id. Files are named by it, with more: systems allow 255.
pub(crate) const MAX_ID_BYTES: usize = 110;

/// The id of a text: the name of its file up to the first dot. A file named `index` gives
/// `index-text`. What a terminal would obey or some system forbids becomes `_`, and a name of more
/// than 110 bytes is cut.
///
/// ```
/// assert_eq!(zhushu::corpus::id_of("corpus/yili-05.tei.xml".as_ref()), "yili-05");
/// assert_eq!(zhushu::corpus::id_of("index.txt".as_ref()), "index-text");
/// assert_eq!(zhushu::corpus::id_of("論語: 學而?.txt".as_ref()), "論語_ 學而_");
/// ```
pub fn id_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match name.split('.').next() {
        Some("" | "-") | None => "text".into(),
        // A site has other pages with this name.
        Some(stem) if stem.eq_ignore_ascii_case("index") => format!("{stem}-text"),
        Some(stem) => sound_id(stem),
    }
}

/// Characters that some system does not allow in the name of a file.
pub(crate) const FORBIDDEN: &str = "/\\:*?\"<>|";

/// Names that Windows keeps for devices.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// True for the name of a device, which no file can have on Windows.
fn is_device(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_numbered = |device: &str| {
        name.strip_prefix(device).is_some_and(|n| matches!(n.as_bytes(), [b'1'..=b'9']))
    };
    DEVICES.contains(&&*name) || NUMBERED_DEVICES.iter().any(|device| is_numbered(device))
}

/// What a name is where names that differ only in case or in how characters are composed are one.
pub(crate) fn same_name(name: &str) -> String {
    name.to_lowercase().nfc().collect()
}

/// An id that can be a file's name on every system: without characters that a terminal would obey
/// or that some system forbids, and not too long. What is cut is replaced by a hash, so that
/// different names stay different.
fn sound_id(name: &str) -> String {
    let is_odd = |c: char| is_obeyed(c) || FORBIDDEN.contains(c);
    let id: String = name.chars().map(|c| if is_odd(c) { '_' } else { c }).collect();
    let end = id.trim_end_matches([' ', '.']).len();
    let id = match id.len() - end {
        0 if !is_device(&id) => id,
        0 => format!("{id}-text"),
        ends => format!("{}{}", &id[..end], "_".repeat(ends)),
    };
    if id.len() <= MAX_ID_BYTES {
        return id;
    }
    let hash: String = Sha256::digest(name)[..4].iter().map(|b| format!("{b:02x}")).collect();
    let mut from_front = id.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = from_front.rfind(|end| end + 1 + hash.len() <= MAX_ID_BYTES).unwrap_or(0);
    format!("{}-{hash}", &id[..end])
}

/// The id of the book of which this is the id of a chapter.
pub(crate) fn book_of(id: &str) -> Option<&str> {
    let (book, chapter) = id.rsplit_once('-')?;
    (!chapter.is_empty() && chapter.bytes().all(|b| b.is_ascii_digit())).then_some(book)
}
