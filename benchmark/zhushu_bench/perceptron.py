"""Layers by a linear model of clauses: an averaged perceptron, learned from the other books of the set (seed 1).

A paragraph that is no sub-commentary is cut into clauses (or, without punctuation, characters); each is classic or note,
and the best sequence is found by dynamic programming. Features are the characters at both ends of a clause, its
length, its place, whether it repeats words of the clauses before, and the layer in front of it.
"""
from __future__ import annotations

import random
import re
from functools import lru_cache
from typing import Any, Dict, List, Optional, Tuple

from .baseline_layers import Piece, kinds
from .bench import Bench, Item
from .chars import counts
from .layers import labels

LAYERS = ("jing", "zhu")
ROUNDS = 5
SEED = 1

Span = Tuple[int, int]
Sequence = Tuple[List[List[str]], List[int]]
Weights = Dict[str, List[float]]


def clauses(text: str, span: Span) -> List[Span]:
    """Stretches up to punctuation; where a paragraph has none, single characters."""
    start, end = span
    found = [(start + m.start(), start + m.end()) for m in re.finditer(r"[^，。；：？！,;:?!]+[，。；：？！,;:?!”’]*", text[start:end])]
    found = [c for c in found if any(counts(x) for x in text[slice(*c)])]
    if len(found) == 1 and end - start > 60:
        return [(i, i + 1) for i in range(start, end) if counts(text[i])]
    return found


def features(text: str, all_: List[Span], n: int) -> List[str]:
    """What is seen of a clause and its neighbours."""
    words = ["".join(c for c in text[slice(*all_[m])] if counts(c)) if 0 <= m < len(all_) else "" for m in range(n - 2, n + 3)]
    own, before = words[2], words[0] + words[1]
    again = [c for c in own if c in before]
    out = [f"a{own[:1]}", f"b{own[:2]}", f"c{own[1:2]}", f"y{own[-1:]}", f"z{own[-2:]}", f"s{text[all_[n][1] - 1]}"]
    out += [f"p{words[1][-1:]}", f"q{words[1][-2:]}", f"n{words[3][:1]}", f"m{words[3][:2]}", f"e{words[3][-1:]}"]
    out += [f"l{min(len(own), 12)}", f"r{min(len(again), 4)}", f"g{own[:2] in before}", f"i{min(n, 3)}", f"k{min(len(all_) - n, 3)}"]
    return out + [f"o{c}" for c in set(own)]


def gold_sequences(item: Item, bench: Bench) -> List[Sequence]:
    """The clauses of an item with the layer that most of their characters have, without doubtful ones."""
    text = bench.content(item.text)
    layer = labels([tuple(s) for s in item.gold["spans"]], len(text))
    out = []
    for span, kind in kinds(text):
        if kind != "text":
            continue
        seen, answers, all_ = [], [], clauses(text, span)
        for n, (start, end) in enumerate(all_):
            inside = [layer[i] for i in range(start, end) if counts(text[i]) and layer[i] in LAYERS]
            if inside:
                seen.append(features(text, all_, n))
                answers.append(int(2 * inside.count("zhu") > len(inside)))
        if seen:
            out.append((seen, answers))
    return out


def best(seen: List[List[str]], weights: Weights) -> List[int]:
    """The sequence of layers with the highest sum."""
    zero = [0.0, 0.0]
    rows: List[List[Tuple[float, int]]] = []
    for n, names in enumerate(seen):
        own = [sum(weights.get(f, zero)[k] for f in names) for k in (0, 1)]
        row = []
        for k in (0, 1):
            if n == 0:
                row.append((own[k] + weights.get("^", zero)[k], 0))
                continue
            step = [(rows[-1][j][0] + weights.get(f"t{j}", zero)[k], j) for j in (0, 1)]
            top = max(step, key=lambda s: s[0])
            row.append((own[k] + top[0], top[1]))
        rows.append(row)
    at = 0 if rows[-1][0][0] >= rows[-1][1][0] else 1
    out = [at]
    for row in rows[:0:-1]:
        at = row[at][1]
        out.append(at)
    return out[::-1]


def move(weights: Weights, sums: Weights, sequence: Sequence, found: List[int], time: int) -> None:
    """Adds the features of the right layers and takes away those of the wrong ones."""
    for answers, sign in ((sequence[1], 1.0), (found, -1.0)):
        for n, k in enumerate(answers):
            for name in sequence[0][n] + ["^" if n == 0 else f"t{answers[n - 1]}"]:
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


def answer(item: Item, bench: Bench, items: List[Item]) -> Dict[str, Any]:
    """Spans of a text by weights that were learned without any text of its book."""
    work = bench.entries[item.text].work
    lessons = [i for i in items if bench.entries[i.text].work != work and i.group.startswith("unmarked")]
    weights = learned(tuple(lessons), bench)
    text = bench.content(item.text)
    pieces: List[Piece] = []
    for span, kind in kinds(text):
        all_ = clauses(text, span)
        if kind != "text" or weights is None or not all_:
            pieces.append((*span, "jing" if kind == "text" else kind))
            continue
        found = best([features(text, all_, n) for n in range(len(all_))], weights)
        pieces += [(start, end, LAYERS[k]) for (start, end), k in zip(all_, found)]
    return {"spans": [{"start": a, "end": b, "layer": layer} for a, b, layer in pieces]}
