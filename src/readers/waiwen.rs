//! A translation into another language than Chinese: English, Japanese, Korean and others, in
//! paragraphs of prose.
//!
//! It is recognised by its letters. What stands alone without the end of a sentence is a heading,
//! a number before a paragraph a mark. Lines that a program wrapped are one paragraph.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::diag::Error;
use crate::model::{Certainty, Commentary, Document, Evidence, EvidenceKind, Layer, Role, Segment};
use crate::source::{Source, Span};
use crate::text::class::{closes, ends_clause, is_content};
use crate::text::letters::{self, Letters};
use crate::text::{self, Line, ends_with_sentence, pattern};

/// Fewer letters show no language.
const MIN_LETTERS: usize = 30;
/// Longest heading, in characters.
const MAX_HEADING_CHARS: usize = 60;
/// Longest line of a text that a program wrapped, in characters.
const MAX_WRAPPED_CHARS: usize = 100;
/// Signs of programs and of markup: prose has at most one in so many characters.
const PROSE_CHARS_PER_SIGN: usize = 100;

/// A number before a paragraph.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[\[(（]?\d+(?:[.:]\d+)*[\])）]?[.:、]?\s+"));

/// A note, as it is given to readers.
static NOTE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\{\{\*\|((?s:.*?))\}\}"));

/// Recognises prose in letters of another language.
pub fn sniff(head: &str) -> u8 {
    if super::start(head).starts_with(['<', '{', '[', '\\']) || head.starts_with("---\n") {
        return 0;
    }
    let letters = Letters::of(head);
    if letters.all() < MIN_LETTERS || letters.is_chinese() {
        return 0;
    }
    let signs = head.chars().filter(|c| "{}<>=_|\\;#$\t\u{FFFD}".contains(*c)).count();
    // Those around a note are none of the text.
    let signs = signs.saturating_sub("{{|}}".len() * NOTE.find_iter(head).count());
    let is_prose = signs * PROSE_CHARS_PER_SIGN <= head.chars().count();
    let sentences = head.lines().filter(|line| ends_with_sentence(line) || ends_with_stop(line));
    if is_prose && letters.are_words(head) && sentences.count() > 0 { 80 } else { 0 }
}

/// The end of a sentence by a mark that is none of Chinese.
fn ends_with_stop(line: &str) -> bool {
    let after = |c: char| closes(c) || c.is_whitespace() || matches!(c, '"' | '\'' | '»' | '«');
    line.trim_end_matches(after).ends_with(['.', '!', '?', '…'])
}

/// Reads a translation.
///
/// # Errors
/// None; the signature of readers requires a result.
pub fn read(source: Source) -> Result<Document, Error> {
    let mut document = Document::new(Arc::new(source), "waiwen");
    let source = Arc::clone(&document.source);
    let lines = text::lines(source.text());
    let mut at = 0;
    for paragraph in paragraphs(&source, &lines) {
        let (first, last) = (lines[paragraph.start], lines[paragraph.end - 1]);
        let words = Span::new(first.words.start(), last.words.end());
        document.push(Segment::marked(Layer::Blank, Span::new(at, words.start())));
        push(&mut document, words);
        at = words.end();
    }
    document.push(Segment::marked(Layer::Blank, Span::new(at, source.text().len())));
    document.meta.role = Role::Translation;
    document.meta.language = letters::language(source.text()).into();
    Ok(document)
}

/// The lines of each paragraph; a note of several lines is of one.
fn paragraphs(source: &Source, lines: &[Line]) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = vec![];
    let mut open = 0;
    for paragraph in lines_together(source, lines) {
        let words =
            Span::new(lines[paragraph.start].words.start(), lines[paragraph.end - 1].words.end());
        let opened = source.slice(words).matches(text::NOTE.0).count();
        let closed = source.slice(words).matches(text::NOTE.1).count();
        match joined.last_mut().filter(|_| open > 0) {
            Some(last) => last.end = paragraph.end,
            None => joined.push(paragraph),
        }
        open = (open + opened).saturating_sub(closed);
    }
    joined
}

/// Lines that belong together because a program wrapped them: then blank lines divide the
/// paragraphs, and some of their lines do not end a sentence.
fn lines_together(source: &Source, lines: &[Line]) -> Vec<Range<usize>> {
    let words = |n: usize| source.slice(lines[n].words);
    let filled: Vec<usize> = (0..lines.len()).filter(|n| !words(*n).is_empty()).collect();
    let blocks: Vec<&[usize]> = filled.chunk_by(|a, b| a + 1 == *b).collect();
    let is_long = |n: &usize| words(*n).chars().count() > MAX_WRAPPED_CHARS;
    let goes_on = |n: &usize| {
        let words = words(*n).trim_end_matches(text::NOTE.1);
        !ends_with_sentence(words) && !ends_with_stop(words)
    };
    let inner = blocks.iter().flat_map(|block| &block[..block.len() - 1]);
    let is_wrapped = blocks.len() > 1 && !filled.iter().any(is_long) && inner.clone().any(goes_on);
    match is_wrapped {
        true => blocks.iter().map(|block| block[0]..block[block.len() - 1] + 1).collect(),
        false => filled.into_iter().map(|n| n..n + 1).collect(),
    }
}

