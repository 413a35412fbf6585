#!/usr/bin/env python3
"""Gets the texts of the benchmark that are not bundled, checks them by SHA-256, and writes them to texts/.

    fetch.py                      from the repositories that texts.json names, at the commits that it names
    fetch.py --from FOLDER ...    from folders that you have, with everything in them
    fetch.py --list               what there is, what is at hand, and where the rest comes from

A file of a folder is recognised by the SHA-256 of its decoded text (UTF-8 or GB18030), whatever its name. A book from
which a part is taken by the steps of texts.json must have the name that it has there. Texts without a place on the
net are listed with their hash: bring your own copy. Nothing is written unless its hash is right. Only the standard
library is needed.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

sys.path.insert(0, str(Path(__file__).resolve().parent))
from zhushu_bench.bench import Bench, TextEntry  # noqa: E402
from zhushu_bench.refusal import Refusal  # noqa: E402

RAW = "https://raw.githubusercontent.com/{repository}/{commit}/{path}"
ENCODINGS = ("utf-8", "gb18030")
MAX_BYTES = 32 << 20


def digest(text: str) -> str:
    """The SHA-256 of a text as UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def decoded(data: bytes) -> Optional[str]:
    """The text of some bytes, or None."""
    for encoding in ENCODINGS:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None


def built(text: str, steps: Dict[str, Any]) -> str:
    """The steps of texts.json: line ends, characters to drop, then a stretch in lines or characters."""
    text = text.replace("\r\n", "\n")
    for character in steps.get("drop", ""):
        text = text.replace(character, "")
    if "lines" in steps:
        lines = text.split("\n")
        text = "\n".join(line for a, b in steps["lines"] for line in lines[a:b])
    if steps.get("newlines") == "crlf":
        text = text.replace("\n", "\r\n")
    start, end = steps.get("chars", (0, len(text)))
    return text[start:end]


def made(entry: TextEntry, text: str) -> Optional[str]:
    """The text of the entry, if this is it or can be made into it."""
    if digest(text) == entry.sha256:
        return text
    made_ = built(text, entry.source.get("build", {}))
    return made_ if digest(made_) == entry.sha256 else None


def download(source: Dict[str, Any]) -> bytes:
    """The bytes of a file at its commit."""
    quoted = {k: urllib.parse.quote(source[k]) for k in ("repository", "commit", "path")}
    request = urllib.request.Request(RAW.format(**quoted), headers={"User-Agent": "zhushu-bench"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        data: bytes = answer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise Refusal(source["path"], f"it has more than {MAX_BYTES} bytes")
    return data


def keep(bench: Bench, entry: TextEntry, text: str, origin: str) -> None:
    """Writes a text that was checked."""
    bench.built.mkdir(parents=True, exist_ok=True)
    bench.path(entry.id).write_bytes(text.encode("utf-8"))
    print(f"{entry.id}: written, from {origin}")


def files(folders: List[Path]) -> Iterator[Path]:
    """The files of folders, smaller than a book may be."""
    for folder in folders:
        if not folder.is_dir():
            raise Refusal(str(folder), "it is not a folder")
        yield from (p for p in sorted(folder.rglob("*")) if p.is_file() and p.stat().st_size <= MAX_BYTES)


def from_folders(bench: Bench, folders: List[Path]) -> None:
    """Looks for every missing text in folders."""
    for path in files(folders):
        missing = [e for e in bench.entries.values() if not bench.has(e.id)]
        if not missing:
            return
        text = decoded(path.read_bytes())
        if text is None:
            continue
        for entry in missing:
            likely = abs(len(text) - entry.chars) < 1 or Path(entry.source.get("path", "")).name == path.name
            found = made(entry, text) if likely else None
            if found is not None:
                keep(bench, entry, found, str(path))


def from_net(bench: Bench) -> None:
    """Downloads every missing text that has a place."""
    got: Dict[str, bytes] = {}
    for entry in bench.entries.values():
        source = entry.source
        if bench.has(entry.id) or "repository" not in source:
            continue
        place = RAW.format(**{k: source[k] for k in ("repository", "commit", "path")})
        try:
            data = got[place] if place in got else download(source)
        except (OSError, urllib.error.URLError) as error:
            print(f"{entry.id}: not fetched: {error}; {place}", file=sys.stderr)
            continue
        got[place] = data
        text = decoded(data)
        found = None if text is None else made(entry, text)
        if found is None:
            print(f"{entry.id}: {place} is not the text of the gold (its SHA-256 differs)", file=sys.stderr)
        else:
            keep(bench, entry, found, place)


def listing(bench: Bench) -> None:
    """Prints every text: at hand, to be fetched, or to be brought."""
    for entry in bench.entries.values():
        source = entry.source
        if bench.has(entry.id):
            state = "bundled" if "bundled" in source else "at hand"
        elif "repository" in source:
            state = f"to fetch: {source['repository']} {source['commit'][:12]} {source['path']}"
        else:
            state = f"bring your own copy ({entry.chars} characters, SHA-256 {entry.sha256}): {source['why']}"
        print(f"{entry.id}\t{entry.work}\t{state}")


def main() -> int:
    """The command line; 0 if no text is missing that could be got."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="folders", type=Path, nargs="+", metavar="FOLDER", default=[])
    parser.add_argument(
        "--texts", type=Path, help="where to write the texts (default: texts/ beside this file)"
    )
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    try:
        bench = Bench(texts=options.texts)
        if options.list:
            listing(bench)
            return 0
        if options.folders:
            from_folders(bench, options.folders)
        else:
            from_net(bench)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    missing = [e for e in bench.entries.values() if not bench.has(e.id)]
    if missing:
        print(
            f"{len(missing)} texts are missing; `fetch.py --list` says which, and their SHA-256",
            file=sys.stderr,
        )
    return 1 if any("repository" in e.source for e in missing) else 0


if __name__ == "__main__":
    sys.exit(main())
