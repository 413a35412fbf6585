//! What a person has is not replaced in silence, and what a message advises helps.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::program::{Folder, ZHUSHU};

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a command says on standard error.
#[track_caller]
pub fn said(p: &Folder, line: &str, code: i32) -> String {
    words(&p.run(line).code(code).get_output().stderr)
}

#[test]
fn a_first_build_spares_the_files_that_it_finds() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU);
    let own = ["site/index.html", "report.txt", "index/notes.seg", "json/a.json", "site/own.html"];
    own.iter().for_each(|name| _ = p.write(&format!("out/{name}"), "mine"));
    let before = p.files();
    let message = said(&p, "build texts", 2);
    assert!(message.contains("no build made this file and 3 more"), "{message}");
    let after: Vec<_> = p.files().into_iter().filter(|(n, _)| !n.contains(".zhushu")).collect();
    assert_eq!(after, before);
    p.run("build texts --force").success();
    assert_eq!(fs::read(p.path().join("out/site/own.html")).unwrap(), b"mine");
    assert_ne!(fs::read(p.path().join("out/report.txt")).unwrap(), b"mine");
    // Afterwards they are those of a build.
    p.write("texts/b.txt", ZHUSHU.replace("眾賓", "主人")).run("build texts").success();
    let message = said(&p, "build texts -o .", 2);
    assert!(message.contains("the texts lie in the folder of the output"), "{message}");
}

#[test]
fn a_file_that_came_between_two_builds_is_spared() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).run("build texts").success();
    p.write("texts/b.txt", ZHUSHU).write("out/tei/b.xml", "mine");
    let message = said(&p, "build texts", 2);
    assert!(
        message.contains("no build made this file") && message.contains("out/tei/b.xml"),
        "{message}"
    );
    assert_eq!(fs::read(p.path().join("out/tei/b.xml")).unwrap(), b"mine");
}

#[test]
fn an_export_does_not_replace_a_source_of_its_build() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).run("build texts").success();
    let message = said(&p, "export out --to text -o texts/a.txt", 5);
    assert!(message.contains("this is a text that was read"), "{message}");
    assert_eq!(fs::read_to_string(p.path().join("texts/a.txt")).unwrap(), ZHUSHU);
}

#[test]
fn the_source_of_a_changed_tei_is_not_taken_for_the_original() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU).run("convert a.txt --to tei -o a.xml").success();
    p.run("convert a.xml --to source -o b.txt").success();
    assert_eq!(fs::read_to_string(p.path().join("b.txt")).unwrap(), ZHUSHU);
    let tei = fs::read_to_string(p.path().join("a.xml")).unwrap();
    let body = tei.find("<body").unwrap();
    p.write("a.xml", format!("{}{}", &tei[..body], tei[body..].replacen('射', "身", 1)));
    let message = said(&p, "convert a.xml --to source -o c.txt", 3);
    assert!(message.contains("the text in the TEI is no longer that of a.txt"), "{message}");
    assert!(!p.path().join("c.txt").exists());
    p.run("convert a.xml --to source -o c.txt --force").success();
    let text = fs::read_to_string(p.path().join("c.txt")).unwrap();
    assert_eq!(text, ZHUSHU.replacen('射', "身", 1));
}

#[test]
fn a_table_of_questions_is_no_text() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU);
    p.run("review texts/a.txt --below 0.9999 --export texts/questions.tsv").success();
    let out = words(&p.run("check texts").success().get_output().stdout);
    assert!(out.contains("1 text read") && out.contains("left out: texts/questions.tsv"), "{out}");
}

/// The files of chapters in a library.
fn chapters(library: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(library.join("chapters")).into_iter().flatten();
    files.filter(|e| e.file_type().is_file()).map(|e| e.path().to_path_buf()).collect()
}

#[test]
fn a_damaged_chapter_of_the_library_is_repaired_as_the_message_says() {
    for advice in ["library update", "library add texts"] {
        let p = Folder::new();
        let zhushu = |line: &str| p.zhushu(line).env("ZHUSHU_LIBRARY", p.path().join("lib"));
        let check = || words(&zhushu("check a.txt").assert().success().get_output().stderr);
        p.write("texts/classic.txt", ZHUSHU).write("a.txt", ZHUSHU.replace("眾賓繼", "眾賓 繼"));
        zhushu("library add texts").assert().success();
        let found = chapters(&p.path().join("lib"));
        let mut bytes = fs::read(&found[0]).unwrap();
        let half = bytes.len() / 2;
        bytes[half] ^= 1;
        fs::write(&found[0], &bytes).unwrap();
        let message = check();
        assert!(message.contains("damaged") && message.contains("library update"), "{message}");
        zhushu(advice).assert().success();
        assert!(!check().contains("damaged"), "{advice} did not help");
    }
}

