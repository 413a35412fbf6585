//! Evidence for the layers: what a sub-commentary's headers name and what it quotes, what witnesses
//! and translations show, how text reads under models of each layer, and how far sections reach.
//! Nothing here decides on a layer, so every pass may use it.

pub mod canon;
pub mod coverage;
pub mod group;
pub mod hints;
pub mod known;
pub mod models;
pub mod neighbours;
pub mod paragraph;
pub mod quotations;
pub mod rendered;
pub mod run;
pub mod scopes;
pub mod scored;
pub mod speakers;
pub mod translation;
pub mod votes;
pub mod witness;
