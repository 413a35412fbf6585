"""Task identification: of which work and chapter a text, or a passage, is (../tasks/identification.md)."""

from __future__ import annotations

from typing import Any, Dict, List

from . import strict_json
from .bench import Bench, Item
from .figures import Count, Counts
from .refusal import Refusal

MEASURES = {"text work": "share", "text chapter": "share", "work": "share", "chapter": "share"}


def passages(item: Item, bench: Bench) -> List[str]:
    """The words of the passages."""
    text = bench.content(item.text)
    return [text[start:end] for start, end in item.gold["passages"]]


def check(answer: Any, item: Item, bench: Bench, where: str) -> None:
    """Refuses an answer that does not have one row for the text and one for each passage."""
    rows = strict_json.field(answer, "passages", list, where)
    if len(rows) != len(item.gold["passages"]):
        raise Refusal(f"{where}.passages", f"it has {len(rows)} rows for {len(item.gold['passages'])} passages")
    check_row(strict_json.field(answer, "text", dict, where), f"{where}.text")
    for n, row in enumerate(rows):
        check_row(row, f"{where}.passages[{n}]")


def check_row(row: Any, where: str) -> None:
    """A row has a work and a chapter, or null."""
    if not isinstance(row, dict):
        raise Refusal(where, "an object was expected")
    for key in ("work", "chapter"):
        strict_json.optional(row, key, str, where)


def score(item: Item, answer: Dict[str, Any], bench: Bench) -> Counts:
    """Whether the text, and how many passages, have the right work, and the right chapter as well."""
    out: Counts = {}
    for prefix, rows in (("text ", [answer["text"]]), ("", answer["passages"])):
        work = [r.get("work") == item.gold["work"] for r in rows]
        out[f"{prefix}work"] = Count(sum(work), 0, len(rows))
        if item.gold["chapter"] is not None:
            right = sum(w and r.get("chapter") == item.gold["chapter"] for w, r in zip(work, rows))
            out[f"{prefix}chapter"] = Count(right, 0, len(rows))
    return out
