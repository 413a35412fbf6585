//! What commands say in Chinese: nothing of the program's own is left in English, and nothing that
//! people named is translated.

use std::fs;

use regex::Regex;

use crate::support::corpus;
use crate::support::program::{Folder, ZHUSHU};

/// What is Latin in a Chinese message too.
const AS_IT_IS: &[&str] = &[
    // How something is typed: commands, options, keys of a manifest.
    r#"`[^`]*`|"[^"]*"|\[\[?[a-z]+\]\]?|\b[a-z]+ ="#,
    r"\b(zhushu|cargo) [a-z]+|--?[a-z][a-z-]*|[a-z]+:",
    // Lists of what can be typed.
    r"(有|可用|可有|之一|指明)[：；].*|[有用] [a-z-]+(, [a-z-]+)+",
    // What was typed.
    r"「[^」]*」|“[^”]*”",
    // Paths, ids, places and figures.
    r"[\w./:~@-]*[\d./_][\w./:~@-]*",
    // Codes of diagnostics, and ids.
    r"\b[a-z]+(-[A-Za-z]+)+\b|[\[（][a-z]+(, [a-z]+)*[\]）]",
    // TEI, Unicode, FILE, KB.
    r"\b[A-Z][A-Za-z0-9]*\b",
    // What the parsers of TOML and JSON and the system say.
    r"(TOML|JSON|无法监听|無法監聽|正則表達式|正则表达式)：.*",
];

/// Words of the input, names of readers, and keys and labels without quotation marks.
const DATA: &[&str] = &[
    "the",
    "thefileisempty",
    "file",
    "is",
    "empty",
    "plain",
    "zhushu",
    "judou",
    "jishi",
    "id",
    "cd",
    "hz",
    "regex",
];

/// Runs a command in a language; returns all it says, in lines.
fn said(p: &Folder, line: &str, language: &str) -> String {
    let run = p.zhushu(line).env("ZHUSHU_LANG", language).env("USER", "classic");
    let run = run.env("ZHUSHU_LIBRARY", p.path().join("library")).assert();
    let output = run.get_output();
    let all = [&output.stdout[..], &output.stderr].concat();
    assert_ne!(output.status.code(), Some(101), "{line}");
    String::from_utf8(all).expect("UTF-8")
}

/// Runs commands in both kinds of Chinese. Each line of what they say has no Latin words but those
/// of [`AS_IT_IS`], of [`DATA`], of the command and of the names of files.
#[track_caller]
fn only_chinese(p: &Folder, commands: &[&str]) {
    let as_it_is = Regex::new(&AS_IT_IS.join("|")).expect("a pattern");
    let word = Regex::new("[A-Za-z]{2,}").expect("a pattern");
    // A line of the input, under its number.
    let excerpt = Regex::new(r"^ *\d* \|").expect("a pattern");
    let mut left = vec![];
    for command in commands {
        for language in ["zh-Hant", "zh-Hans"] {
            let all = said(p, command, language);
            let names: String = p.files().into_iter().map(|(name, _)| name + " ").collect();
            let known = |found: &str| {
                DATA.contains(&found) || command.contains(found) || names.contains(found)
            };
            for line in all.lines().filter(|l| !excerpt.is_match(l)) {
                let rest = as_it_is.replace_all(line, " ");
                let mut words = word.find_iter(&rest).map(|m| m.as_str()).filter(|w| !known(w));
                if let Some(found) = words.next() {
                    left.push(format!("{command}: {found}: {line}"));
                }
            }
        }
    }
    assert!(left.is_empty(), "not in Chinese:\n{}", left.join("\n"));
}

/// Texts, folders and a title that are named like messages.
fn named_like_messages() -> Folder {
    let p = Folder::new();
    let translation = "眾賓接着射箭，釋獲的人都像當初一樣。\n";
    p.write("texts/translation.txt", ZHUSHU)
        .write("texts/nothing.txt", format!("the file is empty\n\n{ZHUSHU}"))
        .write("texts/classic/text.txt", ZHUSHU.replace('眾', "众"))
        .write("texts/classic/classic.txt", ZHUSHU)
        .write("texts/commentary.txt", "");
    p.write("corpus/translation.txt", ZHUSHU).write("corpus/nothing.txt", translation);
    p.write(
        "corpus/zhushu.toml",
        "[corpus]\ntitle = \"the file is empty\"\n\n[[text]]\nfile = \"translation.txt\"\ntitle = \
         \"the file is empty\"\n\n[[text]]\nfile = \"nothing.txt\"\nrole = \
         \"translation\"\ntranslates = [\"translation\"]\n",
    );
    p
}

