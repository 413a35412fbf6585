//! Aids for readers between the characters of a text: kunten and okurigana, 懸吐, pinyin, 注音 and
//! ruby in brackets, notes of a transcriber in `［＃…］`. They block search and look like notes.

use std::sync::LazyLock;

use regex::Regex;

use super::edits::{Edits, NOTE};
use super::{Taken, VesselHints};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::pattern;

/// Least number of aids of a kind: a single one may be a note or a quotation.
const MIN_AIDS: usize = 3;
/// Largest share of hangul in a Chinese text: with more it is a translation.
const MAX_SHARE: f64 = 0.35;

/// Notes of a transcriber, as Aozora Bunko writes them.
static NOTES: LazyLock<Regex> = LazyLock::new(|| pattern(r"［＃[^］\n]{1,80}］"));
/// Those around a note in double rows, which is text.
const NOTE_OPENS: &str = "［＃割り注］";
const NOTE_CLOSES: &str = "［＃割り注終わり］";
/// A sound in brackets after a character.
static SOUNDS: LazyLock<Regex> = LazyLock::new(|| {
    let sound = r"[a-zA-Zāáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜüńňǹḿê' ]+[1-5]?|[ㄅ-ㄯˊˇˋ˙ ]+|[\p{Hiragana}\p{Katakana}ー]+|\p{Hangul}+";
    pattern(&format!(r"\p{{Han}}(?P<aid>[（(《](?:{sound})[）)》])"))
});
/// Signs of the order of reading.
static KUNTEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\u{3191}-\u{319F}]+"));
static KANA: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"[\p{Hiragana}\p{Katakana}ー・]*[\p{Hiragana}\p{Katakana}][\p{Hiragana}\p{Katakana}ー]*",
    )
});
static HANGUL: LazyLock<Regex> = LazyLock::new(|| pattern(r"[（(]?\p{Hangul}+[）)]?"));

/// Finds the aids.
pub(super) fn find(text: &str, _: VesselHints<'_>) -> Taken {
    let mut aids: Vec<Span> = all(&NOTES, text);
    let sounds: Vec<Span> = SOUNDS
        .captures_iter(text)
        .filter_map(|c| c.name("aid").map(|m| Span::new(m.start(), m.end())))
        .collect();
    if sounds.len() >= MIN_AIDS || !aids.is_empty() {
        aids.extend(sounds);
    }
    let signs = all(&KUNTEN, text);
    if signs.len() >= MIN_AIDS {
        aids.extend(all(&KANA, text));
        aids.extend(signs);
    }
    let hangul = all(&HANGUL, text);
    let chars = hangul.iter().map(|s| text[s.range()].chars().count()).sum::<usize>();
    let all_chars = text.chars().filter(|c| is_content(*c) && !c.is_ascii()).count();
    if hangul.len() >= MIN_AIDS && chars as f64 <= MAX_SHARE * all_chars as f64 {
        aids.extend(hangul);
    }
    let Some(first) = aids.iter().min().copied() else { return Taken::default() };
    let message = format!("{} aids for reading are left out of the text", aids.len());
    let remarks = vec![Diagnostic::info("reading-aids", first, message)];
    let mut edits = Edits::default();
    for (sign, bracket) in [(NOTE_OPENS, NOTE.0), (NOTE_CLOSES, NOTE.1)] {
        let found = text.match_indices(sign).map(|(at, _)| (at, at + sign.len()));
        found.for_each(|(from, to)| edits.shown(from, to, bracket));
    }
    aids.iter().for_each(|aid| edits.mark(aid.start(), aid.end()));
    Taken { edits: edits.finish(), remarks, ..Taken::default() }
}

fn all(pattern: &Regex, text: &str) -> Vec<Span> {
    pattern.find_iter(text).map(|m| Span::new(m.start(), m.end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vessels::LogicalText;

    fn read(text: &str) -> String {
        LogicalText::of(text).without(&find(text, VesselHints::default()).edits).text().to_string()
    }

    #[test]
    fn aids_are_taken_out() {
        assert_eq!(read("学［＃二］而時習［＃一］之《これ》。"), "学而時習之。");
        assert_eq!(
            read("子曰ハク、學ンデ而時ニ習㆑之ヲ、不㆓亦說バシカラ㆒乎。"),
            "子曰、學而時習之、不亦說乎。"
        );
        assert_eq!(read("學(xué)而時(shí)習(xí)之【包曰】"), "學而時習之【包曰】");
        assert_eq!(read("學而時習之면 不亦說乎아 有朋이 來"), "學而時習之 不亦說乎 有朋 來");
    }

    #[test]
    fn one_word_in_brackets_stays() {
        assert_eq!(read("子(Zi)曰：學而時習之。"), "子(Zi)曰：學而時習之。");
    }
}
