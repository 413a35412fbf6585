"""Scores a submission, and writes and reads results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Tuple

from . import VERSION, strict_json
from .bench import Bench, Item
from .figures import NOTHING, Count, Counts, summary
from .submission import MODULES, Submission

Scored = List[Tuple[Item, Counts]]


def scored(submission: Submission, bench: Bench) -> Scored:
    """The counts of each item."""
    score = MODULES[submission.task].score
    return [(item, score(item, submission.answers[item.id], bench)) for item in submission.items]


def by_text(rows: Scored, measure: str) -> List[Count]:
    """The counts of a measure, added up for each text, in the order of its first item."""
    out: Dict[str, Count] = {}
    for item, counts in rows:
        if measure in counts:
            out[item.drawn_with] = out.get(item.drawn_with, NOTHING) + counts[measure]
    return list(out.values())


def figures(rows: Scored, submission: Submission) -> Dict[str, Any]:
    """Every measure of a task over some items, with how many items and texts these are, and how many were seen."""
    measures = MODULES[submission.task].MEASURES
    out: Dict[str, Any] = {"items": len(rows), "texts": len({item.drawn_with for item, _ in rows})}
    out["seen"] = sum(item.id in submission.saw for item, _ in rows)
    for measure, kind in measures.items():
        counts = by_text(rows, measure)
        if any(c != NOTHING for c in counts):
            out[measure] = summary(counts, kind)
    return out


def result(submission: Submission, bench: Bench) -> Dict[str, Any]:
    """The result of a submission: figures over all items and over each group, and the counts of each item."""
    rows = scored(submission, bench)
    groups = sorted({item.group for item, _ in rows})
    new = [row for row in rows if row[0].id not in submission.saw]
    out: Dict[str, Any] = {
        "format": "zhushu-bench-result/1",
        "benchmark": VERSION,
        "system": submission.system,
        "version": submission.version,
        "date": submission.date,
        "task": submission.task,
        "set": submission.chosen,
        "saw": submission.saw,
        "notes": submission.notes,
        "all": figures(rows, submission),
        "groups": {g: figures([r for r in rows if r[0].group == g], submission) for g in groups},
    }
    if 0 < len(new) < len(rows):
        out["not seen"] = figures(new, submission)
    out["items"] = {item.id: {m: [c.right, c.found, c.of] for m, c in counts.items()} for item, counts in rows}
    return out


def write(path: Path, value: Dict[str, Any]) -> None:
    """Writes a result, one item a line."""
    rows = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value["items"].items())
    head = {k: v for k, v in value.items() if k != "items"}
    text = json.dumps(head, ensure_ascii=False, indent=1)
    path.write_text(f'{text[:-2]},\n "items": {{\n{rows}\n }}\n}}\n', encoding="utf-8")


def read_all(folder: Path) -> List[Dict[str, Any]]:
    """All results of a folder, by file name."""
    return [strict_json.read(path) for path in sorted(folder.glob("*.json"))]
