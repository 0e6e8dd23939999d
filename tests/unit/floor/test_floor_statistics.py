"""What the floor counts: every figure against a brute force over the same rounds, in plain Python."""

import random
from collections import Counter
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from contracts.floor_store_cases import opened
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, select
from stored_floor import MINUTE_MS, NOW_MS, a_round, insert, utc

from controller.floor.queries.scope import DAY_MS, Scope, scope_of
from controller.floor.queries.statistics import BY, MOST_MS, Figures, statistics
from controller.floor.store import schema
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


# -- which rounds are meant ----------------------------------------------------------------------------------------


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
