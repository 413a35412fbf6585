//! The messages of a language for the script of pages.
//!
//! A script has no reader of Fluent. Each message is given as it is written, with `{name}` for its
//! arguments; one that has a plural is a pair, for one and for more.

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
    fn arguments_are_named_and_plurals_are_pairs() {
        let table = table(Language::En);
        assert_eq!(table["more-characters"], json!(["1 more character", "{n} more characters"]));
        assert_eq!(table["ask-shown"], "{n} of {all}");
        assert_eq!(table["skip"], "Skip to the text");
        assert_eq!(super::table(Language::ZhHans)["more-characters"], "余 {n} 字");
    }
}
