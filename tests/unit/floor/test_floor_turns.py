"""Whose message the store takes next, in virtual time: no table delays another's, whatever it sends."""

from collections import Counter
from collections.abc import Sequence

from floor_messages import LATER_NS, alert_of, arrived, online, record, state_after
from hypothesis import given
from hypothesis import strategies as st

from config.floor import QuotaSection
from controller.floor.ingest.table_queue import URGENT_BYTES
from controller.floor.ingest.turns import ServiceTurn, Turns
from controller.floor.ingest.validation import Arrived, named
from controller.messages.models import AlertMessage

S = 1_000_000_000
MOST = 64 << 20
MS = 1_000_000


def line_up(tables: Sequence[str], quota: QuotaSection | None = None, most_bytes: int = MOST) -> Turns:
    turns = Turns(quota or QuotaSection(), most_bytes, 0)
    turns.know(tables, 0)
    return turns


def a_round(table: str, payload: int = 5_000) -> Arrived:
    return Arrived(f"tables/{table}/round", b"r" * payload, LATER_NS)


def an_alert(table: str) -> Arrived:
    return Arrived(f"tables/{table}/alert", b"a" * 500, LATER_NS)


def names(turns: Sequence[ServiceTurn]) -> list[str]:
    return [named(turn.message.topic) for turn in turns]


def test_an_alert_overtakes_the_rounds_of_its_own_table_and_of_all_others() -> None:
    turns = line_up(["greedy", "modest"])
    for _ in range(500):
        turns.add(a_round("greedy"))
        turns.add(a_round("modest"))
    turns.add(an_alert("modest"))
    turns.add(an_alert("greedy"))
    assert Counter(names(turns.batch(2, 0))) == Counter(["modest", "greedy"])


def test_a_table_past_its_quota_comes_last_with_its_alerts_too() -> None:
    turns = line_up(["greedy", "modest"], QuotaSection(messages_per_s=1, burst_s=10))
    for _ in range(100):
        turns.add(an_alert("greedy"))
    spent = turns.batch(10, 0)
    turns.stored(spent, [MS] * 10, 0)
    turns.add(a_round("modest"))
    assert names(turns.batch(3, 0)) == ["modest", "greedy", "greedy"]
    # Its quota grows again with time.
    turns.add(a_round("modest"))
    assert names(turns.batch(2, 60 * S)) == ["greedy", "greedy"]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["round", "alert", "state", "x"])), max_size=60))
def test_a_tables_messages_stay_in_order_by_topic_and_none_is_lost(sent: list[tuple[str, str]]) -> None:
    """With slices of three, the names known from the middle on."""
    turns = Turns(QuotaSection(), MOST, 0)
    taken: list[Arrived] = []
    for n, (table, topic) in enumerate(sent):
        turns.add(Arrived(f"tables/{table}/{topic}", str(n).encode(), LATER_NS))
        if n % 4 == 3:
            batch = turns.batch(5, n)
            turns.stored(batch[:3], [MS] * len(batch[:3]), n)
            turns.give_back(batch[3:], n)
            taken += [turn.message for turn in batch[:3]]
        if n == len(sent) // 2:
            turns.know("abc", n)
    while batch := turns.batch(5, 0):
        turns.stored(batch, [MS] * len(batch), 0)
        taken += [turn.message for turn in batch]
    assert len(taken) == len(sent)
    assert turns.bytes == 0
    for topic in {message.topic for message in taken}:
        of_topic = [int(message.payload) for message in taken if message.topic == topic]
        assert of_topic == sorted(of_topic)


def test_what_does_not_fit_is_the_newest_rounds_of_that_table_and_is_counted() -> None:
    turns = line_up(["greedy", "modest"], QuotaSection(waiting_megabytes=1))
    turns.add(a_round("modest"))
    for n in range(300):
        turns.add(a_round("greedy", 10_000)._replace(utc_ns=n))
    dropped = turns.take_dropped()
    assert set(dropped) == {"greedy"}
    assert not turns.take_dropped()
    kept = [turn.message.utc_ns for turn in turns.batch(1_000, 0) if turn.line.table == "greedy"]
    assert len(kept) == 300 - dropped["greedy"] > 90
    assert kept == list(range(len(kept)))


def test_states_that_newer_ones_replace_are_dropped_before_alerts() -> None:
    turns = line_up(["greedy"])
    rounds = record([1, 1], table="greedy")
    turns.add(arrived(alert_of(rounds[0])))
    states = [
        arrived(state_after(rounds[0], at=f"2026-03-01T12:{n // 60:02}:{n % 60:02}.000Z")) for n in range(1500)
    ]
    for state in states:
        turns.add(state)
    turns.add(arrived(online("greedy")))
    assert turns.bytes <= URGENT_BYTES
    assert turns.take_dropped()["greedy"] > 0
    batch = turns.batch(10_000, 0)
    assert "alert" in batch[0].message.topic
    assert isinstance(alert_of(rounds[0]), AlertMessage)
    assert states[-1] in [turn.message for turn in batch]
    assert "online" in batch[-1].message.topic


def test_a_store_that_is_away_makes_no_table_lose_anything() -> None:
    turns = line_up(["modest"], most_bytes=1_000_000)
    for _ in range(300):
        turns.add(a_round("modest"), drops=False)
    assert turns.full
    assert not turns.take_dropped()
