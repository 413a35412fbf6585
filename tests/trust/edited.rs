//! Random edits of bytes.

use super::dice::Dice;

/// What formats give a meaning to.
const TOKENS: &[&str] = &[
    "<",
    ">",
    "</",
    "/>",
    "<seg>",
    "</seg>",
    "<fw type=\"x\">",
    "<choice>",
    "<sic>",
    "&amp;",
    "&#x1;",
    "&KR0925;",
    "]]>",
    "<!--",
    "-->",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\\",
    "\\u0000",
    "null",
    "1e999",
    "[[text]]",
    "file = \"..\"",
    "=",
    "\n",
    "\r\n",
    "\u{85}",
    "\n\n",
    "\t",
    "¶",
    "　",
    "○",
    "【",
    "】",
    "〔",
    "〕",
    "（",
    "）",
    "“",
    "”",
    "《",
    "》",
    "疏",
    "注",
    "[疏]",
    "釋曰",
    "至",
    "。",
    "\u{0}",
    "\u{1}",
    "\u{202E}",
    "\u{FEFF}",
    "\u{E000}",
    "\u{10FFFF}",
    "𠂉",
    "葛\u{E0100}",
    "扌兌",
    "e\u{301}",
    "<pb:KR1d0026_SBCK_006-1b>",
    "# ",
    "## 第一",
    "AND",
    "OR",
    "NOT",
    "NEAR/5",
    "re:",
    "注:",
    "by:",
    "@",
    "(",
    ")",
    "*",
    "?",
];

/// `seed` after a few random edits; `others` are texts that parts may come from.
pub fn edited(seed: &[u8], others: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len() + 1);
        let length = [1, 3, 9, 60, 400][dice.below(5)];
        let end = (at + dice.below(length) + 1).min(bytes.len());
        match dice.below(9) {
            0 => drop(bytes.drain(at..end.max(at))),
            1 => {
                let part = bytes[at..end.max(at)].to_vec();
                let to = dice.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            2 => {
                let part: Vec<u8> = bytes.drain(at..end.max(at)).collect();
                let to = dice.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            3 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
            4 => {
                let other = &others[dice.below(others.len())];
                let from = dice.below(other.len() + 1);
                let to = (from + dice.below(400)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            5 => bytes.truncate(at),
            6 => {
                let times = [1, 2, 40, 300][dice.below(4)];
                let token = TOKENS[dice.below(TOKENS.len())].repeat(times);
                bytes.splice(at..at, token.bytes());
            }
            _ => {
                let token = TOKENS[dice.below(TOKENS.len())];
                bytes.splice(at..end.max(at), token.bytes());
            }
        }
    }
    bytes
}
