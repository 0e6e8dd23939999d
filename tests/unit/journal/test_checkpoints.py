"""A checkpoint is read as it was written: no field may be missing, unknown or of another type, at any depth."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from on_record import recovered

from config.schema import TableConfig
from controller.configuration.machines import machines
from controller.events.event import House, Limits
from controller.events.words import text
from controller.journal.chain import GENESIS, Entry
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.recovery import checkpoint, checkpoint_in
from controller.limits.table_state import AnnouncedLimits, TableState
from controller.machine.offers import Device
from controller.machine.registry import game_names
from controller.table.data import Fault, TableData

Path = tuple[str | int, ...]
HOUSE = House({}, {}, {}, {}, {})
LIMITS = Limits("5", "500", "9", "$")
TABLE_STATE = TableState(
    LIMITS,
    AnnouncedLimits(LIMITS, 7, 8, 9),
    HOUSE,
    HOUSE,
    LIMITS,
    "31",
)
TABLE = TableData(causes=(text("x"),), waiting=(Fault(Device.LAMPS, text("y")),), shut=("door",), retired=("dice",))
OTHERS: tuple[object, ...] = ("1", "", 1, 1.5, True, [], {}, None)


class Kept:
    """A game's machine, and a checkpoint in which no list of the table layer is empty."""

    def __init__(self, config: TableConfig) -> None:
        self.game, self.machine = config.game, machines(config)(TABLE_STATE)
        self.machine.table = TABLE
        self.machine.lit = ("an-area",)
        self.whole: dict[str, Any] = json.loads(checkpoint(self.game, self.machine, TABLE_STATE))

    def refusal(self, kept: object) -> str:
        """The error with which a checkpoint is refused; the machine is unchanged."""
        entry = Entry(1, 0, 0, "", "table-started", "{}", json.dumps(kept), GENESIS)
        before = self.machine.snapshot()
        with pytest.raises(JournalDamagedError, match=r"^entry 1: its checkpoint makes no sense: ") as refused:
            checkpoint_in(self.game, entry).machine_under(lambda terms: self.machine, TABLE_STATE)
        assert self.machine.snapshot() == before
        return str(refused.value)

    def changed(self, path: Path) -> tuple[dict[str, Any], Any]:
        """A copy, and in it what has the field of a path."""
        whole: dict[str, Any] = copy.deepcopy(self.whole)
        inner: Any = whole
        for key in path[:-1]:
            inner = inner[key]
        return whole, inner

    def value(self, path: Path) -> object:
        return self.changed(path)[1][path[-1]]


@pytest.fixture(params=sorted(game_names()))
def kept(request: pytest.FixtureRequest, shipped: Callable[[str], TableConfig]) -> Kept:
    return Kept(shipped(request.param))


def fields(value: object, path: Path = ()) -> Iterator[Path]:
    """Every field, at any depth."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if isinstance(value, dict):
            yield (*path, key)
        yield from fields(inner, (*path, key))


def named(path: Path) -> str:
    return ".".join(map(str, path))


def test_a_field_that_is_missing_or_unknown_is_named(kept: Kept) -> None:
    for path in fields(kept.whole):
        whole, inner = kept.changed(path)
        del inner[path[-1]]
        assert f"{named(path)}: missing" in kept.refusal(whole)
        whole, inner = kept.changed(path)
        inner["further"] = ""
        assert f"{named((*path[:-1], 'further'))}: unknown" in kept.refusal(whole)


def test_a_field_of_another_type_is_named(kept: Kept) -> None:
    for path in fields(kept.whole):
        value = kept.value(path)
        for other in OTHERS:
            if value is None or other is None or type(value) is type(other):
                continue
            whole, inner = kept.changed(path)
            inner[path[-1]] = other
            refusal = kept.refusal(whole)
            assert named(path) in refusal, (path, other)
            assert "type" in refusal, (path, other)


def test_a_checkpoint_is_read_as_it_was_written_and_of_another_game_is_not_damage(
    shipped: Callable[[str], TableConfig],
) -> None:
    config = shipped("dreamcatcher")
    kept, journal = Kept(config), Journal(None)
    body = '{"event":{"at_ns":0,"utc_ns":0,"version":"1","configuration":"c","software":"","terms":null,'
    body += '"wheel":"","replaces":[],"kind":"table-started"},"outcome":"accepted","state":"locating","effects":[]}'
    journal.append(0, 0, 0, "table-started", body, json.dumps(kept.whole))
    found = recovered(config, journal)
    assert json.loads(checkpoint(config.game, found.machine, found.table_state)) == kept.whole
    with pytest.raises(JournalError, match="of the game 'dreamcatcher', not of 'big-six'") as refused:
        recovered(shipped("big-six"), journal)
    assert not isinstance(refused.value, JournalDamagedError)
