//! `zhushu split` and `zhushu score` as users see them. Certainties and weights are not checked
//! here, since they change with the model; `tests/layers/scores.rs` checks the results.
//!
//! Expected output is in the tests (`str![…]`); `SNAPSHOTS=overwrite cargo test` rewrites it (then
//! put `[..]` for figures again).

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use snapbox::cmd::{Command, OutputAssert, cargo_bin};
use snapbox::str;

/// A paragraph, its 疏, and a plain text.
const TEXT: &str = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:雲“純猶全也”者,陰陽對合。\n";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.0.path().join(name), content).unwrap();
        self
    }
    fn zhushu(&self, line: &str) -> Command {
        let program = Command::new(cargo_bin!("zhushu"))
            .env("ZHUSHU_LIBRARY", "")
            .env_remove("ZHUSHU_LANG")
            .env("LC_ALL", "C");
        program.current_dir(self.0.path()).args(line.split_whitespace())
    }
    fn run(&self, line: &str) -> OutputAssert {
        self.zhushu(line).assert()
    }
    fn said(&self, line: &str) -> String {
        String::from_utf8(self.run(line).success().get_output().stdout.clone()).unwrap()
    }
    fn json(&self, line: &str, schema: &str) -> Value {
        let value = serde_json::from_str(&self.said(line)).unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema").join(schema);
        let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let faults: String = jsonschema::validator_for(&schema)
            .unwrap()
            .iter_errors(&value)
            .map(|e| format!("{}: {e}\n", e.instance_path()))
            .collect();
        assert_eq!(faults, "", "{line}");
        value
    }
}

