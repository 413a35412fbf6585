//! The bundled corpus. A test binary runs the passes over it once, for all its tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use zhushu::corpus::Library;
use zhushu::model::Document;
use zhushu::{load, pipeline};

/// The folder of the crate.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The file of a bundled text.
pub fn file(name: &str) -> PathBuf {
    root().join("corpus").join(name)
}

/// The texts with their metadata from the manifest, before any pass.
pub fn texts() -> Vec<Document> {
    let corpus = load::open(&root().join("corpus")).expect("the bundled corpus opens");
    load::read(&corpus).expect("it reads").documents
}

/// The corpus after every pass, its translation aligned.
pub fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
        let mut library = pipeline::run(texts());
        pipeline::align(&mut library);
        library
    });
    &LIBRARY
}

/// A folder with the output of `zhushu demo` and `zhushu build`. Tests must not change it.
pub fn built() -> &'static Path {
    static BUILT: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder");
        for args in [&["demo", "."][..], &["build"]] {
            let program = Command::new(env!("CARGO_BIN_EXE_zhushu"))
                .env("ZHUSHU_LIBRARY", "")
                .env_remove("ZHUSHU_LANG")
                .env("LC_ALL", "C")
                .current_dir(folder.path())
                .args(args)
                .output()
                .expect("the program starts");
            assert!(program.status.success(), "{}", String::from_utf8_lossy(&program.stderr));
        }
        folder
    });
    BUILT.path()
}
