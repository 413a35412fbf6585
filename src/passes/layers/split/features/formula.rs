//! Phrases that are typical of commentaries.

use std::sync::LazyLock;

use crate::passes::evidence::paragraph::Paragraph;
use crate::text::fold::fold;

/// Words about words and texts: common in commentaries, rare in a classic.
static OF_WORDS: LazyLock<Vec<Vec<char>>> = LazyLock::new(|| {
    lines(include_str!("../data/words-of-words.txt"))
        .map(|l| l.chars().map(fold).collect())
        .collect()
});
static SOUNDS: LazyLock<Vec<Vec<char>>> = LazyLock::new(|| {
    ["平聲", "上聲", "去聲", "入聲", "讀作", "讀爲", "讀曰", "讀如", "音", "叶", "協韻"]
        .iter()
        .map(|w| w.chars().map(fold).collect())
        .collect()
});

/// Names of authorities that commentaries cite.
static COMMENTATORS: LazyLock<Vec<Vec<char>>> = LazyLock::new(|| {
    lines(include_str!("../data/commentators.txt")).map(|l| l.chars().map(fold).collect()).collect()
});
/// Verbs of saying.
static SAYING_VERBS: LazyLock<Vec<char>> =
    LazyLock::new(|| "曰云雲謂以按案讀".chars().map(fold).collect());

fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'))
}

/// 猶 謂 讀 之言: verbs of explanation, in both scripts.
pub const EXPLAINING_VERBS: [char; 6] = ['猶', '犹', '謂', '谓', '讀', '读'];

/// The words a note explains: its first clause up to 者, 猶 or 謂, without a leading 言 or 云.
pub fn term(words: &[char]) -> &[char] {
    let words = match words {
        [first, rest @ ..] if matches!(first, '言' | '云' | '雲' | '凡') && !rest.is_empty() => {
            rest
        }
        _ => words,
    };
    let end = words
        .iter()
        .position(|c| *c == '者' || EXPLAINING_VERBS.contains(c))
        .unwrap_or(words.len());
    &words[..end.min(8)]
}

/// If X,Y也 begins with this clause, a short one before a short one that ends a sentence: whether
/// it has its 也.
pub fn gloss(p: &Paragraph, unit: usize) -> Option<bool> {
    let (x, y) = (&p.units[unit], p.units.get(unit + 1)?);
    let short = x.to - x.from <= 4 && y.to - y.from <= 12 && !x.ends_sentence && y.ends_sentence;
    let ye = ends_ye(&p.key.chars[y.from..y.to]);
    (short && (ye || y.to - y.from <= 5)).then_some(ye)
}

/// True if `hay` contains `needle`.
pub fn contains(hay: &[char], needle: &[char]) -> bool {
    hay.len() >= needle.len() && hay.windows(needle.len()).any(|w| w == needle)
}

/// True if a particle ends the words.
pub fn ends_ye(words: &[char]) -> bool {
    matches!(words.last(), Some('也' | '矣' | '焉' | '耳' | '爾' | '尔' | '與' | '与' | '乎'))
}

/// True for a clause that gives the sound of a character: 丁丈反, 平聲, X音Y, 讀作泰.
pub fn is_sound(words: &[char]) -> bool {
    words.len() <= 9
        && (words.len() >= 3 && words.ends_with(&['反'])
            || SOUNDS.iter().any(|w| contains(words, w)))
}

/// True if the words begin with 今文 or 古文.
pub fn recension(words: &[char]) -> bool {
    matches!(words, ['今' | '古', '文', ..])
}

/// The eight trigrams.
static TRIGRAMS: LazyLock<Vec<char>> =
    LazyLock::new(|| "乾坤震巽坎離艮兌".chars().map(fold).collect());

/// True for the two trigrams of a hexagram: 坤下離上.
pub fn hexagram(words: &[char]) -> bool {
    matches!(words, [low, '下', high, '上'] if [low, high].iter().all(|c| TRIGRAMS.contains(c)))
}

/// True if the words begin with a word about words or texts.
pub fn of_words(words: &[char]) -> bool {
    OF_WORDS.iter().any(|w| words.starts_with(w))
}

/// True if the words begin with a citation of an authority: 鄭司農云, 程子曰.
pub fn commentator(words: &[char]) -> bool {
    let speaks = |name: &Vec<char>| {
        words
            .strip_prefix(&name[..])
            .is_some_and(|rest| rest.first().is_some_and(|c| SAYING_VERBS.contains(c)))
    };
    COMMENTATORS.iter().any(speaks)
}
