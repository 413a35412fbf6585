//! Corrections and their review on the command line.

use std::fs;

use crate::support::corpus::root;
use crate::support::program::{Folder, ZHUSHU};

/// The output of a command.
fn printed(folder: &Folder, line: &str, code: i32) -> String {
    let output = folder.run(line).code(code).get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn questions_go_through_a_spreadsheet_into_the_edition() {
    let folder = Folder::new();
    folder.write("texts/a.txt", ZHUSHU);
    printed(&folder, "build texts -o before", 0);
    printed(&folder, "review texts/a.txt --below 1 --export sheet.tsv", 0);
    let table = fs::read_to_string(folder.path().join("sheet.tsv")).unwrap();
    let mut rows: Vec<Vec<String>> =
        table.lines().map(|l| l.split('\t').map(String::from).collect()).collect();
    let cut = rows.iter().position(|r| r[1] == "cut" && r[4].starts_with("於是")).unwrap();
    rows[cut][6] = "經|經".into();
    let answered: Vec<String> = rows.iter().map(|r| r.join("\t")).collect();
    folder.write("sheet.tsv", answered.join("\n"));
    let said = printed(&folder, "review texts/a.txt --by 王 --import sheet.tsv", 0);
    assert!(said.starts_with("1 decision added to texts/a.txt.review.toml"), "{said}");
    let kept = fs::read_to_string(folder.path().join("texts/a.txt.review.toml")).unwrap();
    assert!(kept.contains("decision = \"經|經\"") && kept.contains("by = \"王\""), "{kept}");
    // The same as a workbook.
    printed(&folder, "review texts/a.txt --below 1 --export sheet.xlsx", 0);
    let said = printed(&folder, "review texts/a.txt --by 王 --import sheet.xlsx", 0);
    assert!(said.starts_with("0 decisions added") && !said.contains("; 0 rows"), "{said}");
    let workbook = fs::read(folder.path().join("sheet.xlsx")).unwrap();
    folder.write("half.xlsx", &workbook[..workbook.len() / 2]);
    printed(&folder, "review texts/a.txt --by 王 --import half.xlsx", 3);
    // It is done, so it is not asked again.
    printed(&folder, "review texts/a.txt --below 1 --export again.tsv", 0);
    let again = fs::read_to_string(folder.path().join("again.tsv")).unwrap();
    assert!(!again.lines().any(|l| l.contains("\tcut\t") && l.contains("\t於是言")), "{again}");
    let report = printed(&folder, "build texts -o after", 0);
    assert!(report.contains("1 decision by a person"), "{report}");
    let changed = printed(&folder, "diff before after --kind layer", 1);
    assert!(changed.contains("layer") && changed.contains("注 → 經"), "{changed}");
    assert_eq!(printed(&folder, "diff after after", 0), "nothing changed\n");
    printed(&folder, "diff before after --to html -o diff.html", 1);
    let json = printed(&folder, "diff before after --to json", 1);
    assert!(json.contains("\"zhushu-diff/1\""), "{json}");
    // A new decision makes the folder out of date.
    let unchanged = printed(&folder, "build texts -o after", 0);
    assert!(unchanged.contains("nothing to do"), "{unchanged}");
    folder.write("texts/a.txt.review.toml", kept.replace("經|經", "經|注"));
    printed(&folder, "build texts -o after", 0);
    assert_eq!(printed(&folder, "diff before after --kind layer", 0), "nothing changed\n");
    let tei = fs::read_to_string(folder.path().join("after/tei/a.xml")).unwrap();
    assert!(
        tei.contains("<respStmt xml:id=\"by-王\">") && tei.contains("resp=\"#by-王\""),
        "{tei}"
    );
    // Ours, and that of TEI if it is beside the project.
    let schemas =
        ["schema/zhushu.rng", "../shared/schema/tei_all-4.12.0.rng"].map(|s| root().join(s));
    for schema in schemas.iter().filter(|s| s.exists()) {
        let schema = teixml::Schema::from_file(schema).expect("a schema");
        let faults = schema.validate_str(&tei).expect("XML");
        assert!(faults.is_empty(), "{}", faults[0]);
    }
    let page = fs::read_to_string(folder.path().join("after/site/a.html")).unwrap();
    assert!(page.contains("人定起點"), "the page does not show it");
}

#[test]
fn a_person_decides_where_a_reference_leads() {
    let folder = Folder::new();
    folder.write("texts/a.txt", ZHUSHU);
    printed(&folder, "build texts -o before", 0);
    printed(&folder, "review texts/a.txt --below 1 --kind link --export sheet.tsv", 0);
    let table = fs::read_to_string(folder.path().join("sheet.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|l| l.split('\t').collect()).collect();
    let quotation = rows.iter().position(|r| r[4].contains("於是言唯上耦者")).expect("a quotation");
    assert!(rows[1..].iter().all(|r| r[1] == "link"), "{table}");
    assert!(rows[quotation][7].starts_with(":") && rows[quotation][7].contains("【於是言唯上耦者"));
    let decide = |answer: &str| {
        let mut rows = rows.clone();
        rows[quotation][6] = answer;
        folder.write("sheet.tsv", rows.iter().map(|r| r.join("\t")).collect::<Vec<_>>().join("\n"));
        printed(&folder, "review texts/a.txt --by 王 --import sheet.tsv", 0);
    };
    // The words are no reference.
    decide("none");
    printed(&folder, "build texts -o none", 0);
    let changed = printed(&folder, "diff before none --kind link", 1);
    assert!(changed.contains("link") && changed.contains("→ –"), "{changed}");
    // They lead to other words, once the first answer is gone.
    fs::remove_file(folder.path().join("texts/a.txt.review.toml")).unwrap();
    decide(":【釋獲皆如初】");
    let kept = fs::read_to_string(folder.path().join("texts/a.txt.review.toml")).unwrap();
    assert_eq!(kept.matches("kind = \"link\"").count(), 1, "{kept}");
    printed(&folder, "build texts -o other", 0);
    let tei = fs::read_to_string(folder.path().join("other/tei/a.xml")).unwrap();
    assert!(
        tei.contains("<respStmt xml:id=\"by-王\">") && tei.contains("resp=\"#by-王\""),
        "{tei}"
    );
    let again = printed(&folder, "diff none other --kind link", 1);
    assert!(again.contains("link") && again.contains("– → a.txt"), "{again}");
    printed(&folder, "check texts/a.txt", 0);
    // The words that it leads to are gone.
    folder.write("texts/a.txt.review.toml", kept.replace("釋獲皆如初", "天地玄黃宇宙"));
    let said = printed(&folder, "check texts/a.txt", 1);
    assert!(said.contains("correction-lost") && said.contains("天地玄黃宇宙"), "{said}");
}

#[test]
fn a_person_decides_what_corresponds_in_the_translation() {
    let folder = Folder::new();
    printed(&folder, "demo yili", 0);
    printed(&folder, "build yili/corpus -o before", 0);
    let review = "review yili/corpus/yili-05-zhushu.txt --with yili/corpus --by 王 --kind bead";
    printed(&folder, &format!("{review} --below 1 --export sheet.tsv"), 0);
    let table = fs::read_to_string(folder.path().join("sheet.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|l| l.split('\t').collect()).collect();
    assert!(rows[1..].iter().all(|r| r[1] == "bead"), "{table}");
    let row = rows.iter().position(|r| r[7].starts_with("yili-05-jinyi:")).expect("a bead");
    assert!(
        rows[row][7..].iter().any(|choice| choice.starts_with("yili-05-jinyi:none")),
        "{table}"
    );
    let decide = |answer: &str| {
        let mut rows = rows.clone();
        rows[row][6] = answer;
        folder.write("sheet.tsv", rows.iter().map(|r| r.join("\t")).collect::<Vec<_>>().join("\n"));
        printed(&folder, &format!("{review} --import sheet.tsv"), 0);
    };
    decide("2");
    printed(&folder, "build yili/corpus -o after", 0);
    let changed = printed(&folder, "diff before after --kind bead", 1);
    assert!(changed.contains("bead"), "{changed}");
    let tei = fs::read_to_string(folder.path().join("after/tei/yili-05-zhushu.xml")).unwrap();
    assert!(tei.contains("<link target=") && tei.contains("resp=\"#by-王\""), "no bead by 王");
    assert!(tei.contains("<respStmt xml:id=\"by-王\">"));
    let page = fs::read_to_string(folder.path().join("after/site/yili-05-zhushu.html")).unwrap();
    assert!(page.contains("class=\"bead ok\""), "the page does not show it");
    printed(&folder, "check yili/corpus", 0);
    // A build after the decision gives what one from nothing gives.
    printed(&folder, "build yili/corpus -o before", 0);
    for kind in ["tei", "json", "site"] {
        let files = fs::read_dir(folder.path().join("after").join(kind)).unwrap();
        for file in files.map(|f| f.unwrap().path()).filter(|f| f.is_file()) {
            let other = folder.path().join("before").join(kind).join(file.file_name().unwrap());
            assert!(fs::read(&file).unwrap() == fs::read(&other).unwrap(), "{}", file.display());
        }
    }
    // The words of the translation are gone.
    let file = "yili/corpus/yili-05-zhushu.txt.review.toml";
    let kept = fs::read_to_string(folder.path().join(file)).unwrap();
    let from = kept.find("decision = \"yili-05-jinyi:").expect("a decision");
    let line = &kept[from..from + kept[from..].find('\n').unwrap()];
    folder.write(file, kept.replace(line, "decision = \"yili-05-jinyi:【天地玄黃宇宙】\""));
    let said = printed(&folder, "check yili/corpus", 1);
    assert!(said.contains("correction-lost") && said.contains("天地玄黃宇宙"), "{said}");
}

#[test]
fn a_person_decides_who_says_what_a_commentary_reports() {
    let folder = Folder::new();
    let text = ZHUSHU.to_string() + "【疏】“於是”至“及之”。○釋曰：熊氏云：“大夫不與。”是也。\n";
    folder.write("texts/a.txt", &text);
    printed(&folder, "build texts -o before", 0);
    printed(&folder, "review texts/a.txt --below 1 --kind speaker --export sheet.tsv", 0);
    let table = fs::read_to_string(folder.path().join("sheet.tsv")).unwrap();
    let mut rows: Vec<Vec<&str>> = table.lines().map(|l| l.split('\t').collect()).collect();
    assert_eq!((rows.len(), rows[1][1], rows[1][7]), (2, "speaker", "熊氏"), "{table}");
    rows[1][6] = "皇侃";
    folder.write("sheet.tsv", rows.iter().map(|r| r.join("\t")).collect::<Vec<_>>().join("\n"));
    printed(&folder, "review texts/a.txt --by 王 --import sheet.tsv", 0);
    printed(&folder, "build texts -o after", 0);
    let changed = printed(&folder, "diff before after --kind link", 1);
    assert!(changed.contains("熊氏") && changed.contains("皇侃"), "{changed}");
    let kept = fs::read_to_string(folder.path().join("texts/a.txt.review.toml")).unwrap();
    folder.write(
        "texts/a.txt.review.toml",
        kept.replace("decision = \"皇侃\"", "decision = \"none\""),
    );
    printed(&folder, "build texts -o none", 0);
    let changed = printed(&folder, "diff before none --kind link", 1);
    assert!(changed.contains("→ –"), "{changed}");
}

#[test]
fn a_person_decides_where_chapters_begin() {
    let folder = Folder::new();
    let body = "司射適堂西,命弟子設豐。弟子奉豐升,設于西楹之西,乃降。\n".repeat(3);
    let text = format!("山居\n{body}水行\n{body}又言其志\n{body}");
    folder.write("texts/a.txt", &text);
    let chapters = |out: &str| {
        printed(&folder, &format!("build texts -o {out}"), 0);
        let files = fs::read_dir(folder.path().join(out).join("tei")).unwrap();
        let mut names: Vec<String> =
            files.map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(chapters("before"), ["a.xml"]);
    let review = "review texts/a.txt --by 王 --kind heading";
    printed(&folder, &format!("{review} --below 1 --export sheet.tsv"), 0);
    let table = fs::read_to_string(folder.path().join("sheet.tsv")).unwrap();
    let mut rows: Vec<Vec<&str>> = table.lines().map(|l| l.split('\t').collect()).collect();
    let at: Vec<&str> = rows[1..].iter().map(|r| r[4].trim_matches('¶')).collect();
    assert_eq!(at, ["山居", "水行", "又言其志"], "{table}");
    for (row, answer) in [(1, "篇"), (2, "chapter"), (3, "題")] {
        rows[row][6] = answer;
    }
    folder.write("sheet.tsv", rows.iter().map(|r| r.join("\t")).collect::<Vec<_>>().join("\n"));
    printed(&folder, &format!("{review} --import sheet.tsv"), 0);
    assert_eq!(chapters("after"), ["a-01.xml", "a-02.xml"]);
    let tei = |name: &str| fs::read_to_string(folder.path().join("after/tei").join(name)).unwrap();
    assert!(!tei("a-01.xml").contains("水行") && tei("a-02.xml").contains("又言其志"));
    assert!(tei("a-02.xml").contains("resp=\"#by-王\""), "{}", tei("a-02.xml"));
    printed(&folder, "check texts", 0);
    // A line that was taken for the title of a chapter is text.
    let kept = fs::read_to_string(folder.path().join("texts/a.txt.review.toml")).unwrap();
    folder
        .write("texts/a.txt.review.toml", kept.replace("decision = \"篇\"", "decision = \"none\""));
    assert_eq!(chapters("none"), ["a.xml"]);
}

#[test]
fn a_correction_that_is_not_applied_makes_check_fail() {
    let folder = Folder::new();
    let entry = "[[correction]]\nkind = \"layer\"\nat = \"天地玄黃宇宙洪荒\"\ndecision = \"注\"\n\
                 by = \"王\"\nwhen = 2026-11-22T21:30:00Z\n";
    folder.write("a.txt", ZHUSHU).write("a.txt.review.toml", entry);
    let said = printed(&folder, "check a.txt", 1);
    assert!(said.contains("correction-lost") && said.contains("天地玄黃宇宙洪荒"), "{said}");
    let report = printed(&folder, "build . -o out", 0);
    assert!(report.contains("corrections that are not applied: 1"), "{report}");
    folder.write("a.txt.review.toml", entry.replace("at =", "on ="));
    let output = folder.run("check a.txt").code(4).get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("a.txt.review.toml:3") && said.contains("unknown field"), "{said}");
}

#[test]
fn wrong_rows_of_a_table_are_reported_and_nothing_is_changed() {
    let folder = Folder::new();
    folder.write("a.txt", ZHUSHU);
    let head = "kind\tbefore\tat\tafter\tanswer\n";
    let right = "cut\t釋獲皆如初。\t於是言\t唯上耦者\t經|注\n";
    let wrong = "cut\t釋獲皆如初。\t於是言\t唯上耦者\t5\n";
    folder.write("t.tsv", [head, right, wrong].concat());
    let before = folder.files();
    let said = printed(&folder, "review a.txt --by 王 --import t.tsv", 3);
    assert!(said.contains("t.tsv, row 3: it has no choice 5"), "{said}");
    assert_eq!(folder.files(), before);
    folder.write("t.tsv", [head, right].concat());
    printed(&folder, "review a.txt --by 王 --own wang --import t.tsv", 0);
    assert!(folder.path().join("a.txt.wang.review.toml").is_file());
    folder.run("review a.txt --by 王").code(2);
}

#[test]
fn beads_of_a_table_of_two_languages_can_be_decided() {
    let rows = "學而時習之不亦說乎。,學了能時常溫習，不也很高興嗎。\n有朋自遠方來不亦樂乎。,有朋友從遠方來，不也很快樂嗎。\n";
    let folder = Folder::new();
    folder.write("texts/t.csv", format!("原文,譯文\n{rows}"));
    let decide = |decision: &str| {
        let entry = "[[correction]]\nkind = \"bead\"\nat = \"學而時習之不亦說乎。\"\n";
        let text =
            format!("{entry}decision = \"{decision}\"\nby = \"王\"\nwhen = 2026-11-30T00:00:00Z\n");
        folder.write("texts/t.csv.review.toml", text);
        let output = folder.run("build texts -o out").success().get_output().clone();
        let said = String::from_utf8(output.stdout).unwrap();
        let beads = fs::read_to_string(folder.path().join("out/json/t--t.align.json")).unwrap();
        (said, serde_json::from_str::<serde_json::Value>(&beads).unwrap())
    };
    let (_, beads) = decide("t:none");
    let alone = &beads["beads"][0];
    assert_eq!(alone["translation"].as_array().map(Vec::len), Some(0), "{beads}");
    assert_eq!(alone["evidence"][0], "person: 王, 2026-11-30", "{beads}");
    assert_eq!(beads["beads"].as_array().map(Vec::len), Some(3), "{beads}");
    let (said, _) = decide("nosuch:none");
    assert!(said.contains("nosuch"), "{said}");
}
