//! The library of texts that a person keeps: what the commands say, and what other commands take
//! from it.

use std::fs;
use std::path::Path;

use serde_json::Value;
use snapbox::str;

use crate::support::corpus;
use crate::support::program::Folder;

/// A text that quotes another without a mark, and names it.
const CITING: &str = "[疏]釋曰:《論語》云“學而時習之,不亦說乎。有朋自遠方來,不亦樂乎”,是也。\n";
const CITED: &str = "子曰:學而時習之,不亦說乎。有朋自遠方來,不亦樂乎。人不知而不慍,不亦君子乎。\n";

fn said(p: &Folder, line: &str) -> String {
    String::from_utf8(p.run(line).success().get_output().stdout.clone()).unwrap()
}

/// A folder with a text that cites, and one that is cited in the folder `mine`.
fn folder() -> Folder {
    let p = Folder::new();
    p.write("a.txt", CITING).write("mine/lunyu.txt", CITED);
    p
}

#[test]
fn a_library_is_no_text_of_itself() {
    let p = folder();
    let added = said(&p, "--library lib library add .");
    assert!(added.starts_with("added ") && !added.contains("left out"), "{added}");
    assert!(said(&p, "--library lib library update").contains(": unchanged"));
}

fn json(p: &Folder, line: &str) -> Value {
    serde_json::from_str(&said(p, line)).unwrap()
}

