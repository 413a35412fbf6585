//! The file of corrections: TOML, one `[[correction]]` for each, in the order of the text.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest, Sha256};
use toml::Spanned;
use toml::value::Datetime;

use super::{Correction, Quote};
use crate::diag::Error;
use crate::model::Confirmation;
use crate::source::{Source, Span, regular};
use crate::text::Key;

/// What a file has of which every decision was taken back: one without any may have lost them.
pub const TAKEN_BACK: &str = "# Every decision was taken back.\n";

/// The kinds of corrections, as the file names them.
const KINDS: &str = "cut, layer, reading, link, bead, speaker, heading";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CorrectionsFile {
    #[serde(default)]
    correction: Vec<CorrectionTable>,
}

/// Where the entries are.
#[derive(Deserialize)]
struct EntryPlaces {
    #[serde(default)]
    correction: Vec<Spanned<IgnoredAny>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CorrectionTable {
    kind: Spanned<String>,
    #[serde(default)]
    before: String,
    at: Spanned<String>,
    until: Option<String>,
    #[serde(default)]
    after: String,
    hash: Option<Spanned<String>>,
    decision: Spanned<String>,
    by: Spanned<String>,
    when: Spanned<Datetime>,
    note: Option<String>,
}

/// Reads a file of corrections.
///
/// # Errors
/// When it cannot be read or is not such a file; with line and column.
pub fn read(path: &Path) -> Result<Vec<Correction>, Error> {
    Ok(read_with_text(path)?.1)
}

/// The same, with the text of the file.
pub(crate) fn read_with_text(path: &Path) -> Result<(String, Vec<Correction>), Error> {
    let bytes = regular(path).map_err(|e| Error::io(path, "read", &e))?;
    let source = Source::utf8(path, bytes)?;
    let corrections = parse(&source)?;
    Ok((source.text().to_string(), corrections))
}

/// Reads the text of a file of corrections.
///
/// # Errors
/// As [`read`].
pub fn parse(source: &Source) -> Result<Vec<Correction>, Error> {
    let file: CorrectionsFile = toml::from_str(source.text()).map_err(|e| {
        let message = e.message().lines().next().unwrap_or_default().to_string();
        let error = Error::input(source.path(), message);
        match e.span() {
            Some(span) => error.over(source, Span::new(span.start, span.end)),
            None => error,
        }
    })?;
    file.correction.into_iter().map(|table| correction(table, source)).collect()
}

fn correction(table: CorrectionTable, source: &Source) -> Result<Correction, Error> {
    let wrong = |span: std::ops::Range<usize>, message: String| {
        Error::input(source.path(), message).over(source, Span::new(span.start, span.end))
    };
    let what = Confirmation::read(table.kind.get_ref(), table.decision.get_ref())
        .ok_or_else(|| {
            let message = format!("there is no kind of correction “{}”", table.kind.get_ref());
            wrong(table.kind.span(), message).hint(format!("there are {KINDS}"))
        })?
        .map_err(|why| wrong(table.decision.span(), why))?;
    let when = table.when.get_ref();
    if when.date.is_none() || when.time.is_none() || when.offset.is_none() {
        let error = wrong(table.when.span(), "this is not a date with time and zone".into());
        return Err(error.hint("write it as 2026-11-22T21:30:00Z"));
    }
    if table.by.get_ref().trim().is_empty() {
        return Err(wrong(table.by.span(), "nobody is named here".into()));
    }
    let quote = Quote {
        before: table.before,
        at: table.at.get_ref().clone(),
        until: table.until,
        after: table.after,
    };
    if folded(&quote.at).is_empty() {
        return Err(wrong(table.at.span(), "there are no characters in these words".into()));
    }
    if let Some(hash) = table.hash.filter(|h| *h.get_ref() != hash(&quote)) {
        let error = wrong(hash.span(), "the words of this correction were changed".into());
        return Err(error.hint("delete the key `hash` if that is right"));
    }
    let (by, when) = (table.by.into_inner(), when.to_string());
    Ok(Correction { quote, what, by, when, note: table.note })
}

/// The folded characters of some words.
pub(super) fn folded(words: &str) -> Vec<char> {
    Key::of(words, Span::new(0, words.len())).chars
}

/// A short hash of a quotation. It does not change with punctuation, lines or script.
pub fn hash(quote: &Quote) -> String {
    let mut sha = Sha256::new();
    let parts = [&quote.before, &quote.at, quote.until.as_ref().unwrap_or(&quote.at), &quote.after];
    for part in parts {
        let words: String = folded(part).into_iter().collect();
        sha.update((words.len() as u32).to_le_bytes());
        sha.update(words.as_bytes());
    }
    sha.finalize().iter().take(4).map(|b| format!("{b:02x}")).collect()
}

/// Writes corrections in the order given; if there are none, a remark.
pub fn text(corrections: &[Correction]) -> String {
    if corrections.is_empty() {
        return TAKEN_BACK.to_string();
    }
    let mut out = String::new();
    for c in corrections {
        let separator = if out.is_empty() { "" } else { "\n" };
        out.push_str(&format!("{separator}[[correction]]\n"));
        let mut line =
            |key: &str, value: &str| out.push_str(&format!("{key} = {}\n", in_one_line(value)));
        line("kind", c.what.kind());
        line("before", &c.quote.before);
        line("at", &c.quote.at);
        c.quote.until.iter().for_each(|until| line("until", until));
        line("after", &c.quote.after);
        line("hash", &hash(&c.quote));
        line("decision", &c.what.decision());
        line("by", &c.by);
        out.push_str(&format!("when = {}\n", c.when));
        if let Some(note) = &c.note {
            out.push_str(&format!("note = {}\n", in_one_line(note)));
        }
    }
    out
}

/// A string of TOML without line ends: those of its file are not always the same, and a line of it
/// could look like the beginning of an entry.
fn in_one_line(words: &str) -> String {
    // What JSON escapes is escaped alike in TOML, which has no DEL.
    serde_json::Value::from(words).to_string().replace('\u{7f}', "\\u007f")
}

/// The text of a file after a change: corrections that stay keep their words, with the comments
/// before them, and others are written new. Comments of those that go stay where they were, and
/// those of one that another replaces are before that.
///
/// `old` is the text before and `before` what it holds. `None` if the text is TOML of another form,
/// in which entries cannot be exchanged without losing what is around them.
pub(crate) fn changed(old: &str, before: &[Correction], after: &[Correction]) -> Option<String> {
    // A byte order mark is before all of it.
    if let Some(unmarked) = old.strip_prefix('\u{FEFF}') {
        return changed(unmarked, before, after).map(|text| format!("\u{FEFF}{text}"));
    }
    let pieces = pieces(old)?;
    let (head, pieces) = (pieces[0], &pieces[1..]);
    let mut free: Vec<bool> = vec![true; before.len()];
    let stays: Vec<Option<usize>> = after
        .iter()
        .map(|c| {
            let n = (0..before.len()).find(|n| free[*n] && before[*n] == *c)?;
            free[n] = false;
            Some(n)
        })
        .collect();
    let newline = if old.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = head.to_string();
    for (c, stays) in after.iter().zip(stays) {
        if let Some(n) = stays {
            for gone in (0..n).filter(|i| std::mem::take(&mut free[*i])) {
                comment_lines(pieces[gone]).for_each(|line| add(&mut out, line, newline));
            }
            add(&mut out, pieces[n].trim_matches(['\r', '\n']), newline);
            continue;
        }
        let is_replaced = |n: &usize| free[*n] && are_of_one_place(&before[*n], c);
        let replaced: Vec<usize> = (0..before.len()).filter(is_replaced).collect();
        replaced.iter().for_each(|n| free[*n] = false);
        let written = text(std::slice::from_ref(c));
        let lines = replaced.iter().flat_map(|n| comment_lines(pieces[*n])).chain(written.lines());
        add(&mut out, &lines.collect::<Vec<_>>().join(newline), newline);
    }
    for gone in (0..before.len()).filter(|i| free[*i]) {
        comment_lines(pieces[gone]).for_each(|line| add(&mut out, line, newline));
    }
    let read = parse(&Source::from_text("", &*out)).ok()?;
    (read == after).then_some(out)
}

/// True if one person decided both about the same words.
fn are_of_one_place(a: &Correction, b: &Correction) -> bool {
    a.by == b.by && a.what.kind() == b.what.kind() && a.quote == b.quote
}

/// Adds a paragraph to the text of a file.
fn add(out: &mut String, words: &str, newline: &str) {
    if !out.is_empty() && !out.ends_with("\n\n") && !out.ends_with("\n\r\n") {
        out.push_str(&newline.repeat(if out.ends_with('\n') { 1 } else { 2 }));
    }
    out.push_str(words);
    out.push_str(newline);
}

/// The comments of a piece of TOML: lines of them, and what stands behind values.
fn comment_lines(piece: &str) -> impl Iterator<Item = &str> {
    comments(piece).into_iter().map(|span| {
        let line = line_start(piece, span.start);
        let is_alone = piece[line..span.start].trim().is_empty();
        piece[if is_alone { line } else { span.start }..span.end].trim_end()
    })
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |n| n + 1)
}

