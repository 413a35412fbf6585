//! Programs that write the same thing at once: what each adds is there afterwards, and nothing is
//! torn.

use std::process::{Child, Command, Stdio};

use crate::support::program::{Folder, ZHUSHU};

/// Starts a command in a folder.
fn start(p: &Folder, line: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zhushu"));
    command.args(line.split_whitespace()).current_dir(p.path());
    command.env("ZHUSHU_LIBRARY", "").env_remove("ZHUSHU_LANG").env("LC_ALL", "C");
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

/// Runs commands at once; how many succeed.
fn together(p: &Folder, lines: &[String]) -> usize {
    let started: Vec<Child> = lines.iter().map(|line| start(p, line)).collect();
    let ended = started.into_iter().map(|mut child| child.wait().expect("it runs"));
    ended.filter(std::process::ExitStatus::success).count()
}

#[test]
fn a_library_keeps_what_several_add_and_remove_at_once() {
    let p = Folder::new();
    let names = ["jia", "yi", "bing", "ding"];
    for (name, word) in names.iter().zip(["眾賓", "主人", "大夫", "司射"]) {
        p.write(&format!("{name}.txt"), ZHUSHU.replace("眾賓", word));
    }
    p.run("library add jia.txt --library shelf").success();
    let mut lines: Vec<String> =
        names[1..].iter().map(|n| format!("library add {n}.txt --library shelf")).collect();
    lines.push("library remove jia --library shelf".into());
    assert_eq!(together(&p, &lines), lines.len());
    let run = p.run("library list --library shelf").success();
    let list = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    let kept = |name: &str| list.lines().any(|l| l.trim_start().starts_with(name));
    assert_eq!(names.map(kept), [false, true, true, true], "{list}");
}

#[test]
fn a_sheet_that_two_write_is_one_of_both() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU.repeat(3).replace("\n\n[疏]", "眾賓皆作。\n\n[疏]"));
    for (sheet, below) in [("one.tsv", "1"), ("two.tsv", "0.5")] {
        p.run(&format!("review a.txt --below {below} --export {sheet}")).success();
    }
    let whole = ["one.tsv", "two.tsv"].map(|n| std::fs::read(p.path().join(n)).expect("a sheet"));
    for round in 0..4 {
        let lines = ["1", "0.5"].map(|b| format!("review a.txt --below {b} --export {round}.tsv"));
        assert!(together(&p, &lines) > 0);
        let made = std::fs::read(p.path().join(format!("{round}.tsv"))).expect("a sheet");
        assert!(whole.contains(&made), "torn in round {round}");
    }
}
