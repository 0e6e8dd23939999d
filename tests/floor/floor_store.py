"""The floor's store, on each database: what tables send is kept once, whatever else arrives."""

import random
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from floor_tables import (
    NOW,
    batch,
    batches,
    content,
    copied,
    entries_of,
    forked,
    open_database,
    refusals,
    rows,
    seq_of,
    standing,
    stored,
)
from golden.journals import GAMES, last_ended
from sqlalchemy import Engine
from sqlalchemy.exc import DataError
from tampering import chained

from config.floor import RetentionSection
from controller.floor import derive, schema
from controller.floor.database import sole_writer
from controller.floor.retention import expire
from controller.floor.settle import SettlementError, settle
from controller.floor.store import Arrived, Store
from controller.floor.wire import LARGEST_BYTES, have_topic, online_topic
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.machine.registry import UnknownGameError
from hal.mock.clock import VirtualClock

T = "t-1"


def whole(url: str, *records: tuple[str, list[Entry]]) -> dict[str, list[dict[str, Any]]]:
    """What a database has that was given these records, each in order."""
    with stored(url) as store:
        for table, entries in records:
            for one in batches(table, entries, 200):
                store.take([one])
        return content(store)


def own_record(file: Path) -> list[Entry]:
    """The floor's own record."""
    with closing(Journal(file, read_only=True)) as journal:
        return list(journal.entries())


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_the_same_however_it_arrives(game: str, url: str, tmp_path: Path) -> None:
    """In batches of any size, again, out of order, several at once, and with a restart of the floor between."""
    entries, chance = list(entries_of(game)), random.Random(game)
    expected = whole(f"sqlite:///{tmp_path}/expected.db", (T, entries))
    have = 0
    while have < len(entries):
        with stored(url) as store:
            for _ in range(chance.randint(3, 9)):
                some = []
                for _ in range(chance.randint(1, 4)):
                    first = max(0, have + chance.randint(-30, 20))
                    some.append(
                        batch(T, entries[first : first + chance.randint(1, 60)] or entries[:1], entries[0].hash)
                    )
                answers = store.take([*some, batch(T, entries[have : have + 20] or entries[:1], entries[0].hash)])
                assert all(answer.table == T for answer in answers)
                have = max(seq_of(answers))
                assert seq_of(store.haves()) == [have]
    with stored(url) as store:
        assert content(store) == expected
        assert refusals(store) == {}
        (row,) = rows(store, schema.tables)
        assert (row["game"], row["entry_utc"], row["round"]) == (game, entries[-1].utc, last_ended(game) + 1)
        assert all(alert["ended"] for alert in rows(store, schema.alerts))


def test_what_is_no_message_of_the_table_is_refused_and_named(url: str) -> None:
    entries, other = list(entries_of("sic-bo")), list(entries_of("roulette"))
    false = [entries[10]._replace(body='{"forged": true}'), *entries[11:20]]
    good = batch(T, entries[:10])
    topic = good.topic
    refused: dict[str, list[Arrived]] = {
        "topic": [Arrived("tables/t-1/rounds", b"{}"), Arrived(have_topic(T), b"{}")],
        "malformed": [
            Arrived(topic, b""),
            Arrived(topic, b"[" * 10_000),
            Arrived(topic, good.payload[:-20]),
            Arrived(topic, good.payload.replace(b'"format":1', b'"format":2')),
            Arrived(topic, good.payload.replace(b'"first":1', b'"first":0')),
            Arrived(topic, good.payload.replace(b'"first":1', b'"first":9223372036854775807')),
            Arrived(topic, good.payload.replace(b'"first":1', b'"first":1,"more":2')),
            Arrived(topic, good.payload.replace(entries[0].utc.encode(), b"2026-11-29")),
            Arrived(topic, good.payload.replace(b'"table-started"', b'"' + b"k" * 81 + b'"')),
            Arrived(topic, b" " * LARGEST_BYTES + good.payload),
            Arrived(online_topic(T), b'{"online": 1}'),
            Arrived(topic, good.payload.replace(b'"table-started"', b'"table\\u0000started"')),
        ],
        "chain": [
            batch(T, false, entries[0].hash),
            batch(T, other[1:9], entries[0].hash),
            batch(T, [entries[3]._replace(hash="0" * 64)], entries[0].hash),
            batch("t-2", other[:5], "0" * 64),
        ],
        "foreign": [batch("t-2", entries[:5]), batch("t-2", entries[10:15], entries[0].hash)],
    }
    with stored(url) as store:
        store.take([good])
        before = content(store)
        for reason, messages in refused.items():
            for one in messages:
                count = refusals(store)
                assert set(seq_of(store.take([one]))) <= {0, 10}
                assert sum(refusals(store).values()) == sum(count.values()) + 1
            assert sum(count for (_, why), count in refusals(store).items() if why == reason) == len(messages)
        assert content(store) == before
        assert seq_of(store.take([batch(T, entries[10:20], entries[0].hash)])) == [20]


