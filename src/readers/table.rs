//! Tables with a column for each layer, as CSV or TSV: 原文 and 今譯 side by side. The first line
//! names the columns, or one below a title; `keys.tsv` says what each contains. Fields of other
//! columns are furniture.
//! Where a column `layer` names the layer of each row, as in our own tables, the column `words` has
//! its text.

use std::sync::Arc;

use super::{KnownKeys, UnknownKeys, is_modern_prose, notes_before_text};
use crate::diag::{Diagnostic, Error};
use crate::model::thresholds::RECOGNISED_BY_FORM_ALONE;
use crate::model::{Cover, Document, Evidence, EvidenceKind, Layer, LayerKind, columns};
use crate::source::{Source, Span};
use crate::text::class::is_content;

/// Signs between columns.
const SEPARATORS: [char; 3] = ['\t', ',', ';'];
/// The column that names the layer of a row, and the one that has its words: our own tables.
const LAYER: &[&str] = &["layer", "層"];
const WORDS: &[&str] = &["words", "text", "文"];
/// The first columns of our own table of segments.
const OURS: [&str; 3] = ["text", "id", "layer"];
/// Most lines above the names of the columns.
const MAX_LINES_ABOVE: usize = 3;
/// Least number of rows of a table whose columns have no names, how many lines are looked at for
/// what separates them, and the least number of Chinese characters in a cell of text, on average.
const MIN_UNNAMED_ROWS: usize = 3;
const MAX_LINES_TRIED: usize = 200;
const MIN_CELL_CHARS: usize = 4;
/// Least number of rows under the names of the columns.
const MIN_ROWS: usize = 2;

/// The first columns of a table of questions that people answer (`zhushu review --export`).
pub(crate) const QUESTIONS: [&str; 7] =
    ["place", "kind", "certainty", "before", "at", "after", "answer"];

/// True for such a table, which lies beside its text and is none.
pub(super) fn is_of_questions(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    let names = head.split(SEPARATORS).map(|n| n.trim_matches(['\u{FEFF}', '"', ' ']));
    names.take(QUESTIONS.len()).eq(QUESTIONS)
}

/// Recognises names of columns in the first line, and rows with as many fields.
pub fn sniff(head: &str) -> u8 {
    sniff_with(head, KnownKeys(None))
}

/// The same with more columns than the known ones.
pub(super) fn sniff_with(head: &str, keys: KnownKeys<'_>) -> u8 {
    let Some((layers, rows)) = rows(head, keys) else {
        return if by_content(head).is_some() { 97 } else { 0 };
    };
    let columns = rows[layers.head].len();
    // Two names that are known say enough.
    let known = layers.columns.iter().flatten().count();
    let least = if known > 1 { 1 } else { MIN_ROWS };
    // A sample may end in a row.
    let below = &rows[layers.head + 1..];
    let whole = below.iter().filter(|r| r.len() == columns).count();
    // Some programs do not write the empty cells at the end of a row.
    let shorter = below.iter().filter(|r| r.len() < columns).count();
    let like = if known > 1 && whole > 0 { whole + shorter } else { whole };
    if like >= least && like * 10 >= below.len() * 8 { 98 } else { 0 }
}

/// Reads. See the [module](self).
///
/// # Errors
/// If the first line names no column that is known.
pub fn read(source: Source) -> Result<Document, Error> {
    read_with(source, KnownKeys(None))
}

/// Reads with more columns than the known ones.
pub(super) fn read_with(source: Source, keys: KnownKeys<'_>) -> Result<Document, Error> {
    let source = Arc::new(source);
    let text = source.text();
    let Some((layers, rows)) = rows(text, keys) else {
        if let Some(found) = by_content(text) {
            return Ok(read_by_content(source.clone(), found));
        }
        return Err(Error::input(source.path(), "the first line names no column that is known")
            .hint("name the columns of the text and of its notes: jing, zhu, translation"));
    };
    let names: Vec<&str> = rows[layers.head].iter().map(|f| text[f.range()].trim()).collect();
    let mut cover = Cover::new(text);
    let mut unknown = UnknownKeys::default();
    for field in rows[..=layers.head].iter().flatten() {
        cover.to(field.end(), Layer::Furniture);
    }
    for row in &rows[layers.head + 1..] {
        for (n, field) in row.iter().enumerate() {
            cover.to(field.start(), Layer::Mark);
            match layers.of(n, row, text) {
                Some(layer) => {
                    cover.to(field.start() + first_piece(text, *field), layer);
                    other_pieces(&mut cover, text, *field);
                }
                None if layers.ours || layers.is_name(n) => {
                    cover.to(field.end(), Layer::Furniture);
                }
                None => {
                    let name = names.get(n).copied().unwrap_or("");
                    unknown.add(name, &text[field.range()], *field);
                    cover.to(field.end(), Layer::Furniture);
                }
            }
        }
    }
    cover.to(text.len(), Layer::Mark);
    let mut document = Document::new(Arc::clone(&source), "table");
    cover.finish_into(&mut document);
    document.diagnostics.extend(unknown.report());
    let head = rows[layers.head].first().copied().unwrap_or(Span::new(0, 0));
    document.diagnostics.extend(notes_before_text(layers.columns.iter().copied(), head));
    Ok(document)
}

