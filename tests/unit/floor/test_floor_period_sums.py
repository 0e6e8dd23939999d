"""Sums of days, months and years: every figure of a period against a brute force over the same rounds."""

import random
from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from house_zone import KATHMANDU, NEW_YORK, VIENNA, house_in
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, select
from stored_floor import MINUTE_MS, NOW_MS, a_round, empty, insert, sum_up

from controller.floor.queries.house_hours import rounds_by_hour
from controller.floor.queries.period import DAYWISE, Period, of_days
from controller.floor.queries.period_figures import is_of_days, period_figures
from controller.floor.queries.scope import DAY_MS, NAMED, Scope
from controller.floor.store import schema
from controller.floor.store.hour_sums import HourSums
from controller.floor.store.period_sums import PeriodSums
from controller.messages.models import RoundClosed

STATES = ("bets-open", "spinning", "locked", "result")
REASONS = ("too-few-revolutions", "sensor")
SPAN_DAYS = 500
Row = dict[str, Any]


def random_rounds(seed: int, count: int) -> list[Row]:
    """Rounds of a few tables, wheels and dealers over more than a year, of which many are of the last days."""
    chance = random.Random(seed)
    return [
        a_round(
            chance.choice(("one", "two", "three")),
            number % 40,  # Every record has one that is none.
            NOW_MS - chance.randint(0, chance.choice((3, 40, SPAN_DAYS)) * DAY_MS),
            record=f"{number:064}",
            game=chance.choice(("roulette", "sic-bo")),
            wheel=chance.choice(("", "A 7")),
            dealer=chance.choice(("", "100", "101")),
            results=[chance.choice("abc") for _ in range(chance.randint(0, 2))],
            voids=[chance.choice(REASONS) for _ in range(chance.choice((0, 0, 1, 2)))],
            corrections=chance.choice((0, 0, 1)),
            phases={state: chance.choice((0, 500, 700_000)) for state in chance.sample(STATES, 2)},
        )
        for number in range(count)
    ]


def local(row: Row, zone: str) -> datetime:
    """When the hour began in which a round closed, by the house's clock."""
    hour = datetime.fromisoformat(row["closed"]).replace(minute=0, second=0, microsecond=0)
    return hour.astimezone(ZoneInfo(zone))


def counted(rows: list[Row], first: date, end: date, by: str, zone: str, game: str = "") -> dict[str, Row]:
    """The brute force."""
    found: dict[str, Row] = {}
    for row in rows:
        if row["number"] == 0 or not first <= local(row, zone).date() < end or game not in ("", row["game"]):
            continue
        nothing = {"rounds": 0, "spins": 0, "corrections": 0, "play": 0, "voids": Counter(), "phases": Counter()}
        one = found.setdefault(row[by], nothing)
        one["rounds"] += 1
        one["spins"] += len(row["results"]) + len(row["voids"])
        one["corrections"] += row["corrections"]
        one["voids"].update(row["voids"])
        one["phases"].update(row["phases"])
        one["play"] += sum(min(ms, 600_000) for state, ms in row["phases"].items() if state != "locked")
    return found


def kept(engine: Engine, later: list[Row], withdrawn: int) -> None:
    """Add the rounds of a store to its sums, then store further ones as a floor does, and take the first out."""
    sum_up(engine)
    hours, days = HourSums(), PeriodSums()
    with engine.begin() as db:
        for row in later:
            db.execute(schema.rounds.insert(), row)
            message = RoundClosed.model_construct(**row)
            hours.count(db, message)
            days.count(db, message)
        for row_ in db.execute(select(schema.rounds).order_by(schema.rounds.c.id).limit(withdrawn)).all():
            hours.withdraw(db, row_)
            days.withdraw(db, row_)
            db.execute(schema.rounds.delete().where(schema.rounds.c.id == row_.id))
        hours.write(db)
        days.write(db)


def days_of(first: date, end: date) -> Period:
    return of_days(Scope("", ""), first, end, NOW_MS)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 1000),
    last=st.integers(0, SPAN_DAYS),
    length=st.sampled_from([3, 10, 31, 60, DAYWISE, 100, 200, 365, 450]),
    by=st.sampled_from(NAMED),
    zone=st.sampled_from([VIENNA, NEW_YORK, KATHMANDU, "UTC"]),
    game=st.sampled_from(["", "sic-bo"]),
    withdrawn=st.integers(0, 30),
)
@pytest.mark.campaign
def test_sums_of_periods_give_the_same_as_counting_the_rounds_one_by_one(
    seed: int, last: int, length: int, by: str, zone: str, game: str, withdrawn: int
) -> None:
    """Some rounds were there before the store had sums, some were stored since, some were withdrawn again."""
    rows = random_rounds(seed, count=150)
    with TemporaryDirectory() as folder, house_in(zone):
        engine = empty(Path(folder))
        insert(engine, {"rounds": rows[:100]})
        kept(engine, rows[100:], withdrawn)
        end = datetime.fromtimestamp(NOW_MS / 1000).date() + timedelta(days=1 - last)
        period = of_days(Scope("", "", game=game), end - timedelta(days=length), end, NOW_MS)
        with engine.connect() as connection:
            assert is_of_days(connection, period)
            found = period_figures(connection, period, by)
        engine.dispose()
    assert period.first is not None
    assert period.end is not None
    assert (period.first, period.end) == (end - timedelta(days=length), end) or length > DAYWISE
    expected = counted(rows[withdrawn:], period.first, period.end, by, zone, game)
    assert {one.name for one in found.figures} == set(expected)
    assert (found.names, found.rounds) == (len(expected), sum(one["rounds"] for one in expected.values()))
    for one in found.figures:
        true = expected[one.name]
        assert (one.rounds, one.spins, one.corrections) == (true["rounds"], true["spins"], true["corrections"])
        assert (one.voids, one.play_ms) == (true["voids"], true["play"])
        if by in ("table", "game"):
            assert one.phases == true["phases"]


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [(VIENNA, date(2026, 3, 29), 23), (VIENNA, date(2026, 10, 25), 25), (NEW_YORK, date(2026, 11, 1), 25)],
)
def test_a_day_on_which_the_clock_is_changed_has_its_own_hours(
    tmp_path: Path, zone: str, day: date, hours: int
) -> None:
    """A round in every half hour around it: those of the day are in its figures, and each hour of it lasted."""
    begins = int(datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).timestamp()) * 1000
    rows = [
        a_round("one", number, begins + (number - 60) * 30 * MINUTE_MS + 1000, game="sic-bo")
        for number in range(1, 200)
    ]
    with house_in(zone):
        engine = empty(tmp_path)
        insert(engine, {"rounds": rows})
        sum_up(engine)
        alone, around = days_of(day, day + timedelta(days=1)), days_of(day - timedelta(1), day + timedelta(2))
        with engine.connect() as connection:
            assert period_figures(connection, alone, "table").rounds == 2 * hours
            assert period_figures(connection, around, "table").rounds == 2 * (hours + 48)
            rounds, lasted = rounds_by_hour(connection, around)
        engine.dispose()
    assert alone.span_ms == hours * 3_600_000
    expected = Counter(local(row, zone).hour for row in rows if abs((local(row, zone).date() - day).days) <= 1)
    assert {hour: count for hour, count in enumerate(rounds["sic-bo"]) if count} == expected
    assert sum(lasted) == 48 + hours
    assert Counter(lasted)[3] == 23, "each hour of the day came three times, but for one"