def test_what_does_not_follow_is_answered_and_not_stored(url: str) -> None:
    entries, later = list(entries_of("sic-bo")), copied(entries_of("sic-bo"), NOW)
    with stored(url) as store:
        (answer,) = store.take([batch(T, entries[5:9], entries[0].hash)])
        assert (answer.table, answer.have) == (T, None), "it has nothing of the table"
        store.take([batch(T, entries[:9])])
        assert seq_of(store.take([batch(T, entries[20:30], entries[0].hash)])) == [9]
        (answer,) = store.take([batch(T, later[4:8], later[0].hash)])
        assert answer.have is not None
        assert (answer.have.record, answer.have.seq) == (entries[0].hash, 9), "an older record"


@pytest.mark.parametrize("game", ["dreamcatcher", "roulette"])
def test_a_contradiction_is_kept_apart_until_a_person_settles_it(game: str, url: str, tmp_path: Path) -> None:
    entries = list(entries_of(game))
    branch = forked(entries, 150)[:300]
    alone = {
        name: whole(f"sqlite:///{tmp_path}/{name}.db", (T, one)) for name, one in (("a", entries), ("b", branch))
    }
    record, engine = tmp_path / "floor.record", open_database(url)
    with stored(url) as store:
        store.take(batches(T, entries))
        for _ in range(2):
            assert set(seq_of(store.take(batches(T, branch)))) == {len(entries)}
            assert content(store) == alone["a"]
        assert (T, "fork") in standing(store)
        assert len(rows(store, schema.disputed)) == 1
        assert refusals(store)[T, "disputed"] == 1, "it is kept once"
    with stored(url) as store:
        assert (T, "fork") in standing(store), "after a restart"
        with pytest.raises(SettlementError):
            settle(engine, record, 0, T, None, "M. Cruz", "card copied")
        with pytest.raises(SettlementError):
            settle(engine, record, 0, T, "stored", "", "card copied")
        done = settle(engine, record, 0, T, "disputed", "M. Cruz", "card copied")
        assert "entries from 150 on" in done[0]
        assert seq_of(store.take([])) == [149], "a running floor tells the table"
        store.take(batches(T, branch))
        assert content(store) == alone["b"]
        assert ("fork" in dict(standing(store)).values(), len(rows(store, schema.disputed)) > 1) == (False, True)
        store.take(batches(T, entries))
        assert content(store) == alone["b"], "the other branch is no news"
    (entry,) = own_record(record)
    assert ('"person": "M. Cruz"' in entry.body, entry.kind) == (True, "settled")
    engine.dispose()


@pytest.mark.parametrize("game", ["dreamcatcher", "roulette"])
def test_wherever_a_record_forks_a_round_is_derived_once(game: str, tmp_path: Path) -> None:
    """Before, at and after a spin, and where the next round opens."""
    record, rested = entries_of(game), ("wheel-rested", "ball-left-track")
    number = next(entry.round for entry in record if entry.kind in rested and entry.round > 3)
    entries = [entry for entry in record if entry.round <= number + 2]
    spin = next(entry.seq for entry in entries if entry.round == number and entry.kind in rested)
    opens = next(entry.seq for entry in entries if entry.round == number + 1)
    for at in (spin - 1, spin, spin + 1, opens - 1, opens, opens + 1):
        branch = forked(entries, at)
        expected = whole(f"sqlite:///{tmp_path}/{at}-b.db", (T, branch))
        url = f"sqlite:///{tmp_path}/{at}.db"
        engine = open_database(url)
        with stored(url) as store:
            store.take([*batches(T, entries), *batches(T, branch)])
            settle(engine, tmp_path / "floor.record", 0, T, "disputed", "M. Cruz", "card copied")
            store.take([])
            store.take(batches(T, branch))
            assert content(store) == expected, at
            assert (T, "defect") not in refusals(store)
        engine.dispose()


