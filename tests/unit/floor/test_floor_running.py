"""The floor as a process: the store that fails for a while, the file, the command."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from contracts.floor_store_cases import Lopsided, active_alerts, open_files, opened, rows
from contracts.loop import PATIENCE_S
from floor_messages import LATER_NS, arrived, record
from seen_pages import PagesMade

from config.loader import load_floor
from controller.commands.cli import main
from controller.floor.ingest import writer as store_writer
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.validation import Arrived
from controller.floor.ingest.writer import StoreWriter
from controller.floor.process import Floor
from controller.floor.store import engine, schema
from controller.floor.store.store import Store, StoreAwayError, StoredBatch
from controller.runtime.systemd import ServiceManager
from hal.clock import LoopClock


class Moody(Store):
    """A store that is unavailable for the first writes."""

    def __init__(self, url: str, moods: int) -> None:
        super().__init__(url, evidence=Lopsided)
        self.moods = moods
        self.batches: list[int] = []

    def take(self, messages: Sequence[Arrived], is_over: Callable[[], bool] = lambda: False) -> StoredBatch:
        if self.moods:
            self.moods -= 1
            raise StoreAwayError("the store cannot be written: disk full")
        self.batches.append(len(messages))
        return super().take(messages, is_over)


@pytest.fixture(autouse=True)
def _in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end stores all that waits, and only the number of messages limits a batch, even on a busy machine."""
    monkeypatch.setattr(store_writer, "FINISH_S", PATIENCE_S)
    monkeypatch.setattr(store_writer, "SLICE_NS", 10**15)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.005)


