//! A loss of power: of what a build does not wait for, any file may be empty, or as it was before.
//! The next build gives what one from nothing gives.
//!
//! What must last is synced in the right order, which strace shows (`--ignored power`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use snapbox::cmd::cargo_bin;

use super::dice::Dice;
use super::kills::files;
use crate::support::program::{Folder, ZHUSHU};

/// What a build waits for, so that it is whole.
const ON_DISK: [&str; 2] = ["index/", ".zhushu/build.json"];

/// All files of a folder.
fn all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    let files = entries.filter(|e| e.file_type().is_file()).map(|e| {
        let name = e.path().strip_prefix(folder).expect("within it").display().to_string();
        (name, fs::read(e.path()).expect("readable"))
    });
    files.collect()
}

#[test]
fn a_build_after_a_loss_of_power_is_as_one_from_nothing() {
    let mut dice = Dice(53);
    let p = Folder::new();
    let out = p.path().join("out");
    p.write("corpus/b.txt", ZHUSHU.replace("眾賓", "主人"));
    for n in 0..6 {
        p.write("corpus/a.txt", ZHUSHU.replace("獲", "得")).run("build corpus").success();
        let before = all(&out);
        p.write("corpus/a.txt", ZHUSHU.replace("明", &"明".repeat(n + 1))).run("build corpus");
        let after = all(&out);
        for (name, bytes) in &after {
            let is_lost = !ON_DISK.iter().any(|kept| name.starts_with(kept));
            let old = before.get(name).filter(|_| dice.below(2) == 0);
            if is_lost && dice.below(3) == 0 {
                let lost = &bytes[..bytes.len() * dice.below(2) / 2];
                fs::write(out.join(name), old.map_or(lost, Vec::as_slice)).expect("written");
            }
        }
        p.run("build corpus").success();
        p.run("build corpus -o clean --force").success();
        let (found, clean) = (files(&out), files(&p.path().join("clean")));
        for (name, bytes) in clean.iter().filter(|(name, _)| *name != "report.txt") {
            assert!(found.get(name) == Some(bytes), "{name} after loss {n}");
        }
    }
}

#[test]
#[ignore = "needs strace"]
fn power() {
    let p = Folder::new();
    p.write("corpus/a.txt", ZHUSHU);
    p.run("review corpus/a.txt --below 0.9999 --export sheet.tsv").success();
    let sheet = fs::read_to_string(p.path().join("sheet.tsv")).expect("a table");
    p.write("sheet.tsv", sheet.replacen("\t\t", "\t1\t", 1));
    for (command, kept) in [
        ("build corpus", "build.json"),
        ("build corpus -o two", ".seg"),
        ("build corpus -o three", "index.json"),
        ("review corpus/a.txt --import sheet.tsv --by wang", ".review.toml"),
        ("review corpus/a.txt --export other.tsv", "other.tsv"),
        ("library add corpus", "inventory"),
    ] {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-y", "-o", "trace", "-e", "trace=fsync,rename,renameat,renameat2"]);
        strace.arg(cargo_bin!("zhushu")).args(command.split_whitespace());
        strace.env("ZHUSHU_LIBRARY", p.path().join("lib")).current_dir(p.path());
        strace.output().expect("strace is installed");
        let trace = fs::read_to_string(p.path().join("trace")).expect("a trace");
        check(&trace, command, kept);
    }
}

/// Each file with this ending was synced before it got its name, and its folder after.
fn check(trace: &str, command: &str, kept: &str) {
    let calls: Vec<&str> = trace.lines().collect();
    let mut found = 0;
    for (n, call) in calls.iter().enumerate() {
        let names: Vec<&str> = call.split('"').skip(1).step_by(2).collect();
        let [from, to] = names[..] else { continue };
        if !call.contains("rename") || !to.ends_with(kept) {
            continue;
        }
        found += 1;
        let made = from.rsplit('/').next().unwrap_or(from);
        let synced = |calls: &[&str], what: &str| {
            calls.iter().any(|c| c.contains("fsync(") && c.contains(what))
        };
        assert!(synced(&calls[..n], made), "{command}: {to} gets its name before it is on disk");
        assert!(synced(&calls[n..], ">)"), "{command}: the folder of {to} is not on disk");
    }
    assert!(found > 0, "{command}: {kept} was not written");
}
