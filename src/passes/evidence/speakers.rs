//! Who is named as the speaker of something: 馬融云, 鄭司農以爲, 包曰. Whom a surname means depends on
//! the work that is explained and on the notes at hand.

use std::sync::LazyLock;

use crate::corpus::Works;
use crate::corpus::works::{Commentary, Scholar};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{ends_sentence, is_content};
use crate::text::fold::fold;

/// So many characters without marks, or all from the beginning, but at least so many, are of text
/// without punctuation.
const FLAT_CHARS: usize = 20;
const MIN_FLAT_CHARS: usize = 4;
/// Most characters between a name and the verb.
const MAX_BETWEEN: usize = 4;
/// Most bytes of punctuation between two characters of a name and its verb.
const MAX_GAP_BYTES: usize = 6;
/// How certain it is that a full name, and a surname, means the scholar.
const FULL_NAME: f64 = 0.97;
const SURNAME: f64 = 0.9;

static DATA: &str = include_str!("speech-cues.tsv");

static CUES: LazyLock<Cues> = LazyLock::new(Cues::read);

/// The words of the table, folded.
#[derive(Default)]
struct Cues {
    says: Vec<char>,
    said: Vec<char>,
    asks: Vec<char>,
    as_for: Vec<Vec<char>>,
    between: Vec<char>,
    notes: Vec<char>,
    before: Vec<char>,
    again: Vec<Vec<char>>,
    given: Vec<char>,
    called: Vec<(Vec<char>, String)>,
}

impl Cues {
    fn read() -> Self {
        let folded = |word: &str| word.chars().map(fold).collect::<Vec<char>>();
        let mut cues = Cues::default();
        for line in DATA.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
            let (kind, words) = line.split_once('\t').expect("a kind and words");
            let words_of = || words.split(' ').map(folded);
            let chars = || words_of().flatten();
            match kind {
                "says" => cues.says.extend(chars()),
                "said" => cues.said.extend(chars()),
                "asks" => cues.asks.extend(chars()),
                "as_for" => cues.as_for.extend(words_of()),
                "between" => cues.between.extend(chars()),
                "notes" => cues.notes.extend(chars()),
                "before" => cues.before.extend(chars()),
                "again" => cues.again.extend(words_of()),
                "given" => cues.given.extend(chars()),
                "called" => cues.called.extend(
                    words.split_once('\t').map(|(name, who)| (folded(name), who.to_string())),
                ),
                other => panic!("speech-cues.tsv has an unknown kind {other}"),
            }
        }
        cues
    }
}

/// A person who is named as the speaker of what follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedSpeaker<'a> {
    /// Who.
    pub scholar: &'a Scholar,
    /// The name and the verb.
    pub span: Span,
    /// How certain it is that this scholar is meant.
    pub certainty: f64,
    /// The author of the notes at hand speaks again, and nobody is quoted.
    pub again: bool,
}

/// The names of scholars in the notes on a work.
#[derive(Debug)]
pub(crate) struct SpeakerNames<'a> {
    works: &'a Works,
    work: Option<&'a str>,
    /// What the usual notes on it are called.
    notes: &'a str,
    /// Whose notes are collected in those at hand.
    cited: Vec<&'a Scholar>,
    /// Who wrote the notes.
    author: Option<&'a Scholar>,
    /// How they say that they speak again: 玄謂.
    again: Vec<Vec<char>>,
}

impl<'a> SpeakerNames<'a> {
    /// The names in the notes on a work, of which it may be known what they are.
    pub fn of(works: &'a Works, work: Option<&'a str>, notes: Option<&'a Commentary>) -> Self {
        let cited = notes.into_iter().flat_map(|n| &n.cites);
        let author = notes.and_then(|n| works.scholar(&n.by));
        let mut again = CUES.again.clone();
        again.extend(author.into_iter().flat_map(|author| {
            let given: Vec<char> = author.name.chars().skip(1).map(fold).collect();
            CUES.given.iter().map(move |verb| [&given[..], &[*verb]].concat())
        }));
        SpeakerNames {
            works,
            work,
            notes: work.map_or("", |w| works.notes(w, None)),
            cited: cited.filter_map(|name| works.scholar(name)).collect(),
            author,
            again,
        }
    }

