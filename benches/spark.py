#!/usr/bin/env python3
"""What a core does on Spark of what it does in one process: processor time of the tasks on two workers of one core, beside
that of one process with one thread, for the same chapters (python/tests/perturbed.py). Wants the wheel, pyspark and Java.

    benches/spark.py [CHAPTERS [CHARACTERS]]        300 chapters of 12,000 characters, 10.6 MB
"""

from __future__ import annotations

import os
import pathlib
import sys
import tempfile
import time

os.environ["RAYON_NUM_THREADS"] = "1"
os.environ["PYSPARK_PYTHON"] = sys.executable
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python/tests"))

import pyarrow  # noqa: E402
import zhushu  # noqa: E402
from perturbed import Chapters  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from zhushu.spark import Flow, Plan  # noqa: E402
from zhushu.spark.tasks import TABLES  # noqa: E402

SOURCE = "id string, content binary, work string, chapter string"
BUCKETS = int(os.environ.get("BUCKETS", "2"))


def alone(chapters: list[dict]) -> float:
    started = time.process_time()
    documents = []
    for t in chapters:
        meta = zhushu.facts(work=t["work"], chapter=t["chapter"])
        named = {"name": f"{t['id']}.txt", "id": t["id"], "meta": meta}
        documents.append(zhushu.read_bytes(t["content"].encode(), **named))
    library = zhushu.split(documents)
    # On Spark the results are documents as bytes and tables; here they are at least made.
    for table in TABLES:
        pyarrow.table(getattr(library, table))
    for document in library:
        document.to_bytes()
    return time.process_time() - started


def on_spark(chapters: list[dict], size: int) -> list:
    builder = SparkSession.builder.master("local-cluster[2,1,2048]")
    for key, value in {
        "spark.executor.memory": "2g",
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    rows = [(t["id"], t["content"].encode(), t["work"], t["chapter"]) for t in chapters]
    with tempfile.TemporaryDirectory() as folder:
        flow = Flow(spark, folder, Plan(bucket_bytes=size // BUCKETS))
        results = flow.run(spark.createDataFrame(rows, SOURCE))
    spark.stop()
    return results


def main() -> None:
    count, characters = (int(a) for a in (sys.argv[1:] + ["300", "12000"][len(sys.argv) - 1 :]))
    chapters = Chapters(count, characters).texts
    size = sum(len(t["content"].encode()) for t in chapters)
    jobs = [done.seconds for done in on_spark(chapters, size)]
    one = alone(chapters)
    print(f"{size / 1e6:.1f} MB: jobs {', '.join(f'{s:.1f}' for s in jobs)} s, together {sum(jobs):.1f} s of processor time")
    print(f"one process {one:.1f} s: a core on Spark does {one / sum(jobs):.2f} of that")


if __name__ == "__main__":
    main()
