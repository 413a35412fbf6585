//! The names of the features, and the evidence each belongs to, so that a cut can be explained.
//!
//! The weights are in `data/weights.tsv`, under the same names.

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
    CommonInNote LanguageModel; CommonNoteFirst LanguageModel; CommonClassicFirst LanguageModel;
    NoteFirst Layout; NoteInner Layout; NoteLast Layout; ClassicFirst Layout; ClassicInner Layout; ClassicLast Layout;
    ClassicLastOfGroup Layout; ClassicLastDespiteHeader LemmaHeader; NoteDespiteHeader LemmaHeader; WholeClassic Layout; WholeNote Layout;
    NoteLength Length; ClassicLength Length; NoteShort Length; ClassicShort Length;
    NoteAtClause Punctuation; ClassicAtClause Punctuation; NoteInSpeech Speech; ClassicInSpeech Speech; NoteAfterColon Punctuation; NoteAfterSpeech Speech; ClassicAfterSpeech Speech; NoteAtNoMark Punctuation; ClassicAtNoMark Punctuation;
    NoteAtParagraph Layout; ClassicAtParagraph Layout; NoteOverParagraph Layout; ClassicOverParagraph Layout;
    NoteInsideBySize Layout; ClassicInsideBySize Layout; NoteAtParagraphBySize Layout; ClassicAtParagraphBySize Layout; NoteOverBySize Layout; ClassicOverBySize Layout;
    NoteAtClauseAsUsual Punctuation; ClassicAtClauseAsUsual Punctuation; NoteAtParagraphAsUsual Layout; ClassicAtParagraphAsUsual Layout; NoteUnusualLength Length; ClassicUnusualLength Length;
    NoteFromHere LemmaHeader; NoteFromElsewhere LemmaHeader; NoteFromNearly LemmaHeader; NoteFromHereOnly LemmaHeader;
    ClassicToHere LemmaHeader; ClassicToElsewhere LemmaHeader; ClassicToNearly LemmaHeader; HeaderBothSides LemmaHeader;
    NoteNotByHeader LemmaHeader; NoteNotByInnerHeader LemmaHeader; NoteToHere LemmaHeader; ClassicFromHere LemmaHeader; ClassicInHeaderNote LemmaHeader; NoteInHeaderClassic LemmaHeader;
    NoteInQuote Quotation; ClassicInQuote Quotation; NoteAtQuote Quotation; ClassicAtQuote Quotation;
    ClassicQuotedAsNote Quotation; NoteQuotedAsClassic Quotation; NoteQuoted Quotation;
    Repeats1 RepeatsClassic; Repeats2 RepeatsClassic; Repeats3 RepeatsClassic; RepeatsEnd RepeatsClassic;
    Gloss Formula; GlossRepeats Formula; GlossShort Formula; TermAlone1 RepeatsClassic; TermAlone2 RepeatsClassic; Sound Formula; ClassicSounds Formula; ClassicGlosses Formula; Means Formula; Recension Formula; ClassicRecension Formula; NoteEndsYe Formula; ClassicEndsYe Formula; ClassicAfterYe Formula;
    NoteTermsBefore TakesUpClassic; NoteTermsInside TakesUpClassic; ClassicTakenUp TakesUpClassic; ClassicNotTakenUp TakesUpClassic; ClassicTakesUp TakesUpClassic; NoteEchoes RepeatsClassic; ClassicEchoes RepeatsClassic; NoteSoundLate Formula; NoteByCommentator Commentator; ClassicByCommentator Commentator; NoteOfWords Formula; ClassicOfWords Formula; NoteTitles Titles; ClassicTitles Titles; NoteRecensionInside Formula;
    NoteEchoesAtEnd RepeatsClassic; NoteEchoesAll RepeatsClassic; ClassicEchoedAfter RepeatsClassic;
    NoteQuotedAsLemma Quotation; ClassicLastBeforeCircle Layout; HexagramLine Formula;
    Yin Layout; YinGlosses GlossForm; YinOthers GlossForm; YinKnownHeads GlossForm; YinUnknownHeads GlossForm; YinEndsOtherwise GlossForm; YinBeforeGloss GlossForm; YinWhole Layout; YinAtClause Punctuation; OutsideYinGlosses GlossForm;
    YinInCanon Canon; NoteInCanon Canon; NoteShareInCanon Canon; CanonJoins Canon; CanonJoinsNot Canon; CanonJoinsNext Canon; CanonJoinsNextNot Canon;
    ClassicNotInCanon Canon; ClassicShareNotInCanon Canon; ClassicGoesOnInCanon Canon; ClassicBeganInCanon Canon;
    ClassicAgainstWitness Witness; NoteAgainstWitness Witness; YinAgainstWitness Witness;
    ClassicAgainstPlain Witness; NoteAgainstPlain Witness; YinAgainstPlain Witness;
    ClassicNotRendered Translation; NoteRendered Translation;
    AgainstLayout Layout;
    AgainstPerson Person;
}

/// Fixed weights: of witnesses that mark their notes, for each character, and of translations, for
/// each clause. They are not learned, because the lessons have neither.
///
/// A certain vote on one character must outweigh all other evidence on a clause, and three must
/// outweigh all of it together. In a text with a translation (鄉射禮), fifteen of sixteen clauses
/// that are rendered are 經, and as many of those passed over are 注 (counted before the support
/// was cross-fitted): 2.7 nats. Adjacent clauses are found or missed together, so each counts half.
/// What a person has decided outweighs everything.
pub const FIXED_WEIGHTS: [(Feature, f64); 7] = [
    (Feature::AgainstLayout, -3.0),
    (Feature::AgainstPerson, -1000.0),
    (Feature::ClassicAgainstWitness, -5.0),
    (Feature::NoteAgainstWitness, -5.0),
    (Feature::YinAgainstWitness, -5.0),
    (Feature::ClassicNotRendered, -1.3),
    (Feature::NoteRendered, -1.3),
];

/// The features of witnesses.
pub const WITNESS_FEATURES: [Feature; 6] = [
    Feature::ClassicAgainstWitness,
    Feature::NoteAgainstWitness,
    Feature::YinAgainstWitness,
    Feature::ClassicAgainstPlain,
    Feature::NoteAgainstPlain,
    Feature::YinAgainstPlain,
];
