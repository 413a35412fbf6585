"""Layers and lemmata by full stops and by the headers of the sub-commentary."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple

from .bench import Bench, Given, Item
from .chars import Counted, counts, paragraphs

# What a pair of quoted words is in a header: “眾賓”至“上耦”; a single quotation names its lemma whole.
PAIR = re.compile(r"“([^“”]{1,12})”至“([^“”]{1,12})”|“([^“”]{1,20})”")
SAYS = re.compile("釋曰|释曰|正義曰|正义曰|解云|解雲|[。]")
NOTE = re.compile("(?:○)?[注註]")
STOPS = "。"

Span = Tuple[int, int]
Piece = Tuple[int, int, str]


def kinds(text: str) -> List[Tuple[Span, str]]:
    """Each paragraph with what it is: `text` (classic and notes), `shu`, or `yin` (readings of characters, after ○).

    A paragraph with [疏] opens a sub-commentary; paragraphs with ○ continue it. Elsewhere ○ opens readings.
    """
    out: List[Tuple[Span, str]] = []
    within = False
    for start, end in paragraphs(text):
        line = text[start:end].strip()
        if line.startswith(("[疏]", "［疏］")):
            within = True
        elif not line.startswith("○"):
            within = False
        out.append(((start, end), "shu" if within else "yin" if line.startswith("○") else "text"))
    return out


def split(span: Span, cut: Optional[int]) -> List[Piece]:
    """A paragraph as classic up to the cut, and note from there."""
    start, end = span
    cut = end if cut is None else cut
    pieces = [(start, cut, "jing"), (cut, end, "zhu")]
    return [p for p in pieces if p[0] < p[1]]


def stop(text: str, span: Span) -> Optional[int]:
    """The place after the first full stop, unless the paragraph ends there."""
    at = next((i for i in range(*span) if text[i] in STOPS), None)
    return None if at is None or not any(counts(c) for c in text[at + 1 : span[1]]) else at + 1


def headers(text: str, rows: List[Tuple[Span, str]], n: int) -> List[Tuple[bool, str, str]]:
    """Pairs of words that the sub-commentary after paragraph n names: whether of the note; first and last words."""
    out: List[Tuple[bool, str, str]] = []
    for m in range(n + 1, len(rows)):
        if rows[m][1] == "text":
            break
        if rows[m][1] == "shu":
            out += header_parts(text[rows[m][0][0] : rows[m][0][1]])
    return out


def header_parts(paragraph: str) -> List[Tuple[bool, str, str]]:
    """The parts of one header, up to where the explanation begins."""
    opening = paragraph.strip()
    opening = opening[3:] if opening[1:2] == "疏" else opening
    saying = [m.start() for m in SAYS.finditer(opening) if m.group() != "。"]
    opening = opening[: saying[0]] if saying else opening.split("。")[0]
    return [(of_note(opening, m.start()), *pair(m)) for m in PAIR.finditer(opening)]


def pair(match: "re.Match[str]") -> Tuple[str, str]:
    """First and last words; of a lemma that is named whole, both are it."""
    first, last, whole = match.groups()
    return (whole, whole) if whole else (first, last)


def of_note(opening: str, at: int) -> bool:
    """Whether 注 is in front of this place of the header."""
    return NOTE.search(opening, 0, at) is not None


def named(text: str, span: Span, parts: List[Tuple[bool, str, str]]) -> Optional[int]:
    """Where the header says that the note begins: at its first words, or else after the last words of the classic.

    The first words are sought where a clause begins, best where the classic's last words end. Punctuation is passed
    over.
    """
    inside = Counted(text[slice(*span)])
    ends = {
        at + len(w)
        for note, _, last in parts
        if not note
        for w in [Counted(last).text]
        for at in places(inside.text, w)
    }
    openings = [at for note, first, _ in parts if note for at in places(inside.text, Counted(first).text)]
    openings = [at for at in openings if at and inside.at[at - 1] + 1 < inside.at[at]]
    if any(note for note, _, _ in parts):
        best = [at for at in openings if at in ends] or openings
        return span[0] + inside.at[best[0]] if best else None
    last = max(ends, default=len(inside.at))
    return span[0] + inside.at[last] if last < len(inside.at) else None


def places(words: str, part: str) -> List[int]:
    """Every place where a part is in some words."""
    return [i for i in range(len(words)) if part and words.startswith(part, i)]


def layers(item: Item, bench: Bench, how: str) -> Dict[str, Any]:
    """Spans of a text by one of the rules."""
    text = bench.content(item.text)
    rows = kinds(text)
    pieces: List[Piece] = []
    for n, (span, kind) in enumerate(rows):
        if kind != "text":
            pieces.append((*span, kind))
            continue
        parts = headers(text, rows, n) if how != "stop" else []
        cut = named(text, span, parts) if parts else None
        pieces += split(span, stop(text, span) if how == "stop" or how == "both" and not parts else cut)
    return {"spans": [{"start": a, "end": b, "layer": layer} for a, b, layer in pieces]}


def first_stop(item: Item, given: Given) -> Dict[str, Any]:
    """The classic ends at the first full stop of a paragraph."""
    return layers(item, given.bench, "stop")


def header(item: Item, given: Given) -> Dict[str, Any]:
    """Only where a header names words is there a note."""
    return layers(item, given.bench, "header")


def header_stop(item: Item, given: Given) -> Dict[str, Any]:
    """The header where there is one, otherwise the first full stop."""
    return layers(item, given.bench, "both")


def nearest(item: Item, given: Given) -> Dict[str, Any]:
    """Lemmata: in the text in front of the header, from the first words to the last occurrence of the last words."""
    text = given.bench.content(item.text)
    links, before = [], (0, 0)
    for span, kind in kinds(text):
        if kind == "text":
            before = span
        if kind != "shu":
            continue
        for _, first, last in header_parts(text[slice(*span)]):
            start = text.find(first, *before)
            end = text.rfind(last, max(start, 0), before[1])
            if 0 <= start <= end:
                links.append(
                    {"start": span[0], "end": span[0] + 1, "target": {"start": start, "end": end + len(last)}}
                )
    return {"links": links}
