"""A group's floor: what houses say of themselves, and what it does with bundles that no honest house sends."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from contracts.floor_store_cases import Lopsided, active_alerts, opened, rows
from floor_messages import HOUR_NS, LATER_NS, NOON_NS, arrived, online, parts_of, record

from config.floor import HouseQuotaSection, QuotaSection
from controller.floor.ingest.table_queue import line_of
from controller.floor.ingest.turns import Turns
from controller.floor.ingest.validation import Arrived
from controller.floor.queries.houses import houses_document
from controller.floor.store import schema
from controller.floor.store.schema import houses
from controller.floor.store.store import Store
from controller.journal.chain import utc_text
from controller.messages.models import HouseMessage, RoundClosed, write
from controller.messages.topics import Topic, of_table, parse

S = 1_000_000_000
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


# -- names and topics --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "topic",
    [
        *("houses/north/tables/t/house", "houses/north/tables//round", "houses/north/t/round", "tables/t/house"),
        *("tables/north/t/round", "houses/north/tables/t/round/x", "houses/north/house/x", "houses/a/b"),
    ],
)
def test_other_topics_are_none_of_a_table(topic: str) -> None:
    with pytest.raises(ValueError, match="topic"):
        parse(topic)


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


def test_two_floors_of_one_name_are_an_alert_that_ends_an_hour_after_the_last_word_of_one(
    group: Store,
) -> None:
    group.take([said(), said(store=OTHER), said(), said(store=OTHER)])
    (alert,) = active_alerts(group, "house")
    assert alert["table"] == "north/"
    assert alert["text"].startswith(f"house north has another store ({OTHER[:12]}…) than before ({ONE[:12]}…)")
    later_ns = LATER_NS + HOUR_NS // 2
    group.take([said(store=OTHER, at_ns=later_ns, now_ns=later_ns)])
    assert active_alerts(group, "house")
    group.take([said(store=OTHER, at_ns=LATER_NS + 2 * HOUR_NS, now_ns=LATER_NS + 2 * HOUR_NS)])
    assert not active_alerts(group, "house")
    group.take([said(at_ns=LATER_NS + 3 * HOUR_NS, now_ns=LATER_NS + 3 * HOUR_NS)])
    assert active_alerts(group, "house"), "the first one is back"


@pytest.mark.parametrize(
    ("apart_ns", "words"),
    [
        (61 * 60 * S, "61 minutes ahead of"),
        (-3 * HOUR_NS, "3 hours behind"),
    ],
)
def test_a_houses_clock_that_is_wrong_is_an_alert_with_the_difference_until_it_is_right(
    group: Store, apart_ns: int, words: str
) -> None:
    group.take([said(at_ns=LATER_NS + apart_ns)])
    (alert,) = active_alerts(group, "clock")
    assert alert["text"].startswith(f"the clock of house north is {words} this floor's: it said")
    group.take([said(at_ns=LATER_NS + 60 * S)])
    assert not active_alerts(group, "clock")


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


# -- limits and quotas -------------------------------------------------------------------------------------------


def test_a_house_has_as_many_tables_as_its_quota_says_and_an_alert_names_the_rest(tmp_path: Path) -> None:
    group = Store(f"sqlite:///{tmp_path}/group.db", evidence=Lopsided, tables_of_house=3)
    made_up = [arrived(record([1], f"north/t-{number}")[0]) for number in range(8)]
    result = group.take([*made_up, arrived(record([1], "south/t-1")[0]), arrived(record([1], "t-1")[0])])
    assert (result.rounds, result.refused) == (5, 5)
    group.upkeep({}, LATER_NS)
    (alert,) = active_alerts(group, "quota")
    assert (alert["table"], alert["text"].partition(" ")[0]) == ("north/", "5")
    assert group.take(made_up[:3]).repeats == 3
    group.close()


def _turns() -> Turns:
    turns = Turns(QuotaSection(), 64 << 20, 0, HouseQuotaSection(waiting_megabytes=1))
    turns.know(["north/a", "south/a", "south/b"], 0)
    return turns


def test_a_house_that_floods_does_not_starve_another_however_many_tables_it_says_to_have() -> None:
    turns = _turns()
    for number in range(300):
        turns.add(Arrived(f"houses/north/tables/t-{number}/round", b"x" * 1000, 0))
    turns.add(Arrived("houses/south/tables/a/round", b"x" * 1000, 0))
    turns.add(Arrived("houses/south/tables/b/round", b"x" * 1000, 0))
    picked = [line_of(one.line.table) for one in turns.batch(4, 0)]
    assert sorted(picked) == ["north/", "north/", "south/", "south/"]


# -- the page of houses ------------------------------------------------------------------------------------------


def test_the_page_of_houses_says_what_each_is_and_how_far_behind(group: Store) -> None:
    waiting = HouseMessage(
        house="north", store=ONE, online=True, at=utc_text(LATER_NS + 300 * S), waiting=7, oldest=utc_text(NOON_NS)
    )
    group.take([Arrived("houses/north/house", write(waiting), LATER_NS), arrived(online("north/big-six-1"))])
    group.take([*(arrived(one) for one in of_house()), arrived(record([1], "south/t")[0]), arrived(online("own"))])
    with group.engine.connect() as db:
        found = houses_document(db, "group", LATER_NS // 1_000_000)
    north, south = found["houses"]
    assert (north["house"], north["online"], north["waiting"], north["ahead_ms"]) == ("north", True, 7, 300_000)
    assert (north["oldest_ms"], north["rounds"]) == (NOON_NS // 1_000_000, 2), "number 0 is no round"
    assert (north["tables"], north["tables_online"], north["alerts"]) == (1, 1, 1)
    assert (south["house"], south["online"], south["heard_ms"], south["tables"]) == ("south", False, None, 1)
