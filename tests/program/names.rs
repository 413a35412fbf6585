//! Names of files that no person would give, and files that never end.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use crate::support::program::{Folder, ZHUSHU};

#[test]
fn texts_are_built_whatever_their_files_are_called() {
    let p = Folder::new();
    let texts = p.path().join("texts");
    fs::create_dir(&texts).unwrap();
    let long = [&[b'a'; 251][..], b".txt"].concat();
    let longer = [&"子".repeat(83).into_bytes()[..], b".txt"].concat();
    let turned = "\u{202e}gnp.txt".as_bytes();
    let names: [&[u8]; 7] =
        [b"\xff.txt", b"\xfe.txt", b"\x1b]0;pwn\x07.txt", turned, b"a\r\nb.txt", &long, &longer];
    for name in names {
        fs::write(texts.join(OsStr::from_bytes(name)), ZHUSHU).unwrap();
    }
    for said in ["7 texts built (first build)", "nothing to do"] {
        let run = p.run("build texts").success();
        let out = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        assert!(out.contains(said), "{out}");
    }
    let report = fs::read_to_string(p.path().join("out/report.txt")).unwrap();
    assert!(!report.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{report}");
    // A text under a name that only looks the same counts as another.
    fs::write(texts.join(OsStr::from_bytes(b"\xfe.txt")), format!("{ZHUSHU}{ZHUSHU}")).unwrap();
    p.run("build texts").success();
    let mut made: Vec<_> = fs::read_dir(p.path().join("out/tei"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    made.sort();
    assert_eq!(made.len(), names.len());
    assert!(made.iter().all(|n| n.len() < 120), "{made:?}");
    assert!(made.contains(&"_]0;pwn_.xml".to_string()), "{made:?}");
    let restored = p.run("convert out/tei/_]0;pwn_.xml --to source").success();
    assert_eq!(String::from_utf8_lossy(&restored.get_output().stdout), ZHUSHU);
}

#[test]
fn what_never_ends_is_refused() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU);
    let never = "/dev/zero";
    let said = |line: &str, code: i32| {
        let run = p.run(line).code(code);
        String::from_utf8_lossy(&run.get_output().stderr).into_owned()
    };
    assert!(said("convert /dev/zero", 3).contains("binary"));
    let corrections = p.path().join("texts/a.txt.review.toml");
    symlink(never, &corrections).unwrap();
    let error = said("convert texts/a.txt", 4);
    assert!(error.contains("this link leads out of the corpus"), "{error}");
    let error = said("convert texts/a.txt --follow", 5);
    assert!(error.contains("not a regular file"), "{error}");
    fs::remove_file(&corrections).unwrap();
    let manifest = p.path().join("texts/zhushu.toml");
    symlink(never, &manifest).unwrap();
    let error = said("build texts", 5);
    assert!(error.contains("not a regular file") && error.contains("zhushu.toml"), "{error}");
}

#[test]
fn a_text_that_was_read_is_never_written_to() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).write("texts/b.txt", format!("{ZHUSHU}又曰。\n"));
    symlink("a.txt", p.path().join("texts/link.txt")).unwrap();
    let before = p.files();
    for line in [
        "split texts/a.txt -o texts/a.txt",
        "convert texts/a.txt --to html -o texts/link.txt",
        "refs texts --to tsv -o texts/b.txt",
    ] {
        let refused = p.run(line).code(5);
        let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(said.contains("a text that was read"), "{line}: {said}");
        assert_eq!(p.files(), before, "{line}");
    }
    for line in ["export texts --to mandoku -o texts", "export texts --to text -o texts/a.txt"] {
        p.run(line).code(2);
        assert_eq!(p.files(), before, "{line}");
    }
}

#[test]
fn links_in_an_output_folder_lead_to_no_file_of_a_person() {
    let p = Folder::new();
    p.write("corpus/a.txt", ZHUSHU).write("victim.txt", ZHUSHU);
    for name in ["lock", "journal", "build.json"] {
        fs::create_dir_all(p.path().join("out/.zhushu")).unwrap();
        symlink("../../victim.txt", p.path().join("out/.zhushu").join(name)).unwrap();
        let said = p.run("build").code(5).get_output().stderr.clone();
        assert!(String::from_utf8_lossy(&said).contains("not a regular file"), "{name}");
        assert_eq!(fs::read_to_string(p.path().join("victim.txt")).unwrap(), ZHUSHU);
        fs::remove_dir_all(p.path().join("out")).unwrap();
    }
    p.write("out/.zhushu/journal", b"\xff\xff");
    p.run("build").success();
}
