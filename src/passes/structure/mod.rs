//! Passes that add structure to a document: corrections of the copy, its chapter, its sections, and
//! the numbers of its sentences.

pub mod divisions;
pub mod identify;
pub mod loci;
pub mod repairs;
