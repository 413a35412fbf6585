"""The jobs of a run, in the driver."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import math
import os
import time
from collections.abc import Callable

import numpy
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import zhushu
from zhushu import _zhushu

from . import tasks
from .store import Store

SUMMARY = "bucket int, rows long, errors long, seconds double"
TEXTS = (
    "position long, id string, path string, format string, encoding string, meta binary, "
    "known string, content binary, bucket int"
)


# Characters of the stretches of a text in which shared runs are counted.
STRETCH_CHARS = 64
# What a table may know about a text.
KNOWN = ["work", "chapter", "number", "title", "translates"]


@dataclasses.dataclass(frozen=True)
class Plan:
    """How a corpus is divided.

    A bucket has at most ``bucket_bytes`` of text, or one work if that is larger, and less if there
    would not be one for each core. Two chapters are compared if they share ``shared`` rare runs of
    four characters within 64. The chapters of a work that is named without a chapter are all looked
    at if it has at most ``work_bytes`` of text.
    """

    bucket_bytes: int = 4_000_000
    shared: int = 2
    work_bytes: int = 3_000_000

    def key(self) -> str:
        """What results depend on."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)


@dataclasses.dataclass(frozen=True)
class Result:
    """What a job did: buckets that were computed and that were there, seconds of its tasks."""

    job: str
    computed: list[int]
    kept: list[int]
    errors: int
    seconds: float


