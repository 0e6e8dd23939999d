"""Errors of other models with the loader's messages, for rules that check a backend's options."""

from decimal import Decimal
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from config.loader import findings_from_validation_error
from config.problems import Finding
from config.scalars import Quantity, Whole, YesNo

PREFIX = ("devices", "head", "options")


class Inner(BaseModel):
    """A part of the options."""

    model_config = ConfigDict(extra="forbid")
    port: str = Field(pattern="^/dev/", max_length=20, description="the serial port")


class Settings(BaseModel):
    """Options of a backend that does not exist."""

    model_config = ConfigDict(extra="forbid")
    seed: int = Field(0, ge=0)
    part: float = Field(0.5, gt=0, lt=1)
    ratio: float = Field(1, gt=0, le=4, allow_inf_nan=False)
    fast: bool = False
    parity: Literal["even", "odd", "none"] = "none"
    inner: Inner | None = None
    several: list[Annotated[int, Field(le=9)]] = Field([], max_length=2)
    named: dict[str, Inner] = {}
    turns: Whole = Field(1, lt=100)
    rest_s: Quantity = Field(Decimal(1), ge=0)
    on: YesNo = False
    either: int | Literal["auto"] = 0

    @model_validator(mode="after")
    def _check(self) -> "Settings":
        if self.seed == 13:
            raise ValueError("13 brings bad luck; use another seed")
        return self


def findings(**options) -> list[Finding]:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(options)
    return findings_from_validation_error(caught.value, PREFIX, Settings)


@pytest.mark.parametrize(
    ("options", "path", "message", "remedy"),
    [
        ({"sed": "1"}, ("sed",), "unknown key", "did you mean seed?"),
        ({"inner": {}}, ("inner", "port"), "required key is missing", "add 'port: …' (the serial port)"),
        ({"inner": "x"}, ("inner",), "'x' is not a section of keys", "write its keys below it, indented: port"),
        ({"inner": {"port": "tty"}}, ("inner", "port"), "'tty' does not have the form", "it must match ^/dev/"),
        (
            {"inner": {"port": "/dev/" + "x" * 20}},
            ("inner", "port"),
            "the text has 25 characters",
            "at most 20 characters",
        ),
        ({"seed": "x"}, ("seed",), "'x' is not a whole number", "use at least 0"),
        ({"seed": "-1"}, ("seed",), "-1 is out of range", "use at least 0"),
        ({"seed": None}, ("seed",), "the key has no value", "use at least 0, or remove the key"),
        ({"seed": "13"}, (), "13 brings bad luck", "use another seed"),
        ({"part": "1"}, ("part",), "1 is out of range", "use more than 0, less than 1"),
        ({"ratio": "nan"}, ("ratio",), "nan is out of range", "use more than 0, at most 4"),
        ({"fast": "x"}, ("fast",), "'x' is not true or false", "write true or false"),
        ({"parity": "evn"}, ("parity",), "'evn' is not one of the choices", "use even, odd or none"),
        ({"several": ["1", "2", "3"]}, ("several",), "3 entries here", "write at most 2 entries"),
        ({"several": ["10"]}, ("several", 0), "10 is out of range", "use at most 9"),
        ({"turns": "1_0"}, ("turns",), "'1_0' is not a whole number", "write 10"),
        ({"rest_s": "1e3"}, ("rest_s",), "'1e3' is not a number", "without an exponent"),
        ({"on": "yes"}, ("on",), "'yes' is neither true nor false", "write true or false"),
    ],
)
def test_error_messages(options, path, message, remedy):
    (found,) = findings(**options)
    assert found.path == (*PREFIX, *path)
    assert message in found.message
    assert remedy in found.remedy
    assert found.on_key == (message == "unknown key")


def test_a_choice_of_types_names_what_each_would_take():
    assert {found.path[: len(PREFIX) + 1] for found in findings(either="x")} == {(*PREFIX, "either")}


def test_every_error_has_a_message():
    assert [found.path[-1] for found in findings(seed="x", zzz="1", on="1")] == ["seed", "on", "zzz"]


@pytest.mark.parametrize("value", [5, 1440, True])
def test_values_that_are_not_text_are_left_to_the_model(value):
    assert Settings(turns=5, rest_s=Decimal(2), on=True).on is True
    assert Settings.model_validate({"seed": value}).seed == value
