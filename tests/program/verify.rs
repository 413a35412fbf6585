//! `zhushu verify` as users see it: what it prints, its exit status, the text with remarks.

use std::fs;

use snapbox::cmd::{Command, OutputAssert, cargo_bin};
use snapbox::str;

use crate::support::corpus::built;

fn verify(args: &[&str], input: &str) -> OutputAssert {
    let program = Command::new(cargo_bin!("zhushu"))
        .env("ZHUSHU_LIBRARY", "")
        .env_remove("ZHUSHU_LANG")
        .env("LC_ALL", "C");
    program.current_dir(built()).arg("verify").args(args).stdin(input.to_string()).assert()
}

#[test]
fn a_quotation_is_shown_with_its_place_and_the_status_says_if_all_is_well() {
    verify(&["儀禮·鄉射禮「一純以取」"], "").success().stdout_eq(str![[r#""#]]);
    verify(&["一純以取，實於右手"], "").code(1).stdout_eq(str![[r#""#]]);
}

#[test]
fn lines_are_for_editors_and_remarks_stand_in_the_text() {
    let essay = "甲\n《老子》：「道可道非常道」，「一純以取」。\n";
    verify(&["-", "--to", "lines"], essay).code(1).stdout_eq(str![[r#""#]]);
    verify(&["-", "--to", "annotated"], essay).code(1).stdout_eq(str![[r#""#]]);
}

#[test]
fn texts_that_were_not_built_and_documents_of_word_will_do() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.txt");
    fs::write(&book, "道可道非常道。名可名非常名。\n").unwrap();
    let book = book.to_str().unwrap();
    verify(&["道可道，非常道", "--in", book], "").success();
    verify(&["道可道，非常道", "--in", "out", "--in", book], "").success();
    verify(&["nowhere.md"], "").code(5);
    verify(&["道可道，非常道", "--in", "nowhere"], "").code(5);
}