/// A text with a decision about it, and its edition.
pub fn decided() -> Folder {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).write("texts/b.txt", ZHUSHU.replace("眾賓", "主人"));
    p.run("review texts/a.txt --below 0.9999 --export q.tsv").success();
    let sheet = fs::read_to_string(p.path().join("q.tsv")).unwrap();
    let answered = sheet.lines().enumerate().map(|(n, row)| {
        let mut cells: Vec<&str> = row.split('\t').collect();
        if n == 1 {
            cells[6] = "1";
        }
        cells.join("\t") + "\n"
    });
    p.write("q.tsv", answered.collect::<String>());
    p.run("review texts/a.txt --import q.tsv --by wang").success();
    p.run("build texts").success();
    p
}

#[test]
fn corrections_that_cannot_be_read_at_the_moment_leave_the_edition_as_it_is() {
    let p = decided();
    let before = fs::read(p.path().join("out/tei/a.xml")).unwrap();
    p.write("texts/a.txt.review.toml", "<<<<<<< HEAD\n").write("texts/b.txt", "射。");
    let message = said(&p, "build texts -q", 4);
    assert!(message.contains("a.txt.review.toml"), "{message}");
    assert!(message.contains("the last build is unchanged"), "{message}");
    assert_eq!(fs::read(p.path().join("out/tei/a.xml")).unwrap(), before);
    p.run("build texts --force");
    assert!(!p.path().join("out/tei/a.xml").exists());
}

#[test]
fn a_text_that_cannot_be_read_at_the_moment_stays_in_its_edition_as_older() {
    let p = decided();
    let file = |name: &str| fs::read_to_string(p.path().join("out").join(name)).unwrap();
    let before = file("tei/a.xml");
    p.write("texts/a.txt", "").write("texts/b.txt", "射。");
    // The second time, the last build had it from the one before.
    for _ in 0..2 {
        let message = said(&p, "build texts -q", 3);
        assert!(message.contains("a.txt") && message.contains("as the last build"), "{message}");
        for older in ["tei/a.xml", "json/a.json", "site/a.html"] {
            assert!(file(older).contains("is as an earlier build read it"), "{older}");
        }
        assert!(file("tei/b.xml").contains("射。"), "the others are built");
    }
    p.write("texts/a.txt", ZHUSHU);
    p.run("build texts").success();
    assert_eq!(file("tei/a.xml"), before);
    p.write("texts/a.txt", "");
    p.run("build texts --force");
    assert!(!p.path().join("out/tei/a.xml").exists());
}

#[test]
fn all_chapters_of_a_book_that_cannot_be_read_are_marked_as_older() {
    let p = Folder::new();
    let chapter = |n: &str| format!("學記第{n}\n\n{ZHUSHU}\n");
    let book: String = ["一", "二", "三"].map(chapter).concat();
    p.write("texts/a.txt", &book).write("texts/b.txt", ZHUSHU);
    p.run("build texts").success();
    let pages = || {
        let all = fs::read_dir(p.path().join("out/json")).unwrap().map(|e| e.unwrap().path());
        let mut all: Vec<_> = all.filter(|f| f.to_string_lossy().contains("a-")).collect();
        all.sort();
        all
    };
    let before = pages();
    assert!(before.len() > 1, "{before:?}");
    fs::write(p.path().join("texts/a.txt"), b"\xff\xff\x00\x01").unwrap();
    said(&p, "build texts -q", 3);
    assert_eq!(pages(), before);
    for page in before {
        let words = fs::read_to_string(&page).unwrap();
        assert!(words.contains("is as an earlier build read it"), "{}", page.display());
    }
}

#[test]
fn nothing_is_written_over_what_people_write_by_hand() {
    let p = decided();
    p.write("texts/zhushu.toml", "[[text]]\nfile = \"a.txt\"\n");
    p.run("build texts").success();
    let files = ["a.txt", "a.txt.review.toml", "zhushu.toml"];
    let all = || files.map(|f| fs::read(p.path().join("texts").join(f)).unwrap());
    let before = all();
    for command in [
        "export texts --to text",
        "export out --to text",
        "convert texts/a.txt --to json",
        "split texts/a.txt",
        "refs texts/a.txt",
        "search 射",
        "diff out out",
    ] {
        for file in files {
            let run = p.run(&format!("{command} -o texts/{file}"));
            assert_eq!(run.get_output().status.code(), Some(5), "{command} -o {file}");
        }
        assert!(all() == before, "{command}");
    }
}

