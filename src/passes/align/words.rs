//! Words of alphabets as characters, so that a translation into any language is compared with the
//! characters of the classic.
//!
//! Each word becomes a private-use character of the last plane by a hash of its first letters: one
//! form of a word stands for the others, and nothing has to be known of the language. Two words of
//! a text that share a character by chance are as rare as texts are short beside the plane.

use ecow::EcoString;
use rustc_hash::FxHasher;
use std::hash::Hasher;

use crate::source::Span;
use crate::text::Key;
use crate::text::letters::is_alphabetic;

/// Letters of a word that count; of Hangul, each of which is a syllable, fewer.
const STEM_LETTERS: usize = 6;
const STEM_SYLLABLES: usize = 2;
/// Syllables that Korean adds to a word of one.
const PARTICLES: &str = "이가은는을를의에도와과로";
/// The characters that stand for words.
const PLANE: std::ops::Range<u32> = 0x10_0000..0x10_FFFE;
/// A translation of which more than half of the characters are none of Chinese is in another
/// language.
const FOREIGN_SHARE: usize = 2;

/// What is compared of some spans of a text, and how it is written there: folded content
/// characters, and words.
pub fn tokens(text: &str, spans: &[Span]) -> Vec<(char, EcoString)> {
    let key = Key::of_spans(text, spans.iter().copied());
    let mut tokens: Vec<(char, EcoString)> = Vec::with_capacity(key.chars.len());
    // Where the word would go on that is open.
    let mut open: Option<usize> = None;
    for (c, at) in key.chars.iter().zip(&key.at) {
        let at = *at as usize;
        let Some(written) = text[at..].chars().next() else { continue };
        let goes_on = open == Some(at);
        open = is_alphabetic(written).then_some(at + written.len_utf8());
        match tokens.last_mut().filter(|_| goes_on && open.is_some()) {
            Some((_, word)) => word.push(written),
            None => tokens.push((*c, EcoString::from(written))),
        }
    }
    let is_word = |written: &str| written.starts_with(is_alphabetic);
    for (c, word) in tokens.iter_mut().filter(|(_, written)| is_word(written)) {
        *c = sign(word);
    }
    tokens
}

/// The character that stands for a word.
pub fn sign(word: &str) -> char {
    let mut hash = FxHasher::default();
    let is_hangul = word.starts_with(|c| matches!(c, '\u{AC00}'..='\u{D7A3}'));
    let count = match word.chars().nth(1) {
        Some(second) if is_hangul && word.chars().count() == 2 && PARTICLES.contains(second) => 1,
        _ if is_hangul => STEM_SYLLABLES,
        _ => STEM_LETTERS,
    };
    let letters = word.chars().flat_map(char::to_lowercase).take(count);
    letters.for_each(|c| hash.write_u32(c as u32));
    let place = (hash.finish() >> 32) as u32 % (PLANE.end - PLANE.start);
    char::from_u32(PLANE.start + place).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// True for characters of another language than Chinese.
pub fn is_foreign(chars: impl Iterator<Item = char>) -> bool {
    let (mut all, mut foreign) = (0, 0);
    for c in chars {
        all += 1;
        foreign += usize::from(
            PLANE.contains(&(c as u32))
                || matches!(c, '\u{3041}'..='\u{30FF}' | '\u{AC00}'..='\u{D7A3}'),
        );
    }
    foreign * FOREIGN_SHARE > all
}

/// Tokens of a translation for each character of its classic, at least and at most, if both are
/// whole: in Japanese, in Korean, and in languages of which each word is a token. Seven
/// translations that were measured have 3.1, .90 to .97, and 1.3 to 1.6.
const WHOLE: [(Writing, f64, f64); 3] =
    [(Writing::Kana, 2.3, 5.0), (Writing::Hangul, 0.7, 1.6), (Writing::Words, 1.1, 3.0)];

#[derive(PartialEq, Eq)]
enum Writing {
    Kana,
    Hangul,
    Words,
}

/// True if a translation into another language is as long as one of all the `classic` characters.
/// `tokens` are those of the translation, with what is written there.
pub fn is_whole<'t>(classic: usize, tokens: impl Iterator<Item = &'t str>) -> bool {
    let (mut all, mut kana, mut hangul) = (0, 0, 0);
    for written in tokens {
        all += 1;
        let first = written.chars().next().unwrap_or_default();
        kana += usize::from(matches!(first, '\u{3041}'..='\u{30FF}'));
        hangul += usize::from(matches!(first, '\u{AC00}'..='\u{D7A3}'));
    }
    let writing = match () {
        () if kana * FOREIGN_SHARE > all => Writing::Kana,
        () if hangul * FOREIGN_SHARE > all => Writing::Hangul,
        () => Writing::Words,
    };
    let share = all as f64 / classic.max(1) as f64;
    WHOLE.iter().any(|(of, least, most)| *of == writing && (*least..*most).contains(&share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_single_characters_and_ideographs_stay() {
        let text = "The Masters (子) said; the master says 「仁」.";
        let all = tokens(text, &[Span::new(0, text.len())]);
        let written: Vec<&str> = all.iter().map(|t| t.1.as_str()).collect();
        assert_eq!(written, ["The", "Masters", "子", "said", "the", "master", "says", "仁"]);
        assert_eq!((all[0].0, all[1].0), (all[4].0, all[5].0));
        assert_eq!((all[2].0, all[7].0), ('子', '仁'));
        assert_ne!(all[3].0, all[1].0);
        assert!(is_foreign(all.iter().map(|t| t.0)) && !is_foreign("子曰仁".chars()));
    }

    #[test]
    fn korean_words_are_the_same_with_any_particle() {
        for (a, b) in [("맹자가", "맹자께서"), ("왕이", "왕은"), ("왕이", "왕")] {
            assert_eq!(sign(a), sign(b), "{a} {b}");
        }
        assert_ne!(sign("왕이"), sign("이익"));
    }

    #[test]
    fn a_translation_of_a_part_is_shorter() {
        let tokens = |word: &'static str, n: usize| std::iter::repeat_n(word, n);
        assert!(is_whole(100, tokens("맹자가", 90)) && !is_whole(100, tokens("맹자가", 40)));
        assert!(is_whole(100, tokens("は", 300)) && !is_whole(100, tokens("は", 150)));
        assert!(is_whole(100, tokens("king", 150)) && !is_whole(100, tokens("king", 90)));
    }
}
