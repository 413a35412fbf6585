//! Shows characters that a terminal would obey: a text, or the name of a file, could set its title,
//! move its cursor or turn the order of its signs.

use std::borrow::Cow;

use crate::text::class;

/// Words as a terminal may get them.
pub fn shown(words: &str) -> Cow<'_, str> {
    replaced(words, |_| 0)
}

/// The same, but the styles of the program stay: bold, underlined, colours of letters. Others
/// (`ESC [ 8 m` hides what follows) are not its own. For words that the program styled.
pub fn shown_styled(words: &str) -> Cow<'_, str> {
    replaced(words, style)
}

/// Bytes in which a style ends.
const MAX_STYLE: usize = 16;

/// Bytes of the style with which `words` begin; 0 if they begin with none.
fn style(words: &str) -> usize {
    let Some(rest) = words.strip_prefix("\x1b[") else { return 0 };
    let Some(numbers) = rest.bytes().take(MAX_STYLE).position(|b| b == b'm') else { return 0 };
    let is_own = |n: &str| matches!(n.parse(), Ok(0..=4 | 31..=37 | 90..=97));
    if rest[..numbers].split(';').all(is_own) { "\x1b[m".len() + numbers } else { 0 }
}

fn replaced(words: &str, kept: impl Fn(&str) -> usize) -> Cow<'_, str> {
    if !words.chars().any(is_obeyed) {
        return Cow::Borrowed(words);
    }
    let mut out = String::with_capacity(words.len());
    let mut from = 0;
    for (at, c) in words.char_indices() {
        if at < from {
            continue;
        }
        let rest = &words[at..];
        let bytes = if rest.starts_with("\r\n") { 1 } else { kept(rest) };
        if bytes > 0 {
            out.push_str(&rest[..bytes]);
            from = at + bytes;
        } else {
            out.push(if is_obeyed(c) { sign(c) } else { c });
        }
    }
    Cow::Owned(out)
}

/// True for what must not reach a terminal as it is.
fn is_obeyed(c: char) -> bool {
    class::is_obeyed(c) && !matches!(c, '\n' | '\t')
}

/// What is shown for it.
fn sign(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '␡',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown_as_signs() {
        assert_eq!(shown("子曰\t學\r\n而\n"), "子曰\t學\r\n而\n");
        assert_eq!(shown("\x1b]0;a\x07\x1b[2J\r\x7f\u{9b}\u{202e}"), "␛]0;a␇␛[2J␍␡��");
        assert_eq!(shown("\x1b[1m"), "␛[1m");
    }

    #[test]
    fn styles_of_the_program_stay() {
        assert_eq!(shown_styled("\x1b[1;31m子\x1b[0m"), "\x1b[1;31m子\x1b[0m");
        assert_eq!(shown_styled("\x1b[2J\x1b[\x1b[1"), "␛[2J␛[␛[1");
        assert_eq!(shown_styled("\x1b[8m\x1b[1;30m子"), "␛[8m␛[1;30m子");
    }
}
