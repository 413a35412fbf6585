//! Messages of the program in other languages than English.
//!
//! Code says what it has to say in English, where it happens: a [`Diagnostic`](crate::Diagnostic)
//! or an [`Error`](crate::Error) is text, which is kept in a build and written as JSON. Only what
//! is shown to a person is translated, by catalogues in the form of GNU gettext (`.po`): a `msgid`
//! is the string of the code, with its arguments in braces.
//!
//! A finished message is compared with these patterns, and what is in the place of an argument is
//! taken over. An argument that is a message itself (“cannot read: permission denied”), or a list
//! of them, is named in a line `#. messages:` of the catalogue. All others are data, such as the
//! name of a file, and stay as they are. What no pattern fits is shown as it is, in English.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::Language;

/// How deep messages in messages are looked for.
const DEPTH: usize = 6;
/// What is before the names of the arguments that are messages, in a comment of a catalogue.
const MESSAGES: &str = "#. messages: ";
/// Fewer letters than these outside its arguments, and a pattern fits too much: then its arguments
/// must be messages that are known or, if none is a message, no English phrases.
const FEW_LETTERS: usize = 4;
/// What separates the members of a list, in English and in Chinese: sentences, and words.
const LISTS: [(&str, &str); 2] = [("; ", "；"), (", ", "，")];

/// The messages of one language.
struct Catalogue {
    exact: FxHashMap<Cow<'static, str>, Cow<'static, str>>,
    /// Those with arguments, by rank; of each rank those that begin with words of their own first,
    /// the ones with most of these before the others.
    patterns: Vec<Pattern>,
}

/// A message with arguments.
struct Pattern {
    /// What is before, between and after the arguments.
    pieces: Vec<String>,
    names: Vec<String>,
    /// Which of the arguments are messages.
    are_messages: Vec<bool>,
    /// How many letters and colons are in the pieces.
    letters: usize,
    translation: Cow<'static, str>,
}

/// An entry of a file.
struct CatalogueEntry {
    english: Cow<'static, str>,
    translation: Cow<'static, str>,
    /// The names of the arguments that are messages.
    messages: &'static str,
}

const FILES: [&str; 2] = [include_str!("zh-Hant.po"), include_str!("zh-Hans.po")];

static HANT: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(FILES[0]));
static HANS: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(FILES[1]));

impl Language {
    /// A message of the program, or several lines of them, in this language. Blanks and ends of
    /// lines around it stay.
    pub(crate) fn message_of(self, english: &str) -> Cow<'_, str> {
        let catalogue = match self {
            Language::En => return Cow::Borrowed(english),
            Language::ZhHant => &*HANT,
            Language::ZhHans => &*HANS,
        };
        let message = english.trim();
        let at = english.find(message).unwrap_or_default();
        let translated = catalogue.translated(message, DEPTH);
        let translated = translated.unwrap_or_else(|| message.to_string());
        Cow::Owned(format!("{}{translated}{}", &english[..at], &english[at + message.len()..]))
    }
}

impl Catalogue {
    fn read(file: &'static str) -> Catalogue {
        let (mut exact, mut patterns) = (FxHashMap::default(), vec![]);
        for entry in entries(file) {
            match Pattern::of(&entry) {
                Some(pattern) => patterns.push(pattern),
                None => _ = exact.insert(entry.english, entry.translation),
            }
        }
        let order = |p: &Pattern| (p.rank(), p.pieces[0].is_empty(), Reverse(p.letters));
        patterns.sort_by_key(order);
        Catalogue { exact, patterns }
    }

