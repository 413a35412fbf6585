"""Task layers: which stretch of a text is classic, commentary, sub-commentary … ../tasks/layers.md has the measure."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Set, Tuple

from . import strict_json
from .bench import Bench, Item
from .chars import counts
from .figures import Count, Counts
from .refusal import Refusal

MEASURES = {"borders": "f1", "characters": "share"}
SCORED = {
    "jing",
    "zhuan",
    "zhu",
    "jian",
    "bie",
    "yin",
    "ju",
    "an",
    "jishi",
    "shu",
    "label",
    "translation",
    "yizhu",
}
UNSCORED = {"mark", "heading", "furniture", "blank", "other", "undivided"}
JOINED = {"shu_header": "shu"}
LAYERS = SCORED | UNSCORED | set(JOINED)

Labels = List[Optional[str]]
Border = Tuple[int, Optional[str], Optional[str]]


def check(answer: Any, item: Item, bench: Bench, where: str) -> None:
    """Refuses spans that are out of the text, overlap, or have a layer that does not exist."""
    length, last = len(bench.content(item.text)), 0
    rows = strict_json.field(answer, "spans", list, where)
    for n, row in enumerate(rows):
        at = f"{where}.spans[{n}]"
        start, end = strict_json.span(row, length, at)
        layer = strict_json.field(row, "layer", str, at)
        if layer not in LAYERS:
            raise Refusal(
                f"{at}.layer", f"there is no layer {layer!r}; the layers are {', '.join(sorted(LAYERS))}"
            )
        if start < last:
            raise Refusal(at, f"it begins at {start}, before the span in front of it ends ({last})")
        last = end


def labels(spans: List[Tuple[int, int, str]], length: int) -> Labels:
    """The layer of each character."""
    out: Labels = [None] * length
    for start, end, layer in spans:
        out[start:end] = [JOINED.get(layer, layer)] * (end - start)
    return out


def neighbours(text: str, gold: Labels, line_ends: bool) -> List[Tuple[int, int]]:
    """Pairs of scored characters with nothing scored between, where a border can be: see ../tasks/layers.md."""
    out: List[Tuple[int, int]] = []
    before: Optional[int] = None
    new_line = False
    for i, character in enumerate(text):
        new_line |= character == "\n"
        if not counts(character):
            continue
        if gold[i] == "unsure":
            before = None
        if gold[i] not in SCORED:
            continue
        if before is not None and allowed(gold, before, i, new_line, line_ends):
            out.append((before, i))
        before, new_line = i, False
    return out


def allowed(gold: Labels, a: int, b: int, new_line: bool, line_ends: bool) -> bool:
    """Within a line always; over a line end if the item says so, and neither side is sub-commentary."""
    return not new_line or line_ends and "shu" not in (gold[a], gold[b])


def borders(pairs: List[Tuple[int, int]], of: Labels) -> Set[Border]:
    """The pairs whose layers differ, with both layers."""
    return {(b, of[a], of[b]) for a, b in pairs if of[a] != of[b]}


def score(item: Item, answer: Dict[str, Any], bench: Bench) -> Counts:
    """Borders that have the right layer on both sides, and characters in their layer."""
    text = bench.content(item.text)
    gold = labels([tuple(s) for s in item.gold["spans"]], len(text))
    found = labels([(s["start"], s["end"], s["layer"]) for s in answer["spans"]], len(text))
    if "zhuan" not in gold:
        found = ["jing" if layer == "zhuan" else layer for layer in found]
    pairs = neighbours(text, gold, item.gold["line_ends"])
    want, have = borders(pairs, gold), borders(pairs, found)
    scored = [i for i, c in enumerate(text) if counts(c) and gold[i] in SCORED]
    right = sum(gold[i] == found[i] for i in scored)
    return {
        "borders": Count(len(want & have), len(have), len(want)),
        "characters": Count(right, 0, len(scored)),
    }
