"""Task alignment: which sentences or clauses of a translation render which of the classic (../tasks/alignment.md)."""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, List, Set, Tuple

from . import strict_json
from .bench import Bench, Item
from .chars import counts
from .figures import Count, Counts
from .refusal import Refusal

MEASURES = {"strict": "f1", "pairs": "f1"}
SIDES = ("source", "translation")

Span = Tuple[int, int]
Shares = Dict[int, float]
Bead = Tuple[FrozenSet[int], FrozenSet[int]]


def check(answer: Any, item: Item, bench: Bench, where: str) -> None:
    """Refuses beads whose stretches are out of a text, or share characters with another bead."""
    length = {s: len(bench.content(item.gold[s])) for s in SIDES}
    taken: Dict[str, Dict[int, int]] = {s: {} for s in SIDES}
    for n, bead in enumerate(strict_json.field(answer, "beads", list, where)):
        for side in SIDES:
            for m, part in enumerate(strict_json.field(bead, side, list, f"{where}.beads[{n}]")):
                at = f"{where}.beads[{n}].{side}[{m}]"
                start, end = strict_json.pair(part, length[side], at)
                clash = next((i for i in range(start, end) if i in taken[side]), None)
                if clash is not None:
                    raise Refusal(at, f"character {clash} is in beads[{taken[side][clash]}] already")
                taken[side].update((i, n) for i in range(start, end))


class Side:
    """The units of one side, and how much of them a bead holds."""

    def __init__(self, text: str, units: List[List[int]]) -> None:
        self.text = text
        self.unit: Dict[int, int] = {}
        self.size = [0] * len(units)
        for n, (start, end) in enumerate(units):
            for i in range(start, end):
                if counts(text[i]):
                    self.unit[i] = n
                    self.size[n] += 1

    def length(self, parts: List[List[int]]) -> int:
        """How many characters of these stretches count."""
        return sum(counts(self.text[i]) for start, end in parts for i in range(start, end))

    def touches(self, parts: List[List[int]]) -> bool:
        """Whether the stretches have a character of a unit."""
        return any(i in self.unit for start, end in parts for i in range(start, end))

    def held(self, parts: List[List[int]]) -> Shares:
        """Units of which half is in the stretches, or in which half of these is; with the share that is in them."""
        votes: Dict[int, int] = {}
        for start, end in parts:
            for i in range(start, end):
                if i in self.unit:
                    votes[self.unit[i]] = votes.get(self.unit[i], 0) + 1
        whole = self.length(parts)
        return {u: v / self.size[u] for u, v in votes.items() if 2 * v >= self.size[u] or 2 * v >= whole}


def joined(beads: List[Tuple[Shares, Shares]]) -> List[Tuple[Shares, Shares]]:
    """Beads that hold parts of the same unit put together: to cut finer than the gold is not an error."""
    groups: List[Tuple[Shares, Shares]] = []
    for bead in beads:
        apart: List[Tuple[Shares, Shares]] = []
        whole: Tuple[Shares, Shares] = ({}, {})
        for group in groups:
            if any(set(group[s]) & set(bead[s]) for s in (0, 1)):
                add(whole, group)
            else:
                apart.append(group)
        add(whole, bead)
        groups = apart + [whole]
    return groups


def add(to: Tuple[Shares, Shares], bead: Tuple[Shares, Shares]) -> None:
    """Adds the shares of a bead."""
    for mine, more in zip(to, bead):
        for unit, part in more.items():
            mine[unit] = mine.get(unit, 0.0) + part


def in_units(answer: Dict[str, Any], sides: Tuple[Side, Side]) -> Tuple[Set[Bead], int]:
    """The beads as sets of units, and how many beads hold no unit of the gold on one of their sides.

    Beads without text on a side, and beads that touch no unit on either side, do not count.
    """
    both = [b for b in answer["beads"] if all(sides[n].length(b[s]) for n, s in enumerate(SIDES))]
    both = [b for b in both if any(sides[n].touches(b[s]) for n, s in enumerate(SIDES))]
    held = [(sides[0].held(b["source"]), sides[1].held(b["translation"])) for b in both]
    good = [h for h in held if h[0] and h[1]]
    groups = joined(good)
    whole = [bead for bead in map(mostly, groups) if bead[0] and bead[1]]
    return set(whole), len(held) - len(good) + len(groups) - len(whole)


def mostly(group: Tuple[Shares, Shares]) -> Bead:
    """The units of which a bead holds at least half."""
    source, translation = (frozenset(u for u, part in side.items() if part >= 0.5) for side in group)
    return source, translation


def score(item: Item, answer: Dict[str, Any], bench: Bench) -> Counts:
    """Beads that are exactly the gold's, and pairs of units that a bead joins."""
    sides = (
        Side(bench.content(item.gold["source"]), item.gold["source_units"]),
        Side(bench.content(item.gold["translation"]), item.gold["translation_units"]),
    )
    gold = {(frozenset(b["source"]), frozenset(b["translation"])) for b in item.gold["beads"]}
    gold = {b for b in gold if b[0] and b[1]}
    found, stray = in_units(answer, sides)
    want, have = unit_pairs(gold), unit_pairs(found)
    return {
        "strict": Count(len(gold & found), len(found) + stray, len(gold)),
        "pairs": Count(len(want & have), len(have) + stray, len(want)),
    }


def unit_pairs(beads: Set[Bead]) -> Set[Tuple[int, int]]:
    """Every unit of the classic with every unit of the translation that is in the same bead."""
    return {(a, b) for source, translation in beads for a in source for b in translation}
