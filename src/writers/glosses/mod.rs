//! Writers of glosses: one file for each format.

mod json;
mod tsv;

pub use json::write as json;
pub use tsv::write as tsv;
