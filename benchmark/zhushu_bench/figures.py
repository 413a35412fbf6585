"""Figures from counts: shares, precision, recall and F1, with intervals by resampling texts.

An interval is the bootstrap percentile interval: texts are drawn with replacement as often as there are texts, counts
are added up, the figure is computed again; of 2,000 such figures those at 2.5 and 97.5 per cent are the bounds. The
random numbers are those of Python's `random.Random(1)`. A single text gives no interval.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Tuple

DRAWS = 2000
SEED = 1


@dataclass(frozen=True)
class Count:
    """What was right, of what was found, of what the gold has. A plain share has `found` 0 throughout."""

    right: int
    found: int
    of: int

    def __add__(self, other: "Count") -> "Count":
        return Count(self.right + other.right, self.found + other.found, self.of + other.of)


NOTHING = Count(0, 0, 0)
Counts = Dict[str, Count]


def share(part: int, whole: int) -> float:
    """A share, 0 of nothing."""
    return part / whole if whole else 0.0


def f1(count: Count) -> float:
    """2 right / (found + of): the harmonic mean of precision and recall."""
    return share(2 * count.right, count.found + count.of)


def value(count: Count, kind: str) -> float:
    """The figure of a count: `f1` or `share`."""
    return f1(count) if kind == "f1" else share(count.right, count.of)


def total(counts: Iterable[Count]) -> Count:
    """The sum of counts."""
    out = NOTHING
    for count in counts:
        out += count
    return out


def interval(by_text: List[Count], kind: str) -> Optional[Tuple[float, float]]:
    """The bounds of 95 per cent, or None for fewer than two texts."""
    if len(by_text) < 2:
        return None
    draw = random.Random(SEED)
    rows = [(c.right, c.found, c.of) for c in by_text]
    figures = []
    for _ in range(DRAWS):
        chosen = draw.choices(rows, k=len(rows))
        figures.append(value(Count(*(sum(column) for column in zip(*chosen))), kind))
    figures.sort()
    return figures[round(0.025 * (DRAWS - 1))], figures[round(0.975 * (DRAWS - 1))]


def summary(by_text: List[Count], kind: str) -> Dict[str, object]:
    """One figure as results have it, rounded to four digits."""
    sum_ = total(by_text)
    out: Dict[str, object] = {"kind": kind, "value": round(value(sum_, kind), 4)}
    bounds = interval(by_text, kind)
    out["interval"] = None if bounds is None else [round(b, 4) for b in bounds]
    if kind == "f1":
        out["precision"] = round(share(sum_.right, sum_.found), 4)
        out["recall"] = round(share(sum_.right, sum_.of), 4)
        out["found"] = sum_.found
    out.update(right=sum_.right, of=sum_.of)
    return out
