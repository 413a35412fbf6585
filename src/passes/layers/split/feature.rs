//! The labels of runs, and the names of what speaks for them.
//!
//! The weights stand in `data/weights.tsv`; a feature's name there is its name here. The list says
//! also which evidence a feature belongs to, so that a cut can be explained.

use crate::model::EvidenceKind;

macro_rules! features {
    ($( $name:ident $evidence:ident; )*) => {
        /// A feature.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Feature { $( $name, )* }
        /// Name and evidence of every feature, in the order of the enum.
        pub static FEATURES: &[(&str, EvidenceKind)] = &[ $( (stringify!($name), EvidenceKind::$evidence), )* ];
    };
}

features! {
    Model LanguageModel; Shipped LanguageModel; NoteBegins LanguageModel; NoteEnds LanguageModel; ClassicBegins LanguageModel; ClassicEnds LanguageModel;
    NoteFirst Layout; NoteInner Layout; NoteLast Layout; ClassicFirst Layout; ClassicInner Layout; ClassicLast Layout;
    ClassicLastOfGroup Layout; ClassicLastDespiteHeader LemmaHeader; NoteDespiteHeader LemmaHeader; WholeClassic Layout; WholeNote Layout;
    NoteLength Length; ClassicLength Length; NoteShort Length; ClassicShort Length;
    NoteAtClause Punctuation; ClassicAtClause Punctuation; NoteInSpeech Speech; ClassicInSpeech Speech; NoteAfterColon Punctuation; NoteAfterSpeech Speech; ClassicAfterSpeech Speech; NoteAtNoMark Punctuation; ClassicAtNoMark Punctuation;
    NoteFromHere LemmaHeader; NoteFromElsewhere LemmaHeader; NoteFromNearly LemmaHeader; NoteFromHereOnly LemmaHeader;
    ClassicToHere LemmaHeader; ClassicToElsewhere LemmaHeader; ClassicToNearly LemmaHeader; HeaderBothSides LemmaHeader;
    NoteNotByHeader LemmaHeader; NoteNotByInnerHeader LemmaHeader; NoteToHere LemmaHeader; ClassicFromHere LemmaHeader; ClassicInHeaderNote LemmaHeader; NoteInHeaderClassic LemmaHeader;
    NoteInQuote Quotation; ClassicInQuote Quotation; NoteAtQuote Quotation; ClassicAtQuote Quotation;
    ClassicQuotedAsNote Quotation; NoteQuotedAsClassic Quotation; NoteQuoted Quotation;
    Repeats1 RepeatsClassic; Repeats2 RepeatsClassic; Repeats3 RepeatsClassic; RepeatsEnd RepeatsClassic;
    Gloss Formula; GlossRepeats Formula; GlossShort Formula; TermAlone1 RepeatsClassic; TermAlone2 RepeatsClassic; Sound Formula; ClassicSounds Formula; ClassicGlosses Formula; Means Formula; Recension Formula; ClassicRecension Formula; NoteEndsYe Formula; ClassicEndsYe Formula; ClassicAfterYe Formula;
    NoteTermsBefore TakesUpClassic; NoteTermsInside TakesUpClassic; ClassicTakenUp TakesUpClassic; ClassicNotTakenUp TakesUpClassic; ClassicTakesUp TakesUpClassic; NoteEchoes RepeatsClassic; ClassicEchoes RepeatsClassic; NoteSoundLate Formula; NoteByCommentator Commentator; ClassicByCommentator Commentator; NoteOfWords Formula; ClassicOfWords Formula; NoteTitles Titles; ClassicTitles Titles; NoteRecensionInside Formula;
    ClassicAgainstWitness Witness; NoteAgainstWitness Witness;
    ClassicNotRendered Translation; NoteRendered Translation;
}

/// The weights of what witnesses say, a character, and of what translations say, a clause. They
/// are set, not learned: the lessons have neither.
///
/// A sure character of a witness must outweigh what any other evidence says of a clause, and three
/// sure ones all of it. Where a text and its translation are at hand (鄉射禮), a clause that is
/// rendered is 經 fifteen times in sixteen, and one passed over within reach is 注 as often
/// (counted before the support was cross-fitted): 2.7 nats. Neighbours are found or missed
/// together, so a clause counts half.
pub const FIXED_WEIGHTS: [(Feature, f64); 4] = [
    (Feature::ClassicAgainstWitness, -5.0),
    (Feature::NoteAgainstWitness, -5.0),
    (Feature::ClassicNotRendered, -1.3),
    (Feature::NoteRendered, -1.3),
];

/// The features of witnesses among them.
pub const OF_WITNESSES: [Feature; 2] =
    [Feature::ClassicAgainstWitness, Feature::NoteAgainstWitness];
