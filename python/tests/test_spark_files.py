"""What zhushu.spark does without Spark: its files, its buckets, what a worker does with rows."""

import pathlib

import pyarrow
import pytest

import zhushu

pytest.importorskip("pyspark")

from zhushu.spark import tasks  # noqa: E402
from zhushu.spark.flow import packed  # noqa: E402
from zhushu.spark.store import Store  # noqa: E402

ROWS = pyarrow.table({"n": [1, 2]})


def test_buckets_have_about_the_same_size_and_keep_the_order():
    sizes = [(f"t{n}", 10) for n in range(10)]
    buckets = packed(sizes, 50)
    assert [buckets[f"t{n}"] for n in range(10)] == [0] * 5 + [1] * 5
    assert packed([("small", 1), ("large", 1000), ("next", 1)], 50)["next"] > 0
    assert packed([], 50) == {}


def test_a_file_is_whole_or_not_there(tmp_path):
    store = Store(str(tmp_path))

    def breaks(out):
        out.write(b"half")
        raise OSError("full")

    store.put_bytes("a/b.bin", b"old")
    with pytest.raises(OSError):
        store._put("a/b.bin", breaks)
    assert store.get_bytes("a/b.bin") == b"old"
    assert [p.name for p in (tmp_path / "a").iterdir()] == ["b.bin"]
    assert store.get_bytes("missing") is None


def test_marks_and_files_of_buckets_that_are_gone_are_removed(tmp_path):
    store = Store(str(tmp_path))
    for bucket in (0, 1):
        store.put_table("job", bucket, ROWS)
        store.mark("job", bucket, {"key": "k"})
    assert store.marks("job") == {0: {"key": "k"}, 1: {"key": "k"}}
    store.forget("job", ["job"], keep={0})
    assert set(store.marks("job")) == {0}
    assert store.table("job").num_rows == 2
    assert [p.name for p in (tmp_path / "job").glob("*.parquet")] == ["part-00000.parquet"]


def test_an_address_is_a_folder_too(tmp_path):
    store = Store(tmp_path.as_uri())
    store.put_table("a", 3, ROWS)
    assert (tmp_path / "a" / "part-00003.parquet").is_file()
    assert store.table("a").equals(ROWS)


def read_rows(*texts):
    empty = dict.fromkeys(["path", "format", "encoding", "meta", "known", "content"])
    rows = [{"position": 0, "bucket": 0, **empty, **text} for text in texts]
    return pyarrow.Table.from_pylist(rows)


def test_what_cannot_be_read_is_a_row_with_its_place_and_hint(tmp_path):
    missing = {"id": "missing", "path": str(tmp_path / "missing.txt"), "content": None}
    picture = {"id": "picture", "path": "a.png", "content": b"\x89PNG\r\n\x1a\n" + bytes(99)}
    unknown = {"id": "unknown", "content": "學".encode(), "encoding": "x"}
    good = {"id": "good", "content": "學而時習之。".encode(), "known": '{"work": "論語"}'}
    made = tasks.read(read_rows(missing, picture, unknown, good))
    assert made["read"]["id"].to_pylist() == ["good"]
    assert made["read"]["work"].to_pylist() == ["論語"]
    errors = {row["text"]: row for row in made["errors/read"].to_pylist()}
    assert errors["missing"]["path"] == str(tmp_path / "missing.txt")
    assert (errors["missing"]["kind"], errors["picture"]["kind"]) == ("io", "encoding")
    assert errors["picture"]["hint"] and errors["unknown"]["hint"]


def test_texts_of_a_group_are_split_together_and_the_tables_fit(corpus):
    texts = zhushu.texts_of(corpus)
    rows = [
        {"id": id, "path": str(path), "position": n, "meta": meta}
        for n, (path, id, _, _, meta) in enumerate(texts)
    ]
    read = tasks.read(read_rows(*rows))["read"]
    group = pyarrow.array(["yili"] * read.num_rows)
    made = tasks.split(read.append_column("group", group))
    assert made["split"]["id"].to_pylist() == [id for _, id, *_ in texts]
    whole = {d.id: [s.start for s in d.segments] for d in zhushu.split(corpus)}
    for row in made["split"].to_pylist():
        document = zhushu.Document.from_bytes(row["document"])
        assert [s.start for s in document.segments] == whole[row["id"]]
        assert (row["work"], row["chars"] > 0) == ("儀禮", True)
    assert ("yili-05-jishi", "禮記") in {(r["id"], r["work"]) for r in made["cited"].to_pylist()}
    assert sum(made["grams"]["places"].to_pylist()) > made["seeds"].num_rows > 1000
    assert pathlib.Path(texts[0][0]).is_file()
