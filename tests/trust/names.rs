//! Names and tables that would lose something are refused, and what has no text is no success.

use std::fs;

use super::own_files::{decided, said};
use crate::support::program::{Folder, ZHUSHU};

#[test]
fn a_table_is_not_written_over_corrections_and_has_one_column_of_answers() {
    let p = decided();
    let before = fs::read(p.path().join("texts/a.txt.review.toml")).unwrap();
    said(&p, "review texts/a.txt --export texts/a.txt.review.toml", 2);
    said(&p, "review texts/a.txt --export texts/a.txt.wang.review.toml", 2);
    assert_eq!(fs::read(p.path().join("texts/a.txt.review.toml")).unwrap(), before);
    let sheet = fs::read_to_string(p.path().join("q.tsv")).unwrap();
    p.write("two.tsv", sheet.replacen("\tanswer\t", "\tanswer\tanswer\t", 1));
    let message = said(&p, "review texts/a.txt --import two.tsv --by wang", 3);
    assert!(message.contains("it has two columns “answer”"), "{message}");
}

#[test]
fn the_name_of_ones_own_file_has_no_dot() {
    // FILE.j.smith.review.toml would be the corrections of a text FILE.j.
    let message = said(&decided(), "review texts/a.txt --import q.tsv --by wang --own j.smith", 2);
    assert!(message.contains("j.smith"), "{message}");
}

#[test]
fn a_folder_without_a_text_is_no_success() {
    let p = Folder::new();
    fs::create_dir(p.path().join("empty")).unwrap();
    for command in ["check empty", "check empty --strict", "build empty", "library add empty"] {
        let message = said(&p, &format!("{command} --library shelf"), 3);
        assert!(message.contains("no text in this folder"), "{command}: {message}");
    }
}

#[test]
#[cfg(unix)]
fn a_text_that_became_a_link_to_nothing_stays_in_its_edition() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).write("texts/k/a.txt", ZHUSHU.replace("眾賓", "主人"));
    p.run("build texts").success();
    let text = p.path().join("texts/k/a.txt");
    fs::remove_file(&text).unwrap();
    std::os::unix::fs::symlink("nowhere", &text).unwrap();
    let message = said(&p, "build texts", 5);
    assert!(message.contains("cannot be reached") && message.contains("unchanged"), "{message}");
    assert!(p.path().join("out/tei/k-a.xml").exists());
    fs::remove_file(&text).unwrap();
    p.run("build texts").success();
    assert!(!p.path().join("out/tei/k-a.xml").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn the_library_names_what_it_cannot_keep() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let p = Folder::new();
    p.write("f/a.txt", ZHUSHU);
    let odd = p.path().join("f").join(OsStr::from_bytes(b"\xFF.txt"));
    fs::write(odd, ZHUSHU.replace("眾賓", "主人")).unwrap();
    let run = p.run("library add f --library shelf").code(5);
    let out = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(out.contains("1 text,") && out.contains("not UTF-8"), "{out}");
}

#[test]
fn corrections_that_are_not_utf8_are_refused_and_not_written_again() {
    let p = decided();
    let path = p.path().join("texts/a.txt.review.toml");
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend(b"# \xd0\xa3\xbc\xc7\n");
    fs::write(&path, &bytes).unwrap();
    let message = said(&p, "check texts", 4);
    assert!(message.contains("this is not UTF-8"), "{message}");
    said(&p, "review texts/a.txt --import q.tsv --by wang", 4);
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn a_quotation_mark_does_not_take_in_the_answers_after_it() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU.repeat(4));
    p.run("review a.txt --below 0.9999 --export q.tsv").success();
    let sheet = fs::read_to_string(p.path().join("q.tsv")).unwrap();
    let head: Vec<&str> = sheet.lines().next().unwrap().split('\t').collect();
    let at = |name: &str| head.iter().position(|h| *h == name).unwrap();
    let (answer, note) = (at("answer"), at("note"));
    assert!(sheet.lines().count() > 3, "{sheet}");
    let answered = sheet.lines().enumerate().map(|(n, row)| {
        let mut cells: Vec<String> = row.split('\t').map(String::from).collect();
        if n > 0 {
            cells[answer] = "1".into();
            cells[note] = if n == 1 { "\"see p. 3".into() } else { String::new() };
        }
        cells.join("\t") + "\n"
    });
    p.write("q.tsv", answered.collect::<String>());
    let run = p.run("review a.txt --import q.tsv --by wang");
    let out = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(out.contains("takes in the rows after it"), "{out}");
}

