"""Problems of a table's file, found by the loader and the rules, and printed by ``check`` and ``run``."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

Path = tuple[str | int, ...]
"""A place in the file: keys and, within lists, positions from 0. ``()`` is the whole file."""

_LONGEST = 40
_MOST = 100
"""Problems that are listed; nobody reads more, and a file may have a million."""


class Problem(NamedTuple):
    """One thing that has to be changed in the file."""

    file: str
    line: int
    """Counted from 1."""
    column: int
    """Counted from 1, in characters."""
    key: str
    """Dotted path of the key; empty for the whole file."""
    message: str
    remedy: str

    def __str__(self) -> str:
        text = f"{self.message}; {self.remedy}" if self.remedy else self.message
        return f"{self.file}:{self.line}:{self.column}: " + (f"{self.key}: {text}" if self.key else text)


def listed(problems: Sequence["Problem"]) -> Iterator[str]:
    """Problems as text, a line each; of very many the first, and how many more there are."""
    yield from map(str, problems[:_MOST])
    if (more := len(problems) - _MOST) > 0:
        yield f"{problems[0].file}: and {counted(more, 'problem')} more; correct these first"


class ConfigError(Exception):
    """The file cannot be used."""

    exit_code = 78
    """Of a command that the error ends: EX_CONFIG."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))
        """Every problem that was found, in the order of the file."""
        super().__init__("\n".join(listed(self.problems)))


class Finding(NamedTuple):
    """A problem by its path. :meth:`config.yaml_source.YamlSource.problem` adds the place."""

    path: Path
    """The place, or one that the file lacks: then the nearest section around it is shown."""
    message: str
    remedy: str = ""
    see: tuple[Path, ...] = ()
    """Other values that were compared, each cited with its place. A finding on a refused value is dropped."""
    on_key: bool = False
    """Point to the key rather than to its value."""


def dotted(path: Path) -> str:
    """A path as text: ``devices.head.pins``."""
    return ".".join(str(part) for part in path)


def counted(number: int, one: str, more: str = "") -> str:
    """A number of things: '1 key', '2 keys'."""
    return f"{number} {one if number == 1 else more or one + 's'}"


def quoted(text: str) -> str:
    """Text from the file for use in a message, shortened."""
    return f"'{text}'" if len(text) <= _LONGEST else f"'{text[:_LONGEST]}…' ({len(text)} characters)"


_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


def not_a_file(path: str | os.PathLike[str]) -> str:
    """What is at a path where a file is wanted, such as 'a folder'; empty for a file, or for nothing."""
    with suppress(OSError, ValueError):
        kind = stat.S_IFMT(os.stat(path).st_mode)
        return "" if kind == stat.S_IFREG else _KINDS.get(kind, "a device")
    return ""


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """``did you mean NAME?`` for the name that is most alike; empty if none is."""
    from difflib import get_close_matches  # Only a mistake needs it.

    near = get_close_matches(word, list(names), n=1) if len(word) <= 60 else []  # Longer words take long.
    return f"did you mean {near[0]}?" if near else ""
