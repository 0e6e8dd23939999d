"""The floor's benchmark finds what is wrong with a store, and its network can be cut."""

import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from sqlalchemy import Connection, create_engine, delete, insert, update

from benchmarks.floor_store import StoreWatch, rounds_of
from benchmarks.floor_tables import Played, Seat, play, played
from benchmarks.forwarder import Forwarder
from controller.floor.store import schema
from controller.journal.journal import Journal

NOW = "2026-01-01T00:00:00.000Z"
SILENT_S = 0.2
"""For so long nothing comes where nothing may come."""


def seat(folder: Path, number: int) -> Seat:
    return Seat(number, f"big-six-{number}", "big-six", 1, 240, folder, folder / f"{number}.jsonl")


def recorded(folder: Path, number: int) -> Path:
    """The journal of a table that has played."""
    one = seat(folder, number)
    play(one)
    journal = Journal(one.journal)
    for entry in played(one):
        journal.append(entry.round, entry.at_ns, 0, entry.kind, entry.body, entry.checkpoint)
    journal.close()
    return one.journal


class Store:
    """A store as it should be, with what two tables recorded."""

    def __init__(self, folder: Path) -> None:
        self.journals = {f"big-six-{number}": recorded(folder, number) for number in (0, 1)}
        self.url = f"sqlite:///{folder}/floor.db"
        self._engine = create_engine(self.url)
        schema.metadata.create_all(self._engine)
        self.rounds = list(rounds_of(self.journals))
        with self.change() as connection:
            for table, record, seq, digest in self.rounds:
                connection.execute(insert(schema.rounds).values(**row(table, record, seq, digest)))
        self.watch = StoreWatch(self.url)

    def change(self) -> AbstractContextManager[Connection]:
        return self._engine.begin()

    def close(self) -> None:
        self.watch.close()
        self._engine.dispose()


def row(table: str, record: str, seq: int, digest: str) -> dict[str, object]:
    texts = dict.fromkeys(("game", "wheel", "dealer"), "")
    lists: dict[str, object] = {name: [] for name in ("results", "voids", "returned", "spins")}
    times = dict.fromkeys(("opened", "closed", "received"), NOW)
    numbers = {"first": 1, "number": 1, "corrections": 0, "checked": True}
    keys = {"table": table, "record": record, "seq": seq, "hash": digest, "previous": "0" * 64, "phases": {}}
    return {**texts, **lists, **times, **numbers, **keys}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path)
    yield made
    made.close()


def test_a_store_that_has_everything(store: Store) -> None:
    difference = store.watch.compare(set(rounds_of(store.journals)))
    assert difference.none
    assert difference.rounds == len(store.rounds) > 4
    assert difference.records == 2, "no two tables have the same record"


def test_a_round_that_is_missing_is_named(store: Store) -> None:
    table, record, seq, digest = store.rounds[3]
    with store.change() as connection:
        connection.execute(delete(schema.rounds).where(schema.rounds.c.hash == digest))
    difference = store.watch.compare(set(rounds_of(store.journals)))
    assert difference.missing == [f"{table} {record} {seq} {digest}"]
    assert not difference.none


def test_a_round_with_another_hash_is_named(store: Store) -> None:
    table, record, seq, digest = store.rounds[3]
    with store.change() as connection:
        connection.execute(update(schema.rounds).where(schema.rounds.c.hash == digest).values(hash="f" * 64))
    difference = store.watch.compare(set(rounds_of(store.journals)))
    assert difference.other == [f"{table} {record} {seq} {'f' * 64}"]
    assert len(difference.missing) == 1


def test_a_round_under_another_tables_name_is_named(store: Store) -> None:
    _, record, seq, digest = store.rounds[0]
    with store.change() as connection:
        connection.execute(insert(schema.rounds).values(**row("big-six-1", record, seq, digest)))
    assert store.watch.compare(set(rounds_of(store.journals))).other == [f"big-six-1 {record} {seq} {digest}"]


