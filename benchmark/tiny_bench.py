"""A benchmark of two short texts, for the tests."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Dict

from zhushu_bench.bench import Bench

# Classic 0–4 and note 4–7; a mark 8–11 and sub-commentary 11–16; another note 17–20.
CLASSIC = "子曰學。悅也。\n[疏]“子曰”。\n時習。\n"
MODERN = "他說學習。高興。\n常常練習。\n"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def tiny(folder: Path) -> Bench:
    """A benchmark of two texts, with an item of each task."""
    texts = {"a": CLASSIC, "b": MODERN}
    source = {"fetched": False, "why": "made for the tests"}
    rows = [
        {
            "id": i,
            "file": f"{i}.txt",
            "work": "論語",
            "chapter": "學而",
            "chars": len(t),
            "sha256": digest(t),
            "seen": [],
            "source": source,
        }
        for i, t in texts.items()
    ]
    (folder / "texts.json").write_text(json.dumps({"texts": rows}), encoding="utf-8")
    (folder / "texts").mkdir()
    for name, text in texts.items():
        (folder / "texts" / f"{name}.txt").write_text(text, encoding="utf-8")
    hashes = {i: digest(t) for i, t in texts.items()}
    entry = {"start": 12, "end": 14, "kind": "quotation", "targets": [{"text": "a", "start": 0, "end": 2}]}
    cited = {
        "start": 17,
        "end": 19,
        "kind": "citation",
        "work": "周禮・天官・膳夫",
        "targets": [{"text": "b", "start": 0, "end": 2}],
    }
    gold: Dict[str, Dict[str, Any]] = {
        "layers": {
            "line_ends": False,
            "spans": [[0, 4, "jing"], [4, 7, "zhu"], [8, 11, "mark"], [11, 16, "shu"], [17, 20, "zhu"]],
        },
        "lemmata": {"lemmata": [{"line": [8, 16], "layer": "jing", "start": 0, "end": 2}]},
        "references": {"text": "a", "covered": None, "entries": [entry, cited]},
        "alignment": {
            "source": "a",
            "translation": "b",
            "source_units": [[0, 4], [4, 7], [17, 20]],
            "translation_units": [[0, 5], [5, 8], [9, 14]],
            "beads": [
                {"source": [0], "translation": [0]},
                {"source": [1], "translation": [1]},
                {"source": [2], "translation": [2]},
            ],
        },
        "punctuation": {"chars": 100},
        "identification": {"work": "論語", "chapter": "學而", "passages": [[0, 4], [4, 7]]},
    }
    for task, rest in gold.items():
        (folder / "gold" / task).mkdir(parents=True)
        about = hashes if task in ("references", "alignment") else {"a": hashes["a"]}
        group = "sentences" if task == "alignment" else "all of them"
        item = {"item": "one", "task": task, "group": group, "texts": about, **rest}
        (folder / "gold" / task / "one.json").write_text(json.dumps(item), encoding="utf-8")
    return Bench(folder)


RIGHT: Dict[str, Any] = {
    "layers": {
        "spans": [
            {"start": 0, "end": 4, "layer": "jing"},
            {"start": 4, "end": 7, "layer": "zhu"},
            {"start": 11, "end": 16, "layer": "shu"},
            {"start": 17, "end": 20, "layer": "zhu"},
        ]
    },
    "lemmata": {"links": [{"start": 11, "end": 15, "target": {"start": 0, "end": 2}}]},
    "references": {
        "links": [
            {
                "start": 11,
                "end": 15,
                "kind": "quotation",
                "quoted": [12, 14],
                "target": {"text": "a", "start": 0, "end": 2},
            }
        ]
    },
    "alignment": {
        "beads": [
            {"source": [[0, 4]], "translation": [[0, 5]]},
            {"source": [[4, 7]], "translation": [[5, 8]]},
            {"source": [[17, 20]], "translation": [[9, 14]]},
        ]
    },
    "punctuation": {"marks": [{"at": 3, "mark": "。"}]},
    "identification": {
        "text": {"work": "論語", "chapter": None},
        "passages": [{"work": "論語", "chapter": "學而"}, {"work": None, "chapter": None}],
    },
}
