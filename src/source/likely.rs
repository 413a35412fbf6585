//! How likely a character is in a Chinese text, in bits.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Bits of a character of no class that Chinese texts use.
pub(super) const ODD: u8 = 22;

/// Bits of characters that the table lacks. A later row replaces an earlier one.
const CLASSES: &[(RangeInclusive<usize>, u8)] = &[
    // ASCII: signs, controls, then what is common in it.
    (0x00..=0x7F, 8),
    (0x00..=0x1F, 20),
    (0x7F..=0x7F, 20),
    // Pinyin, and symbols of editions.
    (0xA0..=0x24F, 15),
    (0x2000..=0x206F, 15),
    (0x2460..=0x24FF, 15),
    (0x25A0..=0x25FF, 15),
    (0x3000..=0x303F, 15),
    (0xFF00..=0xFFEF, 15),
    // Kana and Zhuyin; kana of half width are what half of the bytes of other encodings would be.
    (0x3040..=0x312F, 21),
    (0x3041..=0x3096, 13),
    (0x30A1..=0x30FC, 15),
    (0xFF61..=0xFF9F, 17),
    // Zhuyin with its tones.
    (0x3105..=0x312F, 14),
    (0x2C7..=0x2D9, 14),
    (0x4E00..=0x9FFF, 18),
    (0x3400..=0x4DBF, 20),
    // Hangul, and the second codes that Korean characters have for a second sound.
    (0xAC00..=0xD7A3, 17),
    (0xF900..=0xFA0B, 18),
];

/// Bits of Han characters beyond the Basic Multilingual Plane.
const BEYOND: u8 = 21;

/// Added to the bits of a common character.
const COMMON: u8 = 0x80;

/// For each character of the Basic Multilingual Plane its bits, and whether it is common.
static TABLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut table = vec![ODD; 1 << 16];
    CLASSES.iter().for_each(|(range, bits)| table[range.clone()].fill(*bits));
    let ascii = (0..0x80_u8).filter(u8::is_ascii_alphanumeric);
    ascii.for_each(|c| table[usize::from(c)] |= COMMON);
    // Blanks and line ends.
    b" \n\r\t".iter().for_each(|c| table[usize::from(*c)] = 6 | COMMON);
    for line in include_str!("data/characters.tsv").lines().filter(|l| !l.starts_with('#')) {
        let Some((bits, chars)) = line.split_once('\t') else { continue };
        let bits = bits.parse().unwrap_or(ODD) | COMMON;
        chars.chars().for_each(|c| table[c as usize] = bits);
    }
    table
});

/// Bits of a character, and whether it is a common one.
pub(super) fn cost(c: char) -> (u8, bool) {
    match TABLE.get(c as usize) {
        Some(entry) => (entry & !COMMON, entry & COMMON != 0),
        None => (if matches!(c, '\u{20000}'..='\u{3FFFF}') { BEYOND } else { ODD }, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_character_once() {
        let mut seen = std::collections::HashSet::new();
        for line in include_str!("data/characters.tsv").lines().filter(|l| !l.starts_with('#')) {
            let (bits, chars) = line.split_once('\t').expect("two columns");
            assert!(bits.parse::<u8>().is_ok_and(|b| b < ODD), "{bits}");
            assert!(chars.chars().all(|c| c as usize <= 0xFFFF && seen.insert(c)), "{bits}");
        }
    }

    #[test]
    fn common_characters_cost_less() {
        assert_eq!(
            (cost('之').1, cost('龘').1, cost(' '), cost('{')),
            (true, false, (6, true), (8, false))
        );
        assert!(cost('說').0 < cost('説').0 && cost('説').0 < cost('龘').0 && cost('龘').0 < ODD);
    }
}
