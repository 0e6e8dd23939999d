"""Reads data back from JSON exactly as it was written: every field, no other one, each of its own type.

By default pydantic fills in a missing field, ignores an unknown one, and converts the text "1" to the number 1. It
would accept the checkpoint of another version with another meaning.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pydantic import Field, TypeAdapter, ValidationError

T = TypeVar("T")
_SNAPSHOT = ("state", "data", "lit")
_AT_TIMES = ("held", "locked_by")
"""Left out while they are empty, so older checkpoints remain complete."""
ADDED = Field(exclude_if=lambda value: not value)
"""Marks a field that a later version added to the data: left out while empty, so older checkpoints remain complete.

Usage: ``tossed: Annotated[bool, ADDED] = False``.
"""


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


def _check_keys(kept: Mapping[str, object], keys: Iterable[str]) -> None:
    """Check that these keys are present, and no others.

    Raises:
        ValueError: one is missing or unknown; the message names each.
    """
    if wrong := list(_keys("", dict.fromkeys(keys), kept)):
        raise ValueError("; ".join(wrong))


@dataclass(frozen=True, slots=True)
class SnapshotHead:
    """A machine's snapshot but for the data of its game."""

    state: str
    lit: tuple[str, ...]
    held: bool
    locked_by: tuple[str, ...]


def snapshot_head(snapshot: Mapping[str, object], states: Collection[str]) -> SnapshotHead:
    """The head of a snapshot.

    Args:
        states: of the game.

    Raises:
        ValueError: the state is not of this game, or a field is missing, unknown or of another type; the message
            names the field.
    """
    held, locked_by = snapshot.get("held", False), snapshot.get("locked_by", [])
    _check_keys(snapshot, (*_SNAPSHOT, *(key for key in _AT_TIMES if key in snapshot)))
    state, lit = snapshot["state"], snapshot["lit"]
    if not isinstance(state, str):
        raise ValueError("state: of another type: it is a text")
    if state not in states:
        raise ValueError(f"the journal is at state '{state}', which this game does not have")
    for key, value in (("lit", lit), ("locked_by", locked_by)):
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise ValueError(f"{key}: of another type: it is a list of texts")
    if not isinstance(held, bool):
        raise ValueError("held: of another type: it is true or false")
    return SnapshotHead(state, _texts(lit), held, _texts(locked_by))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


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
