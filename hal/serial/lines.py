"""Assembles the bytes of a serial line into checked lines of text. Pure: no port, no time.

A line begins after a line end or after a silence, and ends at its line end. What comes out depends on the bytes
only, and not on how they were cut into reads.

The checksum stands at the end of a line as ``*`` and two hex digits, of either case: ``17*06``. It is computed over
every byte before that ``*``, but for a ``$`` or ``!`` that begins the line; the ``*``, the digits and the line end
do not count. That is the checksum of NMEA 0183 (https://gpsd.io/NMEA.html).

- ``xor``: all those bytes exclusive-or'ed.
- ``sum``: the lowest eight bits of their sum.

The text of a line is what stands before the ``*``, with the ``$`` or ``!``.
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
    """A whole line that was checked, without its checksum and its end."""

    text: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that is refused, and the beginning of what was sent."""

    reason: Reason
    sent: bytes = b""

    def __str__(self) -> str:
        if not self.sent:
            return str(self.reason)
        more = "…" if len(self.sent) > _SHOWN else ""
        return f"{self.reason}: {repr(self.sent[:_SHOWN])[1:]}{more}"


@dataclass(frozen=True, slots=True)
class Framing:
    """How lines are told apart and checked."""

    end: bytes = b"\r\n"
    """The line end; empty if every byte is a line by itself, text or not."""
    checksum: Checksum = "none"
    longest: int = 80
    """The bytes of the longest line, with its checksum and without its end."""


def spelled(text: str) -> str:
    r"""The text that is meant by one in which ``\r``, ``\n``, ``\t``, ``\x03`` and ``\\`` stand for one character.

    Raises:
        ValueError: a backslash stands before something else.
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
    """Puts lines together from the bytes as they are read."""

    def __init__(self, framing: Framing) -> None:
        self._framing = framing
        self._held = bytearray()
        self._skips = False
        """The rest of a line that was refused already is passed over."""
        self._began_inside = False

    @property
    def pending(self) -> bool:
        """A line has begun and not ended."""
        return bool(self._held) or self._skips

    @property
    def held(self) -> int:
        """The bytes that are kept."""
        return len(self._held)

    def begin(self, *, at_start: bool = True) -> None:
        """Start again, and drop the held bytes.

        Args:
            at_start: the next byte begins a line. If not, the bytes up to the next line end are a partial line.
        """
        self._held.clear()
        self._skips, self._began_inside = False, not at_start

    def feed(self, data: bytes) -> list[TextLine | Broken]:
        """Take bytes; give the lines that end in them and what had to be refused, in order."""
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
        """Nothing has come for so long that a line that has begun will not end. A new one begins."""
        half = bytes(self._held[: self._framing.longest])
        skipped = self._skips or not half
        self.begin()
        return [] if skipped else [Broken(Reason.HALF_LINE, half)]

    def _bounded(self) -> list[Broken]:
        """Refuse a line as soon as it is too long, and keep of it only what may be the beginning of its end."""
        part_of_end, longest = len(self._framing.end) - 1, self._framing.longest
        results = []
        if not self._skips and len(self._held) > longest + part_of_end:
            results.append(Broken(Reason.TOO_LONG, bytes(self._held[:longest])))
            self._skips = True
        if self._skips:
            del self._held[: len(self._held) - part_of_end]
        return results

    def _checked(self, line: bytes) -> TextLine | Broken:
        """A whole line, if it is text and says what its checksum says."""
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
