#!/usr/bin/env python3
"""Makes src/passes/structure/repairs/usual.tsv: how often undamaged traditional copies of classical texts have each of the
characters that one simplified character stands for (src/collation/data/merged.tsv). The build does not run this.

    python3 .ci/usual-table.py FILES        with texts in traditional script that were never converted
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "src/passes/structure/repairs/usual.tsv"
HEADER = """\
# How often undamaged copies in traditional script have the characters that one simplified character stands for. MADE BY
# .ci/usual-table.py from src/collation/data/merged.tsv and such copies. Columns: the simplified character; the others with
# their counts, separated by blanks. Rows with fewer than 8 occurrences are left out: they say nothing.
"""
LEAST = 8
counts = collections.Counter()
for name in sys.argv[1:]:
    counts.update(re.sub(r"<pb:[^>]*>|&[^;\s]*;|^#.*$", "", pathlib.Path(name).read_text(encoding="utf8"), flags=re.M))
rows = []
for line in (ROOT / "src/collation/data/merged.tsv").read_text(encoding="utf8").splitlines():
    if line.startswith("#"):
        continue
    simplified, words = line.split("\t")
    chars = list(dict.fromkeys(words.replace(" ", "") + simplified))
    if sum(counts[c] for c in chars) >= LEAST:
        rows.append(f"{simplified}\t{' '.join(f'{c}{counts[c]}' for c in chars)}\n")
OUT.write_text(HEADER + "".join(rows), encoding="utf8")
print(f"{len(rows)} rows, {sum(counts.values())} characters")
