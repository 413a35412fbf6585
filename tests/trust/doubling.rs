//! Work grows with the text and not with its square: forms that are repeated, never closed, nested
//! or all the same, at once, twice and four times the length. Instructions are counted (valgrind),
//! not seconds.
//!
//! `cargo test --test trust -- --ignored doubling` takes hours with the program of the tests; with
//! a release, which `ZHUSHU_PROGRAM` names, nearly an hour.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use snapbox::cmd::cargo_bin;
use tempfile::TempDir;

/// The power of its length with which the work for a text may grow.
const MAX_EXPONENT: f64 = 1.3;
/// Bytes of the shortest text; it is doubled twice.
const BYTES: usize = 10_000;

/// Something that is repeated.
struct Form {
    /// What it is called here.
    name: &'static str,
    /// The name of its file.
    file: &'static str,
    /// What is before it, what is repeated, and what is after it.
    parts: [&'static str; 3],
}

const fn form(name: &'static str, file: &'static str, parts: [&'static str; 3]) -> Form {
    Form { name, file, parts }
}

const TXT: &str = "a.txt";
const MD: &str = "a.md";
const XML: &str = "a.xml";

const FORMS: &[Form] = &[
    form("one title", TXT, ["", "鄉射禮第五\n", ""]),
    form("one note line", TXT, ["", "主人玄冠(注文)¶\n", ""]),
    form(
        "one heading",
        MD,
        ["---\ntitle: 大射儀\n---\n", "# 大射儀\n\n大射<small>注</small>之儀。\n\n", ""],
    ),
    form("numbered chapters", TXT, ["", "卷一\n\n主人玄冠，朝服緇帶素韠。\n\n", ""]),
    form("quotations never closed", TXT, ["", "主人“", ""]),
    form("quotations only closed", TXT, ["", "主人”", ""]),
    form("nested quotations", TXT, ["", "主人“曰‘", ""]),
    form("citations", TXT, ["", "《儀禮》云“主人”。", ""]),
    form("citations of a known work", TXT, ["[疏]釋曰：", "《論語》云“學而時習之”。", "\n"]),
    form(
        "recensions in one note",
        TXT,
        ["主人玄冠。（", "今文作某古文作某", "）朝服。（緇也。）\n"],
    ),
    form("citations in one line", TXT, ["", "子曰詩云書云禮云。", ""]),
    form("titles never closed", TXT, ["", "《儀禮", ""]),
    form("small never closed", MD, ["---\ntitle: 大射儀\n---\n", "大射<small>鄭", ""]),
    form(
        "headers on one passage",
        TXT,
        ["主人玄冠朝服緇帶素韠。\n\n", "[疏]“主人”至“素韠”。釋曰:是。\n", ""],
    ),
    form(
        "passages with headers",
        TXT,
        ["", "主人玄冠朝服。謂諸侯之士也。\n\n[疏]“主人”至“士也”。釋曰:是。\n\n", ""],
    ),
    form("brackets never closed", TXT, ["學而時習之（馬曰：時者也）。\n", "學而（", ""]),
    form("brackets only closed", TXT, ["學而時習之（馬曰：時者也）。\n", "學而）", ""]),
    form("nested brackets", TXT, ["學而時習之（馬曰：時者也）。\n", "（學", ""]),
    form("labels", TXT, ["", "【經】司射。【注】於是。【疏】釋曰：是。", ""]),
    form("one line of text", TXT, ["", "學而時習之不亦說乎", ""]),
    form("one sentence", TXT, ["", "學而時習之，不亦說乎？", ""]),
    form("blank lines", TXT, ["學而時習之。\n", "\n", "不亦說乎。\n"]),
    form("circles", TXT, ["學而時習之。[疏]", "○", "是。\n"]),
    form("notes with numbers", TXT, ["", "學而時習之〔一〕。\n〔一〕時，常也。\n", ""]),
    form("footnotes", MD, ["", "學而時習之[^1]。\n\n[^1]: 時，常也。\n\n", ""]),
    form("footnotes never given", MD, ["學而。\n\n", "學而[^1]", ""]),
    form(
        "page breaks",
        TXT,
        [
            "#+TITLE: 儀禮\n#+PROPERTY: ID KR1d0026\n",
            "<pb:KR1d0026_SBCK_006-1a>¶\n燕禮(小臣)¶\n",
            "",
        ],
    ),
    form("wikitext templates", TXT, ["{{header|title=燕禮}}\n== 燕禮 ==\n", "{{*|", ""]),
    form("wikitext notes", TXT, ["{{header|title=燕禮}}\n== 燕禮 ==\n", "小臣{{*|相君}}。\n", ""]),
    form(
        "json",
        "a.json",
        ["{\"title\": \"大學\", \"paragraphs\": [", "\"大學之道，在明明德。\",", "\"\"]}"],
    ),
    form("json lists", "a.json", ["{\"title\": \"大學\", \"paragraphs\": ", "[", ""]),
    form("tables", "a.tsv", ["jing\tzhu\n", "學而時習之\t時，常也\n", ""]),
    form("pairs", TXT, ["", "古文：學而時習之。\n現代文：學習並且常常溫習。\n", ""]),
    form(
        "html",
        "a.html",
        ["<html><body>", "<p>學而時習之<small>時</small></p>", "</body></html>"],
    ),
    form("html never closed", "a.html", ["<html><body>", "<div><p>學", ""]),
    form("xml never closed", XML, ["", "<a>學", ""]),
    form(
        "marked names",
        XML,
        [
            "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><body><p>",
            "<persName>鄭玄</persName>曰",
            "</p></body></text></TEI>",
        ],
    ),
    form("references", XML, ["<a>", "&amp;", "</a>"]),
    form("readings", TXT, ["學而時習之。\n○", "說，音悅。", "\n"]),
    form("apparatus", TXT, ["學而時習之。\n\n【校勘記】\n", "〔一〕時，當爲作字。\n", ""]),
    form("described characters never whole", TXT, ["學而時習之（", "⿰", "）。\n"]),
    form("marks of two kinds", TXT, ["學而時習之（", "今文作「『乙", "）。\n"]),
    form("private characters", TXT, ["學而時習之。", "&KR0925;\u{E000}", "。\n"]),
    form("latex", "a.tex", ["\\documentclass{a}\\begin{document}\n", "學而\\footnote{時", "\n"]),
    form(
        "translated",
        TXT,
        ["【原文】\n", "學而時習之。\n【譯文】\n學習並且常常溫習。\n【原文】\n", "\n"],
    ),
];

/// A text of a form with so many bytes.
fn text(form: &Form, bytes: usize) -> String {
    let [before, repeated, after] = form.parts;
    format!("{before}{}{after}", repeated.repeat(bytes / repeated.len()))
}

/// How many instructions a command takes.
fn instructions(folder: &Path, command: &[&str]) -> u64 {
    let out = folder.join("callgrind.out");
    let program = std::env::var_os("ZHUSHU_PROGRAM").unwrap_or_else(|| cargo_bin!("zhushu").into());
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=callgrind.out"]).arg(program);
    let run = valgrind.args(command).current_dir(folder).env("ZHUSHU_LIBRARY", "");
    let run = run.stdout(Stdio::null()).stderr(Stdio::null()).status();
    run.expect("valgrind is installed");
    let counted = fs::read_to_string(out).expect("it has counted");
    let totals = counted.lines().find_map(|l| l.strip_prefix("totals: ")).expect("a sum");
    totals.trim().parse().expect("a number")
}

/// Listing the hits in one long passage.
#[test]
#[ignore = "needs valgrind"]
fn doubling_of_hits() {
    let passage = form("hits", TXT, ["", "子曰學而時習之不亦說乎", "\n"]);
    let of = |bytes: usize| {
        let folder = TempDir::new().expect("a folder");
        fs::create_dir(folder.path().join("texts")).expect("a folder");
        fs::write(folder.path().join("texts/a.txt"), text(&passage, bytes)).expect("it is written");
        let program =
            std::env::var_os("ZHUSHU_PROGRAM").unwrap_or_else(|| cargo_bin!("zhushu").into());
        let built = Command::new(program)
            .args(["build", "texts", "-o", "out", "-q"])
            .current_dir(folder.path())
            .env("ZHUSHU_LIBRARY", "")
            .status();
        assert!(built.is_ok_and(|s| s.success()));
        instructions(folder.path(), &["search", "學", "--index", "out", "--to", "tsv"]) as f64
    };
    let [once, twice, four] = [1, 2, 4].map(|n| of(n * BYTES));
    let exponent = ((four - twice).max(1.0) / (twice - once).max(1.0)).log2();
    assert!(exponent <= MAX_EXPONENT, "{exponent:.2}");
}

/// How fast the work grows that a command does for a form.
fn exponent(form: &Form, command: &dyn Fn(&str) -> Vec<String>) -> f64 {
    let folder = TempDir::new().expect("a folder");
    let of = |bytes: usize| {
        fs::write(folder.path().join(form.file), text(form, bytes)).expect("it is written");
        let command = command(form.file);
        instructions(folder.path(), &command.iter().map(String::as_str).collect::<Vec<_>>()) as f64
    };
    // What a start takes is not of the text, and is in none of the differences.
    let [once, twice, four] = [1, 2, 4].map(|n| of(n * BYTES));
    ((four - twice).max(1.0) / (twice - once).max(1.0)).log2()
}

#[test]
#[ignore = "needs valgrind, and nearly an hour"]
fn doubling() {
    let only = std::env::var("ZHUSHU_FORM").ok();
    let mut found = vec![];
    for form in FORMS.iter().filter(|f| only.as_ref().is_none_or(|only| f.name.contains(only))) {
        for to in ["tei", "html"] {
            let command = |file: &str| {
                ["-q", "-j", "1", "convert", file, "--to", to, "-o", "out"]
                    .map(String::from)
                    .to_vec()
            };
            let exponent = exponent(form, &command);
            println!("{:30} {to:5} {exponent:.2}", form.name);
            if exponent > MAX_EXPONENT {
                found.push(format!("{} to {to}: {exponent:.2}", form.name));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
