"""A checkpoint is read as it was written: no field may be missing, unknown or of another type, at any depth."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from config.schema import TableConfig
from controller import __version__
from controller.events.effect import Win
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.recovery import checkpoint, recover, recover_table_state
from controller.journal.replay.replay import replay
from controller.limits.table_state import Amounts, AnnouncedLimits, TableState
from controller.statechart.machine import GameMachine
from controller.statechart.registry import find_game, game_names

Shipped = Callable[[str], TableConfig]
Machine = GameMachine[Any, Any]
TABLE_STATE = TableState(Amounts("5", "500", "9"), AnnouncedLimits(Amounts("10", "1000"), 7, 8), "31")
BODY = (
    f'{{"fact":{{"at_ns":0,"utc_ns":0,"version":"{__version__}","configuration":"c","replaces":"","software":"",'
    '"kind":"table-started"},"outcome":"accepted","state":"STATE","effects":[]}'
)
Path = tuple[str | int, ...]


@pytest.fixture(params=sorted(game_names()))
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def machine_of(shipped: Shipped, game: str) -> Machine:
    return find_game(game).machine(shipped(game))


def checkpoint_of(machine: Machine, game: str) -> dict[str, Any]:
    """A checkpoint whose lists of objects are not empty, so that every field can be tested."""
    kept: dict[str, Any] = json.loads(checkpoint(game, machine, TABLE_STATE))
    kept["lit"] = ["an-area"]
    if "wins" in kept["data"]:
        win = Win("an-area", "1 to 1")
        kept["data"]["wins"] = [{"area": win.area, "pays": win.pays}]
    return kept


def journal_of(machine: Machine, kept: object) -> Journal:
    """A journal that begins with this checkpoint."""
    journal = Journal(None)
    body = BODY.replace("STATE", str(machine.state.value))
    journal.append(0, 0, 0, "table-started", body, json.dumps(kept))
    return journal


def fields(kept: object, path: Path = ()) -> Iterator[Path]:
    """Every field, at any depth."""
    items = kept.items() if isinstance(kept, dict) else enumerate(kept) if isinstance(kept, list) else ()
    for key, value in items:
        if isinstance(kept, dict):
            yield (*path, key)
        yield from fields(value, (*path, key))


def within(kept: dict[str, Any], path: Path) -> Any:
    for key in path:
        kept = kept[key]  # type: ignore[index]
    return kept


def place(path: Path) -> str:
    return ".".join(map(str, path))


def refusal(machine: Machine, game: str, kept: object) -> str:
    """The error with which recovery refuses a checkpoint; the machine is unchanged."""
    before, journal = machine.snapshot(), journal_of(machine, kept)
    with pytest.raises(JournalDamagedError) as refused:
        recover(game, machine, journal)
    assert machine.snapshot() == before
    with pytest.raises(JournalError, match="entry 1: its checkpoint"):
        replay(1, game, machine, _with_a_round(machine, journal), None, None)
    assert str(refused.value).startswith("entry 1: its checkpoint")
    return str(refused.value)


def _with_a_round(machine: Machine, journal: Journal) -> Journal:
    """A further entry, of the round after the checkpoint."""
    journal.append(1, 0, 0, "table-started", BODY.replace("STATE", str(machine.state.value)), None)
    return journal


def test_the_checkpoint_that_the_others_are_made_of_is_read(shipped: Shipped, game: str) -> None:
    machine = machine_of(shipped, game)
    kept = checkpoint_of(machine, game)
    journal = journal_of(machine, kept)
    assert recover(game, machine, journal).replayed == 0
    assert json.loads(checkpoint(game, machine, recover_table_state(journal)[0])) == kept


def test_a_field_that_is_missing_is_named(shipped: Shipped, game: str) -> None:
    machine = machine_of(shipped, game)
    for path in fields(checkpoint_of(machine, game)):
        kept = checkpoint_of(machine, game)
        del within(kept, path[:-1])[path[-1]]
        if path != ("standing",):  # A table of a version before the limits sign has no such field.
            assert f"{place(path)}: missing" in refusal(machine, game, kept)


def test_a_field_that_nobody_knows_is_named(shipped: Shipped, game: str) -> None:
    machine = machine_of(shipped, game)
    whole = checkpoint_of(machine, game)
    inside = {path[:-1] for path in fields(whole)}
    for path in sorted(inside, key=str):
        kept = copy.deepcopy(whole)
        within(kept, path)["further"] = ""
        assert f"{place((*path, 'further'))}: unknown" in refusal(machine, game, kept)


OTHERS: tuple[object, ...] = ("1", "", 1, 1.5, 0, True, [], [[]], {}, None)
"""Of every type that JSON has."""


def same_type(one: object, other: object) -> bool:
    return type(one) is type(other) or (one is None or other is None)


def test_a_field_of_another_type_is_named(shipped: Shipped, game: str) -> None:
    machine = machine_of(shipped, game)
    whole = checkpoint_of(machine, game)
    for path in fields(whole):
        value = within(whole, path)
        for other in OTHERS:
            if same_type(value, other):
                continue
            kept = copy.deepcopy(whole)
            within(kept, path[:-1])[path[-1]] = other
            assert f"{place(path)}" in refusal(machine, game, kept), (path, other)
            assert "type" in refusal(machine, game, kept), (path, other)


def test_a_checkpoint_of_another_game_is_not_damage(shipped: Shipped) -> None:
    machine = machine_of(shipped, "dreamcatcher")
    kept = {**checkpoint_of(machine, "dreamcatcher"), "game": "big-six"}
    with pytest.raises(JournalError, match="of the game 'big-six', not of 'dreamcatcher'") as refused:
        recover("dreamcatcher", machine, journal_of(machine, kept))
    assert not isinstance(refused.value, JournalDamagedError)


def compared(machine: Machine, game: str, version: str) -> set[str]:
    """The fields that differ when a version recorded no round in a checkpoint, and another dealer."""
    journal, body = Journal(None), BODY.replace(__version__, version).replace("STATE", str(machine.state.value))
    journal.append(0, 0, 0, "table-started", body, checkpoint(game, machine))
    kept = json.loads(checkpoint(game, machine))
    del kept["data"]["round"]
    kept["standing"]["dealer"] = "31"
    journal.append(1, 0, 0, "table-started", body, json.dumps(kept))
    differences = replay(1, game, machine, journal).differences
    return {difference.what for difference in differences if difference.what.startswith("checkpoint")}


def test_what_another_version_did_not_know_it_did_not_decide(shipped: Shipped, game: str) -> None:
    """Its record has no such field. Where this version wrote the record, the field was left out or lost."""
    machine = machine_of(shipped, game)
    assert compared(machine, game, "0.0.1") == {"checkpoint standing dealer"}
    assert compared(machine, game, __version__) == {"checkpoint standing dealer", "checkpoint data round"}
