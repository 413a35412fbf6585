//! The languages of the program: one file of messages for each, in the form of Project Fluent.
//!
//! Every language has the same messages, by key. A *template* is text with messages in braces:
//! `{code-citation} 論語 · {code-exact}`, or with numbers `{sections-count n=3}`. Pages keep the
//! templates beside the text, so that their script can write the same in another language;
//! [`escape`] protects text that is not ours.
//!
//! Text between braces that names no message is left as it is.

mod for_pages;
mod messages;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::str::FromStr;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

pub(crate) use for_pages::{short, table as table_for_pages};

/// A language in which pages and reports are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// Chinese in traditional characters.
    #[default]
    ZhHant,
    /// Chinese in simplified characters.
    ZhHans,
    /// English.
    En,
}

impl Language {
    /// All languages, in the order in which they are offered.
    pub const ALL: [Language; 3] = [Language::ZhHant, Language::ZhHans, Language::En];

    /// Its code: `zh-Hant`, `zh-Hans`, `en`.
    pub fn id(self) -> &'static str {
        match self {
            Language::ZhHant => "zh-Hant",
            Language::ZhHans => "zh-Hans",
            Language::En => "en",
        }
    }

    /// The language of a locale: `zh_TW.UTF-8`, `zh-Hans`, `en_GB`. `None` for any other language
    /// and for `C`. Chinese without a script or a region is in traditional characters.
    ///
    /// ```
    /// use zhushu::Language;
    /// assert_eq!(Language::of_locale("zh_CN.UTF-8"), Some(Language::ZhHans));
    /// assert_eq!(Language::of_locale("fr_FR"), None);
    /// ```
    pub fn of_locale(locale: &str) -> Option<Language> {
        let name = locale.split(['.', '@']).next().unwrap_or_default();
        let id: LanguageIdentifier = name.parse().ok()?;
        match id.language.as_str() {
            "en" => Some(Language::En),
            "zh" => {
                let script = id.script.map(|s| s.as_str().to_string());
                let region = id.region.map(|r| r.as_str().to_string());
                let simplified = match script.as_deref() {
                    Some(script) => script == "Hans",
                    None => matches!(region.as_deref(), Some("CN" | "SG" | "MY")),
                };
                Some(if simplified { Language::ZhHans } else { Language::ZhHant })
            }
            _ => None,
        }
    }

    /// The message `key`. The key itself if there is none, which a test excludes.
    pub(crate) fn message(self, key: &str, args: &[(&str, &str)]) -> String {
        self.formatted(key, args).unwrap_or_else(|| key.to_string())
    }

    /// A message without arguments; `None` if there is none.
    pub(crate) fn plain(self, key: &str) -> Option<&'static str> {
        self.words().plain.get(key).map(String::as_str)
    }

    /// A template in this language.
    pub(crate) fn fill(self, template: &str) -> String {
        let mut filled = String::with_capacity(template.len());
        let mut rest = template;
        while let Some(at) = rest.find('{') {
            filled.push_str(&rest[..at]);
            rest = &rest[at..];
            let message = rest.find('}').and_then(|end| Some((end, self.called(&rest[1..end])?)));
            let taken = match &message {
                Some((end, words)) => {
                    filled.push_str(words);
                    end + 1
                }
                None => {
                    filled.push('{');
                    1
                }
            };
            rest = &rest[taken..];
        }
        filled.push_str(rest);
        filled
    }

    /// What is between the braces of a template: a key and its arguments.
    fn called(self, call: &str) -> Option<String> {
        let mut parts = call.split(' ');
        let key = parts.next()?;
        let args = parts.map(|a| a.split_once('=')).collect::<Option<Vec<_>>>()?;
        self.formatted(key, &args)
    }

    fn formatted(self, key: &str, args: &[(&str, &str)]) -> Option<String> {
        if let Some(words) = self.plain(key) {
            return Some(words.to_string());
        }
        let bundle = &self.words().bundle;
        let pattern = bundle.get_message(key)?.value()?;
        let mut values = FluentArgs::new();
        for (name, value) in args {
            values.set(*name, FluentValue::try_number(value));
        }
        Some(bundle.format_pattern(pattern, Some(&values), &mut Vec::new()).into_owned())
    }

    fn words(self) -> &'static Words {
        &WORDS[self as usize]
    }

    fn file(self) -> &'static str {
        match self {
            Language::ZhHant => include_str!("zh-Hant.ftl"),
            Language::ZhHans => include_str!("zh-Hans.ftl"),
            Language::En => include_str!("en.ftl"),
        }
    }

    /// The messages of its file: keys, and what follows the sign of equality.
    fn messages(self) -> Vec<(&'static str, String)> {
        let mut all: Vec<(&str, String)> = Vec::new();
        for line in self.file().lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
            match (line.starts_with(' '), line.split_once(" = "), all.last_mut()) {
                (false, Some((key, value)), _) => all.push((key, value.to_string())),
                (_, _, Some((_, value))) => _ = write!(value, "\n{line}"),
                _ => {}
            }
        }
        all
    }
}