class Flow:
    """A run of zhushu over a corpus. ``out`` is a folder that the driver and all workers see."""

    def __init__(self, spark: SparkSession, out: str, plan: Plan | None = None) -> None:
        self.spark = spark
        self.store = Store(out)
        self.plan = plan or Plan()

    def run(self, source: str | os.PathLike | DataFrame) -> list[Result]:
        """Runs all jobs on a folder of texts, a manifest, or a DataFrame.

        A DataFrame has ``id`` and ``content`` (binary or string), and perhaps ``work``,
        ``chapter``, ``number``, ``title``, ``translates``, ``format`` and ``encoding``. A folder
        must be seen by all workers.
        """
        done = [self.read(source), self.split()]
        return done + [self.references(), self.parallels(), self.tables()]

    # The jobs.

    def read(self, source: str | os.PathLike | DataFrame) -> Result:
        """Reads the texts; a row each."""
        texts, buckets, key = self._texts(source)
        return self._job("read", texts, tasks.read, buckets, key, ["read", "errors/read"])

    def split(self) -> Result:
        """Cuts books into chapters and splits their layers; a row for each chapter."""
        columns = ["id", "work", "position", "bytes", "sha256"]
        order = [("position", "ascending"), ("id", "ascending")]
        texts = self.store.table("read", columns).sort_by(order).to_pylist()
        if not texts:
            raise zhushu.Error("no text could be read", hint="the table errors says why")
        # Texts of a work show each other how it is written. One whose work is not known is alone.
        group = {t["id"]: t["work"] or f"\0{t['id']}" for t in texts}
        sizes: dict[str, int] = {}
        for text in texts:
            sizes[group[text["id"]]] = sizes.get(group[text["id"]], 0) + text["bytes"]
        size = self._bucket_bytes(sum(sizes.values()))
        bucket = packed(sorted(sizes.items()), size)
        plan = [(t["id"], group[t["id"]], bucket[group[t["id"]]]) for t in texts]
        facts = (f"{t['id']} {t['work']} {t['sha256']}" for t in texts)
        key = digest(zhushu_version(), str(size), *facts)
        frame = self.spark.createDataFrame(plan, "id string, group string, bucket int")
        inputs = self.spark.read.parquet(self.store.path("read")).join(frame, "id")
        folders = ["split", "cited", "seeds", "grams", "errors/split"]
        done = self._job("split", inputs, tasks.split, sorted(set(bucket.values())), key, folders)
        self._count(key)
        return done

    def references(self) -> Result:
        """Resolves what chapters cite and quote, beside the chapters where it may be."""
        task = functools.partial(tasks.references, store=self.store, key=self._key())
        inputs, buckets = self._with_neighbours("split")
        return self._job("references", inputs, task, buckets, self._key(), ["references"])

    def parallels(self) -> Result:
        """Compares the chapters that share rare words; a row for each chapter of a bucket of pairs."""
        task = functools.partial(tasks.parallels, store=self.store, key=self._key())
        inputs, buckets = self._in_pairs()
        return self._job("parallels", inputs, task, buckets, self._key(), ["parallels"])

    def tables(self) -> Result:
        """Gives the chapters their parallels, aligns translations, and writes the tables."""
        inputs, buckets = self._with_neighbours("references")
        if self.store.marks("parallels"):
            found = self.spark.read.parquet(self.store.path("parallels"))
        else:
            found = self.spark.createDataFrame([], "id string, found binary")
        found = found.groupBy("id").agg(F.collect_list("found").alias("found"))
        folders = ["documents", *(f"tables/{name}" for name in tasks.TABLES)]
        inputs = inputs.join(found, "id", "left")
        return self._job("tables", inputs, tasks.tables, buckets, self._key(), folders)

    # What they left.

    def table(self, name: str) -> DataFrame:
        """``texts``, ``segments``, ``links``, ``beads``, or ``errors``."""
        if name == "errors":
            both = [self.store.path(f"errors/{job}") for job in ("read", "split")]
            return self.spark.read.parquet(*both)
        return self.spark.read.parquet(self.store.path(f"tables/{name}"))

    def documents(self) -> DataFrame:
        """The chapters with their documents as bytes, for ``zhushu.Document.from_bytes``."""
        return self.spark.read.parquet(self.store.path("documents"))

    # How they are done.

    def _texts(self, source) -> tuple[DataFrame, list[int], str]:
        """The texts to read, their buckets, and a key of them."""
        if isinstance(source, DataFrame):
            return self._of_table(source)
        listed = zhushu.texts_of(source)
        rows, facts = [], []
        for position, (path, id, format, encoding, meta) in enumerate(listed):
            path = os.path.abspath(path)
            at = os.stat(path)
            facts.append(f"{id} {path} {at.st_size} {at.st_mtime_ns} {format} {encoding} {meta}")
            rows.append((position, id, path, format, encoding, meta, None, None, at.st_size))
        size = self._bucket_bytes(sum(r[-1] for r in rows))
        bucket = packed([(r[1], r[-1]) for r in rows], size)
        rows = [(*r[:-1], bucket[r[1]]) for r in rows]
        texts = self.spark.createDataFrame(rows, TEXTS)
        return texts, sorted(set(bucket.values())), digest(zhushu_version(), str(size), *facts)

    def _of_table(self, source: DataFrame) -> tuple[DataFrame, list[int], str]:
        """The same of a DataFrame. Its key is a sum of hashes, so that nothing is collected."""
        has = set(source.columns)
        column = lambda name: F.col(name) if name in has else F.lit(None)  # noqa: E731
        known = [name for name in KNOWN if name in has]
        count, size, key = source.select(
            F.count("*"),
            F.sum(F.length("content")),
            F.sum(F.xxhash64(*sorted(has)).cast("decimal(38,0)")),
        ).first()
        if not count:
            raise zhushu.Error("the table has no texts")
        buckets = max(1, math.ceil((size or 0) / self._bucket_bytes(size or 0)))
        texts = source.select(
            # Ids decide the order.
            F.lit(0).cast("long").alias("position"),
            F.col("id").cast("string"),
            F.concat("id", F.lit(".txt")).alias("path"),
            column("format").cast("string").alias("format"),
            column("encoding").cast("string").alias("encoding"),
            F.lit(None).cast("binary").alias("meta"),
            (F.to_json(F.struct(*known)) if known else F.lit(None).cast("string")).alias("known"),
            F.col("content").cast("binary"),
            F.pmod(F.crc32(F.col("id").cast("binary")), F.lit(buckets)).cast("int").alias("bucket"),
        )
        return texts, list(range(buckets)), digest(zhushu_version(), str(buckets), str(key), str(count))

    def _job(
        self,
        name: str,
        inputs: DataFrame,
        task: Callable[[pa.Table], dict[str, pa.Table]],
        buckets: list[int],
        key: str,
        folders: list[str],
    ) -> Result:
        """Runs a task on each bucket that has no result under this key."""
        marks = self.store.marks(name)
        kept = [b for b in buckets if marks.get(b, {}).get("key") == key]
        todo = sorted(set(buckets) - set(kept))
        self.store.forget(name, folders, set(buckets))
        done = []
        if todo:
            cpus = self.spark.conf.get("spark.task.cpus", "1")
            store = self.store

            def work(table: pa.Table) -> pa.Table:
                return run_bucket(name, task, store, key, cpus, table)

            wanted = inputs.where(F.col("bucket").isin(todo))
            # A partition for each bucket: a worker that is free takes the next.
            apart = wanted.repartitionById(len(todo), F.pmod("bucket", F.lit(len(todo))))
            done = apart.groupBy("bucket").applyInArrow(work, SUMMARY).collect()
        now = self.store.marks(name)
        return Result(
            job=name,
            computed=todo,
            kept=kept,
            errors=sum(now[b]["errors"] for b in buckets if b in now),
            seconds=sum(row["seconds"] for row in done),
        )

    def _bucket_bytes(self, of_all: int) -> int:
        """How much text a bucket has, of so much."""
        cores = self.spark.sparkContext.defaultParallelism
        return max(1, min(self.plan.bucket_bytes, math.ceil(of_all / cores)))

    def _key(self) -> str:
        stored = self.store.get_bytes("figures.json")
        if stored is None:
            raise zhushu.Error("the texts are not split yet", hint="run `split` first")
        return json.loads(stored)["key"]

    def _count(self, key: str) -> None:
        """Counts over the whole corpus what decides how rare words are."""
        known = self.store.get_bytes("figures.json")
        key = digest(key, self.plan.key())
        if known is not None and json.loads(known)["key"] == key:
            return
        read = self.spark.read.parquet
        chapters = self.store.table("split", ["id", "work", "chapter", "chars"]).to_pylist()
        named = {(c["work"], c["chapter"]) if c["chapter"] else (None, c["id"]) for c in chapters}
        copies = len(chapters) / max(len(named), 1)
        grams = read(self.store.path("grams")).groupBy("gram").agg(F.sum("places").alias("n"))
        least = _zhushu.Figures.least_count(copies)
        # A gram of one character is below the first bit of the second.
        kept = grams.where((F.col("gram") < 1 << 21) | (F.col("n") > least))
        counted = kept.toArrow()
        most = _zhushu.Figures.MAX_SEED_PLACES
        formulas = self._seeds().where(F.col("n") > most).select("seed").toArrow()
        figures = _zhushu.Figures.of(
            sum(c["chars"] for c in chapters),
            copies,
            bytes_of(counted["gram"], "<u8"),
            bytes_of(counted["n"], "<u4"),
            bytes_of(formulas["seed"], "<u4"),
        )
        self.store.put_bytes("figures.bin", figures.to_bytes())
        self._sharing().write.mode("overwrite").parquet(self.store.path("sharing"))
        self._neighbours().write.mode("overwrite").parquet(self.store.path("neighbours"))
        facts = {"key": key, "copies": copies, "chapters": len(chapters)}
        self.store.put_bytes("figures.json", json.dumps(facts).encode())

    def _seeds(self) -> DataFrame:
        """How many places each seed has."""
        seeds = self.spark.read.parquet(self.store.path("seeds"))
        return seeds.groupBy("seed").agg(F.count("*").alias("n"), F.max("id").alias("last"))

    def sharing(self) -> DataFrame:
        """Pairs of chapters that may have parallels."""
        return self.spark.read.parquet(self.store.path("sharing"))

    def _sharing(self) -> DataFrame:
        """Pairs of chapters that share enough rare runs of four characters close to each other."""
        seeds = self.spark.read.parquet(self.store.path("seeds"))
        rare = self._seeds().where(F.col("n").between(2, _zhushu.Figures.MAX_SEED_PLACES))
        seeds = seeds.join(rare, "seed")
        other = seeds.select("seed", F.col("id").alias("b")).distinct()
        # Stretches overlap by half, so that what is close is together in one of them.
        half, place = STRETCH_CHARS // 2, F.col("place")
        stretches = [F.floor((place + n * half) / STRETCH_CHARS) * 2 + n for n in (0, 1)]
        one = seeds.where("id < last").select(
            "seed", F.col("id").alias("a"), F.explode(F.array(*stretches)).alias("stretch")
        )
        pairs = one.distinct().join(other, "seed").where("a < b").groupBy("a", "stretch", "b")
        close = pairs.count().where(F.col("count") >= self.plan.shared)
        return close.select("a", "b").distinct()

    def citing(self) -> DataFrame:
        """Pairs of chapters of which the first names the second, or its work."""
        read = self.spark.read.parquet
        cited = read(self.store.path("cited")).withColumnRenamed("id", "a")
        named = read(self.store.path("split")).where("work is not null")
        sizes = named.groupBy("work").agg(F.sum("bytes").alias("of_work"))
        named = named.select(F.col("id").alias("b"), "work", F.col("chapter").alias("own"), "bytes")
        pairs = cited.join(named.join(sizes, "work"), "work").where("a != b")
        whole = F.col("chapter").isNull() & (F.col("of_work") <= self.plan.work_bytes)
        same = F.col("chapter") == F.col("own")
        return pairs.where(whole | same | F.col("own").isNull()).select("a", "b").distinct()

    def _neighbours(self) -> DataFrame:
        """Pairs of which the first needs the second."""
        chapters = self.spark.read.parquet(self.store.path("split"))
        translated = chapters.select(F.col("id").alias("a"), F.explode("translates").alias("b"))
        one_way = self.sharing().union(translated)
        return one_way.union(one_way.select("b", "a")).union(self.citing()).distinct()

    def _buckets(self) -> tuple[DataFrame, list[int]]:
        """The chapters, each with its bucket and its number in the corpus."""
        columns = ["id", "work", "position", "nth", "bytes"]
        chapters = self.store.table("split", columns).to_pylist()
        place = lambda c: (c["position"], c["nth"], c["id"])  # noqa: E731
        number = {c["id"]: n for n, c in enumerate(sorted(chapters, key=place))}
        # Works together, since they have most in common.
        order = sorted(chapters, key=lambda c: (c["work"] or "", *place(c)))
        size = self._bucket_bytes(sum(c["bytes"] for c in chapters))
        bucket = packed([(c["id"], c["bytes"]) for c in order], size)
        rows = [(id, at, number[id]) for id, at in bucket.items()]
        own = self.spark.createDataFrame(rows, "id string, bucket int, number long")
        return own, sorted(set(bucket.values()))

    def _with_neighbours(self, job: str) -> tuple[DataFrame, list[int]]:
        """The chapters as a job left them: those of each bucket, and their neighbours."""
        own, buckets = self._buckets()
        own = own.drop("number")
        pairs = self.spark.read.parquet(self.store.path("neighbours"))
        beside = (
            pairs.join(own, pairs.a == own.id)
            .select("bucket", F.col("b").alias("id"))
            .distinct()
            .join(own, ["bucket", "id"], "left_anti")
        )
        wanted = own.withColumn("own", F.lit(True)).unionByName(
            beside.withColumn("own", F.lit(False))
        )
        documents = self.spark.read.parquet(self.store.path(job))
        return documents.join(wanted, "id"), buckets

    def _in_pairs(self) -> tuple[DataFrame, list[int]]:
        """The chapters with those that they are compared with; each pair is in one bucket only."""
        own, _ = self._buckets()
        bucket = own.select("id", "bucket")
        pairs = (
            self.sharing()
            .join(bucket.toDF("a", "of_a"), "a")
            .join(bucket.toDF("b", "of_b"), "b")
            # Each of two buckets has half of what they share.
            .withColumn(
                "bucket",
                F.when(F.crc32(F.col("b").cast("binary")) % 2 == 0, F.col("of_a")).otherwise(
                    F.col("of_b")
                ),
            )
        )
        sides = pairs.select("bucket", F.col("a").alias("id"), F.col("b").alias("other")).union(
            pairs.select("bucket", "b", F.lit(None).cast("string"))
        )
        others = sides.groupBy("bucket", "id").agg(F.collect_list("other").alias("others"))
        documents = self.spark.read.parquet(self.store.path("references"))
        inputs = documents.join(others, "id").join(own.select("id", "number"), "id")
        buckets = [row["bucket"] for row in pairs.select("bucket").distinct().collect()]
        return inputs, sorted(buckets)


