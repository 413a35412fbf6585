"""Chapters made of the bundled ones: as many as wanted, different from each other, with commentary,
citations and parallels like those of real books.

Three texts at a time have the same characters, some of them changed at random, as witnesses of a
chapter have; other texts have others, except for the words that commentaries are written with. So
runs of characters are as rare as in a real corpus.
"""

from __future__ import annotations

import pathlib
import random
import re

CORPUS = pathlib.Path(__file__).parents[2] / "corpus"
BASES = ["yili-05-zhushu.txt", "yili-06-zhushu.txt"]
# Words of commentaries, by which layers and references are found.
KEPT = set("注疏釋曰者也云謂至之以其於為而不則與故是此所言故皆如若文上下今古經記案義作讀音反同異右禮")
CHAPTERS = {
    "論語": "學而 為政 八佾 里仁 公冶長 雍也 述而 泰伯 子罕 鄉黨 先進 顏淵 子路 憲問 衛靈公 季氏".split(),
    "儀禮": "士冠禮 士昏禮 士相見禮 鄉飲酒禮 燕禮 大射儀 聘禮 覲禮 喪服 士喪禮 既夕禮 士虞禮".split(),
}
WITNESSES = 3


def is_chinese(c: str) -> bool:
    return "\u4e00" <= c <= "\u9fff"


class Chapters:
    """``count`` chapters of about ``size`` characters; the same for the same numbers."""

    def __init__(self, count: int, size: int) -> None:
        self.random = random.Random(f"{count} {size}")
        texts = [(CORPUS / base).read_text(encoding="utf-8") for base in BASES]
        self.paragraphs = [re.findall(r"(?s).+?\n\n|.+$", text) for text in texts]
        self.vocabulary = sorted({c for t in texts for c in t if is_chinese(c)} - KEPT)
        names = [(work, chapter) for work, all in CHAPTERS.items() for chapter in all]
        self.size = size
        self.texts: list[dict] = []
        groups = (count + WITNESSES - 1) // WITNESSES
        # Every third group has a name; the works of the others are not known.
        self.names = [names[g // 3 % len(names)] if g % 3 == 0 else None for g in range(groups)]
        self.passages: list[str] = []
        self.beginning = ""
        for group in range(groups):
            self.add(group)
        self.texts = self.texts[:count]

    def add(self, group: int) -> None:
        """Adds the witnesses of a chapter."""
        text = self.renamed(self.window())
        own = self.quotable(text)
        paragraphs = re.findall(r"(?s).+?\n\n|.+$", text)
        for n in range(0, len(paragraphs), 3):
            paragraphs[n] = paragraphs[n].rstrip("\n") + self.borrowed() + "\n\n"
        # Long enough that it is a parallel in the smallest of these corpora too.
        repeated, self.beginning = self.beginning, "".join(re.findall(r"[\u4e00-\u9fff]+", text))[:60]
        if repeated:
            paragraphs.append(repeated + "。\n\n")
        self.passages.append(own)
        for witness in range(WITNESSES):
            work, chapter = self.names[group] or (None, None)
            self.texts.append(
                {
                    "id": f"c{group:04}-{witness}",
                    "content": self.changed("".join(paragraphs)),
                    "work": work,
                    "chapter": chapter,
                }
            )

    def window(self) -> str:
        paragraphs = self.random.choice(self.paragraphs)
        start = self.random.randrange(len(paragraphs))
        text = ""
        while len(text) < self.size:
            text += paragraphs[start % len(paragraphs)].rstrip("\n") + "\n\n"
            start += 1
        return text

    def renamed(self, text: str) -> str:
        others = self.vocabulary[:]
        self.random.shuffle(others)
        new = dict(zip(self.vocabulary, others))
        return "".join(new.get(c, c) for c in text)

    def changed(self, text: str) -> str:
        change = lambda c: is_chinese(c) and c not in KEPT and self.random.random() < 0.02  # noqa: E731
        return "".join(self.random.choice(self.vocabulary) if change(c) else c for c in text)

    def quotable(self, text: str) -> str:
        """Some words of the classic with which a text begins."""
        runs = [run for run in re.findall(r"[\u4e00-\u9fff]{5,}", text) if len(run) < 20]
        return "".join(runs[:3])[:24] if runs else text[:12]

    def borrowed(self) -> str:
        """Words of an earlier text, with its name if it has one."""
        if not self.passages:
            return ""
        group = self.random.randrange(len(self.passages))
        words = self.passages[group]
        name = self.names[group]
        return f"《{name[0]}·{name[1]}》云“{words[:12]}”。" if name else f"{words}。"
