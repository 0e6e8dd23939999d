"""Rounds in partitions, by pg_partman in a real PostgreSQL: the store's contracts, change-over, clocks, pruning."""

import logging
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import floor_messages
import pytest
from contracts.floor_migrations import LATEST, differences, expected, of_then
from contracts.floor_proof import FloorProofContract
from contracts.floor_settling import FloorSettlingContract
from contracts.floor_store import FloorStoreContract
from contracts.floor_store_cases import active_alerts, opened, rows
from floor_messages import LATER_NS, arrived, record
from postgres_server import Postgres
from project import ROOT
from sqlalchemy import create_engine, text, update
from sqlalchemy.exc import InternalError

from controller.floor.queries.scope import Scope
from controller.floor.queries.statistics import by_the_hour
from controller.floor.store import partitioning, schema
from controller.floor.store.engine import open_engine
from controller.floor.store.partitions import (
    AHEAD,
    extension,
    is_partitioned,
    make_ahead,
    make_month,
    month_after,
    partitions,
)
from controller.floor.store.store import Store
from tests.golden.floor_store import read_dump

DAY = 24 * 60
"""Minutes."""
CENTURY_NS = 100 * 366 * 86_400_000_000_000


def partitioned(postgres: Postgres, *months: date) -> str:
    """The URL of a new store in partitions: those of the present time, and those of some months."""
    url = postgres.fresh_with_partman()
    engine = open_engine(url)
    with engine.begin() as db:
        partman = extension(db)
        assert partman is not None
        for month in months:
            make_month(db, partman, month)
    engine.dispose()
    return url


@pytest.fixture(scope="module")
def fresh(postgres: Postgres) -> Callable[[], str]:
    return lambda: partitioned(postgres, date(2026, 2, 1), date(2026, 3, 1))


@pytest.fixture
def store(fresh: Callable[[], str]) -> Iterator[Store]:
    made = opened(fresh())
    yield made
    made.close()


class TestPartitioned(FloorStoreContract):
    pass


class TestProofPartitioned(FloorProofContract):
    pass


class TestSettlingPartitioned(FloorSettlingContract):
    pass


def by_partition(store: Store) -> dict[str, int]:
    """How many rounds each partition has that has any, by month."""
    query = text("SELECT tableoid::regclass::text, count(*) FROM rounds GROUP BY 1")
    with store.engine.connect() as db:
        months = {one.name: f"{one.since:%Y-%m}" if one.since else "default" for one in partitions(db)}
        return {months[row[0]]: int(row[1]) for row in db.execute(query)}


def count_of_partitions(store: Store) -> int:
    with store.engine.connect() as db:
        return len(partitions(db))


# -- one round, one place --------------------------------------------------------------------------------------


def test_rounds_of_two_months_are_one_chain(store: Store) -> None:
    sent = record([2] * 8, begins=28 * DAY, apart=DAY)  # March has 31 days; April has no partition.
    store.take([arrived(one, LATER_NS * 2) for one in (*sent[:2], *sent[4:])])
    assert [alert["text"][:14] for alert in active_alerts(store, "gap")] == ["entries 5 to 8"]
    store.take([arrived(one, LATER_NS * 2) for one in sent[2:4]])
    assert active_alerts(store, "gap") == []
    assert by_partition(store) == {"2026-03": 2, "default": 6}
    again = store.take([arrived(one, LATER_NS * 2) for one in sent])
    assert (again.rounds, again.repeats, again.disputed) == (0, 8, 0)


