"""Task identification: of which work and chapter a passage is. ../tasks/identification.md has the measures."""

from __future__ import annotations

from typing import Any, Dict, List

from . import strict_json
from .bench import Bench, Item
from .figures import Count, Counts
from .refusal import Refusal

MEASURES = {"work": "share", "chapter": "share"}


def passages(item: Item, bench: Bench) -> List[str]:
    """The words of the passages."""
    text = bench.content(item.text)
    return [text[start:end] for start, end in item.gold["passages"]]


def check(answer: Any, item: Item, bench: Bench, where: str) -> None:
    """Refuses an answer that does not have one row for each passage."""
    rows = strict_json.field(answer, "passages", list, where)
    if len(rows) != len(item.gold["passages"]):
        raise Refusal(f"{where}.passages", f"it has {len(rows)} rows for {len(item.gold['passages'])} passages")
    for n, row in enumerate(rows):
        if not isinstance(row, dict):
            raise Refusal(f"{where}.passages[{n}]", "an object was expected")
        for key in MEASURES:
            strict_json.optional(row, key, str, f"{where}.passages[{n}]")


def score(item: Item, answer: Dict[str, Any], bench: Bench) -> Counts:
    """Passages with the right work, and with the right chapter as well."""
    gold, rows = item.gold, answer["passages"]
    work = [r.get("work") == gold["work"] for r in rows]
    out = {"work": Count(sum(work), 0, len(rows))}
    if gold["chapter"] is not None:
        right = sum(w and r.get("chapter") == gold["chapter"] for w, r in zip(work, rows))
        out["chapter"] = Count(right, 0, len(rows))
    return out
