"""Reads a recording of lines: a VCD file, as written by logic analysers, PulseView and sigrok.

Format: IEEE 1364-2005, chapter 18. Signals are found by name, in any scope of the file; case is ignored, a hyphen
equals an underscore, and signals with other names are ignored.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from io import BufferedIOBase
from pathlib import Path

from vcd.common import Timescale
from vcd.reader import ScalarChange, TokenKind, VarDecl, VCDParseError, tokenize

from hal.errors import DeviceMissingError, HalError

_ALIASES = {"encoder_index": "index"}
_NS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0, "ps": 1e-3, "fs": 1e-6}


@dataclass(frozen=True, slots=True)
class LevelChange:
    """A line that changed."""

    at_ns: int
    """Since the recording began."""
    signal: str
    level: bool


@dataclass(frozen=True, slots=True)
class Recording:
    """Signals over time."""

    first: dict[str, bool]
    """The level of each signal at the beginning, by its name."""
    changes: tuple[LevelChange, ...]
    """In order of time."""

    @property
    def end_ns(self) -> int:
        return self.changes[-1].at_ns if self.changes else 0

    def of(self, signals: Iterable[str]) -> tuple[LevelChange, ...]:
        """The changes of some signals."""
        selected = frozenset(signals)
        return tuple(change for change in self.changes if change.signal in selected)


def until(changes: tuple[LevelChange, ...], at_ns: int) -> int:
    """The number of changes up to a time."""
    return bisect_right(changes, at_ns, key=lambda change: change.at_ns)


def plain(name: str) -> str:
    """A name in the form that is compared: ``no-more-bets`` as ``no_more_bets``."""
    name = name.strip().lower().replace("-", "_")
    return _ALIASES.get(name, name)


def recording(file: str) -> Recording:
    """A file's recording.

    Raises:
        DeviceMissingError: there is no such file, or it cannot be read.
        HalError: it is not a VCD file; the message gives the line.
    """
    path = Path(file)
    try:
        return _recording(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise DeviceMissingError(f"{file}: {error.strerror}; name a VCD file") from error


@lru_cache(maxsize=4)
def _recording(path: Path, changed_ns: int) -> Recording:
    """Cached: several devices play the same file."""
    try:
        with path.open("rb") as stream:
            return _read(stream)
    except (VCDParseError, ValueError, KeyError) as error:
        raise HalError(f"{path}: this is no VCD file ({error}); export the capture as VCD") from error


def _read(stream: BufferedIOBase) -> Recording:
    names: dict[str, list[str]] = {}
    first: dict[str, bool] = {}
    levels: dict[str, bool] = {}
    changes: list[LevelChange] = []
    scale_ns, at_ns = 1.0, 0
    for token in tokenize(stream):
        data = token.data
        if isinstance(data, Timescale):
            scale_ns = data.magnitude * _NS[data.unit.value]
        elif isinstance(data, VarDecl) and data.size == 1:
            names.setdefault(data.id_code, []).append(plain(data.reference))
        elif token.kind is TokenKind.CHANGE_TIME and isinstance(data, int):
            at_ns = round(data * scale_ns)
        elif isinstance(data, ScalarChange):
            # A floating or unknown line reads high, like an open line with a pull-up at the table.
            level = data.value != "0"
            for name in names.get(data.id_code, ()):
                if levels.get(name, level) != level:  # A repeated value is not a change.
                    changes.append(LevelChange(at_ns, name, level))
                first.setdefault(name, level)
                levels[name] = level
    if not names:
        raise ValueError("it declares no signals")
    return Recording(first, tuple(changes))
