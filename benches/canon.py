#!/usr/bin/env python3
"""A corpus as large as one likes, made of texts that one has.

    benches/canon.py FOLDER 300 TEXTS…       300 MB in FOLDER, of the files in these files and folders

First the files as they are, in the order of a seed; then, if that is not enough, each once more with other characters,
and so on. The 100 most frequent characters stay (particles, numbers, marks); each other one is replaced everywhere by
one that is about as frequent, another for each round. So grammar, layout, length and notes stay, and a text repeats
itself and its neighbours as before, but shares hardly any words with what it was made of. Only UTF-8 with the ending
`.txt` is made again; other files are only copied. The program prints what part of all runs of eight characters occurs
more than once (of one run in 32, by a hash), for the corpus and for the files as they are. Python alone; no packages.
"""

from __future__ import annotations

import argparse
import collections
import pathlib
import random
import shutil
import sys
import zlib

FREQUENT = 100
NEIGHBOURS = 24  # characters among which one is chosen that is about as frequent
RUN = 8
SAMPLED = 32


def is_ideograph(c: str) -> bool:
    return "\u3400" <= c <= "\u9fff"


def files_of(given: list[pathlib.Path]) -> list[pathlib.Path]:
    found = [f for path in given for f in (sorted(path.rglob("*")) if path.is_dir() else [path]) if f.is_file()]
    random.Random(0).shuffle(found)
    return found


def text_of(file: pathlib.Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8") if file.suffix == ".txt" else None
    except UnicodeDecodeError:
        return None


def exchange(counts: collections.Counter[str], round_: int) -> dict[int, str]:
    rare = [c for c, _ in counts.most_common()][FREQUENT:]
    dice, table = random.Random(round_), {}
    for start in range(0, len(rare), NEIGHBOURS):
        these = rare[start : start + NEIGHBOURS]
        others = these[:]
        dice.shuffle(others)
        table.update({ord(one): other for one, other in zip(these, others)})
    return table


class Runs:
    """What part of the runs of eight ideographs occurs more than once."""

    def __init__(self) -> None:
        self.counts: collections.Counter[int] = collections.Counter()

    def add(self, text: str) -> None:
        data = "".join(filter(is_ideograph, text)).encode("utf-16-le")
        for at in range(0, len(data) - 2 * RUN, 2):
            of = zlib.crc32(data[at : at + 2 * RUN])
            if of % SAMPLED == 0:
                self.counts[of] += 1

    def repeated(self) -> float:
        return sum(n for n in self.counts.values() if n > 1) / max(1, sum(self.counts.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("megabytes", type=float)
    parser.add_argument("texts", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=False)
    left, counts = given.megabytes * 1e6, collections.Counter()
    corpus, as_they_are = Runs(), Runs()
    sources = files_of(given.texts)
    texts = {file: text for file in sources if (text := text_of(file)) is not None}
    for text in texts.values():
        counts.update(filter(is_ideograph, text))
        as_they_are.add(text)
    if not texts:
        sys.exit("no text that is UTF-8 with the ending .txt")
    round_ = written = 0
    while left > 0:
        table = exchange(counts, round_) if round_ else {}
        for number, file in enumerate(sources):
            if left <= 0:
                break
            name = given.folder / f"{round_}-{number:04}-{file.name}"
            if file in texts:
                text = texts[file].translate(table) if table else texts[file]
                name.write_text(text, encoding="utf-8")
                corpus.add(text)
            elif round_ == 0:
                shutil.copyfile(file, name)
            else:
                continue
            left, written = left - name.stat().st_size, written + 1
        round_ += 1
    size = (given.megabytes * 1e6 - left) / 1e6
    print(f"{size:.1f} MB in {written} files; runs of {RUN} characters that are repeated: {corpus.repeated():.3f}")
    print(f"the {len(texts)} texts that it is made of: {as_they_are.repeated():.3f}")


main()
