//! Classes of characters.

/// True for a character of text: letters, ideographs, numbers, and private-use characters, which in
/// our texts represent ideographs that Unicode lacks. Punctuation, symbols (○ ● ■), blanks and
/// controls do not.
///
/// ```
/// use zhushu::text::class::is_content;
/// assert!(is_content('獲') && is_content('〇') && is_content('\u{E000}') && is_content('𧰼'));
/// assert!(!is_content('。') && !is_content('○') && !is_content('\u{3000}') && !is_content('\u{1}'));
/// ```
#[inline]
pub fn is_content(c: char) -> bool {
    match c {
        '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' => true,
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}' => true,
        // The usual punctuation, to look up less.
        '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' => false,
        '\u{FF01}'..='\u{FF0F}' => false,
        _ => c.is_alphanumeric(),
    }
}

/// True for what a terminal obeys instead of showing it: control characters, and those that turn
/// the direction of others.
pub(crate) fn is_obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// How many characters of a text are content.
pub fn content_characters(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut count, mut at) = (0, 0);
    while at < bytes.len() {
        let end = at + BLOCK_BYTES;
        if let Some(usual) = bytes.get(at..end + 2).and_then(usual_characters) {
            count += usual;
            at = end;
            continue;
        }
        // The last character of a usual block may end in this one.
        at += bytes[at..].iter().take_while(|b| !begins(**b)).count();
        let rest = text[at..].char_indices();
        let mut past = text.len();
        for (n, c) in rest {
            if at + n >= end {
                past = at + n;
                break;
            }
            count += usize::from(is_content(c));
        }
        at = past;
    }
    count
}

/// So many bytes are looked at together.
const BLOCK_BYTES: usize = 32;

/// True for the first byte of a character.
fn begins(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// How many ideographs begin in a block, which has two more bytes, if what begins in it is of the
/// first block of ideographs (from U+4E00) or a usual mark, as nearly all is. There is no branch
/// for a byte, so that many are looked at together.
fn usual_characters(block: &[u8]) -> Option<usize> {
    let (mut ideographs, mut is_usual) = (0u8, true);
    for ((b, next), last) in block.iter().zip(&block[1..]).zip(&block[2..]) {
        let ideograph = (*b >= 0xE5) & (*b <= 0xE9) | (*b == 0xE4) & (*next >= 0xB8);
        // U+3000 to 3004 and 3008 to 3020, FF01 to FF0F and FF1A to FF20, 2010 to 2027.
        let cjk = (*last >= 0x80) & (*last <= 0x84) | (*last >= 0x88) & (*last <= 0xA0);
        let wide = (*last >= 0x81) & (*last <= 0x8F) | (*last >= 0x9A) & (*last <= 0xA0);
        let general = (*last >= 0x90) & (*last <= 0xA7);
        let mark = (*b == 0xE3) & (*next == 0x80) & cjk
            | (*b == 0xEF) & (*next == 0xBC) & wide
            | (*b == 0xE2) & (*next == 0x80) & general
            | (*b == b'\n')
            | (*b == b' ');
        ideographs += u8::from(ideograph);
        is_usual &= !begins(*b) | ideograph | mark;
    }
    is_usual.then_some(usize::from(ideographs))
}

/// A mark that ends a sentence.
pub fn ends_sentence(c: char) -> bool {
    matches!(c, '。' | '!' | '?' | '！' | '？' | '．' | '｡')
}

/// A mark that ends a clause within a sentence.
pub fn ends_clause(c: char) -> bool {
    matches!(c, ',' | ';' | ':' | '，' | '；' | '：' | '、' | '､')
}

/// Signs for a character that is missing or cannot be read.
pub const LACUNAE: [char; 5] = ['□', '■', '〓', '▢', '⬚'];

/// A closing mark that belongs to the text before it.
pub fn closes(c: char) -> bool {
    matches!(c, '”' | '’' | '」' | '』' | '》' | '〉' | '）' | ')' | '】' | ']' | '〕')
}

/// An opening mark that belongs to what follows it.
pub fn opens(c: char) -> bool {
    matches!(c, '“' | '‘' | '「' | '『' | '《' | '〈' | '（' | '(' | '【' | '[' | '〔')
}

/// Punctuation that an editor added to the words: points, quotation marks, marks of titles.
/// Brackets are none, since they may say what the words in them are.
///
/// ```
/// use zhushu::text::class::is_punctuation;
/// assert!("，。“「《…".chars().all(is_punctuation));
/// assert!(!"（【○禮".chars().any(is_punctuation));
/// ```
pub fn is_punctuation(c: char) -> bool {
    ends_sentence(c)
        || ends_clause(c)
        || matches!(c, '“' | '”' | '‘' | '’' | '「' | '」' | '『' | '』' | '"')
        || matches!(c, '《' | '》' | '〈' | '〉' | '…' | '—' | '·' | '.')
}

/// Byte offsets of circles that separate text: ○ and ◯, and 〇 unless it follows a digit.
///
/// ```
/// use zhushu::text::class::circles;
/// let text = "也〇三月○二〇三";
/// assert_eq!(circles(text).map(|i| &text[i..]).collect::<Vec<_>>(), ["〇三月○二〇三", "○二〇三"]);
/// ```
pub fn circles(text: &str) -> impl Iterator<Item = usize> + '_ {
    let digit = |c: Option<char>| c.is_some_and(|c| "〇一二三四五六七八九十百千".contains(c));
    let zero = move |i: usize| text[i..].starts_with('〇') && digit(text[..i].chars().next_back());
    text.match_indices(['○', '◯', '〇']).map(|(i, _)| i).filter(move |i| !zero(*i))
}

/// A selector that chooses a glyph of the character before it (IVS and the older VS1–16).
pub fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

#[cfg(test)]
mod tests {
    use super::{content_characters, is_content};

    #[test]
    fn the_blocks_that_are_not_looked_up_have_the_classes_of_unicode() {
        let private =
            |c: char| matches!(c as u32, 0xE000..=0xF8FF | 0xF0000..=0xFFFFD | 0x100000..=0x10FFFD);
        let wrong =
            ('\0'..=char::MAX).find(|c| is_content(*c) != (c.is_alphanumeric() || private(*c)));
        assert_eq!(wrong, None);
    }

    #[test]
    fn characters_are_counted_as_they_are_judged() {
        let all = ('\0'..=char::MAX).collect::<Vec<char>>();
        for some in all.chunks(997) {
            let text: String = some.iter().collect();
            let content = some.iter().filter(|c| is_content(**c)).count();
            assert_eq!(content_characters(&text), content, "from {:?}", some[0]);
        }
        assert_eq!(content_characters(""), 0);
    }
}
