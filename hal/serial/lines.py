"""Assembles the bytes of a serial line into checked lines of text. Pure: no port, no time.

A line begins after a line end or after a silence, and ends at its line end. What comes out depends on the bytes
only, and not on how they were cut into reads.

The checksum is at the end of a line: ``*`` and two hex digits of either case, ``17*06``. It covers every byte
before that ``*``, except a ``$`` or ``!`` at the beginning of the line; the ``*``, the digits and the line end are
not covered. That is the checksum of NMEA 0183 (https://gpsd.io/NMEA.html).

- ``xor``: the exclusive or of these bytes.
- ``sum``: the lowest eight bits of their sum.

The text of a line is the part before the ``*``, including the ``$`` or ``!``.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import xor
from typing import Literal

Checksum = Literal["none", "xor", "sum"]

_NOT_TEXT = re.compile(rb"[^\x20-\x7e]")
_CHECKED = re.compile(rb"([$!]?(.*))\*([0-9A-Fa-f]{2})")
_SHOWN = 40
_ESCAPE = re.compile(r"\\(?:([rnt\\])|x([0-9A-Fa-f]{2})|)")
_PLAIN = {"r": "\r", "n": "\n", "t": "\t", "\\": "\\"}


class Reason(StrEnum):
    """Why a line is refused."""

    HALF_LINE = "half line"
    WRONG_CHECKSUM = "wrong checksum"
    NOT_TEXT = "not text"
    TOO_LONG = "too long"
    NO_MATCH = "does not match the pattern"


@dataclass(frozen=True, slots=True)
class TextLine:
    """A valid line, without its checksum and its end."""

    text: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A refused line, and the beginning of its bytes."""

    reason: Reason
    sent: bytes = b""

    def __str__(self) -> str:
        if not self.sent:
            return str(self.reason)
        more = "…" if len(self.sent) > _SHOWN else ""
        return f"{self.reason}: {repr(self.sent[:_SHOWN])[1:]}{more}"


@dataclass(frozen=True, slots=True)
class Framing:
    """How lines are separated and checked."""

    end: bytes = b"\r\n"
    """The line end; empty if every byte is a line by itself, text or not."""
    checksum: Checksum = "none"
    longest: int = 80
    """The bytes of the longest line, with its checksum and without its end."""


def spelled(text: str) -> str:
    r"""A text with its escapes ``\r``, ``\n``, ``\t``, ``\x03`` and ``\\`` replaced.

    Raises:
        ValueError: a backslash is followed by something else.
    """

    def character(escape: re.Match[str]) -> str:
        letter, figures = escape.groups()
        if not escape.group()[1:]:
            raise ValueError(r"a backslash stands alone; write \r, \n, \t, \x and two hex digits, or \\ for itself")
        return chr(int(figures, 16)) if figures else _PLAIN[letter]

    return _ESCAPE.sub(character, text)


def checksum_of(body: bytes, kind: Checksum) -> int:
    """The checksum over these bytes."""
    return reduce(xor, body, 0) if kind == "xor" else sum(body) & 0xFF


class LineReader:
    """Assembles lines from the bytes as they are read."""

    def __init__(self, framing: Framing) -> None:
        self._framing = framing
        self._held = bytearray()
        self._skips = False
        """The rest of a refused line is being skipped."""
        self._began_inside = False

    @property
    def pending(self) -> bool:
        """A line has begun and not ended."""
        return bool(self._held) or self._skips

    @property
    def held(self) -> int:
        """The number of buffered bytes."""
        return len(self._held)

    def begin(self, *, at_start: bool = True) -> None:
        """Start again, and drop the held bytes.

        Args:
            at_start: the next byte begins a line. If not, the bytes up to the next line end are a partial line.
        """
        self._held.clear()
        self._skips, self._began_inside = False, not at_start

    def feed(self, data: bytes) -> list[TextLine | Broken]:
        """Take bytes; returns the lines that end in them, and refused ones, in order."""
        end = self._framing.end
        if not end:
            return [TextLine(chr(byte)) for byte in data]
        results: list[TextLine | Broken] = []
        if self._began_inside and data:
            results.append(Broken(Reason.HALF_LINE))
            self._began_inside, self._skips = False, True
        self._held += data
        while (at := self._held.find(end)) >= 0:
            line = bytes(self._held[:at])
            del self._held[: at + len(end)]
            if not self._skips:
                results.append(self._checked(line))
            self._skips = False
        results += self._bounded()
        return results

    def silence(self) -> list[TextLine | Broken]:
        """End a partial line after a long silence: its rest will not come."""
        half = bytes(self._held[: self._framing.longest])
        skipped = self._skips or not half
        self.begin()
        return [] if skipped else [Broken(Reason.HALF_LINE, half)]

    def _bounded(self) -> list[Broken]:
        """Refuse a line as soon as it is too long; keep only the bytes that may begin its line end."""
        part_of_end, longest = len(self._framing.end) - 1, self._framing.longest
        results = []
        if not self._skips and len(self._held) > longest + part_of_end:
            results.append(Broken(Reason.TOO_LONG, bytes(self._held[:longest])))
            self._skips = True
        if self._skips:
            del self._held[: len(self._held) - part_of_end]
        return results

    def _checked(self, line: bytes) -> TextLine | Broken:
        """Check a complete line: its length, its characters and its checksum."""
        kind = self._framing.checksum
        if len(line) > self._framing.longest:
            return Broken(Reason.TOO_LONG, line[: self._framing.longest])
        if _NOT_TEXT.search(line):
            return Broken(Reason.NOT_TEXT, line)
        if kind == "none":
            return TextLine(line.decode("ascii"))
        parts = _CHECKED.fullmatch(line)
        if parts is None or checksum_of(parts[2], kind) != int(parts[3], 16):
            return Broken(Reason.WRONG_CHECKSUM, line)
        return TextLine(parts[1].decode("ascii"))