#[test]
fn decisions_without_their_text_are_said() {
    let p = decided();
    fs::rename(p.path().join("texts/a.txt"), p.path().join("texts/other.txt")).unwrap();
    let message = said(&p, "check texts", 3);
    assert!(message.contains("the text of these corrections is not beside them"), "{message}");
    let message = said(&p, "build texts", 3);
    assert!(message.contains("a.txt.review.toml"), "{message}");
}

#[test]
fn an_answer_has_a_name() {
    let p = decided();
    let import = p.zhushu("review texts/a.txt --import q.tsv").args(["--by", " "]).assert().code(2);
    let message = words(&import.get_output().stderr);
    assert!(message.contains("it is not known who decides"), "{message}");
}

#[test]
#[cfg(unix)]
fn corrections_behind_a_link_that_leads_out_are_not_taken() {
    let p = decided();
    fs::create_dir(p.path().join("private")).unwrap();
    let corrections = p.path().join("texts/a.txt.review.toml");
    fs::rename(&corrections, p.path().join("private/a.toml")).unwrap();
    std::os::unix::fs::symlink("../private/a.toml", &corrections).unwrap();
    let message = said(&p, "check texts", 4);
    assert!(message.contains("this link leads out of the corpus"), "{message}");
    p.run("check texts --follow").success();
}

#[test]
fn a_library_with_a_damaged_index_keeps_what_was_added() {
    let p = Folder::new();
    let zhushu = |line: &str| p.zhushu(line).env("ZHUSHU_LIBRARY", p.path().join("lib")).assert();
    p.write("texts/classic.txt", ZHUSHU).write("more/other.txt", ZHUSHU.replace("眾賓", "主人"));
    zhushu("library add texts").success();
    let grams = fs::read_dir(p.path().join("lib")).unwrap().flatten();
    let grams = grams.map(|e| e.path()).find(|p| p.to_string_lossy().contains("grams-")).unwrap();
    fs::write(grams, "damaged").unwrap();
    zhushu("library add more").success();
    zhushu("library update").success();
    let list = words(&zhushu("library list").success().get_output().stdout);
    assert!(list.contains("texts") && list.contains("2 texts"), "{list}");
}

#[test]
fn corrections_without_a_text_are_an_error_with_a_manifest_too() {
    let p = Folder::new();
    p.write("m/a.txt", ZHUSHU).write("m/zhushu.toml", "[[text]]\nfile = \"a.txt\"\n");
    p.run("build m").success();
    p.write("m/old.txt.review.toml", "");
    let message = said(&p, "build m", 3);
    assert!(message.contains("old.txt.review.toml") && message.contains("no effect"), "{message}");
}

#[test]
fn what_a_program_kept_that_could_not_decide_between_two_versions_is_named() {
    let p = Folder::new();
    p.write("c/a.txt", ZHUSHU).run("build c").success();
    let copy = p.path().join("c/a (Ann's conflicted copy 2026-11-29).txt");
    fs::write(&copy, ZHUSHU.replace("射", "飲")).unwrap();
    let message = said(&p, "build c", 3);
    assert!(message.contains("conflicted copy") && message.contains("no effect"), "{message}");
    assert_eq!(fs::read_dir(p.path().join("out/tei")).unwrap().count(), 1);
    fs::remove_file(copy).unwrap();
    p.write("c/a-LAPTOP-4F7Q2.txt", ZHUSHU);
    assert!(said(&p, "build c", 3).contains("a-LAPTOP-4F7Q2.txt"));
    fs::remove_file(p.path().join("c/a-LAPTOP-4F7Q2.txt")).unwrap();
    // What an editor left is no text, and no second version.
    p.write("c/a.txt~", ZHUSHU).write("c/a.txt.review.toml.orig", "");
    p.run("build c").success();
    assert_eq!(fs::read_dir(p.path().join("out/tei")).unwrap().count(), 1);
    p.write("c/a.txt.review.sync-conflict-20261129-101500-ABCDEFG.toml", "");
    let message = said(&p, "build c", 3);
    assert!(message.contains("sync-conflict") && message.contains("no effect"), "{message}");
    p.write("c/zhushu.toml", "[[text]]\nfile = \"a.txt\"\n");
    let message = said(&p, "build c", 3);
    assert!(message.contains("sync-conflict") && message.contains("no effect"), "{message}");
}

