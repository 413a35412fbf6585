//! What people have made with earlier versions opens in this one, or is refused with the command that
//! helps, which then does.
//!
//! `tests/kept/VERSION` has a corpus with corrections, a library and an index, made by that version.
//! A version that writes another form gets a folder of its own, and the old ones stay.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::cmd::OutputAssert;

use crate::support::program::Folder;

fn versions() -> Vec<PathBuf> {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept");
    fs::read_dir(kept).expect("a folder").flatten().map(|version| version.path()).collect()
}

/// A copy of what a version made.
fn copy(version: &Path) -> Folder {
    let p = Folder::new();
    for entry in walkdir::WalkDir::new(version).into_iter().flatten() {
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(version).expect("within it");
            p.write(&name.display().to_string(), fs::read(entry.path()).expect("readable"));
        }
    }
    p
}

fn run(p: &Folder, line: &str) -> OutputAssert {
    p.zhushu(line).env("ZHUSHU_LIBRARY", p.path().join("library")).assert()
}

fn said(run: &OutputAssert) -> String {
    let output = run.get_output();
    [&output.stdout, &output.stderr].map(|words| String::from_utf8_lossy(words)).concat()
}

#[test]
fn corrections_and_manifest_are_read_and_every_decision_has_its_place() {
    for version in versions() {
        let p = copy(&version);
        let check = run(&p, "check corpus --all --no-library").success();
        assert!(!said(&check).contains("correction"), "{}", said(&check));
        run(&p, "build corpus -o new --no-library").success();
        let json = fs::read_to_string(p.path().join("new/json/a.json")).expect("a text");
        assert!(json.contains("wang"), "{version:?}: the decisions are used");
    }
}

#[test]
fn a_library_opens_or_the_command_that_is_named_repairs_it() {
    for version in versions() {
        let p = copy(&version);
        let check = run(&p, "check corpus").success();
        if said(&check).contains("library") {
            let advice = ["library update", "library add corpus"];
            let advice = advice.iter().find(|a| said(&check).contains(&a[..14]));
            run(&p, advice.unwrap_or_else(|| panic!("no advice: {}", said(&check)))).success();
            assert!(!said(&run(&p, "check corpus")).contains("library"), "{version:?}");
        }
    }
}

#[test]
fn an_index_answers_or_names_the_command_that_makes_it_again() {
    for version in versions() {
        let p = copy(&version);
        let search = run(&p, "search 射");
        match search.get_output().status.code() {
            Some(0) => assert!(said(&search).contains('射'), "{}", said(&search)),
            _ => assert!(said(&search).contains("`zhushu build`"), "{}", said(&search)),
        }
        run(&p, "build corpus -o out --force --no-library").success();
        run(&p, "search 射").success();
    }
}
