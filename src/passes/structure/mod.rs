//! Passes that add structure to a document: repairs, its chapter, its sections, and its sentence
//! numbers.

pub mod divisions;
pub mod identify;
pub mod loci;
pub mod repairs;