    /// `None` if nothing fits.
    fn translated(&self, message: &str, depth: usize) -> Option<String> {
        if let Some(translation) = self.exact.get(message) {
            return Some(translation.to_string());
        }
        if depth == 0 || !message.contains(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let one_of = |rank: u8| {
            let mut all = self.patterns.iter().filter(|p| p.rank() == rank);
            all.find_map(|p| self.filled(p, message, depth))
        };
        let [sentences, words] = LISTS;
        // An argument at the end of a sentence would take in the next one, so lists are first.
        one_of(0)
            .or_else(|| self.list(message, sentences, depth))
            .or_else(|| one_of(1))
            .or_else(|| self.list(message, words, depth))
            .or_else(|| one_of(2))
    }

    /// The translation of a pattern with the arguments of a message; `None` if it is another one.
    fn filled(&self, pattern: &Pattern, message: &str, depth: usize) -> Option<String> {
        let arguments = pattern.arguments(message)?;
        let is_short = pattern.is_short();
        let is_plain = !pattern.are_messages.contains(&true);
        let own = |(argument, is_message): (&&str, &bool)| match is_message {
            false if is_short && is_plain && is_phrase(argument) => None,
            false => Some(argument.to_string()),
            true => match self.translated(argument, depth - 1) {
                None if is_short && argument.contains(|c: char| c.is_ascii_alphabetic()) => None,
                translated => Some(translated.unwrap_or_else(|| argument.to_string())),
            },
        };
        let own: Option<Vec<String>> =
            arguments.iter().zip(&pattern.are_messages).map(own).collect();
        Some(pattern.filled(&own?))
    }

    /// A list, of which each member that has letters must be a message.
    fn list(&self, message: &str, (sign, own): (&str, &str), depth: usize) -> Option<String> {
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
    fn of(entry: &CatalogueEntry) -> Option<Pattern> {
        let (mut pieces, mut names) = (vec![String::new()], vec![]);
        let mut rest = &*entry.english;
        while let Some((before, name, after)) = argument(rest) {
            pieces.last_mut()?.push_str(before);
            names.push(name.to_string());
            pieces.push(String::new());
            rest = after;
        }
        pieces.last_mut()?.push_str(rest);
        let counts = |c: &char| c.is_ascii_alphabetic() || *c == ':';
        let letters = pieces.iter().flat_map(|p| p.chars()).filter(counts).count();
        let is_message = |name: &String| entry.messages.split(' ').any(|m| m == name);
        let are_messages = names.iter().map(is_message).collect();
        let translation = entry.translation.clone();
        (!names.is_empty()).then_some(Pattern { pieces, names, are_messages, letters, translation })
    }

    /// 0 for one that may be of several sentences, itself or because a message ends it, 1 for the
    /// others, 2 for a few letters.
    fn rank(&self) -> u8 {
        let ends = self.pieces.last().is_some_and(String::is_empty);
        let is_open = ends && self.are_messages.last() == Some(&true);
        let is_open = is_open || self.pieces.iter().any(|p| p.contains(LISTS[0].0));
        if self.is_short() { 2 } else { u8::from(!is_open) }
    }

    fn is_short(&self) -> bool {
        self.letters < FEW_LETTERS
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
        // What is in quotation marks has none itself, or it is another message with one inside.
        if last.starts_with('”') && rest.contains('”') {
            return None;
        }
        found.push(rest);
        let is_number = |a: &str| !a.is_empty() && a.chars().all(|c| c.is_ascii_digit());
        let is_named_so = |name: &str| ["n", "m"].contains(&name);
        let fits = |(name, a): (&String, &&str)| !is_named_so(name) || is_number(a);
        let fits = self.names.iter().zip(&found).all(fits);
        fits.then_some(found)
    }

    fn filled(&self, arguments: &[String]) -> String {
        let (mut filled, mut rest) = (String::new(), &*self.translation);
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

/// The entries of a file, after the header. Each has a line for its message and one for the
/// translation. A test compares this with what a crate for such files reads; at the start of a
/// command that would take too long.
fn entries(file: &'static str) -> impl Iterator<Item = CatalogueEntry> {
    file.split("\n\n").skip(1).filter_map(|lines| {
        let field = |name| lines.lines().find_map(|line: &str| line.strip_prefix(name));
        let quoted = |name| Some(unescaped(field(name)?.strip_prefix('"')?.strip_suffix('"')?));
        let messages = field(MESSAGES).unwrap_or_default();
        Some(CatalogueEntry {
            english: quoted("msgid ")?,
            translation: quoted("msgstr ")?,
            messages,
        })
    })
}

fn unescaped(text: &'static str) -> Cow<'static, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut chars = text.chars();
    let next = || match chars.next()? {
        '\\' => chars.next().map(|c| if c == 'n' { '\n' } else { c }),
        c => Some(c),
    };
    std::iter::from_fn(next).collect()
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
            // Only what the catalogue says is a message is looked up.
            ("cannot read: it is a folder", "無法讀取：這是資料夾"),
            ("changed: translation", "改動：translation"),
            ("new: the file is empty", "新增：the file is empty"),
            ("there is no text “the file is empty”", "沒有文本「the file is empty」"),
            ("left out: nothing (the same as classic)", "略去：nothing（與 classic 相同）"),
            ("there are: text, classic", "有：text, classic"),
            (
                "no language is called “latin”; there are: zh-Hant, en",
                "沒有名為「latin」的語言；有：zh-Hant, en",
            ),
            (
                "there are more or longer 注; there are more or longer runs of 經",
                "注較多或較長；經較多或較長",
            ),
            ("“a” is not a locus: “a” is not a layer", "「a」不是位址：「a」不是層"),
            ("x.tsv: it has no column “at”", "x.tsv：沒有「at」這一欄"),
            ("error: 9 is not in 0..5", "錯誤：9 不在 0..5 之內"),
            (
                "99% common characters; as GBK 2% common characters",
                "常用字 99%；作 GBK 則常用字 2%",
            ),
        ];
        for (english, chinese) in cases {
            assert_eq!(Language::ZhHant.message_of(english), chinese);
            assert_eq!(Language::En.message_of(english), english);
        }
    }

    #[test]
    fn every_message_has_its_arguments_in_every_language() {
        for file in FILES {
            let mut count = 0;
            for entry in entries(file) {
                let english = &entry.english;
                assert!(!entry.translation.is_empty(), "{english} is not translated");
                let names = |text: &str| Pattern::of(&of(text)).map_or(vec![], |p| p.names);
                let (known, own) = (names(english), names(&entry.translation));
                let messages = entry.messages.split_whitespace().map(String::from);
                let mut named = own.into_iter().chain(messages);
                assert!(named.all(|n| known.contains(&n)), "{english}");
                count += 1;
            }
            assert!(count > 1200, "{count}");
        }
    }

    fn of(english: &str) -> CatalogueEntry {
        CatalogueEntry { english: english.to_string().into(), translation: "".into(), messages: "" }
    }

    #[test]
    fn both_catalogues_have_the_same_messages_and_say_the_same_of_their_arguments() {
        let [hant, hans] =
            FILES.map(|file| entries(file).map(|e| (e.english, e.messages)).collect::<Vec<_>>());
        assert_eq!(hant, hans);
    }

    #[test]
    fn the_files_are_read_as_a_crate_reads_them() {
        for file in FILES {
            let catalog = polib::po_file::parse_from_reader(file.as_bytes()).expect("a catalogue");
            let (mut theirs, mut ours) = (catalog.messages(), entries(file));
            for (theirs, ours) in theirs.by_ref().zip(ours.by_ref()) {
                assert_eq!(theirs.msgid(), ours.english);
                assert_eq!(theirs.msgstr().expect("one form"), ours.translation);
                let messages = theirs.extracted_comments().trim();
                assert_eq!(
                    messages.strip_prefix("messages:").unwrap_or(messages).trim(),
                    ours.messages
                );
            }
            assert!(theirs.next().is_none() && ours.next().is_none());
        }
    }
}
