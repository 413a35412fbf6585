//! The classes of differences, and how the difference of two forms of one character is classified.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::CollatedWitness;
use crate::text::fold::fold_script;

/// How a witness differs from the base at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DifferenceClass {
    /// Other forms of the same characters: 賔 for 賓, 为 for 為.
    Graphic,
    /// A character that conversion from simplified script put there: 雲 for 云.
    Damage,
    /// Other punctuation.
    Punctuation,
    /// Other words.
    Substantive,
    /// Words are missing.
    Omission,
    /// Additional words.
    Addition,
    /// Words that are in another place.
    Transposition,
    /// Much text, such as a leaf, is missing in one of both.
    Lacuna,
}

impl DifferenceClass {
    /// All of them.
    pub const ALL: [DifferenceClass; 8] = [
        DifferenceClass::Substantive,
        DifferenceClass::Omission,
        DifferenceClass::Addition,
        DifferenceClass::Transposition,
        DifferenceClass::Lacuna,
        DifferenceClass::Damage,
        DifferenceClass::Graphic,
        DifferenceClass::Punctuation,
    ];

    /// Name for programs.
    pub fn id(self) -> &'static str {
        match self {
            DifferenceClass::Graphic => "graphic",
            DifferenceClass::Damage => "damage",
            DifferenceClass::Punctuation => "punctuation",
            DifferenceClass::Substantive => "substantive",
            DifferenceClass::Omission => "omission",
            DifferenceClass::Addition => "addition",
            DifferenceClass::Transposition => "transposition",
            DifferenceClass::Lacuna => "lacuna",
        }
    }

    /// Chinese name.
    pub fn zh(self) -> &'static str {
        match self {
            DifferenceClass::Graphic => "異體",
            DifferenceClass::Damage => "轉換之誤",
            DifferenceClass::Punctuation => "標點",
            DifferenceClass::Substantive => "異文",
            DifferenceClass::Omission => "脫",
            DifferenceClass::Addition => "多",
            DifferenceClass::Transposition => "乙",
            DifferenceClass::Lacuna => "闕",
        }
    }

    /// True if neighbouring places of this class are one difference.
    pub(super) fn continues(self) -> bool {
        use DifferenceClass::{Addition, Lacuna, Omission, Transposition};
        matches!(self, Omission | Addition | Transposition | Lacuna)
    }
}

/// What is known about the characters of two witnesses that are equal but for their form.
pub struct FormClasses<'a> {
    base: ConvertedForms<'a>,
    own: ConvertedForms<'a>,
}

/// What conversion did to a witness.
struct ConvertedForms<'a> {
    /// True if it was converted from simplified script character by character.
    converted: bool,
    /// The places of its repairs.
    repairs: FxHashSet<usize>,
    /// All forms in it.
    forms: FxHashSet<&'a str>,
}

/// Fewest characters that only conversion can have merged in a converted text.
const MIN_MERGED_FORMS: usize = 2;

impl<'a> FormClasses<'a> {
    /// From all characters that are aligned, as numbers of base and of the other witness.
    pub fn of(
        base: &'a CollatedWitness<'_>,
        own: &'a CollatedWitness<'_>,
        equal: &[(usize, usize)],
    ) -> Self {
        let pairs = || equal.iter().map(|(a, b)| (base.form(*a), own.form(*b)));
        let classes = |w: &'a CollatedWitness<'_>, merges: bool| {
            let repairs: FxHashSet<usize> = w.repairs().collect();
            let forms = (0..w.chars().len()).map(|n| w.form(n)).collect();
            ConvertedForms { converted: merges || !repairs.is_empty(), repairs, forms }
        };
        FormClasses {
            base: classes(base, merges(pairs().map(|(a, b)| (b, a)))),
            own: classes(own, merges(pairs())),
        }
    }

