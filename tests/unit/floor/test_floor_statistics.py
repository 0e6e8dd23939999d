"""What the floor counts: every figure against a brute force over the same rounds, in plain Python."""

import random
from collections import Counter
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from contracts.floor_store_cases import opened
from floor_messages import arrived, online
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, select
from stored_floor import MINUTE_MS, NOW_MS, a_round, empty, insert, utc

from controller.floor.queries.scope import DAY_MS, Scope, scope_of
from controller.floor.queries.statistics import BY, MOST_MS, Figures, statistics
from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store import hour_sums, schema
from controller.floor.store.hour_sums import HourSums, begin_sums, unsummed
from controller.messages.models import RoundClosed

STATES = ("bets-open", "spinning", "locked", "closed", "result")
REASONS = ("too-few-revolutions", "between-sections", "sensor")
Row = dict[str, Any]


def random_rounds(seed: int, count: int = 400) -> list[Row]:
    """Rounds of a few tables, wheels and dealers over two days; some lie outside of any one day."""
    chance = random.Random(seed)
    return [
        a_round(
            chance.choice(("one", "two", "north/one", "north/three", "south/one")),
            number % 60,  # Every record has one that is none.
            NOW_MS - chance.randint(0, 2 * DAY_MS),
            record=f"{number:064}",
            game=chance.choice(("roulette", "sic-bo")),
            wheel=chance.choice(("", "A 7", "B/8")),
            dealer=chance.choice(("", "100", "101")),
            results=[chance.choice("abc") for _ in range(chance.randint(0, 3))],
            voids=[chance.choice(REASONS) for _ in range(chance.choice((0, 0, 0, 1, 2)))],
            corrections=chance.choice((0, 0, 0, 1, 3)),
            phases={
                state: chance.choice((0, 500, 20_000, MOST_MS, MOST_MS + 1, 30 * MINUTE_MS))
                for state in chance.sample(STATES, chance.randint(0, len(STATES)))
            },
        )
        for number in range(count)
    ]


