"""Whose message the store takes next, in virtual time: no table delays another's, whatever it sends."""

from collections import Counter
from collections.abc import Sequence

from floor_messages import LATER_NS, alert_of, arrived, online, record, spin, state_after
from hypothesis import given
from hypothesis import strategies as st

from config.floor import QuotaSection
from controller.floor.ingest.quotas import Bucket
from controller.floor.ingest.table_queue import URGENT_BYTES, size_of
from controller.floor.ingest.turns import UNKNOWN, URGENT_NS, ServiceTurn, Turns
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


def serve(turns: Turns, cost_ns: dict[str, int], until_ns: int, most: int = 50) -> Counter[str]:
    """Store messages at what those of each table cost, until a time; returns how much of it each table had."""
    spent: Counter[str] = Counter()
    now_ns = 0
    while now_ns < until_ns and (batch := turns.batch(most, now_ns)):
        costs = [cost_ns[name] for name in names(batch)]
        spent.update(dict(zip(names(batch[:1]), costs, strict=False)))
        now_ns += costs[0]
        turns.stored(batch[:1], costs[:1], now_ns)
        turns.give_back(batch[1:], now_ns)
    return spent


def test_a_table_whose_messages_cost_much_has_no_more_of_the_time_than_another() -> None:
    turns = line_up(["greedy", "modest"], QuotaSection(processor_percent=100))
    for _ in range(400):
        turns.add(a_round("greedy", 60_000))
        turns.add(a_round("modest"))
    spent = serve(turns, {"greedy": 50 * MS, "modest": 1 * MS}, 600 * MS)
    assert abs(spent["greedy"] - spent["modest"]) <= 80 * MS
    assert spent["modest"] > 250 * MS


def test_each_of_many_tables_has_its_turn_before_a_table_has_its_second() -> None:
    """Also where the slice ends after few messages each time, and the rest of the batch is given back."""
    tables = [f"sic-bo-{n}" for n in range(40)]
    turns = line_up(tables)
    for table in tables:
        for _ in range(20):
            turns.add(a_round(table, 12_000))
    order = []
    while len(order) < 3 * len(tables):
        batch = turns.batch(25, 0)
        order += names(batch[:7])
        turns.stored(batch[:7], [2_200_000] * 7, 0)
        turns.give_back(batch[7:], 0)
    counts = Counter(order[: 2 * len(tables)])
    assert set(counts.values()) <= {1, 2, 3}
    assert len(counts) == len(tables)


def test_a_batch_costs_no_more_than_it_may() -> None:
    """So that what comes next waits for one slice, also behind messages that cost much."""
    turns = line_up(["greedy"])
    for _ in range(100):
        turns.add(a_round("greedy"))
    turns.stored(turns.batch(1, 0), [20 * MS], 0)
    for _ in range(6):
        batch = turns.batch(50, 0, 100 * MS)
        turns.stored(batch, [20 * MS] * len(batch), 0)
    assert len(batch) == 5
    assert len(turns.batch(50, 0, 1)) == 1
    assert len(turns.batch(50, 0, 0)) == 1, "a batch without time left must not go round empty for ever"


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


def test_where_all_lines_are_full_the_longest_gives_way() -> None:
    turns = line_up(["greedy", "modest"], most_bytes=1_000_000)
    for _ in range(20):
        turns.add(a_round("modest"))
    for _ in range(300):
        turns.add(a_round("greedy"))
    assert turns.bytes < 1_000_000
    assert set(turns.take_dropped()) == {"greedy"}


def test_a_store_that_is_away_makes_no_table_lose_anything() -> None:
    turns = line_up(["modest"], most_bytes=1_000_000)
    for _ in range(300):
        turns.add(a_round("modest"), drops=False)
    assert turns.full
    assert not turns.take_dropped()


def test_names_that_are_not_known_have_one_line_and_one_quota() -> None:
    turns = line_up(["modest"], QuotaSection(messages_per_s=1, burst_s=10))
    for n in range(300):
        turns.add(an_alert(f"invented-{n}"))
        turns.add(Arrived(f"tables/{n}!/nonsense", b"", LATER_NS))
    turns.add(a_round("modest"))
    batch = turns.batch(12, 0)
    assert {turn.line.table for turn in batch[:10]} == {UNKNOWN}
    turns.stored(batch, [MS] * 12, 0)
    turns.add(a_round("modest"))
    assert names(turns.batch(1, 0)) == ["modest"] or "modest" in names(batch)


