//! The tables as Parquet files, one each: plain columns, text as UTF-8 strings. Only with the
//! feature `parquet`.

use std::io;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::Edition;
use super::formats::Format;
use super::tables::{Cell, ColumnKind, EditionTable, TABLES, TableColumn, files};

/// Rows of a row group, which are in memory at once.
const GROUP_ROWS: usize = 50_000;

pub(super) const FORMAT: Format = Format {
    name: "parquet",
    extension: "parquet",
    about: "the same tables for pandas, polars, DuckDB",
    files,
    write,
    ..Format::PLAIN
};

/// Writes a table.
fn write(edition: &Edition, which: usize, out: &mut dyn io::Write) -> io::Result<()> {
    let table = &TABLES[which];
    let mut bytes = Vec::new();
    file(edition, table, &mut bytes).map_err(io::Error::other)?;
    out.write_all(&bytes)
}

fn file(edition: &Edition, table: &EditionTable, bytes: &mut Vec<u8>) -> Result<()> {
    let columns: Vec<_> = table.columns().collect();
    let about = &edition.about;
    let optional = [("title", Some(&about.title)), ("licence", about.licence.as_ref())];
    let mut known: Vec<KeyValue> = optional
        .into_iter()
        .filter_map(|(k, v)| Some(KeyValue::new(k.to_string(), v?.clone())))
        .collect();
    known.push(KeyValue::new("editors".to_string(), about.editors.join("; ")));
    known.push(KeyValue::new("date".to_string(), about.date.to_string()));
    let properties = WriterProperties::builder()
        .set_created_by("zhushu".to_string())
        .set_key_value_metadata(Some(known))
        .build();
    let mut writer = SerializedFileWriter::new(bytes, schema(table)?, Arc::new(properties))?;
    let mut held: Vec<Vec<Cell<'static>>> = vec![Vec::new(); columns.len()];
    let mut flush = |held: &mut Vec<Vec<Cell<'static>>>| -> Result<()> {
        let mut group = writer.next_row_group()?;
        for (column, cells) in columns.iter().zip(held.iter_mut()) {
            put(&mut group, *column, cells)?;
            cells.clear();
        }
        group.close().map(|_| ())
    };
    table
        .rows(edition, &mut |row| {
            held.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell.to_owned_cell()));
            if held[0].len() >= GROUP_ROWS {
                flush(&mut held).map_err(io::Error::other)?;
            }
            Ok(())
        })
        .map_err(|e| ParquetError::External(Box::new(e)))?;
    if !held[0].is_empty() {
        flush(&mut held)?;
    }
    writer.close().map(|_| ())
}

fn schema(table: &EditionTable) -> Result<TypePtr> {
    let fields = table.columns().map(|c| {
        let builder = match c.kind {
            ColumnKind::Text => Type::primitive_type_builder(c.name, Physical::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String)),
            ColumnKind::Number => Type::primitive_type_builder(c.name, Physical::INT64),
            ColumnKind::Share => Type::primitive_type_builder(c.name, Physical::DOUBLE),
        };
        builder.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    });
    let fields = fields.collect::<Result<Vec<_>>>()?;
    Ok(Arc::new(Type::group_type_builder(table.name).with_fields(fields).build()?))
}

/// Writes a column; a missing value has definition level 0.
fn put<W: io::Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: TableColumn,
    cells: &[Cell<'_>],
) -> Result<()> {
    let Some(mut writer) = group.next_column()? else { return Ok(()) };
    match column.kind {
        ColumnKind::Text => {
            let text = |c: &Cell<'_>| {
                if let Cell::Text(w) = c { w.as_deref().map(ByteArray::from) } else { None }
            };
            let (values, levels) = split(cells.iter().map(text));
            writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnKind::Number => {
            let number =
                |c: &Cell<'_>| if let Cell::Number(n) = c { n.map(|n| n as i64) } else { None };
            let (values, levels) = split(cells.iter().map(number));
            writer.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnKind::Share => {
            let share = |c: &Cell<'_>| if let Cell::Share(p) = c { Some(*p) } else { None };
            let (values, levels) = split(cells.iter().map(share));
            writer.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
        }
    }
    writer.close()
}

fn split<T>(cells: impl Iterator<Item = Option<T>>) -> (Vec<T>, Vec<i16>) {
    let (mut values, mut levels) = (vec![], vec![]);
    for cell in cells {
        levels.push(i16::from(cell.is_some()));
        values.extend(cell);
    }
    (values, levels)
}
