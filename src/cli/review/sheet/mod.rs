//! The questions as a table for a spreadsheet, and the answers in it.
//!
//! A row has all that is needed to find its place again, so a table can be imported after the text
//! or the program has changed.

mod workbook;

use std::collections::HashMap;
use std::path::Path;

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization as _;

use crate::cli::language;
use crate::corrections::anchor::{AnchorText, Anchored};
use crate::corrections::{Correction, Quote};
use crate::model::{Confirmation, phrases};
use crate::review::answers::{Answers, RowAnswer, now};
use crate::review::{Choice, Question};
use crate::source::{Source, Span};
use crate::text::Key;

/// How many choices a table has.
const CHOICES: usize = 6;

const COLUMNS: [&str; 17] = [
    "place",
    "kind",
    "certainty",
    "before",
    "at",
    "after",
    "answer",
    "choice 1",
    "choice 2",
    "choice 3",
    "choice 4",
    "choice 5",
    "choice 6",
    "evidence",
    "note",
    "until",
    "hash",
];

/// Columns that the hash does not cover: answers, and numbers that a spreadsheet may write in
/// another form.
const NOT_HASHED: [&str; 5] = ["place", "certainty", "answer", "note", "hash"];

/// A short hash of the words that the program wrote into a row, by the names of its columns. It
/// shows whether a person has written others.
fn hash_of(cell: impl Fn(&str) -> String) -> String {
    let mut sha = Sha256::new();
    for name in COLUMNS.iter().filter(|name| !NOT_HASHED.contains(name)) {
        sha.update(cell(name).split_whitespace().collect::<String>());
        sha.update("\n");
    }
    sha.finalize().iter().take(4).map(|b| format!("{b:02x}")).collect()
}

/// A choice at another place than its question is looked for so many characters around it.
const NEAR_CHARS: usize = 400;

/// The file of a table of the questions: a workbook if the path ends in .xlsx, columns divided by
/// commas if it ends in .csv, else by tabs; and how many questions are left out, because their
/// words and those around them are elsewhere too.
///
/// # Errors
/// When there are too many for a workbook, or the path ends as that of another kind of table.
pub fn file(
    path: &Path,
    source: &Source,
    questions: &[Question],
) -> Result<(Vec<u8>, usize), String> {
    let rows = rows(source, questions);
    let left_out = questions.len() + 1 - rows.len();
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let (delimiter, start) = match ending.as_deref() {
        Some("xlsx") => {
            let words = ["before", "at", "after", "evidence", "note"];
            let is_wide = |name: &str| words.contains(&name) || name.starts_with("choice");
            return Ok((workbook::write(&rows, is_wide)?, left_out));
        }
        Some("ods" | "xls" | "numbers") => {
            return Err("tables are written as .tsv, .csv or .xlsx".into());
        }
        // Without this mark, a spreadsheet takes the file to be in the encoding of the place.
        Some("csv") => (b',', "\u{feff}"),
        _ => (b'\t', ""),
    };
    let mut table =
        csv::WriterBuilder::new().delimiter(delimiter).from_writer(start.as_bytes().to_vec());
    for row in &rows {
        table.write_record(row).map_err(|e| e.to_string())?;
    }
    Ok((table.into_inner().map_err(|e| e.to_string())?, left_out))
}

/// The rows of the table, the first of which is its head.
fn rows(source: &Source, questions: &[Question]) -> Vec<Vec<String>> {
    let anchors = AnchorText::new(source.text());
    let mut rows = vec![COLUMNS.map(String::from).to_vec()];
    for q in questions {
        let Some(quote) = anchors.quote(q.span) else { continue };
        let place = source.place(q.span.start());
        let mut row = vec![
            format!("{}:{}", place.line, place.column),
            q.kind.name().to_string(),
            format!("{:.3}", q.certainty()),
            quote.before,
            quote.at,
            quote.after,
            String::new(),
        ];
        row.extend(
            (0..CHOICES).map(|n| q.choices.get(n).map_or(String::new(), |c| choice(source, q, c))),
        );
        row.extend([evidence(q), String::new(), quote.until.unwrap_or_default()]);
        let cell = |name: &str| COLUMNS.iter().position(|n| *n == name).map(|n| row[n].clone());
        let hash = hash_of(|name| cell(name).unwrap_or_default());
        row.push(hash);
        rows.push(row);
    }
    rows
}

/// A choice in a cell: the decision and, if it is about another place, the words there.
fn choice(source: &Source, q: &Question, c: &Choice) -> String {
    let decision = c.what.decision();
    if c.span == q.span { decision } else { format!("{decision} {}", in_one_line(source, c.span)) }
}

fn in_one_line(source: &Source, span: Span) -> String {
    source.slice(span).chars().filter(|c| !c.is_whitespace()).collect()
}

