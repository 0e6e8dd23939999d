"""JSON Schemas of the models: for editors, and for the loader to word its messages from."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from config.problems import Path
from config.schema import TableConfig

Place = Mapping[str, Any]
"""The JSON Schema of one place in the file; empty if the model does not describe it."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, object]:
    """The shape of a table's file, as a JSON Schema for editors that check YAML while it is typed."""
    return {"$schema": _DIALECT, **schema_of(TableConfig), "title": "Table"}


def floor_schema() -> dict[str, object]:
    """The shape of a floor's file; as :func:`json_schema`."""
    from config.floor import FloorConfig  # No table needs it.

    return {"$schema": _DIALECT, **schema_of(FloorConfig), "title": "Floor"}


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a model, with decimals as numbers. The caller must not change it."""
    return model.model_json_schema(schema_generator=_Generator)


def place_at(root: Place, loc: Path) -> Place:
    """The schema of a place; empty if the model does not describe it."""
    place = resolved(root, root)
    for part in loc:
        if isinstance(part, int):
            below = place.get("items")
        else:
            patterns = list(place.get("patternProperties", {}).values())
            below = place.get("properties", {}).get(part) or (patterns or [place.get("additionalProperties")])[0]
        place = resolved(below, root) if isinstance(below, dict) else {}
    return place


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
    """The schema without a reference, and without the alternative null."""
    branches = [branch for branch in place.get("anyOf", []) if branch != {"type": "null"}]
    if len(branches) == 1:
        place = {**branches[0], **{key: value for key, value in place.items() if key != "anyOf"}}
    if "$ref" in place:
        target = root["$defs"][place["$ref"].rpartition("/")[2]]
        return {**target, **place}
    return place
