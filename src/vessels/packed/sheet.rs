//! Tables of Excel and LibreOffice (XLSX, ODS), as text between tabs. Sheets whose columns have the
//! names of the first one's go on with it.

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
    let (mut text, mut parts, mut left_out) = (String::new(), vec![], vec![]);
    let mut head: Option<Vec<String>> = None;
    for name in book.sheet_names() {
        let cells = book.worksheet_range(&name).map_err(|e| format!("{name}: {e}"))?;
        let mut rows = rows(&cells).into_iter();
        let Some(first) = rows.next() else { continue };
        match &head {
            None => {
                line(&mut text, &first);
                head = Some(first);
            }
            Some(head) if *head == first => {}
            Some(_) => {
                left_out.push(format!("sheet {name}"));
                continue;
            }
        }
        rows.for_each(|row| line(&mut text, &row));
        parts.push(name);
    }
    if text.is_empty() {
        return Err("it has no cells".into());
    }
    Ok(Unpacked { text, parts: parts.join(", "), left_out })
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
