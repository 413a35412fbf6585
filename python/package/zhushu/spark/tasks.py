"""What a worker does with the rows of a bucket. Spark is not needed here: a task takes an Arrow
table and gives tables by the folders that they are written to."""

from __future__ import annotations

import json
import pathlib

import numpy
import pyarrow as pa

import zhushu
from zhushu import _zhushu

from .store import Store

ERRORS = pa.schema(
    [("text", "string"), ("job", "string"), ("kind", "string"), ("path", "string")]
    + [("line", "int64"), ("column", "int64"), ("message", "string"), ("hint", "string")]
)
READ = pa.schema(
    [("position", "int64"), ("id", "string"), ("work", "string"), ("chapter", "string")]
    + [("bytes", "int64"), ("sha256", "string"), ("document", "binary")]
)
CHAPTERS = pa.schema(
    [("position", "int64"), ("nth", "int64"), ("id", "string"), ("work", "string")]
    + [("chapter", "string"), ("translates", pa.list_(pa.string())), ("bytes", "int64")]
    + [("chars", "int64"), ("document", "binary")]
)
CITED = pa.schema([("id", "string"), ("work", "string"), ("chapter", "string")])
FOUND = pa.schema([("id", "string"), ("found", "binary")])
SEEDS = pa.schema([("seed", "int64"), ("id", "string"), ("place", "int32")])
GRAMS = pa.schema([("gram", "int64"), ("places", "int64")])
TABLES = ["texts", "segments", "links", "beads"]


def rows(schema: pa.Schema, records: list[dict]) -> pa.Table:
    """A table of records."""
    return pa.Table.from_pylist(records, schema=schema)


def in_order(table: pa.Table) -> list[dict]:
    """The rows in the order of the corpus."""
    order = [name for name in ("position", "nth", "id") if name in table.column_names]
    return table.sort_by([(name, "ascending") for name in order]).to_pylist()


def error(job: str, text: str, e: Exception) -> dict:
    """An error as a row."""
    known = isinstance(e, zhushu.Error)
    return {
        "text": text,
        "job": job,
        "kind": e.kind if known else "fault",
        "path": e.path if known else None,
        "line": e.line if known else None,
        "column": e.column if known else None,
        "message": e.message if known else str(e),
        "hint": e.hint if known else None,
    }


def read(table: pa.Table) -> dict[str, pa.Table]:
    """Reads texts. A row has its content, or the path of its file."""
    documents, errors = [], []
    for row in in_order(table):
        try:
            content = row["content"]
            if content is None:
                content = pathlib.Path(row["path"]).read_bytes()
            document = zhushu.read_bytes(
                content,
                name=row["path"] or f"{row['id']}.txt",
                id=row["id"],
                format=row["format"],
                encoding=row["encoding"],
                meta=zhushu.facts(**json.loads(row["known"])) if row["known"] else row["meta"],
            )
        except OSError as e:
            why = zhushu.Error(f"cannot read: {e.strerror}", kind="io", path=row["path"])
            errors.append(error("read", row["id"], why))
        except Exception as e:
            errors.append(error("read", row["id"], e))
        else:
            work, chapter = _zhushu.named_as(document)
            documents.append(
                {
                    "position": row["position"],
                    "id": document.id,
                    "work": work,
                    "chapter": chapter,
                    "bytes": len(content),
                    "sha256": document.sha256,
                    "document": document.to_bytes(),
                }
            )
    return {"read": rows(READ, documents), "errors/read": rows(ERRORS, errors)}


def split(table: pa.Table) -> dict[str, pa.Table]:
    """Splits the texts of one or more groups; those of a group are split together."""
    chapters, cited, seeds, errors = [], [], [], []
    grams = Counted()
    by_group: dict[str, list[dict]] = {}
    for row in in_order(table):
        by_group.setdefault(row["group"], []).append(row)
    for group in by_group.values():
        positions = {row["id"]: row["position"] for row in group}
        documents = [zhushu.Document.from_bytes(row["document"]) for row in group]
        first = min(positions.values())
        try:
            library = _zhushu.run_part("layers", documents)
        except Exception as e:
            errors += [error("split", row["id"], e) for row in group]
            continue
        for nth, document in enumerate(library):
            work, chapter = _zhushu.named_as(document)
            # A chapter of a book has another id; the order within the group is kept.
            position = positions.get(document.id, first)
            chapters.append(
                {
                    "position": position,
                    "nth": nth,
                    "id": document.id,
                    "work": work,
                    "chapter": chapter,
                    "translates": document.translates,
                    "bytes": len(document.text.encode()),
                    "chars": grams.add(document, seeds),
                    "document": document.to_bytes(),
                }
            )
            named = _zhushu.cited_in(document) + [(work, None)] * (work is not None)
            cited += [{"id": document.id, "work": w, "chapter": c} for w, c in set(named)]
    return {
        "split": rows(CHAPTERS, chapters),
        "cited": rows(CITED, cited),
        "seeds": pa.concat_tables(seeds) if seeds else SEEDS.empty_table(),
        "grams": grams.table(),
        "errors/split": rows(ERRORS, errors),
    }


