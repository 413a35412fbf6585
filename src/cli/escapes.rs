//! Shows characters that a terminal would obey: a text, or the name of a file, could set its title,
//! move its cursor or turn the order of its signs.

use std::borrow::Cow;

/// Words as a terminal may get them.
pub fn shown(words: &str) -> Cow<'_, str> {
    replaced(words, |_| 0)
}

/// The same, but styles (`ESC [ … m`) stay. For words that the program styled.
pub fn shown_styled(words: &str) -> Cow<'_, str> {
    replaced(words, style)
}

/// Bytes of the style with which `words` begin; 0 if they begin with none.
fn style(words: &str) -> usize {
    let Some(rest) = words.strip_prefix("\x1b[") else { return 0 };
    let numbers = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b';').count();
    if rest[numbers..].starts_with('m') { "\x1b[m".len() + numbers } else { 0 }
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

/// True for control characters, and for those that turn the direction of others.
fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() && !matches!(c, '\n' | '\t')
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
    }
}
