//! A corpus: the manifest that a user writes, and the library of documents read from it.

mod choice;
mod fields;
pub mod figures;
pub(crate) mod index;
mod library;
pub mod loci;
pub(crate) mod lookups;
pub(crate) mod manifest;
mod open;
pub mod refs;
mod shape;
pub(crate) mod view;
mod walk;
pub mod works;
mod works_file;

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::text::class::is_obeyed;

pub use choice::{LayerChoice, Punctuation};
#[cfg(not(feature = "internals"))]
pub(crate) use index::Index;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub use index::Index;
pub(crate) use library::LIBRARY_PREFIX;
pub use library::Library;
pub use loci::Loci;
pub use manifest::{Manifest, ManifestWork, TextEntry};
pub use open::Corpus;
pub(crate) use open::{MANIFEST, unique_ids};
pub(crate) use shape::read as shapes;
pub use shape::{Shape, ShapeEnd, ShapeFit, ShapeMark, ShapePlace};
pub(crate) use view::{Stream, View};
pub use works::Works;

/// Bytes of an id. Files are named by it, with more: systems allow 255.
pub(crate) const MAX_ID_BYTES: usize = 110;

/// The id of a text: the name of its file up to the first dot. A file named `index` gives
/// `index-text`. What a terminal would obey becomes `_`, and a name of more than 110 bytes is cut.
///
/// ```
/// assert_eq!(zhushu::corpus::id_of("corpus/yili-05.tei.xml".as_ref()), "yili-05");
/// assert_eq!(zhushu::corpus::id_of("index.txt".as_ref()), "index-text");
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

/// An id without characters that a terminal would obey, and not too long to be a file's name. What
/// is cut is replaced by a hash, so that different names stay different.
fn sound_id(name: &str) -> String {
    let id: String = name.chars().map(|c| if is_obeyed(c) { '_' } else { c }).collect();
    if id.len() <= MAX_ID_BYTES {
        return id;
    }
    let hash: String = Sha256::digest(name)[..4].iter().map(|b| format!("{b:02x}")).collect();
    let mut from_front = id.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = from_front.rfind(|end| end + 1 + hash.len() <= MAX_ID_BYTES).unwrap_or(0);
    format!("{}-{hash}", &id[..end])
}
