"""Numbers and booleans as a technician may write them. Used by the schema and by the backends' settings.

Scalars reach the models as text. Python would accept ``1_000`` or ``1e3``; here there is one way to write each
value, and the message for any other gives it.
"""

import re
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from config.problems import quoted

_WHOLE = re.compile(r"0|-?[1-9][0-9]*")
_QUANTITY = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_LEADING_ZERO = re.compile(r"-?0+[0-9]+(\.[0-9]+)?")
_LONGEST = 18


def read_whole(value: object) -> object:
    """Whole numbers in plain decimal figures: ``1440``. Other types than text are returned unchanged."""
    if not isinstance(value, str):
        return value
    if not _WHOLE.fullmatch(value):
        raise _refusal("whole_number", value, "a whole number")
    _limit_length(value)
    return int(value)


def read_quantity(value: object) -> object:
    """Numbers with an optional decimal point: ``1.5``. Other types than text are returned unchanged."""
    if not isinstance(value, str):
        return value
    if not _QUANTITY.fullmatch(value):
        raise _refusal("number", value, "a number")
    _limit_length(value)
    return Decimal(value)


def read_yes_no(value: object) -> object:
    """``true`` or ``false``. Other types than text are returned unchanged."""
    if not isinstance(value, str):
        return value
    if value not in ("true", "false"):
        raise PydanticCustomError(
            "yes_no", "{shown} is neither true nor false", {"shown": quoted(value), "remedy": "write true or false"}
        )
    return value == "true"


Whole = Annotated[int, BeforeValidator(read_whole)]
Quantity = Annotated[Decimal, BeforeValidator(read_quantity)]
YesNo = Annotated[bool, BeforeValidator(read_yes_no)]


def _limit_length(text: str) -> None:
    if len(text) > _LONGEST:
        raise PydanticCustomError("too_many_digits", "{shown} has too many digits", {"shown": quoted(text)})


def _refusal(kind: str, text: str, expected: str) -> PydanticCustomError:
    context = {"shown": quoted(text), "wanted": expected}
    remedy = _remedy(text)
    if remedy:
        context["remedy"] = remedy
    return PydanticCustomError(kind, "{shown} is not {wanted}", context)


def _remedy(text: str) -> str:
    """How to write the value that was probably meant; empty if unknown."""
    if text != text.strip():
        return "remove the spaces within the quotes"
    if len(text) > _LONGEST:
        return ""
    if _LEADING_ZERO.fullmatch(text):
        sign, figures = text[: text[0] == "-"], text.lstrip("-").lstrip("0")
        return f"write {sign + figures if figures[:1].isdigit() else sign + '0' + figures}, without leading zeros"
    if re.fullmatch(r"[0-9]+(_[0-9]+)+", text):
        return f"write {text.replace('_', '')}, without '_'"
    if re.fullmatch(r"0[xob][0-9a-f]+", text, re.IGNORECASE):
        return "write it as a decimal number"
    if re.fullmatch(r"[0-9]+,[0-9]+", text):
        return "use a decimal point and no comma"
    if re.fullmatch(r"\.[0-9]+", text):
        return f"write 0{text}"
    if re.fullmatch(r"[0-9]+(\.[0-9]*)?e[+-]?[0-9]+", text, re.IGNORECASE):
        return "write it out in figures, without an exponent"
    return ""