#[test]
fn names_that_are_messages_too_stay_as_they_are() {
    let p = named_like_messages();
    let shown: &[(&str, &[&str])] = &[
        ("build", &["the file is empty：2 個文本\n", "\n  translation × nothing "]),
        ("build", &["無事可做：corpus 的 "]),
        ("build texts -o made", &["\n  nothing  ", "texts/commentary.txt  檔案是空的\n"]),
        ("build texts -o out", &["這是另一語料"]),
        ("diff out made", &["translation", "nothing", "只在新資料夾中"]),
        ("check texts", &["\n  texts/translation.txt ", "\n  texts/classic/text.txt "]),
        ("check texts", &["略去：texts/commentary.txt（檔案是空的）"]),
        ("check corpus/nothing.txt", &["corpus/nothing.txt  plain"]),
        ("refs texts/translation.txt", &["\ntranslation.00.0.1"]),
        ("show nothing.1", &["沒有文本 nothing"]),
        ("search work:text", &["沒有「text」"]),
        ("collate corpus --chapter text", &["「text」"]),
        ("sniff texts/nothing.txt", &["texts/nothing.txt\n"]),
        (
            "library add texts texts/classic",
            &["已加入 texts：4 個文本", "已加入 classic：2 個文本"],
        ),
        ("library list classic", &["  classic.text  ", "  classic.classic  "]),
        ("library list translation", &["書庫中沒有名為「translation」的"]),
        ("library update", &["classic：沒有變化\n"]),
        ("library remove classic", &["已移除 classic\n"]),
        ("convert nothing --to json", &["--> nothing\n"]),
        ("convert texts/nothing.txt --from text", &["沒有名為「text」的讀取器"]),
    ];
    for (command, rows) in shown {
        let said = said(&p, command, "zh-Hant");
        for row in *rows {
            assert!(said.contains(row), "{command}: no {row:?} in\n{said}");
        }
    }
    fs::write(p.path().join("corpus/translation.txt"), ZHUSHU.repeat(2)).expect("a file");
    let said = said(&p, "build", "zh-Hant");
    assert!(said.contains("（改動：translation.txt"), "{said}");
}

#[test]
fn what_is_made_of_the_bundled_corpus_is_reported_in_chinese() {
    let p = Folder::new();
    p.write_corpus().write("a.txt", ZHUSHU);
    only_chinese(
        &p,
        &[
            "build",
            "build",
            "build --title classic",
            "show yili.05.2.1 out",
            "show yili.05.999 out",
            "show yili.05.2.99 out",
            "show nothing.1 out",
            "show yili.05.2.1.x9 out",
            "refs corpus/yili-05-zhushu.txt",
            "split corpus/yili-05-zhushu.txt",
            "split corpus/yili-05-zhushu.txt --explain --below .95",
            "split corpus/yili-05-zhushu.txt:5 --explain",
            "split corpus/yili-05-zhushu.txt:9999",
            "sniff corpus/yili-05-zhushu.txt",
            "check corpus --all",
            "search 射",
            "search 射 --by layer",
            "search 射 --by chapter",
            "search 射 --by commentator",
            "search 射 --frequencies",
            "search 射 --ngrams 2",
            "search 注:射 --collocates 2",
            "search 龘龘",
            "search by:nobody",
            "search yili.05.2",
            "search (射",
            "search nobody:射",
            "search 射 NEAR/999 射",
            "export out --to md -o a.md",
            "export out --to md --vertical",
            "export out --to site -o site --no-apparatus",
            "export out",
            "align corpus/yili-05-zhushu.txt corpus/yili-05-jinyi.txt -o a.tsv",
            "convert corpus/yili-05-zhushu.txt -o a.json",
            "score corpus/yili-05-zhushu.txt --gold a.json --layers --errors 5",
            "score corpus/yili-05-zhushu.txt a.txt --gold a.json",
            "score a.txt --gold a.json",
        ],
    );
}