def run_bucket(name, task, store, key, cpus, table: pa.Table) -> pa.Table:
    """Runs a task on the rows of a bucket and writes what it makes; what was done is its row."""
    # A task has so many cores; the library would use all of the machine.
    os.environ.setdefault("RAYON_NUM_THREADS", cpus)
    started = time.process_time()
    bucket = table["bucket"][0].as_py()
    made = task(table)
    for folder, rows in made.items():
        store.put_table(folder, bucket, rows)
    errors = sum(rows.num_rows for folder, rows in made.items() if folder.startswith("errors/"))
    first = next(iter(made.values())).num_rows
    store.mark(name, bucket, {"key": key, "rows": first, "errors": errors})
    seconds = time.process_time() - started
    done = {"bucket": bucket, "rows": first, "errors": errors, "seconds": seconds}
    types = pa.schema(
        [("bucket", "int32"), ("rows", "int64"), ("errors", "int64"), ("seconds", "float64")]
    )
    return pa.Table.from_pylist([done], schema=types)


def packed(sizes: list[tuple[str, int]], limit: int) -> dict[str, int]:
    """Puts things into buckets in their order, about so much into each."""
    buckets, before = {}, 0
    for name, size in sizes:
        buckets[name] = (2 * before + size) // (2 * limit)
        before += size
    return buckets


def bytes_of(column: pa.ChunkedArray, kind: str) -> bytes:
    """Numbers as bytes."""
    return column.to_numpy().astype(kind).tobytes()


def digest(*parts: str) -> str:
    """A key of some facts."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def zhushu_version() -> str:
    """The version whose results these are."""
    from importlib.metadata import version

    return version("zhushu")
