//! Messages of the program in other languages than English.
//!
//! Code says what it has to say in English, where it happens: a [`Diagnostic`](crate::Diagnostic)
//! or an [`Error`](crate::Error) is text, which is kept in a build and written as JSON. Only what
//! is shown to a person is translated, by catalogues in the form of GNU gettext (`.po`): a `msgid`
//! is the string of the code, with its arguments in braces.
//!
//! A finished message is compared with these patterns, and what is in the place of an argument is
//! taken over. An argument may be a message itself (“cannot read: permission denied”) or a list of
//! them. What no pattern fits is shown as it is, in English.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::Language;

/// How deep messages in messages are looked for.
const DEPTH: usize = 4;
/// Fewer letters than these outside its arguments, and a pattern fits too much: then an argument
/// may not be several English words.
const FEW_LETTERS: usize = 4;
/// What separates the members of a list, in English and in Chinese.
const LISTS: [(&str, &str); 2] = [("; ", "；"), (", ", "，")];

/// The messages of one language.
struct Catalogue {
    exact: HashMap<String, String>,
    /// Those with arguments, the ones with most words of their own first.
    patterns: Vec<Pattern>,
}

/// A message with arguments.
struct Pattern {
    /// What is before, between and after the arguments.
    pieces: Vec<String>,
    names: Vec<String>,
    letters: usize,
    translation: String,
}

static CATALOGUES: LazyLock<[Catalogue; 2]> =
    LazyLock::new(|| [include_str!("zh-Hant.po"), include_str!("zh-Hans.po")].map(Catalogue::read));

impl Language {
    /// A message of the program, or several lines of them, in this language. Blanks and ends of
    /// lines around it stay.
    pub(crate) fn message_of(self, english: &str) -> Cow<'_, str> {
        let catalogue = match self {
            Language::En => return Cow::Borrowed(english),
            Language::ZhHant => &CATALOGUES[0],
            Language::ZhHans => &CATALOGUES[1],
        };
        let message = english.trim();
        let at = english.find(message).unwrap_or_default();
        let translated = catalogue.translated(message, DEPTH);
        let translated = translated.unwrap_or_else(|| message.to_string());
        Cow::Owned(format!("{}{translated}{}", &english[..at], &english[at + message.len()..]))
    }
}

impl Catalogue {
    fn read(file: &str) -> Catalogue {
        // Tests check that the files have no errors. Without tests, there are no messages then.
        let read = polib::po_file::parse_from_reader(file.as_bytes());
        let pairs: Vec<(String, String)> = read
            .iter()
            .flat_map(|catalog| catalog.messages())
            .filter_map(|m| Some((m.msgid().to_string(), m.msgstr().ok()?.to_string())))
            .collect();
        let (mut exact, mut patterns) = (HashMap::new(), vec![]);
        for (english, translation) in pairs {
            match Pattern::of(&english, &translation) {
                Some(pattern) => patterns.push(pattern),
                None => drop(exact.insert(english, translation)),
            }
        }
        patterns.sort_by_key(|p| std::cmp::Reverse(p.letters));
        Catalogue { exact, patterns }
    }

    /// `None` if nothing fits.
    fn translated(&self, message: &str, depth: usize) -> Option<String> {
        if let Some(translation) = self.exact.get(message) {
            return Some(translation.clone());
        }
        if depth == 0 || !message.contains(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let fitting = || self.patterns.iter().find_map(|p| Some((p, p.arguments(message)?)));
        if let Some((pattern, arguments)) = fitting() {
            let inside = |a: &&str| self.translated(a, depth - 1).unwrap_or_else(|| a.to_string());
            return Some(pattern.filled(&arguments.iter().map(inside).collect::<Vec<_>>()));
        }
        LISTS.iter().find_map(|(sign, own)| self.list(message, sign, own, depth))
    }

    /// A list, of which each member that has letters must be a message.
    fn list(&self, message: &str, sign: &str, own: &str, depth: usize) -> Option<String> {
        if !message.contains(sign) {
            return None;
        }
        let member = |m: &str| match m.contains(|c: char| c.is_ascii_alphabetic()) {
            true => self.translated(m, depth - 1),
            false => Some(m.to_string()),
        };
        Some(message.split(sign).map(member).collect::<Option<Vec<_>>>()?.join(own))
    }
}

impl Pattern {
    /// `None` if the message has no arguments.
    fn of(english: &str, translation: &str) -> Option<Pattern> {
        let (mut pieces, mut names, mut rest) = (vec![String::new()], vec![], english);
        while let Some((before, name, after)) = argument(rest) {
            pieces.last_mut()?.push_str(before);
            names.push(name.to_string());
            pieces.push(String::new());
            rest = after;
        }
        pieces.last_mut()?.push_str(rest);
        let letters = pieces.iter().flat_map(|p| p.chars()).filter(char::is_ascii_alphabetic);
        let letters = letters.count();
        let translation = translation.to_string();
        (!names.is_empty()).then_some(Pattern { pieces, names, letters, translation })
    }

