"""The reference of every key of a YAML file, from the JSON Schema of its model."""

from collections.abc import Iterator, Mapping
from typing import Any

from config.json_schema import Place, resolved
from tools.site.markdown import plain, table

UNITS = {
    "_counts": "encoder counts",
    "_per_turn": "encoder counts",
    "_deg_s": "degrees a second",
    "_deg": "degrees",
    "_mdeg": "thousandths of a degree",
    "_ms": "milliseconds",
    "_us": "microseconds",
    "_s": "seconds",
    "_min": "minutes",
    "_h": "hours",
    "_days": "days",
    "_mm": "millimetres",
    "_percent": "percent",
    "_megabytes": "megabytes",
    "megabytes_per_minute": "megabytes a minute",
    "messages_per_s": "messages a second",
}
"""The unit of a key by its ending: the last that fits names it."""

_NAME = "^[a-z0-9][a-z0-9-]{0,39}$"
_EMPTY: tuple[object, ...] = (None, {}, [])


def paths(schema: Place) -> Iterator[str]:
    """Every key of a file, with the keys that it stands below; ``*`` stands for a name of one's own."""
    for path, place in _sections(schema, schema, ""):
        for key in place.get("properties", {}):
            yield f"{path}.{key}".lstrip(".")


def reference(schema: Place) -> str:
    """All sections of a file, each with its keys."""
    return "".join(_section(path, place, schema) for path, place in _sections(schema, schema, ""))


def keys_of(place: Place, root: Place) -> str:
    """The keys of one section as a table."""
    required = place.get("required", ())
    rows = (
        (f"`{key}`", _value(key, below, root, key in required), _meaning(resolved(below, root)))
        for key, below in place.get("properties", {}).items()
    )
    return table(("key", "value", "what it is"), rows)


def unit(key: str) -> str:
    """The unit of a number, by its key; empty for a number without one."""
    found = [unit for ending, unit in UNITS.items() if key.endswith(ending)]
    return found[0] if found else ""


def _sections(place: Place, root: Place, path: str) -> Iterator[tuple[str, Place]]:
    if place.get("properties"):
        yield path, place
    for key, below in place.get("properties", {}).items():
        for name, inner in _inner(key, below, root):
            yield from _sections(inner, root, f"{path}.{name}".lstrip("."))


def _inner(key: str, below: Place, root: Place) -> Iterator[tuple[str, Place]]:
    """The sections that a key holds: itself, those of a mapping, those of a list."""
    target = resolved(below, root)
    for branch in (target, *(resolved(one, root) for one in target.get("anyOf", ()))):
        if branch.get("properties"):
            yield key, branch
    for inner in target.get("patternProperties", {}).values():
        yield f"{key}.*", resolved(inner, root)
    if isinstance(target.get("items"), Mapping):
        yield f"{key}[]", resolved(target["items"], root)


def _section(path: str, place: Place, root: Place) -> str:
    heading = f"\n## `{path}`\n\n" if path else "\n## At the top\n\n"
    words = plain(place.get("description", "")) if path else ""
    return f"{heading}{words}\n\n{keys_of(place, root)}"


def _meaning(place: Place) -> str:
    return plain(place.get("description", "").partition("\n\n")[0])


def _value(key: str, below: Place, root: Place, required: bool) -> str:
    place = resolved(below, root)
    words = [_type(place, root), _range(place), unit(key) if _is_number(place) else ""]
    if required:
        words.append("**required**")
    elif place.get("default") not in _EMPTY:
        words.append(f"default `{_text(place['default'])}`")
    return ", ".join(word for word in words if word)


def _is_number(place: Place) -> bool:
    return place.get("type") in ("integer", "number")


def _type(place: Place, root: Place) -> str:
    if "enum" in place or "const" in place:
        return " or ".join(f"`{_text(one)}`" for one in place.get("enum", [place.get("const")]))
    if place.get("properties"):
        return "a section"
    if place.get("type") == "array":
        return f"a list of: {_type(resolved(place.get('items', {}), root), root)}"
    by_name = [*place.get("patternProperties", {}).values(), place.get("additionalProperties")][0]
    if isinstance(by_name, Mapping):
        inner = resolved(by_name, root)
        return f"by name: {_type(inner, root)}{_in_words(_range(inner))}"
    if place.get("anyOf"):
        return " or ".join(dict.fromkeys(_type(resolved(one, root), root) for one in place["anyOf"]))
    return _scalar(place)


def _scalar(place: Place) -> str:
    if place.get("pattern") == _NAME:
        return "a name"
    kinds = {"integer": "a whole number", "number": "a number", "boolean": "`true` or `false`", "null": "`none`"}
    kind = place.get("type", "")
    if isinstance(kind, str) and kind in kinds:
        return kinds[kind]
    examples = place.get("examples")
    return f"text, as `{examples[0]}`" if examples else "text" if kind != "object" else "keys of its own"


def _range(place: Place) -> str:
    low, high = place.get("minimum"), place.get("maximum")
    above, below = place.get("exclusiveMinimum"), place.get("exclusiveMaximum")
    words = []
    if low is not None or high is not None:
        words.append(" to ".join(_text(one) for one in (low, high) if one is not None))
        if low is None or high is None:
            words[0] = ("at most " if low is None else "at least ") + words[0]
    words += [f"above {_text(above)}"] if above is not None else []
    words += [f"below {_text(below)}"] if below is not None else []
    if "multipleOf" in place:
        words.append(f"a multiple of {_text(place['multipleOf'])}")
    return ", ".join(words)


def _in_words(text: str) -> str:
    return f", {text}" if text else ""


def _text(value: Any) -> str:
    """A number as people write it: 5 rather than 5.0, and 65,536."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value:,}" if isinstance(value, int) and value >= 10_000 else str(value)
