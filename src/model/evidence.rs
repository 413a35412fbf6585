//! Evidence: why the program infers something.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

macro_rules! kinds {
    ($( $name:ident $code:literal, )*) => {
        /// A kind of evidence. [`phrases`](super::phrases) has a phrase for each.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[non_exhaustive]
        #[allow(missing_docs)]
        pub enum EvidenceKind {
            $( $name, )*
            /// A code read from a file that this version of the program does not know.
            Other(Arc<str>),
        }

        impl EvidenceKind {
            /// All kinds that the program knows.
            pub const ALL: &[EvidenceKind] = &[ $( EvidenceKind::$name, )* ];

            /// Its stable code in kebab case, such as `lemma-header`.
            pub fn code(&self) -> &str {
                match self {
                    $( EvidenceKind::$name => $code, )*
                    EvidenceKind::Other(code) => code,
                }
            }
        }

        impl From<&str> for EvidenceKind {
            fn from(code: &str) -> Self {
                match code {
                    $( $code => EvidenceKind::$name, )*
                    _ => EvidenceKind::Other(code.into()),
                }
            }
        }
    };
}

kinds! {
    AfterLabel "after-label",
    AfterLastLabel "after-last-label",
    AfterTitle "after-title",
    AllTogether "all-together",
    Alone "alone",
    BeforeFirstScope "before-first-scope",
    BeforeTitleWithoutGlosses "before-title-without-glosses",
    BracketUnclosed "bracket-unclosed",
    Canon "canon",
    CircleHabit "circle-habit",
    ClassicBegins "classic-begins",
    ClosingLabel "closing-label",
    Commentator "commentator",
    Context "context",
    Debris "debris",
    EarlierInChapter "earlier-in-chapter",
    EndOfScopeNotInText "end-of-scope-not-in-text",
    Formula "formula",
    FoundInCorpus "found-in-corpus",
    FullLine "full-line",
    GlossForm "gloss-form",
    GoesOn "goes-on",
    GoesOnWithCitation "goes-on-with-citation",
    HeaderForm "header-form",
    HeaderMisprint "header-misprint",
    InCitedChapter "in-cited-chapter",
    InPassage "in-passage",
    LabelForm "label-form",
    LabelInLine "label-in-line",
    LabelsInLine "labels-in-line",
    LanguageModel "language-model",
    LaterInChapter "later-in-chapter",
    Layout "layout",
    LearnedPairs "learned-pairs",
    LemmaHeader "lemma-header",
    Length "length",
    LineEnd "line-end",
    ListedOpening "listed-opening",
    LongestCommonRun "longest-common-run",
    LongestWordsOfThePassage "longest-words-of-the-passage",
    LuSpeaks "lu-speaks",
    MisprintAtKnownBorder "misprint-at-known-border",
    MostLikeTheReading "most-like-the-reading",
    NamedBySubcommentary "named-by-subcommentary",
    Network "network",
    NextPlaceAfter "next-place-after",
    NoBlankLine "no-blank-line",
    NoCounterpart "no-counterpart",
    NoSuchWords "no-such-words",
    NoWords "no-words",
    NotFound "not-found",
    NotInCorpus "not-in-corpus",
    NotInPassage "not-in-passage",
    NotToldApart "not-told-apart",
    NoteOnLabel "note-on-label",
    OddLength "odd-length",
    OpeningForm "opening-form",
    Order "order",
    OutsideTheChapters "outside-the-chapters",
    PageFurniture "page-furniture",
    ParagraphEnd "paragraph-end",
    ParagraphStart "paragraph-start",
    Parts "parts",
    Person "person",
    PlaceOfTheNote "place-of-the-note",
    PlainCopy "plain-copy",
    Punctuation "punctuation",
    Range "range",
    Quotation "quotation",
    RareWordsInCommon "rare-words-in-common",
    ReadsAsClassic "reads-as-classic",
    ReadsAsLayer "reads-as-layer",
    ReadsLikeSoundGloss "reads-like-sound-gloss",
    Recension "recension",
    RepeatedContent "repeated-content",
    RepeatsClassic "repeats-classic",
    Rule "rule",
    RunningHead "running-head",
    RunsOnAfterReadings "runs-on-after-readings",
    SaidNotToStandThere "said-not-to-stand-there",
    SameChapter "same-chapter",
    SameCharacters "same-characters",
    SameSign "same-sign",
    Scope "scope",
    ScriptTable "script-table",
    SectionLabel "section-label",
    SectionMark "section-mark",
    SectionOfWitness "section-of-witness",
    SeveralPlaces "several-places",
    SharedCharacters "shared-characters",
    SharedWords "shared-words",
    ShortLine "short-line",
    Speech "speech",
    SumsUp "sums-up",
    TableOfContents "table-of-contents",
    TakesUpClassic "takes-up-classic",
    Tei "tei",
    Title "title",
    TitleLine "title-line",
    TitleLines "title-lines",
    TitleNotInAuthorityFile "title-not-in-authority-file",
    Titles "titles",
    Translation "translation",
    Unaligned "unaligned",
    UnclosedSmall "unclosed-small",
    Unknown "unknown",
    WideLine "wide-line",
    Witness "witness",
    WitnessAgainst "witness-against",
    WordNotInTextBefore "word-not-in-text-before",
    WordOfTheClassicBefore "word-of-the-classic-before",
    Words "words",
    WordsDiffer "words-differ",
    ZhuanGoesOn "zhuan-goes-on",
    ZhuanOpening "zhuan-opening",
}

impl fmt::Display for EvidenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Why the program infers something.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Evidence {
    /// What kind of evidence.
    pub kind: EvidenceKind,
    /// Details of this case, if there are any.
    pub detail: Option<Cow<'static, str>>,
}

impl Evidence {
    /// Evidence without details.
    pub const fn of(kind: EvidenceKind) -> Self {
        Evidence { kind, detail: None }
    }
    /// Evidence with details.
    pub fn new(kind: EvidenceKind, detail: impl Into<Cow<'static, str>>) -> Self {
        Evidence { kind, detail: Some(detail.into()) }
    }
    /// The code of its kind.
    pub fn code(&self) -> &str {
        self.kind.code()
    }
}

/// Evidence that is shown to people. Which rule made something is for measurements: JSON has it.
pub(crate) fn shown(evidence: &[Evidence]) -> impl Iterator<Item = &Evidence> {
    evidence.iter().filter(|e| e.kind != EvidenceKind::Rule)
}

/// True if a person decided it.
pub(crate) fn is_decided(evidence: &[Evidence]) -> bool {
    evidence.iter().any(|e| e.kind == EvidenceKind::Person)
}

/// Who decided it, if a person did. A decision about what is beside it names no one.
pub(crate) fn decided_by(evidence: &[Evidence]) -> Option<&str> {
    let person = evidence.iter().find(|e| e.kind == EvidenceKind::Person)?;
    let detail = person.detail.as_deref()?;
    // The detail is the name and the date.
    Some(detail.rsplit_once(", ").map_or(detail, |(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::phrases;

    #[test]
    fn every_kind_of_evidence_has_words() {
        let wordless: Vec<_> =
            EvidenceKind::ALL.iter().filter(|k| !phrases::is_known(k.code())).collect();
        assert!(wordless.is_empty(), "no message code-… for {wordless:?}");
    }

    #[test]
    fn a_code_names_its_kind_and_an_unknown_code_is_kept() {
        for kind in EvidenceKind::ALL {
            assert_eq!(EvidenceKind::from(kind.code()), *kind);
        }
        assert_eq!(EvidenceKind::from("of-tomorrow").code(), "of-tomorrow");
    }
}
