"""Reads data back from JSON exactly as it was written: every field, no other one, each of its own type.

By default pydantic fills in a missing field, ignores an unknown one, and converts the text "1" to the number 1. It
would accept the checkpoint of another version with another meaning.
"""

import json
from collections.abc import Iterator, Mapping
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


def read_back(adapter: TypeAdapter[T], kept: object, name: str = "") -> T:
    """The value of data that ``adapter.dump_python(…, mode="json")`` made.

    Args:
        name: of the data, for the messages; empty for none.

    Raises:
        ValueError: a field is missing, unknown or of another type. The message names each: ``data.round: missing``.
    """
    try:
        value = adapter.validate_json(json.dumps(kept), strict=True)
    except ValidationError as error:
        wrong = [
            _problem(_path(name, *one["loc"]), one["type"], one["msg"]) for one in error.errors(include_url=False)
        ]
        raise ValueError("; ".join(wrong)) from error
    # Written again, the value differs where a default was filled in or a field was ignored.
    if wrong := list(_differing(name, adapter.dump_python(value, mode="json"), kept)):
        raise ValueError("; ".join(wrong))
    return value


def _problem(place: str, kind: str, words: str) -> str:
    return f"{place}: missing" if kind == "missing" else f"{place}: of another type: {words}"


def _differing(place: str, written: object, kept: object) -> Iterator[str]:
    if isinstance(written, Mapping) and isinstance(kept, Mapping):
        yield from _keys(place, written, kept)
        for key in written.keys() & kept.keys():
            yield from _differing(_path(place, key), written[key], kept[key])
    elif isinstance(written, list) and isinstance(kept, list) and len(written) == len(kept):
        for number, (one, other) in enumerate(zip(written, kept, strict=True)):
            yield from _differing(_path(place, number), one, other)
    elif written != kept:
        yield f"{place}: {kept!r} is read as {written!r}"


def _keys(place: str, expected: Mapping[str, object], found: Mapping[str, object]) -> Iterator[str]:
    yield from (f"{_path(place, key)}: missing" for key in expected if key not in found)
    yield from (f"{_path(place, key)}: unknown" for key in found if key not in expected)


def _path(*parts: object) -> str:
    return ".".join(str(part) for part in parts if part != "")
