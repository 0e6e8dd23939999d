"""Valid values in place of required ones that are missing or were refused, so that the rules can still run.

Used by the loader, which drops findings about a placeholder (:class:`config.partial.Partial`).
"""

from config.json_schema import Place, place_at, resolved

_MATCHING_ANY_NAME = "x"


def stand_in(place: Place, root: Place) -> object:
    """The smallest value that a place of the schema accepts, scalars as text."""
    place = resolved(place, root)
    if place.get("enum"):
        return str(place["enum"][0])
    kind = place.get("type")
    if kind == "object":
        filled = {key: stand_in(place["properties"][key], root) for key in place.get("required", [])}
        if place.get("minProperties") and not filled:
            filled = {
                _MATCHING_ANY_NAME: stand_in(place_at({**place, "$defs": root.get("$defs", {})}, ("x",)), root)
            }
        return filled
    if kind == "array":
        return [stand_in(place["items"], root)] * int(place.get("minItems", 0))
    if kind in ("integer", "number"):
        return str(place.get("minimum", 0))
    return "false" if kind == "boolean" else _MATCHING_ANY_NAME