def test_a_table_may_be_set_back_to_the_same_entry_again(url: str, tmp_path: Path) -> None:
    entries, engine = entries_of("sic-bo")[:300], open_database(url)
    branches = [forked(entries, 40, f"2026-06-0{day}T00:00:00.000Z") for day in (1, 2, 3)]
    with stored(url) as store:
        store.take(batches(T, entries))
        for branch in branches:
            store.take(batches(T, branch))
            settle(engine, tmp_path / "floor.record", 0, T, "disputed", "M. Cruz", "card copied")
            store.take([])
            store.take(batches(T, branch))
        assert content(store) == whole(f"sqlite:///{tmp_path}/alone.db", (T, branches[-1]))
        assert {row["hash"] for row in rows(store, schema.disputed)} >= {
            one[39].hash for one in (entries, *branches[:-1])
        }
    engine.dispose()


def test_what_was_stored_may_count(url: str, tmp_path: Path) -> None:
    entries, engine = list(entries_of("sic-bo")), open_database(url)
    with stored(url) as store:
        store.take([*batches(T, entries), *batches(T, forked(entries, 99))])
        before = content(store)
        settle(engine, tmp_path / "floor.record", 0, T, "stored", "M. Cruz", "old card")
        store.take(batches(T, forked(entries, 99)))
        assert (content(store), standing(store)) == (before, [])
        with pytest.raises(SettlementError):
            settle(engine, tmp_path / "floor.record", 0, T, "stored", "M. Cruz", "again")
    engine.dispose()


def test_a_clock_years_ahead_is_an_alert_and_its_entries_are_stored(url: str) -> None:
    entries = list(entries_of("sic-bo"))
    ahead = [entry._replace(utc=f"2031{entry.utc[4:]}") for entry in entries[40:60]]
    entries = chained([*entries[:40], *ahead, *entries[60:70]], 40)
    with stored(url) as store:
        store.take([batch(T, entries[:40])])
        assert seq_of(store.take([batch(T, entries[40:60], entries[0].hash)])) == [60]
        assert (T, "clock") in standing(store)
    with stored(url) as store:
        store.take([batch(T, entries[60:], entries[0].hash)])
        assert (T, "clock") not in standing(store)


