//! Lines that a program or a page has cut, as in the text of a PDF, recognised print, mail and old
//! copies from the web: passages go on over their ends.
//!
//! Whether lines are cut is decided for the whole text. Cut lines are of one length, which no line
//! exceeds, and their ends fall anywhere: in a punctuated text most are inside a sentence, which
//! the end of a passage seldom is. In a text without punctuation only the length counts.
//!
//! A line that is as long as the others goes on in the next, unless the next begins as passages do;
//! so does one that breaks off in a sentence.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::edits::NOTE;
use super::{Aside, Edit, Taken, VesselHints};
use crate::diag::Diagnostic;
use crate::model::Commentary;
use crate::source::{Lines, Span};
use crate::text::{self, Line, ends_with_sentence, is_punctuated, pattern};

/// Least number of characters at which lines are cut; shorter lines are verses. Without punctuation
/// lines of a print are longer.
const MIN_WIDTH: usize = 10;
const MIN_BARE_WIDTH: usize = 16;
/// Least number of full lines that show a width, also of uneven ones; in a text without
/// punctuation, with their least share of all lines.
const MIN_FULL: usize = 3;
const MIN_RAGGED: usize = 5;
const MIN_BARE_FULL: usize = 4;
const MIN_BARE_SHARE: f64 = 0.15;
/// Largest share of lines that may be longer than the width: long words, tables.
const MAX_OVER: f64 = 0.01;
/// Least share of full lines that break off in a sentence, and the share from which it is at least
/// doubtful whether lines are passages.
const MIN_OPEN: f64 = 0.5;
const DOUBTFUL_OPEN: f64 = 0.3;
/// A line is as long as the others if it has this share of their width: marks may not begin a line,
/// and those of half width make lines uneven.
const RAGGED: f64 = 0.8;

/// What a new passage begins with, whatever the line before.
static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
    let marks = Commentary::marks();
    let layers = "[經经傳传注註疏䟽]|正[義义]|音[義义]|[釋释]文";
    let note = r"(?:\{\{\*\|\s*)?";
    pattern(&format!(
        r"^{note}(?:[\[【〔［](?:{marks}|{layers})[\]】〕］]|#|[*+-] |[注註][“「‘『])"
    ))
});
/// What it begins with after the end of a sentence; in a sentence it is the number of a note.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:[①-⑳㈠-㈩]|[〔\[（(［][0-9０-９〇一二三四五六七八九十百]+[〕\]）)］])")
});

/// One line that has words.
struct TextLine<'t> {
    /// Its number among all lines.
    line: usize,
    /// Characters, with blanks before the words.
    width: usize,
    /// The blanks before the words.
    indent: &'t str,
    /// It breaks off in a sentence.
    open: bool,
}

/// What is known of the lines of a text.
struct Widths {
    /// At which they are cut, in characters.
    width: usize,
    /// From this length on a line is full.
    full: usize,
    punctuated: bool,
    /// The blanks with which passages begin, if it is usual to indent them.
    indent: Option<String>,
    verdict: Verdict,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Wrapped,
    Doubtful,
    Passages,
}

/// Finds the line ends inside passages.
pub(super) fn find(text: &str, VesselHints { lines: asked, .. }: VesselHints<'_>) -> Taken {
    if asked == Some(Lines::Passages) {
        return Taken::default();
    }
    let lines = text::lines(text);
    let with_words = with_words(text, &lines);
    let Some(widths) = widths(text, &with_words) else { return Taken::default() };
    if asked.is_none() && widths.verdict != Verdict::Wrapped {
        let doubt = (widths.verdict == Verdict::Doubtful).then(|| doubtful(&widths));
        return Taken { remarks: doubt.into_iter().collect(), ..Taken::default() };
    }
    let edits: Vec<Edit> = with_words
        .windows(2)
        .filter(|w| w[1].line == w[0].line + 1 && goes_on(text, &lines, &widths, &w[0], &w[1]))
        .map(|w| {
            let end = Span::new(lines[w[0].line].words.end(), lines[w[1].line].words.start());
            Edit::without(end, Aside::LineEnd)
        })
        .collect();
    if edits.is_empty() {
        return Taken::default();
    }
    let message = format!(
        "lines are cut at some {} characters: {} of {} line ends are inside passages",
        widths.width,
        edits.len(),
        with_words.len()
    );
    let remark = Diagnostic::info("lines-wrapped", edits[0].span, message)
        .hint("if each line is a passage: `--lines passages`, or `lines = \"passages\"`");
    Taken { edits, remarks: vec![remark], ..Taken::default() }
}