    /// The scholar with whose full name, or another name of theirs, some characters (folded) begin,
    /// and the length of the name.
    pub fn scholar_at(&self, chars: &[char]) -> Option<(usize, &'a Scholar)> {
        let works = self.works;
        let scholars = works.scholars();
        let alias = CUES.called.iter().find(|(name, _)| chars.starts_with(name));
        if let Some((name, who)) = alias {
            return Some((name.len(), works.scholar(who)?));
        }
        let is_cited = |s: &Scholar| self.cited.iter().any(|c| c.name == s.name);
        let (n, called) = scholars.called(chars);
        if let Some(scholar) = called.iter().find(|s| is_cited(s)) {
            return Some((n, scholar));
        }
        // 謝氏 is one of those whose notes are collected, if they have one of that surname.
        if chars.get(1) == Some(&fold('氏')) && self.cited.iter().any(|s| surname(s) == chars[0]) {
            return Some((2, self.cited_of(chars[0])?));
        }
        if let Some((n, _, scholar)) = scholars.at(chars, self.work, self.notes) {
            return Some((n, scholar));
        }
        match called[..] {
            [one] if one.work(self.work).is_none() && n > 1 && one.has_no_works() => Some((n, one)),
            _ => scholars.whole_name(chars).map(|(n, _, scholar)| (n, scholar)),
        }
    }

    /// The only one of those whose notes are collected with this surname (folded).
    fn cited_of(&self, c: char) -> Option<&'a Scholar> {
        let mut found = self.cited.iter().filter(|s| surname(s) == c);
        found.next().filter(|_| found.next().is_none()).copied()
    }

    /// The scholar whom a surname alone (folded) means: one whose notes are collected, the author
    /// of the usual notes, or the only one who wrote on the work.
    pub fn of_surname(&self, c: char) -> Option<&'a Scholar> {
        if self.cited.iter().any(|s| surname(s) == c) {
            return self.cited_of(c);
        }
        let own = self.author.filter(|s| surname(s) == c);
        own.or_else(|| self.works.scholars().of_surname(c, self.work?, self.notes))
    }

    /// The speaker whom the text names at character `i` of its key.
    pub fn speaker_at(&self, text: &str, key: &Key, i: usize) -> Option<NamedSpeaker<'a>> {
        let cue = Cue { text, key, start: i };
        let c = key.chars[i];
        let opens = |words: &Vec<char>| words[0] == c;
        let is_alias = || CUES.called.iter().any(|(name, _)| name[0] == c);
        let is_name = self.works.scholars().has(&[c]) || is_alias();
        if !is_name && !self.again.iter().any(opens) {
            return None;
        }
        if let Some(again) = self.again(&cue) {
            return Some(again);
        }
        if let Some((n, scholar)) = self.scholar_at(&key.chars[i..]) {
            let end = cue.verb(i + n, &CUES.says)?;
            let span = key.span(i, end);
            let named = NamedSpeaker { scholar, span, certainty: FULL_NAME, again: false };
            return (!cue.is_in_title()).then_some(named);
        }
        let scholar = self.of_surname(key.chars[i]).filter(|_| cue.begins())?;
        let end = cue.verb(i + 1, &CUES.said)?;
        let span = key.span(i, end);
        Some(NamedSpeaker { scholar, span, certainty: SURNAME, again: false })
    }

    /// 玄謂 in the notes of 鄭玄, 愚謂 in any.
    fn again(&self, cue: &Cue<'_>) -> Option<NamedSpeaker<'a>> {
        let scholar = self.author?;
        let here = &cue.key.chars[cue.start..];
        let n = self.again.iter().find(|words| here.starts_with(words)).map(Vec::len);
        let n = n.filter(|_| cue.begins() || cue.is_after_flat_text())?;
        let span = cue.key.span(cue.start, cue.start + n);
        Some(NamedSpeaker { scholar, span, certainty: FULL_NAME, again: true })
    }
}

fn surname(scholar: &Scholar) -> char {
    scholar.name.chars().next().map_or(' ', fold)
}

/// A place at which a name may begin.
struct Cue<'a> {
    text: &'a str,
    key: &'a Key,
    start: usize,
}

