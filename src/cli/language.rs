//! `--lang`: the language in which pages are written, and help and messages are shown.

use std::ffi::OsString;
use std::sync::OnceLock;

use crate::diag::Error;
use crate::language::Language;
use crate::model::phrases::named;
use crate::model::{Evidence, EvidenceKind};

/// The variable of the environment that replaces `--lang`.
const VARIABLE: &str = "ZHUSHU_LANG";

/// The variables that name the locale, the strongest first.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// The language of the option, else that of `ZHUSHU_LANG`, else that of the locale.
///
/// # Errors
/// When `ZHUSHU_LANG` is not a language.
pub fn choose(
    option: Option<Language>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Language, Error> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(language) = option {
        return Ok(language);
    }
    if let Some(named) = set(VARIABLE) {
        return named.parse().map_err(|why| {
            Error::request(format!("{VARIABLE}: {why}"))
                .hint(format!("set {VARIABLE} to one of these, or use --lang"))
        });
    }
    // The first that is set decides, as for other programs, even if we do not have its language.
    let locale = LOCALE.iter().find_map(|name| set(name));
    Ok(locale.and_then(|l| Language::of_locale(&l)).unwrap_or_default())
}

/// The language of what is shown in the terminal. Once for the program, as colours are.
static SHOWN: OnceLock<Language> = OnceLock::new();

/// From now on, messages are shown in this language.
pub fn show_in(language: Language) {
    // A second call has no effect; the program calls once.
    let _ = SHOWN.set(language);
}

/// The language in which messages are shown; English if none was named.
pub fn shown() -> Language {
    SHOWN.get().copied().unwrap_or(Language::En)
}

/// A message of the program as it is shown.
pub fn say(english: &str) -> String {
    shown().message_of(english).into_owned()
}

/// The detail of a piece of evidence as it is shown. Who decided is not a message.
pub fn detail_of(evidence: &Evidence) -> Option<String> {
    let detail = evidence.detail.as_deref()?;
    Some(if evidence.kind == EvidenceKind::Person { detail.into() } else { say(detail) })
}

/// The name of a code of the model in the language of messages.
pub fn name_of(code: &str) -> &str {
    named(code, shown())
}

/// The Chinese name of a code, in simplified characters if messages have them.
pub fn chinese(code: &str) -> &str {
    named(code, if shown() == Language::En { Language::ZhHant } else { shown() })
}

/// A colon between two messages, with the blank after it that English has.
pub fn colon() -> &'static str {
    match shown() {
        Language::En => ": ",
        Language::ZhHant | Language::ZhHans => "：",
    }
}

/// What is between the members of a list.
pub fn comma() -> &'static str {
    match shown() {
        Language::En => ", ",
        Language::ZhHant | Language::ZhHans => "，",
    }
}

/// The language of help and messages, before the command line is parsed. As [`choose`], but English
/// if nothing names a language that we have; what cannot be understood is reported by `choose`.
pub fn of_messages(args: &[OsString], variable: impl Fn(&str) -> Option<String>) -> Language {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let known = |name: String| name.parse().ok();
    let named = option(args).and_then(known).or_else(|| set(VARIABLE).and_then(known));
    let locale = || LOCALE.iter().find_map(|name| set(name));
    named.or_else(|| Language::of_locale(&locale()?)).unwrap_or(Language::En)
}

/// The value of `--lang X` or `--lang=X`, the last one given.
fn option(args: &[OsString]) -> Option<String> {
    let args = args.iter().map(|a| a.to_str().unwrap_or_default());
    let args: Vec<&str> = args.take_while(|a| *a != "--").collect();
    let pairs = args.iter().enumerate().rev();
    let mut values = pairs.filter_map(|(n, arg)| match *arg {
        "--lang" => args.get(n + 1).copied(),
        _ => arg.strip_prefix("--lang="),
    });
    values.next().map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(option: Option<Language>, set: &[(&str, &str)]) -> Option<Language> {
        let value = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_string());
        choose(option, value).ok()
    }

    #[test]
    fn the_option_is_stronger_than_the_variable_and_that_than_the_locale() {
        let all = [("ZHUSHU_LANG", "zh-Hans"), ("LANG", "en_US.UTF-8")];
        assert_eq!(chosen(Some(Language::En), &all), Some(Language::En));
        assert_eq!(chosen(None, &all), Some(Language::ZhHans));
        assert_eq!(chosen(None, &all[1..]), Some(Language::En));
        assert_eq!(chosen(None, &[("LC_ALL", "C"), ("LANG", "en_US")]), Some(Language::ZhHant));
        assert_eq!(chosen(None, &[("LC_ALL", ""), ("LANG", "en_US")]), Some(Language::En));
        assert_eq!(chosen(None, &[("ZHUSHU_LANG", "latin")]), None);
        assert_eq!(chosen(None, &[]), Some(Language::ZhHant));
    }

    #[test]
    fn help_is_english_unless_the_line_the_variable_or_the_locale_says_otherwise() {
        let of = |line: &str, set: &[(&str, &str)]| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            of_messages(&args, |name| {
                set.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_string())
            })
        };
        assert_eq!(of("build --help", &[]), Language::En);
        assert_eq!(of("--lang zh-Hans build", &[("ZHUSHU_LANG", "en")]), Language::ZhHans);
        assert_eq!(of("build --lang=zh-Hant --help", &[]), Language::ZhHant);
        assert_eq!(of("--lang en --lang=zh-Hans", &[]), Language::ZhHans);
        assert_eq!(of("--lang latin", &[("ZHUSHU_LANG", "zh-Hant")]), Language::ZhHant);
        assert_eq!(of("search -- --lang zh-Hans", &[]), Language::En);
        assert_eq!(of("build", &[("LANG", "zh_TW.UTF-8")]), Language::ZhHant);
        assert_eq!(of("build", &[("LC_ALL", "C"), ("LANG", "zh_TW.UTF-8")]), Language::En);
        assert_eq!(of("build", &[("ZHUSHU_LANG", "zh-Hans"), ("LANG", "en_US")]), Language::ZhHans);
    }
}