def test_a_round_that_contradicts_a_stored_one_with_another_time_is_disputed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No constraint of the database holds across partitions: the chain does."""
    ours, utc = record([3, 3, 3]), floor_messages.utc
    monkeypatch.setattr(floor_messages, "utc", lambda minutes: utc(minutes if minutes <= 1 else minutes - 5 * DAY))
    theirs = record([3, 3, 3])
    assert (ours[0], ours[1].seq) == (theirs[0], theirs[1].seq)
    assert (ours[1].closed[:7], theirs[1].closed[:7]) == ("2026-03", "2026-02")
    taken = store.take([arrived(one) for one in (*ours, *theirs)])
    assert (taken.rounds, taken.repeats, taken.disputed) == (3, 1, 2)
    assert by_partition(store) == {"2026-03": 3}
    assert len(active_alerts(store, "fork")) == 1


def test_a_round_that_is_put_right_moves_to_the_partition_of_its_time(store: Store) -> None:
    sent = record([2, 2], results=["10"])
    store.take([arrived(sent[0])])
    wrong = {"closed": "2026-02-10T12:00:00.000Z", "closed_on": date(2026, 2, 10), "results": ["40"]}
    with store.engine.begin() as db:
        db.execute(update(schema.rounds).values(**wrong, derived=False, entries=None))
    assert by_partition(store) == {"2026-02": 1}
    assert store.take([arrived(one) for one in (sent[0], sent[0], sent[1])]).rounds == 1
    assert by_partition(store) == {"2026-03": 2}
    assert [row["closed"] for row in rows(store, schema.rounds)] == [one.closed for one in sent]


# -- what is read ----------------------------------------------------------------------------------------------


def test_queries_read_only_the_partitions_of_their_time(store: Store) -> None:
    store.take([arrived(one) for one in record([2] * 4, begins=-20 * DAY)])
    store.take([arrived(one) for one in record([2] * 4, table="other", salt="other")])
    scope = Scope("2026-03-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z")
    with store.engine.connect() as db:
        conditions = scope.conditions(db)
        query = schema.rounds.select().where(*conditions).compile(db, compile_kwargs={"literal_binds": True})
        plan = "\n".join(db.exec_driver_sql(f"EXPLAIN {query}".replace("%", "%%")).scalars())
        read = {one.since for one in partitions(db) if re.search(rf"\bon {one.name}\b", plan)}
        assert read == {date(2026, 3, 1)}
        assert by_the_hour(db, scope) == {"2026-03-01T12": 3}
        whole = Scope("2026-02-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z")
        assert by_the_hour(db, whole) == {"2026-02-09T12": 3, "2026-03-01T12": 3}


# -- clocks and months -----------------------------------------------------------------------------------------


def test_clocks_far_off_make_no_partitions_and_lose_no_round(store: Store) -> None:
    """In the default partition they are; pg_partman's own maintenance does not follow them either."""
    before = count_of_partitions(store)
    first = record([2] * 3, table="old", salt="old", begins=-56 * 366 * DAY)
    later = record([2] * 3, table="ahead", salt="ahead", begins=100 * 366 * DAY)
    taken = store.take([arrived(one, LATER_NS + 2 * CENTURY_NS) for one in (*first, *later)])
    assert (taken.rounds, taken.refused) == (6, 0)
    assert by_partition(store) == {"default": 6}
    store.upkeep({}, LATER_NS)
    with store.engine.begin() as db:
        assert make_ahead(db)
        db.execute(text("SELECT partman.run_maintenance('public.rounds')"))
    assert before <= count_of_partitions(store) <= before + 1, "it rounds months otherwise"
    assert {row["closed"][:4] for row in rows(store, schema.rounds)} == {first[0].closed[:4], later[0].closed[:4]}


def test_months_that_come_get_partitions_and_what_waits_in_the_default_one_moves_there(store: Store) -> None:
    with store.engine.begin() as db:
        today = db.execute(text("SELECT (now() AT TIME ZONE 'UTC')::date")).scalar_one()
        known = {one.since for one in partitions(db)}
        assert {month_after(today, ahead) for ahead in range(AHEAD + 1)} <= known
    far = month_after(today, AHEAD + 6)
    minutes = (far - floor_messages.BEGUN.date()).days * DAY
    sent = record([2] * 3, begins=minutes)
    store.take([arrived(one, LATER_NS + CENTURY_NS) for one in sent])
    assert by_partition(store) == {"default": 3}
    with store.engine.begin() as db:
        assert make_ahead(db, far)
    assert by_partition(store) == {f"{far:%Y-%m}": 3}
    assert store.take([arrived(one, LATER_NS + CENTURY_NS) for one in sent]).repeats == 3


