//! Collation: the table gives every witness back, differences have the right class, and the command
//! writes what its formats promise.

#[path = "../support/mod.rs"]
mod support;

mod command;
mod table;
