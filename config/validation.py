"""Data to a model, with every problem as a sentence for a technician.

The same rules hold for a table's file, a floor's, drivers' options, games' rules and scenarios: the model's JSON
Schema says which values are numbers, true or false, and there is one way to write each. Python would accept
``1_000``, ``+5`` or ``yes``. The rest is pydantic's work; its errors are worded here.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import ErrorDetails, core_schema

from config.problems import Finding, Path, counted, did_you_mean, quoted
from config.values import NAME_PATTERN

M = TypeVar("M", bound=BaseModel)
Place = Mapping[str, Any]
"""The JSON Schema of one place in the file; empty if the model does not describe it."""
Words = tuple[str, str]
"""Message and remedy."""

_KEY = "[key]"  # Pydantic's mark for an error in a mapping's key.
_LONGEST = 18
_LIKE_A_NUMBER = re.compile(r"[-+\s]*\.?\d[\d_,.xobA-Fa-f+\s-]*")
_PLAINLY = ", without leading zeros, '+', '_', spaces, comma or exponent"
_KINDS = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a section of keys",
}
_BOUNDS = {
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
}
_FORMS = {
    "integer": re.compile(r"0|-?[1-9][0-9]*"),
    "number": re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?"),
    "boolean": re.compile("true|false"),
}


def validate(data: object, model: type[M], at: Path = ()) -> tuple[M | None, list[Finding]]:
    """The model made of data, or None with what is wrong with it.

    Args:
        at: where the data are in the file.
    """
    root = schema_of(model)
    found = list(_misspelt(data, resolved(root, root), root, ()))
    known = {one.path for one in found}
    made: M | None = None
    try:
        made = model.model_validate(data)
    except ValidationError as error:
        worded = (_finding(detail, root) for detail in error.errors(include_url=False))
        found += [one for one in worded if one.path not in known]
    return (None if found else made), [one._replace(path=(*at, *one.path)) for one in found]


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a model, with decimals as numbers. The caller must not change it."""
    return model.model_json_schema(schema_generator=_Generator)


class _Generator(GenerateJsonSchema):
    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        either: JsonSchemaValue = super().decimal_schema(schema)
        number: JsonSchemaValue = either["anyOf"][0]
        return number

    def encode_default(self, dft: Any) -> Any:
        if isinstance(dft, Decimal):
            return int(dft) if dft == dft.to_integral_value() else float(dft)
        return super().encode_default(dft)


def resolved(place: Place, root: Place) -> Place:
    """The schema without a reference, and of alternatives the only one, or the only section."""
    branches = [branch for branch in place.get("anyOf", []) if branch != {"type": "null"}]
    branches = [branch for branch in branches if "$ref" in branch] or branches
    if len(branches) == 1:
        place = {**branches[0], **{key: value for key, value in place.items() if key != "anyOf"}}
    if "$ref" in place:
        return {**root["$defs"][place["$ref"].rpartition("/")[2]], **place}
    return place


def place_at(root: Place, path: Path) -> Place:
    place = resolved(root, root)
    for part in path:
        place = below(place, part, root)
    return place


def stand_in(model: type[BaseModel], path: Path) -> object:
    """A value that a required place of a file accepts; None if the place may be left out."""
    root = schema_of(model)
    section = place_at(root, path[:-1])
    required = isinstance(path[-1], int) or path[-1] in section.get("required", ())
    return _least(place_at(root, path), root) if required else None


def _least(place: Place, root: Place) -> object:
    place = resolved(place, root)
    kind = place.get("type")
    if kind == "object":
        least = {key: _least(place["properties"][key], root) for key in place.get("required", ())}
        return least or {"x": _least(below(place, "x", root), root)} if place.get("minProperties") else least
    if kind == "array":
        return [_least(place["items"], root)] * int(place.get("minItems", 0))
    if "enum" in place or "const" in place:
        return str(place.get("const", place.get("enum", [""])[0]))
    if kind in ("integer", "number"):
        return str(place.get("minimum", 1))
    if kind == "boolean":
        return "false"
    return "x" if re.search(place.get("pattern", ""), "x") else "/x"  # A name, or a file.


def below(place: Place, part: str | int, root: Place) -> Place:
    if isinstance(part, int):
        below = place.get("items")
    else:
        patterns = list(place.get("patternProperties", {}).values())
        below = place.get("properties", {}).get(part) or (patterns or [place.get("additionalProperties")])[0]
    return resolved(below, root) if isinstance(below, dict) else {}


