"""Task punctuation: marks for a text from which they were taken off. ../tasks/punctuation.md has the measures."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

from . import strict_json
from .bench import Bench, Item
from .chars import counts
from .figures import Count, Counts
from .refusal import Refusal

MEASURES = {"any": "f1", "ends": "f1", "named": "share"}
MARKS = "，。、；：？！"
WIDE = dict(zip(",.;:?!", "，。；：？！"))
ENDS = "。？！"


def stripped(text: str) -> Tuple[str, Dict[int, str]]:
    """The text without anything but letters and line ends, and its marks: each before the character of that offset.

    Of several marks at a place the first counts. Marks at the ends of lines are left out.
    """
    out: List[str] = []
    marks: Dict[int, str] = {}
    waiting = ""
    for c in text:
        c = WIDE.get(c, c)
        if counts(c) or c == "\n":
            if waiting and counts(c) and out and out[-1] != "\n":
                marks[len(out)] = waiting
            waiting = ""
            out.append(c)
        elif c in MARKS and not waiting:
            waiting = c
    return "".join(out), marks


def source(item: Item, bench: Bench) -> str:
    """The part of the text that the item is about: its beginning."""
    return bench.content(item.text)[: item.gold["chars"]]


def check(answer: Any, item: Item, bench: Bench, where: str) -> None:
    """Refuses marks out of the stripped text, two at one place, and marks that the task does not have."""
    length, last = len(stripped(source(item, bench))[0]), -1
    for n, mark in enumerate(strict_json.field(answer, "marks", list, where)):
        at = f"{where}.marks[{n}]"
        offset = strict_json.field(mark, "at", int, at)
        sign = strict_json.field(mark, "mark", str, at)
        if not 0 <= offset <= length:
            raise Refusal(f"{at}.at", f"{offset} is not in the stripped text, which has {length} characters")
        if offset <= last:
            raise Refusal(f"{at}.at", f"{offset} does not come after the mark in front of it ({last})")
        if len(sign) != 1 or sign not in MARKS:
            raise Refusal(f"{at}.mark", f"{sign!r} is not one of {MARKS}")
        last = offset


def score(item: Item, answer: Dict[str, Any], bench: Bench) -> Counts:
    """Places with any mark, places with the end of a sentence, and marks that are the same where both have one."""
    plain, want = stripped(source(item, bench))
    inner = {i for i in range(1, len(plain)) if counts(plain[i]) and plain[i - 1] != "\n"}
    have = {m["at"]: m["mark"] for m in answer["marks"] if m["at"] in inner}
    both = [at for at in want if at in have]
    ends, found = {a for a in want if want[a] in ENDS}, {a for a in have if have[a] in ENDS}
    return {
        "any": Count(len(both), len(have), len(want)),
        "ends": Count(len(ends & found), len(found), len(ends)),
        "named": Count(sum(want[a] == have[a] for a in both), 0, len(both)),
    }
