"""Data that was kept as JSON is read back as it was written: every field, no other one, each of its own type.

By itself pydantic takes a missing field's default, passes over one that it does not know, and makes the number 1 of
the text "1". A checkpoint that another version wrote would then be taken for what it is not.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


def read_back(adapter: TypeAdapter[T], kept: object, name: str) -> T:
    """What was kept, as ``adapter.dump_python(…, mode="json")`` gave it.

    Args:
        name: of the whole, for the messages.

    Raises:
        ValueError: a field is missing, unknown or of another type. The message names each: ``data.round: missing``.
    """
    try:
        value = adapter.validate_json(json.dumps(kept), strict=True)
    except ValidationError as error:
        wrong = [
            _told(".".join(map(str, (name, *one["loc"]))), one["type"], one["msg"])
            for one in error.errors(include_url=False)
        ]
        raise ValueError("; ".join(wrong)) from error
    # What is written again differs where a default was taken, or a field was passed over.
    if wrong := list(_differing(name, adapter.dump_python(value, mode="json"), kept)):
        raise ValueError("; ".join(wrong))
    return value


def check_keys(kept: Mapping[str, object], keys: Iterable[str], name: str = "") -> None:
    """See that these keys are there, and no other.

    Raises:
        ValueError: one is missing or unknown; the message names each.
    """
    if wrong := list(_keys(name, dict.fromkeys(keys), kept)):
        raise ValueError("; ".join(wrong))


def _told(place: str, kind: str, words: str) -> str:
    return f"{place}: missing" if kind == "missing" else f"{place}: of another type: {words}"


def _differing(place: str, written: object, kept: object) -> Iterator[str]:
    if isinstance(written, Mapping) and isinstance(kept, Mapping):
        yield from _keys(f"{place}.", written, kept)
        for key in written.keys() & kept.keys():
            yield from _differing(f"{place}.{key}", written[key], kept[key])
    elif isinstance(written, list) and isinstance(kept, list) and len(written) == len(kept):
        for number, (one, other) in enumerate(zip(written, kept, strict=True)):
            yield from _differing(f"{place}.{number}", one, other)
    elif written != kept:
        yield f"{place}: {kept!r} is read as {written!r}"


def _keys(before: str, expected: Mapping[str, object], found: Mapping[str, object]) -> Iterator[str]:
    yield from (f"{before}{key}: missing" for key in expected if key not in found)
    yield from (f"{before}{key}: unknown" for key in found if key not in expected)
