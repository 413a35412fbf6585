//! A corpus: the manifest a user writes, and the library of documents read by it.

mod library;

pub use library::Library;
