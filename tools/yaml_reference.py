"""Writes ``docs/yaml.md``, the reference of a table's file and a floor's. Run by ``make docs``."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from config.floor import FloorConfig
from config.schema import TableConfig
from config.validation import Place, below, bounds_of, resolved, schema_of
from controller.machine.registry import find_game, game_names

PAGE = Path(__file__).parents[1] / "docs" / "yaml.md"
_HEAD = """# The YAML files

Made by `make docs` from `config/schema.py`, `config/floor.py` and the games' rules. The shipped tables in
`config/tables/` are examples of most sections.

- `table-controller check FILE` reports every problem with its line. An editor can check a file while it is typed
  with the schema that `table-controller check --schema table` (or `floor`) prints.
- Indent with spaces. Units are in the keys: `_s` seconds, `_ms` milliseconds, `_h` hours, `_deg` degrees of the
  wheel, `_mm` millimetres, `_counts` counts of the encoder.
- There is one way to write a value: `1440`, `1.5`, `true`, `false`, and text in quotes only where YAML needs them.
- A name has small letters, digits and hyphens, at most 40. Pins are BCM numbers of the 40-pin header.
- Keys in bold are required where their section is given. Every device has a **`backend`**, its driver, and
  `options`, those of the driver ([wiring.md](wiring.md)); `mock` is simulated hardware.
- Nothing else is allowed: unknown keys, keys given twice, and pins or outputs used twice are errors.
"""
_OF_EVERY_DEVICE = {"backend", "options"}
_KINDS = {"array": "list", "boolean": "`true`, `false`", "integer": "whole number", "number": "number"}


def _rows(section: Place, root: Place, path: str = "") -> Iterator[str]:
    """A line for each key of a section and of those inside it."""
    required = section.get("required", ())
    for key, given in section["properties"].items():
        place, name = resolved(given, root), f"{path}{key}"
        if path.startswith("devices.") and key in _OF_EVERY_DEVICE:
            continue
        default = place.get("default")
        shown = (
            "" if default in (None, "", [], {}) else f"`{str(default).lower() if default is False else default}`"
        )
        mark = "**" if key in required else ""
        cells = (f"{mark}`{name}`{mark}", _kind(place), shown, place.get("description", "").rstrip("."))
        yield f"| {' | '.join(cells)} |".replace("  |", " |")
        if "properties" in place:
            if not _is_flat(place):
                yield from _rows(place, root, f"{name}.")
        elif place.get("type") == "object" and "properties" in (entry := below(place, "NAME", root)):
            yield from _rows(entry, root, f"{name}.NAME.")


def _kind(place: Place) -> str:
    """What a key takes: its range, choices or kind."""
    if "const" in place or "enum" in place:
        return ", ".join(f"`{one}`" for one in place.get("enum") or [place["const"]])
    if "properties" in place:
        return ", ".join(f"`{key}`" for key in place["properties"]) if _is_flat(place) else ""
    if place.get("type") == "object":
        return "by name"
    kind = place.get("type", "")
    return bounds_of(place) or (_KINDS.get(kind, "text") if isinstance(kind, str) else "text")


def _is_flat(place: Place) -> bool:
    """A measured value for each direction."""
    return "clockwise" in place["properties"]


def _table(model: type[BaseModel]) -> Iterator[str]:
    root = schema_of(model)
    yield "| key | value | default | |"
    yield "| --- | --- | --- | --- |"
    yield from _rows(resolved(root, root), root)


def page() -> str:
    """The whole document."""
    lines = [_HEAD, "## A table's file\n", *_table(TableConfig)]
    for name in game_names():
        game = find_game(name)
        if game.rules is not None:
            lines += [f"\n### `rules` of {game.title}\n", *_table(game.rules)]
    return "\n".join([*lines, "\n## A floor's file\n", *_table(FloorConfig), ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
