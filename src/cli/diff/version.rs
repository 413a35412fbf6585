//! One version of a text: its words from the TEI that `build` wrote, everything else from its JSON.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::Settings;
use crate::cli::texts;
use crate::diag::Error;
use crate::source::{Source, Span};

/// Something about a stretch of the text, as words that can be compared.
pub struct Labelled {
    pub span: Span,
    /// Kinds are compared with each other only.
    pub kind: String,
    pub value: String,
}

/// A version of a text.
pub struct Version {
    pub source: Arc<Source>,
    /// The layer of each segment, in order.
    pub layers: Vec<(Span, String)>,
    pub readings: Vec<Labelled>,
    pub links: Vec<Labelled>,
    /// What corresponds to each sentence of a translated text.
    pub beads: Vec<Labelled>,
}

impl Version {
    /// Reads a text of a built folder.
    ///
    /// # Errors
    /// When a file of it cannot be read.
    pub fn read(folder: &Path, id: &str, json: &Path, settings: &Settings) -> Result<Self, Error> {
        let tei = folder.join(texts::TEI).join(format!("{id}.xml"));
        let bytes = std::fs::read(&tei).map_err(|e| Error::io(&tei, "read", &e))?;
        let read = settings.readers.read(Source::decode(&tei, bytes, None)?, Some("tei"))?;
        let source = read.source;
        let value = texts::json(json)?;
        let list = |key: &str| value[key].as_array().cloned().unwrap_or_default();
        let layer = |v: &Value| {
            let layer = v["layer"].as_str()?;
            let known: Option<crate::model::Layer> = layer.parse().ok();
            Some((span(&source, v)?, known.map_or(layer, |l| l.zh()).to_string()))
        };
        let text = |v: &Value, key: &str| v[key].as_str().unwrap_or_default().to_string();
        let reading = |v: &Value| {
            let (span, kind) = (span(&source, v)?, text(v, "kind"));
            Some(Labelled { span, kind, value: text(v, "reading") })
        };
        let link = |v: &Value| {
            let (span, kind) = (span(&source, v)?, text(v, "kind"));
            let value = match &v["target"] {
                Value::Null => format!("{} {}", text(v, "work"), text(v, "status")),
                target => format!("{} {}", text(target, "path"), text(target, "locus")),
            };
            Some(Labelled { span, kind, value: value.trim().to_string() })
        };
        Ok(Version {
            layers: list("spans").iter().filter_map(layer).collect(),
            readings: list("readings").iter().filter_map(reading).collect(),
            links: list("links").iter().filter_map(link).collect(),
            beads: beads(folder, id, &source)?,
            source,
        })
    }
}

/// A stretch of code points.
fn span(source: &Source, v: &Value) -> Option<Span> {
    let at = |key: &str| v[key].as_u64().map(|n| n as usize).filter(|n| *n <= source.chars());
    let (start, end) = (at("start")?, at("end")?);
    (start <= end).then(|| Span::new(source.byte_of(start), source.byte_of(end)))
}

/// The beads of a text with all its translations: for each sentence of it the sentences of the
/// other side.
fn beads(folder: &Path, id: &str, source: &Source) -> Result<Vec<Labelled>, Error> {
    let (mut out, begins) = (vec![], format!("{id}--"));
    let files = std::fs::read_dir(folder.join("json")).into_iter().flatten().flatten();
    let mut files: Vec<_> = files.map(|e| e.path()).collect();
    files.sort();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(kind) = name.strip_prefix(&begins).and_then(|n| n.strip_suffix(".align.json"))
        else {
            continue;
        };
        let value = texts::json(&path)?;
        for bead in value["beads"].as_array().into_iter().flatten() {
            let side = |key: &str| bead[key].as_array().cloned().unwrap_or_default();
            let words = |v: &Value| v["text"].as_str().unwrap_or_default().trim().to_string();
            let other: String = side("translation").iter().map(words).collect();
            for sentence in side("source") {
                let Some(span) = span(source, &sentence) else { continue };
                let value = if other.is_empty() { "–".into() } else { other.clone() };
                out.push(Labelled { span, kind: kind.to_string(), value });
            }
        }
    }
    Ok(out)
}
