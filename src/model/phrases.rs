//! Names of the model's codes, from `data/phrases.tsv`: the only place where evidence is put into
//! words.
//!
//! ```
//! use zhushu::model::{Certainty, Evidence, EvidenceKind, phrases::{Why, english}};
//! assert_eq!(english("lemma-header"), "a lemma header names first and last words");
//! let why = [Evidence::of(EvidenceKind::Titles)];
//! assert_eq!(Why(Certainty::new(0.62), &why).to_string(), ".62:書名 the titles that it names");
//! ```

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::sync::LazyLock;

use super::{Certainty, Evidence};

static TABLE: LazyLock<HashMap<&str, (&str, &str)>> = LazyLock::new(|| {
    let lines = include_str!("data/phrases.tsv").lines().filter(|l| !l.starts_with('#'));
    lines
        .filter_map(|l| l.split_once('\t'))
        .filter_map(|(code, rest)| Some((code, rest.split_once('\t')?)))
        .collect()
});

/// The Chinese and English name of a code.
pub struct Phrase<'a>(pub &'a str);

impl Display for Phrase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match TABLE.get(self.0) {
            Some((zh, en)) => write!(f, "{zh} {en}"),
            None => f.write_str(self.0),
        }
    }
}

/// The Chinese name of a code (the code itself if it has none).
pub fn chinese(code: &str) -> &str {
    TABLE.get(code).map_or(code, |(zh, _)| zh)
}

/// The English name of a code (the code itself if it has none).
pub fn english(code: &str) -> &str {
    TABLE.get(code).map_or(code, |(_, en)| en)
}

/// True if a code has names.
pub fn is_known(code: &str) -> bool {
    TABLE.contains_key(code)
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

/// Certainty and evidence: `.62:據疏首起訖 a lemma header …;…`.
pub struct Why<'a>(pub Certainty, pub &'a [Evidence]);

impl Display for Why<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Percent(self.0))?;
        for (i, e) in self.1.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { ":" } else { ";" }, Phrase(e.code()))?;
            if let Some(detail) = &e.detail {
                write!(f, "({detail})")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_has_three_columns_and_no_code_comes_twice() {
        let lines: Vec<_> =
            include_str!("data/phrases.tsv").lines().filter(|l| !l.starts_with('#')).collect();
        assert!(lines.iter().all(|l| l.split('\t').filter(|c| !c.trim().is_empty()).count() == 3));
        assert_eq!(lines.len(), TABLE.len());
    }

    #[test]
    fn certainty_is_never_rounded_up_to_one() {
        assert_eq!(Percent(Certainty::new(0.999)).to_string(), ".99");
        assert_eq!(Percent(Certainty::new(0.06)).to_string(), ".06");
        assert_eq!(Percent(Certainty::SURE).to_string(), "1");
    }
}