#[test]
fn texts_are_added_listed_read_again_and_removed() {
    let p = folder();
    assert_eq!(said(&p, "--library lib library list"), "there is no library in lib\n");
    p.run("--library lib library add mine").success().stdout_eq(str![[r#"
added mine: 1 text, 1 chapter, 1 KB of text
lib: 1 text, 1 chapter, 1 KB of text

"#]]);
    p.run("--library lib library list").success().stdout_eq(str![[r#"
  name  chapters  size  on disk  read        read from
  mine  1         1 KB  1 KB     [..]  unchanged  [..]mine

lib: 1 text, 1 chapter, 1 KB of text, [..] KB on disk, [..] KB of it for the index

"#]]);
    assert_eq!(said(&p, "--library lib library list mine"), "  lunyu  1 KB  lunyu\n");
    p.run("--library lib library update").success().stdout_eq(str![[r#"
mine: unchanged
lib: 1 text, 1 chapter, 1 KB of text

"#]]);
    p.write("mine/lunyu.txt", CITED.repeat(2)).write("mine/new.txt", "天地玄黃,宇宙洪荒。\n");
    assert!(said(&p, "--library lib library list").contains("1 changed, 1 new"));
    assert!(said(&p, "--library lib library update").starts_with("mine: 2 texts read\n"));
    fs::remove_file(p.path().join("mine/new.txt")).unwrap();
    let updated = said(&p, "--library lib library update mine");
    assert!(updated.starts_with("mine: 0 texts read, 1 removed\n"), "{updated}");
    fs::remove_dir_all(p.path().join("mine")).unwrap();
    let kept = said(&p, "--library lib library update");
    assert!(kept.starts_with("mine: kept as it is; "), "{kept}");
    p.run("--library lib library remove mine").success().stdout_eq(str![[r#"
removed mine
lib: 0 texts, 0 chapters, 0 KB of text

"#]]);
    let chapters = p.files().into_iter().filter(|(n, b)| n.contains("/chapters/") && !b.is_empty());
    assert_eq!(chapters.count(), 0);
}

#[test]
fn what_cannot_be_done_is_reported() {
    let p = folder();
    p.refuses(
        "--library lib library add gone.txt",
        5,
        str![[r#"
error: cannot read: there is no such file or folder
--> gone.txt

"#]],
    );
    p.run("--library lib library add mine").success();
    p.refuses(
        "--library lib library remove other",
        2,
        str![[r#"
error: nothing in the library is called “other”
 |
 = help: `zhushu library list` shows the names

"#]],
    );
    p.run("--no-library library list").code(2);
}

#[test]
fn the_library_is_used_unless_it_is_left_out() {
    let p = folder();
    let without = said(&p, "convert a.txt");
    p.run("--library lib library add mine").success();
    let with = |variable: &str, line: &str| {
        let output = p.zhushu(line).env("ZHUSHU_LIBRARY", variable).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    assert!(with("lib", "convert a.txt").contains("\"library\":true"));
    assert_eq!(with("lib", "convert a.txt --no-library"), without);
    assert_eq!(with("", "convert a.txt"), without, "the variable says that there is none");
    assert_eq!(with("other", "convert a.txt"), without, "a library that is not there is none");
}

/// The library gives what the same texts give that are named with `--with`.
#[test]
fn a_library_gives_what_with_gives() {
    let p = folder();
    let text = fs::read_to_string(corpus::file("yili-05-zhushu.txt")).unwrap();
    let text: String = text.split_inclusive('\n').take(30).collect();
    let judou = fs::read(corpus::file("yili-07-judou.md")).unwrap();
    p.write("b.txt", text).write("mine/judou.md", judou);
    p.run("--library lib library add mine").success();
    for (file, used) in [("a.txt", "mine/lunyu.txt"), ("b.txt", "mine/judou.md")] {
        let with = json(&p, &format!("convert {file} --with {used}"));
        let library = said(&p, &format!("--library lib convert {file}"));
        assert!(library.contains("\"library\":true"), "{library}");
        let library = library.replace(",\"library\":true", "").replace("library:", "");
        // The locus of a text whose work is not known.
        let library = library.replace("library_", "");
        let library: Value = serde_json::from_str(&library).unwrap();
        for part in ["spans", "divisions", "links", "apparatus"] {
            assert_eq!(library[part], with[part], "{part} of {file}");
        }
    }
}

#[test]
fn a_damaged_library_is_reported_and_the_command_goes_on() {
    let p = folder();
    let without = said(&p, "convert a.txt");
    p.run("--library lib library add mine").success();
    let with = said(&p, "--library lib convert a.txt");
    assert_ne!(with, without);
    let lib = p.path().join("lib");
    let noted = |hint: &str| {
        let output = p.run("--library lib convert a.txt").success().get_output().clone();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), without);
        let note = String::from_utf8(output.stderr).unwrap();
        assert_eq!(note.lines().count(), 1, "{note}");
        assert!(note.contains(hint), "{note}");
    };
    let inventory = lib.join("inventory");
    let whole = fs::read(&inventory).unwrap();
    for damaged in [&whole[..whole.len() / 2], b"", &[7; 400]] {
        fs::write(&inventory, damaged).unwrap();
        // What is no inventory at all may be somebody's file, which `add` leaves alone.
        let is_ours = damaged.starts_with(&whole[..4]);
        noted(if is_ours { "`zhushu library add`" } else { "delete the file `inventory`" });
        // It would have nothing to update, and leave an empty library.
        p.run("--library lib library update").failure();
        assert_eq!(fs::read(&inventory).unwrap(), damaged);
    }
    fs::write(&inventory, &whole).unwrap();
    for damaged in [&b""[..], &[7; 400]] {
        fs::write(grams(&lib), damaged).unwrap();
        noted("`zhushu library update`");
        p.run("--library lib library update").success();
        assert_eq!(said(&p, "--library lib convert a.txt"), with);
    }
    remove_chapters(&lib);
    let output = p.run("--library lib convert a.txt").success().get_output().clone();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), without);
    assert!(String::from_utf8(output.stderr).unwrap().contains("`zhushu library update`"));
    assert!(said(&p, "--library lib library update").starts_with("mine: 1 text read\n"));
    assert_eq!(said(&p, "--library lib convert a.txt"), with);
}

fn remove_chapters(lib: &Path) {
    fs::remove_dir_all(lib.join("chapters")).unwrap();
}

#[test]
fn several_programs_add_at_once_and_nothing_is_lost() {
    let p = Folder::new();
    let names: Vec<String> = (0..6).map(|n| format!("text{n}")).collect();
    let words = |n: usize| {
        let from = 0x4e00 + 300 * n as u32;
        (from..from + 200).filter_map(char::from_u32).collect::<String>()
    };
    names.iter().enumerate().for_each(|(n, name)| _ = p.write(&format!("{name}.txt"), words(n)));
    std::thread::scope(|s| {
        for name in &names {
            let line = format!("--library lib library add {name}.txt");
            s.spawn(|| p.zhushu(&{ line }).assert().success());
        }
    });
    let list = said(&p, "--library lib library list");
    names.iter().for_each(|name| assert!(list.contains(name.as_str()), "{name}: {list}"));
}

#[test]
fn a_build_is_repeated_when_the_library_changed_and_has_no_text_of_it() {
    let p = folder();
    fs::create_dir(p.path().join("corpus")).unwrap();
    p.write("corpus/a.txt", CITING);
    let build = "--library lib build corpus -o out";
    said(&p, "build corpus -o out");
    p.run("--library lib library add mine").success();
    assert!(said(&p, build).contains("new: your library"));
    assert!(said(&p, build).starts_with("nothing to do"));
    let output = said(&p, "--library lib refs out");
    assert!(output.contains("(in the library)"), "{output}");
    for (name, bytes) in p.files().into_iter().filter(|(n, _)| n.starts_with("/out/")) {
        let has = bytes.windows(12).any(|w| w == "人不知而".as_bytes());
        assert!(!has, "{name} has text of the library");
    }
    p.write("mine/lunyu.txt", CITED.repeat(2));
    p.run("--library lib library update").success();
    assert!(said(&p, build).contains("changed: your library"));
}

/// The file of grams of a library.
fn grams(lib: &Path) -> std::path::PathBuf {
    let mut files = fs::read_dir(lib).unwrap().map(|e| e.unwrap().path());
    files.find(|p| p.to_string_lossy().contains("grams-")).unwrap()
}

#[test]
fn an_index_that_cannot_be_read_for_a_moment_or_is_damaged_costs_no_text() {
    let p = folder();
    p.write("other.txt", "天地玄黃,宇宙洪荒。\n");
    p.run("--library lib library add mine other.txt").success();
    let with = said(&p, "--library lib convert a.txt");
    let lib = p.path().join("lib");
    // A folder in its place cannot be read; permissions do not keep root away.
    let (index, away) = (grams(&lib), lib.join("away"));
    fs::rename(&index, &away).unwrap();
    fs::create_dir(&index).unwrap();
    for line in ["remove other", "add other.txt", "update", "list"] {
        p.run(&format!("--library lib library {line}")).failure();
    }
    fs::remove_dir(&index).unwrap();
    fs::rename(&away, &index).unwrap();
    assert!(said(&p, "--library lib library list").contains("lib: 2 texts"));
    fs::write(&index, b"damaged").unwrap();
    assert!(said(&p, "--library lib library remove other").contains("lib: 1 text,"));
    assert_eq!(said(&p, "--library lib convert a.txt"), with);
}
