"""Wheel readers and keypads on a serial line, which send lines of text. Backend ``serial``.

.. code-block:: yaml

    reader: # sends only the pocket's number
      backend: serial
      options:
        port: /dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00-port0
    keyboard:
      backend: serial
      options: {port: /dev/ttyAMA0}
      codes:
        {0: K00, 1: K01, 2: K02, 3: K03, 4: K04, 5: K05, 6: K06, 7: K07, 8: K08, 9: K09, enter: K15,
        no-more-bets: K10, done: K11, no-spin: K12, clear: K13, correct: K14}

**Readers.** The makers have no common protocol, so the table's file describes a result. The default pattern has 0,
00 and 1 to 36; on a wheel without 00 it is ``(?P<pocket>[0-9]|[12][0-9]|3[0-6])``. One that sends the state of the
wheel every second, ``*X;5;021;17;0;180;1``, has a winning number in its fourth field in state 5 only. It has two
digits: ``00`` is 0, and ``37`` is 00::

        pattern: '[*]X;5;[0-9]{3};(?P<pocket>[0-2][0-9]|3[0-7]);.*'
        ignore: '[*]X;[1-46];.*'
        names: {00: 0, 37: 00}

Both patterns are regular expressions (https://docs.python.org/3/library/re.html) for the whole line, without its
ends and its checksum, between single quotes. The text in the group ``pocket`` is a code. It means the pocket that
``names`` gives for it, or else its own number, where ``07`` is 7, and ``00`` is 00. Each pocket of the wheel has
exactly one code, and the pattern allows no others: ``check`` compares them all.

**Keypads** that send a character per key have ``line_end: none``. Unprintable characters are written with a
backslash, as :func:`hal.serial.lines.spelled` reads them.

**Frames.** STX, text, ETX and a block check character::

        line_start: '\\x02'
        line_end: '\\x03'
        checksum: bcc

``checksum`` is one of :mod:`hal.serial.lines`. Linux raises DTR and RTS for a moment as a port is opened, whatever
``dtr`` and ``rts`` say: a device that this resets is ready again after its start.

Library: https://pyserial.readthedocs.io
"""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from hal.interfaces import Clock, KeySource, ResultReader
from hal.registry import Driver, Misfits, ReaderCodes, port_file, port_pins
from hal.serial.codes import LinePattern, line_pattern
from hal.serial.lines import Checksum, Framing, spelled

NO_END = "none"
_Pocket = Annotated[str, Field(min_length=1, max_length=10)]