/// Columns without names, by what they hold: what each is, and the rows.
type UnnamedColumns = (Vec<Option<Layer>>, Vec<TableRow>);

/// A table without names of columns, one of which is a translation: what is before it is the
/// classic and its notes.
fn by_content(text: &str) -> Option<UnnamedColumns> {
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    let separator = SEPARATORS[..2].iter().find(|s| {
        let (with, all) = lines.clone().take(MAX_LINES_TRIED).fold((0, 0), |(with, all), line| {
            (with + usize::from(line.contains(**s)), all + usize::from(!line.is_empty()))
        });
        all >= MIN_UNNAMED_ROWS && with * 10 >= all * 9
    })?;
    let rows = fields(text, *separator);
    let is_row = |row: &&TableRow| !text[row[0].range()].starts_with('#');
    let columns = rows.iter().filter(is_row).map(Vec::len).max()?;
    let like = rows.iter().filter(is_row).filter(|row| row.len() == columns).count();
    let all = rows.iter().filter(is_row).count();
    if columns < 2 || like < MIN_UNNAMED_ROWS || like * 10 < all * 9 {
        return None;
    }
    let words = |n: usize| {
        let cells = rows.iter().filter(is_row).filter_map(|row| row.get(n));
        cells.map(|cell| &text[cell.range()]).collect::<Vec<_>>().join("\n")
    };
    let han = |words: &str| words.chars().filter(|c| is_content(*c) && !c.is_ascii()).count();
    let (mut layers, mut has_classic) = (vec![], false);
    for n in 0..columns {
        let words = words(n);
        let layer = match () {
            () if han(&words) < like * MIN_CELL_CHARS => None,
            () if is_modern_prose(&words) => Some(Layer::Translation),
            () if has_classic => Some(Layer::Zhu),
            () => Some(Layer::Jing),
        };
        has_classic |= layer == Some(Layer::Jing);
        layers.push(layer);
    }
    let has_translation = layers.contains(&Some(Layer::Translation));
    (has_classic && has_translation).then_some((layers, rows))
}

/// Reads a table whose columns have no names; what each holds is inferred.
fn read_by_content(source: Arc<Source>, (layers, rows): UnnamedColumns) -> Document {
    let text = source.text();
    let mut cover = Cover::new(text);
    // Names of columns that nobody knows are too short to be text.
    let is_short = |cell: &Span| text[cell.range()].trim().chars().count() < MIN_CELL_CHARS;
    let has_names = rows.first().is_some_and(|row| row.iter().all(is_short));
    for (number, row) in rows.iter().enumerate() {
        let is_row = row.len() == layers.len() && !(has_names && number == 0);
        for (n, field) in row.iter().enumerate() {
            cover.to(field.start(), Layer::Mark);
            match layers.get(n).copied().flatten().filter(|_| is_row) {
                Some(layer) => {
                    let evidence = Evidence::of(EvidenceKind::Layout);
                    let first = field.start() + first_piece(text, *field);
                    cover.inferred(first, layer, RECOGNISED_BY_FORM_ALONE, evidence);
                    other_pieces(&mut cover, text, *field);
                }
                None => cover.to(field.end(), Layer::Furniture),
            }
        }
    }
    cover.to(text.len(), Layer::Mark);
    let mut document = Document::new(Arc::clone(&source), "table");
    cover.finish_into(&mut document);
    let message = "the columns have no names; what they hold is inferred from their words";
    document.diagnostics.push(
        Diagnostic::warning("columns-unnamed", Span::new(0, 0), message)
            .hint("name them in the first line: jing, zhu, translation"),
    );
    document
}

/// The fields of a row.
type TableRow = Vec<Span>;

/// The layers of a table.
struct TableLayers {
    /// The row of their names.
    head: usize,
    /// Of each column.
    columns: Vec<Option<Layer>>,
    /// The column that names the layer of each row, and the one that has its words.
    named: Option<(usize, usize)>,
    /// True for our own table of segments: of its other columns none is text.
    ours: bool,
}

impl TableLayers {
    /// True for the column of names.
    fn is_name(&self, column: usize) -> bool {
        self.named.is_some_and(|(layer, _)| layer == column)
    }

