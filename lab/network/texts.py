"""The texts that the network learns from, as arrays: characters, layers, marks, and what is computed of them.

A text is a sequence of characters of text (`is_content`), folded as the program folds them. What is
between two characters (marks, ends of lines) is the *gap* before the second one. See README.md.
"""

import hashlib
import json
import lzma
import pathlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLD = ROOT / "src/text/data/fold.tsv"

# Marks, strongest last: their numbers are those of the head of the network (0 is no mark).
MARKS = ["", "、", "，", "；", "：", "。", "？", "！"]
OTHER_MARK = 8
OPENING = "「『《〈“‘〔【"
CLOSING = "」』》〉”’〕】"
# A gap is primary mark (0-8), then bits: end of line, opening quote, closing quote.
LINE, OPEN, CLOSE = 16, 32, 64
GAPS = 128
# The network sees no farther back than this for a character that comes again.
FARTHEST = 255
DISTANCES = 10
PAD, UNKNOWN = 0, 1
NOTES, PUNCTUATED, PLAIN = 0, 1, 2


def held_out(book_id):
    """A seventh of the books are held out, by a hash of their id."""
    return int(hashlib.sha256(book_id.encode()).hexdigest()[:8], 16) % 7 == 0


def fold_table():
    """For each code point its key, as `zhushu::text::fold::fold`."""
    table = np.arange(0x110000, dtype=np.uint32)
    for line in FOLD.read_text().splitlines():
        if line.startswith("#"):
            continue
        characters = line.split("\t")[0].replace(" ", "")
        for c in characters:
            table[ord(c)] = ord(characters[0])
    for n in range(26):
        table[ord("A") + n] = table[0xFF21 + n] = table[0xFF41 + n] = ord("a") + n
    for n in range(10):
        table[0xFF10 + n] = ord("0") + n
    return table


def content_table():
    """For each code point whether it is a character of text, as `class::is_content`."""
    table = np.zeros(0x110000, dtype=bool)
    for c in range(0x110000):
        if not 0xD800 <= c < 0xE000:
            table[c] = chr(c).isalnum()
    for a, b in [(0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)]:
        table[a : b + 1] = True
    return table


def mark_table():
    """For each code point that is not of text what it adds to a gap."""
    table = np.zeros(0x110000, dtype=np.uint8)
    alike = {"、": "、", "，,": "，", "；;": "；", "：:": "：", "。.．｡": "。", "？?": "？", "！!": "！"}
    for marks, mark in alike.items():
        for c in marks:
            table[ord(c)] = MARKS.index(mark)
    for c in OPENING:
        table[ord(c)] = OPEN
    for c in CLOSING:
        table[ord(c)] = CLOSE
    for c in "…—─·‧・○◯●":
        table[ord(c)] = OTHER_MARK
    table[ord("\n")] = LINE
    return table


FOLDED, CONTENT, MARK = fold_table(), content_table(), mark_table()
# How strong a mark is among several in one gap.
STRENGTH = np.array([0, 2, 3, 4, 5, 8, 7, 6, 1], dtype=np.uint8)
BY_STRENGTH = np.argsort(STRENGTH).astype(np.uint8)


def points(text):
    return np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)


def characters_and_gaps(text):
    """Folded characters, the gap before each, and where each is in the text."""
    codes = points(text)
    places = np.flatnonzero(CONTENT[codes])
    values = MARK[codes]
    number = np.cumsum(CONTENT[codes])  # of characters up to here
    other = np.flatnonzero((values > 0) & ~CONTENT[codes])
    count = len(places)
    gaps = np.zeros(count + 1, dtype=np.uint8)
    for bit in (LINE, OPEN, CLOSE):
        gaps[number[other[values[other] == bit]]] |= bit
    primary = np.zeros(count + 1, dtype=np.uint8)
    marks = other[values[other] < LINE]
    np.maximum.at(primary, number[marks], STRENGTH[values[marks]])
    gaps |= BY_STRENGTH[primary]
    return FOLDED[codes[places]], gaps[:count], places


def distance_bucket(distance):
    """0 for none within sight, then 1, 2, 3, 4, to 6, 12, 24, 64, 255."""
    edges = np.array([1, 2, 3, 4, 5, 7, 13, 25, 65, FARTHEST + 1])
    bucket = np.searchsorted(edges, distance, side="right")
    return np.where(bucket >= len(edges), 0, bucket).astype(np.uint8)


def echoes(ids):
    """How far away each character, and each pair that begins with it, comes before and after.

    Columns: character before, character after, pair before, pair after; buckets of distances."""
    n = len(ids)
    found = np.zeros((n, 4), dtype=np.uint8)
    if n < 2:
        return found
    pairs = ids.astype(np.int64) * 65536
    pairs[:-1] += ids[1:]
    pairs[-1] = -1
    for column, keys in ((0, ids.astype(np.int64)), (2, pairs)):
        order = np.argsort(keys, kind="stable")
        same = keys[order[1:]] == keys[order[:-1]]
        distance = distance_bucket(order[1:] - order[:-1])
        found[order[1:], column] = np.where(same, distance, 0)
        found[order[:-1], column + 1] = np.where(same, distance, 0)
    return found


def lines_of(path):
    with lzma.open(path, "rt") as file:
        for line in file:
            yield json.loads(line)


def read(folder, keep):
    """Chapters as dictionaries: book, kind, codes (folded), gaps, layer. `keep` chooses by id."""
    folder = pathlib.Path(folder)
    for name, kind in (("notes", NOTES), ("notes_punctuated", PUNCTUATED)):
        for book in lines_of(folder / f"{name}.jsonl.xz"):
            if not keep(book["id"]):
                continue
            for text, labels in book["juan"]:
                codes, gaps, places = characters_and_gaps(text)
                labels = np.frombuffer(labels.encode(), dtype=np.uint8)
                layer = (labels[places] == ord("1")).astype(np.uint8)
                if kind == NOTES:
                    gaps &= LINE
                if len(codes) > 200:
                    yield dict(book=book["id"], title=book["title"], kind=kind, codes=codes, gaps=gaps, layer=layer)
    for book in lines_of(folder / "punctuation.jsonl.xz"):
        if keep(book["id"]):
            codes, gaps, _ = characters_and_gaps(book["text"])
            if len(codes) > 200:
                yield dict(book=book["id"], title=book["title"], kind=PLAIN, codes=codes, gaps=gaps,
                           layer=np.zeros(len(codes), np.uint8), plain=is_plain(book))


def is_plain(book):
    """Whether a punctuated text has hardly any notes in it: only then is all of it text."""
    text = book["text"]
    signs = sum(text.count(s) for s in ("註：", "注：", "註云", "注云", "引。", "（", "(", "音義"))
    return signs * 3000 < len(text) and not book["id"].startswith("KR3e")
