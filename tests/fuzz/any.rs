//! Gives a target (`tests/trust/targets.rs`) bytes that reach new code:
//!
//! ```sh
//! cargo install cargo-fuzz
//! export RUSTC_BOOTSTRAP=1 ZHUSHU_TARGET=tei
//! mkdir -p target/fuzz/tei
//! cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none any target/fuzz/tei -- -max_total_time=600
//! ```
//!
//! The program forbids `unsafe`, so panics and what the targets check are looked for, not errors of memory.
#![no_main]

#[path = "../trust/targets.rs"]
mod targets;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use targets::{TARGETS, Target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("ZHUSHU_TARGET").unwrap_or_default();
    let names: Vec<_> = TARGETS.iter().map(|t| t.name).collect();
    let found = TARGETS.iter().find(|t| t.name == name);
    found.unwrap_or_else(|| panic!("ZHUSHU_TARGET is one of: {}", names.join(", ")))
});

fuzz_target!(
    init: {
        // Seeds are written into the folder ZHUSHU_SEEDS, where the fuzzer reads them.
        if let Ok(folder) = std::env::var("ZHUSHU_SEEDS") {
            std::fs::create_dir_all(&folder).expect("a folder");
            for (n, seed) in (TARGET.seeds)().iter().enumerate() {
                std::fs::write(format!("{folder}/seed-{n}"), seed).expect("a file");
            }
        }
    },
    |bytes: &[u8]| {
        if let Err(why) = (TARGET.test)(bytes) {
            panic!("{why}");
        }
    }
);
