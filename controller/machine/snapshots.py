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
    wrong: list[str] = []
    try:
        value = adapter.validate_json(json.dumps(kept), strict=True)
    except ValidationError as error:
        for found in error.errors(include_url=False):
            place = ".".join(map(str, (name, *found["loc"]))).removeprefix(".")
            why = "missing" if found["type"] == "missing" else f"of another type: {found['msg']}"
            wrong.append(f"{place}: {why}")
        raise ValueError("; ".join(wrong)) from error
    # Written again, the value differs where a default was filled in or a field was ignored.
    given, read = (dict(_parts(name, one)) for one in (kept, adapter.dump_python(value, mode="json")))
    for place in sorted({*given, *read}):
        if given.get(place) != read.get(place):
            how = "missing" if place not in given else "unknown" if place not in read else "of another type"
            wrong.append(f"{place}: {how}")
    if wrong:
        raise ValueError("; ".join(wrong))
    return value


def _parts(place: str, value: object) -> Iterator[tuple[str, object]]:
    """Every part of plain data with its place; of mappings and lists their type."""
    if not isinstance(value, Mapping | list):
        yield place, (value,)
        return
    yield place, type(value)
    for key, part in value.items() if isinstance(value, Mapping) else enumerate(value):
        yield from _parts(f"{place}.{key}".removeprefix("."), part)
