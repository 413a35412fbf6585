"""The exception that zhushu raises."""

from __future__ import annotations


class Error(Exception):
    """Work on a text or a request ended: what is wrong, where, and what to do about it.

    ``path``, ``line`` and ``column`` say where, counted from 1; ``source_line`` is that line and
    ``width`` how many characters of it are concerned. ``kind`` is one of request, query, input,
    encoding, format, no-text, index, manifest, io. What is not known is None.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str = "request",
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
        width: int = 0,
        source_line: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.path = path
        self.line = line
        self.column = column
        self.width = width
        self.source_line = source_line
        self.hint = hint

    def __str__(self) -> str:
        place = [str(p) for p in (self.path, self.line, self.column) if p is not None]
        first = ": ".join([":".join(place), self.message]) if place else self.message
        shown = [first]
        if self.source_line is not None and self.column is not None:
            marks = " " * (self.column - 1) + "^" * max(self.width, 1)
            shown += [f"    {self.source_line}", f"    {marks}"]
        if self.hint is not None:
            shown.append(f"hint: {self.hint}")
        return "\n".join(shown)

    def __reduce__(self):
        return _restored, (self.message, {k: v for k, v in vars(self).items() if k != "message"})


def _restored(message: str, facts: dict) -> Error:
    return Error(message, **facts)
