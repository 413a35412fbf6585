//! Trust: texts, queries, manifests and corrections that were edited at random, and builds that were
//! killed at random.
//!
//! A short run is part of every test run. For a long one: `ZHUSHU_FUZZ=SECONDS` (each target runs so
//! long), `ZHUSHU_KILLS=NUMBER`, `ZHUSHU_SEED=NUMBER`, and `cargo test --release --test trust`. What
//! fails is kept in `target/fuzz/`, by target and number.

mod decisions;
#[path = "../../benches/support/dice.rs"]
mod dice;
mod doubling;
mod edited;
mod failing_calls;
mod full_disks;
mod fuzz;
mod kills;
mod names;
mod older;
mod own_files;
mod power_cuts;
mod sharing;
#[path = "../support/mod.rs"]
mod support;
mod targets;
mod two_writers;
