"""Reads a submission and refuses one that is wrong, before anything is scored. ../FORMAT.md describes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, List, Union

from . import alignment, identification, layers, lemmata, punctuation, references, strict_json
from .bench import SETS, TASKS, Bench, Item
from .refusal import Refusal

FORMAT = "zhushu-bench/1"
MODULES: Dict[str, ModuleType] = {
    "layers": layers,
    "lemmata": lemmata,
    "references": references,
    "alignment": alignment,
    "punctuation": punctuation,
    "identification": identification,
}


@dataclass(frozen=True)
class Submission:
    """A submission that was checked: every item of its set has an answer of the right form."""

    system: str
    version: str
    date: str
    task: str
    chosen: Union[str, List[str]]
    saw: List[str]
    notes: str
    items: List[Item]
    answers: Dict[str, Any]


def read(path: Path, bench: Bench, task: str = "") -> Submission:
    """The submission in a file; `task`, if given, must be its task."""
    data, where = strict_json.read(path), str(path)
    if strict_json.field(data, "format", str, where) != FORMAT:
        raise Refusal(f"{where}.format", f"{data['format']!r} is not {FORMAT!r}")
    own = strict_json.field(data, "task", str, where)
    if own not in TASKS:
        raise Refusal(f"{where}.task", f"there is no task {own!r}; the tasks are {', '.join(TASKS)}")
    if task and own != task:
        raise Refusal(f"{where}.task", f"it is a submission for {own!r}, not for {task!r}")
    date = strict_json.field(data, "date", str, where)
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        raise Refusal(f"{where}.date", f"{date!r:.40} is not a date such as 2026-11-30")
    items = chosen_items(data, own, bench, where)
    answers = read_answers(data, items, bench, where)
    return Submission(
        system=name(data, "system", where),
        version=name(data, "version", where),
        date=date,
        task=own,
        chosen=data["set"],
        saw=seen(data, own, bench, where),
        notes=strict_json.optional(data, "notes", str, where) or "",
        items=items,
        answers=answers,
    )


def name(data: Dict[str, Any], key: str, where: str) -> str:
    """A text of one line that is not empty."""
    found: str = strict_json.field(data, key, str, where)
    if not found.strip() or "\n" in found:
        raise Refusal(f"{where}.{key}", "it must be one line, and not empty")
    return found


def seen(data: Dict[str, Any], task: str, bench: Bench, where: str) -> List[str]:
    """The items whose answers the system, or who made it, has seen or learned from."""
    known = {item.id for item in bench.items(task)}
    rows: List[str] = strict_json.field(data, "saw", list, where)
    for n, item in enumerate(rows):
        if item not in known:
            raise Refusal(f"{where}.saw[{n}]", f"there is no item {item!r:.60} in gold/{task}")
    return rows


def chosen_items(data: Dict[str, Any], task: str, bench: Bench, where: str) -> List[Item]:
    """The items of the set that the submission says it answers."""
    chosen = data.get("set")
    if isinstance(chosen, list):
        known = {item.id for item in bench.items(task)}
        for n, item in enumerate(chosen):
            if item not in known:
                raise Refusal(f"{where}.set[{n}]", f"there is no item {item!r:.60} in gold/{task}")
    elif chosen not in SETS:
        raise Refusal(f"{where}.set", f"{chosen!r:.60} is not one of {', '.join(SETS)}, or a list of items")
    return bench.items(task, chosen)


def read_answers(data: Dict[str, Any], items: List[Item], bench: Bench, where: str) -> Dict[str, Any]:
    """The answer of each item; refuses missing, further and repeated ones, other texts, and answers of a wrong form."""
    by_id = {item.id: item for item in items}
    answers: Dict[str, Any] = {}
    for n, row in enumerate(strict_json.field(data, "answers", list, where)):
        at = f"{where}.answers[{n}]"
        item = by_id.get(strict_json.field(row, "item", str, at))
        if item is None:
            raise Refusal(f"{at}.item", f"{row['item']!r} is not an item of this task and set")
        if item.id in answers:
            raise Refusal(f"{at}.item", f"{item.id!r} was answered before")
        check_hashes(row, item, at)
        MODULES[item.task].check(row.get("answer"), item, bench, f"{at}.answer")
        answers[item.id] = row["answer"]
    missing = [i for i in by_id if i not in answers]
    if missing:
        raise Refusal(f"{where}.answers", f"these items of the set are missing: {', '.join(missing)}")
    return answers


def check_hashes(row: Dict[str, Any], item: Item, at: str) -> None:
    """The texts that were read must be those of the gold."""
    texts = strict_json.field(row, "texts", dict, at)
    needed = [item.gold["source"], item.gold["translation"]] if item.task == "alignment" else [item.text]
    for text in needed:
        given = texts.get(text)
        if given != item.texts[text]:
            raise Refusal(
                f"{at}.texts.{text}", f"the SHA-256 is {given!r:.70}, that of the gold is {item.texts[text]}"
            )
