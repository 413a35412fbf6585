//! What Markdown and its kin put around a text: front matter, footnotes (Org's too), tables, tags
//! inside lines.
//!
//! A footnote keeps its place; its number is a mark, and readers see it in the brackets of a note.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::edits::{Edits, NOTE, Pairs, has_han};
use super::{Taken, VesselHints, callouts};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::text::pattern;

static FRONT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\A\u{FEFF}?\s*---[ \t]*\r?\n(?s:.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\z)")
});
static TITLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?m)^title:[ \t]*["']?(.*?)["']?[ \t\r]*$"#));
/// The definition of a footnote, with the indented paragraphs that go on with it.
static DEFINITION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?m)^(?:\[\^[^\]\s]+\]:|\[fn:[^\]\s:]+\])[ \t]*(?P<note>.*(?:\n(?:[ \t]*\n)*(?: {4}|\t)[^\n]+)*)",
    )
});
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[(?:\^[^\]\s]+|fn:[^\]\s:]+)\]"));
/// Tags of HTML inside lines; `<small>` and the marks of mandoku are known to readers.
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"</?(?:[a-z]+-[a-z-]+|span|em|strong|i|b|u|font|a|ruby|rb|rp|br|div|p|sup|mark|del|ins)(?:\s[^<>\n]*)?/?>",
    )
});
/// Words in type below the line, as small notes are given.
static SMALL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"<sub>(?P<note>[^<>\n]*\p{Han}[^<>\n]*)</sub>"));
/// Words that are set off, and words with an address.
static STRONG: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\*\*(?P<words>[^*\s](?:[^*\n]{0,400}[^*\s])?)\*\*"));
static LINK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\[(?P<words>[^\[\]\n]{1,200})\]\((?:https?://|[./#])[^()\s]*\)"));
static READING: LazyLock<Regex> = LazyLock::new(|| pattern(r"<r[tp]>[^<>\n]*</r[tp]>"));

/// A name with a sign of what it is, and the number of a paragraph.
static NAMED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"〖[@=&%#~$^+*!;?_◆•|-](?P<name>[^〖〗\n]{1,24})〗"));
static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^(?:#{1,6} +)?((?:- )?\[\d+(?:\.\d+)*\][ \t]*)"));
/// Least number of tagged names.
const MIN_TAGS: usize = 3;
/// Drawers and comments of Org.
static ORG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?mi)^(?::PROPERTIES:[ \t]*\n(?:[ \t]*:.*\n){0,40}?[ \t]*:END:[ \t]*$|#\+BEGIN_COMMENT[^\n]*\n(?s:.{0,4000}?)\n#\+END_COMMENT[ \t]*$)",
    )
});

/// Finds what is around the text.
pub(super) fn find(text: &str, _: VesselHints<'_>) -> Taken {
    let mut edits = Edits::default();
    let front = FRONT.find(text).filter(|m| m.as_str().contains(':'));
    let body = front.map_or(0, |m| m.end());
    edits.furniture(0, body);
    let title = front.and_then(|m| TITLE.captures(m.as_str()));
    let title = title.map(|t| t[1].trim().to_string()).filter(|t| has_han(t));
    for found in READING.find_iter(text).chain(TAG.find_iter(text)) {
        edits.mark(found.start(), found.end());
    }
    for signs in [&STRONG, &LINK] {
        for found in signs.captures_iter(&text[body..]) {
            let (whole, words) = (found.get_match(), found.name("words").expect("it has words"));
            edits.mark(body + whole.start(), body + words.start());
            edits.mark(body + words.end(), body + whole.end());
        }
    }
    let mut remarks = footnotes(text, body, &mut edits);
    let (roles, columns) = callouts::find(text, &mut edits);
    remarks.extend(columns);
    for note in SMALL.captures_iter(&text[body..]) {
        let (whole, inner) = (note.get_match(), note.name("note").map_or(0..0, |n| n.range()));
        edits.shown(body + whole.start(), body + inner.start, NOTE.0);
        edits.shown(body + inner.end, body + whole.end(), NOTE.1);
    }
    tags_of_names(text, body, &mut edits);
    for part in ORG.find_iter(&text[body..]) {
        edits.furniture(body + part.start(), body + part.end());
    }
    Taken { edits: edits.finish(), remarks, title, roles, ..Taken::default() }
}

/// Takes out the signs of names that someone has tagged: `〖@黃帝〗`; and then the numbers of
/// paragraphs too.
fn tags_of_names(text: &str, body: usize, edits: &mut Edits) {
    let tags: Vec<_> = NAMED.captures_iter(&text[body..]).filter_map(|c| c.name("name")).collect();
    if tags.len() < MIN_TAGS {
        return;
    }
    for name in tags {
        let sign = text[..body + name.start()].rfind('〖').unwrap_or(body + name.start());
        edits.mark(sign, body + name.start());
        edits.mark(body + name.end(), body + name.end() + '〗'.len_utf8());
    }
    for number in NUMBERED.captures_iter(&text[body..]).filter_map(|c| c.get(1)) {
        edits.mark(body + number.start(), body + number.end());
    }
}

