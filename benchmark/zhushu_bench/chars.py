"""What the measures say of characters: which count, where paragraphs are, stretches without punctuation around."""

from __future__ import annotations

import bisect
import unicodedata
from functools import lru_cache
from typing import List, Tuple


@lru_cache(maxsize=None)
def counts(character: str) -> bool:
    """True for letters (Chinese characters among them), combining marks and digits: not punctuation, not blanks."""
    return unicodedata.category(character)[0] in "LMN"


def trimmed(text: str, start: int, end: int) -> Tuple[int, int]:
    """The span without characters at its ends that do not count."""
    while start < end and not counts(text[start]):
        start += 1
    while start < end and not counts(text[end - 1]):
        end -= 1
    return start, end


def paragraphs(text: str) -> List[Tuple[int, int]]:
    """The spans of the lines that have a character that counts."""
    out, start = [], 0
    for line in text.split("\n"):
        if any(counts(c) for c in line):
            out.append((start, start + len(line)))
        start += len(line) + 1
    return out


def overlap(a: Tuple[int, int], b: Tuple[int, int]) -> int:
    """How many characters two spans share."""
    return max(0, min(a[1], b[1]) - max(a[0], b[0]))


class Counted:
    """The characters of a text that count, for cutting spans of them out of it."""

    def __init__(self, text: str) -> None:
        self.at = [i for i, c in enumerate(text) if counts(c)]
        self.text = "".join(text[i] for i in self.at)

    def index(self, offset: int) -> int:
        """How many of them are before an offset of the text."""
        return bisect.bisect_left(self.at, offset)
