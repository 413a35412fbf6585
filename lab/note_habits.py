#!/usr/bin/env python3
"""note_habits.py LESSONS > src/books/data/notes.tsv

Learns how characters of notes differ from those of the classics that they explain. LESSONS has books as JSON lines,
compressed by xz: `juan`, a list of [text, labels], with a label for each character: 0 text, 1 note. The table has the
characters that weigh most; `src/books/note_habits.rs` says what its columns are. Rows only: the head of the table is
kept by hand."""
import collections
import json
import lzma
import math
import sys

ROWS = 300
MIN_BOOKS = 8
MIN_NOTES, MIN_CHARS = 300, 2000
# Added to counts in a thousand characters, so that rare ones weigh little.
ADDED, ADDED_AT_ENDS = 0.5, 2.0
# How much the first column counts in the sum.
IN_NOTES = 10


def counted(book):
    text, notes, first, last = (collections.Counter() for _ in range(4))
    for words, labels in book['juan']:
        before, end = '0', ''
        for c, label in zip(words, labels if isinstance(labels, str) else map(str, labels)):
            if not '\u3400' <= c <= '\u9fff':
                continue
            if label == '1':
                notes[c] += 1
                first[c] += before != '1'
                end = c
            else:
                if before == '1':
                    last[end] += 1
                text[c] += label == '0'
            before = label
    return +text, +notes, +first, +last


def likelier(pairs, added):
    figures = collections.defaultdict(list)
    for here, there in pairs:
        h, t = sum(here.values()), sum(there.values())
        if h < MIN_NOTES or t < MIN_CHARS:
            continue
        for c in set(here) | set(there):
            figures[c].append(math.log((here[c] * 1000 / h + added) / (there[c] * 1000 / t + added)))
    return {c: sum(v) / len(v) for c, v in figures.items() if len(v) >= MIN_BOOKS}


books = [counted(json.loads(line)) for line in lzma.open(sys.argv[1], 'rt')]
columns = [
    likelier([(notes, text) for text, notes, _, _ in books], ADDED),
    likelier([(first, text + notes) for text, notes, first, _ in books], ADDED_AT_ENDS),
    likelier([(last, text + notes) for text, notes, _, last in books], ADDED_AT_ENDS),
]
often = collections.Counter()
for text, notes, _, _ in books:
    often.update(text + notes)
weight = lambda c: sum(w * abs(column.get(c, 0)) for w, column in zip((IN_NOTES, 1, 1), columns)) * often[c]
for c in sorted(set().union(*columns), key=lambda c: (-weight(c), c))[:ROWS]:
    print(c, *(f'{column.get(c, 0):.2f}' for column in columns), sep='\t')