/// Adds a paragraph, or a heading.
fn push(document: &mut Document, words: Span) {
    let source = Arc::clone(&document.source);
    let written = source.slice(words);
    if is_heading(written) {
        let why = "a short paragraph that does not end a sentence";
        let why = vec![Evidence::new(EvidenceKind::TitleLine, why)];
        document.push(Segment::inferred(Layer::Heading, words, Certainty::new(0.8), why));
        return;
    }
    let number = NUMBER.find(written).map_or(0, |found| found.end());
    let mark = written[..number].trim_end().len();
    let ends = [0, mark, number, written.len()].map(|at| words.start() + at);
    document.push(Segment::marked(Layer::Mark, Span::new(ends[0], ends[1])));
    document.push(Segment::marked(Layer::Blank, Span::new(ends[1], ends[2])));
    push_words(document, Span::new(ends[2], ends[3]));
}

/// Adds words of the translation, and the notes among them.
fn push_words(document: &mut Document, words: Span) {
    let source = Arc::clone(&document.source);
    let mut at = words.start();
    for note in NOTE.captures_iter(source.slice(words)) {
        let (Some(whole), Some(inner)) = (note.get(0), note.get(1)) else { continue };
        let [start, from, to, end] =
            [whole.start(), inner.start(), inner.end(), whole.end()].map(|n| words.start() + n);
        document.push(Segment::marked(Layer::Translation, Span::new(at, start)));
        document.push(Segment::marked(Layer::Mark, Span::new(start, from)));
        document.push(Segment::marked(Layer::Named(Commentary::YIZHU), Span::new(from, to)));
        document.push(Segment::marked(Layer::Mark, Span::new(to, end)));
        at = end;
    }
    document.push(Segment::marked(Layer::Translation, Span::new(at, words.end())));
}

fn is_heading(words: &str) -> bool {
    let words = &*NOTE.replace_all(words, "");
    let bare = words.trim_end_matches(|c: char| closes(c) || matches!(c, '"' | '\''));
    let ends = bare.len() < words.len()
        || ends_with_sentence(words)
        || ends_with_stop(words)
        || bare.ends_with(ends_clause);
    // CHAPTER I.
    let is_capital =
        words.chars().any(char::is_uppercase) && !words.chars().any(char::is_lowercase);
    words.chars().count() <= MAX_HEADING_CHARS
        && words.chars().any(is_content)
        && (is_capital || !ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(text: &str) -> Vec<(Layer, String)> {
        let d = read(Source::from_text("t.txt", text)).unwrap();
        d.check().unwrap();
        let all = d.segments.iter().filter(|s| s.layer != Layer::Blank);
        all.map(|s| (s.layer, d.slice(s.span).to_string())).collect()
    }

    #[test]
    fn notes_of_a_page_or_a_footnote_are_of_the_translation() {
        let text = "Kao Tzu said, \"Human nature is like the willow.{{*|A tree.\nOf rivers.}} Righteousness is like a \
                    cup.\"\n\n{{*|Literally, rushing water.}}\n";
        assert!(sniff(text) > 0);
        let read = layers(text);
        let of =
            |layer| read.iter().filter(move |r| r.0 == layer).map(|r| &*r.1).collect::<Vec<_>>();
        let notes = of(Layer::Named(Commentary::YIZHU));
        assert_eq!(notes, ["A tree.\nOf rivers.", "Literally, rushing water."]);
        let words =
            "Kao Tzu said, \"Human nature is like the willow. Righteousness is like a cup.\"";
        assert_eq!(of(Layer::Translation).concat(), words);
        assert!(of(Layer::Heading).is_empty());
    }

    #[test]
    fn paragraphs_of_other_languages_are_translation() {
        let english = "Book One\n\nCHAPTER I.\n\n1. The Master said, \"To learn and at due times to practise\n\
                       what one has learned, is that not a pleasure?\"\n\n2. Another paragraph is \
                       short.\n";
        assert_eq!(sniff(english), 80);
        let got = layers(english);
        let kinds: Vec<Layer> = got.iter().map(|l| l.0).collect();
        let paragraph = [Layer::Mark, Layer::Translation];
        assert_eq!(kinds, [&[Layer::Heading; 2][..], &paragraph, &paragraph].concat());
        assert!(got[3].1.starts_with("The Master") && got[3].1.ends_with("pleasure?\""), "{got:?}");
        let french = "Le Maître dit : « Celui qui apprend. »\nUn ami arrive : « N’est-ce pas un \
                      plaisir ? »\n";
        assert_eq!(sniff(french), 80);
        assert!(
            sniff(
                "先生がいわれた、「ことば上手で顔よしの人には、ほとんど無いものだよ、仁の徳は。」"
            ) > 0
        );
        assert!(
            sniff(
                "공자께서 말씀하셨다. 배우고 때때로 그것을 익히면 또한 기쁘지 않겠는가? 벗이 찾아오면."
            ) > 0
        );
    }

    #[test]
    fn neither_chinese_nor_programs_nor_damaged_text_are() {
        let others = [
            "子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？」",
            "fn main() { let a = 1; println!(\"{a}\"); } fn other() { let b = 2; return b; }",
            "å\u{ad}\u{a6}è\u{80}\u{8c}æ\u{99}\u{82}ç¿\u{92}ä¹\u{8b}ï¼\u{8c}ä¸\u{8d}äº¦èªªä¹\u{8e}ã\u{80}\u{82}",
            "學 xué 而 ér 時 shí 習 xí 之 zhī 不 bù 亦 yì 說 yuè 乎 hū 有 yǒu 朋 péng 自 zì.",
            "word",
        ];
        for text in others {
            assert_eq!(sniff(text), 0, "{text}");
        }
    }
}
