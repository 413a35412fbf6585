//! Tables of Excel and LibreOffice (XLSX, ODS), as text between tabs. Sheets with columns of
//! the names that others have go on with them.

use std::io::{Cursor, Read, Seek};

use calamine::{Ods, Range, Reader, Xlsx};

use super::archive::{self, Archive};
use super::unpacked::Unpacked;

/// True for a workbook of Excel.
pub(super) fn is_workbook(bytes: &[u8]) -> bool {
    archive::has(bytes, "xl/workbook.xml")
}

/// True for a table of OpenDocument.
pub(super) fn is_ods(bytes: &[u8]) -> bool {
    archive::says(bytes, "application/vnd.oasis.opendocument.spreadsheet")
}

/// Its text.
pub(super) fn read(bytes: &[u8]) -> Result<Unpacked, String> {
    // The crate unpacks all that it reads: what is too large is found first.
    let mut parts = Archive::open(bytes)?;
    for name in parts.names().iter().filter(|name| name.ends_with(".xml")) {
        parts.text(name)?;
    }
    match is_ods(bytes) {
        true => sheets(Ods::new(Cursor::new(bytes)).map_err(|e| e.to_string())?),
        false => sheets(Xlsx::new(Cursor::new(bytes)).map_err(|e| e.to_string())?),
    }
}

fn sheets<R: Read + Seek, B: Reader<R>>(mut book: B) -> Result<Unpacked, String>
where
    B::Error: std::fmt::Display,
{
    let (mut columns, mut sheets, mut left_out) = (vec![], vec![], vec![]);
    for name in book.sheet_names() {
        let cells = book.worksheet_range(&name).map_err(|e| format!("{name}: {e}"))?;
        let mut rows = rows(&cells).into_iter();
        let Some(head) = rows.next() else { continue };
        let is_known = |column: &String| !column.is_empty() && columns.contains(column);
        if columns.is_empty() {
            columns.clone_from(&head);
        } else if head.iter().any(is_known) {
            let new: Vec<String> = head.iter().filter(|c| !columns.contains(c)).cloned().collect();
            columns.extend(new);
        } else {
            left_out.push(format!("sheet {name}"));
            continue;
        }
        sheets.push((name, head, rows));
    }
    if sheets.is_empty() {
        return Err("it has no cells".into());
    }
    let mut text = String::new();
    line(&mut text, &columns);
    let mut parts = vec![];
    for (name, head, rows) in sheets {
        let places = places(&columns, &head);
        for row in rows {
            let cell = |place: &Option<usize>| place.and_then(|n| row.get(n).cloned());
            let cells = places.iter().map(|place| cell(place).unwrap_or_default());
            line(&mut text, &cells.collect::<Vec<_>>());
        }
        parts.push(name);
    }
    Ok(Unpacked { text, parts: parts.join(", "), left_out })
}

/// Where the cells of a sheet with this head are, for each column. Of columns with one name each
/// has its own.
fn places(columns: &[String], head: &[String]) -> Vec<Option<usize>> {
    let mut taken = vec![false; head.len()];
    let mut place = |column: &String| {
        let n = (0..head.len()).find(|n| !taken[*n] && head[*n] == *column)?;
        taken[n] = true;
        Some(n)
    };
    columns.iter().map(&mut place).collect()
}

/// The rows that have anything in them.
fn rows(cells: &Range<calamine::Data>) -> Vec<Vec<String>> {
    let rows = cells.rows().map(|row| row.iter().map(ToString::to_string).collect());
    rows.filter(|row: &Vec<String>| row.iter().any(|cell| !cell.trim().is_empty())).collect()
}

/// Adds a row. Blanks stand for the ends of lines within cells, as the row is one line.
fn line(text: &mut String, row: &[String]) {
    let cell = |cell: &String| cell.replace(['\t', '\n', '\r'], " ");
    text.push_str(&row.iter().map(cell).collect::<Vec<_>>().join("\t"));
    text.push('\n');
}
