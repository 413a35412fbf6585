//! Tests: no language lacks a text, and help is shown in it.

use std::collections::BTreeSet;

use clap::CommandFactory;

use super::*;
use crate::cli::{Cli, export};

const CHINESE: [Language; 2] = [Language::ZhHant, Language::ZhHans];

/// The description with all options, without those that `clap` adds.
fn english() -> Command {
    let mut all = Cli::command().disable_help_flag(true).disable_version_flag(true);
    all = all.disable_help_subcommand(true);
    all.build();
    all
}

/// A command with its id, and all below it.
fn all(command: &Command, id: &str) -> Vec<(String, Command)> {
    let below = command.get_subcommands().flat_map(|c| {
        let name = c.get_name();
        all(c, &if id == "zhushu" { name.to_string() } else { format!("{id}-{name}") })
    });
    std::iter::once((id.to_string(), command.clone())).chain(below).collect()
}

/// The keys of a file: commands, and their parts as `command.part`.
fn keys(language: Language) -> BTreeSet<String> {
    let file = match language {
        Language::ZhHant => include_str!("zh-Hant/texts.ftl"),
        _ => include_str!("zh-Hans/texts.ftl"),
    };
    let mut command = "";
    let lines = file.lines().filter(|l| !l.starts_with('#'));
    let key = |line: &'static str| {
        let (key, _) = line.split_once(" = ")?;
        match key.trim_start().strip_prefix('.') {
            Some(part) => Some(format!("{command}.{part}")),
            None => {
                command = key;
                Some(key.to_string())
            }
        }
    };
    lines.filter_map(key).collect()
}

/// The key that gives the part of a command, the common one if it has none of its own.
fn key_of(texts: &Texts, command: &str, part: &str) -> String {
    let place = if texts.own(command, part).is_some() { command } else { COMMON };
    format!("{place}.{part}")
}

#[test]
fn every_command_option_and_value_has_a_text_in_each_language_and_no_text_is_left_over() {
    for language in CHINESE {
        let texts = Texts::of(language).unwrap();
        let mut wanted = BTreeSet::from([COMMON.to_string()]);
        for (id, command) in all(&english(), "zhushu") {
            for arg in command.get_arguments() {
                wanted.insert(key_of(&texts, &id, arg.get_id().as_str()));
                let takes = arg.get_action().takes_values();
                let explained =
                    arg.get_possible_values().into_iter().filter(|v| v.get_help().is_some());
                wanted.extend(
                    explained
                        .filter(|v| takes && !v.is_hide_set())
                        .map(|v| key_of(&texts, &id, &values::key(arg, &v))),
                );
            }
            wanted.insert(id);
        }
        wanted.insert("format".into());
        wanted.extend(export::formats().map(|[name, ..]| format!("format.{name}")));
        let is_own = |k: &String| k != "clap" && !k.starts_with("clap.");
        let given: BTreeSet<String> = keys(language).into_iter().filter(is_own).collect();
        let missing: Vec<_> = wanted.difference(&given).collect();
        let spare: Vec<_> = given.difference(&wanted).collect();
        assert!(missing.is_empty() && spare.is_empty(), "{missing:?} {spare:?}");
    }
}

/// Who changes a text in English changes its translations too, and then this file with
/// `SNAPSHOTS=overwrite`.
#[test]
fn the_english_that_was_translated_is_that_of_now() {
    let mut text = String::new();
    for (id, command) in all(&english(), "zhushu") {
        let about =
            |s: Option<&clap::builder::StyledStr>| s.map(|s| s.to_string().replace('\n', " "));
        text.push_str(&format!("{id} = {}\n", about(command.get_about()).unwrap_or_default()));
        // Options of all commands are given once, with the program.
        let own = |a: &&Arg| id == "zhushu" || !a.is_global_set();
        for arg in command.get_arguments().filter(own) {
            text.push_str(&format!(
                "    .{} = {}\n",
                arg.get_id(),
                about(arg.get_help()).unwrap_or_default()
            ));
            for value in arg.get_possible_values() {
                if let Some(help) = value.get_help() {
                    text.push_str(&format!("        {} = {help}\n", value.get_name()));
                }
            }
        }
        if let Some(examples) = command.get_after_help() {
            let examples = examples.to_string();
            text.push_str(&examples.lines().map(|l| format!("    | {l}\n")).collect::<String>());
        }
    }
    snapbox::assert_data_eq!(text, snapbox::file!["../../../tests/golden/help-en.txt"].raw());
}

#[test]
fn files_of_texts_are_sound_and_have_the_same_keys() {
    assert_eq!(keys(Language::ZhHant), keys(Language::ZhHans));
    for file in [include_str!("zh-Hant/texts.ftl"), include_str!("zh-Hans/texts.ftl")] {
        let read = FluentResource::try_new(file.to_string());
        assert!(read.is_ok(), "{:?}", read.err().map(|(_, e)| e));
    }
}

/// What is typed: the lines of examples without what is said about them.
fn typed(examples: &str) -> Vec<&str> {
    let lines = examples.lines().filter_map(|l| l.strip_prefix("  "));
    lines
        .filter(|l| l.starts_with("zhushu ") || l.starts_with("curl "))
        .map(|l| l.split("  ").next().unwrap_or_default())
        .collect()
}

#[test]
fn examples_are_the_same_in_all_languages() {
    for language in CHINESE {
        for (id, command) in all(&english(), "zhushu") {
            // The commands of `library` share its examples.
            let Some(english) = command.get_after_help() else {
                assert!(id.starts_with("library-"), "{id} has no examples");
                continue;
            };
            let own = examples::all(language).iter().find(|(name, _)| *name == id);
            let (_, own) = own.unwrap_or_else(|| panic!("{id} has no examples in {language:?}"));
            assert_eq!(typed(own), typed(&english.to_string()), "{id} {language:?}");
        }
    }
}

#[test]
fn help_of_every_command_is_whole_in_each_language_and_has_no_words_of_clap() {
    for language in CHINESE {
        let texts = Texts::of(language).unwrap();
        for (id, mut command) in all(&translated(Cli::command(), &texts), "zhushu") {
            if id.split('-').any(|name| name == "help") {
                continue;
            }
            for help in [command.render_help(), command.render_long_help()] {
                let help = help.to_string();
                for word in ["Usage", "Options", "Commands", "default:", "possible", "Print "] {
                    assert!(!help.contains(word), "{id}: {word}\n{help}");
                }
                assert!(help.contains(texts.word("usage").as_str()), "{id}\n{help}");
            }
        }
    }
}

#[test]
fn simplified_help_has_the_words_of_simplified_chinese() {
    let texts = include_str!("zh-Hans/texts.ftl");
    let all = examples::all(Language::ZhHans).iter().map(|(_, text)| *text).chain([texts]);
    for text in all {
        for word in ["檔", "档", "預設", "缺省", "資料", "試算", "软体"] {
            assert!(!text.contains(word), "{word}");
        }
    }
}
