//! What is known before a layer is decided: what the headers of a sub-commentary name and what it
//! quotes, what witnesses and translations say, how words read under models of each layer, and how
//! far its sections reach. Nothing here decides, so that every room of the passes may use it.

pub mod group;
pub mod known;
pub mod models;
pub mod paragraph;
pub mod quotations;
pub mod rendered;
pub mod run;
pub mod scopes;
pub mod scored;
pub mod translation;
pub mod votes;
pub mod witness;