def test_a_day_of_an_honest_table_is_within_the_quota_that_the_floor_comes_with() -> None:
    """Two rounds a minute for a day, of ten times as many spins as any game has, caught up in one minute."""
    quota = QuotaSection()
    turns = line_up(["modest"], quota)
    (message,) = [arrived(one) for one in record([30], spins=[spin(1)] * 10)][:1]
    for _ in range(2_880):
        turns.add(message._replace(topic="tables/modest/round"))
    assert size_of(message) > 7_900
    now_ns = 0
    while batch := turns.batch(48, now_ns):
        assert batch[0].line.allowance.lasts(now_ns)
        now_ns += S
        turns.stored(batch, [3 * MS] * len(batch), now_ns)
    assert batch == []


def test_a_bucket_is_refilled_with_time_up_to_its_burst_and_owes_no_more_than_that() -> None:
    bucket = Bucket(rate=2, burst_s=5, now_ns=0)
    assert bucket.has(0)
    bucket.spend(10, 0)
    assert not bucket.has(0)
    assert bucket.has(1)
    bucket.spend(1_000, S)
    assert not bucket.has(6 * S)
    assert bucket.has(6 * S + 1)
    bucket.spend(-100, 6 * S)
    bucket.spend(10, 100 * S)
    assert not bucket.has(100 * S)


def test_with_much_waiting_alerts_are_stored_before_the_batch_of_rounds_and_rounds_are_not_kept_waiting() -> None:
    turns = line_up(["greedy", "modest"])
    for _ in range(60):
        turns.add(a_round("greedy", 60_000))
    kinds = []
    for _ in range(4):
        for _ in range(3):
            turns.add(an_alert("modest"))
        batch = turns.batch(50, 0, 100 * MS)
        kinds.append({turn.urgent for turn in batch})
        turns.stored(batch, [MS] * len(batch), 0)
    assert kinds == [{True}, {True, False}] * 2


def test_the_batch_of_alerts_is_short_whoever_sends_them() -> None:
    turns = line_up(["greedy", "modest"])
    for _ in range(60):
        turns.add(a_round("greedy", 60_000))
    for _ in range(1_000):
        turns.add(an_alert("greedy"))
    turns.add(an_alert("modest"))
    batch = turns.batch(500, 0, 100 * MS)
    assert "modest" in names(batch)
    assert sum(turn.estimated_ns for turn in batch) < 2 * URGENT_NS


def test_the_first_alert_of_a_table_interrupts_a_batch_and_its_further_ones_do_not() -> None:
    turns = line_up(["greedy", "modest"])
    turns.add(an_alert("greedy"))
    turns.add(a_round("greedy"))
    assert turns.interrupts
    turns.batch(1, 0, 1)
    assert not turns.interrupts
    turns.add(a_round("modest"))
    assert not turns.interrupts
    turns.add(an_alert("modest"))
    assert turns.interrupts
    turns = line_up(["greedy"])
    for _ in range(3):
        turns.add(an_alert("greedy"))
    turns.batch(1, 0, 1)
    turns.add(an_alert("greedy"))
    assert not turns.interrupts


def test_rounds_go_on_while_more_states_come_than_can_be_stored() -> None:
    """As of a thousand tables that play fast. A state that a later round overtakes is known to be older by then."""
    tables = [f"t-{number}" for number in range(50)]
    turns = line_up(tables, QuotaSection(processor_percent=100))
    rounds = 0
    for second in range(20):
        for table in tables:
            turns.add(Arrived(f"tables/{table}/alert", b"a" * 2_000, LATER_NS))
        turns.add(a_round(tables[second]))
        batch = turns.batch(50, second * S, 5 * MS)
        rounds += sum(turn.message.topic.endswith("/round") for turn in batch)
        turns.stored(batch, [MS] * len(batch), second * S)
    assert rounds == 20
