"""A group's floor: what houses say of themselves, and what it does with bundles that no honest house sends."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from contracts.floor_store_cases import active_alerts, opened, rows
from floor_messages import LATER_NS, arrived, online, parts_of, record

from controller.floor.ingest.validation import Arrived
from controller.floor.store import schema
from controller.floor.store.schema import houses
from controller.floor.store.store import Store
from controller.journal.chain import utc_text
from controller.messages.models import HouseMessage, RoundClosed, write
from controller.messages.topics import Topic, of_table

ONE, OTHER = "1" * 32, "2" * 32


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Store]:
    made = opened(f"sqlite:///{tmp_path}/group.db")
    yield made
    made.close()


def said(
    is_online: bool = True, store: str = ONE, at_ns: int = LATER_NS, now_ns: int = LATER_NS, retained: bool = False
) -> Arrived:
    """What house north says of itself."""
    message = HouseMessage(house="north", store=store, online=is_online, at=utc_text(at_ns), floor="main", tables=2)
    return Arrived("houses/north/house", write(message), now_ns, retained)


def of_house(**given: Any) -> list[RoundClosed]:
    return record(given.pop("sizes", [2, 2, 2]), "north/big-six-1", **given)


# -- whether a house is there ------------------------------------------------------------------------------------


def test_the_tables_of_a_house_are_away_with_its_line_and_back_when_it_says_so(group: Store) -> None:
    table = "north/big-six-1"
    group.take([said(), arrived(online(table)), arrived(online("big-six-9"))])
    group.take([said(is_online=False)])
    assert {row["table"]: row["online"] for row in rows(group, schema.tables)} == {table: False, "big-six-9": True}
    group.take([arrived(online(table), retained=True)])
    assert not rows(group, schema.tables, schema.tables.c.table == table)[0]["online"], "the broker kept that"
    group.take([said(), arrived(online(table))])
    assert rows(group, schema.tables, schema.tables.c.table == table)[0]["online"]
    assert rows(group, houses)[0]["online"]


# -- poisoned bundles --------------------------------------------------------------------------------------------


def _changed(message: RoundClosed, **values: object) -> bytes:
    return json.dumps({**json.loads(write(message)), **values}).encode()


def _poison() -> dict[str, tuple[str, bytes]]:
    """Bundles by the reason of their refusal, each with its topic."""
    message = of_house()[1]
    topic = of_table(message.table, Topic.ROUND)
    entries = json.loads(write(message))["entries"]
    other = [{**entries[0], "body": entries[0]["body"].replace("press", "prass")}, *entries[1:]]
    part = parts_of(message, [1])[0][0]
    return {
        "chain: entries": (topic, _changed(message, entries=other)),
        "chain: a part": (
            of_table(message.table, Topic.PART),
            json.dumps({**json.loads(write(part)), "hash": "f" * 64}).encode(),
        ),
        "contradiction: a result": (topic, _changed(message, results=["40"])),
        "table: of another house": (topic, write(record([2, 2], "south/big-six-1")[1])),
        "table: of a table of the house": (topic, write(record([2, 2], "north/big-six-2")[1])),
        "table: of the group's own": (topic, write(record([2, 2], "big-six-1")[1])),
        "schema: a name": (topic, _changed(message, table="north/../south")),
        "topic: of no table": ("houses/north/tables/big-six-1/fetch", b"{}"),
        "table: another house": ("houses/south/house", said().payload),
    }


@pytest.mark.parametrize("what", sorted(_poison()))
def test_a_poisoned_bundle_is_refused_and_hinders_no_other_table_of_the_house(group: Store, what: str) -> None:
    topic, payload = _poison()[what]
    good = record([2, 2, 2], "north/big-six-2", salt="good")
    poisoned = Arrived(topic, payload, LATER_NS)
    result = group.take([arrived(good[0]), poisoned, arrived(good[1]), poisoned, arrived(good[2])])
    assert (result.rounds, result.refused) == (3, 2)
    reasons = {row["reason"] for row in rows(group, schema.refused_count)}
    assert reasons == {what.partition(":")[0]}
    forged = reasons & {"chain", "contradiction"}
    assert [one["table"] for one in active_alerts(group, "false")] == ["north/big-six-1"] * bool(forged)
    group.take([arrived(one) for one in of_house()])
    assert len(rows(group, schema.rounds)) == 6, "the true rounds are taken when they come"