impl FromStr for Language {
    type Err = String;

    /// A language by its code, in any case.
    fn from_str(id: &str) -> Result<Self, String> {
        let found = Language::ALL.into_iter().find(|l| l.id().eq_ignore_ascii_case(id));
        found.ok_or_else(|| {
            let ids = Language::ALL.map(Language::id).join(", ");
            format!("no language is called “{id}”; there are: {ids}")
        })
    }
}

/// Text as a part of a template, in which its braces have no meaning.
pub(crate) fn escape(text: &str) -> String {
    text.replace('{', "{lbrace}")
}

/// The messages of one language.
struct Words {
    bundle: FluentBundle<FluentResource>,
    /// Those without arguments, which are most.
    plain: HashMap<&'static str, String>,
}

static WORDS: LazyLock<[Words; 3]> = LazyLock::new(|| Language::ALL.map(read));

fn read(language: Language) -> Words {
    // Tests check that the files have no errors. Without tests, what can be read is used.
    let resource = FluentResource::try_new(language.file().to_string()).unwrap_or_else(|(r, _)| r);
    let id: LanguageIdentifier = language.id().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // Marks of direction are not wanted around numbers: no language is written from right to left.
    bundle.set_use_isolating(false);
    let _ = bundle.add_resource(resource);
    let without = language.messages().into_iter().filter(|(_, value)| !value.contains('$'));
    let plain = without.filter_map(|(key, _)| {
        let pattern = bundle.get_message(key)?.value()?;
        Some((key, bundle.format_pattern(pattern, None, &mut Vec::new()).into_owned()))
    });
    let plain = plain.collect();
    Words { bundle, plain }
}

/// The names of the arguments in a message.
fn arguments(value: &str) -> Vec<&str> {
    let after = value.split('$').skip(1);
    let name = |s: &'_ str| s.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(s.len());
    let mut names: Vec<&str> = after.map(|s| &s[..name(s)]).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_sound_and_all_have_the_same_keys_in_the_same_order() {
        let keys = |l: Language| l.messages().into_iter().map(|(k, _)| k).collect::<Vec<_>>();
        for language in Language::ALL {
            let read = FluentResource::try_new(language.file().to_string());
            assert!(read.is_ok(), "{}: {:?}", language.id(), read.err().map(|(_, e)| e));
            assert_eq!(keys(language), keys(Language::En), "{}", language.id());
        }
        let mut once = keys(Language::En);
        once.sort_unstable();
        assert!(once.windows(2).all(|k| k[0] != k[1]), "a key comes twice");
    }

    #[test]
    fn arguments_of_a_message_are_the_same_in_all_languages() {
        for language in Language::ALL {
            for ((key, own), (_, english)) in
                language.messages().iter().zip(Language::En.messages())
            {
                assert_eq!(arguments(own), arguments(&english), "{} {key}", language.id());
            }
        }
    }

    #[test]
    fn chinese_has_full_width_punctuation() {
        for language in [Language::ZhHant, Language::ZhHans] {
            for (key, words) in language.messages().iter().filter(|(k, _)| *k != "lbrace") {
                let han = |c: Option<char>| c.is_some_and(|c| c as u32 >= 0x4E00);
                let chars: Vec<char> = words.chars().collect();
                let half = (0..chars.len()).any(|n| {
                    ",;:?!()".contains(chars[n])
                        && (han(n.checked_sub(1).map(|n| chars[n]))
                            || han(chars.get(n + 1).copied()))
                });
                // Names of filters are typed with the ordinary sign.
                assert!(!half || *key == "ask-by", "{} {key}: {words}", language.id());
            }
        }
    }

    #[test]
    fn templates_are_filled_with_plurals_and_other_text_is_left_as_it_is() {
        let template = format!("{{referred-count n=1}} {} {{x", escape("{skip}"));
        assert_eq!(Language::En.fill(&template), "1 reference to this {skip} {x");
        assert_eq!(Language::En.fill("{referred-count n=2}"), "2 references to this");
        assert_eq!(Language::ZhHans.fill("{referred-count n=2}"), "引此者 2");
        assert_eq!(Language::En.fill("{no-such-key} {skip"), "{no-such-key} {skip");
        assert_eq!(Language::En.fill("{made-by version=1.2.0}"), "Made by zhushu 1.2.0.");
    }

    #[test]
    fn locales_name_a_language_by_script_and_region() {
        let cases = [
            ("zh_TW.UTF-8", Some(Language::ZhHant)),
            ("zh", Some(Language::ZhHant)),
            ("zh_Hans_HK", Some(Language::ZhHans)),
            ("zh-SG", Some(Language::ZhHans)),
            ("en_GB@euro", Some(Language::En)),
            ("C", None),
            ("POSIX", None),
            ("", None),
        ];
        for (locale, language) in cases {
            assert_eq!(Language::of_locale(locale), language, "{locale}");
        }
        assert_eq!("ZH-hans".parse(), Ok(Language::ZhHans));
        assert!("fr".parse::<Language>().is_err());
    }
}
