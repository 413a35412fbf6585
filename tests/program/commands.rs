//! The program as users see it: its output, its exit codes, and that nothing is left half written.
//! Errors are in `refusals.rs`.
//!
//! Expected output is in the tests (`str![…]`); `SNAPSHOTS=overwrite cargo test` rewrites it.

use std::fs;
use std::process::{Command as Process, Stdio};

use crate::support::corpus::built;
use crate::support::program::{Folder, ZHUSHU};
use snapbox::cmd::cargo_bin;
use snapbox::str;

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let p = Folder::new();
    symlink("loop", p.path().join("loop")).unwrap();
    p.refuses(
        "build loop",
        5,
        str![[r#"
error: cannot open the corpus: [..]symbolic links (os error [..])
--> loop

"#]],
    );
    p.write("locked/a.txt", ZHUSHU);
    let locked = p.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&locked).is_ok() {
        println!("skipped: this user may read any folder");
    } else {
        p.run("build locked").code(5).stderr_eq(str![]);
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A link with too long a name stands for any file that the system does not give at the moment.
#[test]
#[cfg(unix)]
fn what_cannot_be_read_for_a_moment_does_not_vanish_from_an_edition() {
    use std::os::unix::fs::symlink;
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).write("texts/b.txt", ZHUSHU);
    p.run("build texts -o out").success();
    let (text, page) = (p.path().join("texts/b.txt"), p.path().join("out/tei/b.xml"));
    let before = fs::read(&page).unwrap();
    fs::remove_file(&text).unwrap();
    symlink("b".repeat(300), &text).unwrap();
    let run = p.run("build texts -o out").code(5);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("b.txt"), "{said}");
    assert_eq!(fs::read(&page).unwrap(), before);
    p.run("check texts").code(5);
    fs::remove_file(&text).unwrap();
    p.run("build texts -o out").success();
    assert!(!page.exists(), "what is deleted is gone");
}