    /// What a finished message has in the places of the arguments; `None` if it is another message.
    fn arguments<'m>(&self, message: &'m str) -> Option<Vec<&'m str>> {
        let (first, others) = self.pieces.split_first()?;
        let (last, between) = others.split_last()?;
        let mut rest = message.strip_prefix(first.as_str())?.strip_suffix(last.as_str())?;
        let mut found = Vec::with_capacity(self.names.len());
        for piece in between {
            let (argument, after) = rest.split_once(piece.as_str())?;
            found.push(argument);
            rest = after;
        }
        found.push(rest);
        self.takes(&found).then_some(found)
    }

    /// A number is in digits, and in a short pattern an argument is one word.
    fn takes(&self, arguments: &[&str]) -> bool {
        self.names.iter().zip(arguments).all(|(name, argument)| match name.as_str() {
            "n" => !argument.is_empty() && argument.chars().all(|c| c.is_ascii_digit()),
            _ => self.letters >= FEW_LETTERS || !is_phrase(argument),
        })
    }

    fn filled(&self, arguments: &[String]) -> String {
        let (mut filled, mut rest) = (String::new(), self.translation.as_str());
        while let Some((before, name, after)) = argument(rest) {
            filled.push_str(before);
            let known = self.names.iter().position(|n| n == name);
            filled.push_str(known.map_or("", |n| &arguments[n]));
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}

/// True for several words, one of which at least is not Chinese.
fn is_phrase(argument: &str) -> bool {
    argument.trim().contains(' ') && argument.contains(|c: char| c.is_ascii_lowercase())
}

/// The first argument of a message, with what is before and after it. Other braces are text.
fn argument(text: &str) -> Option<(&str, &str, &str)> {
    for (at, _) in text.match_indices('{') {
        let name = text[at + 1..].split('}').next()?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = at + 1 + name.len();
        if !name.is_empty() && name.chars().all(is_name) && text[end..].starts_with('}') {
            return Some((&text[..at], name, &text[end + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_translated_with_what_is_in_them() {
        let cases = [
            ("the file is empty", "檔案是空的"),
            ("cannot read: permission denied", "無法讀取：沒有權限"),
            ("no layer is called “注釋”", "沒有名為「注釋」的層"),
            (
                "3 texts read, 0 not; 1 error, 2 warnings, 0 remarks",
                "讀入 3 個文本，未能讀入者 0；1 個錯誤，2 個警告，0 個附註",
            ),
            ("\n  … 12 more, all in out/report.txt\n", "\n  …… 還有 12，全部在 out/report.txt\n"),
            ("the header's “射” is not in the passage before it", "疏首的「射」不在其前的段落中"),
            ("No such device for the file", "No such device for the file"),
            (
                "the text was converted from simplified script one to one: 雲 for 云 43×, 幹 for 干 10×",
                "此文本曾由簡體逐字轉換：雲 當作 云 43×，幹 當作 干 10×",
            ),
            ("儀禮 {x", "儀禮 {x"),
        ];
        for (english, chinese) in cases {
            assert_eq!(Language::ZhHant.message_of(english), chinese);
            assert_eq!(Language::En.message_of(english), english);
        }
    }

    #[test]
    fn every_message_has_its_arguments_in_every_language() {
        for file in [include_str!("zh-Hant.po"), include_str!("zh-Hans.po")] {
            let catalog = polib::po_file::parse_from_reader(file.as_bytes()).expect("a catalogue");
            assert!(catalog.count() > 700);
            for message in catalog.messages() {
                let own = message.msgstr().expect("one form");
                assert!(!own.is_empty(), "{} is not translated", message.msgid());
                let names = |text: &str| Pattern::of(text, "").map_or(vec![], |p| p.names);
                let (english, own) = (names(message.msgid()), names(own));
                assert!(own.iter().all(|n| english.contains(n)), "{}", message.msgid());
            }
        }
    }

    #[test]
    fn both_catalogues_have_the_same_messages() {
        let ids = |file: &str| {
            let catalog = polib::po_file::parse_from_reader(file.as_bytes()).expect("a catalogue");
            catalog.messages().map(|m| m.msgid().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(ids(include_str!("zh-Hant.po")), ids(include_str!("zh-Hans.po")));
    }
}
