"""The ``options`` of devices on a serial line."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

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

    pattern: str = Field(
        "(?P<pocket>00|[0-9]{1,2})",
        max_length=200,
        description="regular expression that a whole result matches; its group (?P<pocket>...) is the pocket",
    )
    ignore: str | None = Field(
        None,
        max_length=200,
        description="regular expression of lines that are no results and no faults, such as status; it goes first",
    )
    names: dict[str, _Pocket] = Field(
        default_factory=dict,
        description="the pocket for what the reader sends in its place, with or without leading zeros: {37: 00}",
    )

    @field_validator("pattern", "ignore")
    @classmethod
    def _is_a_pattern(cls, text: str) -> str:
        try:
            re.compile(text, re.ASCII)
        except re.error as error:
            raise ValueError(f"this is no regular expression: {error}; correct it at that position") from None
        return text

    @field_validator("pattern")
    @classmethod
    def _has_a_pocket(cls, text: str) -> str:
        if "pocket" not in re.compile(text, re.ASCII).groupindex:
            raise ValueError("the pattern has no group 'pocket'; write (?P<pocket>...) around the number in it")
        return text

    @field_validator("line_end")
    @classmethod
    def _has_lines(cls, text: str) -> str:
        if text == NO_END:
            raise ValueError(r"a reader sends lines; write \r\n, \n, \r, or one character")
        return text


class SerialKeysSettings(PortSettings):
    """A keypad on a serial line. With ``line_end: none``, every character is a key."""


SETTINGS: Mapping[str, type[BaseModel]] = {"reader": ReaderSettings, "keys": SerialKeysSettings}