class PortSettings(BaseModel):
    """The port, and how lines are separated and checked."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    port: str = Field(
        pattern="^/",
        max_length=200,
        description="device file of the port, best one of /dev/serial/by-id/, which stays when plugs are changed",
    )
    baud_rate: int = Field(9600, ge=50, le=4_000_000, description="speed of the line in bits a second")
    data_bits: int = Field(8, ge=7, le=8, description="data bits of a character")
    parity: Literal["none", "even", "odd"] = Field("none", description="parity bit of a character")
    stop_bits: int = Field(1, ge=1, le=2, description="stop bits of a character")
    dtr: bool = Field(
        True, description="level of the line DTR while the port is open; some devices need it, or reset"
    )
    rts: bool = Field(True, description="level of the line RTS while the port is open")
    line_start: str = Field(
        "", max_length=8, description=r"what begins a line, such as \x02; without it whatever follows a line end"
    )
    line_end: str = Field(
        r"\r\n", min_length=1, max_length=16, description=r"what ends a line: up to four characters, such as \r\n"
    )
    checksum: Checksum = Field(
        "none", description="checksum of each line: none, xor, sum or bcc (see hal/serial/lines.py)"
    )
    longest_chars: int = Field(80, ge=1, le=1000, description="characters of the longest line, without its ends")
    silence_ms: int = Field(
        200, ge=1, le=10_000, description="silence after which a line that has begun will not end any more"
    )
    retry_s: float = Field(2.0, gt=0, le=60, description="how often a port that was lost is tried again")

    @field_validator("line_start", "line_end")
    @classmethod
    def _is_an_end(cls, text: str) -> str:
        end = spelled(text)
        if text != NO_END and not (len(end) <= 4 and end.isascii()):
            raise ValueError(rf"'{text}' cannot separate lines; write up to four characters, such as \r\n or \x03")
        return text

    @model_validator(mode="after")
    def _ends_are_not_in_the_line(self) -> Self:
        framing = self.framing
        if not framing.end and (framing.start or self.checksum != "none"):
            raise ValueError("single characters have no line_start and no checksum; remove both")
        if self.checksum != "none" and re.match(rb"[*0-9A-Fa-f]", framing.end):
            raise ValueError("the line end may be a part of the checksum; use another line_end, or no checksum")
        if self.checksum == "bcc" and not framing.start:
            raise ValueError("a block check covers what follows the start of a line; write line_start")
        if framing.start and framing.end in framing.start:
            raise ValueError("line_start contains line_end; leave out line_start: what follows an end is a line")
        return self

    @property
    def framing(self) -> Framing:
        """How lines are separated and checked."""
        end = "" if self.line_end == NO_END else spelled(self.line_end)
        start = spelled(self.line_start)
        return Framing(end.encode("ascii"), self.checksum, self.longest_chars, start.encode("ascii"))


class ReaderSettings(PortSettings):
    """A wheel reader on a serial line."""

    ignore: str | None = Field(
        None,
        max_length=200,
        description="regular expression of lines that are no results and no faults, such as status; it goes first",
    )
    pattern: str = Field(
        "(?P<pocket>00|[0-9]|[12][0-9]|3[0-6])",
        max_length=200,
        validate_default=True,
        description="regular expression that a whole result matches; its group (?P<pocket>...) is the code: exactly"
        " one for each pocket of the wheel",
    )
    names: dict[str, _Pocket] = Field(
        default_factory=dict,
        description="the pocket for each code that is not the pocket's number, as sent: {00: 0, 37: 00}",
    )

    @field_validator("ignore", "pattern")
    @classmethod
    def _is_a_pattern(cls, text: str, info: ValidationInfo) -> str:
        try:
            re.compile(text, re.ASCII)
        except (re.error, OverflowError) as error:
            raise ValueError(f"this is no regular expression: {error}; correct it at that position") from None
        if info.field_name == "pattern":
            line_pattern(text, info.data.get("ignore"))  # Its codes can be listed.
        return text

    @field_validator("names")
    @classmethod
    def _are_sent(cls, names: dict[str, str], info: ValidationInfo) -> dict[str, str]:
        if "pattern" in info.data:
            codes = line_pattern(info.data["pattern"], info.data.get("ignore")).codes
            unknown = [code for code in names if code not in codes]
            if unknown:
                raise ValueError(
                    f"the pattern never reads {', '.join(map(repr, unknown))}; write codes as they are sent, or "
                    "correct the pattern"
                )
        return names

    @field_validator("line_end")
    @classmethod
    def _has_lines(cls, text: str) -> str:
        if text == NO_END:
            raise ValueError(r"a reader sends lines; write up to four characters, such as \r\n or \x03")
        return text

    @property
    def lines(self) -> LinePattern:
        """The lines that the reader sends."""
        return line_pattern(self.pattern, self.ignore)

    @property
    def pockets(self) -> dict[str, str]:
        """The pocket of each code that the pattern can read."""
        return {code: self.names.get(code) or _number(code) for code in self.lines.codes}


class SerialKeysSettings(PortSettings):
    """A keypad on a serial line. With ``line_end: none``, every character is a key."""


def _number(code: str) -> str:
    """The pocket's name in a code without a name of its own: ``07`` is 7, and ``00`` is itself."""
    return code.lstrip("0") or "0" if code.isdigit() and code != "00" else code


def _reader_codes(settings: ReaderSettings) -> ReaderCodes:
    return [
        (("options", "names", code) if code in settings.names else ("options", "pattern"), code, pocket)
        for code, pocket in settings.pockets.items()
    ]


_CARRIED = "printable characters, at most `longest_chars`, without `line_start` and `line_end`"


def _reader_misfits(wiring: Any, settings: ReaderSettings) -> Misfits:
    """Results that would come cut, as the code of another pocket, or not at all."""
    for code, line in settings.lines.samples.items():
        if not settings.framing.carries(line):
            message = f"the line '{line}' with the code '{code}' can never come"
            yield ("options", "pattern"), message, f"let a result be {_CARRIED}"
            return


def _keys_misfits(wiring: Any, settings: SerialKeysSettings) -> Misfits:
    """Codes that no key can send, or that two keys send."""
    if not hasattr(wiring, "codes"):
        yield ("backend",), "serial finds keys by what they send", "write `codes`, in a section `keyboard`"
        return
    controls = dict[str, str]()
    for control, written in wiring.codes.items():
        what = f"the code of '{control}', '{written}',"
        try:
            code = spelled(written)
        except ValueError as error:
            yield ("codes", control), f"{what} cannot be read", str(error)
            continue
        if not settings.framing.end and (len(code) != 1 or ord(code) > 0xFF):
            yield ("codes", control), f"{what} is not one character", "correct it, or `line_end`"
        elif settings.framing.end and not settings.framing.carries(code):
            yield ("codes", control), f"{what} can never come as a line", f"write {_CARRIED}"
        elif code in controls:
            yield ("codes", control), f"'{controls[code]}' and '{control}' both send '{written}'", "correct `codes`"
        controls.setdefault(code, control)


def _open_reader(wiring: Any, settings: ReaderSettings, clock: Clock) -> ResultReader:
    from hal.serial.reader import SerialReader

    return SerialReader(settings, clock)


def _open_keys(wiring: Any, settings: SerialKeysSettings, clock: Clock) -> KeySource:
    from hal.serial.keys import SerialKeys

    return SerialKeys({spelled(code): control for control, code in wiring.codes.items()}, settings, clock)


DRIVERS = {
    "reader": Driver(ReaderSettings, _open_reader, _reader_misfits, port_pins, port_file, _reader_codes),
    "keys": Driver(SerialKeysSettings, _open_keys, _keys_misfits, port_pins, port_file),
}
