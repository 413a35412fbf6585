//! Readings of characters in the style of 陸德明, recognised by their form: 丁丈反, 音值, 如字, 注同.

use std::sync::LazyLock;

use regex::Regex;

use super::class::is_content;
use super::pattern;

/// The form of a gloss on the sound.
static GLOSS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\p{Han}{2}反(?:[^\p{Han}]|$)|\p{Han}{2}反[又徐沈下注一]|音\p{Han}(?:[，,。；;、”」又下注一或徐]|$)|如字|[平上去入][聲声]|[注下皆並并][同放][。，,]?",
    )
});
/// Forms that notes on the meaning also use.
static LOOSE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"本[又亦或]?作|(?:讀|读)(?:曰|如|为|爲|為)"));
/// Longest stretch without a gloss between two of them, in characters.
const MAX_GAP_CHARS: usize = 60;
/// Shortest text that can follow the readings in the same line, in characters.
const MIN_TEXT_CHARS: usize = 8;

/// True if text after a ○ contains a gloss of sound.
pub fn is_reading(words: &str) -> bool {
    GLOSS.is_match(words) || LOOSE.is_match(words)
}

/// True if a sentence contains a gloss of sound.
pub fn is_gloss(sentence: &str) -> bool {
    GLOSS.is_match(sentence)
}

/// The first ○ in an undivided paragraph that readings follow.
pub fn inside(words: &str) -> Option<usize> {
    words.match_indices(['○', '◯']).map(|(i, _)| i).find(|i| {
        let rest = &words[i + '○'.len_utf8()..];
        let near = rest.char_indices().nth(MAX_GAP_CHARS).map_or(rest, |(end, _)| &rest[..end]);
        is_reading(near.split('。').next().unwrap_or(near))
    })
}

/// Where the readings at the start of `words` end: after the last sentence with a gloss that is
/// close to the previous one.
pub fn end(words: &str) -> usize {
    let (mut at, mut end, mut gap) = (0, 0, 0);
    for sentence in words.split_inclusive('。') {
        at += sentence.len();
        gap += sentence.chars().filter(|c| is_content(*c)).count();
        if GLOSS.is_match(sentence) {
            (end, gap) = (at, 0);
        } else if gap > MAX_GAP_CHARS {
            break;
        }
    }
    end + closing(&words[end..])
}

/// Bytes of closing marks.
fn closing(words: &str) -> usize {
    words.len() - words.trim_start_matches(['”', '’', '」', '』', '）', ')']).len()
}

/// True if what follows the readings of a line is long enough to be text.
pub fn can_be_text(words: &str) -> bool {
    !GLOSS.is_match(words)
        && words.contains('。')
        && words.chars().filter(|c| is_content(*c)).count() >= MIN_TEXT_CHARS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_end_where_text_continues() {
        let line =
            "偕音皆,俱也。共,九用反。首,先也。是以君臣盡志於射,以習禮樂。樂者,音之所由生也。";
        assert_eq!(&line[..end(line)], "偕音皆,俱也。共,九用反。");
        assert!(can_be_text("是以君臣盡志於射,以習禮樂。"));
        assert!(!can_be_text("首,先也。"));
        assert!(!is_reading("樂者,音之所由生也。") && !is_reading("反位,揖而反之。"));
    }

    #[test]
    fn readings_are_found_inside_a_paragraph() {
        let words = "射者進退中禮。內正外直。○中,丁仲反。下同。其節,天子以騶虞為節。";
        assert_eq!(inside(words), words.find('○'));
        assert_eq!(inside("燕禮○小臣戒與者。"), None);
    }
}
