//! A corpus: the manifest a user writes, and the library of documents read by it.

mod library;
mod works;

pub use library::Library;
pub use works::{Named, Part, Resolved, Tail, Work, Works};