fn doubtful(widths: &Widths) -> Diagnostic {
    let message = format!(
        "lines are perhaps cut at some {} characters; each is read as a passage",
        widths.width
    );
    Diagnostic::warning("lines-doubtful", None, message)
        .hint("if passages go on over line ends: `--lines wrapped`, or `lines = \"wrapped\"`")
}

fn with_words<'t>(text: &'t str, lines: &[Line]) -> Vec<TextLine<'t>> {
    let of = |(line, l): (usize, &Line)| {
        let words = &text[l.words.range()];
        let indent = &text[l.whole.start()..l.words.start()];
        // What a page marks as a note may end with its sentence.
        let shown = words.trim_end_matches(NOTE.1);
        let open = !ends_with_sentence(shown) && !shown.ends_with(['：', ':']);
        let after = text[l.words.end()..l.whole.end()].trim_end_matches(['\r', '\n', '\u{85}']);
        let width = indent.chars().count() + words.chars().count() + after.chars().count();
        (!words.is_empty()).then_some(TextLine { line, width, indent, open })
    };
    lines.iter().enumerate().filter_map(of).collect()
}

/// The width at which lines are cut, and whether they are.
fn widths(text: &str, lines: &[TextLine<'_>]) -> Option<Widths> {
    let mut sorted: Vec<usize> = lines.iter().map(|l| l.width).collect();
    sorted.sort_unstable();
    let over = (MAX_OVER * lines.len() as f64) as usize;
    let width = *sorted.get(sorted.len().checked_sub(1 + over)?)?;
    let exact = sorted.iter().filter(|w| **w == width).count();
    // Lines of exactly one length, or uneven ones.
    let (full, least) = match exact >= MIN_FULL {
        true => (width, MIN_FULL),
        false => ((RAGGED * width as f64) as usize, MIN_RAGGED),
    };
    let punctuated = is_punctuated(text);
    let all = lines.iter().filter(|l| l.width >= full).count();
    let open = lines.iter().filter(|l| l.width >= full && l.open).count();
    let open = open as f64 / all.max(1) as f64;
    let share = all as f64 / lines.len().max(1) as f64;
    let verdict = match punctuated {
        true if width < MIN_WIDTH || all < least => Verdict::Passages,
        true if open >= MIN_OPEN => Verdict::Wrapped,
        true if open >= DOUBTFUL_OPEN => Verdict::Doubtful,
        true => Verdict::Passages,
        false if exact < MIN_BARE_FULL || share < MIN_BARE_SHARE => Verdict::Passages,
        false if width >= MIN_BARE_WIDTH => Verdict::Wrapped,
        false => Verdict::Passages,
    };
    Some(Widths { width, full, punctuated, indent: indent(lines, full), verdict })
}

/// The blanks with which passages begin: the most frequent ones, if many lines after what may be
/// the end of one begin with them, and not nearly all lines do.
fn indent(lines: &[TextLine<'_>], full: usize) -> Option<String> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for line in lines.iter().filter(|l| !l.indent.is_empty()) {
        *counts.entry(line.indent).or_default() += 1;
    }
    let (indent, all) = counts.into_iter().max_by_key(|(blanks, n)| (*n, *blanks))?;
    let ends = |l: &TextLine<'_>| l.width < full || !l.open;
    let after_end = || lines.windows(2).filter(|w| ends(&w[0])).map(|w| &w[1]);
    let begins = after_end().filter(|l| l.indent == indent).count();
    let usual = begins * 4 > after_end().count() && all * 10 < lines.len() * 9;
    usual.then(|| indent.to_string())
}

/// True if a passage goes on from one line to the next.
fn goes_on(
    text: &str,
    lines: &[Line],
    widths: &Widths,
    a: &TextLine<'_>,
    b: &TextLine<'_>,
) -> bool {
    let next = &text[lines[b.line].words.range()];
    let numbered = !(widths.punctuated && a.open) && NUMBERED.is_match(next);
    if numbered || BEGINS.is_match(next) || widths.indent.as_deref() == Some(b.indent) {
        return false;
    }
    let is_full = a.width >= widths.full;
    let breaks_off = widths.punctuated && a.open && 2 * a.width > widths.width;
    is_full || breaks_off
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with its line ends inside passages taken out.
    fn whole(text: &str, asked: Option<Lines>) -> String {
        let found = find(text, VesselHints { lines: asked, named: None });
        super::super::LogicalText::of(text).without(&found.edits).text().to_string()
    }

    /// Cut at a number of characters.
    fn cut(text: &str, width: usize) -> String {
        let lines = text.lines().flat_map(|l| {
            let chars: Vec<char> = l.chars().collect();
            let pieces = chars.chunks(width).map(String::from_iter);
            pieces.chain(chars.is_empty().then(String::new)).collect::<Vec<String>>()
        });
        lines.map(|l| l + "\n").collect()
    }

    const TEXT: &str = "學而第一\n\n子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？」\n有子曰：「其為人也孝弟，而好犯上者，鮮矣；不好犯上，而好作亂者，未之有也。」\n[疏]「子曰」至「君子乎」。正義曰：此章勸人學為君子也。子者，古人稱師曰子。\n";

    #[test]
    fn lines_that_were_cut_are_joined() {
        for width in [12, 13, 15, 20] {
            assert_eq!(whole(&cut(TEXT, width), None), TEXT, "{width}");
        }
    }

    #[test]
    fn lines_that_are_passages_stay() {
        assert_eq!(whole(TEXT, None), TEXT);
        let verses = "白日依山盡，黃河入海流。\n欲窮千里目，更上一層樓。\n床前明月光，疑是地上霜。\n舉頭望明月，低頭思故鄉。\n";
        assert_eq!(whole(verses, None), verses);
        assert_eq!(whole(&cut(TEXT, 15), Some(Lines::Passages)), cut(TEXT, 15));
    }

    #[test]
    fn a_note_that_a_page_marks_ends_its_sentence() {
        let note = "{{*|「子曰」至「君子乎」，此章勸人學為君子也。}}\n";
        let text = format!("有子曰：「其為人也孝弟。」\n{note}").repeat(8);
        assert_eq!(whole(&text, None), text);
    }

    #[test]
    fn a_text_without_punctuation_is_cut_where_no_line_is_longer() {
        let line = "孟子見梁惠王王曰叟不遠千里而來亦將有以利吾國乎";
        let text = format!("{}\n", line.repeat(9));
        assert_eq!(whole(&cut(&text, 20), None), text);
        let verses = "床前明月光疑是地上霜\n".repeat(20);
        assert_eq!(whole(&verses, None), verses);
    }

    #[test]
    fn the_mark_of_a_layer_begins_a_passage_after_a_full_line() {
        let text = "子曰學而時習之，不亦說乎\n[疏]子者古人稱師曰子學\n者覺也。\n【注】說，樂也，言人樂\n於此。\n有朋自遠方來，不亦樂乎\n人不知而不慍。\n";
        let want = "子曰學而時習之，不亦說乎\n[疏]子者古人稱師曰子學者覺也。\n【注】說，樂也，言人樂於此。\n有朋自遠方來，不亦樂乎人不知而不慍。\n";
        assert_eq!(whole(text, Some(Lines::Wrapped)), want);
    }

    #[test]
    fn indented_lines_begin_passages() {
        let text = "　　士會將上軍。河曲之役，郤缺將上軍。宣\n八年，代趙盾為政，將中軍。士會代將上軍。\n　　郤克佐之。郤缺之子，代臾駢。\n　　楚子為乘，廣三十乘，分為左右。右廣鷄鳴\n而駕，日中而說。左則受之，日入而說。許偃御\n右廣，養由基為右。\n";
        let want = "　　士會將上軍。河曲之役，郤缺將上軍。宣八年，代趙盾為政，將中軍。士會代將上軍。\n　　郤克佐之。郤缺之子，代臾駢。\n　　楚子為乘，廣三十乘，分為左右。右廣鷄鳴而駕，日中而說。左則受之，日入而說。許偃御右廣，養由基為右。\n";
        assert_eq!(whole(text, None), want);
    }
}
