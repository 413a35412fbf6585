//! The rules of this room. Each link names in its evidence the one that made it, and a measurement
//! can leave rules out (`lab ablate`).

#[cfg(feature = "internals")]
use std::sync::atomic::{AtomicBool, Ordering};

macro_rules! rules {
    ($( $name:ident $id:literal )*) => {
        /// A rule that finds a reference and says where it leads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule { $( $name, )* }

        impl Rule {
            /// All, in the order of the table.
            pub const ALL: &[Rule] = &[ $( Rule::$name, )* ];

            /// Its id, as evidence and measurements have it.
            pub fn id(self) -> &'static str {
                match self { $( Rule::$name => $id, )* }
            }
        }
    };
}

rules! {
    BareChapter "bare-chapter"          BareTitle "bare-title"          CanOnlyGoOn "can-only-go-on"
    CitedJustBefore "cited-just-before" ClassicCites "classic-cites"    ContinuedText "continued-text"
    Earlier "earlier"                   Elsewhere "elsewhere"           ExactlyElsewhere "exactly-elsewhere"
    FlatGoesOn "flat-goes-on"           FlatSays "flat-says"            FlatSpeaker "flat-speaker"
    FlatTakenUp "flat-taken-up"         FlatTitle "flat-title"          FromYear "from-year"
    GoesOnFurther "goes-on-further"     Ibid "ibid"                     InChapter "in-chapter"
    InPassage "in-passage"              InnerQuotation "inner-quotation" NamedSource "named-source"
    NextPassage "next-passage"          NoteQuotation "note-quotation"  NoteRecension "note-recension"
    NoteSays "note-says"                NoteTitle "note-title"          NoteYear "note-year"
    OpenOffice "open-office"            OpenSource "open-source"        Opening "opening"
    OtherChapter "other-chapter"        Outline "outline"               OwnWork "own-work"
    Pointer "pointer"                   QuotedRange "quoted-range"      ReadAlike "read-alike"
    Reported "reported"                 SaidNotToStandThere "said-not-to-stand-there"
    Scope "scope"                       Speaker "speaker"               TakenUp "taken-up"
    ThisPassage "this-passage"          Title "title"                   Unquoted "unquoted"
    Year "year"
}

/// Which rules a measurement leaves out. The program itself has no such switch.
#[cfg(feature = "internals")]
static LEFT_OUT: [AtomicBool; Rule::ALL.len()] =
    [const { AtomicBool::new(false) }; Rule::ALL.len()];

impl Rule {
    /// True unless a measurement leaves the rule out.
    #[cfg(feature = "internals")]
    #[inline]
    pub fn on(self) -> bool {
        !LEFT_OUT[self as usize].load(Ordering::Relaxed)
    }

    /// True: only a measurement leaves rules out.
    #[cfg(not(feature = "internals"))]
    #[inline]
    pub fn on(self) -> bool {
        true
    }

    /// Leaves the rule out, or puts it back, in the whole process.
    #[cfg(feature = "internals")]
    pub fn leave_out(self, out: bool) {
        LEFT_OUT[self as usize].store(out, Ordering::Relaxed);
    }
}
