"""Files of a run: each bucket of a job has its own, which is whole or not there.

Spark's own writers commit when all of a job is done, so a job that failed at its end would leave
nothing. Here each task writes its files under a temporary name, renames them, and leaves a mark
with the key of what they were made from. A task that Spark runs twice writes the same files.
"""

from __future__ import annotations

import json
import posixpath
import uuid

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as parquet


class Store:
    """A folder that the driver and all workers see: a path, or an address such as hdfs:// or s3://."""

    def __init__(self, root: str) -> None:
        self.root = str(root)
        self._opened = None

    def __getstate__(self):
        return {"root": self.root, "_opened": None}

    def _open(self):
        if self._opened is None:
            if "://" in self.root:
                self._opened = pyarrow.fs.FileSystem.from_uri(self.root)
            else:
                self._opened = pyarrow.fs.LocalFileSystem(), posixpath.abspath(self.root)
        return self._opened

    def path(self, name: str) -> str:
        """The path of a file or folder, as Spark reads it."""
        return posixpath.join(self.root, name)

    def _put(self, name: str, write) -> None:
        files, root = self._open()
        path = posixpath.join(root, name)
        folder = posixpath.dirname(path)
        files.create_dir(folder, recursive=True)
        # Spark and Arrow leave out files whose names begin with a dot.
        temporary = posixpath.join(folder, f".{uuid.uuid4().hex}")
        try:
            with files.open_output_stream(temporary) as out:
                write(out)
            files.move(temporary, path)
        except BaseException:
            if files.get_file_info(temporary).type != pyarrow.fs.FileType.NotFound:
                files.delete_file(temporary)
            raise

    def put_table(self, folder: str, bucket: int, table: pa.Table) -> None:
        """Writes the rows of a bucket."""
        name = posixpath.join(folder, f"part-{bucket:05}.parquet")
        self._put(name, lambda out: parquet.write_table(table, out, compression="zstd"))

    def put_bytes(self, name: str, content: bytes) -> None:
        """Writes a file."""
        self._put(name, lambda out: out.write(content))

    def get_bytes(self, name: str) -> bytes | None:
        """The content of a file, if it is there."""
        files, root = self._open()
        path = posixpath.join(root, name)
        if files.get_file_info(path).type != pyarrow.fs.FileType.File:
            return None
        with files.open_input_stream(path) as file:
            return file.read()

    def table(self, folder: str, columns: list[str] | None = None) -> pa.Table:
        """All rows of a folder."""
        files, root = self._open()
        return parquet.read_table(posixpath.join(root, folder), filesystem=files, columns=columns)

    def mark(self, job: str, bucket: int, mark: dict) -> None:
        """Notes that a bucket is done."""
        self.put_bytes(f"{job}/.done/{bucket:05}.json", json.dumps(mark).encode())

    def marks(self, job: str) -> dict[int, dict]:
        """The marks of a job by bucket."""
        files, root = self._open()
        folder = posixpath.join(root, job, ".done")
        selector = pyarrow.fs.FileSelector(folder, allow_not_found=True)
        marks = {}
        for info in files.get_file_info(selector):
            if info.base_name.endswith(".json") and not info.base_name.startswith("."):
                with files.open_input_stream(info.path) as file:
                    marks[int(info.base_name[:-5])] = json.loads(file.read())
        return marks

    def forget(self, job: str, folders: list[str], keep: set[int]) -> None:
        """Removes the files of buckets that the job does not have any more."""
        files, root = self._open()
        for bucket in set(self.marks(job)) - keep:
            names = [f"{job}/.done/{bucket:05}.json"]
            names += [f"{folder}/part-{bucket:05}.parquet" for folder in folders]
            for name in names:
                path = posixpath.join(root, name)
                if files.get_file_info(path).type != pyarrow.fs.FileType.NotFound:
                    files.delete_file(path)
