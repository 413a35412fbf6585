//! A table as a workbook of Excel (.xlsx), which LibreOffice and Numbers open too.

use std::io::{Cursor, Read};
use std::sync::LazyLock;

use calamine::{Data, Reader, Xlsx};
use regex::bytes::Regex;
use rust_xlsxwriter::{Format, Workbook, XlsxError};
use zip::ZipArchive;

use crate::guard::guarded;

/// What a file begins with that is such a workbook, or another archive.
pub const SIGNATURE: &[u8] = b"PK\x03\x04";

/// The widths of columns, in characters: those of words are wider.
const WIDTH: f64 = 12.0;
const WIDE: f64 = 36.0;

/// Bytes of all parts of a workbook, unpacked. A table of a hundred thousand questions has fewer.
const MAX_BYTES: u64 = 1 << 27;
/// Rows and columns of a table of questions.
const MAX_ROWS: usize = 1 << 18;
const MAX_COLUMNS: usize = 64;

/// Makes a workbook of a table, whose first row is its head. All cells are text, so that none is
/// taken for a formula. Columns whose names `wide` holds of are wide.
///
/// # Errors
/// When the table does not fit into a sheet.
pub fn write(table: &[Vec<String>], wide: impl Fn(&str) -> bool) -> Result<Vec<u8>, String> {
    let made = || -> Result<Vec<u8>, XlsxError> {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        let (bold, wrapped) = (Format::new().set_bold(), Format::new().set_text_wrap());
        for (row, cells) in (0u32..).zip(table) {
            let format = if row == 0 { &bold } else { &wrapped };
            for (column, cell) in (0u16..).zip(cells).filter(|(_, cell)| !cell.is_empty()) {
                sheet.write_string_with_format(row, column, cell, format)?;
            }
        }
        for (column, name) in (0u16..).zip(table.first().into_iter().flatten()) {
            sheet.set_column_width(column, if wide(name) { WIDE } else { WIDTH })?;
        }
        sheet.set_freeze_panes(1, 0)?;
        workbook.save_to_buffer()
    };
    made().map_err(|e| e.to_string())
}

/// The first sheet of a workbook.
#[derive(Debug)]
pub struct FirstSheet {
    /// Its cells, row by row.
    pub rows: Vec<Vec<String>>,
    /// How many further sheets have anything in them; comments on cells count as one.
    pub beside: usize,
}

/// The first sheet of a workbook.
///
/// # Errors
/// When it is not one.
pub fn read(bytes: &[u8]) -> Result<FirstSheet, String> {
    // The crate is made for sound files; a damaged one must not end the program.
    let read = guarded(|| -> Result<FirstSheet, String> {
        check_size(bytes)?;
        let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
        let names = workbook.sheet_names();
        let first = names.first().ok_or("it has no sheet")?.clone();
        let others = names[1..].iter();
        let beside = others
            .filter(|name| workbook.worksheet_range(name).is_ok_and(|cells| !cells.is_empty()))
            .count()
            + usize::from(has_comments(bytes));
        let mut cells = workbook.worksheet_cells_reader(&first).map_err(|e| e.to_string())?;
        let mut rows: Vec<Vec<String>> = vec![];
        while let Some(cell) = cells.next_cell().map_err(|e| e.to_string())? {
            let (row, column) = cell.get_position();
            let (row, column) = (row as usize, column as usize);
            let words = match Data::from(cell.get_value().clone()) {
                Data::Empty => continue,
                data => data.to_string(),
            };
            if row >= MAX_ROWS || column >= MAX_COLUMNS {
                return Err("it is larger than any table of questions".into());
            }
            if rows.len() <= row {
                rows.resize(row + 1, vec![]);
            }
            if rows[row].len() <= column {
                rows[row].resize(column + 1, String::new());
            }
            rows[row][column] = words;
        }
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        rows.iter_mut().for_each(|row| row.resize(width, String::new()));
        if rows.iter().all(|row| row[0].is_empty()) || rows[0].iter().all(String::is_empty) {
            return Err("its first row or column is empty".into());
        }
        Ok(FirstSheet { rows, beside })
    });
    read.map_err(|why| format!("it cannot be read: {why}"))?
}

