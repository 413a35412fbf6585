#!/usr/bin/env python3
"""Makes src/collation/data/merged.tsv: the traditional characters that one simplified character stands for.

A text that was converted to traditional script without regard to words has one of them everywhere. The rows are those of
OpenCC's STCharacters with more than one character, each with its forms in TWVariants and HKVariants; nothing is added by
hand. The build does not run this.

    python3 .ci/merged-table.py FOLDER        with OpenCC's dictionaries as text, such as the assets of ferrous-opencc
"""
import pathlib
import sys

OUT = pathlib.Path(__file__).resolve().parent.parent / "src/collation/data/merged.tsv"
HEADER = """\
# The traditional words that one simplified character is converted to. MADE BY .ci/merged-table.py from OpenCC's STCharacters,
# TWVariants and HKVariants (Apache-2.0). Columns: the simplified character; the traditional ones, separated by blanks, each
# with its variants.
"""
FOLDER = pathlib.Path(sys.argv[1])


def rows(name):
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf8").splitlines():
        if line.strip() and not line.startswith("#"):
            key, values = line.split("\t")
            yield key, [c for c in values.split() if len(c) == 1]


variants = {}
for name in ["TWVariants", "HKVariants"]:
    for key, values in rows(name):
        variants.setdefault(key, []).extend(v for v in values if v not in variants.get(key, []))
out = []
for simplified, traditional in rows("STCharacters"):
    # A character that is a variant of another of the row is no other word.
    of_others = {v for t in traditional for v in variants.get(t, []) if v != t}
    words = [t for t in traditional if t not in of_others]
    if len(words) > 1:
        groups = " ".join(t + "".join(v for v in variants.get(t, []) if v != t) for t in words)
        out.append(f"{simplified}\t{groups}\n")
OUT.write_text(HEADER + "".join(sorted(out)), encoding="utf8")
