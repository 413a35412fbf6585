//! What is known about a document from outside its text, mainly from the manifest.

use std::borrow::Cow;

use super::{Certainty, Layer, LeafImage, LeafImages, LeafName, MarkSource};

/// Who wrote a layer.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Commentator {
    /// Short key, used in ids: `zhengxuan`.
    pub key: String,
    /// Name: 鄭玄.
    pub name: String,
    /// Period or dates: 東漢 (127–200).
    pub period: Option<String>,
    /// How certain it is that they wrote it, if it was inferred; `None` where it is stated.
    pub inferred: Option<Certainty>,
}

/// The role of a document in its corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Role {
    /// A classic, with or without commentary.
    #[default]
    Witness,
    /// A modern translation of one.
    Translation,
}

/// The corpus that a text belongs to, as described in the manifest. It is stored with each text, so
/// that a single exported text still names its edition.
#[derive(Clone, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Collection {
    /// Its title.
    pub title: Option<String>,
    /// Who made it.
    pub editors: Vec<String>,
    /// Licence as text or as an SPDX expression.
    pub licence: Option<String>,
    /// Date of the edition, `2026-11-21`.
    pub date: Option<String>,
    /// Where its pages are published, an address that ends with `/`.
    #[serde(default)]
    pub address: Option<String>,
    /// Which punctuation is supplied for its texts that have none.
    #[serde(default)]
    pub punctuation: MarkSource,
}

/// One fact about a text's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFact<'a> {
    /// Its name for programs: `edition`, `editors`, `date`, `origin`, `rights`.
    pub id: &'static str,
    /// Its name for readers: 版本.
    pub zh: &'static str,
    /// Its value.
    pub words: Cow<'a, str>,
}

impl SourceFact<'_> {
    /// The names of all, for programs and for readers.
    pub(crate) const NAMES: [(&'static str, &'static str); 5] = [
        ("edition", "版本"),
        ("editors", "編者"),
        ("date", "年代"),
        ("origin", "來源"),
        ("rights", "權利"),
    ];
}

/// Title, work and chapter, edition, rights.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
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
    /// What is between the work and its chapters, where the work has such: 國風・周南.
    pub group: Option<String>,
    /// Number of its first section, if the text begins in the middle of a chapter; otherwise
    /// sections count from 1.
    pub first_section: Option<u32>,
    /// Role in the corpus.
    pub role: Role,
    /// Siglum of the witness: `A`.
    pub siglum: Option<String>,
    /// Description of the edition.
    pub edition: Option<String>,
    /// Who edited that edition.
    pub editors: Vec<String>,
    /// When that edition was made, as free text: 乾隆三十八年 (1773).
    pub date: Option<String>,
    /// Where the file came from.
    pub origin: Option<String>,
    /// Statement of rights.
    pub rights: Option<String>,
    /// BCP 47 language of the text: `lzh-Hant`, `zh-Hant`.
    pub language: String,
    /// Who wrote which layer: as the manifest says, else as was [inferred](Commentator::inferred).
    pub layers: Vec<(Layer, Commentator)>,
    /// The line at the beginning of the text that names the book and its authors.
    pub byline: Option<String>,
    /// Ids of the documents this one translates.
    pub translates: Vec<String>,
    /// Where images of its leaves are; the first that has one counts.
    pub images: Vec<LeafImages>,
    /// The corpus it belongs to.
    pub collection: Collection,
}

impl Meta {
    /// True for a text in classical or modern Chinese.
    pub fn is_chinese(&self) -> bool {
        self.language.is_empty()
            || ["zh", "lzh"].contains(&self.language.split('-').next().unwrap_or_default())
    }

    /// Who wrote `layer`, if that is known.
    pub fn by(&self, layer: Layer) -> Option<&Commentator> {
        self.layers.iter().find(|(l, _)| *l == layer).map(|(_, c)| c)
    }

    /// What is known about the source, in the order in which all formats show it.
    pub fn facts(&self) -> Vec<SourceFact<'_>> {
        let all = [
            self.edition.as_deref().map(Cow::Borrowed),
            Some(Cow::Owned(self.editors.join("; "))),
            self.date.as_deref().map(Cow::Borrowed),
            self.origin.as_deref().map(Cow::Borrowed),
            self.rights.as_deref().map(Cow::Borrowed),
        ];
        let named = SourceFact::NAMES.into_iter().zip(all);
        let known =
            named.filter_map(|((id, zh), words)| Some(SourceFact { id, zh, words: words? }));
        known.filter(|f| !f.words.trim().is_empty()).collect()
    }

    /// The image of a leaf, if one is known.
    pub(crate) fn image_of(&self, leaf: LeafName<'_>) -> Option<LeafImage> {
        self.images.iter().find_map(|images| images.of(leaf))
    }

    /// `儀禮・鄉射禮`, or the known part of it.
    pub fn locus(&self) -> Option<String> {
        match (&self.work, &self.chapter) {
            (Some(w), Some(c)) => Some(format!("{w}・{c}")),
            (Some(w), None) => Some(w.clone()),
            _ => None,
        }
    }
}
