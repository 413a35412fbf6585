//! References of 59 stretches that were read by hand (`tests/gold/links-*.tsv`), scored with the scorer beside the project.
//! Each says whether its misses were looked at when rules were made. The texts are not part of the project: without them the
//! test is skipped. It takes minutes, so it runs on request: `cargo test --test links lists -- --ignored`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use zhushu::corpus::TextEntry;

use crate::support::corpus::root;
use crate::support::tables::hold;

/// The lists, and whether they were in view when rules were made.
const LISTS: [(&str, &str); 59] = [
    ("gongyang-yin", "in view"),
    ("zhouli-tianguan", "in view"),
    ("zuozhuan-yin", "in view"),
    ("liji-yueling", "not in view"),
    ("mengzi-gongsun", "not in view"),
    ("zhouyi-kui", "not in view"),
    ("liji-quli", "read by others, then in view"),
    ("zhouli-diguan", "read by others, then in view"),
    ("zhouyi-qian", "read by others, then in view"),
    ("zuozhuan-xuan", "read by others, then in view"),
    ("liji-yueling-shu", "read by others, then in view"),
    ("zuozhuan-yin-end", "read by others, then in view"),
    ("zuozhuan-xuan-b", "read by others, then in view"),
    ("zhouyi-zhun", "read by others, then in view"),
    ("mengzi-wanzhang", "read by others, then in view"),
    ("zhouli-qiuguan", "read by others, then in view"),
    ("liji-yueling-c", "read by others, then in view"),
    ("zhouli-chunguan", "read by others, then in view"),
    ("lunyu-gongye", "read by others, then in view"),
    ("gongyang-xuan", "read by others, then in view"),
    ("liji-qulishang2", "read by others, then in view"),
    ("gongyang-yin-b", "read by others, then in view"),
    ("lunyu-xianwen", "read by others, then in view"),
    ("liji-quli-c", "read by others, then in view"),
    ("lunyu-xianjin", "read by others, then in view"),
    ("maoshi-lvyi", "read by others, then in view"),
    ("yili-04", "read by others, then in view"),
    ("mengzi-tengwen", "read by others, not in view"),
    ("zhouli-xiaguan", "read by others, not in view"),
    ("zhouyi-jie", "read by others, not in view"),
    ("zuozhuan-yin-c", "read by others, not in view"),
    ("liji-quli-x", "as the given list, then in view"),
    ("zuozhuan-yin-x", "as the given list, then in view"),
    ("gongyang-xuan-x", "as the given list, then in view"),
    ("zhouli-tianguan-y", "as the given list, then in view"),
    ("liji-sheyi-x", "as the given list, then in view"),
    ("mengzi-lilou-x", "as the given list, then in view"),
    ("liji-yueling-z", "as the given list, then in view"),
    ("gongyang-yin-z", "as the given list, then in view"),
    ("mengzi-tengwen-z", "as the given list, then in view"),
    ("zhouli-chunguan-z", "as the given list, then in view"),
    ("zhouli-chunguan-x", "as the given list, then in view"),
    ("lunyu-yaoyue-x", "as the given list, not in view"),
    ("yili-06-z", "as the given list, not in view"),
    ("lunyu-zizhang-z", "as the given list, not in view"),
    ("zhouyi-jin-z", "as the given list, not in view"),
    ("zuozhuan-xuan-z", "as the given list, then in view"),
    ("liji-quli-w", "as the given list, then in view"),
    ("zhouli-diguan-2", "two readers, then in view"),
    ("yili-06-2", "two readers, then in view"),
    ("gongyang-yin-2", "two readers, then in view"),
    ("zuozhuan-xuan-2", "two readers, then in view"),
    ("zhouli-diguan-b2", "two readers, then in view"),
    ("lunyu-bayi-2", "two readers, not in view"),
    ("zhouyi-jin-2", "two readers, not in view"),
    ("lunyu-yaoyue-2", "two readers, not in view"),
    ("yili-06-b2", "two readers, not in view"),
    ("lunyu-zizhang-2", "two readers, not in view"),
    ("liji-quli-b2", "two readers, not in view"),
];

/// One list as the scorer reads it, with the path of its text.
struct List {
    text: PathBuf,
    gold: Value,
}

