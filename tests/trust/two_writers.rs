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

/// A text, a table with two questions about it, and the first answer of the table in the file.
fn answered() -> (Folder, Vec<Vec<String>>) {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU);
    p.run("review a.txt --below 1 --export a.tsv").success();
    let table = std::fs::read_to_string(p.path().join("a.tsv")).expect("a table");
    let row = |line: &str| line.split('\t').map(String::from).collect();
    let mut rows: Vec<Vec<String>> = table.lines().map(row).collect();
    rows[1][6] = "1".into();
    import(&p, &rows, 0);
    rows[2][6] = "1".into();
    (p, rows)
}

/// Imports a table; what is said.
fn import(p: &Folder, rows: &[Vec<String>], code: i32) -> String {
    p.write("a.tsv", rows.iter().map(|r| r.join("\t") + "\n").collect::<String>());
    let run = p.run("review a.txt --by 王 --import a.tsv").code(code);
    String::from_utf8_lossy(&run.get_output().stdout).into_owned()
}

fn kept(p: &Folder) -> String {
    std::fs::read_to_string(p.path().join("a.txt.review.toml")).expect("decisions")
}

#[test]
fn what_a_person_wrote_into_an_entry_stays_when_its_table_is_imported_again() {
    let (p, mut rows) = answered();
    let note = "note = \"\"\"看疏。\n[[correction]]\n# 再看\"\"\"\n";
    let by_hand = kept(&p).replace("\"\nby =", "\" # 待考\nby =") + note;
    assert!(by_hand.contains("# 待考"), "{by_hand}");
    p.write("a.txt.review.toml", &by_hand);
    rows[1][14] = "表中".into();
    let said = import(&p, &rows, 0);
    assert!(said.contains("1 decision added") && said.contains("1 answer already"), "{said}");
    assert!(said.contains("1 note not taken"), "{said}");
    let entry = by_hand.trim_end();
    assert!(kept(&p).contains(entry), "{}", kept(&p));
    assert_eq!(kept(&p).matches("\nkind = ").count(), 2);
    let before = kept(&p);
    import(&p, &rows, 0);
    assert_eq!(kept(&p), before);
}

#[test]
fn a_table_does_not_take_a_later_decision_back() {
    let (p, rows) = answered();
    let entry = kept(&p);
    let decision = entry.lines().find(|l| l.starts_with("decision")).expect("a decision");
    let other = if rows[1][1] == "cut" { "經|經" } else { "none" };
    let by_hand = entry.replace(decision, &format!("decision = \"{other}\""));
    p.write("a.txt.review.toml", &by_hand);
    let said = import(&p, &rows, 3);
    let first = rows[1][7].split(' ').next().expect("a choice");
    assert!(said.contains(first) && said.contains(other) && said.contains("row 2"), "{said}");
    assert!(said.contains("1 conflict; nothing was changed"), "{said}");
    assert_eq!(kept(&p), by_hand);
}

#[test]
fn two_decisions_of_one_person_about_one_place_both_stay() {
    let (p, rows) = answered();
    let twice = |at: &str| kept(&p) + &format!("note = \"{at}\"\n");
    let by_hand = format!("{}\n{}", twice("甲"), twice("乙"));
    p.write("a.txt.review.toml", &by_hand);
    import(&p, &rows, 0);
    assert!(kept(&p).contains("甲") && kept(&p).contains("乙"), "{}", kept(&p));
}
