//! `--lang`: the language in which pages are written.

use crate::diag::Error;
use crate::language::Language;

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
}
