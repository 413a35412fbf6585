import threading

import zhushu


def test_a_translation_is_aligned(library):
    [of_library] = library.alignments
    made = zhushu.align(library["yili-05-zhushu"], library["yili-05-jinyi"])
    assert len(made) == len(of_library) == len(made.table)
    assert [b.source_text for b in made] == [b.source_text for b in of_library]
    joined = [b for b in made if b.source and b.translation]
    assert len(joined) > 20
    text = library["yili-05-jinyi"].text
    for bead in joined:
        assert "".join(text[a:b] for a, b in bead.translation) == bead.translation_text
    clauses = zhushu.align(library["yili-05-zhushu"], library["yili-05-jinyi"], by="clause")
    assert len(clauses) > len(made)


def test_search_finds_by_layer_and_shows_the_context(library):
    found = zhushu.search(library, "注:今文 @ 經:射", limit=2)
    assert found.total > len(found) == 2
    hit = found[0]
    assert (hit.text, hit.layer) == ("今文", "zhu")
    text = library[hit.document].text
    assert "".join(text[a:b] for a, b in hit.spans) == "今文"
    assert [h.spans for h in zhushu.search(library, "注:今文 @ 經:射", limit=1, skip=1)] == [
        found[1].spans
    ]


def test_quotations_are_checked(library):
    report = library.verify("《儀禮·鄉射禮》曰「二算為純」，又曰「一純以耴」。")
    verdicts = [(i["verdict"], i["form"]) for i in report["items"]]
    assert verdicts == [("verbatim", "variants"), ("differs", None)]
    pieces = report["items"][1]["places"][0]["differences"]
    assert [(p["quoted"], p["found"]) for p in pieces if not p["same"]] == [("耴", "取")]
    assert library.verify("天下大同小異也")["counts"]["not-found"] == 1


def test_an_index_in_a_folder_is_opened_again(library, tmp_path):
    built = zhushu.build_index(library, tmp_path / "index")
    total = built.search("射").total
    assert zhushu.open_index(tmp_path / "index").search("射").total == total > 100
    assert zhushu.search(tmp_path / "index", "射").total == total


def test_notes_say_what_words_mean(library):
    [first, *_] = library.glosses("純")
    assert first.headword == "純" and first.source.locus.startswith("yili.05.")
    assert {g.kind for g in library.glosses("纯")} >= {"is-like"}
    assert any(g.who == "鄭玄" and g.target for g in library.glosses(certainty=0.9))


def test_an_edition_of_some_texts_and_layers_is_written(library, tmp_path):
    options = {"texts": ["yili-06-zhushu"], "layers": ["經"]}
    [path] = zhushu.export(library, "text", tmp_path / "new" / "a.txt", **options)
    text = path.read_text(encoding="utf-8")
    note = next(s for s in library["yili-06-zhushu"].segments if s.layer == "zhu")
    classic = next(s for s in library["yili-06-zhushu"].segments if s.layer == "jing")
    assert classic.text.strip() in text and note.text.strip() not in text
    assert path.stat().st_mode & 0o444 == 0o444
    assert "epub" in zhushu.formats()


def test_other_threads_run_during_long_work(corpus):
    documents = zhushu.read(corpus)
    running, steps = threading.Event(), 0
    done = threading.Event()

    def count():
        nonlocal steps
        running.set()
        while not done.is_set():
            steps += 1

    counter = threading.Thread(target=count)
    counter.start()
    running.wait()
    before = steps
    zhushu.split(documents)
    during = steps - before
    done.set()
    counter.join()
    # A call that keeps the lock lets the other thread run only before and after.
    assert during > 10_000
