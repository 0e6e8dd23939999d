"""Reads a table's file, or the floor's. Used by every command that takes one.

Bytes to text (:mod:`config.characters`), text to data with positions (:mod:`config.positions`), data to the model
(:mod:`config.schema`), then the rules of the game and of the hardware, which the caller passes. Every problem that
can be found is reported at once, each on its line.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from config import positions
from config.characters import decode
from config.error_messages import findings_from_validation_error
from config.json_schema import floor_schema, json_schema, place_at, schema_of
from config.partial import Partial
from config.placeholders import stand_in
from config.problems import ConfigError, Finding, Problem, dotted
from config.schema import TableConfig

if TYPE_CHECKING:
    from config.floor import FloorConfig

__all__ = [
    "MAX_BYTES",
    "Rule",
    "digest",
    "findings_from_validation_error",
    "floor_schema",
    "is_consequence",
    "json_schema",
    "load",
    "load_floor",
    "load_text",
    "problem_of",
    "read",
    "validate",
]

Rule: TypeAlias = Callable[[TableConfig], Iterable[Finding]]
"""A check of a table beyond the schema: yields what is wrong with it."""

MAX_BYTES = 1 << 20

M = TypeVar("M", bound=BaseModel)


def load(path: Path, rules: Sequence[Rule] = ()) -> TableConfig:
    """Read a table's file.

    Raises:
        ConfigError: the file cannot be read, or holds mistakes; it lists all of them.
    """
    return load_text(read(path), str(path), rules)


def load_text(text: bytes, name: str, rules: Sequence[Rule] = ()) -> TableConfig:
    """Read the contents of a table's file.

    Args:
        name: the file's name as the messages give it.

    Raises:
        ConfigError: the contents hold mistakes; it lists all of them.
    """
    return _load(text, name, TableConfig, rules)


def load_floor(text: bytes, name: str) -> "FloorConfig":
    """Read the contents of a floor's file; as :func:`load_text`."""
    from config.floor import FloorConfig

    return _load(text, name, FloorConfig, ())


def _load(text: bytes, name: str, model: type[M], rules: Sequence[Callable[[M], Iterable[Finding]]]) -> M:
    if len(text) > MAX_BYTES:
        raise _unusable(name, "the file is larger than 1 MiB", "check that this is a configuration")
    source = positions.parse(decode(text, name), name)
    config, findings = validate(source.data, model)
    findings = [found for found in findings if not is_consequence(found, source)]
    findings += _rules_findings(source, findings, model, rules)
    problems = [*source.problems, *(problem_of(found, source) for found in findings)]
    if problems or config is None:
        raise ConfigError(problems)
    return config


def digest(data: bytes) -> str:
    """SHA-256 of a file's bytes, in hexadecimal, by which the journal identifies the configuration of a round."""
    return hashlib.sha256(data).hexdigest()


def read(path: Path) -> bytes:
    """The bytes of a table's file, for :func:`load_text` and :func:`digest`; of a file too large, its beginning.

    Raises:
        ConfigError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _unusable(str(path), "there is no such file", "check the name and the folder") from None
    except IsADirectoryError:
        raise _unusable(str(path), "this is a folder", "name the file in it") from None
    except PermissionError:
        remedy = "let this user read it, for example with: chmod a+r"
        raise _unusable(str(path), "this user may not read the file", remedy) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _unusable(str(path), f"the file cannot be read: {reason}", "check the name and the disk") from None


def _unusable(name: str, message: str, remedy: str) -> ConfigError:
    return ConfigError([Problem(name, 1, 1, "", message, remedy)])


def validate(data: object, model: type[M]) -> tuple[M | None, list[Finding]]:
    """The model made of data, or None with what is wrong with it."""
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        return None, findings_from_validation_error(error, (), model)


def _rules_findings(
    source: positions.YamlSource,
    findings: Iterable[Finding],
    model: type[M],
    rules: Sequence[Callable[[M], Iterable[Finding]]],
) -> list[Finding]:
    """What the rules find in the parts of the file that the schema accepts.

    Required values that are missing or were refused are replaced by placeholders. If the rest is still not a table,
    the rules are not applied.
    """
    refused = source.refused | {found.path for found in findings if not _is_absent(found, source)}
    partial = Partial(source.data, refused)
    config, left = validate(partial.data, model)
    if any(not found.path for found in left):
        return []  # What does not fit together in the whole file has no value to be replaced.
    if left:
        root = schema_of(model)
        for found in left:
            partial.fill(found.path, stand_in(place_at(root, found.path), root))
        config, _ = validate(partial.data, model)
    if config is None:
        return []
    ruled = (_original(found, partial) for rule in rules for found in rule(config))
    return [found for found in ruled if partial.trusts(found)]


def _is_absent(found: Finding, source: positions.YamlSource) -> bool:
    """Whether the finding is about a key that the file lacks."""
    return found.path not in source.spots


def is_consequence(found: Finding, source: positions.YamlSource) -> bool:
    """Whether the finding is about a value that was refused before the schema saw it."""
    depths = range(1, len(found.path) + (not found.on_key))
    return any(found.path[:depth] in source.refused for depth in depths)


def _original(found: Finding, partial: Partial) -> Finding:
    return found._replace(
        path=partial.original(found.path), see=tuple(partial.original(path) for path in found.see)
    )


def problem_of(found: Finding, source: positions.YamlSource) -> Problem:
    """A finding with its position in the file."""
    mark = source.find(found.path, found.on_key)
    cited = (source.find(path) for path in found.see if path in source.spots)
    also = "".join(f" (also {source.name}:{at.line}:{at.column})" for at in cited)
    return Problem(source.name, mark.line, mark.column, dotted(found.path), found.message + also, found.remedy)
