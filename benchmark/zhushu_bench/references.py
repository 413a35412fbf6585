"""Task references: what a comment cites or quotes, and where that is. ../tasks/references.md has the measures."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple

from . import strict_json
from .bench import Bench, Item
from .chars import overlap
from .figures import Count, Counts
from .refusal import Refusal

MEASURES = {
    "found": "share",
    "real": "share",
    "place": "share",
    "resolved": "share",
    "work": "share",
}
KINDS = ("citation", "quotation", "internal")
# Parts of a title that a citation may leave out.
OPTIONAL = {"天官", "地官", "春官", "夏官", "秋官", "冬官", "冬官考工記", "考工記", "記", "注", "鄭注", "經"}

Span = Tuple[int, int]
Row = Dict[str, Any]


def check(answer: Any, item: Item, bench: Bench, where: str) -> None:
    """Refuses links out of the text, of unknown kinds, or with targets out of their texts."""
    length = len(bench.content(item.text))
    for n, link in enumerate(strict_json.field(answer, "links", list, where)):
        at = f"{where}.links[{n}]"
        strict_json.span(link, length, at)
        kind = strict_json.field(link, "kind", str, at)
        if kind not in KINDS:
            raise Refusal(f"{at}.kind", f"there is no kind {kind!r}; the kinds are {', '.join(KINDS)}")
        strict_json.optional(link, "work", str, at)
        if link.get("quoted") is not None:
            strict_json.pair(link["quoted"], length, f"{at}.quoted")
        target = strict_json.optional(link, "target", dict, at)
        if target is not None:
            text = strict_json.field(target, "text", str, f"{at}.target")
            if text not in bench.entries:
                raise Refusal(f"{at}.target.text", f"there is no text {text!r} in texts.json")
            strict_json.span(target, bench.entries[text].chars, f"{at}.target")


def spans(row: Row) -> List[Span]:
    """The words that make a reference, and those that it quotes."""
    own = [(row["start"], row["end"])]
    return own + [tuple(row["quoted"])] if row.get("quoted") else own


def fit(entry: Row, link: Row) -> float:
    """How well the words of both agree, 0 if they are not the same reference."""
    best = 0.0
    for a in spans(entry):
        for b in spans(link):
            shared = overlap(a, b)
            short, long = sorted((a[1] - a[0], b[1] - b[0]))
            if shared and 2 * shared >= short and long <= 4 * short + 12:
                best = max(best, shared / (short + long - shared))
    return best


def matched(entries: List[Row], links: List[Row]) -> Tuple[Dict[int, int], Dict[int, int]]:
    """Entry to link, best fit first; and links that fit only entries which another link has, to their best entry."""
    pairs = []
    for e, entry in enumerate(entries):
        for k, link in enumerate(links):
            quality = fit(entry, link)
            if quality:
                pairs.append((-quality, k, e))
    pairs.sort()
    links_of: Dict[int, int] = {}
    used = set()
    for _, k, e in pairs:
        if e not in links_of and k not in used:
            links_of[e] = k
            used.add(k)
    further: Dict[int, int] = {}
    for _, k, e in pairs:
        if k not in used:
            further.setdefault(k, e)
    return links_of, further


def hits(entry: Row, link: Row) -> bool:
    """Whether the link leads to a place of the entry: half of the shorter shared, and not many times wider."""
    target = link.get("target")
    if target is None:
        return False
    have = (target["start"], target["end"])
    for place in entry.get("targets", []):
        want = (place["start"], place["end"])
        short, width = min(have[1] - have[0], want[1] - want[0]), want[1] - want[0]
        narrow = entry.get("wide") or have[1] - have[0] <= max(4 * width, width + 40)
        if narrow and place["text"] == target["text"] and 2 * overlap(have, want) >= short:
            return True
    return False


def parts(title: Optional[str]) -> List[str]:
    """The parts of a title: 周禮・天官・膳夫 is 周禮 and 膳夫."""
    bare = re.sub(r"[\s《》]|[(（][^)）]*[)）]", "", title or "")
    pieces = [p for p in re.split(r"[・·.．]", bare) if p]
    return pieces[:1] + [p for p in pieces[1:] if p not in OPTIONAL]


def same_part(a: str, b: str) -> bool:
    """Equal, or one the beginning of the other with at least two characters."""
    short, long = sorted((a, b), key=len)
    return len(short) > 1 and long.startswith(short)


def same_work(entry: Row, link: Row) -> bool:
    """Title and chapter agree; the title alone is enough where the text has no more (`title_alone`)."""
    want, have = parts(entry["work"]), parts(link.get("work"))
    if len(have) == len(want) and all(map(same_part, want, have)):
        return bool(have)
    return len(have) == 1 and have == want[:1] and bool(entry.get("title_alone"))


def in_stretch(link: Row, covered: Optional[List[List[int]]]) -> bool:
    """Whether a link begins in a stretch that was read."""
    return covered is None or any(a <= link["start"] < b for a, b in covered)


def score(item: Item, answer: Dict[str, Any], bench: Bench) -> Counts:
    """The five shares of ../tasks/references.md."""
    links = [x for x in answer["links"] if in_stretch(x, item.gold["covered"])]
    entries = item.gold["entries"]
    links_of, further = matched(entries, links)
    link = {e: links[k] for e, k in links_of.items()}
    sure = [e for e, entry in enumerate(entries) if not entry.get("doubtful")]
    placed = [e for e in sure if entries[e].get("targets") and entries[e].get("placed", True)]
    named = [e for e in sure if names_work(entries[e])]
    known = {k: e for e, k in links_of.items()}
    known.update(further)
    judged = [(e, links[k]) for k, e in known.items() if links[k].get("target") and decidable(entries[e])]
    stray = sum(bool(x.get("target")) for k, x in enumerate(links) if k not in known)
    return {
        "found": Count(sum(e in link for e in sure), 0, len(sure)),
        "real": Count(len(links_of), 0, len(links) - len(further)),
        "place": Count(sum(e in link and hits(entries[e], link[e]) for e in placed), 0, len(placed)),
        "resolved": Count(sum(hits(entries[e], x) for e, x in judged), 0, len(judged) + stray),
        "work": Count(sum(e in link and same_work(entries[e], link[e]) for e in named), 0, len(named)),
    }


def names_work(entry: Row) -> bool:
    """Whether the work counts: the text names it, and it is another one."""
    return bool(entry.get("work")) and entry["kind"] != "internal" and not entry.get("implicit")


def decidable(entry: Row) -> bool:
    """Whether the gold knows the place, or knows that it is not at hand."""
    return bool(entry.get("absent")) or bool(entry.get("targets")) and entry.get("placed", True)
