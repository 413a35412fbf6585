"""Makes the tables of README.md from results/: one for each task and set; rows are groups, columns systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Tuple

from .bench import TASKS
from .refusal import Refusal
from .submission import MODULES

START, END = "<!-- results: {} -->", "<!-- end -->"
SAYS = {
    "borders": "borders, F1",
    "characters": "characters in their layer",
    "lemmata": "lemmata placed, F1",
    "found": "found",
    "real": "of predicted, real",
    "place": "right place",
    "resolved": "of resolved, right",
    "text work": "whole text: right work",
    "text chapter": "whole text: right work and chapter",
    "work": "right work",
    "strict": "beads, strict F1",
    "pairs": "pairs, F1",
    "any": "any mark, F1",
    "ends": "ends of sentences, F1",
    "named": "same mark, of those at the same place",
    "chapter": "right work and chapter",
}

Result = Dict[str, Any]


def short(number: float) -> str:
    """.123, 1.000."""
    text = f"{number:.3f}"
    return text[1:] if text.startswith("0") else text


def cell(figure: Dict[str, Any]) -> str:
    """A figure with its interval."""
    bounds = figure["interval"]
    return short(figure["value"]) + (f" ({short(bounds[0])}–{short(bounds[1])})" if bounds else "")


def seen_mark(figures: Dict[str, Any]) -> str:
    """† if the system saw all items of a row, * if it saw some."""
    return "" if not figures["seen"] else " †" if figures["seen"] == figures["items"] else " *"


def groups(results: List[Result]) -> List[Tuple[str, str]]:
    """Rows: the groups that the results have, then all of them, if that is more than one."""
    names = sorted({g for r in results for g in r["groups"]})
    apart = any(
        r["task"] == "alignment" for r in results
    )  # sentences and clauses of one chapter are not added up
    rows = [("groups", g) for g in names] + ([("all", "all")] if len(names) > 1 and not apart else [])
    return rows + ([("not seen", "not seen by zhushu")] if any("not seen" in r for r in results) else [])


def figures_of(result: Result, row: Tuple[str, str]) -> Dict[str, Any]:
    """The figures of a row, empty if the result has none."""
    found: Dict[str, Any] = result["groups"].get(row[1], {}) if row[0] == "groups" else result.get(row[0], {})
    return found


def table(results: List[Result], task: str, chosen: str) -> List[str]:
    """The lines of one table."""
    mine = [r for r in results if r["task"] == task and r["set"] == chosen]
    mine.sort(key=lambda r: (r["system"].startswith("zhushu"), r["system"]))
    if not mine:
        return []
    lines = [f"**{task}**", "", "| texts | measure | " + " | ".join(r["system"] for r in mine) + " |"]
    lines.append("|---" * (len(mine) + 2) + "|")
    for row in groups(mine):
        size = next(figures_of(r, row)["items"] for r in mine if figures_of(r, row))
        texts = next(figures_of(r, row)["texts"] for r in mine if figures_of(r, row))
        label = f"{row[1]}: {size}" + (f" of {texts} texts" if texts != size else "")
        for measure in MODULES[task].MEASURES:
            cells = [figure_cell(figures_of(r, row), measure) for r in mine]
            if any(c != "–" for c in cells):
                lines.append(f"| {label} | {SAYS[measure]} | " + " | ".join(cells) + " |")
                label = ""
    return lines + [""]


def figure_cell(figures: Dict[str, Any], measure: str) -> str:
    """The cell of a measure, or a dash."""
    return cell(figures[measure]) + seen_mark(figures) if measure in figures else "–"


def tables(results: List[Result], chosen: str) -> str:
    """All tables of a set."""
    return "\n".join(line for task in TASKS for line in table(results, task, chosen)).strip()


def filled(document: str, results: List[Result], where: str) -> str:
    """The document with new tables between its marks."""
    for chosen in ("bundled", "public", "all"):
        start = START.format(chosen)
        if start not in document:
            continue
        head, rest = document.split(start, 1)
        if END not in rest:
            raise Refusal(where, f"{start!r} is not closed by {END!r}")
        document = f"{head}{start}\n{tables(results, chosen)}\n{END}{rest.split(END, 1)[1]}"
    return document


def update(path: Path, results: List[Result], write: bool) -> bool:
    """Whether the tables of a file are those of the results; writes them if asked to."""
    old = path.read_text(encoding="utf-8")
    new = filled(old, results, str(path))
    if write and new != old:
        path.write_text(new, encoding="utf-8")
    return new == old
