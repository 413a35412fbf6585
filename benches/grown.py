#!/usr/bin/env python3
"""A corpus that grows: builds from nothing and after one changed character, in processor time and memory.

    benches/grown.py copies 149 FILE…      these files, then copies with one character in twenty changed
    benches/grown.py chapters 15           15 MB of chapters of 50 KB, most of them different from each other
                                           (python/tests/perturbed.py)

One thread; wants a release build (`--program` names another) and Linux. After the build from nothing one character of
each text that `--change` names is replaced by another of the text, and the corpus is built again. The first text by
default. `--keep FOLDER` leaves texts and output there.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import random
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHAPTER = 17_000  # characters
WORKS = {"論語": "lunyu", "儀禮": "yili"}
MARKS = set("疏注釋曰右按案")  # without these a text would be of another kind


def ideographs(text: str) -> list[int]:
    return [i for i, c in enumerate(text) if "\u4e00" <= c <= "\u9fff"]


def copied(text: str, seed: str) -> str:
    dice = random.Random(seed)
    pool = [text[i] for i in ideographs(text)]
    changed = list(text)
    for i in ideographs(text):
        if text[i] not in MARKS and dice.random() < 0.05:
            changed[i] = dice.choice(pool)
    return "".join(changed)


def copies(folder: pathlib.Path, number: int, files: list[pathlib.Path]) -> None:
    for n in range(number):
        copy, file = n // len(files), files[n % len(files)]
        text = file.read_text(encoding="utf-8")
        text = copied(text, f"{file.name} {copy}") if copy else text
        (folder / f"{copy}-{file.name}").write_text(text, encoding="utf-8")


def chapters(folder: pathlib.Path, megabytes: int) -> None:
    sys.path.insert(0, str(ROOT / "python/tests"))
    from perturbed import Chapters  # noqa: PLC0415

    lines = [f'[[work]]\nkey = "{key}"\ntitle = "{title}"\n' for title, key in WORKS.items()]
    for text in Chapters(megabytes * 20, CHAPTER).texts:
        (folder / f"{text['id']}.txt").write_text(text["content"], encoding="utf-8")
        lines += ["[[text]]", f'file = "{text["id"]}.txt"']
        if text["work"]:
            lines += [f'work = "{WORKS[text["work"]]}"', f'chapter = {{ title = "{text["chapter"]}" }}']
    (folder / "zhushu.toml").write_text("\n".join(lines), encoding="utf-8")


def change(path: pathlib.Path) -> None:
    text = path.read_text(encoding="utf-8")
    dice, places = random.Random(path.name), ideographs(text)
    at = dice.choice(places[len(places) // 3 :])
    path.write_text(text[:at] + text[dice.choice(places)] + text[at + 1 :], encoding="utf-8")


def build(program: pathlib.Path, texts: pathlib.Path, out: pathlib.Path, what: str) -> None:
    command = [str(program), "build", str(texts), "-o", str(out)]
    child = os.posix_spawn(
        command[0],
        command,
        os.environ | {"RAYON_NUM_THREADS": "1"},
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit(f"the build failed: {what}")
    seconds = used.ru_utime + used.ru_stime
    print(f"{what}: {seconds:.2f} s of processor time, {used.ru_maxrss / 1024:.0f} MB at most", flush=True)


def size(folder: pathlib.Path) -> float:
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["copies", "chapters"])
    parser.add_argument("number", type=int)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--change", action="append", default=[])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/zhushu")
    parser.add_argument("--keep", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or pathlib.Path(temporary)
        texts, out = folder / "texts", folder / "out"
        texts.mkdir(parents=True)
        if given.kind == "copies":
            copies(texts, given.number, given.files)
        else:
            chapters(texts, given.number)
        all_texts = sorted(texts.glob("*.*"))
        print(f"{size(texts):.1f} MB in {len(all_texts)} files")
        build(given.program, texts, out, "from nothing")
        for name in given.change or [next(t.name for t in all_texts if t.suffix != ".toml")]:
            change(texts / name)
            build(given.program, texts, out, f"one character of {name}")
        print(f"kept for the next build: {size(out / '.zhushu'):.1f} MB")


main()
