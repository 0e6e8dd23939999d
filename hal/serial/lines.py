"""Assembles the bytes of a serial line into checked lines of text. Pure: no port, no time.

A line begins after a line end or after a silence, and ends at its line end. If lines have a start, a line is what
comes between a start and the next end. What comes out depends on the bytes only, and not on how they were cut into
reads.

- ``xor``, ``sum``: at the end of a line, ``*`` and two hex digits of either case, ``17*06``: the exclusive or, or
  the
  lowest eight bits of the sum, of every byte before that ``*``, except a ``$`` or ``!`` at the beginning of the
  line. That is the checksum of NMEA 0183 (https://gpsd.io/NMEA.html). The text of a line is the part before the
  ``*``, including the ``$`` or ``!``.
- ``bcc``: one byte after the line end, the exclusive or of the text and the end. Only for lines with a start.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import xor
from typing import Literal

Checksum = Literal["none", "xor", "sum", "bcc"]

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
    """The bytes of the longest line, with its checksum and without its start and end."""
    start: bytes = b""
    """What begins every line; empty if nothing does."""


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
                results.append(_checked(line, self._framing))
            self._skips = False
        part_of_end, longest = len(end) - 1, self._framing.longest
        if not self._skips and len(self._held) > longest + part_of_end:
            results.append(Broken(Reason.TOO_LONG, bytes(self._held[:longest])))
            self._skips = True
        if self._skips:  # Only the bytes that may begin its line end.
            del self._held[: len(self._held) - part_of_end]
        return results

    def silence(self) -> list[TextLine | Broken]:
        """End a partial line after a long silence: its rest will not come."""
        half = bytes(self._held[: self._framing.longest])
        skipped = self._skips or not self.pending
        self.begin()
        return [] if skipped else [Broken(Reason.HALF_LINE, half)]


class FrameReader(LineReader):
    """Assembles lines that have a start. Whatever comes between two of them is dropped."""

    @property
    def pending(self) -> bool:
        return self._held.startswith(self._framing.start) or self._skips

    def feed(self, data: bytes) -> list[TextLine | Broken]:
        start, end, longest = self._framing.start, self._framing.end, self._framing.longest
        self._held += data
        results: list[TextLine | Broken] = []
        while True:
            if not self._skips:
                begins = self._held.find(start)
                if begins < 0 or 0 <= self._held.find(end) < begins:
                    _, stray, rest = self._held.partition(end)
                    results += [Broken(Reason.HALF_LINE)] if stray else []
                    kept = rest if stray else self._held[-max(len(start), len(end)) :][1:]
                    self._held = bytearray(kept)
                    if stray:
                        continue
                    return results
                del self._held[:begins]
            after = len(start) if not self._skips else 0
            at = self._held.find(end, after)
            ends = at + len(end) + (self._framing.checksum == "bcc")
            if at < 0 or ends > len(self._held):
                if at < 0 and not self._skips and len(self._held) > after + longest + len(end) - 1:
                    results.append(Broken(Reason.TOO_LONG, bytes(self._held[after : after + longest])))
                    self._skips = True
                if at < 0 and self._skips:
                    del self._held[: len(self._held) - len(end) + 1]
                return results
            if not self._skips:
                results.append(_checked(bytes(self._held[after:at]), self._framing, bytes(self._held[at:ends])))
            self._skips = False
            del self._held[:ends]


def line_reader(framing: Framing) -> LineReader:
    """What assembles lines of this kind."""
    return FrameReader(framing) if framing.start else LineReader(framing)


def _checked(line: bytes, framing: Framing, tail: bytes = b"") -> TextLine | Broken:
    """Check a complete line: its length, its characters and its checksum.

    Args:
        tail: its end and the block check, if there is one.
    """
    if len(line) > framing.longest:
        return Broken(Reason.TOO_LONG, line[: framing.longest])
    if _NOT_TEXT.search(line):
        return Broken(Reason.NOT_TEXT, line)
    text, right = line, True
    if framing.checksum == "bcc":
        right = reduce(xor, line + tail) == 0
    elif framing.checksum != "none":
        parts = _CHECKED.fullmatch(line)
        right = parts is not None and _sum(parts[2], framing.checksum) == int(parts[3], 16)
        text = parts[1] if parts is not None else line
    return TextLine(text.decode("ascii")) if right else Broken(Reason.WRONG_CHECKSUM, line)


def _sum(body: bytes, kind: Checksum) -> int:
    return reduce(xor, body, 0) if kind == "xor" else sum(body) & 0xFF
