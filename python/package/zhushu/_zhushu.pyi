"""The compiled part of zhushu. _Offsets are code points of ``Document.text``."""

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, Literal, final

_Path = str | PathLike[str]
_LayerName = str
_Offsets = tuple[int, int]

@final
class Segment:
    """A stretch of the text in one layer."""

    document: str
    id: str
    layer: _LayerName
    layer_zh: str
    start: int
    end: int
    text: str
    locus: str | None
    by: str | None
    certainty: float
    evidence: list[str]

@final
class Diagnostic:
    """Something noticed at a place of a document."""

    severity: Literal["info", "warning", "error"]
    code: str
    message: str
    hint: str | None
    start: int | None
    end: int | None
    line: int | None
    column: int | None

@final
class Place:
    """A place that a reference is made in or leads to."""

    document: str
    start: int
    end: int
    text: str
    locus: str | None

@final
class Link:
    """One reference."""

    n: int
    kind: Literal["lemma", "quotation", "citation", "internal", "parallel"]
    status: Literal["exact", "variant", "paraphrase", "range", "title-only", "unresolved"]
    certainty: float
    layer: _LayerName
    source: Place
    quoted: str | None
    work: str | None
    target: Place | None
    alternatives: list[Place]
    evidence: list[str]

@final
class Passage:
    """A run of the classic with its commentaries; a notebook shows its layers."""

    @property
    def segments(self) -> list[Segment]: ...
    @property
    def classic(self) -> str: ...
    @property
    def commentary(self) -> list[Segment]: ...
    def _repr_html_(self) -> str: ...

@final
class Document:
    """A text with its layers and everything found out about it."""

    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def work(self) -> str | None: ...
    @property
    def chapter(self) -> str | None: ...
    @property
    def number(self) -> int | None: ...
    @property
    def role(self) -> Literal["witness", "translation"]: ...
    @property
    def translates(self) -> list[str]: ...
    @property
    def language(self) -> str: ...
    @property
    def reader(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def encoding(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def file_offset(self) -> int: ...
    @property
    def undivided(self) -> bool: ...
    @property
    def segments(self) -> list[Segment]: ...
    @property
    def speeches(self) -> list[Speech]: ...
    def speaker(self, offset: int) -> str | None: ...
    @property
    def links(self) -> list[Link]: ...
    @property
    def passages(self) -> list[Passage]: ...
    @property
    def diagnostics(self) -> list[Diagnostic]: ...
    def place(self, offset: int) -> tuple[int, int]: ...
    def write(self, format: Literal["tei", "json", "html", "source"]) -> bytes: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(stored: bytes) -> Document: ...
    def _repr_html_(self) -> str: ...

@final
class Speech:
    """Words that a note or a sub-commentary reports of someone."""

    who: str
    start: int
    end: int
    text: str
    certainty: float
    evidence: list[str]

@final
class Table:
    """An Arrow table: pandas, Polars, DuckDB and pyarrow take it as it is."""

    @property
    def name(self) -> Literal["texts", "segments", "links", "beads"]: ...
    @property
    def columns(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any | None = None) -> Any: ...

@final
class Bead:
    """Sentences of both sides that correspond; one side may be empty."""

    source: list[_Offsets]
    translation: list[_Offsets]
    source_text: str
    translation_text: str
    certainty: float
    evidence: list[str]

@final
class Alignment:
    """The beads of a classic and a translation, in the order of the texts."""

    @property
    def source(self) -> str: ...
    @property
    def translation(self) -> str: ...
    @property
    def beads(self) -> list[Bead]: ...
    @property
    def diagnostics(self) -> list[Diagnostic]: ...
    @property
    def table(self) -> Table: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Bead]: ...
    def __getitem__(self, key: int, /) -> Bead: ...

@final
class Hit:
    """A hit in its context."""

    document: str
    file: str
    locus: str | None
    line: int
    column: int
    work: str | None
    chapter: str | None
    section: str | None
    layer: _LayerName
    by: str | None
    certainty: float
    left: str
    text: str
    right: str
    spans: list[_Offsets]

@final
class SearchResults:
    """The hits of a query that were asked for; ``total`` counts all."""

    total: int
    hits: list[Hit]
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Hit]: ...
    def __getitem__(self, key: int, /) -> Hit: ...

@final
class Index:
    """An index of a library in a folder."""

    @property
    def folder(self) -> Any: ...
    def search(
        self,
        query: str,
        *,
        limit: int = 20,
        skip: int = 0,
        context: int = 12,
        sort: Literal["reading", "place", "left", "right"] = "reading",
    ) -> SearchResults: ...
    def verify(self, text: str) -> dict[str, Any]:
        """Checks the quotations of a text: the JSON of ``zhushu verify``."""

@final
class Gloss:
    """What a note says of a word."""

    headword: str
    kind: Literal[
        "means",
        "refers-to",
        "is-like",
        "sound-gloss",
        "called",
        "read-as",
        "read-like",
        "sounds",
        "fanqie",
        "tone",
        "other-reading",
        "emended",
    ]
    sense: str
    who: str | None
    layer: str
    certainty: float
    source: Place
    target: Place | None

