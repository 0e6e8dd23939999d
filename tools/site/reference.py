"""The pages of the reference that are made from the code each time that the site is built."""

from collections.abc import Mapping

from config.json_schema import schema_of
from config.loader import floor_schema, json_schema, witness_schema
from controller.configuration.shipped import shipped_tables
from controller.statechart.registry import find_game
from tools.site import commands, drivers, machines
from tools.site.keys import keys_of, reference
from tools.site.markdown import plain

_HOW = """Made from the models that read the file. A key has its unit in its name. Keys without **required** may be
left out. A `*` in a heading stands for a name of one's own, `[]` for each entry of a list. `table-controller check`
reports every key that is unknown, missing or out of range, with its line.
"""


MARK = "<!-- made from the code -->\n"
"""Where the pages made here stand in the menu of ``docs/index.md``."""
LISTED = (
    "- [A table's file](reference/table-file.md): every key, with type, unit, range and default\n"
    "- [The drivers' options](reference/drivers.md): what stands under `options` of a device\n"
    "- [A floor's file](reference/floor-file.md): every key\n"
    "- [A witness's file](reference/witness-file.md): every key\n"
    "- [Commands](reference/commands/index.md): every command, argument and example\n"
    "- [The interfaces of devices](reference/interfaces.md): what a backend implements\n"
)


def listed(index: str) -> str:
    """The index with the pages made here in its list."""
    return index.replace(MARK, LISTED)


def files() -> Mapping[str, str]:
    """Every page by its place in the site, and its text."""
    return {
        "reference/table-file.md": _file("A table's file", json_schema()) + _rules(),
        "reference/floor-file.md": _file("A floor's file", floor_schema()),
        "reference/witness-file.md": _file("A witness's file", witness_schema()),
        "reference/drivers.md": drivers.page(),
        "reference/interfaces.md": _INTERFACES,
        **{f"reference/commands/{name}.md": text for name, text in commands.pages().items()},
        "machines.md": machines.page(),
    }


def _file(title: str, schema: Mapping[str, object]) -> str:
    return f"# {title}\n\n{_HOW}{reference(schema)}"


def _rules() -> str:
    """The section ``rules`` of each game that has rules of its own."""
    text = ""
    for name in shipped_tables():
        game = find_game(name)
        if game.rules is not None:
            schema = schema_of(game.rules)
            text += f"\n## `rules` of {game.title}\n\n{plain(schema.get('description', ''))}\n\n"
            text += keys_of(schema, schema)
    return text


_INTERFACES = """# The interfaces of devices

What a backend implements, what it delivers, and the errors that it raises. [Add a
backend](../how-to/add-a-backend.md) has the order of work.

## What a backend implements

```{eval-rst}
.. automodule:: hal.interfaces
   :members:
```

## What it delivers

```{eval-rst}
.. automodule:: hal.events
   :members:
```

## What it raises

```{eval-rst}
.. automodule:: hal.errors
   :members:
```
"""
