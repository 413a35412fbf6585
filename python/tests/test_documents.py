import pickle

import pytest

import zhushu

TEXT = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n"


def test_a_file_is_read_as_it_is_and_split_into_layers(corpus):
    [document] = zhushu.read(corpus / "yili-06-zhushu.txt")
    assert document.text == (corpus / "yili-06-zhushu.txt").read_text(encoding="utf-8")
    assert document.undivided
    [split] = zhushu.split(document)
    assert not split.undivided
    assert {"jing", "zhu", "shu"} <= {s.layer for s in split.segments}


def test_offsets_are_code_points_of_the_text():
    text = TEXT.replace("\n\n", "𠀀\n\n", 1)
    [document] = zhushu.split(zhushu.read_text(text))
    assert document.text == text
    assert len(document.segments) > 3
    for segment in document.segments:
        assert text[segment.start : segment.end] == segment.text
    for link in document.links:
        assert text[link.source.start : link.source.end] == link.source.text


def test_a_place_is_a_line_and_a_column():
    document = zhushu.read_text(TEXT)
    assert document.place(TEXT.index("[疏]") + 1) == (3, 2)
    assert document.place(0) == (1, 1)


def test_the_facts_of_the_manifest_are_known(library):
    document = library["yili-05-zhushu"]
    assert (document.work, document.chapter, document.number) == ("儀禮", "鄉射禮", 5)
    assert document.title == "儀禮注疏・鄉射禮"
    assert library["yili-05-jinyi"].role == "translation"
    assert library["yili-05-jinyi"].translates == ["yili-05-zhushu"]
    assert "鄭玄" in {s.by for s in document.segments if s.layer == "zhu"}


def test_a_library_is_indexed_by_id_and_by_position(library):
    assert library[0].id == library["yili-05-zhushu"].id
    assert library[-1].id == [d.id for d in library][-1]
    assert "yili-05-zhushu" in library and "other" not in library
    with pytest.raises(IndexError):
        library[len(library)]
    with pytest.raises(KeyError):
        library["other"]


def test_passages_have_all_text_once_and_show_their_layers(library):
    document = library["yili-05-zhushu"]
    of_passages = [s.id for p in document.passages for s in p.segments]
    assert sorted(set(of_passages)) == sorted(s.id for s in document.segments)
    html = document.passages[3]._repr_html_()
    for segment in document.passages[3].segments:
        assert f"<sup>{segment.layer_zh}</sup>" in html
        assert segment.text.strip()[:10] in html


def test_a_passage_has_its_commentaries(library):
    passage = library.passage("儀禮・鄉射禮 2.3")
    assert passage.classic == library.passage("yili.05.2.3").classic
    said = {s.layer for s in passage.commentary}
    assert {"zhu", "shu"} <= said and "jing" not in said
    assert any(s.by == "鄭玄" for s in passage.commentary)
    with pytest.raises(zhushu.Error, match="there is no yili.05.99"):
        library.passage("yili.05.99")


def test_text_is_escaped_in_html():
    [document] = zhushu.split(zhushu.read_text("學而<b時習>之。\n不亦說乎。\n", name="a&b.txt"))
    assert "&lt;b時習&gt;" in document._repr_html_()
    assert "<b時" not in document._repr_html_()


def test_a_document_survives_pickling(library):
    document = library["yili-05-zhushu"]
    again = pickle.loads(pickle.dumps(document))
    assert again.text == document.text
    assert [(s.id, s.start, s.certainty) for s in again.segments] == [
        (s.id, s.start, s.certainty) for s in document.segments
    ]
    assert len(again.links) == len(document.links)


@pytest.mark.parametrize("change", ["cut", "version", "byte"])
def test_damaged_bytes_are_refused(library, change):
    stored = library["yili-05-zhushu"].to_bytes()
    damaged = {
        "cut": stored[: len(stored) // 2],
        "version": stored.replace(b"zhushu ", b"zhushu 9", 1),
        "byte": stored[:40] + b"\xff" * 8 + stored[48:],
    }[change]
    with pytest.raises(zhushu.Error) as e:
        zhushu.Document.from_bytes(damaged)
    assert e.value.hint == "read the text again"


def test_links_have_both_ends(library):
    document = library["yili-05-zhushu"]
    resolved = [link for link in document.links if link.target]
    assert resolved
    for link in resolved:
        there = library[link.target.document]
        assert there.text[link.target.start : link.target.end] == link.target.text


def test_references_are_filtered(library):
    citations = zhushu.references(library, kinds=["citation"], texts=["yili-05-zhushu"])
    assert citations and {link.kind for link in citations} == {"citation"}
    assert {link.source.document for link in citations} == {"yili-05-zhushu"}
    sure = zhushu.references(library, kinds=["citation"], certainty=0.9)
    assert 0 < len(sure) < len(zhushu.references(library, kinds=["citation"]))
    to = next(link.target.locus for link in library[0].links if link.target)
    assert all(link.target for link in zhushu.references(library, target=to, kinds=["lemma"]))
    assert [link.n for link in zhushu.references(library, texts=["yili-05-zhushu"])] == [
        link.n for link in library["yili-05-zhushu"].links
    ]


def test_without_references_there_are_layers_and_no_links(corpus):
    [document] = zhushu.split(corpus / "yili-06-zhushu.txt", references=False)
    assert document.segments and document.links == []


def test_a_text_is_written_as_tei_and_as_its_source(library, corpus):
    document = library["yili-05-zhushu"]
    assert document.write("tei").startswith(b"<?xml")
    assert document.write("source") == (corpus / "yili-05-zhushu.txt").read_bytes()
