//! The rules of this room, each with an id. A measurement can leave rules out (`lab ablate`).

#[cfg(feature = "internals")]
use std::sync::atomic::{AtomicBool, Ordering};

macro_rules! rules {
    ($( $name:ident $id:literal, )*) => {
        /// A rule that finds a reference, says where it leads, or keeps it from being found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule { $( $name, )* }

        impl Rule {
            /// All, in the order of the table.
            pub const ALL: &[Rule] = &[ $( Rule::$name, )* ];

            /// Its id, as a measurement prints it.
            pub fn id(self) -> &'static str {
                match self { $( Rule::$name => $id, )* }
            }
        }
    };
}

rules! {
    Scope "scope",
    NamesClassic "names-classic",
    ClassicCites "classic-cites",
    HeaderBefore "header-before",
    NestedInPassage "nested-in-passage",
    NestedElsewhere "nested-elsewhere",
    NestedInChapter "nested-in-chapter",
    OuterStaysLast "outer-stays-last",
    QuotedRange "quoted-range",
    Elsewhere "elsewhere",
    QuotedFromYear "quoted-from-year",
    RecentWords "recent-words",
    NextPassage "next-passage",
    Reported "reported",
    ExactlyElsewhere "exactly-elsewhere",
    Outline "outline",
    CitesInSentence "cites-in-sentence",
    OpenSource "open-source",
    OpenOffice "open-office",
    Ibid "ibid",
    Earlier "earlier",
    InThisText "in-this-text",
    OwnWork "own-work",
    QuotesAnother "quotes-another",
    TwoInChapter "two-in-chapter",
    SaidNotToStandThere "said-not-to-stand-there",
    CitedJustBefore "cited-just-before",
    RangeElsewhere "range-elsewhere",
    ElsewhereIsHere "elsewhere-is-here",
    GoesOnFurther "goes-on-further",
    TitleHasQuotation "title-has-quotation",
    OtherChapter "other-chapter",
    CanOnlyGoOn "can-only-go-on",
    AfterPlace "after-place",
    NotesOfZheng "notes-of-zheng",
    ScholarOnCited "scholar-on-cited",
    ScholarTakes "scholar-takes",
    SurnameAlone "surname-alone",
    ScholarNotesCited "scholar-notes-cited",
    NoteTitles "note-titles",
    NoteBareTitles "note-bare-titles",
    NoteYears "note-years",
    Recensions "recensions",
    NoteQuotes "note-quotes",
    ReadingsPointed "readings-pointed",
    NoteSays "note-says",
    NoteTakesUp "note-takes-up",
    YearAfterNoteTitle "year-after-note-title",
    OneCharacterTitle "one-character-title",
    OfficeHasCharge "office-has-charge",
    NoteSpeaker "note-speaker",
    NoteOfNamed "note-of-named",
    NoteAlignedOwnWork "note-aligned-own-work",
    NoteOtherChapter "note-other-chapter",
    NoteRepeated "note-repeated",
    NamedSource "named-source",
    ContinuedText "continued-text",
    OfHeader "of-header",
    FromThere "from-there",
    NamedSourceOfClauses "named-source-of-clauses",
    LostSong "lost-song",
    ListOfOffices "list-of-offices",
    NotesOnTitle "notes-on-title",
    NotesByAuthor "notes-by-author",
    YearOfTitle "year-of-title",
    TitleSaysMore "title-says-more",
    Guessed "guessed",
    GuessedByPassage "guessed-by-passage",
    NarrowedTitle "narrowed-title",
    RepeatedBefore "repeated-before",
    RepeatedAfter "repeated-after",
    IsSource "is-source",
    SamePassageHere "same-passage-here",
    BeyondYear "beyond-year",
    OnlyChapter "only-chapter",
    QuotedAligned "quoted-aligned",
    FirstWordsAfterTitle "first-words-after-title",
    StreamOfHeader "stream-of-header",
    LoneChapter "lone-chapter",
    Mostly "mostly",
    BareChapter "bare-chapter",
    Years "years",
    BareYears "bare-years",
    Pointer "pointer",
    UnquotedSpeakers "unquoted-speakers",
    ThisPassage "this-passage",
    TakesUp "takes-up",
    BareTitles "bare-titles",
    Unquoted "unquoted",
    PointerThere "pointer-there",
    Retold "retold",
    PointerNearly "pointer-nearly",
    UnquotedNegative "unquoted-negative",
    SumsUp "sums-up",
    UnquotedEcho "unquoted-echo",
    FirstWords "first-words",
    GlossOfOne "gloss-of-one",
    ReportsWord "reports-word",
    SeveralPlaces "several-places",
    SaidByTitle "said-by-title",
    FlatOwnChapter "flat-own-chapter",
    FlatSpeaker "flat-speaker",
    FlatTakenUp "flat-taken-up",
    FlatGoesOn "flat-goes-on",
    FlatSays "flat-says",
    FlatBareChapter "flat-bare-chapter",
    HomeByWords "home-by-words",
    PrefersClassic "prefers-classic",
}

/// Which rules a measurement leaves out. The program itself has no such switch.
#[cfg(feature = "internals")]
static LEFT_OUT: [AtomicBool; Rule::ALL.len()] =
    [const { AtomicBool::new(false) }; Rule::ALL.len()];

#[cfg(feature = "internals")]
impl Rule {
    /// True unless a measurement leaves the rule out.
    #[inline]
    pub fn on(self) -> bool {
        !LEFT_OUT[self as usize].load(Ordering::Relaxed)
    }

    /// Leaves the rule out, or puts it back, in the whole process.
    pub fn leave_out(self, out: bool) {
        LEFT_OUT[self as usize].store(out, Ordering::Relaxed);
    }
}

#[cfg(not(feature = "internals"))]
impl Rule {
    /// True: only a measurement leaves rules out.
    pub fn on(self) -> bool {
        true
    }
}