def test_a_game_that_is_not_known_is_stored_and_read_by_a_newer_floor(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(name: str) -> object:
        raise UnknownGameError(name)

    entries, other = list(entries_of("roulette")), list(entries_of("sic-bo"))
    expected = whole(f"sqlite:///{tmp_path}/expected.db", (T, entries), ("t-2", other))
    derive._terms.cache_clear()
    with monkeypatch.context() as patch, stored(url) as store:
        store.take(batches("t-0", other[:50]))
        patch.setattr(derive, "find_game", unknown)
        assert seq_of(store.take(batches(T, entries))) == [len(entries)]
        assert standing(store) == [(T, "unreadable")]
    derive._terms.cache_clear()
    with stored(url) as store:
        store.catch_up()
        assert standing(store) == []
        mine = [row for row in content(store)["sums"] if row["table"] == T]
        assert mine == [row for row in expected["sums"] if row["table"] == T]


def test_a_new_record_of_a_table_is_an_alert(url: str) -> None:
    entries, later = list(entries_of("sic-bo")), copied(entries_of("sic-bo"), NOW)
    with stored(url) as store:
        store.take([batch(T, entries[:40])])
        assert seq_of(store.take([batch(T, later[:9])])) == [9]
        assert (T, "record") in standing(store)
        replaces = '"replaces":[{"code":"t.damaged-1.journal","parameters":{}}]'
        named = entries[0].body.replace('"replaces":[]', replaces)
        store.take([batch("t-2", chained([entries[0]._replace(body=named)]))])
        replaced = {row["table"]: row["replaces"] for row in rows(store, schema.records)}
        assert replaced["t-2"] == "t.damaged-1.journal"
        assert ("t-2", "record") in standing(store)
        assert seq_of(store.take([batch(T, entries[40:50], entries[0].hash)])) == [50], "the rest of the older one"
        (row,) = (row for row in rows(store, schema.tables) if row["table"] == T)
        assert row["entry_utc"] == later[8].utc


def free(engine: Engine) -> bool:
    with sole_writer(engine) as db:
        return db is not None


def test_one_process_writes_and_a_second_one_waits(url: str) -> None:
    engine, other = open_database(url), open_database(url)
    with sole_writer(engine) as db:
        assert db is not None
        with sole_writer(other) as second:
            assert second is None
    assert any(free(other) for _ in range(1000)), "a server notices a little later that a connection was closed"
    engine.dispose()
    other.dispose()


@pytest.mark.parametrize("error", [DataError("INSERT", None, ValueError("too long")), ZeroDivisionError()])
def test_what_cannot_be_stored_keeps_no_other_table_back(
    error: Exception, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poison(self: Store, work: object, stored_: object, utc: str) -> None:
        if stored_.table == "bad":  # type: ignore[attr-defined]
            raise error

    monkeypatch.setattr(Store, "_check_clock", poison)
    entries, other = list(entries_of("sic-bo")), list(entries_of("roulette"))
    with stored(url) as store:
        answers = store.take(
            [batch("bad", entries[:9]), batch(T, other[:9]), Arrived(online_topic(T), b'{"online":true}')]
        )
        assert [(answer.table, answer.have and answer.have.seq) for answer in answers] == [(T, 9)]
        assert refusals(store) == {("bad", "defect"): 1}


def test_old_rounds_are_deleted_and_their_sums_stay(url: str, tmp_path: Path) -> None:
    entries, clock = list(entries_of("sic-bo")), VirtualClock()
    half = next(entry.seq for entry in entries if entry.round == 11)
    keep, record = RetentionSection(rounds_days=1), tmp_path / "floor.record"
    with stored(url) as store:
        store.take(batches(T, entries[:half]))
        before = content(store)
        clock.advance_to(400 * 24 * 3600 * 10**9)
        assert not expire(store, keep, record, clock)
        assert (rows(store, schema.rounds), rows(store, schema.sums)) == ([], before["sums"])
        store.take([*batches(T, entries[:half]), *batches(T, entries)])
        left = content(store)
        assert len(left["entries"]) == len(entries) - half + len(rows(store, schema.entries)) - len(
            left["entries"]
        ) + (half - store.records()[0].deleted_to)
        assert {row["number"] for row in left["rounds"]} == set(range(11, entries[-1].round + 1))
        assert refusals(store) == {}
    assert [entry.kind for entry in own_record(record)] == ["rounds-deleted"]


@pytest.mark.parametrize("after", [-20, -1, 0, 1])
def test_a_fork_in_deleted_entries_is_an_alert_and_what_was_stored_stays(after: int, tmp_path: Path) -> None:
    entries, clock, url = list(entries_of("sic-bo")), VirtualClock(), f"sqlite:///{tmp_path}/floor.db"
    half, record, engine = (
        next(one.seq for one in entries if one.round == 11),
        tmp_path / "record",
        open_database(url),
    )
    with stored(url) as store:
        store.take(batches(T, entries[:half]))
        clock.advance_to(400 * 24 * 3600 * 10**9)
        expire(store, RetentionSection(rounds_days=1), record, clock)
        store.take(batches(T, entries))
        before, deleted = content(store), store.records()[0].deleted_to
        store.take(batches(T, forked(entries, deleted + after)))
        assert (content(store), standing(store)) == (before, [(T, "fork")])
        with pytest.raises(SettlementError, match="were deleted"):
            settle(engine, record, 0, T, "disputed", "M. Cruz", "card copied")
        settle(engine, record, 0, T, "stored", "M. Cruz", "card copied")
        assert (content(store), standing(store)) == (before, [])
    engine.dispose()


def test_a_wheel_at_a_second_table_is_counted_there_by_itself(url: str) -> None:
    entries = list(entries_of("dreamcatcher"))
    named = chained([_with_serial(entry) for entry in entries])
    other = copied(named, "2026-01-01T00:00:00.001Z")
    with stored(url) as store:
        store.take(batches(T, named))
        before = rows(store, schema.wheel_counts)
        store.take(batches("t-2", other))
        after = rows(store, schema.wheel_counts)
        assert {row["wheel"] for row in after} == {"W-7"}
        for table in (T, "t-2"):
            assert [row | {"table": T} for row in after if row["table"] == table] == before
        assert standing(store) == []


def _with_serial(entry: Entry) -> Entry:
    changed = entry.body.replace('"wheel":""', '"wheel":"W-7"')
    kept = entry.checkpoint.replace('"wheel":""', '"wheel":"W-7"') if entry.checkpoint else None
    return entry._replace(body=changed, checkpoint=kept)
