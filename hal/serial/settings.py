"""The ``options`` of devices on a serial line."""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from hal.serial.codes import LinePattern, line_pattern
from hal.serial.lines import Checksum, Framing, spelled

NO_END = "none"
_ENDS = ("\r\n", "\n", "\r")
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
    line_end: str = Field(
        r"\r\n", min_length=1, max_length=8, description=r"what ends a line: \r\n, \n, \r, or one fixed character"
    )
    checksum: Checksum = Field(
        "none", description="checksum after a * at the end of each line: none, xor or sum (see hal/serial/lines.py)"
    )
    longest_chars: int = Field(80, ge=1, le=1000, description="characters of the longest line, without its end")
    silence_ms: int = Field(
        200, ge=1, le=10_000, description="silence after which a line that has begun will not end any more"
    )
    retry_s: float = Field(2.0, gt=0, le=60, description="how often a port that was lost is tried again")

    @field_validator("line_end")
    @classmethod
    def _is_an_end(cls, text: str) -> str:
        end = text if text == NO_END else spelled(text)
        if end != NO_END and end not in _ENDS and not (len(end) == 1 and end.isascii()):
            raise ValueError(rf"'{text}' is no line end; write \r\n, \n, \r, or one character")
        return text

    @model_validator(mode="after")
    def _end_is_not_in_the_checksum(self) -> Self:
        end = self.framing.end.decode("ascii")
        if self.checksum != "none" and re.fullmatch(r"[*0-9A-Fa-f]?", end):
            raise ValueError(
                "the line end may be a part of the checksum; use another line_end, or no checksum"
                if end
                else "single characters have no checksum; write checksum: none"
            )
        return self

    @property
    def framing(self) -> Framing:
        """How lines are separated and checked."""
        end = "" if self.line_end == NO_END else spelled(self.line_end)
        return Framing(end.encode("ascii"), self.checksum, self.longest_chars)


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
    def _is_a_pattern(cls, text: str) -> str:
        try:
            re.compile(text, re.ASCII)
        except (re.error, OverflowError) as error:
            raise ValueError(f"this is no regular expression: {error}; correct it at that position") from None
        return text

    @field_validator("pattern")
    @classmethod
    def _has_codes(cls, text: str, info: ValidationInfo) -> str:
        line_pattern(text, info.data.get("ignore"))
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
            raise ValueError(r"a reader sends lines; write \r\n, \n, \r, or one character")
        return text

    @property
    def lines(self) -> LinePattern:
        """The lines that the reader sends."""
        return line_pattern(self.pattern, self.ignore)

    @property
    def pockets(self) -> dict[str, str]:
        """The pocket of each code that the pattern can read."""
        return {code: self.names.get(code) or _number(code) for code in self.lines.codes}


def _number(code: str) -> str:
    """The pocket's name in a code without a name of its own: ``07`` is 7, and ``00`` is itself."""
    return code.lstrip("0") or "0" if code.isdigit() and code != "00" else code


def reader_codes(settings: ReaderSettings) -> list[tuple[tuple[str, ...], str, str]]:
    """Each code and its pocket, with the keys that decide it."""
    return [
        (("options", "names", code) if code in settings.names else ("options", "pattern"), code, pocket)
        for code, pocket in settings.pockets.items()
    ]


class SerialKeysSettings(PortSettings):
    """A keypad on a serial line. With ``line_end: none``, every character is a key."""


SETTINGS: Mapping[str, type[BaseModel]] = {"reader": ReaderSettings, "keys": SerialKeysSettings}
READER_CODES: Callable[[Any], list[tuple[tuple[str, ...], str, str]]] = reader_codes
