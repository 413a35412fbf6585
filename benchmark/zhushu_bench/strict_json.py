"""Reads JSON without NaN, infinities and repeated keys, and takes fields out of it; messages name the place."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from .refusal import Refusal

Span = Tuple[int, int]


def read(path: Path) -> Any:
    """The JSON of a file; refuses NaN and infinities, keys that occur twice, and what is not JSON or not UTF-8."""

    def no_constant(name: str) -> Any:
        raise Refusal(str(path), f"{name} is not a number that JSON allows")

    def no_twins(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            twice = next(k for k, _ in pairs if sum(k == other for other, _ in pairs) > 1)
            raise Refusal(str(path), f"the key {twice!r} occurs twice in one object")
        return found

    def finite(digits: str) -> float:
        value = float(digits)
        if not math.isfinite(value):
            raise Refusal(str(path), f"{digits} is too large for a number")
        return value

    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text, parse_constant=no_constant, object_pairs_hook=no_twins, parse_float=finite)
    except OSError as error:
        raise Refusal(str(path), f"it cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise Refusal(str(path), f"it is not UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise Refusal(f"{path}:{error.lineno}:{error.colno}", f"it is not JSON ({error.msg})") from None
    except RecursionError:
        raise Refusal(str(path), "its lists are nested too deeply") from None


def field(value: Any, key: str, kind: type, where: str) -> Any:
    """`value[key]`, which must exist and be of this kind."""
    if not isinstance(value, dict):
        raise Refusal(where, "an object was expected")
    if key not in value:
        raise Refusal(where, f"the key {key!r} is missing")
    found = value[key]
    if not isinstance(found, kind) or isinstance(found, bool) and kind is not bool:
        raise Refusal(f"{where}.{key}", f"{found!r:.60} is not {NAMES[kind]}")
    return found


NAMES = {str: "a text", int: "a whole number", list: "a list", dict: "an object", bool: "true or false"}


def optional(value: Dict[str, Any], key: str, kind: type, where: str) -> Optional[Any]:
    """`value[key]`, or None if it is missing or null."""
    return None if value.get(key) is None else field(value, key, kind, where)


def span(value: Any, length: int, where: str) -> Span:
    """`start` and `end` of an object, as a span that is not empty and lies within a text of this length."""
    return bounds(field(value, "start", int, where), field(value, "end", int, where), length, where)


def pair(value: Any, length: int, where: str) -> Span:
    """A list of two offsets as a span."""
    if not isinstance(value, list) or len(value) != 2 or any(type(x) is not int for x in value):
        raise Refusal(where, f"{value!r:.60} is not a pair of offsets")
    return bounds(value[0], value[1], length, where)


def bounds(start: int, end: int, length: int, where: str) -> Span:
    """Checks a span: 0 <= start < end <= length."""
    if not 0 <= start < end <= length:
        raise Refusal(where, f"{start} to {end} is not a stretch of the text, which has {length} characters")
    return start, end
