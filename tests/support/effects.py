"""The effects on a table's record."""

from typing import Any

from controller.bench.rig import Rig


def effects(table: Rig, kind: str, since: int = 0) -> list[Any]:
    """Every effect of a kind, in order.

    Args:
        since: the number of records before them.
    """
    return [one for record in table.records()[since:] for one in record.effects if one.kind == kind]


def alerts(table: Rig) -> list[str]:
    """The codes of all alerts."""
    return [alert.text for alert in effects(table, "alert")]


def notes(table: Rig) -> list[str]:
    """The codes of all notes."""
    return [note.text for note in effects(table, "note")]


def voids(table: Rig, since: int = 0) -> list[str]:
    """The reasons of all voids."""
    return [void.reason for void in effects(table, "void", since)]


def returned(table: Rig, since: int = 0) -> list[str]:
    """The reasons for which wagers went back."""
    return [one.reason for one in effects(table, "wagers-returned", since)]
