"""The types of values in a file, each with its validation and its JSON Schema for editors."""

from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from config.scalars import read_whole

NAME_PATTERN = r"^[a-z0-9][a-z0-9-]{0,39}$"

Pin = Annotated[
    int,
    Field(ge=2, le=27, description="BCM number of a pin of the 40-pin header"),
    BeforeValidator(read_whole),
]
Output = Annotated[int, Field(ge=0, le=511, description="output number of a lamp"), BeforeValidator(read_whole)]
Text = Annotated[
    str,
    Field(min_length=1, max_length=80),
    WithJsonSchema({"type": ["string", "integer"], "minLength": 1, "maxLength": 80}),
]
File = Annotated[
    str,
    Field(min_length=1, max_length=500),
    WithJsonSchema({"type": ["string", "integer"], "minLength": 1, "maxLength": 500}),
]
Url = Annotated[str, Field(min_length=1, max_length=500)]
Name = Annotated[
    str,
    Field(pattern=NAME_PATTERN),
    WithJsonSchema({"type": ["string", "integer"], "pattern": NAME_PATTERN}),
]


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


Odds = Annotated[
    Fraction,
    BeforeValidator(_odds),
    WithJsonSchema({"type": ["string", "integer"], "examples": ["9 to 1"]}),
]
