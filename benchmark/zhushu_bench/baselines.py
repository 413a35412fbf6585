"""Cheap systems to compare with. None has weights but those of `perceptron.py` and the counts of `bigrams`.

first-stop   layers: the classic ends at the first full stop of a paragraph
header       layers: the note is where the lemma header of the next sub-commentary says; otherwise all is classic
header-stop  layers: the header, where there is one, otherwise the first full stop
perceptron   layers: a linear model of clauses, learned from other books
nearest      lemmata: the paragraph in front of the header, from the first words to the last
same-words   references: words in quotation marks are sought in front of them, then in other texts
lengths      alignment: dynamic programming over the lengths of sentences or clauses
bigrams      punctuation: the commonest mark between two characters in texts of other books
trigrams     identification: the text of the benchmark that shares most groups of three characters
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List

from . import baseline_alignment, baseline_layers, baseline_words, perceptron
from .bench import Bench, Given, Item

Answers = Callable[[Item, Given], Any]
BASELINES: Dict[str, Dict[str, Answers]] = {
    "layers": {
        "first-stop": baseline_layers.first_stop,
        "header": baseline_layers.header,
        "header-stop": baseline_layers.header_stop,
        "perceptron": perceptron.answer,
    },
    "lemmata": {"nearest": baseline_layers.nearest},
    "references": {"same-words": baseline_words.same_words},
    "alignment": {"lengths": baseline_alignment.lengths},
    "punctuation": {"bigrams": baseline_words.bigrams},
    "identification": {"trigrams": baseline_words.trigrams},
}
# These learn from the other books of the set.
LEARNED = {"perceptron", "bigrams"}


def answers(task: str, name: str, chosen: str, bench: Bench) -> List[Dict[str, Any]]:
    """The answers of a baseline to the items of a set. What it learns from are the other books of the same set."""
    given = Given.of(bench, task, chosen)
    return [row(item, BASELINES[task][name](item, given)) for item in given.items]


def row(item: Item, answer: Any) -> Dict[str, Any]:
    """An answer as submissions have it."""
    about = [item.gold["source"], item.gold["translation"]] if item.task == "alignment" else [item.text]
    return {"item": item.id, "texts": {t: item.texts[t] for t in about}, "answer": answer}
