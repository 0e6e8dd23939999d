"""The types of values in a file. The models of sections, drivers' options and games' rules are made of them.

Every scalar arrives as text, as it was written. Numbers, true and false are plain ``int``, ``Decimal``, ``float``
and ``bool`` in a model: :mod:`config.validation` checks that they are written in the one way that is allowed.
"""

import re
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from ipaddress import ip_address
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from config.problems import quoted

NS_PER_S = 1_000_000_000
NAME_PATTERN = r"^[a-z0-9][a-z0-9-]{0,39}$"


class Section(BaseModel):
    """A part of a file. Unknown keys are errors; the values cannot be changed once read."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, defer_build=True)


class FileName(str):
    """The path of a file, so that ``check`` finds all of them in a model."""

    __slots__ = ()


def number(low: str | int, high: str | int, description: str, default: Any = ..., **more: Any) -> Any:
    """A field for a number in a range; a default as text is a decimal number."""
    least, most, usual = (Decimal(one) if isinstance(one, str) else one for one in (low, high, default))
    return Field(usual, ge=least, le=most, description=description, **more)


Pin = Annotated[int, Field(ge=2, le=27, description="BCM number of a pin of the 40-pin header")]
Output = Annotated[int, Field(ge=0, le=511, description="output number of a lamp")]
Port = Annotated[int, Field(ge=1, le=65_535)]


def _text(**shape: Any) -> Any:
    """What the schema for editors says of a text: YAML has a number where the text has digits alone."""
    return WithJsonSchema({"type": ["string", "integer"], **shape})


_SHOWS_NOTHING = re.compile(
    r"[\s\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Blanks, fillers and selectors that count as printable. The YAML reader refuses other invisible characters."""


def seen(text: str) -> str:
    """The visible characters of a text."""
    return _SHOWS_NOTHING.sub("", text)


def _readable(text: str) -> str:
    if not seen(text):
        raise ValueError("the text has no visible character; write letters, digits or signs")
    return text


Code = Annotated[str, Field(min_length=1, max_length=80), _text(minLength=1, maxLength=80)]
"""What a device sends; it may be a blank."""
Text = Annotated[
    str, Field(min_length=1, max_length=80), AfterValidator(_readable), _text(minLength=1, maxLength=80)
]
File = Annotated[
    str, Field(min_length=1, max_length=500), AfterValidator(FileName), _text(minLength=1, maxLength=500)
]
Name = Annotated[str, Field(pattern=NAME_PATTERN), _text(pattern=NAME_PATTERN)]


def _is_address(text: str) -> bool:
    with suppress(ValueError):
        return bool(ip_address(text))
    return False


def _address(text: str) -> str:
    if not _is_address(text):
        raise ValueError("give a numeric address, such as 127.0.0.1; names belong under hosts")
    return text


def _host(text: str) -> str:
    if not _is_address(text) and not _HOST.fullmatch(text):
        raise ValueError(
            f"no request can name {quoted(text)}; write a name without port, path or '*', or an address"
        )
    return text


_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?", re.ASCII | re.IGNORECASE)
Address = Annotated[str, AfterValidator(_address)]
Host = Annotated[str, Field(max_length=253), AfterValidator(_host)]


def _odds(value: object) -> object:
    """Accept '9 to 1', '9' and '3 to 2'."""
    if not isinstance(value, str):
        return value
    words = value.split()
    if len(words) == 3 and words[1] == "for":
        raise ValueError("odds are worded 'N to 1', never 'for'")
    parts = [words[0], words[2]] if len(words) == 3 and words[1] == "to" else [value.strip(), "1"]
    if not all(part.isascii() and part.isdigit() and len(part) <= 6 and int(part) > 0 for part in parts):
        raise ValueError("write the odds as 'N to 1', for example '9 to 1'")
    return Fraction(int(parts[0]), int(parts[1]))


Odds = Annotated[Fraction, BeforeValidator(_odds), _text(examples=["9 to 1"])]
