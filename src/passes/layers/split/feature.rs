//! The labels of runs, and the names of what speaks for them.
//!
//! The weights stand in `data/weights.tsv`; a feature's name there is its name here. The list says
//! also which evidence a feature belongs to, so that a cut can be explained.

macro_rules! features {
    ($( $name:ident $evidence:literal; )*) => {
        /// A feature.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Feature { $( $name, )* }
        /// Name and evidence of every feature, in the order of the enum.
        pub static FEATURES: &[(&str, &str)] = &[ $( (stringify!($name), $evidence), )* ];
    };
}

features! {
    Model "language-model"; Shipped "language-model"; NoteBegins "language-model"; NoteEnds "language-model"; ClassicBegins "language-model"; ClassicEnds "language-model";
    NoteFirst "layout"; NoteInner "layout"; NoteLast "layout"; ClassicFirst "layout"; ClassicInner "layout"; ClassicLast "layout";
    ClassicLastOfGroup "layout"; ClassicLastDespiteHeader "lemma-header"; NoteDespiteHeader "lemma-header"; WholeClassic "layout"; WholeNote "layout";
    NoteLength "length"; ClassicLength "length"; NoteShort "length"; ClassicShort "length";
    NoteAtClause "punctuation"; ClassicAtClause "punctuation"; NoteInSpeech "speech"; ClassicInSpeech "speech"; NoteAfterColon "punctuation"; NoteAfterSpeech "speech"; ClassicAfterSpeech "speech"; NoteAtNoMark "punctuation"; ClassicAtNoMark "punctuation";
    NoteFromHere "lemma-header"; NoteFromElsewhere "lemma-header"; NoteFromNearly "lemma-header"; NoteFromHereOnly "lemma-header";
    ClassicToHere "lemma-header"; ClassicToElsewhere "lemma-header"; ClassicToNearly "lemma-header"; HeaderBothSides "lemma-header";
    NoteNotByHeader "lemma-header"; NoteNotByInnerHeader "lemma-header"; NoteToHere "lemma-header"; ClassicFromHere "lemma-header"; ClassicInHeaderNote "lemma-header"; NoteInHeaderClassic "lemma-header";
    NoteInQuote "quotation"; ClassicInQuote "quotation"; NoteAtQuote "quotation"; ClassicAtQuote "quotation";
    ClassicQuotedAsNote "quotation"; NoteQuotedAsClassic "quotation"; NoteQuoted "quotation";
    Repeats1 "repeats-classic"; Repeats2 "repeats-classic"; Repeats3 "repeats-classic"; RepeatsEnd "repeats-classic";
    Gloss "formula"; GlossRepeats "formula"; GlossShort "formula"; TermAlone1 "repeats-classic"; TermAlone2 "repeats-classic"; Sound "formula"; ClassicSounds "formula"; ClassicGlosses "formula"; Means "formula"; Recension "formula"; ClassicRecension "formula"; NoteEndsYe "formula"; ClassicEndsYe "formula"; ClassicAfterYe "formula";
    NoteTermsBefore "takes-up-classic"; NoteTermsInside "takes-up-classic"; ClassicTakenUp "takes-up-classic"; ClassicNotTakenUp "takes-up-classic"; ClassicTakesUp "takes-up-classic"; NoteEchoes "repeats-classic"; ClassicEchoes "repeats-classic"; NoteSoundLate "formula"; NoteByCommentator "commentator"; ClassicByCommentator "commentator"; NoteOfWords "formula"; ClassicOfWords "formula"; NoteTitles "titles"; ClassicTitles "titles"; NoteRecensionInside "formula";
    ClassicAgainstWitness "witness"; NoteAgainstWitness "witness";
    ClassicNotRendered "translation"; NoteRendered "translation";
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
