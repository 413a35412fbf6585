//! Reads Chinese classics with their commentaries, splits their layers, and writes editions.
//!
//! The flow: [`source`] → vessels → [`readers`] → [`model::Document`] → passes → [`writers`] and
//! [`search`]. [`Settings`] runs it, with built-in readers and works or with your own;
//! [`pipeline`] has shortcuts with default settings.
//!
//! - [`corpus`]: the manifest, the [`Library`](corpus::Library) of documents that are read
//!   together, loci, references, the list of works.
//! - [`ask`]: questions of whole editions, with answers as JSON.
//! - [`model`]: layers, segments with their certainty and evidence, links, alignments.
//! - [`align`]: a classic with its translation.
//! - [`diag`]: what is noticed about a text, and errors.
//!
//! `examples/` has a program for each task: reading and splitting, alignment, search, export, your
//! own reader.
//!
//! Features: `cli` (default) has the program and what only it needs; without it the library builds
//! without clap and the server. `parquet` adds editions as Parquet tables; `opencc` converts
//! scripts by the system's OpenCC. `internals` is for the tests of this crate and for the crate
//! `lab`, and has no stability guarantee.
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

// Code that only the program or the tests use is not dead. The lint works with `internals`, which
// tests enable.
#![forbid(unsafe_code)]
#![cfg_attr(not(all(feature = "cli", feature = "internals")), allow(dead_code, unused_imports))]

pub mod ask;
#[cfg(not(feature = "internals"))]
mod books;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod books;
mod build;
mod cache;
#[cfg(feature = "cli")]
pub mod cli;
pub mod corpus;
pub mod diag;
mod guard;
mod kept;
mod language;
mod markup;
mod memo;
pub mod model;
mod models;
mod network;
pub mod pipeline;
pub mod readers;
mod reading;
#[cfg(not(feature = "internals"))]
mod review;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod review;
pub mod search;
mod settings;
mod shelf;
pub mod source;
pub mod verify;
mod vessels;
pub mod writers;

pub use language::Language;
pub use load::Loaded;
pub use models::Models;
pub use passes::align;
pub use reading::{glosses, passages_of};
pub use settings::Settings;
pub use site::{Site, SitePart, Title as SiteTitle};
pub use text::script::Script;

// Modules that are not part of the interface. Tests and benchmarks see them through the feature
// `internals`.
#[cfg(not(feature = "internals"))]
mod collation;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod collation;
#[cfg(not(feature = "internals"))]
mod corrections;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod corrections;
#[cfg(not(feature = "internals"))]
mod load;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod load;
#[cfg(not(feature = "internals"))]
mod passes;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod passes;
#[cfg(not(feature = "internals"))]
mod score;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod score;
#[cfg(not(feature = "internals"))]
mod site;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod site;
#[cfg(not(feature = "internals"))]
mod text;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod text;

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
