"""References, punctuation and identification by the words alone."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Any, Dict, List, Optional, Set, Tuple

from . import punctuation
from .bench import Bench, Given, Item
from .chars import Counted
from .references import in_stretch

QUOTED = re.compile("“([^“”\n]{2,80})”")
LEAST = 3


@lru_cache(maxsize=None)
def counted(bench: Bench, text: str) -> Counted:
    """The characters of a text that count."""
    return Counted(bench.content(text))


def place(bench: Bench, text: str, words: str, before: Optional[int]) -> Optional[Dict[str, Any]]:
    """Where words are in a text, the last time before an offset or the first time at all."""
    inside = counted(bench, text)
    limit = None if before is None else inside.index(before)
    at = inside.text.find(words) if limit is None else inside.text.rfind(words, 0, limit)
    if at < 0:
        return None
    return {"text": text, "start": inside.at[at], "end": inside.at[at + len(words) - 1] + 1}


def same_words(item: Item, given: Given) -> Dict[str, Any]:
    """Every quotation is a reference: to the same words in front of it, or else in the first text beside it."""
    bench, others = given.bench, given.beside(item.text)
    text = bench.content(item.text)
    links = []
    for match in QUOTED.finditer(text):
        link: Dict[str, Any] = {"start": match.start(), "end": match.end(), "kind": "quotation"}
        words = Counted(match.group(1)).text
        if len(words) < LEAST or not in_stretch(link, item.gold["covered"]):
            continue
        link["quoted"] = [match.start(1), match.end(1)]
        link["target"] = place(bench, item.text, words, match.start())
        if link["target"] is None:
            found = (place(bench, other, words, None) for other in others)
            link["target"] = next((f for f in found if f), None)
            link["kind"] = "citation" if link["target"] else "quotation"
            link["work"] = bench.entries[link["target"]["text"]].work if link["target"] else None
        links.append(link)
    return {"links": links}


def bigrams(item: Item, given: Given) -> Dict[str, Any]:
    """The commonest sign between two characters in texts of other works; where the pair is new, of the first alone."""
    bench = given.bench
    tables = counted_marks(bench, tuple(i for i in given.items if works(bench, i) != works(bench, item)))
    plain, _ = punctuation.stripped(punctuation.source(item, bench))
    marks = []
    for at in range(1, len(plain)):
        pair = plain[at - 1 : at + 1]
        if "\n" in pair:
            continue
        mark = commonest(tables[0].get(pair) or tables[1].get(pair[0]))
        if mark:
            marks.append({"at": at, "mark": mark})
    return {"marks": marks}


def works(bench: Bench, item: Item) -> str:
    """The work of an item's text."""
    return bench.entries[item.text].work


def commonest(table: Optional["Counter[str]"]) -> str:
    """The sign that a table has most often, the empty one among them; of equals the first in order."""
    return min(table, key=lambda sign: (-table[sign], sign)) if table else ""


@lru_cache(maxsize=4)
def counted_marks(
    bench: Bench, items: Tuple[Item, ...]
) -> Tuple[Dict[str, "Counter[str]"], Dict[str, "Counter[str]"]]:
    """How often each sign, or none, is between two characters, and after one."""
    pairs: Dict[str, Counter[str]] = {}
    first: Dict[str, Counter[str]] = {}
    for item in items:
        plain, marks = punctuation.stripped(punctuation.source(item, bench))
        for at in range(1, len(plain)):
            sign = marks.get(at, "")
            pairs.setdefault(plain[at - 1 : at + 1], Counter())[sign] += 1
            first.setdefault(plain[at - 1], Counter())[sign] += 1
    return pairs, first


@lru_cache(maxsize=None)
def groups(words: str) -> Set[str]:
    """All groups of three characters that follow each other."""
    return {words[i : i + 3] for i in range(len(words) - 2)}


def trigrams(item: Item, given: Given) -> Dict[str, Any]:
    """Work and chapter of the other text that shares most groups of three characters with the text or passage."""
    bench = given.bench
    others = [bench.entries[t] for t in given.texts if t != item.text]

    def nearest(words: str) -> Dict[str, Any]:
        mine = groups(Counted(words).text)
        shared = [(len(mine & groups(counted(bench, t.id).text)), t) for t in others]
        best = max(shared, key=lambda row: row[0], default=None)
        return (
            {"work": best[1].work, "chapter": best[1].chapter}
            if best and best[0]
            else {"work": None, "chapter": None}
        )

    text = bench.content(item.text)
    return {"text": nearest(text), "passages": [nearest(text[a:b]) for a, b in item.gold["passages"]]}