    /// The layer of a field, if it is text.
    fn of(&self, column: usize, row: &TableRow, text: &str) -> Option<Layer> {
        match self.named {
            Some((layer, words)) if column == words => {
                row.get(layer).and_then(|f| text[f.range()].trim().parse().ok())
            }
            _ if self.ours => None,
            _ => self.columns.get(column).copied().flatten(),
        }
    }
}

/// The layers if some column is text, and the fields of all rows.
fn rows(text: &str, keys: KnownKeys<'_>) -> Option<(TableLayers, Vec<TableRow>)> {
    let (head, rows) = with_head(text, keys)?;
    let names = rows.get(head)?.iter().map(|name| text[name.range()].trim());
    let named =
        |wanted: &[&str]| wanted.iter().find_map(|w| names.clone().position(|name| name == *w));
    let columns: Vec<Option<Layer>> = names.clone().map(|name| keys.layer(name)).collect();
    let is_text =
        |l: &Layer| matches!(l.kind(), LayerKind::Base | LayerKind::Note | LayerKind::Translation);
    let linked = named(&["target", "kind"]).is_some();
    let layered = named(LAYER).zip(named(WORDS)).filter(|_| !linked);
    let ours = names.take(OURS.len()).eq(OURS.iter().copied());
    let known = layered.is_some() || columns.iter().flatten().any(is_text);
    known.then_some((TableLayers { head, columns, named: layered, ours }, rows))
}

/// The rows of a table, with the number of that which names the columns: the first, or one soon
/// after it that names several.
fn with_head(text: &str, keys: KnownKeys<'_>) -> Option<(usize, Vec<TableRow>)> {
    let first = text.lines().next()?;
    let above = || text.lines().take(MAX_LINES_ABOVE + 1);
    let separators = SEPARATORS.into_iter().filter(|s| above().any(|line| line.contains(*s)));
    for separator in separators {
        let rows = fields(text, separator);
        let names_several = |row: &TableRow| {
            let names = row.iter().map(|field| text[field.range()].trim());
            columns(names, |name| keys.role(name)).is_some()
        };
        // Above the names is at most a title.
        let has_one = |row: &TableRow| {
            row.iter().filter(|field| !text[field.range()].trim().is_empty()).count() < 2
        };
        let head = rows.iter().take(MAX_LINES_ABOVE).take_while(|row| has_one(row)).count();
        if rows.get(head).is_some_and(names_several) {
            return Some((head, rows));
        }
    }
    let separator = SEPARATORS.into_iter().find(|s| first.contains(*s))?;
    Some((0, fields(text, separator)))
}

/// The fields of each row, without their quotation marks.
fn fields(text: &str, separator: char) -> Vec<TableRow> {
    let (mut rows, mut row) = (vec![], vec![]);
    let mut start = 0;
    let mut quoted = false;
    let bare = |from: usize, to: usize| {
        let words = &text[from..to];
        let trimmed = words.trim_end_matches('\r');
        let inner = trimmed.trim().strip_prefix('"').and_then(|w| w.strip_suffix('"'));
        match inner {
            Some(inner) => {
                let from = from + words.find('"').unwrap_or(0) + 1;
                Span::new(from, from + inner.len())
            }
            None => Span::new(from, from + trimmed.len()),
        }
    };
    for (i, c) in text.char_indices() {
        match c {
            '"' if quoted || text[start..i].trim().is_empty() => quoted = !quoted,
            c if quoted || c != separator && c != '\n' => {}
            c => {
                row.push(bare(start, i));
                start = i + c.len_utf8();
                if c == '\n' {
                    rows.push(std::mem::take(&mut row));
                }
            }
        }
    }
    if start < text.len() {
        row.push(bare(start, text.len()));
    }
    rows.extend((!row.is_empty()).then_some(row));
    rows
}

/// Where the second of each two quotation marks in a quoted field is: they stand for one.
fn doubled(text: &str, field: Span) -> impl Iterator<Item = usize> {
    let is_quoted = text[..field.start()].ends_with('"') && text[field.end()..].starts_with('"');
    let words = if is_quoted { &text[field.range()] } else { "" };
    words.match_indices("\"\"").map(|(at, _)| at + 1)
}

/// How many bytes of a field are before the first mark that only doubles another.
fn first_piece(text: &str, field: Span) -> usize {
    doubled(text, field).next().unwrap_or(field.range().len())
}