/// Where the comments of a text of TOML are. A # in a string begins none.
fn comments(text: &str) -> Vec<Range<usize>> {
    let (mut out, mut at) = (vec![], 0);
    while let Some(found) = text[at..].find(['#', '"', '\'']) {
        let start = at + found;
        let rest = &text[start..];
        if rest.starts_with('#') {
            at = start + rest.find('\n').unwrap_or(rest.len());
            out.push(start..at);
        } else {
            at = start + string_len(rest);
        }
    }
    out
}

/// How long the string of TOML is with which a text begins, with its quotation marks.
fn string_len(text: &str) -> usize {
    let quote = &text[..1];
    let whole = quote.repeat(3);
    let mark = if text.starts_with(&whole) { &whole } else { quote };
    let mut at = mark.len();
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with('\\') && quote == "\"" {
            at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
        } else if let Some(after) = rest.strip_prefix(mark) {
            // One or two quotation marks may be the last of a long string.
            let more = after.bytes().take(2).take_while(|b| *b == quote.as_bytes()[0]);
            return at + mark.len() + if mark.len() == 3 { more.count() } else { 0 };
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// What is before the first entry, and each entry with the comments before it. `None` if the
/// entries have no lines of their own.
fn pieces(text: &str) -> Option<Vec<&str>> {
    let places: EntryPlaces = toml::from_str(text).ok()?;
    let comments = comments(text);
    let is_comment = |line: usize| {
        let at = line + text[line..].len() - text[line..].trim_start_matches([' ', '\t']).len();
        comments.binary_search_by_key(&at, |span| span.start).is_ok()
    };
    let mut starts = vec![];
    for entry in &places.correction {
        let head = entry.span().start;
        let mut start = line_start(text, head);
        if !text[head..].starts_with("[[") || !text[start..head].trim().is_empty() {
            return None;
        }
        while start > 0 && is_comment(line_start(text, start - 1)) {
            start = line_start(text, start - 1);
        }
        starts.push(start);
    }
    let ends = starts.iter().copied().chain([text.len()]);
    let froms = std::iter::once(0).chain(starts.iter().copied());
    Some(froms.zip(ends).map(|(from, to)| &text[from..to]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "[[correction]]
kind = \"cut\"
before = \"釋獲皆如初。司射所作,唯上耦。\"
at = \"於是言唯上耦者,\"
after = \"嫌賓、主人射亦作之。\"
decision = \"經|注\"
by = \"王\"
when = 2026-11-22T21:30:00Z
";

    fn parsed(text: &str) -> Result<Vec<Correction>, Error> {
        parse(&Source::from_text("a.review.toml", text))
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut one = parsed(ENTRY).unwrap();
        one[0].note = Some("“引號”\n\\ 二".into());
        one.push(Correction {
            quote: Quote { until: Some("末。".into()), ..one[0].quote.clone() },
            what: Confirmation::Reading("云".into()),
            ..one[0].clone()
        });
        let written = text(&one);
        assert_eq!(parsed(&written).unwrap(), one, "{written}");
        assert_eq!(text(&parsed(&written).unwrap()), written);
        assert_eq!(written.matches("\nhash = ").count(), 2);
        assert!(
            written.starts_with("[[correction]]\n") && written.contains("\n\n[[correction]]\n")
        );
    }

    #[test]
    fn comments_and_words_of_entries_that_stay_are_kept() {
        let old = format!("# of the second proof\n\n# sure?\n{ENTRY}# end\n");
        let before = parsed(&old).unwrap();
        let other = Correction { by: "李".into(), ..before[0].clone() };
        let new = changed(&old, &before, &[before[0].clone(), other.clone()]).unwrap();
        assert!(new.starts_with(&format!("# of the second proof\n\n# sure?\n{ENTRY}")), "{new}");
        assert_eq!(parsed(&new).unwrap(), [before[0].clone(), other.clone()]);
        let rest = changed(&new, &parsed(&new).unwrap(), std::slice::from_ref(&other)).unwrap();
        let first = parsed(&rest).unwrap();
        let comments = "# of the second proof\n\n# sure?\n\n# end\n\n[[correction]]";
        assert!(rest.starts_with(comments), "{rest}");
        let none = changed(&rest, &first, &[]).unwrap();
        assert_eq!(none.lines().filter(|l| l.starts_with('#')).count(), 3, "{none}");
        let within = old.replace("decision", "  # why?\ndecision");
        let none = changed(&within, &before, &[]).unwrap();
        assert_eq!(none, "# of the second proof\n\n# sure?\n\n  # why?\n\n# end\n");
        let indented = old.replace("[[correction]]", "  [[correction]]");
        assert_eq!(changed(&indented, &before, &before).unwrap(), indented);
        assert_eq!(changed(&old, &before, &before).unwrap(), old);
        let marked = format!("\u{FEFF}{old}");
        assert_eq!(changed(&marked, &before, &before).unwrap(), marked);
        let crlf = |text: &str| text.replace('\n', "\r\n");
        assert_eq!(changed(&crlf(&old), &before, &[before[0].clone(), other]).unwrap(), crlf(&new));
        for head in ["[[ correction ]] # check", "[[\"correction\"]]"] {
            let old = old.replace("[[correction]]", head);
            assert_eq!(changed(&old, &before, &before).unwrap(), old);
        }
        let inline = format!("correction = [{{{}}}]", ENTRY[15..].trim().replace('\n', ", "));
        assert_eq!(parsed(&inline).unwrap(), before);
        assert_eq!(changed(&inline, &before, &before), None);
    }

    #[test]
    fn a_fault_is_shown_at_its_line() {
        for (from, to, line, words) in [
            ("kind = \"cut\"", "kind = \"cuts\"", 2, "no kind"),
            ("at = ", "att = ", 4, "unknown field"),
            ("\"經|注\"", "\"經\"", 6, "before and after"),
            ("\"經|注\"", "\"經|天\"", 6, "天"),
            ("T21:30:00Z", "", 8, "time"),
            ("2026-11-22T21:30:00Z", "21:30:00", 8, "time"),
            ("2026-11-22T21:30:00Z", "2026-11-22T21:30:00", 8, "time"),
            ("\"王\"", "\" \"", 7, "nobody"),
            ("\"於是言唯上耦者,\"", "\"。\"", 4, "no characters"),
            ("by = ", "hash = \"00000000\"\nby = ", 7, "changed"),
        ] {
            let error = parsed(&ENTRY.replace(from, to)).unwrap_err();
            assert_eq!(error.place.map(|p| p.line), Some(line), "{to}: {error:?}");
            assert!(error.message.contains(words), "{}", error.message);
        }
    }

    #[test]
    fn the_hash_does_not_change_with_punctuation_or_script() {
        let quote = |at: &str| Quote { at: at.into(), ..Quote::default() };
        assert_eq!(hash(&quote("於是言,唯上耦者。")), hash(&quote("于是言唯上耦者")));
        assert_eq!(hash(&quote("於是言")).len(), 8);
        for other in ["於是", "於是者"] {
            assert_ne!(hash(&quote("於是言")), hash(&quote(other)));
        }
        let split = |before: &str, at: &str| {
            let (before, at, until) = (before.into(), at.into(), Some("末".into()));
            hash(&Quote { before, at, until, after: String::new() })
        };
        assert_ne!(split("於是", "言"), split("於", "是言"));
    }

    #[test]
    fn an_entry_has_this_form() {
        let mut one = parsed(ENTRY).unwrap();
        let form = ENTRY.replace("decision", "hash = \"a247815f\"\ndecision");
        assert_eq!(text(&one), form);
        one[0].quote.until = Some("末。".into());
        one[0].note = Some("云".into());
        let form = form.replace("after", "until = \"末。\"\nafter").replace("a247815f", "47ec6f1c");
        assert_eq!(text(&one), form + "note = \"云\"\n");
    }

    #[test]
    fn a_file_is_read_with_its_text_or_the_reason_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt.review.toml");
        std::fs::write(&path, ENTRY).unwrap();
        assert_eq!(read(&path).unwrap(), parsed(ENTRY).unwrap());
        assert_eq!(read_with_text(&path).unwrap().0, ENTRY);
        let error = read(&folder.path().join("b.txt.review.toml")).unwrap_err();
        assert!(error.message.starts_with("cannot read: "), "{}", error.message);
    }

    #[test]
    fn what_to_do_about_a_fault_is_said() {
        for (from, to, hint) in [
            ("\"cut\"", "\"cuts\"", "there are cut, layer, reading, link, bead, speaker, heading"),
            ("T21:30:00Z", "", "write it as 2026-11-22T21:30:00Z"),
            ("by = ", "hash = \"00000000\"\nby = ", "delete the key `hash` if that is right"),
        ] {
            let error = parsed(&ENTRY.replace(from, to)).unwrap_err();
            assert_eq!(error.hint.as_deref(), Some(hint));
        }
    }

    #[test]
    fn a_misspelled_entry_is_not_left_out_in_silence() {
        let error = parsed(&ENTRY.replace("[[correction]]", "[[corrections]]")).unwrap_err();
        assert!(error.message.contains("unknown field `corrections`"), "{}", error.message);
    }

    #[test]
    fn a_file_may_have_no_entries_and_an_entry_no_words_around_its_place() {
        assert_eq!(parsed("# none yet\n").unwrap(), []);
        let around = |line: &&str| !line.starts_with("before") && !line.starts_with("after");
        let short: Vec<&str> = ENTRY.lines().filter(around).collect();
        let quote = &parsed(&short.join("\n")).unwrap()[0].quote;
        assert_eq!((&*quote.before, &*quote.after), ("", ""));
        assert_eq!(quote.at, "於是言唯上耦者,");
    }

    #[test]
    fn entries_are_added_to_a_file_without_any() {
        let one = parsed(ENTRY).unwrap();
        assert_eq!(changed("", &[], &one).unwrap(), text(&one));
        // A comment at the end of a file without a line end does not take the entry in.
        assert_eq!(changed("# mine", &[], &one).unwrap(), format!("# mine\n\n{}", text(&one)));
    }

    #[test]
    fn a_comment_within_an_entry_stays_in_it() {
        let first = ENTRY.replace("decision", "# why?\ndecision");
        let old = format!("{first}\n{}", ENTRY.replace("王", "李"));
        let before = parsed(&old).unwrap();
        assert_eq!(changed(&old, &before, &before).unwrap(), old);
        assert_eq!(changed(&old, &before, &before[..1]).unwrap(), first);
        let last = changed(&old, &before, &before[1..]).unwrap();
        assert_eq!(last, format!("# why?\n\n{}", ENTRY.replace("王", "李")));
    }

    #[test]
    fn strings_that_look_like_entries_or_comments_are_neither() {
        let long = "note = \"\"\"\n# 一 \\\"\"\" 二\n[[correction]]\n# 三\"\"\"\n# 'x\n";
        let first = format!("{}{long}", ENTRY.replace("\"王\"", "'王#' # \"who?"));
        let old = format!("{first}\n# next\n{}", ENTRY.replace("王", "李"));
        let before = parsed(&old).unwrap();
        assert_eq!(before.len(), 2);
        assert_eq!(changed(&old, &before, &before).unwrap(), old);
        assert_eq!(changed(&old, &before, &before[..1]).unwrap(), format!("{first}\n# next\n"));
        let rest = changed(&old, &before, &before[1..]).unwrap();
        assert!(rest.starts_with("# \"who?\n\n# 'x\n\n# next\n[[correction]]"), "{rest}");
    }

    #[test]
    fn comments_of_an_entry_stay_before_the_one_that_replaces_it() {
        let old = format!("# sure?\n{}\n{ENTRY}", ENTRY.replace("|注\"", "|注\" # 待考"));
        let old = old.replacen("王", "李", 1);
        let before = parsed(&old).unwrap();
        let what = Confirmation::read("cut", "經|經").unwrap().unwrap();
        let other = Correction { what, ..before[0].clone() };
        let new = changed(&old, &before, &[other, before[1].clone()]).unwrap();
        assert!(new.starts_with("# sure?\n# 待考\n[[correction]]\n"), "{new}");
        assert!(new.ends_with(&format!("\n\n{ENTRY}")), "{new}");
    }

    #[test]
    fn a_note_of_several_lines_stays_as_it_is() {
        let crlf = ENTRY.replace('\n', "\r\n");
        let before = parsed(ENTRY).unwrap();
        for note in ["一\n二", "一\r\n二\r", "一\n\n[[correction]]\n# 二", "\u{7f}\n\"\\\t'\u{0}"]
        {
            let noted = [Correction { note: Some(note.into()), ..before[0].clone() }];
            for old in [ENTRY, &crlf] {
                let new = changed(old, &before, &noted).unwrap();
                assert_eq!(parsed(&new).unwrap(), noted, "{new}");
                assert_eq!(changed(&new, &noted, &noted).unwrap(), new);
            }
        }
    }
}
