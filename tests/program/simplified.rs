//! The manual and the README in simplified Chinese: made of the traditional ones by a table of terms
//! (`docs/manual/terms.tsv`), then character by character. What commands print is that of the
//! simplified program; `manual.rs` runs them.
//!
//! `SNAPSHOTS=overwrite cargo test --test program simplified` makes them again.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::Data;
use snapbox::data::DataFormat;
use zhushu::text::script::{Script, convert_from};

use crate::support::console::{Purpose, Step, fenced, steps};
use crate::support::corpus::root;

/// Pairs of documents, traditional and simplified, from the root of the project.
fn pairs() -> Vec<[PathBuf; 2]> {
    let books = ["zh-Hant", "zh-Hans"].map(|l| root().join("docs/manual").join(l).join("src"));
    let files = fs::read_dir(&books[0]).expect("the manual is there");
    let names = files.map(|entry| entry.expect("a file").file_name());
    let chapters = names.filter(|name| Path::new(name).extension().is_some_and(|e| e == "md"));
    let mut all: Vec<_> = chapters.map(|name| books.clone().map(|book| book.join(&name))).collect();
    all.push(["README.zh.md", "README.zh-Hans.md"].map(|name| root().join(name)));
    all.sort();
    all
}

/// The words of which simplified Chinese has others, the longer ones first.
fn terms() -> Vec<[String; 2]> {
    let table = fs::read_to_string(root().join("docs/manual/terms.tsv")).expect("the table");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let pair = |row: &str| {
        let (from, to) = row.split_once('\t').unwrap_or_else(|| panic!("{row}: no tab"));
        [from.to_string(), to.to_string()]
    };
    let mut all: Vec<_> = rows.map(pair).collect();
    all.sort_by_key(|[from, _]| std::cmp::Reverse(from.len()));
    all
}

/// Prose in simplified Chinese. What is typed stays as it is, and so do names of files.
fn prose(text: &str, terms: &[[String; 2]]) -> String {
    let line = |line: &str| match line.starts_with("```") {
        true => line.to_string(),
        false => line.split('`').enumerate().map(|(n, part)| words(n, part, terms)).collect(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Part number `n` of a line that was cut at its backticks: every second one was typed.
fn words(n: usize, part: &str, terms: &[[String; 2]]) -> String {
    let tick = if n > 0 { "`" } else { "" };
    if n % 2 == 1 {
        return format!("{tick}{part}");
    }
    let mut changed = part.to_string();
    terms.iter().for_each(|[from, to]| changed = changed.replace(from.as_str(), to));
    format!("{tick}{}", convert_from(&changed, Script::Traditional, Script::Simplified))
}

/// A document in simplified Chinese. Its blocks are those of `now` as far as both have them, since
/// what is printed there is in the language of its reader.
fn simplified(text: &str, now: &str, terms: &[[String; 2]]) -> String {
    let (blocks, there) = (fenced(text), fenced(now));
    let same = blocks.iter().map(|b| &b.purpose).eq(there.iter().map(|b| &b.purpose));
    let (mut out, mut at) = (String::new(), 0);
    for (n, block) in blocks.iter().enumerate() {
        out.push_str(&prose(&text[at..block.content.start], terms));
        match same {
            true => {
                let printed = &now[there[n].content.clone()];
                out.push_str(&shortened(printed, &text[block.content.clone()], &block.purpose));
            }
            false => out.push_str(&text[block.content.clone()]),
        }
        at = block.content.end;
    }
    out.push_str(&prose(&text[at..], terms));
    // Its readers see what the program says in their script, and are led to the books in it and to
    // the other README.
    out.replace("docs/manual/zh-Hant/", "docs/manual/zh-Hans/")
        .replace("用的是 `ZHUSHU_LANG=zh-Hant`", "用的是 `ZHUSHU_LANG=zh-Hans`")
        .replace("[简体](README.zh-Hans.md)", "[繁體](README.zh.md)")
}

/// What commands printed, with `...` where the traditional text leaves lines out.
fn shortened(printed: &str, model: &str, purpose: &Purpose) -> String {
    if !matches!(purpose, Purpose::Console { .. }) || !model.contains("\n...\n") {
        return printed.to_string();
    }
    let (all, models) = (steps(printed), steps(model));
    if !all.iter().map(|s| s.command).eq(models.iter().map(|s| s.command)) {
        return model.to_string();
    }
    let step = |(step, model): (&Step<'_>, &Step<'_>)| {
        let lines: Vec<&str> = step.shown.split_inclusive('\n').collect();
        let like: Vec<&str> = model.shown.split_inclusive('\n').collect();
        let gaps: Vec<usize> = (0..like.len()).filter(|n| like[*n] == "...\n").collect();
        let shown = match gaps[..] {
            [at] if !lines.contains(&"...\n") && lines.len() >= like.len() => {
                let after = lines.len() - (like.len() - at - 1);
                [&lines[..at], &["...\n"], &lines[after..]].concat().concat()
            }
            _ => step.shown.clone(),
        };
        format!("$ {}\n{shown}", step.command)
    };
    all.iter().zip(&models).map(step).collect()
}

#[test]
fn simplified_texts_are_made_of_the_traditional_ones() {
    let terms = terms();
    for [from, to] in pairs() {
        let text = fs::read_to_string(&from).expect("it is there");
        let now = fs::read_to_string(&to).unwrap_or_default();
        let expected = Data::read_from(&to, Some(DataFormat::Text)).raw();
        snapbox::assert_data_eq!(simplified(&text, &now, &terms), expected);
    }
}
