#!/usr/bin/env python3
"""Writes results/: every baseline, and zhushu if a program is given: make_results.py [PROGRAM] [--set SET ...]"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from zhushu_bench.__main__ import main as bench  # noqa: E402
from zhushu_bench.baselines import BASELINES, LEARNED  # noqa: E402
from zhushu_bench.bench import SETS, TASKS  # noqa: E402


def main() -> int:
    """Answers, scores and writes, one task after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "program", type=Path, nargs="?", help="the program zhushu; without it only baselines are run"
    )
    parser.add_argument("--set", dest="sets", choices=SETS, nargs="+", default=list(SETS))
    parser.add_argument("--task", dest="tasks", choices=TASKS, nargs="+", default=list(TASKS))
    options = parser.parse_args()
    for chosen in options.sets:
        for task in options.tasks:
            for system in [*BASELINES[task], *(["zhushu"] if options.program else [])]:
                if chosen == "bundled" and system in LEARNED:
                    continue  # all bundled texts are of one book
                name = f"{task}.{chosen}.{system}.json"
                answers = HERE / "submissions" / name
                if system == "zhushu":
                    ours = [sys.executable, str(HERE / "ours.py"), str(options.program), task]
                    failed = subprocess.call([*ours, "--set", chosen, "-o", str(answers)])
                else:
                    failed = bench(["baseline", task, system, "--set", chosen, "-o", str(answers)])
                if failed or bench(["score", str(answers), "--task", task, "-o", str(HERE / "results" / name)]):
                    return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
