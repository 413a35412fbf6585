"""Reads Chinese classics with their commentaries (注疏).

    >>> import zhushu
    >>> library = zhushu.split("corpus")
    >>> library["yili-05-zhushu"].passages[3]
    >>> library.links  # an Arrow table: polars.DataFrame(library.links)

All offsets are code points of ``Document.text``, as Python counts strings:
``document.text[segment.start:segment.end] == segment.text``. Errors are :class:`zhushu.Error`, with
a place and a hint. Long work runs without the interpreter's lock.
"""

from ._error import Error
from ._zhushu import (
    Alignment,
    Bead,
    Diagnostic,
    Document,
    Gloss,
    Hit,
    Index,
    Library,
    Link,
    Passage,
    Place,
    SearchResults,
    Segment,
    Speech,
    Table,
    align,
    build_index,
    export,
    facts,
    formats,
    open_index,
    read,
    read_bytes,
    read_text,
    references,
    split,
    texts_of,
)

__all__ = [
    "Alignment",
    "Bead",
    "Diagnostic",
    "Document",
    "Error",
    "Gloss",
    "Hit",
    "Index",
    "Library",
    "Link",
    "Passage",
    "Place",
    "SearchResults",
    "Segment",
    "Speech",
    "Table",
    "align",
    "build_index",
    "export",
    "facts",
    "formats",
    "open_index",
    "read",
    "read_bytes",
    "read_text",
    "references",
    "search",
    "split",
    "texts_of",
]


def search(library, query, **options):
    """Searches a library, an index, or the index in a folder, and gives the hits.

    Options are those of :meth:`Library.search`.
    """
    if not hasattr(library, "search"):
        library = open_index(library)
    return library.search(query, **options)
