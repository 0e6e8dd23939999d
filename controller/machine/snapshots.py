"""Reads data back from JSON exactly as it was written: every field, no other one, each of its own type.

By default pydantic fills in a missing field, ignores an unknown one, and converts the text "1" to the number 1. It
would accept the checkpoint of another version with another meaning.
"""

import json
from collections.abc import Iterator, Mapping
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

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
        raise ValueError("; ".join(_problem(name, one) for one in error.errors(include_url=False))) from error
    # Written again, the value differs where a default was filled in or a field was ignored.
    given, read = dict(_parts(name, kept)), dict(_parts(name, adapter.dump_python(value, mode="json")))
    wrong = [f"{place}: missing" for place in read.keys() - given.keys()]
    wrong += [f"{place}: unknown" for place in given.keys() - read.keys()]
    for place in given.keys() & read.keys():
        if given[place] != read[place]:
            wrong.append(f"{place}: {given[place]!r} is read as {read[place]!r}")
    if wrong:
        raise ValueError("; ".join(sorted(wrong)))
    return value


def _problem(name: str, found: ErrorDetails) -> str:
    place = ".".join(map(str, (name, *found["loc"]))).removeprefix(".")
    return f"{place}: missing" if found["type"] == "missing" else f"{place}: of another type: {found['msg']}"


def _parts(place: str, value: object) -> Iterator[tuple[str, object]]:
    """Every part of plain data with its place; of mappings and lists their type."""
    if not isinstance(value, Mapping | list):
        yield place, value
        return
    yield place, type(value)
    for key, part in value.items() if isinstance(value, Mapping) else enumerate(value):
        yield from _parts(f"{place}.{key}".removeprefix("."), part)
