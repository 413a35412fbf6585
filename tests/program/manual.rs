//! The manual and the README in three languages: their commands print what they show, they say the
//! same, and what they link to is there.
//!
//! `SNAPSHOTS=overwrite cargo test --test program manual` writes what the commands print into them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use snapbox::Data;
use snapbox::data::DataFormat;

use crate::support::browser::{chromium, photograph};
use crate::support::console::{Fenced, Purpose, Reader, fenced, steps};
use crate::support::corpus::root;

/// The languages of the manual: the folder, and the language of the pages that its reader sees.
const LANGUAGES: [&str; 3] = ["en", "zh-Hant", "zh-Hans"];

/// The README in the same languages.
const READMES: [&str; 3] = ["README.md", "README.zh.md", "README.zh-Hans.md"];

fn book(language: &str) -> PathBuf {
    root().join("docs/manual").join(language).join("src")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Where the links and pictures of a document lead.
fn targets(text: &str) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.to_string())
        }
        _ => None,
    };
    Parser::new(text).filter_map(target).collect()
}

/// The chapters of a manual in their order.
fn chapters(language: &str) -> Vec<String> {
    targets(&read(&book(language).join("SUMMARY.md")))
}

/// Follows documents one after the other in one folder. They must show what is printed.
fn follow(language: &'static str, documents: &[PathBuf]) {
    let mut reader = Reader::new(language);
    for path in documents {
        must_show_what_it_prints(&mut reader, path);
    }
}

#[track_caller]
fn must_show_what_it_prints(reader: &mut Reader, path: &Path) {
    let followed = reader.follow(&read(path));
    // Raw: `...` in a document leaves out what commands print, and nothing else.
    let expected = Data::read_from(path, Some(DataFormat::Text)).raw();
    snapbox::assert_data_eq!(followed, expected);
}

fn follow_manual(language: &'static str) {
    let paths = chapters(language).iter().map(|name| book(language).join(name)).collect::<Vec<_>>();
    follow(language, &paths);
}

#[test]
fn the_manual_in_english_shows_what_its_commands_print() {
    follow_manual("en");
}

#[test]
fn the_manual_in_chinese_shows_what_its_commands_print() {
    follow_manual("zh-Hant");
}

#[test]
fn the_manual_in_simplified_chinese_shows_what_its_commands_print() {
    follow_manual("zh-Hans");
}

#[test]
fn the_readmes_show_what_their_commands_print() {
    for (name, language) in READMES.into_iter().zip(LANGUAGES) {
        // Its reader is in the folder of the project.
        let mut reader = Reader::new(language);
        reader.follow("```console\n$ zhushu demo project\n$ cd project\n```\n");
        must_show_what_it_prints(&mut reader, &root().join(name));
    }
}

/// The fenced blocks of a document: commands without what they print, files, examples of code.
fn doings(text: &str) -> Vec<(Purpose, Vec<&str>)> {
    let doing = |block: Fenced| {
        let content = &text[block.content];
        let commands = match block.purpose {
            Purpose::Console { .. } => steps(content).iter().map(|s| s.command).collect(),
            Purpose::File(_) | Purpose::Other => vec![content],
        };
        (block.purpose, commands)
    };
    fenced(text).into_iter().map(doing).collect()
}

#[test]
fn all_languages_have_the_same_chapters_with_the_same_commands() {
    let [one, others @ ..] = LANGUAGES.map(chapters);
    assert!(others.iter().all(|other| *other == one));
    for name in one {
        let texts = LANGUAGES.map(|language| read(&book(language).join(&name)));
        let one = doings(&texts[0]);
        assert!(one.iter().any(|(purpose, _)| *purpose != Purpose::Other), "{name}");
        texts[1..].iter().for_each(|other| assert_eq!(one, doings(other), "{name}"));
    }
}

#[test]
fn all_readmes_show_the_same_commands() {
    let texts = READMES.map(|name| read(&root().join(name)));
    let one = doings(&texts[0]);
    assert!(one.iter().any(|(purpose, _)| *purpose != Purpose::Other));
    texts[1..].iter().for_each(|other| assert_eq!(one, doings(other)));
}

#[test]
fn the_summary_lists_every_chapter_and_every_picture_is_shown() {
    for language in LANGUAGES {
        let folder = book(language);
        let listed: BTreeSet<_> = chapters(language).into_iter().collect();
        let names = |folder: &Path| -> BTreeSet<String> {
            let files = fs::read_dir(folder).into_iter().flatten().filter(|e| {
                e.as_ref().is_ok_and(|e| e.path().is_file() && e.file_name() != "SUMMARY.md")
            });
            files.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
        };
        assert_eq!(names(&folder), listed, "{language}");
        let all = listed.iter().flat_map(|name| targets(&read(&folder.join(name))));
        let shown: BTreeSet<_> =
            all.filter_map(|t| Some(t.strip_prefix("pictures/")?.to_string())).collect();
        assert_eq!(names(&folder.join("pictures")), shown, "{language}");
    }
}

