//! Names of the model's codes, from the messages `code-…` of [`crate::language`]: the only place
//! where evidence is put into words.

use std::fmt::{self, Display};

use super::{Certainty, Evidence, shown};
use crate::language::{Language, escape};

fn key(code: &str) -> String {
    format!("code-{code}")
}

/// The name of a code in a language (the code itself if it has none).
pub(crate) fn named(code: &str, language: Language) -> &str {
    language.plain(&key(code)).unwrap_or(code)
}

/// The Chinese name of a code (the code itself if it has none).
pub fn chinese(code: &str) -> &str {
    named(code, Language::ZhHant)
}

/// The English name of a code (the code itself if it has none).
///
/// ```
/// use zhushu::model::phrases::english;
/// assert_eq!(english("lemma-header"), "a lemma header names first and last words");
/// ```
pub fn english(code: &str) -> &str {
    named(code, Language::En)
}

/// True if a code has names.
pub fn is_known(code: &str) -> bool {
    Language::En.plain(&key(code)).is_some()
}

/// The name of a code, as a template (the code itself if it has none).
pub(crate) fn phrase(code: &str) -> String {
    if is_known(code) { format!("{{{}}}", key(code)) } else { escape(code) }
}

/// A certainty as `.62`; full certainty as `1`.
pub struct Percent(pub Certainty);

impl Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never rounded up to 1.
        let hundredths = if self.0 == Certainty::SURE {
            100
        } else {
            ((self.0.get() * 100.0).round() as u32).min(99)
        };
        if hundredths == 100 { f.write_str("1") } else { write!(f, ".{hundredths:02}") }
    }
}

/// Certainty and evidence, as a template: `.62：據疏首起訖；…`.
pub(crate) fn why(certainty: Certainty, evidence: &[Evidence]) -> String {
    reasons(certainty, evidence, true)
}

/// The same without the details of the evidence.
pub(crate) fn why_in_short(certainty: Certainty, evidence: &[Evidence]) -> String {
    reasons(certainty, evidence, false)
}

fn reasons(certainty: Certainty, evidence: &[Evidence], in_detail: bool) -> String {
    let mut why = Percent(certainty).to_string();
    for (i, e) in shown(evidence).enumerate() {
        why.push_str(if i == 0 { "{colon}" } else { "{semicolon}" });
        why.push_str(&phrase(e.code()));
        if let Some(detail) = e.detail.as_ref().filter(|_| in_detail) {
            why.push_str(&format!("{{open-paren}}{}{{close-paren}}", escape(detail)));
        }
    }
    why
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EvidenceKind;

    #[test]
    fn evidence_is_put_into_the_words_of_one_language() {
        let why = why(Certainty::new(0.62), &[Evidence::of(EvidenceKind::Titles)]);
        assert_eq!(Language::En.fill(&why), ".62: the titles that it names");
        assert_eq!(Language::ZhHant.fill(&why), ".62：書名");
    }

    #[test]
    fn certainty_is_never_rounded_up_to_one() {
        assert_eq!(Percent(Certainty::new(0.999)).to_string(), ".99");
        assert_eq!(Percent(Certainty::new(0.06)).to_string(), ".06");
        assert_eq!(Percent(Certainty::SURE).to_string(), "1");
    }
}