impl Cue<'_> {
    /// What is between character `n` and the next.
    fn gap(&self, n: usize) -> &str {
        self.key.at.get(n + 1).map_or("", |next| &self.text[self.key.end(n)..*next as usize])
    }

    /// True if a name may begin here: after punctuation, or a word that does not belong to a name.
    fn begins(&self) -> bool {
        let Some(n) = self.start.checked_sub(1) else { return true };
        self.gap(n).contains(|c| !is_content(c)) || CUES.before.contains(&self.key.chars[n])
    }

    /// True if the words before it have no marks: a name may begin anywhere.
    fn is_after_flat_text(&self) -> bool {
        let from = self.start.saturating_sub(FLAT_CHARS);
        self.start >= MIN_FLAT_CHARS && (from..self.start).all(|n| self.gap(n).trim().is_empty())
    }

    /// True if the name is in a title: 《劉向傳》.
    fn is_in_title(&self) -> bool {
        let before = &self.text[..self.key.at[self.start] as usize];
        before.trim_end().ends_with(['《', '〈'])
    }

    /// The end of the verb that follows a name, which ends before character `n`.
    fn verb(&self, mut n: usize, verbs: &[char]) -> Option<usize> {
        for _ in 0..=MAX_BETWEEN {
            if n > 0 && !self.is_joined(n - 1) {
                return None;
            }
            let rest = self.key.chars.get(n..)?;
            let c = rest.first()?;
            if let Some(words) = CUES.as_for.iter().find(|words| rest.starts_with(words)) {
                return Some(n + words.len());
            }
            if verbs.contains(c) {
                return Some(n + 1);
            }
            if CUES.asks.contains(c) && self.gap(n).contains(['“', '「', '『']) {
                return Some(n + 1);
            }
            if !CUES.between.contains(c) {
                return None;
            }
            n = match CUES.notes.contains(c) && self.gap(n).contains(['《', '〈']) {
                true => self.after_title(n)?,
                false => n + 1,
            };
        }
        None
    }

    /// True if a character and the next belong to one phrase.
    fn is_joined(&self, n: usize) -> bool {
        let gap = self.gap(n);
        let parts = |c: char| ends_sentence(c) || "“”「」『』○（）()\n，,；;、".contains(c);
        gap.len() <= MAX_GAP_BYTES && !gap.contains(parts)
    }

    /// The first character after a title that follows character `n`.
    fn after_title(&self, n: usize) -> Option<usize> {
        let from = self.key.end(n);
        let length =
            self.text[from..].char_indices().take(16).find(|(_, c)| "》〉".contains(*c))?;
        Some(self.key.index_at(from + length.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::works::EditionTitle;
    use crate::model::Layer;

    fn said(work: &str, rest: &str, text: &str) -> Vec<String> {
        let works = Works::builtin();
        let edition = EditionTitle {
            work: work.into(),
            chapter: None,
            rest: rest.chars().map(fold).collect(),
        };
        let notes = works.commentary(&edition, Layer::Zhu);
        let names = SpeakerNames::of(&works, Some(work), notes);
        let key = Key::of(text, Span::new(0, text.len()));
        let mut done = 0;
        let found = (0..key.len()).filter_map(|i| {
            let speaker = names.speaker_at(text, &key, i)?;
            let is_after = speaker.span.start() >= done;
            done = done.max(speaker.span.end());
            is_after.then_some(speaker)
        });
        found.map(|s| format!("{} {}", s.scholar.name, &text[s.span.range()])).collect()
    }

    #[test]
    fn a_name_means_the_scholar_who_wrote_on_the_work() {
        assert_eq!(said("論語", "注疏", "馬曰：“孰，誰也。”"), ["馬融 馬曰"]);
        assert_eq!(said("論語", "注疏", "孔子曰：“不可”。孔曰：“魯”"), ["孔安國 孔曰"]);
        assert_eq!(said("論語", "集注", "謝氏曰：“愚”程子曰"), ["謝良佐 謝氏曰", "程子 程子曰"]);
        assert_eq!(said("周禮", "注疏", "郑司农云：“谓”玄谓事"), ["鄭眾 郑司农云", "鄭玄 玄谓"]);
        assert_eq!(
            said("周禮", "注疏", "先鄭云後鄭云，故鄭云"),
            ["鄭眾 先鄭云", "鄭玄 後鄭云", "鄭玄 鄭云"]
        );
        assert_eq!(
            said("周禮", "注疏", "鄭注《曲禮》云“何”鄭玄注此云"),
            ["鄭玄 鄭注《曲禮》云", "鄭玄 鄭玄注此云"]
        );
        assert_eq!(said("周禮", "注疏", "劉向、馬融皆以為宣王時"), ["馬融 馬融皆以為"]);
    }

    #[test]
    fn a_name_in_a_title_or_a_sentence_names_no_speaker() {
        assert!(said("周禮", "注疏", "《劉向傳》云").is_empty());
        assert!(said("周禮", "注疏", "鄭玄。云者").is_empty());
        assert!(said("禮記", "注疏", "鄭玄所見").is_empty());
        assert!(said("左傳", "注疏", "晉鄭云").is_empty());
    }
}
