//! Passes that add structure to a document: repairs, its chapter, its sections, and its sentence
//! numbers.

pub mod cited_as;
pub mod confirmed_readings;
pub mod divisions;
pub mod loci;
pub mod punctuation;
pub mod repairs;
