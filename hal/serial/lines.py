"""Assembles the bytes of a serial line into checked lines of text. Pure: no port, no time.

A line begins after a line end or after a silence, and ends at its line end. If lines have a start, a line is what
comes between a start and the next end. What comes out depends on the bytes only, and not on how they were cut into
reads.

- ``xor``, ``sum``: at the end of a line, ``*`` and two hex digits of either case, ``17*06``: the exclusive or, or
  the lowest eight bits of the sum, of every byte before that ``*``, except a ``$`` or ``!`` at the beginning of the
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

    def carries(self, text: str) -> bool:
        """Whether a text can come as a line: it is not cut, and not too long with its checksum."""
        length = len(text) + (3 if self.checksum in ("xor", "sum") else 0)
        marks = (mark.decode("ascii") for mark in (self.start, self.end) if mark)
        return (
            text.isascii()
            and text.isprintable()
            and length <= self.longest
            and not any(one in text for one in marks)
        )


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
    """Assembles lines from the bytes as they are read. Whatever comes before the start of a line is dropped."""

    def __init__(self, framing: Framing) -> None:
        self._framing = framing
        self._held = bytearray()
        self._skips = False
        """The rest of a refused line is being skipped."""
        self._began_inside = False

    @property
    def pending(self) -> bool:
        """A line has begun and not ended."""
        return self._skips or (bool(self._held) and self._held.startswith(self._framing.start))

    @property
    def held(self) -> int:
        """The number of buffered bytes."""
        return len(self._held)

    def begin(self, *, at_start: bool = True) -> None:
        """Start again, and drop the held bytes.

        Args:
            at_start: the next byte begins a line. If not, and if nothing marks the start of a line, the bytes up to
                the next line end are a partial line.
        """
        self._held.clear()
        self._skips, self._began_inside = False, not at_start and not self._framing.start

    def feed(self, data: bytes) -> list[TextLine | Broken]:
        """Take bytes; returns the lines that end in them, and refused ones, in order."""
        start, end, longest = self._framing.start, self._framing.end, self._framing.longest
        if not end:
            return [TextLine(chr(byte)) for byte in data]
        results: list[TextLine | Broken] = []
        if self._began_inside and data:
            results.append(Broken(Reason.HALF_LINE))
            self._began_inside, self._skips = False, True
        self._held += data
        while self._held:
            begins, first_end = 0 if self._skips else self._held.find(start), self._held.find(end)
            if begins < 0 and first_end < 0:
                self._keep_last(max(len(start), len(end)) - 1)
                break
            if begins < 0 or 0 <= first_end < begins:
                results.append(Broken(Reason.HALF_LINE))
                del self._held[: first_end + len(end)]
                continue
            del self._held[:begins]
            after = 0 if self._skips else len(start)
            at = self._held.find(end, after)
            if at < 0:
                if not self._skips and len(self._held) > after + longest + len(end) - 1:
                    results.append(Broken(Reason.TOO_LONG, bytes(self._held[after : after + longest])))
                    self._skips = True
                if self._skips:
                    self._keep_last(len(end) - 1)
                break
            stops = at + len(end) + (self._framing.checksum == "bcc")
            if stops > len(self._held):
                break
            if not self._skips:
                results.append(_checked(bytes(self._held[after:at]), self._framing, bytes(self._held[at:stops])))
            self._skips = False
            del self._held[:stops]
        return results

    def silence(self) -> list[TextLine | Broken]:
        """End a partial line after a long silence: its rest will not come."""
        half = bytes(self._held[: self._framing.longest])
        skipped = self._skips or not self.pending
        self.begin()
        return [] if skipped else [Broken(Reason.HALF_LINE, half)]

    def _keep_last(self, count: int) -> None:
        """Drop all but the bytes in which a start or an end may have begun."""
        del self._held[: max(0, len(self._held) - count)]


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
