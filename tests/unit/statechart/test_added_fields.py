"""Fields that older releases did not write: where one is not written, it says nothing."""

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from any_game import shipped_table

import controller.games
import controller.limits
from controller.statechart.registry import find_game, game_names
from controller.statechart.snapshots import ADDED


def data_classes() -> set[type]:
    """The dataclasses of the games and of the table's own state."""
    found = set()
    for package in (controller.games, controller.limits):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            defined = vars(importlib.import_module(module.name)).values()
            found |= {one for one in defined if isinstance(one, type) and dataclasses.is_dataclass(one)}
    return found


def added(data: type) -> Iterator[dataclasses.Field[object]]:
    """The fields of a class that an older release did not write."""
    for field in dataclasses.fields(data):
        if any(one is ADDED for one in getattr(field.type, "__metadata__", ())):
            yield field


ADDED_FIELDS = {f"{data.__name__}.{field.name}": field for data in data_classes() for field in added(data)}


def test_such_fields_are_found() -> None:
    assert {"RouletteData.revolutions", "WheelData.before", "TableState.odds"} <= set(ADDED_FIELDS)
    assert len(ADDED_FIELDS) > 40


@pytest.mark.parametrize("name", sorted(ADDED_FIELDS))
def test_a_field_that_is_not_written_is_nothing(name: str) -> None:
    """A value that is nothing is not written: read back, it must be the same again."""
    assert ADDED_FIELDS[name].default in (0, "", (), False, None)


@pytest.mark.parametrize("name", game_names())
def test_a_checkpoint_of_an_older_release_is_read_with_nothing_in_those_fields(name: str) -> None:
    machine = find_game(name).machine(shipped_table(name))
    snapshot = machine.snapshot()
    fields = {field.name for field in added(type(machine.data))}
    written = snapshot["data"]
    assert isinstance(written, dict)
    older = {key: value for key, value in written.items() if key not in fields}
    machine.restore({**snapshot, "data": older})
    assert fields
    assert not [key for key in fields if getattr(machine.data, key)]
    assert machine.snapshot()["data"] == older
