"""zhushu.spark on two workers. ZHUSHU_SPARK_CHAPTERS and ZHUSHU_SPARK_SIZE make it larger."""

import os
import pathlib
import shutil
import signal
import sys
import threading
import time

import pyarrow
import pytest

import zhushu
from perturbed import Chapters

FORBID_SKIP = os.environ.get("ZHUSHU_FORBID_SKIP")
if not FORBID_SKIP:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java", allow_module_level=True)

from pyspark.sql import SparkSession  # noqa: E402

from zhushu.spark import Flow, Plan, tasks  # noqa: E402

COUNT = int(os.environ.get("ZHUSHU_SPARK_CHAPTERS", "24"))
SIZE = int(os.environ.get("ZHUSHU_SPARK_SIZE", "1500"))
SOURCE = "id string, content binary, work string, chapter string"


@pytest.fixture(scope="module")
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    # The first compiler only: these jobs are over before the second one is of use.
    quick = "-XX:TieredStopAtLevel=1"
    for key, value in {
        "spark.driver.extraJavaOptions": quick,
        "spark.executor.extraJavaOptions": quick,
        "spark.executor.memory": "1g",
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def chapters():
    return Chapters(COUNT, SIZE).texts


@pytest.fixture(scope="module")
def source(spark, chapters):
    rows = [(t["id"], t["content"].encode(), t["work"], t["chapter"]) for t in chapters]
    rows.append(("picture", b"\x89PNG\r\n\x1a\n" + bytes(100), None, None))
    return spark.createDataFrame(rows, SOURCE)


@pytest.fixture(scope="module")
def plan(chapters):
    size = sum(len(t["content"].encode()) for t in chapters)
    return Plan(bucket_bytes=size // 4)


@pytest.fixture(scope="module")
def flow(spark, source, plan, tmp_path_factory):
    flow = Flow(spark, str(tmp_path_factory.mktemp("flow")), plan)
    started = time.monotonic()
    flow.results = flow.run(source)
    flow.wall = time.monotonic() - started
    return flow


@pytest.fixture(scope="module")
def alone(chapters):
    documents = []
    for t in chapters:
        meta = zhushu.facts(work=t["work"], chapter=t["chapter"])
        content = t["content"].encode()
        named = {"name": f"{t['id']}.txt", "id": t["id"], "meta": meta}
        documents.append(zhushu.read_bytes(content, **named))
    return zhushu.split(documents)


def same(one, other, columns):
    """The share of rows that both tables have."""
    sets = [{tuple(row.values()) for row in t.select(columns).to_pylist()} for t in (one, other)]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


ENDS = ["text", "kind", "start", "end", "target_text", "target_start", "target_end"]


def test_answers_are_those_of_one_machine(flow, alone):
    links = pyarrow.table(alone.links)
    assert {"citation", "parallel"} <= set(links["kind"].to_pylist())
    assert same(flow.store.table("tables/links"), links, ENDS) >= 0.99
    columns = ["text", "id", "layer", "locus", "start", "end", "cert"]
    segments = flow.store.table("tables/segments")
    assert same(segments, pyarrow.table(alone.segments), columns) >= 0.99
    assert flow.table("texts").count() == len(alone)
    seconds = sum(done.seconds for done in flow.results)
    print(f"\n{len(alone)} chapters: {flow.wall:.1f} s, tasks {seconds:.1f} s of CPU")


def test_tables_have_the_schema_of_the_library(flow, alone):
    for name in tasks.TABLES:
        schema = pyarrow.schema(getattr(alone, name))
        assert flow.store.table(f"tables/{name}").schema.equals(schema), name
        assert flow.table(name).columns == getattr(alone, name).columns


def test_documents_can_be_taken_up_again(flow, alone):
    row = flow.documents().orderBy("id").first()
    document = zhushu.Document.from_bytes(bytes(row["document"]))
    assert document.text == alone[row["id"]].text
    assert len(document.links) == len(alone[row["id"]].links)


def test_nothing_is_repeated_without_a_reason(flow, source):
    assert [done.computed for done in flow.run(source)] == [[]] * 5


def test_what_was_lost_is_repeated_and_nothing_else(flow, source):
    before = flow.store.table("tables/links").sort_by([(c, "ascending") for c in ENDS])
    root = pathlib.Path(flow.store.root)
    (root / "tables" / ".done" / "00001.json").unlink()
    (root / "tables" / "links" / "part-00001.parquet").unlink()
    assert [done.computed for done in flow.run(source)] == [[], [], [], [], [1]]
    after = flow.store.table("tables/links").sort_by([(c, "ascending") for c in ENDS])
    assert after.select(ENDS).equals(before.select(ENDS))


def when_marked(flow, job, act):
    """Does something in a thread once a bucket of a job is done."""

    def watch():
        while not flow.store.marks(job) and not stopped.is_set():
            time.sleep(0.02)
        if not stopped.is_set():
            acted.append(act())

    acted, stopped = [], threading.Event()
    thread = threading.Thread(target=watch)
    thread.start()

    def stop():
        stopped.set()
        thread.join()
        return acted

    return stop


def executors():
    """The processes of the workers, which are descendants of this one."""
    parents, found = {}, []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
        if b"CoarseGrainedExecutorBackend" in command and b"java" in command:
            found.append(int(folder.name))

    def ours(pid):
        while pid > 1:
            pid = parents.get(pid, 0)
            if pid == os.getpid():
                return True
        return False

    return [pid for pid in found if ours(pid)]


def kill_an_executor():
    [pid, *_] = executors()
    os.kill(pid, signal.SIGKILL)
    return pid


def test_a_worker_that_dies_midway_changes_nothing(spark, source, plan, flow, tmp_path):
    other = Flow(spark, str(tmp_path), plan)
    stop = when_marked(other, "split", kill_an_executor)
    other.run(source)
    assert len(stop()) == 1, "a worker was killed"
    links = other.store.table("tables/links")
    assert same(links, flow.store.table("tables/links"), ENDS) == 1


def test_a_run_after_a_failure_goes_on_where_it_ended(
    spark, source, plan, flow, tmp_path, monkeypatch
):
    other = Flow(spark, str(tmp_path), plan)
    store, split = other.store, tasks.split

    def failing(table):
        if table["bucket"][0].as_py() == 1:
            while not store.marks("split"):
                time.sleep(0.02)
            raise OSError("no space is left")
        return split(table)

    with monkeypatch.context() as patched:
        patched.setattr(tasks, "split", failing)
        with pytest.raises(Exception, match="no space is left"):
            other.run(source)
    done = set(other.store.marks("split"))
    assert done and 1 not in done
    read, again, *_ = other.run(source)
    assert read.computed == []
    assert set(again.kept) == done and 1 in again.computed
    links = other.store.table("tables/links")
    assert same(links, flow.store.table("tables/links"), ENDS) == 1


def test_a_manifest_is_read_and_its_translation_aligned(spark, corpus, library, tmp_path):
    flow = Flow(spark, str(tmp_path))
    flow.run(corpus)
    for name, columns in {
        "texts": ["text", "title", "work", "chapter", "number", "siglum", "by", "sha256"],
        "segments": ["text", "id", "locus", "start", "end", "cert", "by"],
        "links": ENDS,
        "beads": ["text", "translation_text", "start", "translation_start", "cert", "words"],
    }.items():
        table = pyarrow.table(getattr(library, name))
        assert same(flow.store.table(f"tables/{name}"), table, columns) >= 0.99, name


def test_a_text_that_cannot_be_read_is_a_row_of_errors(flow):
    assert flow.results[0].errors == 1
    [error] = flow.table("errors").collect()
    assert (error["text"], error["job"], error["kind"]) == ("picture", "read", "encoding")
    assert "binary" in error["message"] and error["hint"]
    assert "picture" not in [row["text"] for row in flow.table("texts").collect()]