#[test]
fn whole_texts_are_collated_and_explained_in_chinese() {
    let p = Folder::new();
    for name in ["yili-05-zhushu.txt", "yili-05-jishi.txt", "yili-07-judou.md"] {
        let text = fs::read_to_string(corpus::file(name)).expect("a text");
        let start: String = text.split_inclusive('\n').take(60).collect();
        p.write(&format!("texts/{name}"), start);
    }
    only_chinese(
        &p,
        &[
            "collate texts",
            "collate texts --chapter text",
            "collate texts --base text",
            "collate texts/yili-05-zhushu.txt",
            "split texts/yili-05-jishi.txt:12 --explain",
            "split texts/yili-07-judou.md --explain --below .99",
            "init texts",
            "diff texts texts",
            "export texts --merge 鄉射禮 -o merged.md",
        ],
    );
}

#[test]
fn what_is_odd_about_small_texts_is_reported_in_chinese() {
    let p = named_like_messages();
    p.write("bad.txt", [ZHUSHU.as_bytes(), b"\xff\xfe\n"].concat());
    p.write(
        "gb.txt",
        b"\xbe\xad\xce\xc4\xd4\xbb\xa3\xba\xd6\xda\xb1\xf6\xbc\xcc\xc9\xe4\xa1\xa3\n",
    );
    p.write("image.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06");
    only_chinese(
        &p,
        &[
            "build",
            "build texts -o made",
            "build texts -o out",
            "diff out made",
            "diff out out",
            "check texts --all",
            "check corpus",
            "check bad.txt gb.txt image.txt",
            "check gb.txt --encoding big5",
            "sniff bad.txt gb.txt texts/nothing.txt",
            "convert bad.txt -o bad.json",
            "align texts/translation.txt corpus/nothing.txt -o a.tsv",
            "align texts texts",
            "review texts/translation.txt --export sheet.tsv --below 1",
            "review texts/translation.txt --import sheet.tsv",
            "review texts/translation.txt --import bad.txt",
            "review texts/translation.txt --export x.review.toml",
            "review texts/translation.txt --kind nothing",
            "library list",
            "library add texts corpus",
            "library list",
            "library list texts",
            "library update",
            "library remove corpus",
            "library remove corpus",
            "build",
            "demo d",
            "demo d",
            "serve nowhere",
            "--lang latin build",
        ],
    );
}

/// One sentence of a manifest each, all wrong.
const WRONG: &[&str] = &[
    "file = 3",
    "file = \"a.txt\"\nreader = \"zhushuu\"",
    "file = \"a.txt\"\nreader = \"nothing\"",
    "file = \"missing.txt\"",
    "file = \"../a.txt\"",
    "file = \"a.txt\"\nrole = \"reader\"",
    "file = \"a.txt\"\nlines = \"short\"",
    "file = \"a.txt\"\nlanguage = \"?\"",
    "file = \"a.txt\"\nlayers = [{ layer = \"shuu\" }]",
    "file = \"a.txt\"\nwork = \"text\"",
    "file = \"a.txt\"\ntranslates = [\"nothing\"]",
    "file = \"a.txt\"\nid = \"a/b\"",
    "file = \"a.txt\"\n\n[[text]]\nfile = \"a.txt\"",
    "file = \"a.txt\"\n\n[[shape]]\nname = \"s\"",
    "file = \"a.txt\"\n\n[[shape]]\nname = \"s\"\nbrackets = [\"(\"]",
    "file = \"a.txt\"\n\n[keys]\nnote = \"bar\"",
    "file = \"a.txt\"\n\n[corpus]\ndate = \"x\"",
];

#[test]
fn refusals_are_in_chinese() {
    let p = Folder::new();
    p.write("a.txt", ZHUSHU).write("english.txt", "Nothing Chinese here.\n").write("b.json", "{}");
    let mut commands: Vec<String> = [
        "convert a.txt --to rtf",
        "convert a.txt -o a.docx",
        "convert missing.txt",
        "convert english.txt",
        "convert a.txt --encoding klingon",
        "convert a.txt --chapter nothing",
        "export a.txt --to text",
        "refs a.txt --to docx",
        "collate a.txt --to docx",
        "score a.txt --gold b.json",
        "split a.txt:1:999",
        "show a a.txt",
        "search 射 --index nowhere",
        "formats --models nowhere",
        "build nowhere",
        "build --colour",
        "buid",
        "convert",
    ]
    .map(String::from)
    .to_vec();
    for (n, entry) in WRONG.iter().enumerate() {
        p.write(&format!("m{n}/a.txt"), ZHUSHU);
        p.write(&format!("m{n}/zhushu.toml"), format!("[[text]]\n{entry}\n"));
        commands.push(format!("build m{n}"));
    }
    only_chinese(&p, &commands.iter().map(String::as_str).collect::<Vec<_>>());
}