#[test]
fn links_of_the_manual_and_the_readme_lead_somewhere() {
    let in_books = LANGUAGES.iter().flat_map(|language| {
        chapters(language).into_iter().map(|name| (book(language).join(name), book(language)))
    });
    let readmes = READMES.iter().map(|name| (root().join(name), root().to_path_buf()));
    for (path, within) in in_books.chain(readmes) {
        for target in targets(&read(&path)) {
            let (file, place) = target.split_once('#').unwrap_or((&target, ""));
            if file.starts_with("http") {
                continue;
            }
            let led = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            assert!(led.exists(), "{}: {target}", path.display());
            // A book is built alone: what is outside it is not there for its readers.
            let led = led.canonicalize().unwrap();
            assert!(
                led.starts_with(within.canonicalize().unwrap()),
                "{}: {target}",
                path.display()
            );
            assert!(
                place.is_empty() || headings(&read(&led)).contains(place),
                "{}: {target}",
                path.display()
            );
        }
    }
}

/// The headings of a document as the ends of links to them.
fn headings(text: &str) -> BTreeSet<String> {
    let slug = |words: &str| {
        let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    let lines = text.lines().filter(|line| line.starts_with('#'));
    lines.map(|line| slug(line.trim_start_matches('#').trim())).collect()
}

#[test]
fn a_file_is_named_before_its_lines() {
    for language in LANGUAGES {
        for name in chapters(language) {
            let text = read(&book(language).join(&name));
            for block in fenced(&text) {
                let Purpose::File(file) = &block.purpose else { continue };
                let before = text[..block.content.start].rsplit("\n\n").next().unwrap();
                let paragraph = text[..block.content.start - before.len()].trim_end();
                let paragraph = paragraph.rsplit("\n\n").next().unwrap();
                assert!(paragraph.contains(&format!("`{file}`")), "{language}/{name}: {file}");
            }
        }
    }
}

/// A picture of the manual.
struct Picture {
    name: &'static str,
    /// The page, after the first two chapters.
    page: &'static str,
    height: u32,
    /// In the language of the manual, or in the other one.
    own: bool,
}

const PICTURES: [Picture; 4] = [
    Picture { name: "page.png", page: "out/site/yili-05-zhushu.html", height: 600, own: true },
    Picture {
        name: "search.png",
        // 注:今文 @ 經:射
        page: "out/site/index.html?q=%E6%B3%A8:%E4%BB%8A%E6%96%87%20@%20%E7%B6%93:%E5%B0%84",
        height: 540,
        own: true,
    },
    Picture {
        name: "collation.png",
        page: "mine-out/site/index.collated.xueer.html",
        height: 900,
        own: true,
    },
    Picture { name: "language.png", page: "mine-out/site/xueer.html", height: 700, own: false },
];

const PICTURE_WIDTH: u32 = 1000;
const MAX_PICTURE_BYTES: u64 = 180_000;

#[test]
fn pictures_of_the_manual_are_small() {
    for Picture { name, .. } in PICTURES {
        for language in LANGUAGES {
            let picture = book(language).join("pictures").join(name);
            let bytes = fs::metadata(&picture).unwrap().len();
            assert!(bytes < MAX_PICTURE_BYTES, "{}: {bytes} bytes", picture.display());
        }
    }
}

/// `cargo test --test program pictures_are_taken -- --ignored` takes them again. Look at them.
#[test]
#[ignore = "it rewrites the pictures of the manual, which differ with the fonts of the machine"]
fn the_pictures_are_taken() {
    let Some(browser) = chromium() else { return };
    for language in LANGUAGES {
        let other = if language == "en" { "zh-Hant" } else { "en" };
        let mut reader = Reader::new(language);
        for chapter in ["first-steps.md", "own-corpus.md"] {
            reader.follow(&read(&book(language).join(chapter)));
        }
        for Picture { name, page, height, own } in PICTURES {
            let address = format!("file://{}/{page}", reader.folder().display());
            let to = book(language).join("pictures").join(name);
            let shown = if own { language } else { other };
            photograph(browser, &address, shown, (PICTURE_WIDTH, height), &to);
        }
    }
}

#[test]
fn the_chinese_texts_have_no_blanks_from_line_breaks_and_no_stars_for_emphasis() {
    let books = LANGUAGES[1..].iter();
    let all = books.flat_map(|l| chapters(l).into_iter().map(|name| book(l).join(name)));
    for path in all.chain(READMES[1..].iter().map(|name| root().join(name))) {
        let text = read(&path);
        let mut in_block = false;
        for (event, range) in Parser::new_ext(&text, Options::ENABLE_TABLES).into_offset_iter() {
            let wrong = match event {
                Event::Start(Tag::CodeBlock(_)) | Event::End(TagEnd::CodeBlock) => {
                    in_block = !in_block;
                    false
                }
                // Browsers show a line break between two Chinese characters as a blank.
                Event::SoftBreak => true,
                // Beside full-width punctuation, stars can fail to open or close.
                Event::Text(words) => !in_block && words.contains('*'),
                _ => false,
            };
            let line = text[..range.start].matches('\n').count() + 1;
            assert!(!wrong, "{}:{line}", path.display());
        }
    }
}