def test_messages_that_arrive_while_the_store_is_down_are_stored_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(store_writer, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(store_writer, "MOST_AT_ONCE", 4)
    caplog.set_level("INFO", "floor")
    messages = [arrived(one) for one in record([1] * 10)]

    async def keep() -> list[str]:
        store, errors = Moody(f"sqlite:///{tmp_path}/floor.db", moods=3), []
        writer = StoreWriter(store, ResendRequests(), LoopClock(), lambda: errors.append(writer.trouble))
        running = asyncio.create_task(writer.run())
        for message in messages:
            assert writer.add(message)
        await until(lambda: sum(store.batches) == 10)
        running.cancel()
        await writer.finish()
        assert [row["seq"] for row in rows(store, schema.rounds)] == list(range(1, 11))
        assert store.batches == [4, 4, 2]
        store.close()
        return errors

    errors = asyncio.run(keep())
    assert errors[0] == "the store cannot be written: disk full"
    assert errors[-1] == ""
    logged = [entry.getMessage() for entry in caplog.records]
    assert logged == [
        "the store cannot be written: disk full; nothing is lost; retrying",
        "the store is available again",
    ]


class Paused:
    """An action on a store that waits until the test releases it."""

    def __init__(self, action: Callable[..., Any]) -> None:
        self._action = action
        self.begun, self.released = threading.Event(), threading.Event()

    def __call__(self, *given: Any) -> Any:
        self.begun.set()
        assert self.released.wait(PATIENCE_S)
        return self._action(*given)


def test_the_end_waits_for_the_transaction_in_progress_and_not_for_the_queue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With a queue that is longer than one transaction; each round is stored at the next start."""
    monkeypatch.setattr(store_writer, "FINISH_S", 0)
    monkeypatch.setattr(store_writer, "MOST_AT_ONCE", 4)
    messages = [arrived(one) for one in record([1] * 7)]
    store = opened(f"sqlite:///{tmp_path}/floor.db")
    taking = Paused(store.take)
    monkeypatch.setattr(store, "take", taking)

    async def keep() -> None:
        writer = StoreWriter(store, ResendRequests(), LoopClock(), lambda: None)
        running = asyncio.create_task(writer.run())
        for message in messages:
            writer.add(message)
        await until(taking.begun.is_set)
        running.cancel()
        finishing = asyncio.create_task(writer.finish())
        await until(lambda: "were not stored before the end" in caplog.text)
        assert not finishing.done()
        taking.released.set()
        await finishing
        store.close()

    asyncio.run(keep())
    assert not open_files(tmp_path)
    again = opened(f"sqlite:///{tmp_path}/floor.db")
    assert len(rows(again, schema.rounds)) == 4
    again.take(messages)
    assert len(rows(again, schema.rounds)) == 7
    again.close()


def test_a_table_that_sends_too_much_has_an_alert_that_ends_by_itself(tmp_path: Path) -> None:
    store, second_ns, day_ns = opened(f"sqlite:///{tmp_path}/floor.db"), 10**9, 86_400 * 10**9
    store.take([arrived(record([1], table="greedy")[0])])
    store.upkeep({"greedy": 1_500, "": 7}, LATER_NS)
    (alert,) = active_alerts(store, "quota")
    assert (alert["table"], alert["text"].partition(" ")[0]) == ("greedy", "1,500")
    store.upkeep({"greedy": 500}, LATER_NS + second_ns)
    (alert,) = active_alerts(store, "quota")
    assert alert["text"].startswith("2,000 messages of this day were dropped")
    counted = {row["table"]: row["count"] for row in rows(store, schema.refused_count) if row["reason"] == "quota"}
    assert counted == {"greedy": 2_000, "": 7}
    store.upkeep({}, LATER_NS + 50 * second_ns)
    assert active_alerts(store, "quota")
    store.upkeep({}, LATER_NS + 62 * second_ns)
    assert not active_alerts(store, "quota")
    # The same day it stands again, and the next day is another alert; one that a stop left standing ends.
    store.upkeep({"greedy": 1}, LATER_NS + 100 * second_ns)
    assert active_alerts(store, "quota")[0]["text"].startswith("2,001 ")
    store.upkeep({"greedy": 1}, LATER_NS + day_ns)
    assert len(rows(store, schema.alerts)) == 2
    store.close()
    again = opened(f"sqlite:///{tmp_path}/floor.db")
    again.upkeep({}, LATER_NS + day_ns)
    assert not active_alerts(again, "quota")
    again.close()


def test_an_earlier_gap_is_requested_after_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/floor.db"
    messages = record([1, 1, 1])
    store = opened(url)
    store.take([arrived(messages[0]), arrived(messages[2])])
    store.close()

    async def ask() -> list[int]:
        store, requests, clock = opened(url), ResendRequests(), LoopClock()
        writer = StoreWriter(store, requests, clock, lambda: None)
        running = asyncio.create_task(writer.run())
        async with asyncio.timeout(PATIENCE_S):
            await writer.request_due.wait()
        running.cancel()
        await writer.finish()
        store.close()
        return [request.after for _, request in requests.due(clock.now_ns())]

    assert asyncio.run(ask()) == [1]


# -- the whole ----------------------------------------------------------------------------------------------------


def test_a_floor_without_its_broker_shows_why_and_ends_on_request(file: Path) -> None:
    config = load_floor(file.read_bytes(), str(file))
    pages = PagesMade()

    async def run() -> None:
        floor = Floor(config, LoopClock(), ServiceManager(), pages, 0, Lopsided)
        running = asyncio.create_task(floor.run())
        await until(lambda: bool(pages.all and pages.all[0].details))
        assert pages.all[0].address == ("127.0.0.1", 0)
        assert pages.all[0].link()["connected"] is False
        floor.stop()
        await running

    asyncio.run(run())
    assert "Connection refused" in str(pages.all[0].details[0])
    assert pages.all[0].closed
    assert pages.all[0].counted is None


def test_a_floor_that_ends_waits_until_no_thread_uses_its_store_and_closes_every_connection(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here while it opens its store."""
    config = load_floor(file.read_bytes(), str(file))
    paused, pages = Paused(engine.stored_version), PagesMade()
    monkeypatch.setattr(engine, "stored_version", paused)

    async def run() -> None:
        floor = Floor(config, LoopClock(), ServiceManager(), pages, 0, Lopsided)
        running = asyncio.create_task(floor.run())
        await until(paused.begun.is_set)
        floor.stop()
        await until(lambda: all(one.closed for one in pages.all))
        assert not running.done()
        paused.released.set()
        await running
        assert not open_files(file.parent)

    asyncio.run(run())


# -- the command --------------------------------------------------------------------------------------------------


WORKER = "worker:\n  name: floor-a\n# fairness:\n"
NO_TOKEN = "screens:\n  metrics: true\n  metrics_token: none.token\n#"


def test_a_valid_file_is_reported_as_valid(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["floor", str(file), "--check"]) == 0
    assert capsys.readouterr().out == f"{file}: in order\n"
    assert not (file.parent / "floor.db").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sqlite:///", "mysql://", "store.url names mysql, which is not supported"),
        ("floor.key", "ca.key", "No such file"),
        ("floor.key", "floor.pem", "see broker: certificate and key"),
        ("certificate:", "certifikate:", "did you mean certificate?"),
        ("floor: main-floor", "floor: Main Floor", "floor.yaml"),
        ("# fairness:\n", WORKER, "several processes can share a store in PostgreSQL only; see store: url"),
        ("# fairness:\n", NO_TOKEN, "none.token: No such file or directory; write a token into it"),
    ],
)
def test_a_file_with_mistakes_is_refused(
    file: Path, old: str, new: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(file.read_text().replace(old, new))
    assert main(["floor", str(file), "--check"]) == 78
    output = capsys.readouterr().err
    assert message in output
    assert "Traceback" not in output


def test_a_store_of_another_version_ends_the_command(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = opened(f"sqlite:///{file.parent}/floor.db")
    with store.engine.begin() as db:
        db.execute(schema.about.update().values(value="99"))
    store.close()
    assert main(["floor", str(file)]) == 78
    assert "the store is of version 99" in capsys.readouterr().err
