"""Writes the JSON Schemas of the messages and their AsyncAPI document into ``docs/floor/``. Run by ``make docs``.

They are made from the models (:mod:`controller.messages.documents`); a test fails when they are not current.
"""

from collections.abc import Mapping
from pathlib import Path

from controller.commands.columns import as_json
from controller.messages.documents import NAMES, asyncapi_yaml, message_schema

FOLDER = Path(__file__).parents[1] / "docs" / "floor"
_HEAD = "# Made from the code by `make docs`; a test fails when it is not current.\n"


def files() -> Mapping[str, str]:
    """Every published file by name, and what it holds."""
    schemas = {f"{name}.schema.json": as_json(message_schema(name)) + "\n" for name in NAMES}
    return {**schemas, "asyncapi.yaml": _HEAD + asyncapi_yaml()}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{FOLDER.name}: {len(NAMES) + 1} schemas, asyncapi.yaml")


if __name__ == "__main__":
    main()
