"""A wheel's health on the floor: made of what tables recorded, and the same as on the table's own page."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from floor_messages import arrived
from floor_pages import Floor, run
from worn_table import bent, fleet_wheel, play_round, table_file, worn_rig

from controller.configuration.shipped import load_table
from controller.floor.queries.wheel_health import wheel_health
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


def messages(table: Path) -> list[RoundClosed]:
    """What the publisher tells of the rounds."""
    journal = Journal(table.with_name("table.journal"), read_only=True)
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


@pytest.mark.parametrize("at_once", [1, 2, 100])
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


def test_the_pages_have_the_measures_and_draw_them(table: Path, store: Store) -> None:
    store.take([arrived(message) for message in messages(table)])

    async def exchange(floor: Floor) -> None:
        document = await floor.document("/wheels/dreamcatcher/health.json")
        assert [day["spins"] for day in document["days"]] == [1, 4]
        answer = await floor.get("/wheels/dreamcatcher/health.svg")
        words = {one.text for one in ElementTree.fromstring(answer.body).iter("{http://www.w3.org/2000/svg}text")}
        assert {"dreamcatcher: strikes", "dreamcatcher: losses", "found"} <= words
        assert (await floor.get("/wheels/nobody/health.json")).status == 404

    run(store.engine, exchange)


def test_an_entry_that_cannot_be_read_costs_the_round_nothing(table: Path, store: Store) -> None:
    rounds = messages(table)
    entries = [
        one.model_copy(update={"body": "{}"}) if one.kind == "spin-measured" else one
        for one in rounds[1].entries or ()
    ]
    with store.engine.connect() as db:
        store._messages._wheel_days.count(db, rounds[1].model_copy(update={"entries": entries}))
    assert not any(day.sums.spins for day in store._messages._wheel_days._touched.values())


def test_a_store_of_the_version_before_gets_the_new_table(table: Path, tmp_path: Path) -> None:
    Store(f"sqlite:///{tmp_path}/floor.db").close()
    db = sqlite3.connect(tmp_path / "floor.db")
    with db:
        db.execute("DROP TABLE wheel_days")
        db.execute("UPDATE about SET value = '1' WHERE key = 'version'")
    db.close()
    store = Store(f"sqlite:///{tmp_path}/floor.db")
    store.take([arrived(message) for message in messages(table)])
    assert shown(store)["days"]
    store.close()
    Store(f"sqlite:///{tmp_path}/floor.db").close()