#[test]
fn a_folder_without_manifest_reports_what_was_left_out() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU)
        .write("texts/b.bin", b"\xff\xff\x00")
        .write("texts/more/c.txt", ZHUSHU);
    p.run("check texts").success().stdout_eq(str![[r#"
info[notes-undivided]: nothing separates 經 from 注 in 1 paragraphs
--> texts/a.txt

info[notes-undivided]: nothing separates 經 from 注 in 1 paragraphs
--> texts/more/c.txt

  texts/a.txt       zhushu  UTF-8  經 9, 注 15, 疏首 11, 疏 12
  texts/more/c.txt  zhushu  UTF-8  經 9, 注 15, 疏首 11, 疏 12
left out: texts/b.bin (this is a binary file, not a text)
2 texts read, 0 not; 0 errors, 0 warnings, 2 remarks

"#]]);
    p.write("none/b.bin", b"\xff\xff\x00");
    p.refuses(
        "build none",
        3,
        str![[r#"
error: there is no text in this folder that a reader recognises
--> none
 = help: left out: b.bin (this is a binary file, not a text): `zhushu formats` lists what can be read

"#]],
    );
}

#[test]
fn demo_and_build_write_an_edition() {
    for file in [
        "json/yili-05-zhushu.json",
        "json/yili-05-zhushu--yili-05-jinyi.align.json",
        "tei/yili-07-judou.xml",
        "site/index.html",
        "site/yili-05-jinyi.html",
        "report.txt",
    ] {
        let content = fs::read(built().join("out").join(file)).expect(file);
        assert!(!content.is_empty(), "{file}");
    }
}

#[test]
fn a_second_build_writes_what_has_changed() {
    let p = Folder::new();
    p.write_corpus();
    let first = p.run("build").success();
    let words = String::from_utf8_lossy(&first.get_output().stdout).into_owned();
    assert!(words.contains("characters by layer") && words.contains("first build"), "{words}");
    let built = p.files();
    p.run("build").success().stdout_eq(str![[r#"
nothing to do: the 3 files of corpus are unchanged since the last build of out

"#]]);
    assert_eq!(p.files(), built, "a second build writes nothing");
    let text = fs::read_to_string(p.path().join("corpus/yili-05-jinyi.txt")).unwrap();
    p.write("corpus/yili-05-jinyi.txt", text + "\n");
    let words = p.run("build").success().get_output().stdout.clone();
    assert!(String::from_utf8_lossy(&words).contains("(changed: yili-05-jinyi.txt)"));
}

#[test]
fn the_files_of_a_text_go_with_it_and_a_wrong_manifest_stops_the_build() {
    let p = Folder::new();
    p.write("corpus/a.txt", ZHUSHU).write("corpus/b.txt", ZHUSHU);
    let manifest = "[[text]]\nfile = \"a.txt\"\n[[text]]\nfile = \"b.txt\"\n";
    p.write("corpus/zhushu.toml", manifest);
    p.run("build").success();
    assert!(p.path().join("out/json/b.json").exists());
    p.write("corpus/zhushu.toml", &manifest[..manifest.rfind("[[text]]").unwrap()]);
    p.run("build").success();
    assert!(!p.path().join("out/json/b.json").exists());
    p.write("out/json/mine.txt", "mine");
    p.write("corpus/zhushu.toml", manifest.replace("a.txt", "nothing.txt"));
    p.run("build").code(4);
    p.run("build --force -o elsewhere corpus/zhushu.toml").code(4);
    assert!(!p.path().join("elsewhere").exists());
    assert_eq!(fs::read(p.path().join("out/json/mine.txt")).unwrap(), b"mine");
}

#[test]
fn an_output_that_somebody_edited_is_not_removed_with_its_text() {
    let p = Folder::new();
    p.write("corpus/a.txt", ZHUSHU).write("corpus/b.txt", ZHUSHU);
    p.run("build").success();
    fs::remove_file(p.path().join("corpus/b.txt")).unwrap();
    p.write("out/json/b.json", "edited");
    let words = p.run("build").success().get_output().stdout.clone();
    assert!(
        String::from_utf8_lossy(&words).contains("kept, because it was edited: out/json/b.json")
    );
    assert_eq!(fs::read(p.path().join("out/json/b.json")).unwrap(), b"edited");
}

#[test]
fn standard_input_and_output() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU);
    let file = p.run("convert a.txt").success().get_output().stdout.clone();
    let file = String::from_utf8(file).unwrap();
    assert!(file.starts_with("{\n\"format\": \"zhushu/1\""), "{file}");
    let piped =
        p.zhushu("convert - -o -").stdin(ZHUSHU).assert().success().get_output().stdout.clone();
    let piped = String::from_utf8(piped).unwrap();
    assert_eq!(
        piped
            .replace("\"path\":\"-\"", "\"path\":\"a.txt\"")
            .replace(":\"text\"", ":\"a\"")
            .replace("text.00", "a.00")
            .replace(".text:", ".a:"),
        file
    );
}

#[test]
fn the_same_text_in_another_encoding_gives_the_same_spans() {
    let p = Folder::new();
    let text = "[疏]“卒射”至“而俟”。注“司射”至“數也”。釋曰:是宜終之也。\n";
    let (gb, _, lost) = encoding_rs::GB18030.encode(text);
    assert!(!lost);
    p.write("a.txt", text).write("b.txt", gb);
    let spans = |line: &str| {
        let out = p.run(line).success().get_output().stdout.clone();
        serde_json::from_slice::<serde_json::Value>(&out).unwrap()["spans"].clone()
    };
    assert_eq!(spans("convert a.txt"), spans("convert b.txt --encoding gb18030"));
}

#[test]
fn a_text_that_is_also_in_the_corpus_counts_once_and_brings_its_manifest() {
    let p = Folder::new();
    p.write_corpus();
    let out = p
        .run("convert corpus/yili-05-zhushu.txt --with corpus corpus/yili-05-jinyi.txt")
        .success()
        .get_output()
        .stdout
        .clone();
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(json["document"]["id"], "yili-05-zhushu");
    assert_eq!(json["document"]["work"], "儀禮");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let p = Folder::new();
    p.write_corpus();
    p.run("build corpus").success();
    for line in ["convert corpus/yili-05-jinyi.txt", "search 射 --to tsv", "search 射 --to csv"] {
        // Closed before the program begins: it may be done before a pipe of the child could be closed.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Process::new(cargo_bin!("zhushu"))
            .env("ZHUSHU_LIBRARY", "")
            .env_remove("ZHUSHU_LANG")
            .env("LC_ALL", "C")
            .current_dir(p.path())
            .args(line.split(' '))
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
    }
}

#[test]
fn one_build_at_a_time_writes_into_a_folder() {
    let p = Folder::new();
    p.write("a.txt", "學而時習之。\n").write("out/.zhushu/lock", "4711");
    let lock = std::fs::File::open(p.path().join("out/.zhushu/lock")).unwrap();
    lock.lock().unwrap();
    let refused = p.run("build . -o out").code(5).get_output().stderr.clone();
    let refused = String::from_utf8(refused).unwrap();
    assert!(refused.contains("process 4711 is building into this folder"), "{refused}");
    drop(lock);
    p.run("build . -o out").success();
}

#[test]
fn colour_only_where_asked_for() {
    let p = Folder::new();
    let said = |line: &str| p.run(line).code(5).get_output().stderr.clone();
    assert!(!said("convert missing.txt").contains(&0x1b));
    assert!(!said("convert missing.txt --color never").contains(&0x1b));
    assert!(said("convert missing.txt --color always").contains(&0x1b));
}

#[test]
fn help_lists_exit_codes_and_commands() {
    let p = Folder::new();
    let help = p.run("--help --lang en").success().get_output().stdout.clone();
    let help = String::from_utf8(help).unwrap();
    for word in [
        "build",
        "search",
        "convert",
        "export",
        "align",
        "check",
        "split",
        "score",
        "formats",
        "demo",
        "Exit codes:",
        "Examples:",
    ] {
        assert!(help.contains(word), "{word}");
    }
    for line in help.lines() {
        assert!(line.chars().count() <= 110, "{line}");
    }
}

#[test]
fn help_is_in_the_language_of_the_option_else_the_variable_else_the_locale_else_english() {
    let p = Folder::new();
    let title = |line: &str, set: &[(&str, &str)]| {
        let names = ["ZHUSHU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"];
        let command = names.iter().fold(p.zhushu(line), |c, name| c.env_remove(name));
        let command = set.iter().fold(command, |c, (name, value)| c.env(name, value));
        let output = command.assert().success().get_output().stdout.clone();
        String::from_utf8(output).unwrap().lines().next().unwrap_or_default().to_string()
    };
    let english =
        "Write the bundled corpus (five texts of 儀禮 and their manifest) into a new folder";
    let hant = "將自帶的語料（《儀禮》五個文本及其清單檔）寫入新的資料夾";
    let hans = "将自带的语料（《仪礼》五个文本及其清单文件）写入新的文件夹";
    assert_eq!(title("demo --help", &[]), english);
    assert_eq!(title("demo --help", &[("LANG", "C.UTF-8")]), english);
    assert_eq!(title("demo -h", &[("LANG", "zh_CN.UTF-8")]), hans);
    assert_eq!(title("help demo", &[("ZHUSHU_LANG", "zh-Hant")]), hant);
    assert_eq!(title("demo --lang zh-Hant --help", &[("ZHUSHU_LANG", "zh-Hans")]), hant);
}

#[test]
fn the_licences_are_of_the_crates_in_the_lock_file() {
    let p = Folder::new();
    let said = p.run("--licenses").success().get_output().stdout.clone();
    let said = String::from_utf8(said).unwrap();
    let lock = include_str!("../../Cargo.lock");
    let listed: Vec<&str> =
        said.split("\n\n").nth(1).expect("a list after the heading").lines().collect();
    assert!(listed.len() > 150 && said.contains("Permission is hereby granted"));
    // encoding_rs is under MIT and BSD, include_dir has no licence file.
    assert!(said.contains("Redistribution and use") && said.matches("\ninclude_dir ").count() == 2);
    for line in listed {
        let mut words = line.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let entry = format!("name = \"{name}\"\nversion = \"{version}\"");
        assert!(lock.contains(&entry), "{line}: run .ci/licences.py");
    }
    p.run("--color never").code(2);
}

#[test]
fn packages_find_completions_and_manual_pages() {
    let p = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = p.run(&format!("completions {shell}")).success().get_output().stdout.clone();
        let script = String::from_utf8(script).unwrap();
        assert!(script.contains("collate") && script.contains("punctuation"), "{shell}");
    }
    p.run("completions tcsh").code(2);
    p.run("man pages").success();
    let read = |name: &str| std::fs::read_to_string(p.path().join("pages").join(name)).unwrap();
    assert!(read("zhushu.1").contains("zhushu\\-build"));
    assert!(read("zhushu-export.1").contains("zhushu export corpus"), "with its examples");
    assert!(read("zhushu-library-add.1").contains(".TH zhushu-library-add 1"));
    let page = p.run("man -").success().get_output().stdout.clone();
    assert_eq!(String::from_utf8(page).unwrap(), read("zhushu.1"));
}

#[test]
fn a_locus_shows_its_passage_and_a_file_its_references() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU);
    p.run("show a.00.0.1 a.txt --layer 經").success().stdout_eq(str![[r#"
a.00.0.1  urn:cts:zhushu:a.00:0.1

a  a.txt:1:1
  經   1  眾賓繼射,釋獲皆如初。

"#]]);
    p.run("refs a.txt --kind quotation").success().stdout_eq(str![[r#"
a
a.00.0.1.shu.1
  疏 引文  雲“於是言唯上耦者”  → a.00.0.1.zhu 於是言唯上耦者  exact 0.979

1 reference: 1 exact

"#]]);
}

#[test]
fn quiet_leaves_results_and_errors_and_jobs_change_nothing() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU);
    p.run("build texts -o one --quiet").success().stdout_eq("").stderr_eq("");
    p.run("build texts -o many --jobs 3").success();
    let page = |out: &str| fs::read(p.path().join(out).join("site/a.html")).unwrap();
    assert_eq!(page("one"), page("many"));
    p.run("build texts -o one -q").success().stdout_eq("").stderr_eq("");
    let hits = |options: &str| p.run(&format!("search 主 --index one{options}")).success();
    let (loud, quiet) = (hits(""), hits(" -q"));
    assert!(!loud.get_output().stderr.is_empty() && quiet.get_output().stderr.is_empty());
    assert_eq!(loud.get_output().stdout, quiet.get_output().stdout);
    p.run("search 龘 --index one -q").code(1).stdout_eq("").stderr_eq("");
    let wrong = p.run("build nowhere -q").code(5);
    assert!(!wrong.get_output().stderr.is_empty());
    p.run("build texts -o one --jobs 0").code(2);
}

#[test]
fn convert_makes_what_export_makes() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU);
    p.run("export a.txt --to epub -o export.epub").success();
    p.run("convert a.txt --to epub -o convert.epub").success();
    p.run("convert a.txt -o by-ending.epub").success();
    let file = |name: &str| fs::read(p.path().join(name)).unwrap();
    assert_eq!(file("export.epub"), file("convert.epub"));
    assert_eq!(file("export.epub"), file("by-ending.epub"));
    let tei = |line: &str| p.run(line).success().get_output().stdout.clone();
    assert_eq!(tei("export a.txt --to tei"), tei("convert a.txt --to tei"));
    p.run("export a.txt --to html").code(2);
    p.run("convert a.txt --to epub --chapter 1 -o b.epub").code(2);
}

/// What a command writes to a terminal, and its exit code; `script` (util-linux) is the terminal.
fn on_a_terminal(p: &Folder, line: &str) -> Option<(Vec<u8>, Option<i32>)> {
    let program = snapbox::cmd::cargo_bin!("zhushu").display().to_string();
    let output = std::process::Command::new("script")
        .args(["-qec", &format!("{program} {line}"), "/dev/null"])
        .current_dir(p.path())
        .env("ZHUSHU_LIBRARY", "")
        .env("LC_ALL", "C.UTF-8")
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    Some((output.stdout, output.status.code()))
}

#[test]
fn a_terminal_gets_no_binary_data() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU);
    for line in ["convert a.txt --to epub", "export a.txt --to epub"] {
        let Some((shown, code)) = on_a_terminal(&p, line) else { return };
        let shown = String::from_utf8(shown).expect("text");
        assert!(
            shown.contains("not text") && shown.contains("-o") && !shown.contains("PK"),
            "{shown}"
        );
        assert_eq!(code, Some(2), "{line}");
        let piped = p.run(line).success();
        assert!(piped.get_output().stdout.starts_with(b"PK"), "{line}: a pipe gets it");
    }
    let Some((shown, code)) = on_a_terminal(&p, "convert a.txt --to tei") else { return };
    assert!(String::from_utf8(shown).expect("text").contains("<TEI") && code == Some(0));
}

#[test]
fn a_text_split_alone_is_told_of_texts_beside_it() {
    let p = Folder::new();
    let text = fs::read_to_string(crate::support::corpus::file("yili-05-jishi.txt")).unwrap();
    let start: String = text.lines().take(60).collect::<Vec<_>>().join("\n");
    p.write("texts/a.txt", &start).write("texts/b.txt", &start).write("texts/c.txt", ZHUSHU);
    let said = |line: &str| {
        let run = p.run(line).success();
        String::from_utf8_lossy(&run.get_output().stderr).into_owned()
    };
    let note = said("split texts/a.txt");
    assert!(note.contains("1 text beside it") && note.contains("--with texts"), "{note}");
    for line in ["split texts/a.txt --with texts", "split texts/a.txt -q", "split texts/c.txt"] {
        assert_eq!(said(line), "", "{line}");
    }
}

#[test]
fn a_manifest_that_init_wrote_is_read_even_where_files_share_a_name() {
    let p = Folder::new();
    for file in ["a.txt", "a.md", "禮 記/01.txt", "周禮.舊/01.txt"] {
        p.write(&format!("texts/{file}"), ZHUSHU);
    }
    p.run("init texts").success();
    p.run("build texts").success();
    for id in ["a", "a-2", "禮 記-01", "周禮.舊-01"] {
        assert!(p.path().join(format!("out/tei/{id}.xml")).exists(), "{id}");
    }
}