def test_a_partition_that_cannot_be_made_now_is_made_later(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    far = date(2040, 1, 1)
    with store.engine.connect() as reader:
        reader.execute(text("SELECT count(*) FROM rounds"))
        with store.engine.begin() as db:
            assert not make_ahead(db, far)
        assert "the partition of 2040-01 cannot be made" in caplog.text
    with store.engine.begin() as db:
        assert make_ahead(db, far)


# -- the change-over -------------------------------------------------------------------------------------------


@pytest.fixture
def whole(postgres: Postgres) -> str:
    """A store of the previous version's dump, brought to this one, in one table; its database has the extension."""
    url = postgres.load(read_dump(f"version-{LATEST}.postgres.sql.gz"))
    postgres.execute(url, "CREATE SCHEMA partman", "CREATE EXTENSION pg_partman SCHEMA partman")
    open_engine(url).dispose()
    return url


def change_over(url: str) -> list[str]:
    """Change a store over; returns what was said."""
    said: list[str] = []
    engine = open_engine(url)
    try:
        with engine.begin() as db:
            partitioning.change_over(db, said.append)
    finally:
        engine.dispose()
    return said


def test_a_store_in_one_table_is_changed_over_with_every_round(postgres: Postgres, whole: str) -> None:
    postgres.execute(whole, "CREATE ROLE reports", "GRANT SELECT ON rounds TO reports")
    said = change_over(whole)
    assert of_then(whole) == expected(LATEST)
    count = len(expected(LATEST)["rounds"])
    assert said[-1].startswith(f"{count} rounds are in partitions from 20")
    assert f"of {count} rounds" in said[0]
    store = opened(whole)
    assert len(by_partition(store)) > 1
    with store.engine.connect() as db:
        assert is_partitioned(db)
        readable = text("SELECT has_table_privilege('reports', 'rounds', 'SELECT')")
        assert db.execute(readable).scalar_one()
        closed_on = text("SELECT count(*) FROM rounds WHERE closed_on <> substr(closed, 1, 10)::date")
        assert db.execute(closed_on).scalar_one() == 0
    sent = record([2] * 3, table="new", salt="new")
    assert store.take([arrived(one, LATER_NS * 2) for one in sent]).rounds == 3
    assert len({row["id"] for row in rows(store, schema.rounds)}) == count + 3
    store.close()


def test_a_partitioned_store_differs_from_the_code_in_its_keys_alone(fresh: Callable[[], str], whole: str) -> None:
    change_over(whole)
    for url in (fresh(), whole):
        found = differences(url)
        flat = [part for one in found for part in (one if isinstance(one, list) else [one])]
        kinds = {(one[0], one[3] if one[0] == "modify_nullable" else one[1].table.name) for one in flat}
        assert kinds <= {
            ("modify_nullable", "closed_on"),
            ("add_constraint", "rounds"),
            ("remove_constraint", "rounds"),
        }


def test_a_change_over_that_fails_leaves_the_store_as_it_was(
    postgres: Postgres, whole: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres.execute(whole, "CREATE VIEW latest AS SELECT max(closed) FROM rounds")
    with pytest.raises(InternalError, match="view latest depends on"):
        change_over(whole)
    assert of_then(whole) == expected(LATEST)
    engine = create_engine(whole)
    with engine.connect() as db:
        assert not is_partitioned(db)
        assert db.execute(text("SELECT count(*) FROM partman.part_config")).scalar_one() == 0
    engine.dispose()
    postgres.execute(whole, "DROP VIEW latest")
    change_over(whole)
    assert of_then(whole) == expected(LATEST)


# -- without the extension -------------------------------------------------------------------------------------


def test_without_the_extension_rounds_are_in_one_table_and_the_log_says_so(
    postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    url = postgres.fresh()
    with caplog.at_level(logging.INFO, "floor"):
        store = opened(url)
    lines = [one.getMessage() for one in caplog.records if "one table" in one.getMessage()]
    assert len(lines) == 1
    assert "the database has no extension pg_partman" in lines[0]
    assert store.take([arrived(one) for one in record([2] * 3)]).rounds == 3
    with store.engine.connect() as db:
        assert not is_partitioned(db)
    store.close()
    with pytest.raises(
        partitioning.NoPartmanError, match=r"postgresql-\d+-partman at the server.*CREATE EXTENSION"
    ):
        change_over(url)


def test_a_user_who_may_not_use_the_extension_gets_the_grants_named(
    postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    url = postgres.fresh_with_partman()
    postgres.execute(url, "CREATE ROLE visitor LOGIN", "GRANT CREATE ON SCHEMA public TO visitor")
    own = url.replace("postgres@", "visitor@")
    with caplog.at_level(logging.INFO, "floor"):
        opened(own).close()
    assert "the floor's user visitor may not use the extension pg_partman" in caplog.text
    with pytest.raises(partitioning.NoPartmanError) as error:
        change_over(own)
    grants = str(error.value).partition("run: ")[2]
    postgres.execute(url, *(one for one in grants.split("; ") if one))
    change_over(own)
    store = opened(own)
    assert store.take([arrived(one) for one in record([2] * 3)]).rounds == 3
    assert by_partition(store) == {"default": 3}
    store.close()


def test_a_partitioned_store_comes_back_from_a_dump(postgres: Postgres, store: Store) -> None:
    sent = record([2] * 4)
    store.take([arrived(one) for one in sent[:3]])
    again = opened(postgres.load(postgres.dump(store.engine.url.render_as_string())))
    assert by_partition(again) == {"2026-03": 3}
    assert again.take([arrived(one) for one in sent]).rounds == 1
    with again.engine.begin() as db:
        assert make_ahead(db, date(2050, 1, 1))
    again.close()


def test_a_partitioned_store_without_the_extension_keeps_rounds_and_says_so(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    with store.engine.begin() as db:
        db.execute(text("DROP EXTENSION pg_partman"))
        make_ahead(db, date(2060, 1, 1))
    assert "the months from 2060-01 on have no partition" in caplog.text
    sent = record([2] * 3, begins=34 * 366 * DAY)
    assert store.take([arrived(one, LATER_NS + CENTURY_NS) for one in sent]).rounds == 3
    assert by_partition(store) == {"default": 3}


def test_the_command_changes_a_store_over_and_prints_how_far_it_is(whole: str, tmp_path: Path) -> None:
    example = (ROOT / "config/floors/floor.yaml").read_text()
    file = tmp_path / "floor.yaml"
    file.write_text(re.sub(r"url: \S+", f"url: {whole}", example))
    command = [sys.executable, "-m", "controller", "floor", str(file), "--partition"]
    first, second = (subprocess.run(command, capture_output=True, text=True, cwd=ROOT) for _ in range(2))
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert "rounds are in partitions from" in first.stdout
    assert second.stdout == "the rounds are in partitions already; nothing was changed\n"
    assert of_then(whole) == expected(LATEST)
