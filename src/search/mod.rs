//! Search in the texts of a corpus: by layer, through variants and both scripts, across notes and
//! lines, and by what a comment is about.
//!
//! [`build()`] makes an index of a library, [`Index::open`] opens it, a [`Query`] is parsed from
//! text, and [`Index::search`] gives [`SearchResults`]: how often, where, in which form, with which
//! neighbours.
//!
//! ```
//! use zhushu::search::{self, Facet, Index, Options, Query, Show};
//! use zhushu::{pipeline, source::Source};
//!
//! let text = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n";
//! let library = pipeline::convert(Source::from_text("demo.txt", text), None)?;
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path();
//! search::build(&library, folder)?;
//!
//! let index = Index::open(folder)?;
//! let query: Query = "注:阴阳 @ 經:算".parse()?;
//! let found = index.search(&query, Options::default())?;
//! assert_eq!(found.total(), 1);
//! let answers = found.answers(&Show::default())?;
//! assert_eq!((answers[0].left.as_str(), answers[0].hit.as_str()), ("純猶全也。耦", "陰陽"));
//! assert_eq!(found.count(Facet::Layer)?, [("注".to_string(), 1)]);
//! # Ok::<(), zhushu::diag::Error>(())
//! ```
//!
//! The flow: [`units`] cuts a document into what answers are about, [`store`] writes and reads the
//! files, [`query`] parses, [`eval`] finds, [`answer`] and [`statistics`] report. [`pages`] hands
//! all of it to the pages of a site, which search without an index.

pub(crate) mod alike;
mod answer;
mod build;
mod eval;
mod found;
mod index;
mod locus;
mod pages;
mod query;
mod statistics;
mod stop;
mod store;
mod suggest;
mod units;

pub use alike::{WordForm, WordPiece};
pub use answer::{Answer, Show, Sort};
pub use build::{Built, build};
pub(crate) use build::{NewIndex, prepare};
pub use eval::{Folding, Options};
pub use found::{Facet, SearchResults};
pub use index::{CountedText, Index};
pub use locus::HitLocus;
pub(crate) use pages::{tables_for_pages, words_for_pages};
pub use query::Query;
pub use statistics::{Collocate, Reach};
pub(crate) use store::manifest::remove;
pub use suggest::{Suggestion, UnknownName};
