//! The words by which references are known. They are data: rows of `data/cues.tsv`, which says what
//! each is for.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::both_scripts::pattern_in_both_scripts;
use crate::text::char_floor;
use crate::text::fold::fold_script;

static DATA: &str = include_str!("data/cues.tsv");

macro_rules! rows {
    ($read:ident -> $type:ty: $($name:ident)*) => {
        $(
            #[allow(missing_docs)]
            pub static $name: LazyLock<$type> = LazyLock::new(|| $read(row(stringify!($name))));
        )*
    };
}

rows! { pattern_in_both_scripts -> Regex:
    TO_QUOTE NOTE_SAYS TAIL MENTION AND ELSEWHERE IBID OWN_WORK SOURCE_OF DESCRIBED ABOUT_WORK
    OPENS_WITH_TITLE INSTANCE SCOPE CUE CUE_TAIL RANGE OPENING UNQUOTED POINTER THIS_PASSAGE TAKEN_UP
    RECENSION NOTE_EXPLAINS NOTE_TAKES_UP WHERE ALIKE YEAR BARE_YEAR NAMES_TRADITION LABEL
}

rows! { characters -> Characters:
    QUOTING_VERBS VERBS FROM_THERE GOES_ON CONCLUDES NOTES_ON LEADS FROM REPORTING BEFORE_WORDS
    AFTER_WORDS BEFORE_SURNAME BEFORE_BARE OF_THIS_DUKE
}

rows! { words -> Words:
    LOST_SONGS AFTER_SONG LISTS_OF_OFFICES TO REFERRED_TO MASTER ANY_TRADITION
}

fn row(name: &str) -> &'static str {
    let mut rows = DATA.lines().filter_map(|line| line.split_once('\t'));
    rows.find(|(n, _)| *n == name).map(|(_, cue)| cue).expect("cues.tsv has a row of this name")
}

/// Some characters, in both scripts.
pub struct Characters(Vec<char>);

fn characters(row: &str) -> Characters {
    Characters(row.chars().map(fold_script).collect())
}

impl Characters {
    /// True if a character is one of them.
    pub fn has(&self, c: char) -> bool {
        self.0.contains(&fold_script(c))
    }
}

/// Some words, in both scripts.
pub struct Words(Vec<String>);

fn words(row: &str) -> Words {
    Words(row.split(' ').map(folded).collect())
}

impl Words {
    /// True if a word is one of them.
    pub fn has(&self, word: &str) -> bool {
        self.0.contains(&folded(word))
    }

    /// True if a text begins with one of them.
    pub fn begin(&self, text: &str) -> bool {
        let most = self.0.iter().map(String::len).max().unwrap_or(0);
        let head = folded(&text[..char_floor(text, most)]);
        self.0.iter().any(|word| head.starts_with(word))
    }

    /// True if a text ends with one of them.
    pub fn end(&self, text: &str) -> bool {
        let text = folded(text);
        self.0.iter().any(|word| text.ends_with(word))
    }
}

fn folded(word: &str) -> String {
    word.chars().map(fold_script).collect()
}

/// What belongs to a title of the text after it: 注, 職.
pub fn tail(after: &str) -> &str {
    let tail = TAIL.find(after).map_or("", |m| m.as_str());
    tail.trim_end_matches(|c| QUOTING_VERBS.has(c) || matches!(c, ':' | '：' | ',' | '，' | '者'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_used() {
        let source = include_str!("cues.rs");
        for line in DATA.lines().filter(|l| !l.starts_with('#')) {
            let (name, _) = line.split_once('\t').expect("a name and a cue");
            assert!(source.split([' ', '\n']).any(|word| word == name), "{name}");
        }
    }

    #[test]
    fn a_cue_means_both_scripts() {
        assert!(NOTES_ON.has('笺') && TO.begin("尽“凶”") && MASTER.end("故夫子"));
        assert_eq!(
            (tail("职云"), tail("職者"), tail("注，"), tail("注之")),
            ("职", "職", "注", "注")
        );
    }
}
