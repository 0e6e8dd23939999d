"""What the floor deletes, and what it keeps whatever its file says."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from contracts.floor_store_cases import Lopsided, rows
from floor_messages import NOON_NS, alert_of, arrived, record

from config.floor import RetentionSection
from controller.floor.exports.export_rows import NotKeptError, check_complete, count_rows
from controller.floor.exports.export_tables import ROUNDS
from controller.floor.queries.scope import Scope
from controller.floor.queries.statistics import Figures, statistics
from controller.floor.record.floor_record import FloorRecord
from controller.floor.store import schema
from controller.floor.store.store import Store
from controller.messages.models import RoundClosed
from hal.clock import LoopClock

DAY_NS = 86_400 * 1_000_000_000
HOUR_NS = DAY_NS // 24
NOW_NS = NOON_NS + 40 * HOUR_NS
"""A day after the rounds of two hours, and a minute after the last."""


class Stopped(LoopClock):
    """A clock that needs no loop."""

    def __init__(self) -> None:
        pass


@pytest.fixture
def kept() -> Iterator[FloorRecord]:
    made = FloorRecord(None, Stopped())
    yield made
    made.close()


@pytest.fixture
def store(tmp_path: Path, kept: FloorRecord) -> Iterator[Store]:
    made = Store(
        f"sqlite:///{tmp_path}/floor.db", evidence=Lopsided, retention=RetentionSection(rounds_days=1), record=kept
    )
    yield made
    made.close()


def messages(table: str = "big-six-1", hours: int = 48, **fields: object) -> list[RoundClosed]:
    """A round an hour; number 0 at noon."""
    return record([2] * hours, table=table, salt=table, begins=-30, apart=60, **fields)


def keep_up(store: Store, now_ns: int = NOW_NS) -> None:
    for _ in range(12):
        store.upkeep({}, now_ns)


def taken(store: Store, sent: list[RoundClosed], now_ns: int = NOW_NS) -> int:
    return store.take([arrived(one, now_ns + 60 * HOUR_NS) for one in sent]).rounds


def test_rounds_that_are_too_old_are_deleted_and_written_to_the_floors_record(
    store: Store, kept: FloorRecord
) -> None:
    sent = messages()
    assert taken(store, sent) == 48
    keep_up(store)
    left = rows(store, schema.rounds)
    assert [row["number"] for row in left] == list(range(16, 48))  # From 04:30 on: 40 hours after noon, less a day.
    (entry,) = kept.latest(10)
    body = json.loads(entry.body)
    assert (entry.kind, body["person"], body["before"]) == ("rounds-deleted", "", "2026-03-02T04:00:00.000Z")
    assert body["what"] == [{"table": "big-six-1", "record": sent[0].record, "first": 1, "last": 32, "rounds": 16}]
    # A round that comes again is neither stored nor counted, and the chain goes on.
    again = store.take([arrived(one, NOW_NS + 60 * HOUR_NS) for one in sent])
    assert (again.rounds, again.disputed, again.lacks["big-six-1"]) == (0, 0, None)
    assert len(rows(store, schema.rounds)) == 32


def test_of_a_table_that_is_silent_the_last_round_stays_and_the_next_is_checked_against_it(store: Store) -> None:
    sent = messages()
    taken(store, sent[:10])
    keep_up(store, NOW_NS + 100 * DAY_NS)
    assert [row["number"] for row in rows(store, schema.rounds)] == [9]
    other = messages(changed_from=9)
    assert store.take([arrived(other[10], NOW_NS + 60 * HOUR_NS)]).disputed == 1
    assert taken(store, sent[10:12]) == 2


def test_nothing_is_deleted_of_a_table_whose_record_contradicts_itself_or_beyond_a_gap(store: Store) -> None:
    forked, gaps = messages("forked"), messages("gaps")
    taken(store, forked[:4])
    taken(store, messages("forked", changed_from=2)[:4])
    taken(store, [*gaps[:3], *gaps[5:8]])
    keep_up(store, NOW_NS + 100 * DAY_NS)
    left = {(row["table"], row["number"]) for row in rows(store, schema.rounds)}
    assert left == {*(("forked", n) for n in range(4)), ("gaps", 2), *(("gaps", n) for n in (5, 6, 7))}
    assert taken(store, gaps[3:5]) == 2


def test_statistics_go_on_from_sums_and_exports_say_from_when_on_rounds_are_kept(store: Store) -> None:
    sent = messages()
    taken(store, sent)
    whole = Scope("2026-03-01T12:00:00.000Z", "2026-03-03T12:00:00.000Z")

    def figures(scope: Scope) -> list[Figures]:
        with store.engine.connect() as db:
            return statistics(db, scope, "table")

    before = figures(whole)
    keep_up(store)
    assert figures(whole) == before
    # Within the hours whose rounds are gone, figures are of whole hours.
    assert figures(Scope("2026-03-01T15:10:00.000Z", "2026-03-01T17:05:00.000Z"))[0].rounds == 3
    assert figures(Scope("2026-03-01T15:45:00.000Z", "2026-03-02T05:10:00.000Z"))[0].rounds == 14
    with store.engine.connect() as db:
        with pytest.raises(NotKeptError, match=r"kept from 2026-03-02T04:00:00\.000Z on"):
            check_complete(db, ROUNDS, whole)
        kept = Scope("2026-03-02T04:00:00.000Z", whole.until)
        check_complete(db, ROUNDS, kept)
        assert count_rows(db, ROUNDS, kept) == 32


@pytest.mark.parametrize(("days", "left"), [({}, 2), ({"alerts_days": 3}, 1), ({"refused_days": 3}, 2)])
def test_ended_alerts_and_refused_messages_are_deleted_where_the_file_says_so(
    tmp_path: Path, kept: FloorRecord, days: dict[str, int], left: int
) -> None:
    store = Store(
        f"sqlite:///{tmp_path}/floor.db", evidence=Lopsided, retention=RetentionSection(**days), record=kept
    )
    sent = messages(hours=3, alerts=["the wheel is stuck"])
    store.take(
        [
            arrived(sent[0], NOW_NS),
            arrived(alert_of(sent[2]), NOW_NS),
            arrived(sent[0], NOW_NS)._replace(payload=b""),
        ]
    )
    for _ in range(3):
        store.upkeep({}, NOW_NS + 10 * DAY_NS)
    assert len(rows(store, schema.alerts)) == left
    assert len(rows(store, schema.refused)) == (0 if "refused_days" in days else 1)
    assert [entry.kind for entry in kept.latest(5)] == [f"{name.partition('_')[0]}-deleted" for name in days]
    store.close()


def test_without_retention_nothing_is_ever_deleted(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/floor.db", evidence=Lopsided)
    taken(store, messages())
    keep_up(store, NOW_NS + 10_000 * DAY_NS)
    assert len(rows(store, schema.rounds)) == 48
    store.close()
