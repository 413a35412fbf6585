"""Windows for training: which book, which task, which layout."""

import numpy as np

from layouts import borders, random_ends
from texts import LINE, MARKS, NOTES, PAD, PLAIN, PUNCTUATED, UNKNOWN, echoes

LENGTH = 1024
MARGIN = 256
STOP, COMMA = MARKS.index("。"), MARKS.index("，")

# The tasks: kind of book, whether its marks are kept. `own` are marks that the network gives. Then their shares.
TASKS = [
    ("notes", NOTES, False),
    ("own", NOTES, False),
    ("marked", PUNCTUATED, True),
    ("stripped", PUNCTUATED, False),
    ("plain", PLAIN, False),
    ("plain marked", PLAIN, True),
]
SHARES = {
    "layers": [0.48, 0.12, 0.08, 0.07, 0.19, 0.06],
    "marks": [0.27, 0.10, 0.10, 0.15, 0.34, 0.04],
    "marked": [0.32, 0.18, 0.20, 0.04, 0.12, 0.14],
}
# A character is hidden this often, so that unknown ones are nothing new.
HIDDEN = 0.01


def vocabulary(chapters, size):
    """The commonest characters; their ids follow those of PAD and UNKNOWN."""
    counts = np.zeros(0x110000, dtype=np.int64)
    for c in chapters:
        weight = 1 if c["kind"] == PUNCTUATED else 4  # those are medical books
        counts += weight * np.bincount(c["codes"], minlength=0x110000)
    best = np.argsort(-counts, kind="stable")[: size - 2]
    return np.sort(best[counts[best] > 0]).astype(np.uint32)


def ids_of(vocabulary):
    table = np.full(0x110000, UNKNOWN, dtype=np.uint16)
    table[vocabulary] = np.arange(2, 2 + len(vocabulary))
    return table


class Sampler:
    def __init__(self, chapters, seed, shares):
        self.shares = SHARES[shares]
        self.rng = np.random.default_rng(seed)
        self.chapters, self.weights = {}, {}
        for kind in (NOTES, PUNCTUATED, PLAIN):
            own = [c for c in chapters if c["kind"] == kind]
            books = {}
            for c in own:
                books[c["book"]] = books.get(c["book"], 0) + len(c["ids"])
            # A book counts by the root of its size; collections of poems are too many.
            share = [len(c["ids"]) / books[c["book"]] ** 0.5 * rarity(c) for c in own]
            self.chapters[kind] = own
            self.weights[kind] = np.cumsum(share) / np.sum(share)

    def piece(self, kind, length):
        """A stretch of a chapter: ids, gaps, layer, echo, and whether its layers are known."""
        at = np.searchsorted(self.weights[kind], self.rng.random())
        c = self.chapters[kind][min(at, len(self.weights[kind]) - 1)]
        n = len(c["ids"])
        start = int(self.rng.integers(max(1, n - length + 1)))
        a, b = max(0, start - MARGIN), min(n, start + length + MARGIN)
        own = slice(start - a, min(n, start + length) - a)
        echo = echoes(c["ids"][a:b])[own]
        part = slice(start, min(n, start + length))
        known = kind != PLAIN or c["plain"]
        return c["ids"][part], c["gaps"][part], c["layer"][part], echo, known

    def window(self):
        """One window: a dictionary of arrays of LENGTH."""
        rng = self.rng
        name, kind, kept = TASKS[rng.choice(len(TASKS), p=self.shares)]
        parts, left = [], LENGTH
        while left > 0:
            ids, gaps, layer, echo, known = self.piece(kind, left)
            n = len(ids)
            lines = random_ends(rng, layer, gaps, kind != PLAIN)
            marks = gaps & 15
            shown = (gaps & ~np.uint8(LINE)) if kept else np.zeros(n, np.uint8)
            shown = shown | np.where(lines, LINE, 0).astype(np.uint8)
            pairs = np.zeros(n, np.int64)
            pairs[1:] = layer[:-1] * 2 + layer[1:]
            pairs[0] = -1
            if not known:
                pairs[:] = -1
            target = np.where(marks < len(MARKS), marks, 0).astype(np.int64)
            target[0] = -1
            if kept or kind == NOTES:
                target[:] = -1
            parts.append((ids.astype(np.int64), shown.astype(np.int64), echo.astype(np.int64), pairs, target))
            left -= n
        arrays = [np.concatenate(p) for p in zip(*parts)]
        hidden = rng.random(LENGTH) < HIDDEN
        arrays[0][hidden] = UNKNOWN
        return name, arrays

    def batch(self, size):
        windows = [self.window() for _ in range(size)]
        names = [w[0] for w in windows]
        return names, [np.stack(a) for a in zip(*(w[1] for w in windows))]


def rarity(chapter):
    return 0.4 if chapter["book"].startswith("KR4") else 1.0


def with_own_marks(rng, gaps, pairs, probabilities):
    """Gaps with marks drawn from what the network expects; a border always has one."""
    drawn = (probabilities.cumsum(-1) < rng.random(gaps.shape)[..., None]).sum(-1)
    drawn = np.minimum(drawn, len(MARKS) - 1)
    border = (pairs == 1) | (pairs == 2)
    forced = np.where(rng.random(gaps.shape) < 0.85, STOP, COMMA)
    drawn = np.where(border & (drawn == 0), forced, drawn)
    # The end of a line of prose has a mark too.
    return (gaps & ~15) | drawn
