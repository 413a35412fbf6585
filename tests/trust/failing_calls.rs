//! Calls of the system that fail at every step of a build, an import of decisions and a change of
//! the library: nothing is half written, the message has a place, and the next run completes it.
//!
//! strace makes the calls fail: the call with some number in each thread of the program. `cargo test --test trust -- --ignored
//! failing_calls` takes some ten minutes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use snapbox::cmd::cargo_bin;

use super::kills::files;
use crate::support::program::{Folder, ZHUSHU};

/// The calls that fail, and how.
const FAULTS: &[(&str, &[&str])] = &[
    ("openat", &["EIO", "EMFILE", "EACCES"]),
    ("read", &["EIO"]),
    ("write", &["EIO", "ENOSPC"]),
    ("rename", &["EIO", "EACCES"]),
    ("renameat2", &["EIO"]),
    ("fsync", &["EIO"]),
    ("linkat", &["EIO"]),
    ("mkdir", &["ENOSPC", "EACCES"]),
];
/// Most steps of a command at which each of them fails.
const STEPS: usize = 12;

/// A command, and what it changes.
struct Changed {
    command: &'static str,
    /// The folder or file that it writes.
    what: &'static str,
}

const COMMANDS: &[Changed] = &[
    Changed { command: "build corpus -o out", what: "out" },
    Changed { command: "review corpus/a.txt --import sheet.tsv --by wang", what: "corpus" },
    Changed { command: "library add corpus", what: "lib" },
];

/// A corpus, an edition of it as it was before a change, and a table with answers.
fn start() -> Folder {
    let p = Folder::new();
    p.write("corpus/a.txt", ZHUSHU.replace("獲", "得"));
    p.write("corpus/b.txt", ZHUSHU.replace("眾賓", "主人"));
    p.run("build corpus -o out").success();
    p.write("corpus/a.txt", ZHUSHU);
    p.run("review corpus/a.txt --below 0.9999 --export sheet.tsv").success();
    let sheet = std::fs::read_to_string(p.path().join("sheet.tsv")).expect("a table");
    let answered = sheet.lines().enumerate().map(|(n, row)| {
        let mut cells: Vec<&str> = row.split('\t').collect();
        if n > 0 {
            cells[6] = "1";
        }
        cells.join("\t") + "\n"
    });
    p.write("sheet.tsv", answered.collect::<String>());
    p
}

/// Runs the program under strace with some options.
fn traced(p: &Folder, options: &[&str], command: &str) -> Output {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "trace"]).args(options).arg(cargo_bin!("zhushu"));
    strace.args(["-j", "1"]).args(command.split_whitespace()).current_dir(p.path());
    strace.env("ZHUSHU_LIBRARY", p.path().join("lib")).env_remove("ZHUSHU_LANG");
    strace.env("LC_ALL", "C").output().expect("strace is installed")
}

/// How often a command makes a call.
fn count(p: &Folder, call: &str, command: &str) -> usize {
    traced(p, &["-e", &format!("trace={call}")], command);
    let trace = std::fs::read_to_string(p.path().join("trace")).expect("a trace");
    trace.lines().filter(|l| l.contains(&format!("{call}("))).count()
}

/// What a command has changed, without what names times.
fn state(p: &Folder, what: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(&p.path().join(what));
    // A list of this run, what has the path of its folder in it, and times of decisions. The next
    // run reads the library whole.
    let is_own = ["report.txt", "inventory", "grams-", "chapters/", "lock"];
    files.retain(|name, _| !is_own.iter().any(|own| name.starts_with(own)));
    for (_, bytes) in files.iter_mut().filter(|(name, _)| name.ends_with(".review.toml")) {
        let lines = String::from_utf8_lossy(bytes);
        let lines = lines.lines().filter(|l| !l.starts_with("when = "));
        *bytes = lines.collect::<Vec<_>>().join("\n").into_bytes();
    }
    files
}

fn run_again(p: &Folder, command: &str) {
    let run = p.zhushu(command).env("ZHUSHU_LIBRARY", p.path().join("lib")).assert();
    run.success();
}

/// The same command with each of its calls failing: how many runs there were.
fn fails(case: &Changed) -> usize {
    let clean = start();
    run_again(&clean, case.command);
    let clean = state(&clean, case.what);
    let mut runs = 0;
    for (call, errors) in FAULTS {
        let calls = count(&start(), call, case.command);
        for (error, step) in errors.iter().flat_map(|e| (0..STEPS).map(move |s| (e, s))) {
            let at = 1 + step * calls / STEPS;
            if calls == 0 || step > 0 && at == 1 + (step - 1) * calls / STEPS {
                continue;
            }
            let what =
                format!("{}: {call} number {at} of {calls} fails with {error}", case.command);
            let p = start();
            let before = state(&p, case.what);
            let inject = format!("inject={call}:error={error}:when={at}");
            let output = traced(&p, &["-e", &format!("trace={call}"), "-e", &inject], case.command);
            check(&output, &what, Path::new(case.what));
            let after = state(&p, case.what);
            for (name, bytes) in &after {
                let known = [before.get(name), clean.get(name)].contains(&Some(bytes));
                assert!(known, "{what}: {name} is half written");
            }
            run_again(&p, case.command);
            let said =
                p.zhushu("check corpus").env("ZHUSHU_LIBRARY", p.path().join("lib")).assert();
            let said = String::from_utf8_lossy(&said.success().get_output().stderr).into_owned();
            assert!(!said.contains("damaged"), "{what}: {said}");
            assert!(state(&p, case.what) == clean, "{what}: the next run differs");
            runs += 1;
        }
    }
    runs
}

/// A failed run says why, and is no panic.
fn check(output: &Output, what: &str, _: &Path) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("panicked"), "{what}: {said}");
    match output.status.code() {
        // The loader of the system ends a program whose libraries it cannot open with 127.
        Some(0 | 127) => {}
        Some(2..=5) => assert!(said.contains("error: "), "{what}: {said}"),
        code => panic!("{what}: exit code {code:?}: {said}"),
    }
}

#[test]
#[ignore = "needs strace, and ten minutes"]
fn failing_calls() {
    let only = std::env::var("ZHUSHU_COMMAND").unwrap_or_default();
    for case in COMMANDS.iter().filter(|c| c.command.starts_with(&only)) {
        println!("{}: {} runs", case.command, fails(case));
    }
}
