"""Tests of the benchmark: `python3 -m unittest` in this folder. They need no network and only the bundled texts."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import json
import re
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

import fetch
from tiny_bench import CLASSIC, RIGHT, tiny
from zhushu_bench import alignment, figures, layers, lemmata, punctuation, references
from zhushu_bench import results, strict_json, submission, table
from zhushu_bench.__main__ import main
from zhushu_bench.baselines import BASELINES, LEARNED
from zhushu_bench.bench import HERE, TASKS, Bench
from zhushu_bench.figures import Count
from zhushu_bench.refusal import Refusal

NAMED = {
    "text work": Count(1, 0, 1),
    "text chapter": Count(0, 0, 1),
    "work": Count(1, 0, 2),
    "chapter": Count(1, 0, 2),
}


class Tiny(unittest.TestCase):
    """Scores and refusals of a benchmark of two texts."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.bench = tiny(self.root)

    def submission(self, of_task: str, **changes: Any) -> Dict[str, Any]:
        about = ["a", "b"] if of_task == "alignment" else ["a"]
        texts = {t: self.bench.entries[t].sha256 for t in about}
        row = {"item": "one", "texts": texts, "answer": copy.deepcopy(RIGHT[of_task])}
        out = {
            "format": "zhushu-bench/1",
            "task": of_task,
            "set": "all",
            "system": "s",
            "version": "1",
            "date": "2026-11-30",
        }
        return {**out, "saw": [], "answers": [row], **changes}

    def written(self, value: Any) -> Path:
        path = self.root / "submission.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return path

    def score(self, task: str, answer: Any) -> Dict[str, Any]:
        value = self.submission(task)
        value["answers"][0]["answer"] = answer
        read = submission.read(self.written(value), self.bench, task)
        return results.scored(read, self.bench)[0][1]

    def refused(self, value: Any, *words: str) -> None:
        path = self.written(value)
        with self.assertRaises(Refusal) as caught:
            submission.read(path, self.bench)
        message = str(caught.exception)
        for word in (str(path), *words):
            self.assertIn(word, message)

    def test_right_answers_have_all(self) -> None:
        self.assertEqual(
            self.score("layers", RIGHT["layers"]), {"borders": Count(1, 1, 1), "characters": Count(9, 0, 9)}
        )
        self.assertEqual(self.score("lemmata", RIGHT["lemmata"]), {"lemmata": Count(1, 1, 1)})
        self.assertEqual(
            self.score("alignment", RIGHT["alignment"]), {"strict": Count(3, 3, 3), "pairs": Count(3, 3, 3)}
        )
        marks = {"any": Count(1, 1, 1), "ends": Count(1, 1, 1), "named": Count(1, 0, 1)}
        self.assertEqual(self.score("punctuation", RIGHT["punctuation"]), marks)
        self.assertEqual(
            self.score("identification", RIGHT["identification"]),
            NAMED,
        )

    def test_a_border_one_character_off_is_a_miss_and_a_wrong_one(self) -> None:
        spans = [{"start": 0, "end": 2, "layer": "jing"}, {"start": 2, "end": 7, "layer": "zhu"}]
        self.assertEqual(
            self.score("layers", {"spans": spans}), {"borders": Count(0, 1, 1), "characters": Count(4, 0, 9)}
        )

    def test_a_full_stop_belongs_to_either_side_and_a_mark_to_any_layer(self) -> None:
        spans = [
            {"start": 0, "end": 3, "layer": "jing"},
            {"start": 3, "end": 8, "layer": "zhu"},
            {"start": 8, "end": 16, "layer": "shu_header"},
        ]
        self.assertEqual(self.score("layers", {"spans": spans})["borders"], Count(1, 1, 1))

    def test_a_border_needs_the_right_layer_on_both_sides(self) -> None:
        spans = [{"start": 0, "end": 4, "layer": "zhuan"}, {"start": 4, "end": 7, "layer": "yin"}]
        self.assertEqual(self.score("layers", {"spans": spans})["borders"], Count(0, 1, 1))

    def test_line_ends_are_borders_only_where_the_item_says_so(self) -> None:
        text, gold = "經\n注\n疏", layers.labels([(0, 1, "jing"), (2, 3, "zhu"), (4, 5, "shu")], 5)
        self.assertEqual(layers.neighbours(text, gold, False), [])
        self.assertEqual(layers.neighbours(text, gold, True), [(0, 2)])

    def test_unsure_stretches_break_the_row(self) -> None:
        gold = layers.labels([(0, 1, "jing"), (1, 2, "unsure"), (2, 3, "zhu")], 3)
        self.assertEqual(layers.neighbours("甲乙丙", gold, False), [])

    def test_a_lemma_takes_one_link_and_needs_its_line(self) -> None:
        link = RIGHT["lemmata"]["links"][0]
        self.assertEqual(self.score("lemmata", {"links": [link, link]}), {"lemmata": Count(1, 2, 1)})
        self.assertEqual(self.score("lemmata", {"links": [{**link, "start": 0}]}), {"lemmata": Count(0, 1, 1)})

    def test_references_by_hand(self) -> None:
        found = self.score("references", RIGHT["references"])
        self.assertEqual(
            [found[m] for m in references.MEASURES],
            [Count(1, 0, 2), Count(1, 0, 1), Count(1, 0, 2), Count(1, 0, 1), Count(0, 0, 1)],
        )
        second = {
            "start": 17,
            "end": 19,
            "kind": "citation",
            "work": "周禮・膳夫",
            "target": {"text": "a", "start": 0, "end": 2},
        }
        stray = {"start": 4, "end": 6, "kind": "internal", "target": {"text": "a", "start": 0, "end": 2}}
        found = self.score("references", {"links": [*RIGHT["references"]["links"], second, stray]})
        self.assertEqual(
            [found[m] for m in references.MEASURES],
            [Count(2, 0, 2), Count(2, 0, 3), Count(1, 0, 2), Count(1, 0, 3), Count(1, 0, 1)],
        )

    def test_a_further_link_counts_neither_way(self) -> None:
        link = RIGHT["references"]["links"][0]
        further = {**link, "start": 12, "end": 14, "quoted": None, "target": None}
        found = self.score("references", {"links": [link, further]})
        self.assertEqual((found["found"], found["real"]), (Count(1, 0, 2), Count(1, 0, 1)))

    def test_finer_beads_are_right_and_coarser_ones_wrong(self) -> None:
        finer = [{"source": [[0, 2]], "translation": [[0, 2]]}, {"source": [[2, 4]], "translation": [[2, 5]]}]
        self.assertEqual(self.score("alignment", {"beads": finer})["strict"], Count(1, 1, 3))
        coarser = [{"source": [[0, 7]], "translation": [[0, 8]]}]
        self.assertEqual(
            self.score("alignment", {"beads": coarser}), {"strict": Count(0, 1, 3), "pairs": Count(2, 4, 3)}
        )

    def test_a_bead_with_other_text_on_one_side_is_wrong(self) -> None:
        beads = [{"source": [[11, 16]], "translation": [[0, 5]]}]
        self.assertEqual(self.score("alignment", {"beads": beads})["strict"], Count(0, 1, 3))
        self.assertEqual(
            self.score("alignment", {"beads": [{"source": [[11, 16]], "translation": []}]})["strict"],
            Count(0, 0, 3),
        )

    def test_marks_at_line_ends_do_not_count(self) -> None:
        self.assertEqual(punctuation.stripped("甲,乙。\n丙!?丁"), ("甲乙\n丙丁", {1: "，", 4: "！"}))
        self.assertEqual(
            self.score("punctuation", {"marks": [{"at": 3, "mark": "，"}, {"at": 6, "mark": "。"}]})["any"],
            Count(1, 1, 1),
        )

    def test_a_mark_at_the_beginning_of_a_line_does_not_count(self) -> None:
        self.assertEqual(punctuation.stripped("甲\n，乙"), ("甲\n乙", {}))

    def test_a_link_serves_one_of_two_equal_parts(self) -> None:
        item = self.bench.items("lemmata")[0]
        item.gold["lemmata"] *= 2
        self.assertEqual(lemmata.score(item, RIGHT["lemmata"], self.bench), {"lemmata": Count(1, 1, 2)})
        links = {"links": RIGHT["lemmata"]["links"] * 2}
        self.assertEqual(lemmata.score(item, links, self.bench), {"lemmata": Count(2, 2, 2)})

    def test_a_tradition_counts_as_classic_where_the_gold_has_none(self) -> None:
        spans = [{"start": 0, "end": 4, "layer": "zhuan"}, {"start": 4, "end": 7, "layer": "zhu"}]
        self.assertEqual(self.score("layers", {"spans": spans})["borders"], Count(1, 1, 1))

    def test_the_chapter_needs_its_work(self) -> None:
        rows = [{"work": "孟子", "chapter": "學而"}, {"work": "論語"}]
        found = self.score("identification", {"text": rows[0], "passages": rows})
        self.assertEqual(list(found.values()), [Count(0, 0, 1), Count(0, 0, 1), Count(1, 0, 2), Count(0, 0, 2)])

    def test_references_that_share_little_are_not_the_same(self) -> None:
        entry = {"start": 0, "end": 10}
        self.assertEqual(references.fit(entry, {"start": 8, "end": 18}), 0.0)
        self.assertEqual(references.fit(entry, {"start": 5, "end": 15}), 5 / 15)
        self.assertEqual(references.fit({"start": 0, "end": 2}, {"start": 0, "end": 21}), 0.0)

    def test_a_unit_of_which_little_is_held_is_dropped(self) -> None:
        units = alignment.Side("一二三四五六", [[0, 4], [4, 6]])
        self.assertEqual(units.held([[0, 1]]), {0: 0.25})
        self.assertEqual(alignment.mostly(({0: 0.25, 1: 1.0}, {0: 0.5})), (frozenset({1}), frozenset({0})))

    def test_figures_leave_out_what_was_seen(self) -> None:
        value = self.submission("layers", saw=["one"])
        read = submission.read(self.written(value), self.bench)
        self.assertEqual((results.result(read, self.bench)["all"]["seen"], read.saw), (1, ["one"]))
        two = submission.Submission(
            "s", "1", "2026-11-30", "layers", "all", ["one"], "", read.items * 2, read.answers
        )
        two.items[1] = dataclasses.replace(read.items[0], id="two")
        two.answers["two"] = read.answers["one"]
        self.assertEqual(results.result(two, self.bench)["not seen"]["items"], 1)

    def test_what_is_no_json_is_refused(self) -> None:
        self.refused("{", ":1:", "not JSON")
        self.refused(json.dumps(self.submission("layers")).replace('"saw": []', '"saw": [], "x": NaN'), "NaN")
        self.refused(
            json.dumps(self.submission("layers")).replace('"saw": []', '"saw": [], "x": 1e999'), "too large"
        )
        self.refused(
            json.dumps(self.submission("layers")).replace('"saw": []', '"saw": [], "saw": []'), "twice"
        )
        path = self.written("{}")
        path.write_bytes(b'{"a": "\xff"}')
        with self.assertRaisesRegex(Refusal, "not UTF-8"):
            strict_json.read(path)
        with self.assertRaisesRegex(Refusal, "cannot be read"):
            strict_json.read(self.root / "none.json")

    def test_a_wrong_head_is_refused(self) -> None:
        self.refused([], "an object was expected")
        self.refused(self.submission("layers", format="other/1"), ".format")
        self.refused(self.submission("layers", task="translation"), ".task", "no task 'translation'")
        self.refused(self.submission("layers", set="most"), ".set")
        self.refused(self.submission("layers", set=["two"]), ".set[0]", "'two'")
        self.refused(self.submission("layers", date="today"), ".date")
        self.refused(self.submission("layers", system=" "), ".system")
        self.refused(self.submission("layers", saw=["two"]), ".saw[0]")
        self.refused({k: v for k, v in self.submission("layers").items() if k != "saw"}, "'saw' is missing")
        path = self.written(self.submission("layers"))
        with self.assertRaisesRegex(Refusal, "not for 'lemmata'"):
            submission.read(path, self.bench, "lemmata")

    def test_wrong_answers_are_refused(self) -> None:
        rows = self.submission("layers")["answers"]
        self.refused(self.submission("layers", answers=[]), "missing: one")
        self.refused(self.submission("layers", answers=rows * 2), "answers[1].item", "answered before")
        self.refused(
            self.submission("layers", answers=[{**rows[0], "item": "two"}]), "answers[0].item", "'two'"
        )
        self.refused(
            self.submission("layers", answers=[{**rows[0], "texts": {"a": "0" * 64}}]),
            "answers[0].texts.a",
            "SHA-256",
        )
        self.refused(self.submission("layers", answers=[{**rows[0], "texts": {}}]), "answers[0].texts.a")

    def wrong(self, task: str, answer: Any, *words: str) -> None:
        rows = self.submission(task)["answers"]
        self.refused(
            self.submission(task, answers=[{**rows[0], "answer": answer}]), "answers[0].answer", *words
        )

    def test_wrong_spans_are_refused(self) -> None:
        good = RIGHT["layers"]["spans"]
        self.wrong("layers", None, "object")
        self.wrong("layers", {"spans": [{**good[0], "end": 23}]}, "spans[0]", "21 characters")
        self.wrong("layers", {"spans": [{**good[0], "start": -1}]}, "spans[0]")
        self.wrong("layers", {"spans": [{**good[0], "end": 0}]}, "spans[0]")
        self.wrong("layers", {"spans": [{**good[0], "end": 3.5}]}, "spans[0].end", "whole number")
        self.wrong("layers", {"spans": [{**good[0], "end": True}]}, "spans[0].end")
        self.wrong("layers", {"spans": [{**good[0], "layer": "text"}]}, "spans[0].layer", "'text'")
        self.wrong("layers", {"spans": [good[0], {**good[1], "start": 3}]}, "spans[1]", "begins at 3")

    def test_wrong_links_beads_marks_and_passages_are_refused(self) -> None:
        self.wrong("lemmata", {"links": [{"start": 11, "end": 15}]}, "links[0]", "'target'")
        link = RIGHT["references"]["links"][0]
        self.wrong("references", {"links": [{**link, "kind": "parallel"}]}, "links[0].kind")
        self.wrong("references", {"links": [{**link, "quoted": [1]}]}, "links[0].quoted")
        self.wrong(
            "references",
            {"links": [{**link, "target": {"text": "c", "start": 0, "end": 1}}]},
            "target.text",
            "'c'",
        )
        self.wrong(
            "references",
            {"links": [{**link, "target": {"text": "b", "start": 0, "end": 99}}]},
            "target",
            "15 characters",
        )
        bead = RIGHT["alignment"]["beads"][0]
        self.wrong("alignment", {"beads": [bead, bead]}, "beads[1].source[0]", "beads[0]")
        self.wrong("alignment", {"beads": [{"source": [[0, 99]], "translation": []}]}, "beads[0].source[0]")
        self.wrong("punctuation", {"marks": [{"at": 99, "mark": "。"}]}, "marks[0].at")
        self.wrong("punctuation", {"marks": [{"at": 3, "mark": "。"}] * 2}, "marks[1].at")
        self.wrong("punctuation", {"marks": [{"at": 3, "mark": "“"}]}, "marks[0].mark")
        self.wrong("identification", {"passages": []}, "0 rows for 2")
        self.wrong("identification", {"passages": [{}, {}]}, "'text' is missing")
        self.wrong("identification", {"text": {}, "passages": [{"work": 1}, {}]}, "passages[0].work")
        self.wrong("identification", {"text": {}, "passages": [{}, 1]}, "passages[1]")

    def test_a_text_that_was_changed_is_refused(self) -> None:
        (self.root / "texts" / "a.txt").write_text(CLASSIC + "。", encoding="utf-8")
        with self.assertRaisesRegex(Refusal, "SHA-256"):
            submission.read(self.written(self.submission("layers")), self.bench)

    def test_a_folder_gives_the_texts_under_any_name_and_encoding(self) -> None:
        (self.root / "texts" / "a.txt").unlink()
        other = self.root / "elsewhere"
        other.mkdir()
        (other / "x.dat").write_bytes(CLASSIC.encode("gb18030"))
        (other / "y.dat").write_text("別的", encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            fetch.from_folders(self.bench, [other])
        self.assertEqual(self.bench.content("a"), CLASSIC)


class Figures(unittest.TestCase):
    def test_f1_and_intervals(self) -> None:
        self.assertEqual(figures.f1(Count(2, 4, 4)), 0.5)
        self.assertEqual(figures.f1(Count(0, 0, 0)), 0.0)
        self.assertIsNone(figures.interval([Count(1, 1, 1)], "f1"))
        self.assertEqual(figures.interval([Count(1, 0, 1), Count(1, 0, 1)], "share"), (1.0, 1.0))
        self.assertEqual(figures.interval([Count(1, 0, 1), Count(0, 0, 1)], "share"), (0.0, 1.0))
        many = [Count(n, 0, 100) for n in range(0, 100, 3)]
        self.assertEqual(figures.interval(many, "share"), (0.3926470588235294, 0.5920588235294117))

    def test_steps_of_a_source(self) -> None:
        steps = {"newlines": "crlf", "drop": "【】", "lines": [[0, 1], [2, 3]]}
        self.assertEqual(fetch.built("甲【乙】\r\n丙\r\n丁\r\n", steps), "甲乙\r\n丁")
        self.assertEqual(fetch.built("甲\n乙", {"chars": [1, 3]}), "\n乙")


class Committed(unittest.TestCase):
    """What is in the folder agrees with itself."""

    def test_gold_has_the_hashes_of_its_texts(self) -> None:
        bench = Bench()
        for task in TASKS:
            items = bench.items(task)
            self.assertTrue(items)
            for item in items:
                for text, sha in item.texts.items():
                    self.assertEqual(bench.entries[text].sha256, sha, item.id)
                self.check_offsets(item.gold, bench.entries[item.text].chars, item.id)

    def check_offsets(self, gold: Dict[str, Any], length: int, item: str) -> None:
        rows: List[Any] = (
            [s[:2] for s in gold.get("spans", [])] + gold.get("passages", []) + gold.get("source_units", [])
        )
        rows += [[e["start"], e["end"]] for e in gold.get("entries", [])]
        for start, end in rows:
            self.assertTrue(0 <= start < end <= length, item)

    def test_gold_has_no_words_of_texts(self) -> None:
        """Chinese is only in titles (`work`, `chapter`), and in how the gold of one text was made."""
        for path in (HERE / "gold").rglob("*.json"):
            text = re.sub('"(work|chapter)": "[^"]{1,24}"', "", path.read_text(encoding="utf-8"))
            self.assertIsNone(re.search("[㐀-鿿]", text), str(path))

    def test_bundled_texts_are_those_of_the_gold(self) -> None:
        bench = Bench()
        for entry in bench.entries.values():
            if entry.set == "bundled":
                self.assertEqual(len(bench.content(entry.id)), entry.chars)

    def test_tables_are_made_from_the_results(self) -> None:
        rows = results.read_all(HERE / "results")
        self.assertTrue(rows)
        for name in ("README.md", "RESULTS.md"):
            self.assertTrue(
                table.update(HERE / name, rows, write=False), f"{name}: run `python3 -m zhushu_bench table`"
            )

    def test_cheap_baselines_give_the_figures_that_are_committed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for task, systems in BASELINES.items():
                for system in sorted(set(systems) - LEARNED):
                    answers, out = Path(folder, "answers.json"), Path(folder, "result.json")
                    with contextlib.redirect_stdout(io.StringIO()):
                        self.assertEqual(
                            main(["baseline", task, system, "--set", "bundled", "-o", str(answers)]), 0
                        )
                        self.assertEqual(main(["score", str(answers), "--task", task, "-o", str(out)]), 0)
                    committed = HERE / "results" / f"{task}.bundled.{system}.json"
                    self.assertEqual(out.read_text("utf-8"), committed.read_text("utf-8"), committed.name)

    def test_the_schema_has_the_layers_and_tasks_of_the_code(self) -> None:
        schema = strict_json.read(HERE / "submission.schema.json")
        spans = schema["$defs"]["layers"]["properties"]["spans"]["items"]
        self.assertEqual(set(spans["properties"]["layer"]["enum"]), layers.LAYERS)
        self.assertEqual(schema["properties"]["task"]["enum"], list(TASKS))

    def test_the_command_line_prints_the_place_of_an_error(self) -> None:
        with mock.patch("sys.stderr", new_callable=io.StringIO) as err:
            self.assertEqual(main(["validate", "/nowhere.json"]), 1)
        self.assertIn("/nowhere.json: it cannot be read", err.getvalue())


if __name__ == "__main__":
    unittest.main()
