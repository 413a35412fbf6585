//! What the program refuses: the command line, the exit code, the message and the hint. They are in
//! `tests/golden/refusals/`; `SNAPSHOTS=overwrite cargo test` rewrites them. A refusal leaves the
//! folder unchanged. In Chinese, nothing English is left but what is typed.

use std::path::Path;

use regex::Regex;

use crate::support::program::{Folder, ZHUSHU};

/// Runs the command lines; returns the output of each after its line.
fn said(p: &Folder, rows: &[(i32, &str)]) -> String {
    let mut all = String::new();
    for (code, line) in rows {
        let before = p.files();
        let run = p.run(line).code(*code).stdout_eq("");
        assert!(p.files() == before, "`{line}` left something behind");
        let words = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        in_chinese(p, *code, line);
        all.push_str(&format!("$ zhushu {line}\n{}\n\n", words.trim_end()));
    }
    all
}

/// The same refusal in Chinese: no two English words beside each other, except in what is quoted.
fn in_chinese(p: &Folder, code: i32, line: &str) {
    let quoted = Regex::new(r"「[^」]*」|`[^`]*`|（[^）]*）|：[a-z-]+(, [a-z-]+)+").unwrap();
    let english = Regex::new(r"[a-z]{2,} [a-z]{2,}|error|Usage").unwrap();
    let run = p.zhushu(line).env("ZHUSHU_LANG", "zh-Hant").assert().code(code);
    let words = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    // Lines of the input are shown with their numbers. How a command is typed is the same in all
    // languages, and so is what the TOML crate says of its syntax.
    let as_it_is = |l: &&str| {
        let l = l.trim_start();
        l.starts_with(|c: char| c.is_ascii_digit() || "|<".contains(c))
            || ["用法：", "錯誤：這不是 TOML"].iter().any(|s| l.starts_with(s))
    };
    for said in words.lines().filter(|l| !as_it_is(l)) {
        let left = quoted.replace_all(said, "");
        assert!(english.find(&left).is_none(), "`{line}` is not in Chinese:\n{words}");
    }
}

fn golden(name: &str, all: String) {
    let path = format!("tests/golden/refusals/{name}.txt");
    snapbox::assert_data_eq!(all, snapbox::Data::read_from(Path::new(&path), None).raw());
}

#[test]
fn bad_texts() {
    let p = Folder::new();
    p.write("empty.txt", "")
        .write("blank.txt", " \n\u{3000}\n")
        .write("english.txt", "Nothing Chinese here.\n");
    p.write("binary.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06");
    p.write("old.json", "keep me").write("a.txt", ZHUSHU);
    p.write("corpus/zhushu.toml", b"[corpus]\ntitle = \"\xb5\xc2\"\n");
    let rows = [
        (3, "convert empty.txt -o x.json"),
        (3, "convert blank.txt -o old.json"),
        (3, "convert english.txt"),
        (3, "convert binary.txt -o old.json"),
        (4, "build"),
        (2, "convert a.txt --encoding klingon"),
        (4, "sniff corpus"),
    ];
    golden("texts", said(&p, &rows));
}

#[test]
fn bad_command_lines() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU).write("corpus/a.txt", ZHUSHU);
    let rows = [
        (2, "convert a.txt --to rtf"),
        (2, "convert a.txt --from docx"),
        (2, "convert a.txt -o a.rtf"),
        (5, "convert missing.txt"),
        (5, "convert corpus"),
        (5, "convert a.txt -o corpus --to json"),
        (5, "convert a.txt -o no/such/folder.json"),
        (5, "convert a.txt --with missing"),
        (5, "build missing"),
        (2, "build -o corpus"),
        (2, "demo corpus"),
        (2, "export a.txt --to site"),
        (2, "export a.txt --to text --vertical"),
        (2, "refs a.txt --to klingon"),
    ];
    golden("command-lines", said(&p, &rows));
    for line in ["convert", "biuld", "build --foo", "split a.txt --below 7", "search 射 --limit x"]
    {
        p.run(line).code(2);
        in_chinese(&p, 2, line);
    }
}

