//! Lists of words that other words are, begin with, end with or have in them. They are asked for
//! each piece of each note, and nearly always in vain: one character tells.

use rustc_hash::FxHashMap;

/// Some words.
#[derive(Debug, Default)]
pub(super) struct WordList {
    /// By their first characters, and by their last.
    by_first: FxHashMap<char, Vec<Vec<char>>>,
    by_last: FxHashMap<char, Vec<Vec<char>>>,
}

impl Extend<Vec<char>> for WordList {
    fn extend<T: IntoIterator<Item = Vec<char>>>(&mut self, words: T) {
        for word in words {
            if let (Some(first), Some(last)) = (word.first(), word.last()) {
                self.by_first.entry(*first).or_default().push(word.clone());
                self.by_last.entry(*last).or_default().push(word);
            }
        }
    }
}

impl WordList {
    /// Those of which some characters begin with.
    pub fn at_start<'w>(&'w self, chars: &'w [char]) -> impl Iterator<Item = &'w [char]> {
        let all = chars.first().and_then(|c| self.by_first.get(c));
        all.into_iter().flatten().map(Vec::as_slice).filter(|word| chars.starts_with(word))
    }

    /// Those of which some characters end with.
    pub fn at_end<'w>(&'w self, chars: &'w [char]) -> impl Iterator<Item = &'w [char]> {
        let all = chars.last().and_then(|c| self.by_last.get(c));
        all.into_iter().flatten().map(Vec::as_slice).filter(|word| chars.ends_with(word))
    }

    /// True if some characters are one of them.
    pub fn has(&self, chars: &[char]) -> bool {
        self.at_start(chars).any(|word| word.len() == chars.len())
    }

    /// True if one of them is among some characters.
    pub fn is_in(&self, chars: &[char]) -> bool {
        (0..chars.len()).any(|n| self.at_start(&chars[n..]).next().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_they_are() {
        let chars = |words: &str| words.chars().collect::<Vec<char>>();
        let mut list = WordList::default();
        list.extend(["謂之", "之", "也"].map(chars));
        let words = chars("謂之也");
        assert_eq!(list.at_start(&words).map(<[char]>::len).collect::<Vec<_>>(), [2]);
        assert_eq!(list.at_end(&words).map(<[char]>::len).collect::<Vec<_>>(), [1]);
        assert!(list.is_in(&chars("何之有")) && !list.is_in(&chars("何有")));
        assert!(list.has(&chars("謂之")) && !list.has(&words) && !list.has(&[]));
    }
}
