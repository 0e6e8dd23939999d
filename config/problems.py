"""What is wrong with a table's file: said by the loader and the rules, printed by ``check`` and ``run``."""

from collections.abc import Iterable
from dataclasses import dataclass

Path = tuple[str | int, ...]
"""A place in the file: keys and, within lists, positions from 0. ``()`` is the whole file."""

_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Problem:
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
        said = f"{self.message}; {self.remedy}" if self.remedy else self.message
        return f"{self.file}:{self.line}:{self.column}: " + (f"{self.key}: {said}" if self.key else said)


class ConfigError(Exception):
    """The file cannot be used."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))
        """Every problem that was found, in the order of the file."""
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem by its path. The loader, which knows where each key stands, makes a :class:`Problem` of it."""

    path: Path
    """The place, or one that the file lacks: then the nearest section around it is shown."""
    message: str
    remedy: str = ""
    see: tuple[Path, ...] = ()
    """Other places the finding rests on, each cited by line where it stands in the file. A finding that rests on
    a value which was itself refused is dropped, so name here every value that was compared."""
    on_key: bool = False
    """Point to the key rather than to its value."""


def dotted(path: Path) -> str:
    """A path as it is printed."""
    return ".".join(str(part) for part in path)


def counted(number: int, one: str, more: str = "") -> str:
    """A number of things: '1 key', '2 keys'."""
    return f"{number} {one if number == 1 else more or one + 's'}"


def quoted(text: str) -> str:
    """Text from the file for use in a message, shortened."""
    return f"'{text}'" if len(text) <= _LONGEST else f"'{text[:_LONGEST]}…' ({len(text)} characters)"