/// Covers the rest of a field; such marks are no words.
fn other_pieces(cover: &mut Cover<'_>, text: &str, field: Span) {
    let mut marks = doubled(text, field).map(|at| field.start() + at).peekable();
    while let Some(mark) = marks.next() {
        cover.go_on(mark + 1, marks.peek().copied().unwrap_or(field.end()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_layers() {
        let text = "\u{FEFF}序號,原文,今譯,出處\n1,\"子曰：「學，而」\",\"孔子說\"\"學\"\"\",論語\r\n2,\"有子曰\n其為人也\",有子說,論語\n";
        assert!(sniff(text) > 90);
        let d = read(Source::from_text("t.csv", text)).unwrap();
        d.check().unwrap();
        let of = |layer| d.of_layer(layer).map(|s| d.slice(s.span)).collect::<Vec<_>>();
        assert_eq!(of(Layer::Jing), ["子曰：「學，而」", "有子曰\n其為人也"]);
        assert_eq!(of(Layer::Translation), ["孔子說\"\"學\"\"", "有子說"]);
        let translation = d.of_layer(Layer::Translation).next().unwrap();
        assert_eq!(d.words(translation.span), "孔子說\"學\"");
        assert_eq!(d.diagnostics[0].code, "keys-unknown");
    }

    #[test]
    fn empty_cells_at_the_end_of_rows_may_be_missing() {
        let text = "原文,注,今譯\n學而時習之\n有朋自遠方來,馬曰\n人不知而不慍,慍怒也,不生氣\n";
        assert!(sniff(text) > 90);
        let d = read(Source::from_text("t.csv", text)).unwrap();
        assert_eq!(d.of_layer(Layer::Jing).count(), 3);
        assert!(sniff("原文,注,今譯\n學而,時習之\n有朋,自遠方來\n") < 90);
    }

    #[test]
    fn a_column_names_the_layer_and_others_keep_theirs() {
        let text = "層\t文\t今譯\n注\t說，悅也\t高興\n經\t學而\t學了\n";
        let d = read(Source::from_text("t.tsv", text)).unwrap();
        let of = |layer| d.of_layer(layer).map(|s| d.slice(s.span)).collect::<Vec<_>>();
        assert_eq!((of(Layer::Zhu), of(Layer::Jing)), (vec!["說，悅也"], vec!["學而"]));
        assert_eq!(of(Layer::Translation), ["高興", "學了"]);
    }

    #[test]
    fn a_title_may_be_above_the_names_of_the_columns() {
        let text = "論語注疏\t\t\n章\t經\t朱注\n1\t學而時習之\t說，喜意也\n2\t有朋\t朋，同類也\n";
        assert!(sniff(text) > 90);
        let d = read(Source::from_text("t.tsv", text)).unwrap();
        let of = |layer| d.of_layer(layer).map(|s| d.slice(s.span)).collect::<Vec<_>>();
        assert_eq!(
            (of(Layer::Jing), of(Layer::Zhu)),
            (vec!["學而時習之", "有朋"], vec!["說，喜意也", "朋，同類也"])
        );
    }

    #[test]
    fn columns_without_names_are_known_by_their_words() {
        let text = "1,\"子曰：道千乘之國\",\"包曰：道，治也\",\"孔子說：治理大國的人\"\n2,\"子曰：弟子入則孝\",\"文者古之遺文\",\"孔子說：在家裡的年輕人孝順了\"\n3,\"子夏曰：賢賢易色\",\"言以好色之心\",\"子夏說：看重賢人的德行了\"\n";
        assert!(sniff(text) > 90);
        let d = read(Source::from_text("t.csv", text)).unwrap();
        d.check().unwrap();
        let of = |layer| d.of_layer(layer).map(|s| d.slice(s.span)).collect::<Vec<_>>();
        assert_eq!(of(Layer::Jing)[1], "子曰：弟子入則孝");
        assert_eq!((of(Layer::Zhu).len(), of(Layer::Translation).len()), (3, 3));
        assert_eq!(d.diagnostics[0].code, "columns-unnamed");
        let named = read(Source::from_text("t.csv", format!("號,句子,舊說,俗解\n{text}"))).unwrap();
        assert_eq!(named.of_layer(Layer::Jing).count(), 3);
    }

    #[test]
    fn quotations_that_are_not_closed_are_no_fault() {
        for text in [
            "\"論語集注\n原文,今譯\n學而,學了\n",
            "\"論語\n集注\",,\n原文,今譯\n學而,學了\n有朋,朋友\n",
        ] {
            let _ = sniff(text);
            let _ = read(Source::from_text("t.csv", text)).map(|d| d.check().unwrap());
        }
    }

    #[test]
    fn prose_is_no_table() {
        assert_eq!(sniff("原文，子曰\n學而\n時習\n"), 0);
        assert_eq!(sniff("經,子曰學而時習之\n不亦說乎\n有朋\n"), 0);
    }
}
