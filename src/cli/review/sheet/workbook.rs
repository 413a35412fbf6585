//! A table as a workbook of Excel (.xlsx), which LibreOffice and Numbers open too.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use rust_xlsxwriter::{Format, Workbook, XlsxError};

use crate::guard::guarded;

/// What a file begins with that is such a workbook, or another archive.
pub const SIGNATURE: &[u8] = b"PK\x03\x04";

/// The widths of columns, in characters: those of words are wider.
const WIDTH: f64 = 12.0;
const WIDE: f64 = 36.0;

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

/// The rows of the first sheet of a workbook.
///
/// # Errors
/// When it is not one.
pub fn read(bytes: &[u8]) -> Result<Vec<Vec<String>>, String> {
    // The crate is made for sound files; a damaged one must not end the program.
    let read = guarded(|| -> Result<Vec<Vec<String>>, String> {
        let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
        let first = workbook.worksheet_range_at(0).ok_or("it has no sheet")?;
        let range = first.map_err(|e| e.to_string())?;
        let (row, column) = range.start().unwrap_or_default();
        if (row, column) != (0, 0) {
            return Err("its first row or column is empty".into());
        }
        let cell = |data: &Data| match data {
            Data::Empty => String::new(),
            data => data.to_string(),
        };
        Ok(range.rows().map(|row| row.iter().map(cell).collect()).collect())
    });
    read.map_err(|why| format!("it cannot be read: {why}"))?
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
        assert_eq!(read(&bytes).unwrap(), table);
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
