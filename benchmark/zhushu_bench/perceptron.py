"""Layers by a linear model of clauses: an averaged perceptron, learned from the other books of the set (seed 1).

A paragraph that is not sub-commentary is cut into clauses; each is classic or note, and the best sequence is found by
dynamic programming. Features are the characters at both ends of a clause, its length, its place, whether it repeats
words of the clauses before, whether a lemma header says that the note begins there, and the layer in front of it. A
paragraph without punctuation is one clause.
"""

from __future__ import annotations

import random
import re
from functools import lru_cache
from typing import Any, Dict, List, Optional, Tuple

from .baseline_layers import Piece, headers, kinds, named
from .bench import Bench, Given, Item
from .chars import counts
from .layers import labels

LAYERS = ("jing", "zhu")
CLAUSE = re.compile(r"[^，。；：？！,;:?!]+[，。；：？！,;:?!”’]*")
ROUNDS = 4
COMMON = set("也之者曰云雲謂谓猶犹言為为其所此故以於于則则乃凡若不")
SEED = 1

Span = Tuple[int, int]
Clause = Tuple[List[str], List[str]]
Sequence = Tuple[List[Clause], List[int]]
Weights = Dict[str, List[float]]


def clauses(text: str, span: Span) -> List[Span]:
    """Stretches up to punctuation."""
    start, end = span
    found = [(start + m.start(), start + m.end()) for m in CLAUSE.finditer(text[start:end])]
    return [c for c in found if any(counts(x) for x in text[slice(*c)])]


def features(text: str, all_: List[Span], n: int, cut: Optional[int]) -> Clause:
    """What is seen of a clause and its neighbours, and of the place in front of it."""
    words = [
        "".join(c for c in text[slice(*all_[m])] if counts(c)) if 0 <= m < len(all_) else ""
        for m in range(n - 2, n + 3)
    ]
    own, before = words[2], words[0] + words[1]
    again = sum(c in before for c in own)
    side = "no" if cut is None else "note" if all_[n][0] >= cut else "classic"
    here = [
        f"a{own[:1]}",
        f"b{own[:2]}",
        f"y{own[-1:]}",
        f"z{own[-2:]}",
        f"n{words[3][:1]}",
        f"e{words[3][-1:]}",
    ]
    here += [f"p{words[1][-1:]}", f"l{min(len(own), 12)}", f"r{min(again, 4)}", f"h{side}", f"i{min(n, 2)}"]
    mark = text[all_[n - 1][1] - 1] if n else "^"
    at = [
        "",
        mark,
        f"h{cut == all_[n][0]}{side}",
        f"a{own[:1]}",
        f"g{own[:1] in before}{mark}",
        f"k{min(len(all_) - n, 4)}",
    ]
    return here + [f"o{c}" for c in sorted(set(own)) if c in COMMON], at


def seen_of(text: str, rows: List[Tuple[Span, str]], n: int) -> List[Clause]:
    """The features of the clauses of a paragraph."""
    span, all_ = rows[n][0], clauses(text, rows[n][0])
    parts = headers(text, rows, n)
    cut = named(text, span, parts) if parts else None
    return [features(text, all_, m, cut) for m in range(len(all_))]


def gold_sequences(item: Item, bench: Bench) -> List[Sequence]:
    """The clauses of an item with the layer that most of their characters have, without doubtful ones."""
    text = bench.content(item.text)
    layer = labels([tuple(s) for s in item.gold["spans"]], len(text))
    rows, out = kinds(text), []
    for n, (span, kind) in enumerate(rows):
        all_ = clauses(text, span)
        if kind != "text" or len(all_) < 2:
            continue
        inside = [[layer[i] for i in range(*c) if counts(text[i]) and layer[i] in LAYERS] for c in all_]
        known = [m for m, names in enumerate(inside) if names]
        seen = seen_of(text, rows, n)
        if known:
            answers = [int(2 * inside[m].count("zhu") > len(inside[m])) for m in known]
            out.append(([seen[m] for m in known], answers))
    return out


def best(seen: List[Clause], weights: Weights) -> List[int]:
    """The sequence of layers with the highest sum."""
    rows: List[List[Tuple[float, int]]] = []
    for n, (here, at) in enumerate(seen):
        own = total(here, weights)
        if n == 0:
            start = total(["^"], weights)
            rows.append([(own[k] + start[k], 0) for k in (0, 1)])
            continue
        steps = [total([f"t{j}{name}" for name in at], weights) for j in (0, 1)]
        row = []
        for k in (0, 1):
            top = max((rows[-1][j][0] + steps[j][k], -j) for j in (0, 1))
            row.append((own[k] + top[0], -top[1]))
        rows.append(row)
    at_ = 0 if rows[-1][0][0] >= rows[-1][1][0] else 1
    out = [at_]
    for row in rows[:0:-1]:
        at_ = row[at_][1]
        out.append(at_)
    return out[::-1]


def total(names: List[str], weights: Weights) -> Tuple[float, float]:
    """The sums of weights for both layers."""
    a = b = 0.0
    for name in names:
        row = weights.get(name)
        if row is not None:
            a += row[0]
            b += row[1]
    return a, b


def move(weights: Weights, sums: Weights, sequence: Sequence, found: List[int], time: int) -> None:
    """Adds the features of the right layers and takes away those of the wrong ones."""
    for answers, sign in ((sequence[1], 1.0), (found, -1.0)):
        for n, k in enumerate(answers):
            here, at = sequence[0][n]
            for name in here + (["^"] if n == 0 else [f"t{answers[n - 1]}{name}" for name in at]):
                weights.setdefault(name, [0.0, 0.0])[k] += sign
                sums.setdefault(name, [0.0, 0.0])[k] += sign * time


@lru_cache(maxsize=None)
def learned(items: Tuple[Item, ...], bench: Bench) -> Optional[Weights]:
    """Averaged weights from some items."""
    sequences = [s for item in items for s in gold_sequences(item, bench)]
    if not sequences:
        return None
    weights: Weights = {}
    sums: Weights = {}
    order, time = random.Random(SEED), 1
    for _ in range(ROUNDS):
        order.shuffle(sequences)
        for sequence in sequences:
            found = best(sequence[0], weights)
            if found != sequence[1]:
                move(weights, sums, sequence, found, time)
            time += 1
    return {name: [w - s / time for w, s in zip(row, sums[name])] for name, row in weights.items()}


def answer(item: Item, given: Given) -> Dict[str, Any]:
    """Spans of a text by weights that were learned without any text of its book."""
    bench = given.bench
    work = bench.entries[item.text].work
    lessons = [i for i in given.items if bench.entries[i.text].work != work and i.group.startswith("unmarked")]
    weights = learned(tuple(lessons), bench)
    text = bench.content(item.text)
    rows = kinds(text)
    pieces: List[Piece] = []
    for n, (span, kind) in enumerate(rows):
        all_ = clauses(text, span)
        if kind != "text" or weights is None or not all_:
            pieces.append((*span, "jing" if kind == "text" else kind))
            continue
        found = best(seen_of(text, rows, n), weights)
        pieces += [(start, end, LAYERS[k]) for (start, end), k in zip(all_, found)]
    return {"spans": [{"start": a, "end": b, "layer": layer} for a, b, layer in pieces]}
