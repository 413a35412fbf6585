//! What is known of a document from outside its text: the manifest's words.

use super::Layer;

/// Who wrote a layer.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Commentator {
    /// Short key, used in ids: `zhengxuan`.
    pub key: String,
    /// Name: 鄭玄.
    pub name: String,
    /// Period or dates: 東漢 (127–200).
    pub period: Option<String>,
}

/// What a document is in its corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Role {
    /// A classic, with or without commentary.
    #[default]
    Witness,
    /// A modern translation of one.
    Translation,
}

/// Title, place in the canon, edition, rights.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Meta {
    /// Title as shown: 儀禮注疏・鄉射禮.
    pub title: String,
    /// Canonical work: 儀禮.
    pub work: Option<String>,
    /// Short key of the work for ids and loci: `yili`.
    pub work_key: Option<String>,
    /// Canonical chapter: 鄉射禮.
    pub chapter: Option<String>,
    /// Number of the chapter in the work.
    pub number: Option<u32>,
    /// Number of its first section in the chapter, for a text that begins in the middle of it; else sections count from 1.
    pub first_section: Option<u32>,
    /// Role in the corpus.
    pub role: Role,
    /// Siglum of the witness: `A`.
    pub siglum: Option<String>,
    /// Edition in words.
    pub edition: Option<String>,
    /// Where the file came from.
    pub origin: Option<String>,
    /// Rights in words.
    pub rights: Option<String>,
    /// BCP 47 language of the text: `lzh-Hant`, `zh-Hant`.
    pub language: String,
    /// Who wrote which layer.
    pub layers: Vec<(Layer, Commentator)>,
    /// Ids of the documents this one translates.
    pub translates: Vec<String>,
}

impl Meta {
    /// Who wrote `layer`, if the manifest says so.
    pub fn by(&self, layer: Layer) -> Option<&Commentator> {
        self.layers.iter().find(|(l, _)| *l == layer).map(|(_, c)| c)
    }

    /// `儀禮・鄉射禮`, as far as known.
    pub fn locus(&self) -> Option<String> {
        match (&self.work, &self.chapter) {
            (Some(w), Some(c)) => Some(format!("{w}・{c}")),
            (Some(w), None) => Some(w.clone()),
            _ => None,
        }
    }
}
