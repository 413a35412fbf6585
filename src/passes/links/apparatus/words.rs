//! A note as a row of folded characters with breaks between them, and the words of the formulas.

use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::model::Document;
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{LACUNAE, circles, ends_clause, ends_sentence, is_content};
use crate::text::fold::fold;

/// What a word does in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordRole {
    Witness,
    Print,
    All,
    Is,
    Says,
    Lacks,
    Adds,
    Wrong,
    Read,
    Should,
    Surplus,
    Judgement,
    Scholar,
    Mends,
    Copy,
    NoHeadword,
}

/// A word of the table.
pub struct NoteWord {
    pub role: WordRole,
    /// As written in the table.
    pub name: &'static str,
    /// Folded.
    pub chars: Vec<char>,
}

/// The table, longer words first.
static WORDS: LazyLock<Vec<NoteWord>> = LazyLock::new(|| {
    let lines = include_str!("data/words.tsv").lines().filter(|l| !l.starts_with('#'));
    let mut words: Vec<NoteWord> = lines.filter_map(word).collect();
    words.sort_by_key(|w| std::cmp::Reverse(w.chars.len()));
    words
});

fn word(line: &'static str) -> Option<NoteWord> {
    let (role, rest) = line.split_once('\t')?;
    let (name, _) = rest.split_once('\t')?;
    Some(NoteWord { role: role_of(role)?, name, chars: name.chars().map(fold).collect() })
}

/// Words with the same first character, and their roles as bits.
#[derive(Default)]
struct WordsByFirst {
    roles: u16,
    words: Vec<&'static NoteWord>,
}

static BY_FIRST: LazyLock<FxHashMap<char, WordsByFirst>> = LazyLock::new(|| {
    let mut by_first: FxHashMap<char, WordsByFirst> = FxHashMap::default();
    for word in WORDS.iter() {
        let alike = by_first.entry(word.chars[0]).or_default();
        alike.roles |= bits(&[word.role]);
        alike.words.push(word);
    }
    by_first
});

/// Which characters begin a word, by their last ten bits. Most characters are ruled out by it.
static FIRST: LazyLock<[bool; 1024]> = LazyLock::new(|| {
    let mut first = [false; 1024];
    BY_FIRST.keys().for_each(|c| first[*c as usize % 1024] = true);
    first
});

fn bits(roles: &[WordRole]) -> u16 {
    roles.iter().fold(0, |bits, role| bits | 1 << *role as u16)
}

pub fn role_of(name: &str) -> Option<WordRole> {
    Some(match name {
        "witness" => WordRole::Witness,
        "print" => WordRole::Print,
        "all" => WordRole::All,
        "is" => WordRole::Is,
        "says" => WordRole::Says,
        "lacks" => WordRole::Lacks,
        "adds" => WordRole::Adds,
        "wrong" => WordRole::Wrong,
        "read" => WordRole::Read,
        "should" => WordRole::Should,
        "surplus" => WordRole::Surplus,
        "judgement" => WordRole::Judgement,
        "scholar" => WordRole::Scholar,
        "mends" => WordRole::Mends,
        "copy" => WordRole::Copy,
        "no-headword" => WordRole::NoHeadword,
        _ => return None,
    })
}

/// The characters of a note, without punctuation.
pub struct NoteRow {
    pub key: Key,
    /// Roles of words that begin with the character, as bits: they rule out nearly all notes and
    /// places quickly.
    roles: Vec<u16>,
    /// True where a mark that ends a clause, or a ○, is before the character.
    breaks: Vec<bool>,
    /// Where the clause of each character ends.
    ends: Vec<u32>,
    /// True where the end of a sentence, or a ○, is before the character.
    sentences: Vec<bool>,
    /// True where a mark that closes a quotation is before the character.
    closed: Vec<bool>,
    /// The characters as written, not folded.
    pub raw: Vec<char>,
    /// True if the note is punctuated.
    pub punctuated: bool,
}

impl NoteRow {
    /// The note at `span`, if it contains a word with one of these roles.
    pub fn with(document: &Document, span: Span, roles: &[WordRole]) -> Option<Self> {
        let text = document.source.text();
        if !may_say(&text[span.range()], bits(roles)) {
            return None;
        }
        let key = Key::of(text, span);
        let begun: Vec<u16> =
            key.chars.iter().map(|c| BY_FIRST.get(c).map_or(0, |alike| alike.roles)).collect();
        let wanted = bits(roles);
        let occurs = |i: usize| words_at(&key.chars[i..], wanted).next().is_some();
        if !(0..key.len()).any(|i| begun[i] & wanted != 0 && occurs(i)) {
            return None;
        }
        let parts = |c: char| ends_clause(c) || ends_sentence(c);
        let circles: Vec<usize> = circles(&text[span.range()]).map(|i| i + span.start()).collect();
        let between = |i: usize| if i == 0 { span.start() } else { key.end(i - 1) };
        let with = |mark: &dyn Fn(char) -> bool| -> Vec<bool> {
            let gaps = (0..key.len()).map(|i| between(i)..key.at[i] as usize);
            gaps.map(|gap| {
                text[gap.clone()].contains(mark) || circles.iter().any(|c| gap.contains(c))
            })
            .collect()
        };
        // Words go not on over a character that is missing: 本又作□ has no reading.
        let breaks = with(&|c| parts(c) || LACUNAE.contains(&c));
        let sentences = with(&ends_sentence);
        let mut ends = vec![key.len() as u32; key.len()];
        for i in (1..key.len()).rev() {
            ends[i - 1] = if breaks[i] { i as u32 } else { ends[i] };
        }
        let closed = with(&|c| matches!(c, '」' | '』' | '”' | '’'));
        let punctuated = text[span.range()].contains(parts);
        let raw = key.at.iter().filter_map(|a| text[*a as usize..].chars().next()).collect();
        Some(NoteRow { key, roles: begun, breaks, ends, sentences, closed, raw, punctuated })
    }