@final
class Library:
    """Documents that were read together, and their alignments."""

    @property
    def documents(self) -> list[Document]: ...
    @property
    def alignments(self) -> list[Alignment]: ...
    @property
    def texts(self) -> Table: ...
    @property
    def segments(self) -> Table: ...
    @property
    def links(self) -> Table: ...
    @property
    def beads(self) -> Table: ...
    def passage(self, locus: str) -> Passage:
        """The passage with a locus, such as 論語 12.1, in all texts that have it."""
    def search(
        self,
        query: str,
        *,
        limit: int = 20,
        skip: int = 0,
        context: int = 12,
        sort: Literal["reading", "place", "left", "right"] = "reading",
    ) -> SearchResults: ...
    def verify(self, text: str) -> dict[str, Any]:
        """Checks the quotations of a text: the JSON of ``zhushu verify``."""
    def glosses(self, headword: str | None = None, *, certainty: float = 0.0) -> list[Gloss]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Document]: ...
    def __getitem__(self, key: str | int, /) -> Document: ...
    def __contains__(self, key: str, /) -> bool: ...
    def _repr_html_(self) -> str: ...

def read(path: _Path, *, format: str | None = None, encoding: str | None = None) -> list[Document]:
    """Reads a file, a folder of texts or a manifest. ``split`` finds layers and chapters."""

def read_text(text: str, *, name: str = "text.txt", format: str | None = None) -> Document:
    """Reads a text. ``name`` is that of a file it could have come from; it gives the id."""

def read_bytes(
    content: bytes,
    *,
    name: str = "text.txt",
    format: str | None = None,
    encoding: str | None = None,
    id: str | None = None,
    meta: bytes | None = None,
) -> Document:
    """Reads the bytes of a file, whose encoding is recognised unless it is given.

    ``meta`` is what ``texts_of`` or ``facts`` gives for the text.
    """

def texts_of(path: _Path) -> list[tuple[Any, str, str | None, str | None, bytes | None]]:
    """Lists the texts of a folder or a manifest: path, id, format, encoding, facts."""

def facts(
    *,
    work: str | None = None,
    chapter: str | None = None,
    number: int | None = None,
    title: str | None = None,
    translates: Sequence[str] | None = None,
) -> bytes:
    """What a table knows about a text, for ``read_bytes``."""

def split(
    documents: Document | _Path | Sequence[Document | _Path], *, references: bool = True
) -> Library:
    """Runs every pass on documents, which are witnesses and targets of each other.

    Translations that a manifest names are aligned. Without ``references`` no references and no
    parallels are looked for, which takes a third of the time.
    """

def align(
    classic: Document,
    translation: Document,
    *,
    by: Literal["sentence", "clause"] = "sentence",
    prior: bool = True,
) -> Alignment:
    """Aligns a split classic with a translation of it."""

def references(
    library: Library,
    *,
    texts: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    layers: Sequence[_LayerName] | None = None,
    statuses: Sequence[str] | None = None,
    certainty: float = 0.0,
    work: str | None = None,
    source: str | None = None,
    target: str | None = None,
) -> list[Link]:
    """The references of a library; ``source`` and ``target`` are loci such as yili.05.23.2."""

@final
class Figures:
    """What is counted over a whole corpus, for ``run_part`` of a part of it."""

    MAX_SEED_PLACES: int
    @staticmethod
    def of(
        chars: int, copies: float, grams: bytes, counts: bytes, formulas: bytes
    ) -> Figures: ...
    @staticmethod
    def least_count(copies: float) -> int: ...
    @staticmethod
    def of_text(document: Document) -> tuple[int, list[bytes], list[bytes]]: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(stored: bytes) -> Figures: ...

def run_part(
    part: Literal["layers", "references"],
    documents: Sequence[Document],
    *,
    beside: Sequence[Document] | None = None,
    figures: Figures | None = None,
) -> Library:
    """Runs one part of the flow on documents, beside others that stay as they are."""

def named_as(document: Document) -> tuple[str | None, str | None]:
    """The work and the chapter that a document is, by the names of the list of works."""

def cited_in(document: Document) -> list[tuple[str, str | None]]:
    """The works and chapters that a document names."""

def parallels_of_pairs(
    documents: Sequence[Document],
    numbers: Sequence[int],
    pairs: Sequence[tuple[int, int]],
    figures: Figures,
) -> list[bytes | None]:
    """Compares pairs of documents; what is found of each is bytes for ``with_parallels``."""

def with_parallels(
    documents: Sequence[Document], found: Sequence[Sequence[bytes]], beside: Sequence[Document]
) -> Library:
    """The documents with the parallels found for each, and their translations aligned."""

def build_index(library: Library, folder: _Path) -> Index:
    """Writes an index of a library into a folder, and opens it."""

def open_index(folder: _Path) -> Index:
    """Opens the index in a folder."""

def export(
    library: Library,
    format: str,
    path: _Path,
    *,
    texts: Sequence[str] | None = None,
    layers: Sequence[_LayerName] | None = None,
    title: str | None = None,
) -> list[Any]:
    """Writes an edition: one file as ``path``, several into ``path`` as a folder. Gives the paths."""

def formats() -> list[str]:
    """The names of the formats that ``export`` writes."""
