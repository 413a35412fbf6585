//! Glosses: what notes say that a word means, or how it is read: 純猶全也; 握，謂中央也; 畜，許六反.
//!
//! Nothing is kept: they are found in a document when they are asked for. The formulas are the rows
//! of `data/formulas.tsv`. A headword is looked for in the words that the note is about, which is
//! the strongest evidence that it is one; a certainty is what was counted in statements that
//! people read. Readings of other copies come from the [apparatus](Document::apparatus).

mod dictionary;
mod explained;
mod formulas;
mod list;
mod matches;
mod row;
mod stardict;
#[cfg(test)]
mod tests;
mod word_list;

use ecow::EcoString;

use crate::model::{Certainty, Difference, Document, Layer, LayerKind};
use crate::source::Span;

pub use dictionary::{Dictionary, OwnEntry};
pub(crate) use list::folded;
pub use list::{GlossGroup, GlossWanted, PlacedGloss, grouped, placed};
pub use stardict::DictionaryFault;

use explained::Explained;
use matches::{FoundGloss, Note};
use row::GlossRow;

/// How a note explains a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum GlossKind {
    /// 由，從也.
    Means,
    /// 職謂職稅也.
    RefersTo,
    /// 任猶事也.
    IsLike,
    /// 學之爲言效也: a word of like sound explains it.
    SoundGloss,
    /// 衆口曰哤: the sense is said first.
    Called,
    /// 齊讀爲粢.
    ReadAs,
    /// 純讀如緇.
    ReadLike,
    /// 率，音律.
    Sounds,
    /// 畜，許六反.
    Fanqie,
    /// 好，去聲; 好，如字.
    Tone,
    /// 古文縮爲蹙.
    OtherReading,
    /// 觚當爲觶.
    Emended,
}

impl GlossKind {
    /// All of them.
    pub const ALL: [GlossKind; 12] = [
        GlossKind::Means,
        GlossKind::RefersTo,
        GlossKind::IsLike,
        GlossKind::SoundGloss,
        GlossKind::Called,
        GlossKind::ReadAs,
        GlossKind::ReadLike,
        GlossKind::Sounds,
        GlossKind::Fanqie,
        GlossKind::Tone,
        GlossKind::OtherReading,
        GlossKind::Emended,
    ];

    /// Name in JSON, TSV and TEI.
    pub fn id(self) -> &'static str {
        match self {
            GlossKind::Means => "means",
            GlossKind::RefersTo => "refers-to",
            GlossKind::IsLike => "is-like",
            GlossKind::SoundGloss => "sound-gloss",
            GlossKind::Called => "called",
            GlossKind::ReadAs => "read-as",
            GlossKind::ReadLike => "read-like",
            GlossKind::Sounds => "sounds",
            GlossKind::Fanqie => "fanqie",
            GlossKind::Tone => "tone",
            GlossKind::OtherReading => "other-reading",
            GlossKind::Emended => "emended",
        }
    }

    /// The kind with this name.
    pub fn of_id(id: &str) -> Option<Self> {
        GlossKind::ALL.into_iter().find(|kind| kind.id() == id)
    }

    /// True if it says how a word is pronounced.
    pub fn is_sound(self) -> bool {
        matches!(self, GlossKind::Sounds | GlossKind::Fanqie | GlossKind::Tone)
    }
}

/// Where the headword of a gloss stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GlossPlace {
    /// In the words that the note is about.
    Lemma,
    /// In the text before them.
    Before,
    /// In no text.
    Nowhere,
}

impl GlossPlace {
    /// Name in JSON and TSV.
    pub fn id(self) -> &'static str {
        match self {
            GlossPlace::Lemma => "lemma",
            GlossPlace::Before => "before",
            GlossPlace::Nowhere => "nowhere",
        }
    }
}

/// What a note says of a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Gloss {
    /// How.
    pub kind: GlossKind,
    /// The word, as the note writes it.
    pub headword: EcoString,
    /// What is said of it, without the 也 at the end.
    pub sense: EcoString,
    /// The statement in the note.
    pub span: Span,
    /// Layer of the note.
    pub layer: Layer,
    /// Who says it, as far as that is known; of a reading the witness, such as 古文.
    pub who: Option<EcoString>,
    /// The word in the text that is explained.
    pub lemma: Option<Span>,
    /// Where that is.
    pub place: GlossPlace,
    /// How certain it is that this is a gloss of the headword.
    pub certainty: Certainty,
}

/// All glosses of a document, in the order of the text.
///
/// ```
/// use zhushu::{pipeline, source::Source, glosses};
/// let text = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n";
/// let library = pipeline::convert(Source::from_text("demo.txt", text), None)?;
/// let all = glosses::of(&library.documents[0]);
/// assert_eq!((&*all[0].headword, all[0].kind.id(), &*all[0].sense), ("純", "is-like", "全"));
/// # Ok::<(), zhushu::diag::Error>(())
/// ```
pub fn of(document: &Document) -> Vec<Gloss> {
    let row = GlossRow::of(document);
    let mut found = Vec::new();
    for n in 0..row.notes() {
        let about = Explained::of(&row, n);
        let all = Note::new(&row, n, &about).glosses();
        let layer = row.note(n).layer;
        found.extend(all.iter().filter_map(|f| gloss(document, &row, layer, f)));
    }
    found.extend(document.apparatus.iter().filter_map(|entry| reading(document, entry)));
    found.sort_by_key(|g: &Gloss| (g.span.start(), g.span.end(), g.kind));
    found
}

/// True for layers that explain.
fn explains(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Note | LayerKind::Commentary)
}

fn gloss(document: &Document, row: &GlossRow, layer: Layer, found: &FoundGloss) -> Option<Gloss> {
    let span = row.span(&found.whole)?;
    Some(Gloss {
        kind: found.formula.kind,
        headword: words(document, row.span(&found.head)?),
        sense: words(document, row.span(&found.sense)?),
        span,
        layer,
        who: document.speakers().of(span).map(EcoString::from),
        lemma: found.lemma.as_ref().and_then(|l| row.span(l)),
        place: found.place,
        certainty: found.certainty,
    })
}

/// A reading of another copy, as the apparatus has it.
fn reading(document: &Document, entry: &crate::model::ApparatusEntry) -> Option<Gloss> {
    let kind = match entry.difference {
        Difference::Other => GlossKind::OtherReading,
        Difference::Emends => GlossKind::Emended,
        _ => return None,
    };
    let segment = &document.segments[document.segment_at(entry.span.start())?];
    let head = entry.named.or(entry.lemma)?;
    Some(Gloss {
        kind,
        headword: words(document, head),
        sense: words(document, entry.reading?),
        span: entry.span,
        layer: segment.layer,
        who: Some(entry.witness.as_str().into()),
        lemma: entry.lemma,
        place: if entry.lemma.is_some() { GlossPlace::Lemma } else { GlossPlace::Nowhere },
        certainty: entry.certainty,
    })
}

/// The words of a span in one line.
fn words(document: &Document, span: Span) -> EcoString {
    document.words(span).split_whitespace().collect()
}
