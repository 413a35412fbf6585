//! Numbers of notes in books whose parts have names: 學(2)而時習之 in the text, and a line that begins
//! with (2) among the notes below it; and numbers before passages, 1.1.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashSet;

use crate::model::{Document, Layer, LayerKind, Segment};
use crate::source::Span;
use crate::text::{ends_with_sentence, pattern};

static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"[(（〔\[【]\d{1,3}[)）〕\]】]|[①-⑳]"));
static PASSAGE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\d{1,3}[.．·]\d{1,3}[\s\u{3000}]+"));
/// Fewer may be by chance.
const LEAST: usize = 3;

/// Makes marks of the numbers.
pub(super) fn set_apart(document: &mut Document) {
    let text = std::sync::Arc::clone(&document.source);
    let text = text.text();
    let items = document.segments.iter().flat_map(|s| items_in(text, s));
    let numbers: FxHashSet<&str> = items.map(|number| &text[number.range()]).collect();
    let references: Vec<Span> = document
        .segments
        .iter()
        .filter(|s| s.layer.kind() == LayerKind::Base)
        .flat_map(|s| within(text, s.span))
        .filter(|at| numbers.contains(&text[at.range()]))
        .collect();
    if numbers.len() < LEAST || references.len() < LEAST {
        return;
    }
    let is_of_passage =
        |s: &&Segment| s.layer.kind() == LayerKind::Base && PASSAGE.is_match(&text[s.span.range()]);
    let passages = document.segments.iter().filter(is_of_passage).count() >= LEAST;
    let old = std::mem::take(&mut document.segments);
    for segment in old {
        let mut numbers = items_in(text, &segment);
        if passages && is_of_passage(&&segment) {
            let found = PASSAGE.find(&text[segment.span.range()]);
            let start = segment.span.start();
            numbers.extend(found.map(|m| Span::new(start, start + m.len())));
        }
        let mut from = segment.span.start();
        for number in numbers {
            if from < number.start() {
                let span = Span::new(from, number.start());
                document.push(Segment { span, ..segment.clone() });
            }
            document.push(Segment::marked(Layer::Mark, number));
            from = number.end();
        }
        document.push(Segment { span: Span::new(from, segment.span.end()), ..segment });
    }
    let mut marks: Vec<Span> = document.marks.iter().copied().chain(references).collect();
    marks.sort_unstable_by_key(|m| (m.start(), m.end()));
    document.marks = marks.into();
}

/// The numbers of the notes in a segment, which begins with one: notes may follow each other in one
/// paragraph, each after the end of a sentence.
fn items_in(text: &str, segment: &Segment) -> Vec<Span> {
    let is_item = |at: &Span| {
        let before = text[segment.span.start()..at.start()].trim_end();
        before.is_empty() || ends_with_sentence(before)
    };
    let mut all = within(text, segment.span).filter(is_item).peekable();
    let is_list = segment.layer.kind() == LayerKind::Note
        && all.peek().is_some_and(|at| at.start() == segment.span.start());
    if is_list { without_lists_within(text, all) } else { vec![] }
}

/// The numbers of the notes, without those of lists within a note, which begin with 1 again.
fn without_lists_within(text: &str, all: impl Iterator<Item = Span>) -> Vec<Span> {
    let (mut last, mut within) = (0, None);
    let begins_note = |at: &Span| {
        let Some(n) = number(&text[at.range()]) else { return true };
        if within.is_some_and(|w| n == w + 1) || n == 1 && last > 0 {
            within = Some(n);
            return false;
        }
        let goes_on = n > last;
        if goes_on {
            (last, within) = (n, None);
        }
        goes_on
    };
    all.filter(begins_note).collect()
}

/// The number in its brackets or its circle.
fn number(words: &str) -> Option<u32> {
    let circled = words.chars().next().filter(|c| ('①'..='⑳').contains(c));
    circled.map(|c| c as u32 - '①' as u32 + 1).or_else(|| {
        let digits: String = words.chars().filter(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}

fn within(text: &str, span: Span) -> impl Iterator<Item = Span> + '_ {
    let all = NUMBER.find_iter(&text[span.range()]);
    all.map(move |m| Span::new(span.start() + m.start(), span.start() + m.end()))
}

#[cfg(test)]
mod tests {
    use crate::corpus::Loci;
    use crate::model::{Layer, LayerKind};
    use crate::pipeline;
    use crate::source::Source;

    #[test]
    fn lists_within_a_note_are_its_words() {
        let text = "(1)習：有三解。(1)溫習。(2)練習。(3)實習。(2)說：同悅。(4)樂：快樂。";
        let all = super::within(text, crate::source::Span::new(0, text.len()));
        let starts: Vec<_> = super::without_lists_within(text, all)
            .into_iter()
            .map(|at| text[at.end()..].chars().next())
            .collect();
        assert_eq!(starts, [Some('習'), Some('說'), Some('樂')]);
    }

    #[test]
    fn numbers_of_notes_are_no_words() {
        let part = |n: usize, classic: &str, notes: &str, modern: &str| {
            format!("【原文】\n1.{n} {classic}\n【注释】\n{notes}【译文】\n{modern}\n\n")
        };
        let text = [
            part(
                1,
                "子曰(1)：“学(2)而时习(3)之，不亦说乎？”",
                "(1)子：对男子的尊称。\n(2)学：学习典籍。\n(3)时习：在一定的时候复习。\n",
                "孔子说：“学了又时常复习，不是很愉快吗？”",
            ),
            part(
                2,
                "有子(1)曰：“其为人也孝弟(2)，而好犯上者，鲜矣。”",
                "(1)有子：姓有，名若。(2)孝弟：孝顺父母，顺从兄长。\n",
                "有子说：“孝顺父母，而喜好触犯上司的人，很少。”",
            ),
            part(
                3,
                "子曰：“巧言令色(1)，鲜(2)矣仁。”",
                "(1)巧言令色：花言巧语。\n(2)鲜：少。\n",
                "孔子说：“花言巧语的人，仁心就少了。”",
            ),
        ];
        let source = Source::from_text("a.txt", format!("论语译注\n\n{}", text.concat()));
        let library = pipeline::convert(source, None).unwrap();
        let document = &library.documents[0];
        let classic: Vec<_> =
            document.of_layer(Layer::Jing).map(|s| document.words(s.span)).collect();
        assert_eq!(classic.len(), 3, "{classic:?}");
        assert_eq!(classic[0], "子曰：“学而时习之，不亦说乎？”");
        let is_note = |s: &&crate::model::Segment| s.layer.kind() == LayerKind::Note;
        let notes: Vec<_> = document.segments.iter().filter(is_note).collect();
        assert_eq!(document.words(notes[1].span), "学：学习典籍。");
        let loci = Loci::of(document);
        let name = |span| loci.name(span).unwrap().to_string();
        let of: Vec<_> = document.of_layer(Layer::Jing).map(|s| name(s.span)).collect();
        for (note, passage) in [(0, 0), (2, 0), (3, 1), (4, 1), (6, 2)] {
            let (note, passage) = (name(notes[note].span), &of[passage]);
            assert!(note.starts_with(&format!("{passage}.")), "{note} {passage}");
        }
    }
}
