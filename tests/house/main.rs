//! Rules for the whole crate: dependencies between modules, schemas, invariants after every pass.

mod architecture;
mod assets;
mod invariants;
mod language;
mod names;
mod schema;
mod scoreboard;
#[path = "../support/mod.rs"]
mod support;
