//! What a check found, as programs read it.

use serde::Serialize;

use crate::search::{Answer, WordForm, WordPiece};
use crate::source::Span;

/// What is found out about a quotation or a citation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The words are there, and where they are said to be. Of a title: the text is there.
    Verbatim,
    /// The words are there, but not where they are said to be.
    Elsewhere,
    /// Some characters differ.
    Differs,
    /// Only something like it is there.
    Near,
    /// Nothing like it is in what was searched. It may be elsewhere. Of a title: it is not in what
    /// was searched, but more texts are at hand.
    NotFound,
    /// What it is said to be from is not in what was searched.
    WorkAbsent,
    /// Too few characters to tell.
    TooShort,
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// Words in quotation marks.
    Quotation,
    /// A title alone.
    Title,
}

/// Where the place that a quotation is said to be from is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CitedPlace {
    /// As the text has it.
    pub words: String,
    /// Work and chapter, if the list of works has them.
    pub name: Option<String>,
    /// The locus, if there are numbers.
    pub locus: Option<String>,
    /// True if that work, and the chapter if one is named, is in what was searched.
    pub is_here: bool,
}

/// One quotation or title.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The words, without marks around them.
    pub words: String,
    /// How many characters, without punctuation.
    pub characters: usize,
    /// What it is said to be from.
    pub cited: Option<CitedPlace>,
    /// The verdict.
    pub verdict: Verdict,
    /// In which form the words are there; only if they are.
    pub form: Option<WordForm>,
    /// How many stretches have the words; of words that differ, how many are shown.
    pub total: usize,
    /// The first of them.
    pub places: Vec<CheckedPlace>,
    /// What the text says of the place or the speaker and was not checked: 卷九十九, 賈公彥. The words
    /// may be elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
    /// Where the words are in the text, with their marks.
    #[serde(skip)]
    pub span: Span,
}

/// A place that has the words, or nearly.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedPlace {
    /// In which of what was searched, by name.
    pub searched: String,
    /// True if it is where the quotation is said to be from.
    pub is_cited: bool,
    /// The edition of the text.
    pub edition: Option<String>,
    /// Its CTS URN.
    pub urn: Option<String>,
    /// In which form the words are there.
    pub form: WordForm,
    /// How many characters are changed, added or left out.
    pub edits: usize,
    /// The words of both side by side, if some differ.
    pub differences: Vec<WordPiece>,
    /// The place.
    #[serde(flatten)]
    pub answer: Answer,
}

/// What was searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Searched {
    /// Its name.
    pub name: String,
    /// How many texts.
    pub texts: usize,
    /// Their works, or titles of texts without a work.
    pub works: Vec<String>,
    /// Their layers: 經, 注.
    pub layers: Vec<&'static str>,
}

/// How many of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct VerdictCounts {
    /// As [`Verdict::Verbatim`].
    pub verbatim: usize,
    /// As [`Verdict::Elsewhere`].
    pub elsewhere: usize,
    /// As [`Verdict::Differs`].
    pub differs: usize,
    /// As [`Verdict::Near`].
    pub near: usize,
    /// As [`Verdict::NotFound`].
    pub not_found: usize,
    /// As [`Verdict::WorkAbsent`].
    pub work_absent: usize,
    /// As [`Verdict::TooShort`].
    pub too_short: usize,
    /// How many of those that are verbatim have a place that was not understood.
    #[serde(skip_serializing_if = "is_zero")]
    pub unread: usize,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// The quotations and titles of a text, checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VerifyReport {
    /// The form of this JSON.
    pub format: &'static str,
    /// Name of the text.
    pub file: String,
    /// What was searched. What is not found may be in other books.
    pub searched: Vec<Searched>,
    /// How many quotations have each verdict; titles are not counted.
    pub counts: VerdictCounts,
    /// In the order of the text; without quotations that are too short.
    pub items: Vec<Item>,
}

/// Of longer words nothing that is only like them is looked for: it would take too long.
pub(super) const MAX_NEAR_CHARS: usize = 2000;

impl Item {
    /// True if the words are so long that they were only looked for as they are.
    pub fn is_long(&self) -> bool {
        self.characters > MAX_NEAR_CHARS
    }
}

/// The name of the form of the JSON.
pub(super) const FORMAT: &str = "zhushu-verify/1";

impl VerdictCounts {
    pub(super) fn add(&mut self, verdict: Verdict) {
        let count = match verdict {
            Verdict::Verbatim => &mut self.verbatim,
            Verdict::Elsewhere => &mut self.elsewhere,
            Verdict::Differs => &mut self.differs,
            Verdict::Near => &mut self.near,
            Verdict::NotFound => &mut self.not_found,
            Verdict::WorkAbsent => &mut self.work_absent,
            Verdict::TooShort => &mut self.too_short,
        };
        *count += 1;
    }
}

impl VerifyReport {
    /// As JSON; its form is in `schema/verify.schema.json`.
    pub fn to_json(&self) -> String {
        // Nothing in it can fail: keys are words, numbers are finite.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// True if all quotations are verbatim where they are said to be, and that is understood.
    pub fn is_all_verbatim(&self) -> bool {
        let is_sound = |i: &Item| i.verdict == Verdict::Verbatim && i.unread.is_none();
        self.items.iter().all(|i| i.kind == ItemKind::Title || is_sound(i))
    }
}
