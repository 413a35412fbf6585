//! Who is named as the author of a note that is quoted: 鄭玄注, 馬融《儀禮注》, 鄭玄注《儀禮》.

use super::marks::is_han;
use super::patterns::PATTERNS;
use crate::corpus::Works;
use crate::corpus::works::Tail;
use crate::search::Answer;
use crate::search::alike::IndexedText;
use crate::text::fold::fold;

/// What may stand before the name of a work at the beginning of a clause: 故書曰.
pub(super) const OPENERS: &str = "故又亦按案而夫且然則则如若據据依引";
/// Words before the name of a layer that name nobody.
const NO_NAMES: &str =
    "經经本原其此該该舊旧古今前後后上下同各諸诸夾夹自小集注註補补校箋笺義义新章附評评批選选眉";

/// Whose a layer is that words name: 鄭玄 in 鄭玄注云.
pub(super) fn of_layer(words: &str) -> Option<&str> {
    let who = PATTERNS.layer.captures(words)?.name("who")?.as_str();
    Some(who).filter(|who| !who.is_empty() && !NO_NAMES.contains(who))
}

/// Characters of words between a title and a quotation that name nobody: 裡有, 又記載.
const NO_SPEAKERS: &str =
    "裡裏里中內内有又亦也故嘗曾則则即所之的篇章卷節节首末記记載载說说言謂谓道曰云講讲寫写稱称";

/// Who is named as the speaker after a title: 馬融 in 馬融曰.
pub(super) fn speaker(words: &str) -> Option<&str> {
    let who = PATTERNS.speaker.captures(words)?.name("who")?.as_str();
    Some(who).filter(|who| !who.chars().all(|c| NO_SPEAKERS.contains(c)))
}

/// A name or surname; words that are neither come second.
pub(super) fn told<'w>(who: Option<&'w str>, works: &Works) -> (Option<String>, Option<&'w str>) {
    match who {
        Some(who) if !is_scholar(who, works) && !is_surname(who, works) => (None, Some(who)),
        who => (who.map(str::to_string), None),
    }
}

fn is_surname(who: &str, works: &Works) -> bool {
    let chars: Vec<char> = who.chars().map(fold).collect();
    chars.len() == 1 && works.scholars().has(&chars)
}

/// True if a name is that of a scholar, and nothing else.
pub(super) fn is_scholar(name: &str, works: &Works) -> bool {
    let chars: Vec<char> = name.chars().map(fold).collect();
    let (len, scholars) = works.scholars().called(&chars);
    len > 1 && len == chars.len() && !scholars.is_empty()
}

/// The scholar right before the title that begins at a byte: 馬融《儀禮注》.
pub(super) fn before<'t>(text: &'t str, title: usize, works: &Works) -> Option<&'t str> {
    Some(words_before(text, title)).filter(|words| is_scholar(words, works))
}

/// Who wrote which layer of the title that begins at a byte, after all of the words: 鄭玄注 before
/// 《儀禮》.
pub(super) fn annotator<'t>(
    text: &'t str,
    title: usize,
    works: &Works,
    layer: impl Fn(&str) -> Option<Tail>,
) -> Option<(&'t str, &'t str, Tail)> {
    let words = words_before(text, title);
    let ends = words.char_indices().skip(2).map(|(i, _)| i).take(2);
    let mut ends = ends.filter(|i| is_scholar(&words[..*i], works));
    ends.find_map(|i| Some((words, &words[..i], layer(&words[i..])?)))
}

fn words_before(text: &str, title: usize) -> &str {
    let words = text[..title].rsplit(|c| !is_han(c)).next().unwrap_or_default();
    words.trim_start_matches(|c| OPENERS.contains(c))
}

/// Who is named as the author of a note, and who wrote the layers of the texts that are meant.
pub(super) struct NamedAuthor {
    /// The name, folded.
    name: Vec<char>,
    /// Whom it means in the list of scholars.
    listed: Vec<String>,
    /// The authors of each text by layer, as ids.
    of_texts: Vec<(String, Vec<(String, String)>)>,
}

impl NamedAuthor {
    pub(super) fn of(name: &str, texts: &[&IndexedText], works: &Works) -> Self {
        let name: Vec<char> = name.chars().map(fold).collect();
        let (len, scholars) = works.scholars().called(&name);
        let listed = scholars.into_iter().filter(|_| len == name.len()).map(|s| s.name.clone());
        let listed = listed.collect();
        let of_texts = texts.iter().map(|t| (t.document.clone(), t.authors.clone())).collect();
        NamedAuthor { name, listed, of_texts }
    }

    /// True if it is known of some layer who wrote it.
    pub(super) fn is_checked(&self) -> bool {
        self.of_texts.iter().any(|(_, authors)| !authors.is_empty())
    }

    /// True if the words may be theirs: as the author of the layer, or as one who is quoted in it.
    pub(super) fn may_say(&self, answer: &Answer) -> bool {
        let of_text = self.of_texts.iter().filter(|(document, _)| *document == answer.document);
        let authors = of_text.flat_map(|(_, authors)| authors);
        let own = authors.filter(|(layer, _)| layer == answer.layer.id()).map(|(_, name)| name);
        let mut known = own.chain(&answer.by).peekable();
        known.peek().is_none() || known.any(|author| self.is_called(author))
    }

    fn is_called(&self, author: &String) -> bool {
        let begins = author.chars().map(fold).take(self.name.len()).eq(self.name.iter().copied());
        begins || self.listed.contains(author)
    }
}
