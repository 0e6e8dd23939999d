"""From pydantic's errors to sentences for a technician. Used by the loader, and by rules that check options."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from config.fields import NAME_PATTERN
from config.json_schema import Place, place_at, schema_of
from config.nearest import did_you_mean
from config.problems import Finding, Path, counted, quoted

Words = tuple[str, str]
"""Message and remedy."""

_KEY = "[key]"  # Pydantic's mark for an error in a mapping's key.
_KINDS = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a section of keys",
}


def findings_from_validation_error(error: ValidationError, prefix: Path, model: type[BaseModel]) -> list[Finding]:
    """The message for each error of a model whose input is in the file under ``prefix``."""
    root = schema_of(model)
    return [_finding(detail, prefix, root) for detail in error.errors(include_url=False)]


def _finding(detail: ErrorDetails, prefix: Path, root: Place) -> Finding:
    loc: Path = detail["loc"]
    if loc[-1:] == (_KEY,):
        message, remedy = _words(detail, {})
        return Finding((*prefix, *loc[:-1]), message, remedy, on_key=True)
    if detail["type"] == "extra_forbidden":
        remedy = _valid_keys(str(loc[-1]), place_at(root, loc[:-1]))
        return Finding((*prefix, *loc), "unknown key", remedy, on_key=True)
    message, remedy = _words(detail, place_at(root, loc))
    if detail["type"] == "missing":
        return Finding((*prefix, *loc), message, f"add '{loc[-1]}: …'{remedy}")
    if detail["input"] is None and _is_optional(loc, root):
        remedy += ", or remove the key"
    return Finding((*prefix, *loc), message, remedy)


def _is_optional(loc: Path, root: Place) -> bool:
    section = place_at(root, loc[:-1])
    return bool(loc) and loc[-1] in section.get("properties", {}) and loc[-1] not in section.get("required", [])


def _words(detail: ErrorDetails, place: Place) -> Words:
    kind, value = detail["type"], detail["input"]
    context = detail.get("ctx", {})
    if kind in ("whole_number", "number", "yes_no", "too_many_digits"):
        return detail["msg"], context.get("remedy") or _write(place)
    if kind in ("value_error", "assertion_error"):
        message, _, remedy = str(context["error"]).partition("; ")
        return message, remedy
    if kind.endswith(("_type", "_parsing", "_parsing_size", "int_from_float", "is_instance_of")):
        return _wrong_kind(value, place), _write(place)
    make = _MESSAGES.get(kind)
    return make(value, context, place) if make else (detail["msg"], "")


def _kind(place: Place) -> str:
    """The kind of value that is expected at a place; empty for text and where several kinds are allowed."""
    kind = place.get("type")
    return kind if isinstance(kind, str) and kind in _KINDS else ""


def _wrong_kind(value: object, place: Place) -> str:
    if value is None:
        return "the key has no value"
    expected = _KINDS.get(_kind(place), "text")
    if isinstance(value, dict | list):
        return f"{'a section of keys' if isinstance(value, dict) else 'a list'} where {expected} is expected"
    return f"{quoted(str(value))} is not {expected}"


def _write(place: Place) -> str:
    """What to write at a place."""
    kind = _kind(place)
    if bounds := _bounds(place):
        return f"use {bounds}"
    if "enum" in place or "const" in place:
        return _choices(None, {}, place)[1]
    if kind == "object" and "properties" in place:
        return f"write its keys below it, indented: {', '.join(place['properties'])}"
    if kind == "array":
        return "write its entries in [ ], separated by commas"
    if kind == "object":
        return "write 'name: value' below it, indented, as often as needed"
    examples = "".join(f", for example {example}" for example in place.get("examples", []))
    return f"write {_KINDS.get(kind, 'text')}{examples}"


def _bounds(place: Place) -> str:
    """The range of a number: '400 to 65536'."""
    low, high = place.get("minimum"), place.get("maximum")
    above, below = place.get("exclusiveMinimum"), place.get("exclusiveMaximum")
    if _kind(place) == "integer":
        low, above = (above + 1, None) if above is not None else (low, None)
        high, below = (below - 1, None) if below is not None else (high, None)
    parts = [f"{_plain(low)} to {_plain(high)}"] if low is not None and high is not None else []
    if not parts:
        bounds = (("at least", low), ("more than", above), ("at most", high), ("less than", below))
        parts = [f"{words} {_plain(bound)}" for words, bound in bounds if bound is not None]
    if "multipleOf" in place:
        parts.append(f"a multiple of {_plain(place['multipleOf'])}")
    return ", ".join(parts)


def _plain(number: float) -> str:
    return format(Decimal(repr(number)).normalize(), "f")


def _missing(value: object, context: Mapping[str, Any], place: Place) -> Words:
    description = place.get("description", "")
    return "required key is missing", f" ({description.rstrip('.')})" if description else ""


def _out_of_range(value: object, context: Mapping[str, Any], place: Place) -> Words:
    return f"{str(value)[:40]} is out of range", _write(place)


def _not_multiple(value: object, context: Mapping[str, Any], place: Place) -> Words:
    return f"{value} is not a multiple of {context['multiple_of']}", _write(place)


def _choices(value: object, context: Mapping[str, Any], place: Place) -> Words:
    choices = place.get("enum") or [place.get("const", context.get("expected", ""))]
    *others, last = map(str, choices)
    shown = quoted(value) if isinstance(value, str) else "this"
    return f"{shown} is not one of the choices", f"use {', '.join(others)} or {last}" if others else f"use {last}"


def _pattern(value: object, context: Mapping[str, Any], place: Place) -> Words:
    if context["pattern"] == NAME_PATTERN:
        remedy = "use small letters, digits and hyphens, at most 40, with no hyphen first"
        return f"{quoted(str(value))} is not a name", remedy
    return f"{quoted(str(value))} does not have the form that is required", f"it must match {context['pattern']}"


def _text_length(value: object, context: Mapping[str, Any], place: Place) -> Words:
    length = len(str(value))
    if length == 0:
        return "the text is empty", "write something between the quotes"
    return f"the text has {counted(length, 'character')}", _limits(context, "character", "characters")


def _count(value: object, context: Mapping[str, Any], place: Place) -> Words:
    count = context["actual_length"]
    context = {
        "min_length": place.get("minItems", place.get("minProperties")),
        "max_length": place.get("maxItems", place.get("maxProperties")),
        **context,
    }
    message = f"{counted(count, 'entry', 'entries')} here" if count else "no entries here"
    return message, _limits(context, "entry", "entries")


def _limits(context: Mapping[str, Any], one: str, more: str) -> str:
    low, high = context.get("min_length"), context.get("max_length")
    if low is None:
        return f"write at most {counted(high or 0, one, more)}"
    return (
        f"write at least {counted(low, one, more)}"
        if high is None
        else f"write {low} to {counted(high, one, more)}"
    )


_MESSAGES: dict[str, Callable[[object, Mapping[str, Any], Place], Words]] = {
    "missing": _missing,
    **dict.fromkeys(("greater_than", "greater_than_equal", "less_than", "less_than_equal"), _out_of_range),
    "finite_number": _out_of_range,
    "multiple_of": _not_multiple,
    **dict.fromkeys(("literal_error", "enum"), _choices),
    "string_pattern_mismatch": _pattern,
    **dict.fromkeys(("string_too_short", "string_too_long"), _text_length),
    **dict.fromkeys(("too_short", "too_long"), _count),
}


def _valid_keys(key: str, section: Place) -> str:
    valid = list(section.get("properties", {}))
    if near := did_you_mean(key, valid):
        return near
    return f"the keys here are: {', '.join(valid)}" if valid else "remove it; there are no keys here"
