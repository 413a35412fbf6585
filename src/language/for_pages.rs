//! The messages of a language for the script of pages.
//!
//! A script has no reader of Fluent. Each message is given as it is written, with `{name}` for its
//! arguments; one that has a plural is a pair, for one and for more.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::{Language, arguments};

/// Numbers that stand for arguments while a message is formatted: no message contains them.
const FIRST_STAND_IN: usize = 7_770_001;

/// All messages of a language: key, and text or pair of texts.
pub(crate) fn table(language: Language) -> Value {
    let all = language.messages().into_iter().map(|(key, value)| {
        let names = arguments(&value);
        let many = with_stand_ins(language, key, &names);
        let one: Vec<(&str, &str)> = names.iter().map(|n| (*n, "1")).collect();
        let one = value.contains("[one]").then(|| language.message(key, &one));
        (key.to_string(), one.map_or(json!(many), |one| json!([one, many])))
    });
    Value::Object(all.collect::<Map<_, _>>())
}

/// The place of each key in [`table`], the same in all languages, in digits and capitals: no key
/// has these alone.
static SHORT: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let table = table(Language::default());
    let keys = table.as_object().into_iter().flat_map(Map::keys);
    keys.enumerate().map(|(n, key)| (key.clone(), in_base_36(n))).collect()
});

fn in_base_36(n: usize) -> String {
    let digit = char::from_digit((n % 36) as u32, 36).unwrap_or_default().to_ascii_uppercase();
    let before = if n < 36 { String::new() } else { in_base_36(n / 36) };
    format!("{before}{digit}")
}

/// A template with short names for keys, for pages: `{1F} 論語 · {A}`.
pub(crate) fn short(template: &str) -> String {
    let mut parts = template.split('{');
    let mut all = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find([' ', '}']).unwrap_or(part.len());
        let key = SHORT.get(&part[..end]).map_or(&part[..end], String::as_str);
        all.extend(["{", key, &part[end..]]);
    }
    all
}

fn with_stand_ins(language: Language, key: &str, names: &[&str]) -> String {
    let stand_ins: Vec<String> =
        (0..names.len()).map(|n| (FIRST_STAND_IN + n).to_string()).collect();
    let args: Vec<(&str, &str)> =
        names.iter().copied().zip(stand_ins.iter().map(String::as_str)).collect();
    let words = language.message(key, &args);
    args.iter().fold(words, |words, (name, number)| words.replace(number, &format!("{{{name}}}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_short_by_their_place() {
        let keys: Vec<String> = table(Language::En).as_object().unwrap().keys().cloned().collect();
        assert!(keys.iter().eq(table(Language::ZhHans).as_object().unwrap().keys()));
        let place = |key: &str| {
            let digits = short(&format!("{{{key}}}"));
            usize::from_str_radix(digits.trim_matches(['{', '}']), 36).unwrap()
        };
        assert!(keys.iter().enumerate().all(|(n, key)| place(key) == n));
        assert!(keys.iter().all(|k| k.contains(|c: char| c.is_ascii_lowercase())));
        assert_eq!(short("甲 {no-such n=1}{"), "甲 {no-such n=1}{");
        assert!(short("甲{more-characters n=1}").ends_with(" n=1}"));
    }

    #[test]
    fn arguments_are_named_and_plurals_are_pairs() {
        let table = table(Language::En);
        assert_eq!(table["more-characters"], json!(["1 more character", "{n} more characters"]));
        assert_eq!(table["ask-shown"], "{n} of {all}");
        assert_eq!(table["skip"], "Skip to the text");
        assert_eq!(super::table(Language::ZhHans)["more-characters"], "余 {n} 字");
    }
}