/// True if there are comments on cells.
fn has_comments(bytes: &[u8]) -> bool {
    let rooms = ["xl/comments", "xl/threadedComments"];
    let is_one = |name: &str| rooms.iter().any(|room| name.starts_with(room));
    let Ok(parts) = ZipArchive::new(Cursor::new(bytes)) else { return false };
    parts.file_names().flatten().any(|name| is_one(&name))
}

/// An error if a small file would take much memory: the crate unpacks all, and makes room for as
/// many strings as the file says it has.
fn check_size(bytes: &[u8]) -> Result<(), String> {
    static COUNT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"uniqueCount\s*=\s*["'](\d+)"#).expect("a sound pattern"));
    let mut parts = ZipArchive::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
    let mut left = MAX_BYTES;
    for n in 0..parts.len() {
        let part = parts.by_index(n).map_err(|e| e.to_string())?;
        let mut content = vec![];
        part.take(left + 1).read_to_end(&mut content).map_err(|e| e.to_string())?;
        let size = content.len() as u64;
        let is_too_many = |count: &[u8]| {
            let count = str::from_utf8(count).ok().and_then(|count| count.parse::<u64>().ok());
            count.is_none_or(|count| count > size)
        };
        if size > left || COUNT.captures_iter(&content).any(|c| is_too_many(&c[1])) {
            return Err("it is larger than any table of questions".into());
        }
        left -= size;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let row = |cells: [&str; 3]| cells.map(String::from).to_vec();
        let table = vec![
            row(["place", "at", "answer"]),
            row(["1:1", "=CMD()", ""]),
            row(["", "𧰼\n禮", "2"]),
        ];
        let bytes = write(&table, |name| name == "at").unwrap();
        assert!(bytes.starts_with(SIGNATURE));
        let read = read(&bytes).unwrap();
        assert_eq!((read.rows, read.beside), (table, 0));
    }

    #[test]
    fn comments_on_cells_are_words_of_a_person() {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        sheet.write_string(0, 0, "place").unwrap();
        sheet.insert_note(0, 0, &rust_xlsxwriter::Note::new("待考")).unwrap();
        assert_eq!(read(&workbook.save_to_buffer().unwrap()).unwrap().beside, 1);
    }

    /// A workbook with a cell far away, and one that says that it has very many strings.
    #[test]
    fn a_small_workbook_that_would_take_much_memory_is_refused() {
        let mut far = Workbook::new();
        far.add_worksheet().write_string(1_048_575, 16_383, "遠").unwrap();
        let far = far.save_to_buffer().unwrap();
        assert_eq!(read(&far).unwrap_err(), "it is larger than any table of questions");
        let sound = write(&[vec!["place".to_string()]], |_| false).unwrap();
        let mut parts = ZipArchive::new(Cursor::new(sound)).unwrap();
        let mut made = zip::ZipWriter::new(Cursor::new(vec![]));
        for n in 0..parts.len() {
            let mut part = parts.by_index(n).unwrap();
            let mut words = String::new();
            part.read_to_string(&mut words).unwrap();
            let words = words.replace("uniqueCount=\"1\"", "uniqueCount=\"999999999\"");
            let options = zip::write::SimpleFileOptions::default();
            made.start_file(part.name().unwrap(), options).unwrap();
            std::io::Write::write_all(&mut made, words.as_bytes()).unwrap();
        }
        let many = made.finish().unwrap().into_inner();
        assert_eq!(read(&many).unwrap_err(), "it is larger than any table of questions");
    }

    #[test]
    fn a_damaged_workbook_is_refused() {
        let bytes = write(&[vec!["place".to_string()]], |_| false).unwrap();
        for end in (4..bytes.len()).step_by(97) {
            assert!(read(&bytes[..end]).is_err(), "{end}");
        }
        for at in (0..bytes.len()).step_by(61) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            // Whatever comes of it, the program goes on.
            let _ = read(&damaged);
        }
    }
}