#[test]
fn runs_for_a_person_a_spreadsheet_and_a_program() {
    let p = Place::new();
    p.write("a.txt", TEXT);
    p.run("split a.txt --from zhushu").success().stdout_eq(str![[r#"
1  經     0.[..]  二筭為純。
1  注     0.[..]  純猶全也。耦陰陽。
3  疏首   0.[..]  “二筭為純”。注“純猶”至“陰陽”。
3  疏    marked  釋曰:雲“純猶全也”者,陰陽對合。

"#]]);
    p.run("split a.txt:3 --below 0.995").success().stdout_eq(str![[r#"
3  疏首   0.990  “二筭為純”。注“純猶”至“陰陽”。

"#]]);
    p.run("split a.txt:3:2 --below 0.1").success().stdout_eq("no such runs\n");
    p.run("split a.txt:3 --to tsv").success().stdout_eq(str![[r#"
line	column	start	end	layer	cert	evidence	words
3	4	19	37	shu_header	0.990	header-form	“二筭為純”。注“純猶”至“陰陽”。
3	22	37	54	shu	1.000		釋曰:雲“純猶全也”者,陰陽對合。

"#]]);
    let value = p.json("split a.txt --to json", "split.schema.json");
    let layers: Vec<&str> =
        value["runs"].as_array().unwrap().iter().map(|r| r["layer"].as_str().unwrap()).collect();
    assert_eq!(layers, ["jing", "zhu", "shu_header", "shu"]);
    let why = &value["runs"][2]["evidence"][0];
    assert_eq!(why, &json!({"code": "header-form", "says": "the form of a lemma header"}));
}

#[test]
fn an_explanation_for_a_person() {
    let p = Place::new();
    p.write("a.txt", TEXT);
    p.run("split --explain a.txt:1 --alternatives 1").success().stdout_eq(str![[r#"
a.txt:1:1  2 runs

  1:1  經  0.[..]  二筭為純。
  1:6  注  0.[..]  純猶全也。耦陰陽。

the header of the 疏 names
  經  “二筭為純”      at 1:1
  注  “純猶”至“陰陽”  from 1:6 to 1:13

the 疏 quotes
  1:6  “純猶全也”  at 3:27

why each cut is there, compared with the best reading without it
  1:1  經  0.[..]  二筭為純。  +[..]
...
  1:6  注  0.[..]  純猶全也。耦陰陽。  +[..]
...
      +[..]  據疏首起訖  [..]the last words of the 經 and the first of the 注, as the header names them, meet[..]
...

"#]]);
    let all = p.said("split --explain a.txt");
    assert_eq!(p.said("split --explain a.txt:3"), all, "in its 疏 the passage is meant");
    assert!(
        p.said("split --explain a.txt --alternatives 0")
            .contains("where else a layer could begin, compared with the reading above")
    );
    assert_eq!(p.said("split --explain a.txt --below 0"), "no cut is less certain than 0\n");
}

#[test]
fn an_explanation_for_a_program() {
    let p = Place::new();
    p.write("a.txt", TEXT);
    let value = p.json("split --explain a.txt --rivals 0.000001 --to json", "explain.schema.json");
    let passage = &value["passages"][0];
    let starts: Vec<u64> =
        passage["cuts"].as_array().unwrap().iter().map(|c| c["start"].as_u64().unwrap()).collect();
    assert_eq!(starts, [0, 5]);
    assert_eq!(passage["commentary"], json!([19, 54]));
    assert_eq!(passage["named"][1]["from"]["at"], json!([5, 7]));
    assert!(!passage["rivals"].as_array().unwrap().is_empty());
    assert_eq!(passage["witness"], Value::Null);
}

#[test]
fn texts_beside_are_heard() {
    let p = Place::new();
    let runs = [
        (
            "主人坐取爵于篚降洗賓降主人辭降賓對主人坐取爵興適洗南面坐奠爵于篚下盥洗。",
            "篚下,篚南也。盥洗,致潔敬也。",
        ),
        (
            "賓進東北面辭洗主人坐奠爵于篚興對賓復位當西序東面主人坐取爵實之賓席之前。",
            "進酒於賓也。凡進物曰獻。",
        ),
        (
            "賓西階上拜主人少退賓進受爵以復位主人阼階上拜送爵賓少退薦脯醢。",
            "薦,進也。進之者,主人有司。",
        ),
    ];
    let bare: String = runs.iter().flat_map(|(classic, note)| [*classic, *note]).collect();
    let marked: String =
        runs.iter().map(|(classic, note)| format!("{classic}（{note}）")).collect();
    p.write("a.txt", format!("{bare}\n\n[疏]釋曰:此論獻賓之事。\n"))
        .write("鄭注.txt", format!("# 鄉射禮\n\n{marked}\n"));
    let said = p.said("split --explain a.txt:1 --with 鄭注.txt");
    assert!(
        said.contains("鄭注 has this passage too")
            && said.contains("      agrees  鄭注 ends the 經 here too"),
        "{said}"
    );
    let value = p.json("split --explain a.txt --with 鄭注.txt --to json", "explain.schema.json");
    let passage = &value["passages"][0];
    assert_eq!(
        (&passage["witness"], passage["cuts"].as_array().unwrap().len()),
        (&json!("鄭注"), 6)
    );
    assert!(!p.said("split --explain a.txt:1").contains("agrees"));
}

#[test]
fn places_and_options_that_make_no_sense() {
    let p = Place::new();
    p.write("a.txt", TEXT).write("儀禮:鄉射.txt", TEXT);
    p.run("split a.txt:9").code(2).stderr_eq(str![[r#"
error: there is no line 9 in a.txt
 |
 = help: lines are counted from 1; the last is 4

"#]]);
    p.run("split a.txt:1:99").code(2).stderr_eq(str![[r#"
error: line 1 of a.txt has no column 99
 |
 = help: columns are characters, counted from 1; the last is 14

"#]]);
    p.run("split missing.txt:3").code(5).stderr_eq(str![[r#"
error: cannot read: there is no such file or folder
--> missing.txt

"#]]);
    p.run("split --explain a.txt --to tsv").code(2).stderr_eq(str![[r#"
error: an explanation cannot be a table
 |
 = help: print it with --to text or json

"#]]);
    p.run("split a.txt --below 2").code(2);
    p.run("split a.txt --rivals 0.1").code(2);
    let (plain, colon) =
        (p.said("split --explain a.txt:1"), p.said("split --explain 儀禮:鄉射.txt:1"));
    assert_eq!(colon, plain.replace("a.txt", "儀禮:鄉射.txt"));
    p.run("split --explain a.txt:2").success().stdout_eq("there is no text there\n");
    let piped = p
        .zhushu("split --explain -- -:1")
        .stdin(TEXT)
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    assert_eq!(String::from_utf8(piped).unwrap(), plain.replace("a.txt", "-"));
}

#[test]
fn of_a_plain_text_it_is_said_that_no_notes_were_expected() {
    let p = Place::new();
    p.write("a.txt", "學而時習之，不亦說乎？學者，效也。說者，懌也。\n");
    p.run("split --explain a.txt").success().stdout_eq(str![[r#"
nothing had to be cut: it was read as a classic without notes; if it has notes: --from jizhu

"#]]);
    p.run("split --explain a.txt:1").success().stdout_eq(str![[r#"
nothing had to be cut here
1  經    marked  學而時習之，不亦說乎？學者，效也。說者，懌也。
    it was read as a classic without notes; if it has notes: --from jizhu

"#]]);
}

#[test]
fn where_nothing_was_cut_the_evidence_is_shown() {
    let p = Place::new();
    p.write("a.txt", "# 學而第一\n\n子曰：“學而時習之。”（馬曰：“子者。”）有朋自遠方來。（包曰：“同門曰朋。”）其爲人也。（孔子弟子。）\n");
    p.run("split --explain a.txt")
        .success()
        .stdout_eq("nothing had to be cut: the source itself marks its layers\n");
    p.run("split --explain a.txt:3").success().stdout_eq(str![[r#"
nothing had to be cut here
3  經    marked  子曰：“學而時習之。”
    the source itself marks it
3  注    marked  馬曰：“子者。”
    the source itself marks it
3  經    marked  有朋自遠方來。
    the source itself marks it
3  注    marked  包曰：“同門曰朋。”
    the source itself marks it
3  經    marked  其爲人也。
    the source itself marks it
3  注    marked  孔子弟子。
    the source itself marks it

"#]]);
}

#[test]
fn colour_on_a_terminal_only() {
    let p = Place::new();
    p.write("a.txt", TEXT);
    assert!(!p.said("split --explain a.txt").contains('\u{1b}'));
    let coloured = p.said("split --explain a.txt --color always");
    assert_eq!(
        anstream::adapter::strip_str(&coloured).to_string(),
        p.said("split --explain a.txt")
    );
    assert!(coloured.contains("\u{1b}["));
    p.run("split --explain a.txt --color always -o b.txt").success();
    assert_eq!(
        fs::read_to_string(p.0.path().join("b.txt")).unwrap(),
        p.said("split --explain a.txt")
    );
}

/// The correct cut of the text, and a cut with a border too early and an extra start.
fn cuts(p: &Place) {
    p.write("a.txt", TEXT).write(
        "gold.json",
        json!({"spans": [[0, 5, "經"], [5, 14, "注"], [16, 54, "疏"]]}).to_string(),
    );
    let run = |start: u64, end: u64, layer: &str, certainty: f64| json!({"start": start, "end": end, "layer": layer, "cert": certainty});
    let spans = [
        run(0, 5, "jing", 0.999),
        run(5, 10, "zhu", 0.95),
        run(10, 14, "jing", 0.6),
        run(16, 54, "shu", 1.0),
    ];
    p.write("cut.json", json!({"spans": spans}).to_string());
}

#[test]
fn a_score_for_a_person() {
    let p = Place::new();
    cuts(&p);
    p.run("score --gold gold.json a.txt --prediction cut.json --layers --errors 5")
        .success()
        .stdout_eq(str![[r#"
borders
         right  gold  found  precision  recall      F1  characters in their layer
  a.txt      1     1      2     0.5000  1.0000  0.6667               0.9091 of 33

characters of each layer, and borders into it or out of it
      F1 of characters  of  right  gold  found  precision  recall      F1
  經            0.7273   4      1     1      2     0.5000  1.0000  0.6667
  注            0.7273   7      1     1      2     0.5000  1.0000  0.6667
  疏            1.0000  22      0     0      0     0.0000  0.0000  0.0000

starts by the certainty given: ece 0.2170 of 3
  certainty  claims  mean given  right  share right
  ≥ 0.99          1       0.999      1        1.000
  ≥ 0.90          1       0.950      1        1.000
  ≥ 0.50          1       0.600      0        0.000

0 missed, 1 wrong in a.txt
  a.txt:1:11  wrong  注→經  0.600  …二筭為純。純猶全也。‖耦陰陽。  [疏]“…

"#]]);
    p.run("score --gold gold.json a.txt --gold gold.json a.txt --to tsv --layers")
        .success()
        .stdout_eq(str![[r#"
text	layer	right	gold	found	precision	recall	f1	characters_right	characters
a.txt	all	1	1	1	1.0000	1.0000	1.0000	33	33
a.txt	jing	1	1	1	1.0000	1.0000	1.0000	4	4
a.txt	zhu	1	1	1	1.0000	1.0000	1.0000	7	7
a.txt	shu	0	0	0	0.0000	0.0000	0.0000	22	22
a.txt	all	1	1	1	1.0000	1.0000	1.0000	33	33
a.txt	jing	1	1	1	1.0000	1.0000	1.0000	4	4
a.txt	zhu	1	1	1	1.0000	1.0000	1.0000	7	7
a.txt	shu	0	0	0	0.0000	0.0000	0.0000	22	22
all	all	2	2	2	1.0000	1.0000	1.0000	66	66
all	jing	2	2	2	1.0000	1.0000	1.0000	8	8
all	zhu	2	2	2	1.0000	1.0000	1.0000	14	14
all	shu	0	0	0	0.0000	0.0000	0.0000	44	44

"#]]);
}

#[test]
fn a_score_for_a_program() {
    let p = Place::new();
    cuts(&p);
    let judged = p.json(
        "score --gold gold.json a.txt --prediction cut.json --errors 5 --to json",
        "score.schema.json",
    );
    assert_eq!(judged["all"]["borders"]["f1"], 0.6667);
    assert_eq!(
        (&judged["across_lines"], &judged["texts"][0]["errors"][0]["at"]),
        (&json!(true), &json!(10))
    );
    let within =
        p.json("score --gold gold.json a.txt --within-lines --to json", "score.schema.json");
    assert_eq!(within["across_lines"], false);
    p.json(
        "score --gold gold.json a.txt --within-lines --across-lines --to json",
        "score.schema.json",
    );
}

#[test]
fn what_was_missed_is_shown_with_what_spoke_against_it() {
    let p = Place::new();
    // In this gold the classic continues to the end, which the program will not infer.
    p.write("a.txt", TEXT)
        .write("gold.json", json!({"spans": [[0, 10, "經"], [10, 14, "注"]]}).to_string());
    let said = p.said("score --gold gold.json a.txt --errors 1");
    let lines: Vec<&str> = said.lines().filter(|l| l.contains("a.txt:")).collect();
    assert!(
        lines[0].contains("a.txt:1:6   wrong   經→注  0.")
            && lines[0].contains("a lemma header names"),
        "{said}"
    );
    assert!(lines[1].contains("a.txt:1:11  missed  經→注  0.00"), "{said}");
}

#[test]
fn a_cut_from_a_file_is_scored_like_a_new_one() {
    let p = Place::new();
    cuts(&p);
    p.write("pred.json", p.said("convert a.txt"));
    let (computed, written) = (
        p.said("score --gold gold.json a.txt"),
        p.said("score --gold gold.json a.txt --prediction pred.json"),
    );
    assert_eq!(computed, written);
}

#[test]
fn golds_that_do_not_fit() {
    let p = Place::new();
    cuts(&p);
    p.write("b.txt", "二筭為純。")
        .write("no.json", "{")
        .write("names.json", r#"{"spans": [[0, 1, "klingon"]]}"#);
    p.run("score --gold gold.json a.txt b.txt").code(2).stderr_eq(str![[r#"
error: 1 --gold for 2 texts
 |
 = help: name one --gold for each FILE, in their order

"#]]);
    p.run("score --gold gold.json b.txt --from plain").code(3).stderr_eq(str![[r#"
error: span 5–14 overlaps another or leaves the text, which has 5 characters
--> gold.json
 = help: its spans must be code points of b.txt

"#]]);
    p.run("score --gold no.json a.txt").code(3).stderr_eq(str![[r#"
error: not JSON: EOF while parsing an object at line 1 column 1
--> no.json

"#]]);
    p.run("score --gold names.json a.txt").code(3).stderr_eq(str![[r#"
error: no layer is called “klingon”; there are [..]
--> names.json
 = help: its spans must be code points of a.txt

"#]]);
    p.write("pred.json", p.said("convert a.txt"));
    p.write("short.json", r#"{"spans": [[0, 4, "經"]]}"#);
    p.run("score --gold short.json b.txt --from plain --prediction pred.json").code(3).stderr_eq(
        str![[r#"
error: it is a cut of another text than b.txt
--> pred.json
 = help: its source/sha256 is not that of the text

"#]],
    );
    p.run("score a.txt").code(2);
}
