//! What the model's codes are called on a page, from `data/phrases.tsv`, and explanations made of them.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::sync::LazyLock;

use crate::model::{Cert, Evidence, Link};

static TABLE: LazyLock<HashMap<&str, (&str, &str)>> = LazyLock::new(|| {
    let lines = include_str!("data/phrases.tsv").lines().filter(|l| !l.starts_with('#'));
    lines.filter_map(|l| l.split_once('\t')).filter_map(|(code, rest)| Some((code, rest.split_once('\t')?))).collect()
});

/// Below this a certainty is shown.
pub(crate) const LOW: f64 = 0.9;

/// True if the reader should be told of the doubt.
pub(crate) fn is_low(cert: Cert) -> bool {
    cert.get() < LOW
}

/// The Chinese and English name of a code.
pub(crate) struct Phrase<'a>(pub(crate) &'a str);

impl Display for Phrase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match TABLE.get(self.0) {
            Some((zh, en)) => write!(f, "{zh} {en}"),
            None => f.write_str(self.0),
        }
    }
}

/// The Chinese name of a code (the code itself if it has none).
pub(crate) fn chinese(code: &str) -> &str {
    TABLE.get(code).map_or(code, |(zh, _)| zh)
}

/// A certainty as `.62`, sure things as `1`.
pub(crate) struct Percent(pub(crate) Cert);

impl Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never rounded up to certainty.
        let hundredths = if self.0 == Cert::SURE { 100 } else { ((self.0.get() * 100.0).round() as u32).min(99) };
        if hundredths == 100 { f.write_str("1") } else { write!(f, ".{hundredths:02}") }
    }
}

/// How sure and why: `.62:據疏首起訖 a lemma header …;…`.
pub(crate) struct Why<'a>(pub(crate) Cert, pub(crate) &'a [Evidence]);

impl Display for Why<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Percent(self.0))?;
        for (i, e) in self.1.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { ":" } else { ";" }, Phrase(e.code))?;
            if let Some(detail) = &e.detail {
                write!(f, "({detail})")?;
            }
        }
        Ok(())
    }
}

/// What a reference is, where it leads, how well it was found, and why.
pub(crate) struct Reference<'a>(pub(crate) &'a Link);

impl Display for Reference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let link = self.0;
        f.write_str(chinese(link.kind.id()))?;
        if let Some(work) = &link.work {
            write!(f, " {work}")?;
        }
        write!(f, " · {} · {}", Phrase(link.status.id()), Why(link.cert, &link.evidence))?;
        match link.rivals.len() {
            0 => Ok(()),
            n => write!(f, " · 他處同文 {n}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_has_three_columns_and_no_code_comes_twice() {
        let lines: Vec<_> = include_str!("data/phrases.tsv").lines().filter(|l| !l.starts_with('#')).collect();
        assert!(lines.iter().all(|l| l.split('\t').filter(|c| !c.trim().is_empty()).count() == 3));
        assert_eq!(lines.len(), TABLE.len());
    }

    #[test]
    fn certainty_is_never_rounded_up_to_one() {
        assert_eq!(Percent(Cert::new(0.999)).to_string(), ".99");
        assert_eq!(Percent(Cert::new(0.06)).to_string(), ".06");
        assert_eq!(Percent(Cert::SURE).to_string(), "1");
    }
}
