"""A wheel's health on the floor: made of what tables recorded, and the same as on the table's own page."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from floor_messages import arrived
from worn_table import bent, fleet_wheel, play_round, table_file, worn_rig

from controller.configuration.shipped import load_table
from controller.floor.queries.wheel_health import wheel_health
from controller.floor.record.floor_record import FloorRecord
from controller.floor.settlement import Settlement, settle
from controller.floor.store.store import Store
from controller.journal.journal import Journal
from controller.messages.models import RoundClosed
from controller.publishing.formatter import Formatter
from controller.screens.wheel_page import wheel_report
from hal.mock.clock import VirtualClock

ROUNDS = 5


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a table with a bent peg, and beside it the journal of some rounds."""
    folder, wheel = tmp_path_factory.mktemp("table"), fleet_wheel()
    file = table_file(folder, wheel)
    rig = worn_rig(file, bent(wheel), folder / "table.journal")
    for number in range(ROUNDS):
        play_round(rig, number)
        rig.wait(7 * 3600)
    rig.table.stop()
    rig.journal.close()
    return file


def messages(table: Path, name: str = "table.journal") -> list[RoundClosed]:
    """What the publisher tells of the rounds."""
    journal = Journal(table.with_name(name), read_only=True)
    first = next(journal.entries())
    formatter = Formatter(load_table(table).config, VirtualClock(), first.hash, None)
    made = [due.message for entry in journal.entries() for due in formatter.take(entry)]
    journal.close()
    return [message for message in made if isinstance(message, RoundClosed)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path}/floor.db")
    yield opened
    opened.close()


def shown(store: Store, wheel: str = "dreamcatcher") -> Any:
    with store.engine.connect() as db:
        return wheel_health(db, wheel)


@pytest.mark.parametrize("at_once", [1, 100])
def test_the_floor_shows_what_the_table_shows(table: Path, store: Store, at_once: int) -> None:
    rounds = messages(table)
    for first in range(0, len(rounds), at_once):
        store.take([arrived(message) for message in rounds[first : first + at_once]])
    store.take([arrived(message) for message in rounds])  # A publisher may repeat itself: nothing counts twice.
    journal = Journal(table.with_name("table.journal"), read_only=True)
    own = wheel_report(table, journal)
    journal.close()
    assert own is not None
    document = shown(store)
    assert len(document["days"]) == 2, "two days were played"
    assert document["days"] == own["days"]
    assert document["findings"] == own["findings"] != []
    assert document["calibrated"] == own["calibrated"]


def played_on(table: Path, new: str, first: int) -> list[RoundClosed]:
    """What is told of a table's record that was copied, and went on.

    Args:
        first: the number of the first spin; odd and even ones turn the other way.
    """
    for end in ("", ".head"):
        shutil.copy(table.with_name(f"table.journal{end}"), table.with_name(f"{new}{end}"))
    rig = worn_rig(table, bent(fleet_wheel()), table.with_name(new))
    for number in range(first, first + ROUNDS):
        play_round(rig, number)
    rig.table.stop()
    rig.journal.close()
    return messages(table, new)


@pytest.mark.parametrize("keep", ["stored", "disputed", "neither"])
@pytest.mark.campaign
def test_spins_of_a_branch_that_does_not_count_leave_the_days_of_the_wheel(
    table: Path, tmp_path: Path, keep: str
) -> None:
    """The days are then those that a floor has which never saw that branch."""
    ours = played_on(table, f"ours-{keep}.journal", 0)
    theirs = played_on(table, f"theirs-{keep}.journal", 1)
    common = [one for one in ours if one.hash in {other.hash for other in theirs}]
    assert len(common) < min(len(ours), len(theirs))
    counted = {"stored": ours, "disputed": theirs, "neither": common}[keep]
    record = FloorRecord(None, VirtualClock())
    with_fork, without = (Store(f"sqlite:///{tmp_path}/{name}.db", record=record) for name in ("fork", "whole"))
    with_fork.take([arrived(one) for one in (*ours, *theirs)])
    without.take([arrived(one) for one in counted])
    settle(
        with_fork.engine, Settlement("fork", ours[0].table, "m.weber", "the disk was copied", keep), "2026-03-02"
    )
    assert len(with_fork.look_after([], "2026-03-02T12:00:00.000Z")) == 1
    have, want = shown(with_fork), shown(without)
    assert have["findings"] == want["findings"]
    assert [day["spins"] for day in have["days"]] == [day["spins"] for day in want["days"]]
    assert have["days"] == approximately(want["days"])
    for one in (with_fork, without, record):
        one.close()


def approximately(value: Any) -> Any:
    """The same, but for the last digits of sums of which something was taken out."""
    if isinstance(value, list):
        return [approximately(one) for one in value]
    if isinstance(value, dict):
        return {name: approximately(one) for name, one in value.items()}
    return pytest.approx(value, abs=1e-9) if isinstance(value, float) else value
