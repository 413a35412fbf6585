"""The one exception that users see: what is wrong, in which file, at which place."""

from __future__ import annotations


class Refusal(Exception):
    """A file that cannot be used. `where` names the file and the place in it."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")
        self.where = where
        self.what = what