def _misspelt(value: object, place: Place, root: Place, path: Path) -> Iterator[Finding]:
    """Numbers, true and false that are not written in the one way that is allowed."""
    if isinstance(value, dict | list):
        for part, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _misspelt(entry, below(place, part, root), root, (*path, part))
        return
    if not isinstance(value, str):
        return
    if any(letter.isdigit() for letter in value):  # A number, where a word is an alternative.
        place = next((one for one in place.get("anyOf", []) if one.get("type") in _FORMS), place)
    kind = _kind(place)
    if kind not in _FORMS:
        return
    if not _FORMS[kind].fullmatch(value):
        plainly = _PLAINLY if kind != "boolean" and _LIKE_A_NUMBER.fullmatch(value[:_LONGEST]) else ""
        message = "is neither true nor false" if kind == "boolean" else f"is not {_KINDS[kind]}"
        yield Finding(path, f"{quoted(value)} {message}", _write(place) + plainly)
    elif len(value) > _LONGEST:
        yield Finding(path, f"{quoted(value)} has too many digits", _write(place))


def _finding(detail: ErrorDetails, root: Place) -> Finding:
    """Pydantic's error in our words."""
    loc: Path = detail["loc"]
    if loc[-1:] == (_KEY,):
        return Finding(loc[:-1], *_words(detail, {}), on_key=True)
    section, place = place_at(root, loc[:-1]), place_at(root, loc)
    if detail["type"] == "extra_forbidden":
        valid = list(section.get("properties", {}))
        choice = f"the keys here are: {', '.join(valid)}" if valid else "remove it; there are no keys here"
        return Finding(loc, "unknown key", did_you_mean(str(loc[-1]), valid) or choice, on_key=True)
    if detail["type"] == "missing":
        return Finding(loc, "required key is missing", f"add '{loc[-1]}: …'{_described(place)}")
    message, remedy = _words(detail, place)
    optional = section.get("properties", {}).keys() - section.get("required", ())
    if detail["input"] is None and not _kind(place):
        remedy += " (in quotes if it begins with '#')"
    if detail["input"] is None and loc[-1:] and loc[-1] in optional:
        remedy += ", or remove the key"
    return Finding(loc, message, remedy)


def _words(detail: ErrorDetails, place: Place) -> Words:
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind in ("value_error", "assertion_error"):
        message, _, remedy = str(context["error"]).partition("; ")
        return message, remedy
    if kind.endswith(("_type", "_parsing")):
        return _wrong_kind(value, place), _write(place)
    if kind.startswith(("greater_than", "less_than")) or kind == "finite_number":
        return f"{str(value)[:40]} is out of range", _write(place) + _described(place)
    if kind == "multiple_of":
        return f"{value} is not a multiple of {context['multiple_of']}", _write(place) + _described(place)
    if kind in ("literal_error", "enum"):
        shown = quoted(value) if isinstance(value, str) else "this"
        return f"{shown} is not one of the choices", _write(place)
    if kind == "string_pattern_mismatch":
        form = context["pattern"]
        name = "use small letters, digits and hyphens, at most 40, with no hyphen first"
        message, remedy = {
            NAME_PATTERN: ("is not a name", name),
            "^/": ("does not begin with '/'", f"write the whole path{_described(place)}"),
        }.get(form, ("does not have the required form", f"it must match {form}{_described(place)}"))
        return f"{quoted(str(value))} {message}", remedy
    if kind.endswith(("too_short", "too_long")):
        one, more = ("character", "characters") if kind.startswith("string") else ("entry", "entries")
        way, limit = ("most", "max_length") if "max_length" in context else ("least", "min_length")
        size = counted(len(value), one, more) if len(value) else "nothing"
        return f"{size} here", f"write at {way} {counted(context[limit], one, more)}"
    return detail["msg"], ""


def _described(place: Place) -> str:
    """What is at a place, in parentheses; empty if nothing says it."""
    what = place.get("description", "").rstrip(".")
    return f" ({what})" if what else ""


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
    if bounds := bounds_of(place):
        return f"use {bounds}"
    if "enum" in place or "const" in place:
        values = place.get("enum") or [place["const"]]
        *others, last = (str(one).lower() if isinstance(one, bool) else str(one) for one in values)
        return f"use {', '.join(others)} or {last}" if others else f"use {last}"
    if kind == "object" and "properties" in place:
        return f"write its keys below it, indented: {', '.join(place['properties'])}"
    if kind == "array":
        return "write its entries in [ ], separated by commas"
    if kind == "object":
        return "write 'name: value' below it, indented, as often as needed"
    examples = "".join(f", for example {example}" for example in place.get("examples", []))
    return f"write {_KINDS.get(kind, 'text')}{examples}"


def bounds_of(place: Place) -> str:
    """The range of a number: '400 to 65536'."""
    parts = [f"{words} {_plain(place[bound])}" for bound, words in _BOUNDS.items() if bound in place]
    if {"minimum", "maximum"} <= place.keys():
        parts = [f"{_plain(place['minimum'])} to {_plain(place['maximum'])}"]
    if "multipleOf" in place:
        parts.append(f"a multiple of {_plain(place['multipleOf'])}")
    return ", ".join(parts)


def _plain(number: float) -> str:
    return format(Decimal(repr(number)).normalize(), "f")
