//! A source as it is stored: its text and what is needed to restore the bytes of the file.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Detected, Exchange, FilePart, KeptBytes, Source, by_label};

/// The parts of a [`Source`] that are not computed from others. `T` is the type of strings.
#[derive(Serialize, Deserialize)]
struct StoredSource<T> {
    #[serde(with = "any_path")]
    path: PathBuf,
    text: T,
    encoding: T,
    certainty: f64,
    why: T,
    alternative: Option<T>,
    kept: Vec<KeptBytes>,
    exchanged: Vec<Exchange>,
    part: Option<FilePart>,
}

/// A path as its bytes: the name of a file need not be UTF-8.
mod any_path {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().as_encoded_bytes().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        let bytes = Vec::<u8>::deserialize(from)?;
        #[cfg(unix)]
        let name: OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
        #[cfg(not(unix))]
        let name: OsString = String::from_utf8_lossy(&bytes).into_owned().into();
        Ok(name.into())
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        StoredSource {
            path: self.path.clone(),
            text: self.text.as_str(),
            encoding: self.encoding.name(),
            certainty: self.detected.certainty,
            why: &self.detected.why,
            alternative: self.detected.alternative,
            kept: self.kept.clone(),
            exchanged: self.exchanged.clone(),
            part: self.part.clone(),
        }
        .serialize(to)
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let stored = StoredSource::<String>::deserialize(from)?;
        let named = |label: &str| by_label(label).ok_or_else(|| de::Error::custom("no encoding"));
        let charset = named(&stored.encoding)?;
        let alternative = stored.alternative.as_deref().map(named).transpose()?;
        let detected = Detected {
            encoding: charset.name(),
            certainty: stored.certainty,
            why: stored.why,
            alternative: alternative.map(|e| e.name()),
            binary: false,
        };
        let source = Source::with_encoding(stored.path, stored.text, charset, detected);
        let StoredSource { kept, exchanged, part, .. } = stored;
        Ok(Source { kept, exchanged, part, ..source })
    }
}