fn list(name: &str, shared: &Path) -> List {
    let table = root().join(format!("tests/gold/links-{name}.tsv"));
    let table = std::fs::read_to_string(table).expect("the list");
    let head = table.lines().next().expect("a heading");
    let (_, head) = head.split_once("Text: ").expect("the text");
    let (path, range) = head.split_once("; characters ").expect("the stretch");
    let range = range.trim_end_matches(" of it.").split_once(" to ").expect("from and to");
    let number = |s: &str| s.parse::<usize>().ok();
    let text = shared.join(path);
    let document = zhushu::load::entry(&TextEntry::file(&text)).expect("it reads");
    let chars: Vec<char> = document.source.text().chars().collect();
    let own = text.file_name().and_then(|n| n.to_str()).expect("a name").to_string();
    let mut links: Vec<Value> = Vec::new();
    for row in table.lines().filter(|l| !l.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let (start, end) = (number(cells[0]), number(cells[1]));
        let file = if cells[6] == "own" { own.as_str() } else { cells[6] };
        let place = number(cells[7])
            .map(|from| json!({"path": file, "start": from, "end": number(cells[8])}));
        let again = |l: &&mut Value| l["start"] == json!(start) && l["end"] == json!(end);
        if let Some(before) = links.last_mut().filter(again) {
            before["also"].as_array_mut().expect("a list").extend(place);
            continue;
        }
        let has = |flag: char| cells[9].contains(flag);
        let said: String = chars[start.expect("a start")..end.expect("an end")].iter().collect();
        links.push(json!({
            "start": start, "end": end, "kind": cells[4], "target": place, "also": [],
            "quoted": number(cells[2]).map(|from| json!([from, number(cells[3])])),
            "work": (cells[5] != "-").then_some(cells[5]), "doubtful": has('d'),
            "implicit": has('i'), "why": has('n').then_some("not at hand"),
            "match": has('w').then_some("scope"), "text": said,
        }));
    }
    let covered = json!([[number(range.0), number(range.1)]]);
    List { text, gold: json!({"covered": covered, "links": links}) }
}

/// What the scorer prints for a list: found, real, right place, resolved right, right work.
fn score(name: &str, shared: &Path, folder: &Path) -> String {
    let list = list(name, shared);
    let (gold, found) =
        (folder.join(format!("{name}.gold.json")), folder.join(format!("{name}.json")));
    std::fs::write(&gold, list.gold.to_string()).expect("the list is written");
    let mut convert = Command::new(env!("CARGO_BIN_EXE_zhushu"));
    convert.env("ZHUSHU_LIBRARY", "").env_remove("ZHUSHU_LANG").env("LC_ALL", "C");
    convert.arg("convert").arg(&list.text).args(["--to", "json", "-o"]).arg(&found);
    let mut canon: Vec<PathBuf> = std::fs::read_dir(shared.join("canon"))
        .expect("the classics")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "txt"))
        .collect();
    canon.sort();
    canon.iter().for_each(|p| _ = convert.arg("--with").arg(p));
    assert!(convert.status().expect("zhushu runs").success());
    let scorer = shared.join("tools/score_links.py");
    let out = Command::new("python3").arg(scorer).arg(&gold).arg(&found).output();
    String::from_utf8(out.expect("python3 runs").stdout).expect("UTF-8")
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn references_of_stretches_read_by_hand_have_the_scores_of_the_table() {
    let shared = root().join("../shared");
    let python = Command::new("python3").arg("--version").output().is_ok();
    if !shared.join("canon").is_dir() || !python {
        return println!("skipped: the texts are not beside the project, or python3 is missing");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = String::from("# list\trules\twhat\tright\tof\n");
    for (name, rules) in LISTS {
        for figure in score(name, &shared, folder.path()).trim().split("; ") {
            let (what, ratio) = figure.split_once(char::is_numeric).expect("a ratio");
            let ratio = &figure[what.len()..figure.len().min(what.len() + ratio.len() + 1)];
            let (right, of) = ratio.split(' ').next().and_then(|r| r.split_once('/')).expect("n/n");
            let _ = writeln!(table, "{name}\t{rules}\t{}\t{right}\t{of}", what.trim());
        }
    }
    hold(root().join("tests/scores/links-beside.tsv"), &table);
}
