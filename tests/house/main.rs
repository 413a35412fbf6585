//! Rules for the whole crate: dependencies between modules, schemas, invariants after every pass.

mod architecture;
mod assets;
mod chinese;
mod code;
mod constants;
mod invariants;
mod language;
mod names;
mod rings;
mod schema;
mod scoreboard;
mod sizes;
#[path = "../support/mod.rs"]
mod support;
