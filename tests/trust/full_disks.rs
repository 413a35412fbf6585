//! Disks that are full: the limit of the system on the size of a file makes writes fail at many places.
//! Nothing half written is left under a name, the message names the file, and the next run completes it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use super::kills::files;
use crate::support::program::Folder;

/// Sizes at which writes fail, in blocks of 512 bytes: from the first byte to the largest file.
const LIMITS: [usize; 7] = [0, 1, 5, 21, 55, 220, 880];

/// Runs the program where no file can be larger than so many blocks.
fn run(p: &Folder, blocks: Option<usize>, arguments: &str) -> Output {
    // Without the trap, the system ends a program that writes too much.
    let limit = blocks.map_or(String::new(), |n| format!("trap '' 25; ulimit -f {n}; "));
    Command::new("sh")
        .args(["-c", &format!("{limit}exec \"$0\" {arguments}"), env!("CARGO_BIN_EXE_zhushu")])
        .current_dir(p.path())
        .env("ZHUSHU_LIBRARY", "")
        .env_remove("ZHUSHU_LANG")
        .env("LC_ALL", "C")
        .output()
        .expect("there is a shell")
}

/// Every file is whole: as in one of the complete states.
fn must_be_whole(folder: &Path, complete: &[&BTreeMap<String, Vec<u8>>], what: &str) {
    for (name, bytes) in files(folder) {
        let known = complete.iter().any(|files| files.get(&name) == Some(&bytes));
        assert!(known, "{what}: {name} is half written");
    }
}

/// True if it succeeded; else it must have said which file could not be written.
fn reported(output: &Output, what: &str) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => true,
        Some(5) => {
            assert!(said.contains("error: cannot ") && said.contains("-->"), "{what}: {said}");
            false
        }
        code => panic!("{what}: exit code {code:?}: {said}"),
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_build_on_a_full_disk_is_reported_and_completed_by_the_next() {
    let p = Folder::new();
    p.write_corpus();
    assert!(run(&p, None, "build corpus -o clean").status.success());
    let clean = files(&p.path().join("clean"));
    let mut failed = 0;
    for blocks in LIMITS {
        let what = format!("build, {blocks} blocks");
        let limited = run(&p, Some(blocks), "build corpus -o out");
        failed += usize::from(!reported(&limited, &what));
        // The report names the folder.
        let mut complete = clean.clone();
        let report = std::fs::read(p.path().join("out/report.txt")).ok();
        complete.extend(report.map(|bytes| ("report.txt".to_string(), bytes)));
        must_be_whole(&p.path().join("out"), &[&complete], &what);
        assert!(run(&p, None, "build corpus -o out").status.success(), "after {what}");
        let found = files(&p.path().join("out"));
        assert!(found.keys().eq(clean.keys()), "strays or gaps after {what}");
        must_be_whole(&p.path().join("out"), &[&complete, &clean], &what);
        std::fs::remove_dir_all(p.path().join("out")).expect("a folder");
    }
    assert!((3..LIMITS.len()).contains(&failed), "{failed} of {} failed", LIMITS.len());
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_cannot_be_written_whole_keeps_its_old_content() {
    let p = Folder::new();
    p.write_corpus();
    let text = "corpus/yili-05-zhushu.txt";
    let commands = [
        ("book.epub", "export corpus -o new/book.epub".to_string()),
        ("text.xml", format!("convert {text} -o new/text.xml")),
        ("text.html", format!("convert {text} -o new/text.html")),
        ("notes.md", format!("export {text} -o new/notes.md")),
        ("questions.xlsx", format!("review {text} --below 1 --export new/questions.xlsx")),
    ];
    for (file, command) in commands {
        let mut old = format!("the old content of {file}").into_bytes();
        if file.ends_with(".xlsx") {
            std::fs::create_dir_all(p.path().join("new")).expect("a folder");
            // Of its own files it replaces only tables without answers.
            assert!(run(&p, None, &command.replace("--below 1", "--below 0.1")).status.success());
            old = std::fs::read(p.path().join("new").join(file)).expect("it is there");
        }
        let mut failed = 0;
        for blocks in LIMITS {
            let what = format!("{file}, {blocks} blocks");
            p.write(&format!("new/{file}"), &old);
            let done = reported(&run(&p, Some(blocks), &command), &what);
            let now = std::fs::read(p.path().join("new").join(file)).expect("it is there");
            assert_eq!(now == old, !done, "{what}");
            let names: Vec<_> =
                std::fs::read_dir(p.path().join("new")).expect("a folder").collect();
            assert_eq!(names.len(), 1, "{what}: something else is left: {names:?}");
            failed += usize::from(!done);
        }
        assert!(failed > 0, "{command} never failed");
        std::fs::remove_dir_all(p.path().join("new")).expect("a folder");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn standard_output_that_takes_nothing_is_an_error() {
    let p = Folder::new();
    p.write_corpus();
    for command in [
        "convert corpus/yili-05-zhushu.txt --to json",
        "export corpus --to markdown -o -",
        "split corpus/yili-05-zhushu.txt --to tsv",
        "check corpus",
        "formats",
        "build corpus",
    ] {
        let output = run(&p, None, &format!("{command} > /dev/full"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{command}: {said}");
        assert!(said.contains("cannot write to standard output"), "{command}: {said}");
    }
}