#[test]
fn what_a_manifest_said_is_not_lost_in_silence() {
    let p = Folder::new();
    p.write("c/a.txt", ZHUSHU)
        .write("c/zhushu.toml", "[[text]]\nfile = \"a.txt\"\ntitle = \"我書\"\n");
    p.run("build c").success();
    let tei = fs::read(p.path().join("out/tei/a.xml")).unwrap();
    fs::rename(p.path().join("c/zhushu.toml"), p.path().join("away")).unwrap();
    let message = said(&p, "build c", 4);
    assert!(message.contains("the manifest of the last build is gone"), "{message}");
    assert_eq!(fs::read(p.path().join("out/tei/a.xml")).unwrap(), tei);
    p.run("build c --force").success();
    p.run("build c").success();
}

#[test]
fn an_edition_of_a_build_that_lacks_a_text_is_refused() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).write("texts/b.txt", ZHUSHU.replace("眾賓", "主人"));
    p.run("build texts").success();
    let tei = p.path().join("out/tei/b.xml");
    let whole = fs::read(&tei).unwrap();
    fs::write(&tei, &whole[..whole.len() / 2]).unwrap();
    let message = said(&p, "export out --to text -o all.txt", 3);
    assert!(message.contains("b.xml"), "{message}");
    fs::remove_file(&tei).unwrap();
    let message = said(&p, "export out --to text -o all.txt", 3);
    assert!(message.contains("b.xml") && message.contains("it is gone"), "{message}");
    assert!(!p.path().join("all.txt").exists());
}

#[test]
fn words_outside_the_body_of_our_tei_are_not_dropped_in_silence() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU).run("convert a.txt --to tei -o a.xml").success();
    let xml = fs::read_to_string(p.path().join("a.xml")).unwrap();
    p.write("b.xml", xml.replacen("</body>", "</body><back><p>附錄在此。</p></back>", 1));
    let message = said(&p, "convert b.xml --to source -o c.txt", 3);
    assert!(message.contains("4 characters outside the first body"), "{message}");
}

#[test]
fn the_library_keeps_what_cannot_be_read_now() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU).write("f/b.txt", ZHUSHU.replace("眾賓", "主人"));
    p.run("library add a.txt f --library shelf").success();
    p.write("a.txt", "");
    fs::remove_file(p.path().join("f/b.txt")).unwrap();
    let run = p.run("library update --library shelf").code(3);
    let out = words(&run.get_output().stdout);
    assert_eq!(out.matches("kept as before").count(), 2, "{out}");
    let list = words(&p.run("library list --library shelf").success().get_output().stdout);
    assert!(list.contains("2 texts, 2 chapters"), "{list}");
}

#[test]
fn an_edited_file_that_a_build_kept_is_known_to_the_next() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).run("build texts").success();
    let tei = fs::read_to_string(p.path().join("out/tei/a.xml")).unwrap() + "<!-- mine -->\n";
    p.write("out/tei/a.xml", &tei);
    let kept = words(&p.run("build texts --formats site,index").success().get_output().stdout);
    assert!(kept.contains("kept, because it was edited: out/tei/a.xml"), "{kept}");
    // One build more, which has nothing to do with it.
    p.write("texts/b.txt", ZHUSHU.replace("眾賓", "主人"));
    p.run("build texts --formats site,index").success();
    let message = said(&p, "build texts", 2);
    assert!(message.contains("this file was edited after a build wrote it"), "{message}");
    assert!(message.contains("--force"), "{message}");
    assert_eq!(fs::read_to_string(p.path().join("out/tei/a.xml")).unwrap(), tei);
    p.run("build texts --force").success();
    p.write("texts/b.txt", ZHUSHU).run("build texts").success();
    // What was built is checked by its TEI.
    let checked = words(&p.run("check out").success().get_output().stdout);
    assert!(checked.contains("2 texts read"), "{checked}");
}

#[test]
fn a_file_of_standard_input_is_recognised() {
    let p = Folder::new();
    let run = p.zhushu("sniff -").stdin(ZHUSHU).assert().success();
    assert!(words(&run.get_output().stdout).contains("zhushu"), "{:?}", run.get_output());
}

