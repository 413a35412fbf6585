//! Gives the program a hash of its own code, `ZHUSHU_CODE`: what one version of it computed must not
//! be used by another, and versions in development share a number. To hash the program while it runs
//! would take longer than many commands.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// What the code of the program is made of.
const CODE: &[&str] = &["src", "build.rs", "Cargo.toml", "Cargo.lock"];
/// What the files that all pages of a site share are made of.
pub const PAGES: &[&str] = &[
    "src/writers/html/data",
    "src/writers/html/bar.rs",
    "src/writers/html/cite.rs",
    "src/writers/html/drawer.rs",
    "src/writers/html/foot.rs",
    "src/writers/html/icons.rs",
    "src/writers/html/legend.rs",
    "src/writers/html/shared.rs",
    "src/site/data",
    "src/model/data/layers.tsv",
    "src/language/en.ftl",
    "src/language/zh-Hans.ftl",
    "src/language/zh-Hant.ftl",
];
/// What decides how it is compiled.
const SETTINGS: &[&str] = &["TARGET", "PROFILE", "OPT_LEVEL", "CARGO_CFG_FEATURE", "RUSTC"];

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut hash = Sha256::new();
    for name in CODE {
        println!("cargo:rerun-if-changed={name}");
        add(&root.join(name), &mut hash);
    }
    for name in SETTINGS {
        hash.update(std::env::var(name).unwrap_or_default());
    }
    let code: String = hash.finalize()[..16].iter().map(|b| format!("{b:02x}")).collect();
    println!("cargo:rustc-env=ZHUSHU_CODE={code}");
    println!("cargo:rustc-env=ZHUSHU_PAGES={}", pages(&root));
}

/// A hash of the style sheet, scripts and words of pages, the same on all systems.
pub fn pages(root: &Path) -> String {
    let mut hash = Sha256::new();
    for name in PAGES {
        add(&root.join(name), &mut hash);
    }
    hash.finalize()[..4].iter().map(|b| format!("{b:02x}")).collect()
}

/// Adds a file, or all files of a folder in their order, with their names. A crate from a registry
/// may lack one of them.
fn add(path: &Path, hash: &mut Sha256) {
    if let Ok(entries) = fs::read_dir(path) {
        let mut inside: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        inside.sort();
        inside.iter().for_each(|path| add(path, hash));
    } else if let Ok(bytes) = fs::read(path) {
        hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
}
