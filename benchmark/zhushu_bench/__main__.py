"""The command line: `python -m zhushu_bench COMMAND`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

from . import baselines, results, submission, table
from .bench import HERE, SETS, TASKS, Bench
from .figures import Count
from .refusal import Refusal


def parser() -> argparse.ArgumentParser:
    """All commands and options."""
    out = argparse.ArgumentParser(
        prog="zhushu_bench", description="Scores answers to the tasks of this benchmark."
    )
    out.add_argument("--texts", type=Path, help="the folder that fetch.py wrote (default: texts/)")
    commands = out.add_subparsers(dest="command", required=True)
    one = commands.add_parser("validate", help="refuse a wrong submission, with the place of the error")
    one.add_argument("submission", type=Path, nargs="+")
    one = commands.add_parser("score", help="score a submission")
    one.add_argument("submission", type=Path)
    one.add_argument("--task", choices=TASKS, default="")
    one.add_argument("--items", action="store_true", help="the figures of each item too")
    one.add_argument("-o", "--output", type=Path, help="write the result as JSON, such as results/NAME.json")
    one = commands.add_parser("table", help="make the tables of README.md and RESULTS.md from results/")
    one.add_argument("--check", action="store_true", help="write nothing; fail if they are not up to date")
    one = commands.add_parser("items", help="list the items of a task")
    one.add_argument("task", choices=TASKS)
    one.add_argument("--set", dest="chosen", choices=SETS, default="all")
    one = commands.add_parser("input", help="print the input of an item, as tasks/*.md define it")
    one.add_argument("task", choices=TASKS)
    one.add_argument("item")
    one = commands.add_parser("baseline", help="write the submission of a baseline")
    one.add_argument("task", choices=TASKS)
    one.add_argument("name")
    one.add_argument("--set", dest="chosen", choices=SETS, default="bundled")
    one.add_argument("-o", "--output", type=Path, required=True)
    return out


def show(figures: Dict[str, Any], head: str) -> None:
    """Prints the figures of some items."""
    print(f"{head}: {figures['items']} items, {figures['texts']} texts")
    for name, figure in figures.items():
        if not isinstance(figure, dict):
            continue
        line = f"  {table.SAYS[name]} {figure['value']:.4f}"
        if figure["interval"]:
            line += f" ({figure['interval'][0]:.4f} to {figure['interval'][1]:.4f})"
        if figure["kind"] == "f1":
            line += f", P {figure['precision']:.4f}, R {figure['recall']:.4f}; found {figure['found']}"
        print(f"{line}; right {figure['right']} of {figure['of']}")


def run_score(options: argparse.Namespace, bench: Bench) -> int:
    """Scores a submission, prints and perhaps writes the result."""
    read = submission.read(options.submission, bench, options.task)
    result = results.result(read, bench)
    if options.items:
        for item, counts in result["items"].items():
            print(
                f"{item}: " + "; ".join(f"{table.SAYS[m]} {rate(m, c, read.task)}" for m, c in counts.items())
            )
    for group, figures in result["groups"].items():
        show(figures, group)
    show(result["all"], "all")
    if options.output:
        results.write(options.output, result)
    return 0


def rate(measure: str, count: List[int], task: str) -> str:
    """A count in short: right of found and gold, or right of all."""
    whole = Count(*count)
    if submission.MODULES[task].MEASURES[measure] == "f1":
        return f"right {whole.right}, found {whole.found}, gold {whole.of}"
    return f"{whole.right}/{whole.of}"


def run_table(options: argparse.Namespace) -> int:
    """Writes or checks the tables."""
    all_results = results.read_all(HERE / "results")
    stale = [
        f for f in ("README.md", "RESULTS.md") if not table.update(HERE / f, all_results, not options.check)
    ]
    for name in stale:
        print(f"{name}: " + ("the tables are not those of results/" if options.check else "written"))
    return int(bool(stale) and options.check)


def run_items(options: argparse.Namespace, bench: Bench) -> int:
    """Lists items with their groups, texts and sets."""
    for item in bench.items(options.task, options.chosen):
        about = [item.gold["source"], item.gold["translation"]] if item.task == "alignment" else [item.text]
        print(
            "\t".join(
                [item.id, item.group, " ".join(about), "at hand" if all(map(bench.has, about)) else "missing"]
            )
        )
    return 0


def run_input(options: argparse.Namespace, bench: Bench) -> int:
    """Prints what a system is given for an item."""
    item = next(iter(bench.items(options.task, [options.item])), None)
    if item is None:
        raise Refusal(options.item, f"there is no such item in gold/{options.task}")
    module = submission.MODULES[options.task]
    if options.task == "identification":
        rows = {"text": str(bench.path(item.text)), "passages": module.passages(item, bench)}
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    elif options.task == "punctuation":
        sys.stdout.write(module.stripped(module.source(item, bench))[0])
    elif options.task == "alignment":
        print(bench.path(item.gold["source"]), bench.path(item.gold["translation"]), sep="\n")
    else:
        print(bench.path(item.text))
    return 0


def run_baseline(options: argparse.Namespace, bench: Bench) -> int:
    """Writes the submission of a baseline."""
    if options.name not in baselines.BASELINES[options.task]:
        names = ", ".join(baselines.BASELINES[options.task])
        raise Refusal(options.name, f"there is no such baseline of {options.task}; there are {names}")
    answers = baselines.answers(options.task, options.name, options.chosen, bench)
    write_submission(options.output, options.name, options.task, options.chosen, answers)
    return 0


def write_submission(path: Path, name: str, task: str, chosen: str, answers: List[Dict[str, Any]]) -> None:
    """A submission of a baseline, one answer a line."""
    head: Dict[str, Any] = {"format": submission.FORMAT, "task": task, "set": chosen, "system": name}
    head.update(version="1", date="2026-11-30", saw=[])
    rows = ",\n".join(json.dumps(a, ensure_ascii=False) for a in answers)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'{json.dumps(head, ensure_ascii=False)[:-1]}, "answers": [\n{rows}\n]}}\n', encoding="utf-8"
    )


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command; 1 if a file was refused."""
    options = parser().parse_args(arguments)
    try:
        if options.command == "table":
            return run_table(options)
        bench = Bench(texts=options.texts)
        if options.command == "validate":
            for path in options.submission:
                print(f"{path}: {len(submission.read(path, bench).items)} items, as the format asks")
            return 0
        runs = {"score": run_score, "items": run_items, "input": run_input, "baseline": run_baseline}
        return runs[options.command](options, bench)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