def counted(rows: list[Row], scope: Scope, by: str) -> dict[str, dict[str, Any]]:
    """The brute force."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row["number"] == 0 or not scope.since <= row["closed"] < scope.until:
            continue
        row = {**row, "house": row["table"].rpartition("/")[0]}
        if any(getattr(scope, key) not in ("", row[key]) for key in BY):
            continue
        empty_one = {"rounds": 0, "spins": 0, "corrections": 0, "voids": Counter(), "phases": Counter(), "play": 0}
        one = found.setdefault(row[by], empty_one)
        one["rounds"] += 1
        one["spins"] += len(row["results"]) + len(row["voids"])
        one["corrections"] += row["corrections"]
        one["voids"].update(row["voids"])
        for state, ms in row["phases"].items():
            one["phases"][state] += ms
            if state not in ("locked", "closed"):
                one["play"] += min(ms, 600_000)
    return found


def agree(figures: list[Figures], expected: dict[str, dict[str, Any]]) -> None:
    assert [one.name for one in figures] == sorted(expected)
    for one in figures:
        true = expected[one.name]
        assert (one.rounds, one.spins, one.corrections) == (true["rounds"], true["spins"], true["corrections"])
        assert (one.voids, one.phases, one.play_ms) == (true["voids"], true["phases"], true["play"])


@settings(max_examples=60)
@given(
    seed=st.integers(0, 1_000),
    ends=st.tuples(st.integers(0, 2 * DAY_MS), st.integers(0, 2 * DAY_MS)).filter(lambda both: both[0] != both[1]),
    by=st.sampled_from(BY),
    name=st.sampled_from([{}, {"table": "one"}, {"wheel": "B/8", "dealer": "100"}, {"house": "north"}]),
    withdrawn=st.integers(0, 30),
)
@pytest.mark.campaign
def test_sums_of_hours_give_the_same_as_all_rounds_at_any_two_times(
    seed: int, ends: tuple[int, int], by: str, name: dict[str, str], withdrawn: int
) -> None:
    """Some rounds were there before the store had sums, some were stored since, and some were withdrawn again."""
    rows = random_rounds(seed, count=120)
    with TemporaryDirectory() as folder:
        store = opened(f"sqlite:///{folder}/floor.db")
        insert(store.engine, {"rounds": rows[:80]})
        summed(store.engine, rows[80:], withdrawn)
        scope = Scope(utc(NOW_MS - max(ends)), utc(NOW_MS - min(ends)), **name)
        with store.engine.connect() as connection:
            assert unsummed(connection) == 0
            figures = statistics(connection, scope, by)
        store.close()
    agree(figures, counted(rows[withdrawn:], scope, by))


def summed(engine: Engine, later: list[Row], withdrawn: int) -> None:
    """Add the rounds of a store to its sums, then store further ones, and take the first ones out."""
    sums, rounds = HourSums(), schema.rounds
    with engine.begin() as db:
        begin_sums(db)
        while sums.add_slice(db):
            sums.write(db)
        for row in later:
            db.execute(rounds.insert(), row)
            sums.count(db, RoundClosed.model_construct(**row))
        sums.write(db)
    with engine.begin() as db:
        sums = HourSums()
        for row in db.execute(select(rounds).order_by(rounds.c.id).limit(withdrawn)).all():
            sums.withdraw(db, row)
            db.execute(rounds.delete().where(rounds.c.id == row.id))
        sums.write(db)


def test_a_store_without_sums_gets_them_in_slices_and_answers_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hour_sums, "SLICE", 50)
    store, rows = opened(f"sqlite:///{tmp_path}/floor.db"), random_rounds(seed=9)
    insert(store.engine, {"rounds": rows})
    scope = scope_of({}, NOW_MS)
    store.take([arrived(online("one"))])
    slices, left = 0, len(rows)
    while left:
        with store.engine.connect() as connection:
            for by in BY:
                agree(statistics(connection, scope, by), counted(rows, scope, by))
            left = unsummed(connection) or 0
        store.upkeep({}, NOW_MS * 1_000_000)
        slices += 1
    assert slices >= len(rows) // 50
    store.close()


def test_a_round_belongs_to_one_of_two_spans_that_follow_each_other(tmp_path: Path) -> None:
    engine = empty(tmp_path)
    insert(engine, {"rounds": [a_round("one", 1, NOW_MS)]})
    for words, count in (({"to": utc(NOW_MS)}, 0), ({"from": utc(NOW_MS), "to": utc(NOW_MS + 1)}, 1)):
        with engine.connect() as connection:
            assert len(statistics(connection, scope_of(words, NOW_MS), "table")) == count
    engine.dispose()


def test_rates_say_what_they_divide_by() -> None:
    one = Figures("one", span_ms=2 * 3_600_000, rounds=30, spins=40, corrections=3, play_ms=1_800_000)
    one.voids.update({"sensor": 10})
    assert one.an_hour == 15
    assert one.an_hour_in_play == 60
    assert one.void_rate == 0.25
    assert one.corrections_per_1000 == 100


# -- which rounds are meant ----------------------------------------------------------------------------------------


def test_without_times_the_last_day_is_chosen() -> None:
    scope = scope_of({}, NOW_MS)
    assert (scope.until, scope.span_ms) == (utc(NOW_MS), DAY_MS)
    earlier = scope_of({"to": "2026-11-20"}, NOW_MS)
    assert (earlier.since, earlier.until) == ("2026-11-19T00:00:00.000Z", "2026-11-20T00:00:00.000Z")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-11-21", "2026-11-21T00:00:00.000Z"),
        ("2026-11-21T17:42", "2026-11-21T17:42:00.000Z"),
        ("2026-11-21T17:42:14.123Z", "2026-11-21T17:42:14.123Z"),
        ("2026-11-21T19:42+02:00", "2026-11-21T17:42:00.000Z"),
    ],
)
def test_times_are_iso_8601_in_utc_unless_they_say_otherwise(written: str, meant: str) -> None:
    assert scope_of({"from": written}, NOW_MS).since == meant


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ({"tabel": "one"}, "'tabel'"),
        ({"from": "yesterday"}, "'from'"),
        ({"to": "0001-01-01"}, "'to'"),
        ({"from": "2026-11-21", "to": "2026-11-21"}, "'from'"),
        ({"from": "2026-11-21T19:42 02:00"}, "%2B"),
        ({"by": "table"}, "'by'"),
    ],
)
def test_invalid_parameters_of_an_address_are_named(words: dict[str, str], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        scope_of(words, NOW_MS)


@given(st.integers(min_value=0, max_value=4_000_000_000_000))
def test_times_are_formatted_as_they_were_read(ms: int) -> None:
    assert ms_of(utc_of(ms)) == ms
    assert utc_of(ms) == utc(ms) or ms % 1000  # The other way of writing it rounds.
    assert datetime.fromisoformat(utc_of(ms)).timestamp() == pytest.approx(ms / 1000, abs=1e-3)