    /// The class of the difference between two equal characters: forms and places in the sources.
    pub fn class(&self, base: (&str, usize), own: (&str, usize)) -> Option<DifferenceClass> {
        if base.0 == own.0 {
            return None;
        }
        let damaged = self.base.is_damaged(base, own.0) || self.own.is_damaged(own, base.0);
        Some(if damaged { DifferenceClass::Damage } else { DifferenceClass::Graphic })
    }
}

impl ConvertedForms<'_> {
    /// True if conversion put the form here, where the other witness has `other`: it is repaired,
    /// or it is one of two that conversion merged. A converted text never has the other one.
    fn is_damaged(&self, (form, at): (&str, usize), other: &str) -> bool {
        self.repairs.contains(&at)
            || self.converted && are_merged(form, other) && !self.forms.contains(other)
    }
}

/// True for a text that has one form wherever the other witness has two that simplification
/// merged, most of the times that the other has two.
fn merges<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> bool {
    let mut forms: FxHashMap<char, [FxHashSet<&str>; 2]> = FxHashMap::default();
    for (other, own) in pairs {
        if let (Some(a), Some(b)) = (one(other), one(own))
            && (a == b || are_merged(other, own))
        {
            let [others, owns] = forms.entry(fold_script(a)).or_default();
            others.insert(other);
            owns.insert(own);
        }
    }
    let two = |set: &FxHashSet<&str>| {
        let all: Vec<&&str> = set.iter().collect();
        all.iter().enumerate().any(|(n, a)| all[n + 1..].iter().any(|b| are_merged(a, b)))
    };
    let distinguished: Vec<_> = forms.values().filter(|[others, _]| two(others)).collect();
    let merged = distinguished.iter().filter(|[_, owns]| owns.len() == 1).count();
    merged >= MIN_MERGED_FORMS && merged * 5 >= distinguished.len() * 4
}

/// Words that simplification merged: for each character its simplified form and its number among
/// the words of that.
static MERGED: LazyLock<FxHashMap<char, Vec<(char, usize)>>> = LazyLock::new(|| {
    let mut merged: FxHashMap<char, Vec<(char, usize)>> = FxHashMap::default();
    let rows = include_str!("data/merged.tsv").lines().filter(|l| !l.starts_with('#'));
    for (simplified, words) in rows.filter_map(|l| l.split_once('\t')) {
        for (n, word) in words.split(' ').enumerate() {
            let word = word.chars().flat_map(|c| simplified.chars().map(move |s| (c, s)));
            word.for_each(|(c, s)| merged.entry(c).or_default().push((s, n)));
        }
    }
    merged
});

/// True for characters of two words that are one in simplified script.
pub fn are_merged(a: &str, b: &str) -> bool {
    let words = |form| one(form).and_then(|c| MERGED.get(&c));
    let (Some(a), Some(b)) = (words(a), words(b)) else { return false };
    a.iter().any(|(s, n)| b.iter().any(|(t, m)| s == t && n != m))
}

/// The only character of `form`.
fn one(form: &str) -> Option<char> {
    let mut chars = form.chars();
    chars.next().filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simplification_merged_words_and_not_only_forms() {
        for pair in ["雲云", "麵面", "複復", "後后", "幹干", "鬥斗", "讚贊", "隻只", "於于"]
        {
            let (a, b) = pair.split_at(3);
            assert!(are_merged(a, b), "{pair}");
        }
        for pair in ["为為", "賔賓", "獲获", "既旣", "麪麵", "裏裡", "東西", "雲雲"]
        {
            let (a, b) = pair.split_at(3);
            assert!(!are_merged(a, b), "{pair}");
        }
    }

    #[test]
    fn a_text_that_never_has_the_second_of_two_is_converted() {
        let other = ["云", "雲", "后", "後", "于", "於"];
        let own = ["雲", "雲", "後", "後", "於", "於"];
        assert!(merges(other.into_iter().zip(own)));
        assert!(!merges(own.into_iter().zip(other)));
        assert!(!merges(other.into_iter().zip(other)));
        assert!(!merges(["于", "于", "人"].into_iter().zip(["於", "於", "人"])));
    }
}
