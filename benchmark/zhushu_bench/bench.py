"""The benchmark as it lies on the disk: texts with their hashes, and gold items."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional, Union

from . import strict_json
from .refusal import Refusal

HERE = Path(__file__).resolve().parent.parent
TASKS = ("layers", "lemmata", "references", "alignment", "punctuation", "identification")
SETS = ("bundled", "public", "all")


@dataclass(frozen=True)
class TextEntry:
    """A text of texts.json: where it comes from and what it must be, but not its words."""

    id: str
    file: str
    work: str
    chapter: Optional[str]
    chars: int
    sha256: str
    seen: List[str]
    source: Dict[str, Any]
    row: Dict[str, Any] = field(repr=False)

    @property
    def set(self) -> str:
        """The smallest set that has the text: bundled, public (it can be fetched) or all."""
        if "bundled" in self.source:
            return "bundled"
        return "public" if "repository" in self.source else "all"


@dataclass(frozen=True, eq=False)
class Item:
    """A unit of a task that is answered and scored: mostly a text, for alignment a pair, for references a stretch."""

    id: str
    task: str
    group: str
    texts: Dict[str, str]
    gold: Dict[str, Any] = field(repr=False)

    @property
    def text(self) -> str:
        """The id of the text that the item is about."""
        return self.gold.get("text") or self.gold.get("source") or next(iter(self.texts))

    @property
    def drawn_with(self) -> str:
        """The text by which items are put together for intervals: both stretches of one translation are one."""
        return self.gold.get("translation") or self.text


class Bench:
    """Texts and gold of a folder that is laid out as this one."""

    def __init__(self, folder: Path = HERE, texts: Optional[Path] = None) -> None:
        self.folder = folder
        self.built = texts or folder / "texts"
        rows = strict_json.read(folder / "texts.json")["texts"]
        keys = ("id", "file", "work", "chapter", "chars", "sha256", "seen", "source")
        self.entries = {r["id"]: TextEntry(row=r, **{k: r[k] for k in keys}) for r in rows}
        self.contents: Dict[str, str] = {}

    def path(self, text: str) -> Path:
        """Where the file of a text is, or would be."""
        source = self.entries[text].source
        return (
            self.folder.parent / source["bundled"]
            if "bundled" in source
            else self.built / self.entries[text].file
        )

    def has(self, text: str) -> bool:
        """Whether the text is at hand."""
        return self.path(text).is_file()

    def content(self, text: str) -> str:
        """The words of a text; refuses a file that is not the text of the gold (its SHA-256 differs)."""
        if text not in self.contents:
            path = self.path(text)
            if not path.is_file():
                raise Refusal(
                    str(path), f"the text {text} is not at hand; `python fetch.py` gets it, or says what it is"
                )
            data = path.read_bytes()
            found = hashlib.sha256(data).hexdigest()
            if found != self.entries[text].sha256:
                raise Refusal(str(path), f"its SHA-256 is {found}, the gold needs {self.entries[text].sha256}")
            self.contents[text] = data.decode("utf-8")
        return self.contents[text]

    def items(self, task: str, chosen: Union[str, List[str]] = "all") -> List[Item]:
        """The items of a task that belong to a set, or that a list names, by id."""
        if task not in TASKS:
            raise Refusal(task, f"there is no such task; the tasks are {', '.join(TASKS)}")
        found = []
        for path in sorted((self.folder / "gold" / task).glob("*.json")):
            gold = strict_json.read(path)
            item = Item(gold["item"], gold["task"], gold["group"], gold["texts"], gold)
            if item.id in chosen if isinstance(chosen, list) else self.in_set(item, chosen):
                found.append(item)
        return found

    def in_set(self, item: Item, name: str) -> bool:
        """Whether the texts that an item is about belong to a set. Targets of references may lie outside."""
        if name not in SETS:
            raise Refusal(name, f"there is no such set; the sets are {', '.join(SETS)}")
        about = [item.text] if item.task == "references" else list(item.texts)
        return all(SETS.index(self.entries[t].set) <= SETS.index(name) for t in about)

    def of_set(self, chosen: str) -> List[str]:
        """The ids of the texts of a set that are at hand."""
        most = SETS.index(chosen)
        return [t.id for t in self.entries.values() if SETS.index(t.set) <= most and self.has(t.id)]


@dataclass(frozen=True, eq=False)
class Given:
    """What a system may read while it answers the items of a set."""

    bench: Bench
    items: List[Item]
    texts: List[str]

    @classmethod
    def of(cls, bench: Bench, task: str, chosen: str) -> "Given":
        """The items and texts of a set."""
        return cls(bench, bench.items(task, chosen), bench.of_set(chosen))

    def beside(self, text: str) -> List[str]:
        """The texts in which references of a text are sought: the other bundled ones, or the plain classics."""
        if self.bench.entries[text].set == "bundled":
            return [
                t
                for t in self.texts
                if self.bench.entries[t].set == "bundled" and t not in (text, "yili-05-jinyi")
            ]
        return [t for t in self.texts if t.startswith("plain-")]