#[test]
fn a_table_with_words_in_any_column_is_not_written_over() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU).run("review a.txt --below 1 --export a.tsv").success();
    p.run("review a.txt --below 1 --export a.tsv").success();
    let table = fs::read_to_string(p.path().join("a.tsv")).unwrap();
    for column in [3, 12, 13] {
        let mut rows: Vec<Vec<&str>> = table.lines().map(|l| l.split('\t').collect()).collect();
        rows[1][column] = "乙";
        p.write("a.tsv", rows.iter().map(|r| r.join("\t") + "\n").collect::<String>());
        let message = said(&p, "review a.txt --below 1 --export a.tsv", 2);
        assert!(message.contains("1 row with your words"), "{message}");
    }
}

#[test]
#[cfg(unix)]
fn a_text_that_cannot_be_reached_stays_in_the_edition() {
    let p = Folder::new();
    p.write("c/a.txt", ZHUSHU).write("elsewhere/b.txt", ZHUSHU.replace("眾賓", "主人"));
    let link = p.path().join("c/linked");
    std::os::unix::fs::symlink("../elsewhere", &link).unwrap();
    p.run("build c --follow").success();
    fs::rename(p.path().join("elsewhere"), p.path().join("away")).unwrap();
    let message = said(&p, "build c --follow", 5);
    assert!(message.contains("cannot be reached") && message.contains("b.txt"), "{message}");
    assert!(p.path().join("out/tei/b.xml").exists());
    fs::remove_file(&link).unwrap();
    p.run("build c --follow").success();
    assert!(!p.path().join("out/tei/b.xml").exists(), "what was deleted is gone");
    // A folder is in its place.
    fs::remove_file(p.path().join("c/a.txt")).unwrap();
    p.write("c/b.txt", ZHUSHU).write("c/a.txt/readme", "no text");
    let message = said(&p, "build c", 5);
    assert!(message.contains("cannot be reached"), "{message}");
}

#[test]
fn a_library_of_which_a_part_cannot_be_read_stops_a_build() {
    let p = Folder::new();
    p.write("c/a.txt", ZHUSHU).write("b.txt", ZHUSHU.replace("眾賓", "主人"));
    p.run("library add b.txt --library lib").success();
    p.run("build c --library lib").success();
    for entry in walkdir::WalkDir::new(p.path().join("lib/chapters")).into_iter().flatten() {
        if entry.file_type().is_file() {
            fs::write(entry.path(), "").unwrap();
        }
    }
    p.write("c/a.txt", ZHUSHU.repeat(2));
    let message = said(&p, "build c --library lib", 5);
    assert!(message.contains("part of the library cannot be used"), "{message}");
    p.run("library update --library lib").success();
    p.run("build c --library lib").success();
}

#[test]
#[cfg(unix)]
fn what_was_written_by_hand_is_not_replaced_through_a_link() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU).write("c/zhushu.toml", "mine").write("b.txt.review.toml", "mine");
    for (link, file) in [("m.json", "c/zhushu.toml"), ("r.json", "b.txt.review.toml")] {
        std::os::unix::fs::symlink(file, p.path().join(link)).unwrap();
        said(&p, &format!("convert a.txt --to json -o {link}"), 5);
        assert_eq!(fs::read(p.path().join(file)).unwrap(), b"mine");
    }
}

#[test]
fn a_second_version_of_a_text_of_an_edition_is_named() {
    let p = Folder::new();
    p.write("c/a.txt", ZHUSHU).run("build c").success();
    let tei = fs::read(p.path().join("out/tei/a.xml")).unwrap();
    p.write("out/tei/a (1).xml", tei);
    let message = said(&p, "export out --to text -o two.txt", 3);
    assert!(message.contains("a (1).xml") && message.contains("second version"), "{message}");
}

#[test]
fn marks_that_open_again_and_again_are_no_quotations_without_end() {
    let p = Folder::new();
    p.write("c/a.txt", format!("{}{}\n", "「射".repeat(20_000), "」".repeat(20_000)));
    p.write("c/b.txt", ZHUSHU).run("build c").success();
    assert!(p.path().join("out/tei/b.xml").exists());
}

#[test]
fn a_border_within_a_mark_divides_it() {
    // Found by random edits.
    let p = Folder::new();
    p.write("a.txt", "{{禮}}者。{{,|小\n疏“}}").run("convert a.txt --to json").success();
    let run = p.run("check a.txt --all");
    assert!(!words(&run.get_output().stdout).contains("pass-failed"));
}

#[test]
fn a_packed_file_is_no_text_in_any_encoding() {
    let p = Folder::new();
    p.write("a.docx", b"PK\x03\x04\x14\x00\x06\x00and more");
    let message = said(&p, "convert a.docx --encoding gb18030 --to text", 3);
    assert!(message.contains("binary file") && !message.contains("name its encoding"), "{message}");
}
