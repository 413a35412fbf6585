//! Words of several lines or sentences as one line: blanks where a script has them between words,
//! none in Chinese.

use super::class::is_content;
use super::letters::is_spaced;

/// One line, made of stretches that are given one after the other.
#[derive(Default)]
pub(crate) struct OneLine {
    made: String,
    /// A line or a sentence ended, and nothing was added since.
    is_broken: bool,
}

impl OneLine {
    /// Adds words. Their line ends are left out.
    pub fn push(&mut self, words: &str) {
        for (i, c) in words.char_indices() {
            if matches!(c, '\n' | '\r') {
                self.is_broken = true;
                continue;
            }
            if self.start_of(&words[i..]) > self.made.len() {
                self.made.push(' ');
            }
            self.made.push(c);
            self.is_broken = false;
        }
    }

    /// Adds another sentence.
    pub fn push_sentence(&mut self, words: &str) {
        self.is_broken = true;
        self.push(words.trim());
    }

    /// Where the next words begin: after the blank that stands for a line end before them.
    pub fn start_of(&self, words: &str) -> usize {
        self.made.len() + usize::from(self.is_broken && is_apart(&self.made, words))
    }

    /// Bytes so far.
    pub fn len(&self) -> usize {
        self.made.len()
    }

    /// The line.
    pub fn into_words(self) -> String {
        self.made
    }
}

/// True if a blank is due between the end of a line and the next. A word that is divided at the end
/// stays as it is written.
fn is_apart(before: &str, after: &str) -> bool {
    let no_blank_after = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '“' | '‘' | '-');
    let no_blank_before =
        |c: char| c.is_whitespace() || matches!(c, ')' | ']' | '”' | '’' | ',' | '.' | ';' | ':');
    let spaced = |c: Option<char>| c.is_some_and(is_spaced);
    spaced(before.chars().rev().find(|c| is_content(*c)))
        && spaced(after.chars().find(|c| is_content(*c)))
        && !before.ends_with(no_blank_after)
        && !after.starts_with(no_blank_before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_stands_for_a_line_end_where_the_script_has_blanks() {
        let line = |words: &str| {
            let mut line = OneLine::default();
            line.push(words);
            line.into_words()
        };
        for (words, one) in [
            ("學而時習之\n不亦說乎", "學而時習之不亦說乎"),
            ("friends coming\nfrom afar", "friends coming from afar"),
            ("constant\r\napplication?\n\"Is it", "constant application? \"Is it"),
            ("learn,\nand to \nrest (\nnow\n)", "learn, and to rest (now)"),
            ("perse-\nverance", "perse-verance"),
            ("曰：\nlearn", "曰：learn"),
            ("배우고\n때로", "배우고 때로"),
            ("他說：“好。”\n“是。”", "他說：“好。”“是。”"),
        ] {
            assert_eq!(line(words), one, "{words:?}");
        }
        let mut line = OneLine::default();
        for sentence in ["Is it not pleasant?", " Is he not complete?", "君子。", "小人。"] {
            line.push_sentence(sentence);
        }
        assert_eq!(line.into_words(), "Is it not pleasant? Is he not complete?君子。小人。");
    }
}
