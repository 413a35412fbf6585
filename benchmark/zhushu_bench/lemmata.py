"""Task lemmata: where the words are that a lemma header names. ../tasks/lemmata.md has the measure."""

from __future__ import annotations

from typing import Any, Dict, List, Set, Tuple

from . import strict_json
from .bench import Bench, Item
from .chars import trimmed
from .figures import Count, Counts

MEASURES = {"lemmata": "f1"}


def check(answer: Any, item: Item, bench: Bench, where: str) -> None:
    """Refuses links that are out of the text or have no target."""
    length = len(bench.content(item.text))
    for n, link in enumerate(strict_json.field(answer, "links", list, where)):
        at = f"{where}.links[{n}]"
        strict_json.span(link, length, at)
        strict_json.span(strict_json.field(link, "target", dict, at), length, f"{at}.target")


def score(item: Item, answer: Dict[str, Any], bench: Bench) -> Counts:
    """Header parts whose target is exact but for punctuation at its ends; each link serves one part."""
    text = bench.content(item.text)
    links: List[Tuple[int, Tuple[int, int]]] = [
        (x["start"], trimmed(text, x["target"]["start"], x["target"]["end"])) for x in answer["links"]
    ]
    taken: Set[int] = set()
    parts = [p for p in item.gold["lemmata"] if p["start"] is not None and p["end"] is not None]
    for part in parts:
        want = trimmed(text, part["start"], part["end"])
        first, last = part["line"]
        fits = (
            k
            for k, (at, target) in enumerate(links)
            if k not in taken and first <= at <= last and target == want
        )
        link = next(fits, None)
        if link is not None:
            taken.add(link)
    return {"lemmata": Count(len(taken), len(links), len(parts))}