#[test]
fn loci_that_name_nothing_get_a_hint_at_what_is_near() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU).write("works.toml", "[[work]]\nname = \"x\"\n");
    p.write("models/weights.tsv", "# feature\nunknown\t1\n");
    let rows = [
        (2, "show a a.txt"),
        (2, "show b.00.1 a.txt"),
        (2, "show a.00.2 a.txt"),
        (2, "show a.00.0.9 a.txt"),
        (2, "show a.00.0.1.ju a.txt"),
        (2, "show 無此書.3 a.txt"),
        (2, "show 儀禮 5.1 a.txt"),
        (2, "refs a.txt --to-passage a.00.7"),
        (3, "formats --works works.toml"),
        (3, "formats --models models"),
        (5, "formats --models nowhere"),
    ];
    golden("loci", said(&p, &rows));
}

/// Manifests with one mistake.
const MANIFESTS: &[&str] = &[
    "[[text]]\nfile = \"a.txt\"\n\n[[text]]\nfile = \"c.txt\"\n",
    "[[text]]\nfile = \"鄉射禮注疏.txt\" # 儀禮\n",
    "[[text]]\nfile = \"a.txt\"\nsiglm = \"A\"\n",
    "[[text]]\nfile = \"a.txt\"\ncolour = \"red\"\n",
    "[[txt]]\nfile = \"a.txt\"\n",
    "[[text]]\nfile = 5\n",
    "[[text]]\nfile = \"a.txt\"\nchapter = { title = \"鄉射禮\", number = \"五\" }\n",
    "[[text]]\nfile = \"a.txt\"\nlayers = [{ layer = \"經\" }, { layer = \"脚注\" }]\n",
    "[[text]]\nfile = \"a.txt\"\nlayers = [{ layer = \"shuu\" }]\n",
    "[[person]]\nkey = \"zhengxuan\"\nname = \"鄭玄\"\n\n[[text]]\nfile = \"a.txt\"\nlayers = [{ layer = \"注\", by = \"zhenxuan\" }]\n",
    "[[text]]\nfile = \"a.txt\"\nwork = \"yili\"\n",
    "[[text]]\nfile = \"a.txt\"\n[[text]]\nfile = \"b.txt\"\nrole = \"translation\"\ntranslates = [\"aa\"]\n",
    "[[text]]\nfile = \"a.txt\"\ntranslates = [\"a\"]\n",
    "[[text]]\nfile = \"b.txt\"\n[[text]]\nfile = \"b.md\"\n",
    "[[text]]\nfile = \"b.txt\"\nid = \"a/b\"\n",
    "[[text]]\nfile = \"../a.txt\"\n",
    "[[text]]\nfile = \"a.txt\"\nreader = \"zhushuu\"\n",
    "[[text]]\nfile = \"a.txt\"\nencoding = \"gb-18030-x\"\n",
    "[[text]]\nfile = \"a.txt\"\nlanguage = \"古文\"\n",
    "[[text]]\ntitle = \"鄉射禮\"\n",
    "[[text]]\nfile = \"a.txt\ntitle = \"x\"\n",
    "[corpus]\ntitle = \"\"\n",
    "# 儀禮\ntitle = 1979-05-27\nx = {a = 1, a = 2}\n",
    "",
    "[corpus]\ntitle = \"儀禮\"\ndate = \"2026-13-01\"\n",
];

#[test]
fn wrong_manifests() {
    let mut all = String::new();
    for manifest in MANIFESTS {
        let p = Folder::new();
        p.write("corpus/a.txt", ZHUSHU)
            .write("corpus/b.txt", ZHUSHU)
            .write("corpus/b.md", ZHUSHU)
            .write("corpus/zhushu.toml", manifest);
        all.push_str(&said(&p, &[(4, "build")]));
    }
    golden("manifests", all);
}
