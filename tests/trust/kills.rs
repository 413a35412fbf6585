//! Builds and exports that are killed at any moment: the next one gives what one from nothing gives,
//! and leaves nothing else.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::dice::Dice;
use crate::support::program::Folder;

/// Kills of a short run.
const FEW: usize = 6;

/// All files of a folder but the record and the cache of the program, with their contents.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder).into_iter().flatten() {
        let name = entry.path().strip_prefix(folder).expect("within it").display().to_string();
        if entry.file_type().is_file() && !name.starts_with(".zhushu") {
            files.insert(name, std::fs::read(entry.path()).expect("readable"));
        }
    }
    files
}

/// The files that are exchanged at once: all but the report, and the index, whose files are named by their contents.
fn edition(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    files.retain(|name, _| name.contains('/') && !name.starts_with("index/"));
    files
}

fn build(p: &Folder, out: &str) -> Command {
    let mut build = Command::new(env!("CARGO_BIN_EXE_zhushu"));
    build
        .args(["build", "corpus", "-o", out])
        .current_dir(p.path())
        .env("ZHUSHU_LIBRARY", "")
        .env_remove("ZHUSHU_LANG")
        .env("LC_ALL", "C");
    build.stdout(Stdio::null()).stderr(Stdio::null());
    build
}

/// Says from time to time how far a long run is, and at its end that nothing was found.
fn report(done: usize, kills: usize) {
    if kills > FEW && (done.is_multiple_of(50) || done == kills) {
        eprintln!("{done} of {kills} killed, nothing found");
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|v| v.parse().ok())
}

#[test]
fn an_export_after_a_killed_one_is_as_one_from_nothing() {
    let kills = number("ZHUSHU_KILLS").unwrap_or(FEW as u64) as usize;
    let mut dice = Dice(number("ZHUSHU_SEED").unwrap_or(22));
    let p = Folder::new();
    p.write_corpus();
    let export = |format: &str, to: &str| {
        let mut export = Command::new(env!("CARGO_BIN_EXE_zhushu"));
        export.args(["export", "corpus", "--to", format, "-o", to]).current_dir(p.path());
        export.env("ZHUSHU_LIBRARY", "").env_remove("ZHUSHU_LANG").env("LC_ALL", "C");
        export.stdout(Stdio::null()).stderr(Stdio::null());
        export
    };
    let all = [("epub", "clean/book.epub", "new/book.epub"), ("site", "clean/site", "new/site")];
    std::fs::create_dir_all(p.path().join("new")).expect("a folder");
    std::fs::create_dir_all(p.path().join("clean")).expect("a folder");
    for (format, clean, _) in all {
        assert!(export(format, clean).status().expect("it runs").success());
    }
    let start = std::time::Instant::now();
    assert!(export("site", "clean/site").status().expect("it runs").success());
    let millis = start.elapsed().as_millis() as usize;
    let clean = files(&p.path().join("clean"));
    for n in 0..kills {
        if dice.below(2) == 0 {
            std::fs::remove_dir_all(p.path().join("new")).expect("a folder");
            std::fs::create_dir_all(p.path().join("new")).expect("a folder");
        }
        let (format, _, to) = all[dice.below(all.len())];
        let mut killed = export(format, to).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(dice.below(millis + millis / 4) as u64));
        _ = killed.kill();
        _ = killed.wait();
        for (name, bytes) in files(&p.path().join("new")) {
            assert!(clean.get(&name).is_none_or(|c| *c == bytes), "{name} is torn by kill {n}");
        }
        for (format, _, to) in all {
            assert!(export(format, to).status().expect("it runs").success(), "after kill {n}");
        }
        assert!(files(&p.path().join("new")) == clean, "after kill {n}");
        // Also what begins with a dot, which `files` leaves out.
        let names = std::fs::read_dir(p.path().join("new")).expect("a folder").flatten();
        let strays: Vec<_> =
            names.map(|e| e.file_name()).filter(|n| n != "book.epub" && n != "site").collect();
        assert!(strays.is_empty(), "{strays:?} after kill {n}");
        report(n + 1, kills);
    }
}

#[test]
fn a_build_after_a_killed_one_is_as_one_from_nothing() {
    let kills = number("ZHUSHU_KILLS").unwrap_or(FEW as u64) as usize;
    let mut dice = Dice(number("ZHUSHU_SEED").unwrap_or(21));
    let p = Folder::new();
    p.write_corpus();
    let text = p.path().join("corpus/yili-05-zhushu.txt");
    let whole = std::fs::read_to_string(&text).expect("the text");
    let start = std::time::Instant::now();
    assert!(build(&p, "out").status().expect("it runs").success());
    let millis = start.elapsed().as_millis() as usize;
    for n in 0..kills {
        // Another text each time, so that there is something to write.
        let lines = 20 + dice.below(30);
        let start: String = whole.split_inclusive('\n').take(lines).collect();
        std::fs::write(&text, start).expect("a text");
        if dice.below(3) == 0 {
            _ = std::fs::remove_dir_all(p.path().join("out"));
        }
        let before = edition(&p.path().join("out"));
        let mut killed = build(&p, "out").spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(dice.below(millis + millis / 4) as u64));
        _ = killed.kill();
        _ = killed.wait();
        let killed = edition(&p.path().join("out"));
        assert!(build(&p, "out").status().expect("it runs").success(), "after kill {n}");
        _ = std::fs::remove_dir_all(p.path().join("clean"));
        assert!(build(&p, "clean").status().expect("it runs").success());
        let (found, clean) = (files(&p.path().join("out")), files(&p.path().join("clean")));
        let after = edition(&p.path().join("clean"));
        assert!(killed == before || killed == after, "half of two editions after kill {n}");
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(&clean), "strays after kill {n}");
        for (name, bytes) in &clean {
            // The report names the folder and what was written.
            assert!(name == "report.txt" || found[name] == *bytes, "{name} after kill {n}");
        }
        report(n + 1, kills);
    }
}