/// The evidence in words.
pub fn evidence(q: &Question) -> String {
    let of = |(kind, weight): &(crate::model::EvidenceKind, f64)| {
        let words = phrases::named(kind.code(), language::shown());
        if *weight == 0.0 { words.to_string() } else { format!("{words} {weight:+.1}") }
    };
    q.evidence.iter().take(6).map(of).collect::<Vec<_>>().join("; ")
}

/// What a table has.
pub struct Imported {
    /// The answers.
    pub right: Vec<RowAnswer>,
    /// Rows that are wrong, with the reason. The first row after the head is row 2.
    pub wrong: Vec<(usize, String)>,
    /// Rows without an answer.
    pub open: usize,
    /// Rows in which a person has written something that no decision has: a note without an answer,
    /// or a cell of a column of their own.
    pub own: usize,
    /// Rows in which a person has written something into the program's columns.
    pub changed: usize,
}

/// Reads a table.
///
/// # Errors
/// When it is not such a table.
pub fn read(bytes: &[u8], answers: &Answers<'_>) -> Result<Imported, String> {
    let (table, beside) = match bytes.starts_with(workbook::SIGNATURE) {
        true => {
            let first = workbook::read(bytes)?;
            (first.rows.into_iter().map(Ok).collect(), first.beside)
        }
        false => (divided(&decoded(bytes)?), 0),
    };
    let mut table = table.into_iter();
    let head = table.next().unwrap_or_else(|| Ok(vec![]))?;
    let column = |name: &str| {
        let mut found = head.iter().enumerate().filter(|(_, h)| h.trim() == name).map(|(n, _)| n);
        let first = found.next().ok_or_else(|| format!("it has no column “{name}”"))?;
        // Whose answers count is not ours to say.
        found.next().map_or(Ok(first), |_| Err(format!("it has two columns “{name}”")))
    };
    let until = column("until").ok();
    let columns = ["kind", "before", "at", "after", "answer"].map(column);
    let [kind, before, at, after, answer] = match columns {
        [Ok(a), Ok(b), Ok(c), Ok(d), Ok(e)] => [a, b, c, d, e],
        columns => return Err(columns.into_iter().find_map(Result::err).unwrap_or_default()),
    };
    let is_own = |n: usize| head.get(n).is_none_or(|name| !COLUMNS.contains(&name.trim()));
    let mut imported = Imported { right: vec![], wrong: vec![], open: 0, own: beside, changed: 0 };
    let mut answered: HashMap<[String; 5], (usize, (Confirmation, Quote))> = HashMap::new();
    for (n, record) in table.enumerate() {
        let record = match record {
            Ok(record) => record,
            Err(e) => {
                imported.wrong.push((n + 2, e));
                continue;
            }
        };
        let cell = |column: usize| record.get(column).map_or(String::new(), |c| c.trim().into());
        let named = |name: &str| column(name).ok().map(&cell).filter(|c| !c.is_empty());
        let hash = hash_of(|name| named(name).unwrap_or_default());
        imported.changed += usize::from(named("hash").is_some_and(|known| known != hash));
        // A row of something else, such as free words below the table.
        let is_none = cell(kind).is_empty() || cell(at).is_empty();
        let has_own = (0..record.len()).any(|n| (is_own(n) || is_none) && !cell(n).is_empty());
        let is_open = cell(answer).is_empty();
        imported.own += usize::from(has_own || is_open && named("note").is_some());
        if is_open {
            imported.open += 1;
            continue;
        }
        let quote =
            Quote { before: cell(before), at: cell(at), until: named("until"), after: cell(after) };
        let chosen = match number(&cell(answer)) {
            Some(n) => named(&format!("choice {n}")).ok_or_else(|| format!("it has no choice {n}")),
            None => Ok(cell(answer)),
        };
        let corrected = chosen
            .and_then(|chosen| corrections(answers, &cell(kind), &quote, &chosen, named("note")));
        let (correction, besides) = match corrected {
            Ok(both) => both,
            Err(why) => {
                imported.wrong.push((n + 2, why));
                continue;
            }
        };
        let question = [kind, before, at, until.unwrap_or(at), after].map(cell);
        let decided = (correction.what.clone(), correction.quote.clone());
        match answered.insert(question, (n + 2, decided.clone())) {
            Some((row, other)) if other != decided => {
                imported.wrong.push((n + 2, format!("row {row} has another answer to this")));
            }
            _ => imported.right.push(RowAnswer { row: n + 2, correction, besides }),
        }
    }
    Ok(imported)
}

/// The number of a choice, as spreadsheets and Chinese keyboards write it too (1.0, １).
fn number(answer: &str) -> Option<usize> {
    let answer: String = answer.nfkc().collect();
    answer.strip_suffix(".0").unwrap_or(&answer).parse().ok()
}

/// The text of a table as programs save it: UTF-8, UTF-16, or the encoding of the place.
fn decoded(bytes: &[u8]) -> Result<String, String> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Ok(text.trim_start_matches('\u{feff}').to_string());
    }
    let source = Source::decode("", bytes.to_vec(), None).map_err(|e| e.message)?;
    match source.undecodable().next() {
        None => Ok(source.text().trim_start_matches('\u{feff}').to_string()),
        Some(_) => Err("its encoding is not known; save it as UTF-8".into()),
    }
}