/// Takes up the footnotes. Returns remarks on those whose other half is missing.
fn footnotes(text: &str, body: usize, edits: &mut Edits) -> Vec<Diagnostic> {
    let (mut asked, mut given): (Labels<'_>, Labels<'_>) = Default::default();
    let definitions: Vec<(usize, usize)> = DEFINITION
        .captures_iter(&text[body..])
        .map(|found| {
            let (whole, note) = (found.get(0).expect("the whole"), found.name("note"));
            let note = note.expect("it has a note");
            edits.shown(body + whole.start(), body + note.start(), NOTE.0);
            let end = body + note.start() + note.as_str().trim_end().len();
            edits.shown(end, end, NOTE.1);
            gaps(text, body + note.start(), end, edits);
            let label = REFERENCE.find(whole.as_str()).map_or("", |label| label.as_str());
            given.entry(label).or_insert(body + whole.start());
            (body + whole.start(), end)
        })
        .collect();
    let defined = |at: usize| definitions.binary_search_by_key(&at, |(from, _)| *from).is_ok();
    for found in REFERENCE.find_iter(&text[body..]) {
        if !defined(body + found.start()) {
            edits.mark(body + found.start(), body + found.end());
            asked.entry(found.as_str()).or_insert(body + found.start());
        }
    }
    inline_notes(text, body, edits);
    let remark = |code, (label, at): (&&str, &usize), message: &str| {
        Diagnostic::warning(code, Span::new(*at, at + label.len()), message.to_string())
    };
    let missing = asked.iter().filter(|(label, _)| !given.contains_key(*label));
    let missing = missing.map(|row| remark("note-missing", row, "no note has this number"));
    let unasked = given.iter().filter(|(label, _)| !asked.contains_key(*label));
    let unasked =
        unasked.map(|row| remark("note-without-place", row, "the text has no such number"));
    missing.chain(unasked).collect()
}

/// What opens a note where it belongs.
static INLINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\^\[|\[fn:[^\]\s:]*:"));

/// Labels of footnotes, each with its first place.
type Labels<'t> = BTreeMap<&'t str, usize>;

/// Notes where they belong: `^[…]`, `[fn::…]`.
fn inline_notes(text: &str, body: usize, edits: &mut Edits) {
    let mut opened = INLINE.find_iter(&text[body..]).peekable();
    if opened.peek().is_none() {
        return;
    }
    let pairs = Pairs::of(text, "[", "]");
    for found in opened {
        let bracket = found.start() + found.as_str().find('[').unwrap_or(0);
        if let Some(close) = pairs.close(body + bracket) {
            edits.shown(body + found.start(), body + found.end(), NOTE.0);
            edits.shown(close, close + 1, NOTE.1);
        }
    }
}

/// The ends of lines inside a footnote, with the indent of the next: a note is one.
fn gaps(text: &str, from: usize, to: usize, edits: &mut Edits) {
    let mut at = from;
    while let Some(end) = text[at..to].find('\n').map(|i| at + i) {
        let start = end + (text[end..to].len() - text[end..to].trim_start().len());
        edits.mark(end, start);
        at = start.max(end + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vessels::LogicalText;

    #[test]
    fn front_matter_footnotes_and_tags() {
        let text = "---\ntitle: 論語・學而\nauthor: 何晏\n---\n\n# 學而\n\n<cn-era ce=\"1\">子</cn-era>曰[^1]學而^[包曰「同」]。\n\n[^1]: 馬曰。\n\n    王曰。\n後文\n";
        let found = find(text, VesselHints::default());
        let read = LogicalText::of(text).without(&found.edits);
        assert_eq!(
            read.text(),
            "\n# 學而\n\n子曰學而{{*|包曰「同」}}。\n\n{{*|馬曰。王曰。}}\n後文\n"
        );
        assert_eq!(found.title.as_deref(), Some("論語・學而"));
    }

    #[test]
    fn a_number_without_a_note_and_a_note_without_a_number_are_said() {
        let found =
            find("子曰[^1]學而[^2]。\n\n[^1]: 馬曰。\n[^3]: 王曰。\n", VesselHints::default());
        let codes: Vec<_> = found.remarks.iter().map(|r| &*r.code).collect();
        assert_eq!(codes, ["note-missing", "note-without-place"]);
    }

    #[test]
    fn tagged_names_are_words() {
        let text = "# [0] 五帝本纪\n\n[1] 〖@黄帝〗者，〖=少典〗之子，姓〖&公孙〗。\n- [1.1] 〖%轩辕之时〗。\n#+BEGIN_COMMENT\n待核\n#+END_COMMENT\n";
        let found = find(text, VesselHints::default());
        let read = LogicalText::of(text).without(&found.edits);
        assert_eq!(read.text(), "# 五帝本纪\n\n黄帝者，少典之子，姓公孙。\n轩辕之时。\n\n");
        let notes = "曰若稽古〖若，順〗帝堯〖堯，名〗曰放勛〖勛，功〗";
        assert!(find(notes, VesselHints::default()).edits.is_empty());
    }

    #[test]
    fn a_rule_is_no_front_matter() {
        let text = "---\n子曰學而\n---\n";
        assert!(find(text, VesselHints::default()).edits.is_empty());
    }
}
