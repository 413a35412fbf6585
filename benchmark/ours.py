#!/usr/bin/env python3
"""Runs zhushu on the items of a task and writes the submission: ours.py PROGRAM TASK --set SET -o FILE

What is run for each item is what a user would run (`convert`, `align`, `build --punctuation inferred`, `sniff`),
without the user's library. For references the other bundled texts are given beside a bundled one, and the plain
classics of the set beside any other.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
from zhushu_bench import identification, layers, punctuation  # noqa: E402
from zhushu_bench.baselines import row  # noqa: E402
from zhushu_bench.bench import SETS, TASKS, Bench, Given, Item  # noqa: E402
from zhushu_bench.refusal import Refusal  # noqa: E402
from zhushu_bench.references import KINDS  # noqa: E402
from zhushu_bench.submission import FORMAT  # noqa: E402

GRAINS = {"sentences": "sentence", "clauses": "clause"}


class Program:
    """The program, called without a library and in English."""

    def __init__(self, path: Path, given: Given) -> None:
        self.path, self.bench, self.given = path, given.bench, given
        self.version = self.run("--version").split()[-1]

    def run(self, *arguments: str) -> str:
        """The standard output of a call; refuses a failure with what it printed."""
        env = dict(os.environ, ZHUSHU_LIBRARY="", LC_ALL="C.UTF-8")
        done = subprocess.run(
            [str(self.path), *arguments], env=env, capture_output=True, text=True, encoding="utf-8"
        )
        if done.returncode:
            raise Refusal(f"{self.path} {' '.join(arguments)[:120]}", done.stderr.strip()[-300:])
        return done.stdout

    @lru_cache(maxsize=None)
    def converted(self, text: str, beside: Tuple[str, ...] = ()) -> Dict[str, Any]:
        """The JSON of a text, with other texts beside it."""
        with_ = [x for other in beside for x in ("--with", str(self.bench.path(other)))]
        path = str(self.bench.path(text))
        found: Dict[str, Any] = json.loads(
            self.run("--no-library", "convert", path, "--to", "json", "-o", "-", *with_)
        )
        return found


def answer_layers(item: Item, program: Program) -> Any:
    """Spans as `convert` gives them; layers that the benchmark does not have are refused."""
    spans = program.converted(item.text)["spans"]
    unknown = {s["layer"] for s in spans} - layers.LAYERS
    if unknown:
        raise Refusal(
            item.id, f"the program has layers that the benchmark does not: {', '.join(sorted(unknown))}"
        )
    return {"spans": [{k: s[k] for k in ("start", "end", "layer")} for s in spans if s["start"] < s["end"]]}


def target(link: Dict[str, Any], names: Dict[str, str]) -> Any:
    """The target of a link with the id of its text, or None."""
    place = link.get("target")
    if not place or os.path.basename(place["path"]) not in names:
        return None
    return {"text": names[os.path.basename(place["path"])], "start": place["start"], "end": place["end"]}


def answer_lemmata(item: Item, program: Program) -> Any:
    """Links of kind lemma whose target is in the text."""
    names = {program.bench.path(item.text).name: item.text}
    links = []
    for link in program.converted(item.text)["links"]:
        place = target(link, names) if link["kind"] == "lemma" else None
        if place:
            links.append(
                {"start": link["start"], "end": link["end"], "target": {k: place[k] for k in ("start", "end")}}
            )
    return {"links": links}


def answer_references(item: Item, program: Program) -> Any:
    """Citations, quotations and internal references of `convert --with`."""
    others = tuple(program.given.beside(item.text))
    names = {program.bench.path(t).name: t for t in (item.text, *others)}
    rows = []
    for link in program.converted(item.text, others)["links"]:
        if link["kind"] in KINDS:
            rows.append({k: link.get(k) for k in ("start", "end", "kind", "quoted", "work")})
            rows[-1]["target"] = target(link, names)
    return {"links": rows}


def answer_alignment(item: Item, program: Program) -> Any:
    """The beads of `align`."""
    paths = [str(program.bench.path(item.gold[s])) for s in ("source", "translation")]
    found = json.loads(
        program.run("--no-library", "align", *paths, "--by", GRAINS[item.group], "--to", "json", "-o", "-")
    )
    sides = ("source", "translation")
    return {"beads": [{s: [[p["start"], p["end"]] for p in bead[s]] for s in sides} for bead in found["beads"]]}


def answer_punctuation(item: Item, program: Program) -> Any:
    """The marks of `build --punctuation inferred` for the stripped text."""
    with tempfile.TemporaryDirectory() as folder:
        inside, out = Path(folder, "in"), Path(folder, "out")
        inside.mkdir()
        (inside / "text.txt").write_text(
            punctuation.stripped(punctuation.source(item, program.bench))[0], encoding="utf-8"
        )
        program.run(
            "--no-library",
            "build",
            str(inside),
            "--punctuation",
            "inferred",
            "--formats",
            "json",
            "-o",
            str(out),
        )
        marks: Dict[int, str] = {}
        for path in sorted((out / "json").glob("*.json")):
            found = json.loads(path.read_text(encoding="utf-8"))
            for place in found.get("supplied", []) if "spans" in found else []:
                sign = next((c for c in place["words"] if c in punctuation.MARKS), None)
                if sign:
                    marks.setdefault(place["start"], sign)
    return {"marks": [{"at": at, "mark": marks[at]} for at in sorted(marks)]}


def answer_identification(item: Item, program: Program) -> Any:
    """What `sniff` finds out about the text, and about each passage, under a name that says nothing."""
    text = program.bench.content(item.text)
    return {
        "text": sniffed(text, program),
        "passages": [sniffed(words, program) for words in identification.passages(item, program.bench)],
    }


def sniffed(words: str, program: Program) -> Dict[str, Any]:
    """Work and chapter of a file with these words."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text.txt")
        path.write_bytes(words.encode("utf-8"))
        return best_work(
            json.loads(program.run("--no-library", "--lang", "en", "sniff", str(path), "--to", "json"))[0]
        )


def best_work(found: Dict[str, Any]) -> Dict[str, Any]:
    """The likeliest work, and a chapter that its title or its words say."""
    best = max(found["works"], key=lambda w: w["cert"], default=None)
    if best is None:
        return {"work": None, "chapter": None}
    said = [
        re.match(r"word patterns of ([^:]+):|%s・(.+)" % re.escape(best["work"]), w["words"])
        for w in found["works"]
    ]
    chapters = [
        m.group(1) or m.group(2) for m, w in zip(said, found["works"]) if m and w["work"] == best["work"]
    ]
    return {"work": best["work"], "chapter": chapters[0] if chapters else None}


ANSWERS = {
    "layers": answer_layers,
    "lemmata": answer_lemmata,
    "references": answer_references,
    "alignment": answer_alignment,
    "punctuation": answer_punctuation,
    "identification": answer_identification,
}


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--set", dest="chosen", choices=SETS, default="bundled")
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--date", default="2026-11-30", help="the date of the submission")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    try:
        bench = Bench(texts=options.texts)
        given = Given.of(bench, options.task, options.chosen)
        program = Program(options.program.resolve(), given)
        answers = [row(item, ANSWERS[options.task](item, program)) for item in given.items]
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    seen = [item.id for item in given.items if item.gold.get("seen", bench.entries[item.text].seen)]
    head = {
        "format": FORMAT,
        "task": options.task,
        "set": options.chosen,
        "system": "zhushu",
        "version": program.version,
    }
    head.update(date=options.date, saw=seen, answers=answers)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(head, ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
