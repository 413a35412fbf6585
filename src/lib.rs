//! Reads Chinese classics with their commentaries, tells the layers apart, and writes them out as
//! editions.
//!
//! The flow is the tree of this crate: [`source`] → [`readers`] → [`model::Document`] → [`passes`]
//! → [`writers`], and [`pipeline`] runs it.
//!
//! ```
//! use zhushu::{pipeline, source::Source, model::Layer};
//! let text = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n";
//! let library = pipeline::convert(Source::from_text("demo.txt", text), None)?;
//! let document = &library.documents[0];
//! let classic: Vec<_> = document.of_layer(Layer::Jing).map(|s| document.slice(s.span)).collect();
//! assert_eq!(classic, ["二筭為純。"]);
//! # Ok::<(), zhushu::diag::Error>(())
//! ```

#[cfg(feature = "cli")]
pub mod cli;
pub mod corpus;
pub mod diag;
pub mod load;
mod markup;
pub mod model;
pub mod passes;
pub mod pipeline;
pub mod readers;
mod reading;
pub mod score;
pub mod search;
mod settings;
pub mod site;
pub mod source;
pub mod text;
pub mod writers;

pub use settings::Settings;

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
