//! What a person decided stays at its words, is named where it cannot, and is not contradicted in
//! silence.

use std::collections::BTreeSet;
use std::fs;

use crate::support::corpus;
use crate::support::program::Folder;

/// The first lines of a bundled text, so many.
fn excerpt(lines: usize) -> String {
    fs::read_to_string(corpus::file("yili-05-zhushu.txt"))
        .unwrap()
        .lines()
        .take(lines)
        .map(|line| format!("{line}\n"))
        .collect()
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a command says.
fn says(p: &Folder, line: &str) -> String {
    let run = p.run(line);
    [&run.get_output().stdout, &run.get_output().stderr].map(|all| words(all)).concat()
}

/// Answers questions of a table: those whose place `is_meant`, with a choice.
fn answer(p: &Folder, (from, to): (&str, &str), is_meant: impl Fn(&str) -> bool, choice: &str) {
    let table = fs::read_to_string(p.path().join(from)).unwrap();
    let head: Vec<&str> = table.lines().next().unwrap().split('\t').collect();
    let column = head.iter().position(|name| *name == "answer").unwrap();
    let answered = table.lines().enumerate().map(|(n, line)| {
        let mut cells: Vec<&str> = line.split('\t').collect();
        if n > 0 && is_meant(cells[0]) {
            cells[column] = choice;
        }
        cells.join("\t") + "\n"
    });
    p.write(to, answered.collect::<String>());
}

#[test]
fn a_decision_about_words_that_were_deleted_is_named_and_the_others_are_built() {
    let p = Folder::new();
    p.write("c/a.txt", excerpt(40)).write("c/b.txt", excerpt(8));
    p.run("review c/a.txt --kind reading --below 1 --export t.tsv").success();
    answer(&p, ("t.tsv", "a.tsv"), |_| true, "1");
    p.run("review c/a.txt --import a.tsv --by a").success();
    let decided = fs::read_to_string(p.path().join("c/a.txt.review.toml")).unwrap();
    let at = decided.lines().filter_map(|l| l.strip_prefix("at = \""));
    let at: BTreeSet<&str> = at.collect();
    assert!(at.len() > 5, "{decided}");
    for word in at.iter().map(|at| at.trim_end_matches('"')) {
        p.write("c/a.txt", excerpt(40).replace(word, ""));
        let report = says(&p, "check c --all");
        assert!(report.contains("correction-lost"), "{word}: {report}");
        // Not even a quiet build keeps it to itself.
        let quiet = p.run("-q build c").success();
        let said = self::words(&quiet.get_output().stderr);
        assert!(quiet.get_output().stdout.is_empty() && said.contains(word), "{word}: {said}");
        assert!(p.path().join("out/tei/b.xml").exists());
    }
}

#[test]
fn review_reads_a_text_as_its_manifest_says() {
    let p = Folder::new();
    p.write("c/a.txt", excerpt(40)).run("review c/a.txt --export t.tsv").success();
    p.write("c/zhushu.toml", "[[text]]\nfile = \"a.txt\"\nreader = \"jinyi\"\n");
    p.run("review c/a.txt --export u.tsv").success();
    p.run("review c/a.txt --from jinyi --export v.tsv").success();
    let [t, u, v] = ["t.tsv", "u.tsv", "v.tsv"].map(|name| fs::read(p.path().join(name)).unwrap());
    assert!(u == v && u != t, "{}", words(&u));
}

#[test]
fn a_decision_does_not_move_to_a_passage_that_is_only_like_its_own() {
    let p = Folder::new();
    let entry = "[[correction]]\nkind = \"cut\"\nbefore = \"\"\nat = \"主人坐奠爵于階前辭\"\nafter = \"\"\n\
                 decision = \"經|注\"\nby = \"王\"\nwhen = 2026-11-29T10:00:00Z\n";
    p.write("a.txt", "賓降，主人降。\n降賓坐奠爵于階前辭，主人對。\n")
        .write("a.txt.review.toml", entry);
    assert!(says(&p, "check a.txt --all").contains("correction-lost"));
    // What is around it changed: it holds, and is named.
    p.write("a.txt", excerpt(40)).run("review a.txt --kind cut --below 1 --export t.tsv").success();
    fs::remove_file(p.path().join("a.txt.review.toml")).unwrap();
    answer(&p, ("t.tsv", "a.tsv"), |place| place == "3:21", "3");
    p.run("review a.txt --import a.tsv --by a").success();
    assert!(!says(&p, "check a.txt --all").contains("correction-"));
    p.write("a.txt", excerpt(40).replace("眾賓繼射", "眾人再射"));
    assert!(says(&p, "check a.txt --all").contains("correction-alike"));
}

#[test]
fn a_border_that_was_moved_is_not_where_another_person_confirms_it() {
    let p = Folder::new();
    p.write("a.txt", excerpt(40));
    p.run("review a.txt --kind cut --below .9999 --export t.tsv").success();
    for choice in ["1", "2"] {
        answer(&p, ("t.tsv", &format!("{choice}.tsv")), |place| place == "3:21", choice);
    }
    p.run("review a.txt --import 1.tsv --by A").success();
    // The same person cannot mean both.
    let run = p.run("review a.txt --import 2.tsv --by A").code(3);
    assert!(words(&run.get_output().stdout).contains("nothing was changed"));
    let said = says(&p, "review a.txt --import 2.tsv --by B");
    assert!(said.contains("contradict each other"), "{said}");
    assert!(says(&p, "check a.txt").contains("correction-contradicts"));
}

#[test]
fn the_first_choices_of_all_questions_agree() {
    let p = Folder::new();
    p.write("a.txt", excerpt(40));
    p.run("review a.txt --below .9999 --export t.tsv").success();
    answer(&p, ("t.tsv", "a.tsv"), |_| true, "1");
    let said = says(&p, "review a.txt --import a.tsv --by a");
    assert!(!said.contains("contradict"), "{said}");
    assert!(!says(&p, "check a.txt --all").contains("correction-"));
}

#[test]
fn decisions_that_were_lost_are_not_taken_for_decisions_that_were_taken_back() {
    let p = Folder::new();
    p.write("c/a.txt", excerpt(40))
        .run("review c/a.txt --kind cut --below 1 --export t.tsv")
        .success();
    answer(&p, ("t.tsv", "a.tsv"), |place| place == "3:21", "1");
    p.run("review c/a.txt --import a.tsv --by a").success();
    p.run("build c").success();
    let decided = p.path().join("c/a.txt.review.toml");
    let kept = fs::read(&decided).unwrap();
    for lost in [None, Some(""), Some("\u{feff}\n"), Some("# gone\n")] {
        match lost {
            Some(bytes) => fs::write(&decided, bytes).unwrap(),
            None => fs::remove_file(&decided).unwrap(),
        }
        let run = p.run("build c -q").code(5);
        let said = words(&run.get_output().stderr);
        assert!(said.contains("the decisions about a.txt"), "{said}");
    }
    fs::write(&decided, &kept).unwrap();
    p.run("build c").success();
    fs::write(&decided, "# Every decision was taken back.\n").unwrap();
    p.run("build c").success();
}

#[test]
fn each_of_several_borders_in_a_plain_paragraph_holds() {
    let p = Folder::new();
    let border = |at: &str| {
        format!(
            "[[correction]]\nkind = \"cut\"\nbefore = \"學{at}時習之。\"\nat = \"{at}者習\"\nafter = \"\"\n\
             decision = \"經|注\"\nby = \"王\"\nwhen = 2026-11-22T21:30:00Z\n"
        )
    };
    p.write(
        "t.txt",
        "學甲乙時習之。甲乙者習也。學丙丁時習之。丙丁者習也。學戊己時習之。戊己者習也。\n",
    );
    p.write("t.txt.review.toml", ["甲乙", "丙丁", "戊己"].map(border).concat());
    let said = says(&p, "split t.txt");
    for (layer, words) in [
        ("注", "甲乙者習也。"),
        ("經", "學丙丁時習之。"),
        ("注", "丙丁者習也。"),
        ("注", "戊己者習也。"),
    ] {
        let line = said.lines().find(|line| line.trim_end().ends_with(words));
        assert!(line.is_some_and(|line| line.contains(layer)), "{words}: {said}");
    }
}

#[test]
fn corrections_under_a_name_that_is_not_quite_theirs_are_named() {
    for name in ["a.txt.review (1).toml", "a.txt.review - Copy.toml", "a.txt.Review.toml"] {
        let p = Folder::new();
        p.write("c/a.txt", excerpt(8)).write(&format!("c/{name}"), "");
        for manifest in [false, true] {
            if manifest {
                p.write("c/zhushu.toml", "[[text]]\nfile = \"a.txt\"\n");
            }
            let run = p.run("build c").code(3);
            let said = words(&run.get_output().stderr);
            assert!(said.contains(name) && said.contains("no effect"), "{said}");
            fs::remove_dir_all(p.path().join("out")).unwrap();
        }
    }
}
