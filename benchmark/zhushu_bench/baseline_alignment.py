"""Alignment by lengths: a passage and its translation are long or short together (Gale and Church 1993)."""

from __future__ import annotations

import math
import re
from typing import Any, Dict, List, Tuple

from .bench import Given, Item
from .chars import counts

ENDS = {"sentences": "[。！？；!?;]", "clauses": "[，。！？；：、,!?;:]"}
MOVES = ((1, 1, 0.0), (1, 0, 4.5), (0, 1, 4.5), (2, 1, 2.4), (1, 2, 2.4), (2, 2, 4.5))

Span = Tuple[int, int]


def units(text: str, spans: List[Span], ends: str) -> List[Span]:
    """The sentences or clauses of some stretches: each up to its punctuation and closing marks, within a line."""
    out = []
    for start, end in spans:
        for match in re.finditer(f"[^\n]*?(?:{ends}+[”’」』]*|(?=\n)|$)", text[start:end]):
            span = (start + match.start(), start + match.end())
            if any(counts(c) for c in text[slice(*span)]):
                out.append(span)
    return out


def lengths(item: Item, given: Given) -> Dict[str, Any]:
    """The cheapest path through the sentences or clauses of both stretches that the gold covers."""
    gold = item.gold
    texts = [given.bench.content(gold[s]) for s in ("source", "translation")]
    sides = []
    for text, side in zip(texts, ("source", "translation")):
        whole = side == "translation" or gold["classic_only"]
        covered = lines_of(text, gold[f"{side}_units"]) if whole else stretches(gold[f"{side}_units"])
        sides.append(units(text, covered, ENDS[item.group]))
    sizes = [[sum(counts(c) for c in text[slice(*u)]) for u in side] for text, side in zip(texts, sides)]
    beads = []
    for a, b, c, d in path(sizes[0], sizes[1]):
        beads.append(
            {"source": [list(u) for u in sides[0][a:b]], "translation": [list(u) for u in sides[1][c:d]]}
        )
    return {"beads": beads}


def stretches(parts: List[List[int]]) -> List[Span]:
    """Units that follow each other closely put together, since the classic's lines have notes too."""
    out: List[Span] = []
    for start, end in sorted(map(tuple, parts)):
        if out and start - out[-1][1] <= 3:
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return [(a, b + 1) for a, b in out]


def lines_of(text: str, parts: List[List[int]]) -> List[Span]:
    """From the first unit to the end of the line of the last."""
    last = max(end for _, end in parts)
    stop = text.find("\n", last)
    return [(min(start for start, _ in parts), len(text) if stop < 0 else stop)]


def cost(a: int, b: int, ratio: float) -> float:
    """How unlikely it is that so many characters render so many."""
    if not a and not b:
        return 0.0
    deviation = (b - a * ratio) / math.sqrt(6.8 * max(a, b / ratio, 1))
    return 0.5 * deviation * deviation


def path(a: List[int], b: List[int]) -> List[Tuple[int, int, int, int]]:
    """Beads as ranges of units of both sides."""
    ratio = max(sum(b), 1) / max(sum(a), 1)
    best = [[math.inf] * (len(b) + 1) for _ in range(len(a) + 1)]
    back: Dict[Tuple[int, int], Tuple[int, int]] = {}
    best[0][0] = 0.0
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            for di, dj, price in MOVES:
                if di > i or dj > j or best[i - di][j - dj] == math.inf:
                    continue
                here = best[i - di][j - dj] + price + cost(sum(a[i - di : i]), sum(b[j - dj : j]), ratio)
                if here < best[i][j]:
                    best[i][j] = here
                    back[i, j] = (i - di, j - dj)
    out, at = [], (len(a), len(b))
    while at != (0, 0):
        before = back[at]
        out.append((before[0], at[0], before[1], at[1]))
        at = before
    return out[::-1]