    pub fn len(&self) -> usize {
        self.key.len()
    }

    pub fn span(&self, range: Range<usize>) -> Option<Span> {
        (range.start < range.end).then(|| self.key.span(range.start, range.end))
    }

    /// End of the clause that character `i` is in.
    pub fn clause_end(&self, i: usize) -> usize {
        self.ends.get(i).map_or(self.len(), |end| *end as usize)
    }

    /// Start of the clause that ends before character `i`.
    pub fn clause_start(&self, i: usize) -> usize {
        (1..i).rev().find(|k| self.breaks[*k]).unwrap_or(0)
    }

    /// True if a clause begins with character `i`.
    pub fn breaks(&self, i: usize) -> bool {
        i == 0 || self.breaks.get(i).copied().unwrap_or(true)
    }

    /// True if what is right before character `i` is quoted, and the quotation ends there.
    pub fn is_after_quotation(&self, i: usize) -> bool {
        self.closed.get(i).copied().unwrap_or(false)
    }

    /// True if a sentence begins with character `i`.
    pub fn begins_sentence(&self, i: usize) -> bool {
        i == 0 || self.sentences.get(i).copied().unwrap_or(true)
    }

    /// The word with one of these roles at `i`, not across a break.
    pub fn at(&self, i: usize, roles: &[WordRole]) -> Option<&'static NoteWord> {
        let wanted = bits(roles);
        if self.roles.get(i)? & wanted == 0 {
            return None;
        }
        words_at(&self.key.chars[i..], wanted).find(|w| self.unbroken(i, w.chars.len()))
    }

    /// True if there is no break between the `n` characters from `i` on.
    fn unbroken(&self, i: usize, n: usize) -> bool {
        !self.breaks[i + 1..i + n].contains(&true)
    }

    /// True if `chars`, in any variant form, are at `i`.
    pub fn is(&self, i: usize, chars: &[char]) -> bool {
        let same = |here: &[char]| here.iter().zip(chars).all(|(a, b)| *a == fold(*b));
        self.key.chars.get(i..i + chars.len()).is_some_and(same) && self.unbroken(i, chars.len())
    }

    /// The first word with one of these roles in `range`, and its index.
    pub fn first(
        &self,
        range: Range<usize>,
        roles: &[WordRole],
    ) -> Option<(usize, &'static NoteWord)> {
        let end = range.end;
        range
            .into_iter()
            .find_map(|i| self.at(i, roles).filter(|w| i + w.chars.len() <= end).map(|w| (i, w)))
    }

    /// `range` without words of these roles at its end.
    pub fn without_tail(&self, mut range: Range<usize>, roles: &[WordRole]) -> Range<usize> {
        while let Some(w) = WORDS.iter().filter(|w| roles.contains(&w.role)).find(|w| {
            let n = w.chars.len();
            n < range.len() && self.key.chars[range.end - n..range.end] == w.chars[..]
        }) {
            range.end -= w.chars.len();
        }
        range
    }
}

/// True if there may be a word with one of these roles in a text. It is a first look, to make keys
/// of few notes only.
fn may_say(text: &str, roles: u16) -> bool {
    // A key leaves out what is in brackets.
    if text.contains(['<', '(', '（']) {
        return true;
    }
    text.char_indices().any(|(i, c)| {
        let c = fold(c);
        FIRST[c as usize % 1024] && BY_FIRST.get(&c).is_some_and(|w| w.occurs(&text[i..], roles))
    })
}

impl WordsByFirst {
    /// True if a word with one of these roles may be at the start of `text`.
    fn occurs(&self, text: &str, roles: u16) -> bool {
        let is_there = |w: &NoteWord| {
            let mut chars = text.chars().filter(|c| is_content(*c)).map(fold);
            w.chars.iter().all(|c| chars.next() == Some(*c))
        };
        self.roles & roles != 0
            && self.words.iter().any(|w| bits(&[w.role]) & roles != 0 && is_there(w))
    }
}

/// Words with these roles at the start of `chars` (folded), longer ones first.
fn words_at(chars: &[char], roles: u16) -> impl Iterator<Item = &'static NoteWord> + '_ {
    let alike = chars.first().and_then(|c| BY_FIRST.get(c));
    let words = alike.into_iter().flat_map(|a| a.words.iter().copied());
    words.filter(move |w| bits(&[w.role]) & roles != 0 && chars.starts_with(&w.chars))
}
