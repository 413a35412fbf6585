//! The tables of an edition as Arrow tables, passed on by the Arrow PyCapsule interface, which
//! pandas, Polars, DuckDB and pyarrow read without a copy.
//!
//! The columns are those of `zhushu export --to parquet`, of the same types.

use std::io;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use zhushu::writers::editions::{Cell, ColumnKind, Edition, EditionTable, TABLES, TableColumn};

/// Rows of a batch: few enough that their text, which is addressed by 32 bits, always fits.
const BATCH_ROWS: usize = 50_000;

/// A table: texts, segments, links or beads.
#[pyclass(frozen, module = "zhushu")]
pub struct Table {
    name: &'static str,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    /// The table `name` of an edition.
    pub fn of(edition: &Edition, name: &str) -> Result<Self, ArrowError> {
        let table = TABLES.iter().find(|t| t.name == name);
        let table = table.ok_or_else(|| ArrowError::SchemaError(format!("no table {name}")))?;
        let schema = schema(table);
        let mut batches = vec![];
        let mut columns = builders(table);
        let mut rows = 0;
        table
            .rows(edition, &mut |row| {
                columns.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell));
                rows += 1;
                if rows % BATCH_ROWS == 0 {
                    batches.push(batch(&schema, &mut columns).map_err(io::Error::other)?);
                }
                Ok(())
            })
            .map_err(|e| ArrowError::ExternalError(Box::new(e)))?;
        if rows % BATCH_ROWS > 0 {
            batches.push(batch(&schema, &mut columns)?);
        }
        Ok(Table { name: table.name, schema, batches })
    }
}

#[pymethods]
impl Table {
    /// `texts`, `segments`, `links` or `beads`.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// Names of its columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|f| f.name().as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!("<zhushu.Table {}: {} rows>", self.name, self.__len__())
    }

    /// Its schema, for any library that knows Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema).map_err(wrong)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Its rows, for any library that knows Arrow.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows to answer with the schema that one has.
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        let rows = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        let stream = FFI_ArrowArrayStream::new(Box::new(rows));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// An error of Arrow for Python.
pub fn wrong(e: ArrowError) -> PyErr {
    PyValueError::new_err(e.to_string())
}

fn schema(table: &EditionTable) -> SchemaRef {
    let field = |c: TableColumn| {
        let kind = match c.kind {
            ColumnKind::Text => DataType::Utf8,
            ColumnKind::Number => DataType::Int64,
            ColumnKind::Share => DataType::Float64,
        };
        Field::new(c.name, kind, true)
    };
    Arc::new(Schema::new(table.columns().map(field).collect::<Vec<_>>()))
}

enum ColumnBuilder {
    Text(StringBuilder),
    Number(Int64Builder),
    Share(Float64Builder),
}

fn builders(table: &EditionTable) -> Vec<ColumnBuilder> {
    let builder = |c: TableColumn| match c.kind {
        ColumnKind::Text => ColumnBuilder::Text(StringBuilder::new()),
        ColumnKind::Number => ColumnBuilder::Number(Int64Builder::new()),
        ColumnKind::Share => ColumnBuilder::Share(Float64Builder::new()),
    };
    table.columns().map(builder).collect()
}

fn batch(schema: &SchemaRef, columns: &mut [ColumnBuilder]) -> Result<RecordBatch, ArrowError> {
    let arrays = columns.iter_mut().map(ColumnBuilder::finish).collect();
    RecordBatch::try_new(Arc::clone(schema), arrays)
}

impl ColumnBuilder {
    fn push(&mut self, cell: &Cell<'_>) {
        match (self, cell) {
            (ColumnBuilder::Text(to), Cell::Text(words)) => to.append_option(words.as_deref()),
            (ColumnBuilder::Number(to), Cell::Number(n)) => {
                to.append_option(n.and_then(|n| i64::try_from(n).ok()))
            }
            (ColumnBuilder::Share(to), Cell::Share(share)) => to.append_value(*share),
            // A row has the cells that its columns promise; a test of the library checks it.
            (ColumnBuilder::Text(to), _) => to.append_null(),
            (ColumnBuilder::Number(to), _) => to.append_null(),
            (ColumnBuilder::Share(to), _) => to.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            ColumnBuilder::Text(b) => Arc::new(b.finish()),
            ColumnBuilder::Number(b) => Arc::new(b.finish()),
            ColumnBuilder::Share(b) => Arc::new(b.finish()),
        }
    }
}
