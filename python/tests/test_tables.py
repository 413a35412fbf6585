import duckdb
import pandas
import polars
import pyarrow
import pytest

import zhushu

TYPES = {"cert": pyarrow.float64()}
NUMBERS = {"number", "start", "end", "n", "target_start", "target_end"}


@pytest.mark.parametrize("name", ["texts", "segments", "links", "beads"])
def test_pandas_polars_duckdb_and_pyarrow_take_a_table(library, name):
    table = getattr(library, name)
    rows = len(table)
    assert rows > 0
    arrow = pyarrow.table(table)
    assert (arrow.num_rows, arrow.column_names) == (rows, table.columns)
    assert len(polars.DataFrame(table)) == rows
    # Before version 3 pandas takes it from pyarrow.
    from_arrow = getattr(pandas.DataFrame, "from_arrow", lambda t: pyarrow.table(t).to_pandas())
    assert len(from_arrow(table)) == rows
    relation = table
    assert duckdb.sql("select count(*) from relation").fetchall() == [(rows,)]


def test_columns_have_the_types_of_the_parquet_files(library):
    for field in pyarrow.schema(library.links):
        number = pyarrow.int64() if field.name in NUMBERS else pyarrow.string()
        assert field.type == TYPES.get(field.name, number), field
        assert field.nullable


def test_rows_are_those_of_the_tsv(library, tmp_path):
    zhushu.export(library, "tsv", tmp_path)
    for name in ["texts", "segments", "links", "beads"]:
        lines = (tmp_path / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
        table = pyarrow.table(getattr(library, name))
        assert lines[0].split("\t") == table.column_names
        assert len(lines) - 1 == table.num_rows
    links = pyarrow.table(library.links).to_pylist()
    row = lines_of(tmp_path / "links.tsv")[0]
    assert (row["text"], row["start"]) == (links[0]["text"], str(links[0]["start"]))


def lines_of(path):
    head, *rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return [dict(zip(head, row)) for row in rows]


def test_segments_of_the_table_are_those_of_the_documents(library):
    rows = pyarrow.table(library.segments).to_pylist()
    segments = [s for d in library for s in d.segments]
    assert [(r["text"], r["id"], r["start"], r["end"], r["words"]) for r in rows] == [
        (s.document, s.id, s.start, s.end, s.text) for s in segments
    ]


def test_a_table_can_be_read_twice(library):
    table = library.segments
    assert pyarrow.table(table).equals(pyarrow.table(table))