def alert(kind: str, ended: str | None) -> dict[str, object]:
    texts = {"table": "big-six-0", "kind": kind, "key": kind, "text": "entries 7 to 9 are missing", "remedy": ""}
    return {**texts, "at": NOW, "received": NOW, "round": 1, "ended": ended}


@pytest.mark.parametrize(("kind", "ended", "active"), [("gap", None, 1), ("gap", NOW, 0), ("table", None, 0)])
def test_a_gap_counts_until_it_is_filled(store: Store, kind: str, ended: str | None, active: int) -> None:
    with store.change() as connection:
        connection.execute(insert(schema.alerts).values(**alert(kind, ended)))
    difference = store.watch.compare(set(rounds_of(store.journals)))
    assert len(difference.alerts) == active
    assert difference.none is not bool(active)


def test_disputed_and_refused_messages_count(store: Store) -> None:
    with store.change() as connection:
        keys = {"table": "big-six-0", "record": "a" * 64, "seq": 3, "hash": "b" * 64}
        connection.execute(insert(schema.disputed).values(**keys, why="", payload=b"", received=NOW))
        connection.execute(insert(schema.refused_count).values(table="", reason="huge", count=2, last=NOW))
    difference = store.watch.compare(set(rounds_of(store.journals)))
    assert (difference.disputed, difference.refused) == (1, {"huge": 2})
    assert not difference.none


def test_the_same_seed_plays_the_same_rounds(tmp_path: Path) -> None:
    one, again = seat(tmp_path, 2), seat(tmp_path / "again", 2)
    again.folder.mkdir()
    assert play(one) == play(again) > 20
    assert list(played(one)) == list(played(again))
    assert all(isinstance(entry, Played) for entry in played(one))


# -- the network ---------------------------------------------------------------------------------------------------


def silent(socket_: socket.socket) -> bool:
    """Whether nothing comes for a while."""
    socket_.settimeout(SILENT_S)
    try:
        socket_.recv(100)
    except TimeoutError:
        return True
    finally:
        socket_.settimeout(PATIENCE_S)
    return False


@pytest.fixture
def forwarded() -> Iterator[tuple[Forwarder, socket.socket]]:
    """A network, and a server at its far end."""
    with socket.create_server(("127.0.0.1", 0)) as far:
        far.settimeout(PATIENCE_S)
        forwarder = Forwarder(far.getsockname()[1])
        forwarder.start()
        yield forwarder, far
        forwarder.stop()


def near(forwarder: Forwarder) -> socket.socket:
    return socket.create_connection(("127.0.0.1", forwarder.port), PATIENCE_S)


def test_a_network_that_is_cut_is_silent_and_bytes_in_transit_arrive_late(
    forwarded: tuple[Forwarder, socket.socket],
) -> None:
    forwarder, far = forwarded
    with near(forwarder) as one, far.accept()[0] as end:
        one.sendall(b"whole")
        assert end.recv(100) == b"whole"
        end.sendall(b"answer")
        assert one.recv(100) == b"answer"
        forwarder.cut()
        one.sendall(b"late")
        assert silent(end)
        assert silent(one)
        forwarder.restore()
        assert end.recv(100) == b"late"


def test_a_connection_made_while_it_is_cut_reaches_nobody(forwarded: tuple[Forwarder, socket.socket]) -> None:
    forwarder, far = forwarded
    forwarder.cut()
    with near(forwarder) as one:
        one.sendall(b"hello")
        far.settimeout(SILENT_S)
        with pytest.raises(TimeoutError):
            far.accept()
        far.settimeout(PATIENCE_S)
        forwarder.restore()
        with far.accept()[0] as end:
            assert end.recv(100) == b"hello"


def test_a_closed_connection_is_closed_at_the_other_side(forwarded: tuple[Forwarder, socket.socket]) -> None:
    forwarder, far = forwarded
    with near(forwarder) as one, far.accept()[0] as end:
        one.shutdown(socket.SHUT_WR)
        assert end.recv(100) == b""