#[test]
fn words_beside_a_table_are_not_lost() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU);
    p.run("review a.txt --below 0.9999 --export q.tsv").success();
    let sheet = fs::read_to_string(p.path().join("q.tsv")).unwrap();
    p.run("review a.txt --below 0.9999 --export q.tsv").success();
    p.write("q.tsv", format!("{sheet}看過至此\n"));
    let message = said(&p, "review a.txt --below 0.9999 --export q.tsv", 2);
    assert!(message.contains("with your words, which would be lost"), "{message}");
}

#[test]
fn an_export_replaces_what_exports_wrote_and_nothing_else() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).write("texts/b.txt", ZHUSHU.replace("眾賓", "主人"));
    p.run("export texts --to tei -o books").success();
    // Again, and another format beside it.
    p.write("texts/a.txt", ZHUSHU.replace("射", "飲"));
    p.run("export texts --to tei -o books").success();
    p.run("export texts --to json -o books").success();
    p.write("books/a.xml", "mine");
    let message = said(&p, "export texts --to tei -o books", 2);
    assert!(message.contains("no export made this file") && message.contains("books/a.xml"));
    assert_eq!(fs::read(p.path().join("books/a.xml")).unwrap(), b"mine");
    p.run("export texts --to tei -o books --force").success();
    assert_ne!(fs::read(p.path().join("books/a.xml")).unwrap(), b"mine");
}

#[test]
fn an_edition_is_not_replaced_by_that_of_another_corpus() {
    let p = Folder::new();
    p.write("one/a.txt", ZHUSHU).write("two/b.txt", ZHUSHU.replace("眾賓", "主人"));
    p.run("build one").success();
    let message = said(&p, "build two", 2);
    assert!(message.contains("the edition of another corpus") && message.contains("one"));
    assert!(p.path().join("out/tei/a.xml").exists());
    // One that was renamed is the same.
    fs::rename(p.path().join("one"), p.path().join("first")).unwrap();
    p.run("build first").success();
    p.run("build two --force").success();
}

#[test]
fn an_edition_keeps_what_a_library_gave_it_while_that_is_away() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).write("b.txt", ZHUSHU.replace("眾賓", "主人"));
    p.run("library add b.txt --library shelf").success();
    p.run("build texts --library shelf").success();
    fs::rename(p.path().join("shelf"), p.path().join("away")).unwrap();
    let message = said(&p, "build texts --library shelf", 5);
    assert!(message.contains("the library that the last build used is not there"), "{message}");
    p.run("build texts --no-library").success();
    // A folder with other things in it does not become one.
    p.write("notes/inventory", "my list").write("notes/grams-mine", "mine");
    said(&p, "library add b.txt --library notes", 2);
    assert_eq!(fs::read(p.path().join("notes/inventory")).unwrap(), b"my list");
    assert!(p.path().join("notes/grams-mine").exists());
}

#[test]
fn a_file_of_two_encodings_comes_back_from_its_tei() {
    let p = Folder::new();
    let mut bytes = ZHUSHU.as_bytes().to_vec();
    bytes.extend(&*encoding_rs::GB18030.encode(&ZHUSHU.replace("眾賓", "主人")).0);
    p.write("a.txt", &bytes);
    p.run("convert a.txt --to tei -o a.xml").success();
    p.run("convert a.xml --to source -o b.txt").success();
    assert!(fs::read(p.path().join("b.txt")).unwrap() == bytes);
}