class Counted:
    """Grams of several documents, added up."""

    def __init__(self) -> None:
        self.parts: list[pa.Table] = []

    def add(self, document: zhushu.Document, seeds: list[pa.Table]) -> int:
        """Counts a document, adds its seeds to a list, and gives its characters."""
        chars, (grams, counts), (of_seeds, places) = _zhushu.Figures.of_text(document)
        arrays = [numpy.frombuffer(grams, "<i8"), numpy.frombuffer(counts, "<u4").astype("i8")]
        self.parts.append(pa.table(arrays, schema=GRAMS))
        numbers = numpy.frombuffer(of_seeds, "<u4").astype("i8")
        own = pa.repeat(document.id, len(numbers))
        columns = [numbers, own, numpy.frombuffer(places, "<u4").astype("i4")]
        seeds.append(pa.table(columns, schema=SEEDS))
        return chars

    def table(self) -> pa.Table:
        """The sums."""
        if not self.parts:
            return GRAMS.empty_table()
        sums = pa.concat_tables(self.parts).group_by("gram").aggregate([("places", "sum")])
        return sums.select(["gram", "places_sum"]).rename_columns(["gram", "places"]).cast(GRAMS)


_figures: dict[tuple[str, str], _zhushu.Figures] = {}


def figures(store: Store, key: str) -> _zhushu.Figures:
    """The figures of the corpus, read once by each worker."""
    known = _figures.get((store.root, key))
    if known is None:
        known = _zhushu.Figures.from_bytes(store.get_bytes("figures.bin"))
        _figures.clear()
        _figures[store.root, key] = known
    return known


def both(table: pa.Table) -> tuple[list[dict], list[zhushu.Document], list[zhushu.Document]]:
    """The rows of a bucket's own documents, these documents, and those beside them, in order."""
    own, documents, beside = [], [], []
    for row in in_order(table):
        document = zhushu.Document.from_bytes(row["document"])
        if row["own"]:
            own.append(row)
            documents.append(document)
        else:
            beside.append(document)
    return own, documents, beside


def references(table: pa.Table, store: Store, key: str) -> dict[str, pa.Table]:
    """Finds the references of documents, in themselves and in those beside them."""
    own, documents, beside = both(table)
    options = {"beside": beside, "figures": figures(store, key)}
    library = _zhushu.run_part("references", documents, **options)
    for row, document in zip(own, library):
        row["document"] = document.to_bytes()
    return {"references": rows(CHAPTERS, own)}


def parallels(table: pa.Table, store: Store, key: str) -> dict[str, pa.Table]:
    """Compares documents with the others that each names."""
    own = in_order(table)
    documents = [zhushu.Document.from_bytes(row["document"]) for row in own]
    place = {row["id"]: n for n, row in enumerate(own)}
    pairs = {tuple(sorted((place[row["id"]], place[b]))) for row in own for b in row["others"]}
    numbers = [row["number"] for row in own]
    found = _zhushu.parallels_of_pairs(documents, numbers, sorted(pairs), figures(store, key))
    of_each = [{"id": row["id"], "found": f} for row, f in zip(own, found) if f is not None]
    return {"parallels": rows(FOUND, of_each)}


def tables(table: pa.Table) -> dict[str, pa.Table]:
    """Gives documents their parallels and writes all tables."""
    own, documents, beside = both(table)
    library = _zhushu.with_parallels(documents, [row["found"] or [] for row in own], beside)
    for row, document in zip(own, library):
        row["document"] = document.to_bytes()
    tables = {f"tables/{name}": pa.table(getattr(library, name)) for name in TABLES}
    return {"documents": rows(CHAPTERS, own)} | tables
