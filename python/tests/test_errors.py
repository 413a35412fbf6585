import pickle

import pytest

import zhushu


def raised(call, *args, **options):
    with pytest.raises(zhushu.Error) as e:
        call(*args, **options)
    return e.value


def test_a_missing_file_is_named(tmp_path):
    e = raised(zhushu.read, tmp_path / "missing.txt")
    assert (e.kind, e.path) == ("io", str(tmp_path / "missing.txt"))


def test_a_mistake_in_a_manifest_has_its_line_and_a_hint(tmp_path):
    manifest = tmp_path / "zhushu.toml"
    manifest.write_text('[corpus]\ntitel = "x"\n', encoding="utf-8")
    e = raised(zhushu.read, tmp_path)
    assert (e.kind, e.line, e.column) == ("manifest", 2, 1)
    assert e.hint and "title" in e.hint
    assert e.source_line == 'titel = "x"'
    assert f"{manifest}:2:1: " in str(e) and "^^^^^" in str(e) and "hint: " in str(e)


def test_a_mistake_in_a_query_has_its_column(library):
    e = raised(library.search, "注:(")
    assert (e.kind, e.column) == ("query", 3)


@pytest.mark.parametrize(
    "call",
    [
        lambda library: zhushu.export(library, "word", "x"),
        lambda library: zhushu.align(library[0], library[1], by="page"),
        lambda library: zhushu.references(library, kinds=["quote"]),
        lambda library: zhushu.references(library, texts=["x"]),
        lambda library: zhushu.references(library, layers=["x"]),
        lambda library: library.search("射", sort="up"),
        lambda library: library[0].write("word"),
    ],
)
def test_an_unknown_name_is_answered_with_those_that_there_are(library, call):
    e = raised(call, library)
    assert e.kind == "request"
    assert e.hint.startswith("there are: ")


def test_a_binary_file_is_not_a_text():
    e = raised(zhushu.read_bytes, b"\x89PNG\r\n\x1a\n" + bytes(200), name="a.png")
    assert (e.kind, e.path) == ("encoding", "a.png")


def test_files_that_are_no_texts_are_left_out_with_a_warning(tmp_path, corpus):
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    (tmp_path / "b.txt").write_bytes((corpus / "yili-06-zhushu.txt").read_bytes())
    with pytest.warns(UserWarning, match="a.png: this is a binary file"):
        [document] = zhushu.read(tmp_path)
    assert document.id == "b"


def test_an_error_survives_pickling(tmp_path):
    e = raised(zhushu.read, tmp_path / "missing.txt")
    again = pickle.loads(pickle.dumps(e))
    assert str(again) == str(e) and vars(again) == vars(e)
