//! Fixed patterns and lists of characters that mean traditional and simplified text alike: a list
//! of cues is written once, in traditional characters.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::fold::fold_script;

/// Characters that have another form in the other script, by what they fold to.
static FORMS: LazyLock<FxHashMap<char, String>> = LazyLock::new(|| {
    let mut forms: FxHashMap<char, String> = FxHashMap::default();
    for c in '\u{3400}'..='\u{9FFF}' {
        forms.entry(fold_script(c)).or_default().push(c);
    }
    forms.retain(|_, all| all.chars().nth(1).is_some());
    forms
});

/// A fixed regular expression in which each character also means its forms in the other script.
pub(crate) fn pattern_in_both_scripts(regex: &str) -> Regex {
    let (mut whole, mut in_class) = (String::with_capacity(2 * regex.len()), false);
    for c in regex.chars() {
        match c {
            '[' => in_class = true,
            ']' => in_class = false,
            _ => {}
        }
        match FORMS.get(&fold_script(c)) {
            Some(forms) if in_class => whole.push_str(forms),
            Some(forms) => {
                whole.push('[');
                whole.push_str(forms);
                whole.push(']');
            }
            None => whole.push(c),
        }
    }
    super::pattern(&whole)
}

/// True if `words` has one of some characters, in either script.
pub(crate) fn has_any(words: &str, of: &[char]) -> bool {
    words.chars().any(|c| is_any(c, of))
}

/// True if a character is one of these, in either script.
pub(crate) fn is_any(c: char, of: &[char]) -> bool {
    of.iter().any(|o| fold_script(*o) == fold_script(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_means_both_scripts() {
        let pattern = pattern_in_both_scripts(r"^[^。鄭]{0,2}(?P<cue>謂|解經)[:：]?$");
        assert!(["謂", "谓：", "解经", "王解經"].iter().all(|t| pattern.is_match(t)));
        assert!(!pattern.is_match("郑谓") && !pattern.is_match("鄭謂"));
    }

    #[test]
    fn characters_are_compared_in_both_scripts() {
        assert!(is_any('郑', &['鄭']) && is_any('鄭', &['郑']) && !is_any('正', &['鄭']));
        assert!(has_any("彼郑注", &['鄭']) && !has_any("彼注", &['鄭']));
    }
}
