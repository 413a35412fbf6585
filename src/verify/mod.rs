//! Checks the quotations of a text: is it so in the books that are at hand, and where?
//!
//! [`QuotingText`] takes a text out of its file and finds what is in quotation marks and in title
//! marks, and what each quotation is said to be from. A [`Verifier`] looks for the words in one or
//! several [indexes](crate::search::Index) and gives a [`VerifyReport`]: a [`Verdict`] for each,
//! with places and differences, and what was searched. It never says that a quotation is false:
//! what is not found in the books at hand may be in others.
//!
//! ```
//! use zhushu::search::{self, Index};
//! use zhushu::verify::{QuotingText, Verdict, Verifier};
//! use zhushu::{pipeline, source::Source};
//!
//! let text = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n";
//! let library = pipeline::convert(Source::from_text("demo.txt", text), None)?;
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path();
//! search::build(&library, folder)?;
//!
//! let index = Index::open(folder)?;
//! let verifier = Verifier::new(zhushu::corpus::Works::builtin()).with("demo", &index)?;
//! let essay = QuotingText::of("essay.txt", "古書云「二算為純」。又云「純猶全焉」。");
//! let report = verifier.check(&essay)?;
//! let verdicts: Vec<_> = report.items.iter().map(|i| i.verdict).collect();
//! assert_eq!(verdicts, [Verdict::Verbatim, Verdict::Differs]);
//! # Ok::<(), zhushu::diag::Error>(())
//! ```

mod authors;
mod beside;
mod citation;
mod cited;
mod english;
mod judge;
mod marks;
mod patterns;
mod report;
mod text;

pub use crate::search::{WordForm, WordPiece};
pub use judge::Verifier;
pub use report::{
    CheckedPlace, CitedPlace, Item, ItemKind, Searched, Verdict, VerdictCounts, VerifyReport,
};
pub use text::QuotingText;
