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
    verify(&["儀禮·鄉射禮「一純以取」"], "").success().stdout_eq(str![[r#"
-:1:7: verbatim  一純以取  ← 儀禮・鄉射禮
    yili.05.2.10 注疏  經  於中西坐,先數右獲。‖二筭為純。‖ 一純以取 ,實於左手,十純則縮而委之。‖每
searched out: 儀禮 (經、注、音義、句讀、案、疏首、疏、右、題、譯、他)
what is not found there may be in other books

"#]]);
    verify(&["一純以取，實於右手"], "").code(1).stdout_eq(str![[r#"
-:1:1: with differences  一純以取，實於右手
    一純以取實於【右→左】手
    yili.05.2.10 注疏  經  於中西坐,先數右獲。‖二筭為純。‖ 一純以取,實於左手 ,十純則縮而委之。‖每委異之。‖有
    yili.07.29.4 句讀  經       于中西坐先數右獲‖二算為純‖ 一純以取實于左手 十純則縮而委之‖每委異之‖有
searched out: 儀禮 (經、注、音義、句讀、案、疏首、疏、右、題、譯、他)
what is not found there may be in other books

"#]]);
}

#[test]
fn lines_are_for_editors_and_remarks_stand_in_the_text() {
    let essay = "甲\n《老子》：「道可道非常道」，「一純以取」。\n";
    verify(&["-", "--to", "lines"], essay).code(1).stdout_eq(str![[r#"
-:2:6: warning: the text cited is not here: 老子
-:2:15: note: verbatim: yili.05.2.10 經

"#]]);
    verify(&["-", "--to", "annotated"], essay).code(1).stdout_eq(str![[r#"
甲
《老子》：「道可道非常道」〔the text cited is not here: 老子〕，「一純以取」〔verbatim: yili.05.2.10 經〕。

"#]]);
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
    verify(&["稿.md"], "").code(5);
    verify(&["卷一/論語"], "").code(5);
    let page = folder.path().join("page.html");
    fs::write(&page, "<html><p>a &lt;b 「道可道非常道」</p></html>").unwrap();
    let annotated = verify(&[page.to_str().unwrap(), "--in", book, "--to", "annotated"], "");
    annotated.success().stdout_eq("<html><p>a &lt;b 「道可道非常道」〔verbatim: [..]〕</p></html>");
    verify(&[page.to_str().unwrap(), "--in", book], "").success();
    verify(&["道可道，非常道", "--in", "nowhere"], "").code(5);
}
