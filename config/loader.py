"""Reads a table's file, or the floor's: text to data with places, data to the model, then the rules.

What a game or the hardware demands is handed in as rules, so that nothing here depends on either.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pydantic import BaseModel

from config.problems import ConfigError, Finding, Problem, not_a_file
from config.problems import Path as Place
from config.schema import TableConfig
from config.validation import schema_of, stand_in, validate
from config.yaml_source import parse

if TYPE_CHECKING:
    from config.floor import FloorConfig

Rule: TypeAlias = Callable[[TableConfig], Iterable[Finding]]
"""A check of a table beyond the schema: yields what is wrong with it."""

MAX_BYTES = 1 << 20

M = TypeVar("M", bound=BaseModel)

_TABLES, _FLOORS = ("table", "table-controller check FILE"), ("floor", "table-controller floor FILE --check")
"""The kinds of files: the key that only such a file has, and the command that checks it."""


def load_text(data: bytes, name: str, rules: Sequence[Rule] = ()) -> TableConfig:
    """Read the contents of a table's file.

    Args:
        name: the file's name as the messages give it.

    Raises:
        ConfigError: the contents hold mistakes; it lists all of them.
    """
    return _load(data, name, TableConfig, rules, _TABLES, _FLOORS)


def load_floor(
    data: bytes, name: str, rules: Sequence[Callable[["FloorConfig"], Iterable[Finding]]] = ()
) -> "FloorConfig":
    """Read the contents of a floor's file; as :func:`load_text`."""
    from config.floor import FloorConfig  # No table needs it.

    return _load(data, name, FloorConfig, rules, _FLOORS, _TABLES)


def json_schema(floor: bool = False) -> dict[str, object]:
    """The shape of a table's file, or of a floor's, as a JSON Schema for editors that check YAML."""
    from config.floor import FloorConfig

    model, title = (FloorConfig, "Floor") if floor else (TableConfig, "Table")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema_of(model), "title": title}


def digest(data: bytes) -> str:
    """SHA-256 of a file's bytes, in hexadecimal, by which the journal identifies the configuration of a round."""
    return hashlib.sha256(data).hexdigest()


def read(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        ConfigError: it cannot be read, is too large, or is no file.
    """
    message, remedy, data = "", "check the name and the folder", b""
    if kind := not_a_file(path):  # To open a pipe would wait for ever.
        message, remedy = f"this is {kind}", "name a file"
    else:
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            message = "there is no such file"
        except PermissionError:
            message, remedy = "this user may not read the file", "let this user read it, as with: chmod a+r"
        except (OSError, ValueError) as error:
            message = f"the file cannot be read: {getattr(error, 'strerror', None) or error}"
    if len(data) > MAX_BYTES:
        message, remedy = "the file is larger than 1 MiB", "check that this is a configuration"
    if message:
        raise ConfigError([Problem(str(path), 1, 1, "", message, remedy)])
    return data


def _load(
    data: bytes,
    name: str,
    model: type[M],
    rules: Sequence[Callable[[M], Iterable[Finding]]],
    kind: tuple[str, str],
    other: tuple[str, str],
) -> M:
    own, (key, command) = kind[0], other
    source = parse(data, name, own)
    if (key,) in source.spots and (own,) not in source.spots:
        message, remedy = f"this is a {key}'s file, not a {own}'s", f"check it with: {command}"
        raise ConfigError([source.problem(Finding((key,), message, remedy, on_key=True))])
    checked, refused, doubtful = as_far_as_valid(source.data, model)
    ruled = [found for rule in rules for found in rule(checked)] if checked is not None else []
    findings = [*refused, *(found for found in ruled if not _is_about(found, doubtful))]
    problems = [*source.problems, *map(source.problem, findings)]
    if problems or checked is None:
        raise ConfigError(problems)
    return checked


def as_far_as_valid(
    data: object, model: type[M], at: Place = ()
) -> tuple[M | None, Sequence[Finding], Sequence[Finding]]:
    """The model made of data without their mistakes, so that one does not hide another; None if that is impossible.

    Args:
        at: where the data are in the file.

    Returns:
        also what is wrong; and that with what is wrong because of it.
    """
    made, refused = validate(data, model, at)
    doubtful = list(refused)
    for _ in range(2):  # A section may lack something only once a mistake in it is gone.
        if made is None:
            data = _repaired(data, [found._replace(path=found.path[len(at) :]) for found in doubtful], model)
            made, more = validate(data, model, at)
            doubtful += more
    return made, refused, doubtful


def _repaired(data: object, refused: Sequence[Finding], model: type[BaseModel]) -> object:
    """The data without mistakes, so that one does not hide another.

    Refused values are left out, or replaced if they are required.
    """
    data = deepcopy(data)
    for found in refused:
        section: Any = data
        with suppress(LookupError, TypeError):  # Another mistake is in a section around this one.
            for part in found.path[:-1]:
                section = section[part]
            if (value := stand_in(model, found.path)) is not None:
                section[found.path[-1]] = value
            else:
                section.pop(found.path[-1], None)
    return data


def _is_about(found: Finding, refused: Iterable[Finding]) -> bool:
    """Whether a finding depends on a refused value, or on a section that lacks one."""

    def related(one: Place, other: Place) -> bool:
        depth = min(len(one), len(other))
        return one[:depth] == other[:depth]

    return any(related(path, one.path) for path in (found.path, *found.see) for one in refused)