/// The rows of a table whose columns tabs, semicolons or commas divide.
fn divided(text: &str) -> Vec<Result<Vec<String>, String>> {
    let bytes = text.as_bytes();
    let first = bytes.split(|b| *b == b'\n').next();
    let count = |delimiter: &u8| first.map_or(0, |l| l.iter().filter(|b| *b == delimiter).count());
    let delimiter = [b',', b';', b'\t'].into_iter().max_by_key(count).unwrap_or(b'\t');
    let mut table = csv::ReaderBuilder::new();
    table.delimiter(delimiter).flexible(true).has_headers(false);
    // A quotation mark that is not closed makes a cell of all rows up to the next one.
    let columns = first.map_or(0, |l| l.iter().filter(|b| **b == delimiter).count());
    let holds_rows = move |cell: &str| {
        let inner = cell.lines().skip(1).map(|l| l.bytes().filter(|b| *b == delimiter).count());
        inner.max().is_some_and(|divided| divided > 0 && divided >= columns / 2)
    };
    let row = move |record: csv::Result<csv::StringRecord>| match record {
        Ok(record) if record.iter().any(holds_rows) => {
            Err("a quotation mark opens a cell that takes in the rows after it".to_string())
        }
        Ok(record) => Ok(record.iter().map(String::from).collect()),
        Err(e) => Err(e.to_string()),
    };
    table.from_reader(bytes).records().map(row).collect()
}

/// The correction of an answer: a decision, and perhaps the words at another place; and what that
/// says of the place that was asked about.
fn corrections(
    answers: &Answers<'_>,
    kind: &str,
    quote: &Quote,
    chosen: &str,
    note: Option<String>,
) -> Result<(Correction, Option<Correction>), String> {
    // Only a cut may be at another place than its question.
    let (decision, words) = match kind {
        "cut" => chosen.split_once(' ').unwrap_or((chosen, "")),
        _ => (chosen, ""),
    };
    let what = Confirmation::read(kind, decision)
        .ok_or_else(|| format!("there is no kind of question “{kind}”"))??;
    let asked = match answers.anchors().place(quote) {
        Anchored::At(span) | Anchored::Alike(span) => span,
        Anchored::Ambiguous(_) => return Err("its words are in more than one place".into()),
        Anchored::Lost(_) => return Err("its words are not in the text".into()),
    };
    let span = if words.trim().is_empty() {
        asked
    } else {
        near(answers.source_text(), asked, words.trim())
            .ok_or_else(|| format!("there is no “{words}” near its place"))?
    };
    let choice = Choice { what, span, probability: 1.0 };
    let besides = choice.not_at(asked);
    let correction =
        |choice: &Choice, note| answers.correction(choice, &now(), note).map_err(|e| e.message);
    let besides = besides.map(|choice| correction(&choice, None)).transpose()?;
    Ok((correction(&choice, note)?, besides))
}

/// The occurrence of some words that is nearest to a place.
fn near(text: &str, place: Span, words: &str) -> Option<Span> {
    let key = Key::of(text, Span::new(0, text.len()));
    let words = Key::of(words, Span::new(0, words.len())).chars;
    let at = key.index_at(place.start());
    let all = at.saturating_sub(NEAR_CHARS)..(at + NEAR_CHARS).min(key.len());
    let hits = crate::text::find::find_within(&key.chars, all, &words, 0);
    let nearest = hits.iter().min_by_key(|h| h.from.abs_diff(at))?;
    Some(key.span(nearest.from, nearest.to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_spreadsheets_save_them() {
        let rows = |bytes: &[u8]| {
            let rows = divided(&decoded(bytes).unwrap()).into_iter();
            rows.map(Result::unwrap).collect::<Vec<_>>()
        };
        let table = "kind\tbefore\tat\tafter\tanswer\ncut\t司射反位於\t是言眾賓\t卒射而降\t經|注\n";
        let expected = rows(table.as_bytes());
        assert_eq!(expected[1][2], "是言眾賓");
        let unicode = "\u{feff}".chars().chain(table.chars()).map(|c| c as u16);
        let unicode: Vec<u8> = unicode.flat_map(u16::to_le_bytes).collect();
        assert_eq!(rows(&unicode), expected);
        for (label, delimiter) in [("gb18030", ";"), ("big5", ","), ("utf-8", ";")] {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let table = table.replace('\t', delimiter);
            assert_eq!(rows(&encoding.encode(&table).0), expected, "{label}");
        }
        assert!(decoded(&[0xff, 0xfe, 0x00, 0xd8, 0x41]).is_err());
    }

    #[test]
    fn numbers_of_choices_are_read_as_people_write_them() {
        assert_eq!(["1", "1.0", "１", "12"].map(number), [Some(1), Some(1), Some(1), Some(12)]);
        assert_eq!(["1.5", "經|注", ""].map(number), [None; 3]);
    }
}
