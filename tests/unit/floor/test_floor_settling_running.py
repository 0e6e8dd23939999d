"""What people settle while the floor runs, and what is overdue, as the floor's writer and command do it."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from contracts.floor_store_cases import active_alerts, opened, rows
from contracts.loop import PATIENCE_S
from floor_messages import LATER_NS, arrived, record, state_after

from controller.commands import settle as settle_command
from controller.commands.cli import main
from controller.floor.ingest import resend_requests
from controller.floor.ingest import writer as store_writer
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.writer import StoreWriter
from controller.floor.record.floor_record import FloorRecord
from controller.floor.settlement import Settlement, outcome, settle
from controller.floor.store import schema
from controller.floor.store.store import StoreAwayError
from controller.journal.chain import utc_text
from hal.clock import LoopClock
from hal.mock.clock import VirtualClock


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.005)


def forked(folder: Path) -> str:
    """A store with a fork; its URL."""
    url = f"sqlite:///{folder}/floor.db"
    store = opened(url)
    store.take([arrived(one) for one in (*record([2, 2]), record([2, 2], changed_from=1)[1])])
    assert active_alerts(store, "fork")
    store.close()
    return url


def test_a_running_floor_takes_a_settlement_up_and_has_it_on_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_writer, "UPKEEP_S", 0.01)
    url = forked(tmp_path)

    async def keep() -> None:
        kept = FloorRecord(tmp_path / "floor.record", LoopClock())
        store = opened(url, kept)
        writer = StoreWriter(store, ResendRequests(), LoopClock(), lambda: None)
        running = asyncio.create_task(writer.run())
        said = Settlement("fork", "big-six-1", "m.weber", "the disk was exchanged", "stored")
        number = settle(store.engine, said, utc_text(LATER_NS))
        await until(lambda: outcome(store.engine, number) is not None)
        running.cancel()
        await writer.finish()
        assert not active_alerts(store, "fork")
        assert [entry.kind for entry in kept.latest(9)] == ["fork-settled"]
        store.close()
        kept.close()

    asyncio.run(keep())


def test_what_is_overdue_is_named_while_the_floor_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_writer, "UPKEEP_S", 0.01)
    monkeypatch.setattr(resend_requests, "OVERDUE_NS", 0)

    async def keep() -> None:
        store = opened(f"sqlite:///{tmp_path}/floor.db")
        writer = StoreWriter(store, ResendRequests(), LoopClock(), lambda: None)
        running = asyncio.create_task(writer.run())
        messages = record([2, 3])
        for message in (messages[0], state_after(messages[1])):
            writer.add(arrived(message))
        await until(lambda: bool(active_alerts(store, "gap")))
        running.cancel()
        await writer.finish()
        store.close()

    asyncio.run(keep())


def test_the_command_settles_what_the_floor_takes_up_later(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(settle_command, "PATIENCE_S", 0.0)
    url = forked(file.parent)
    given = ["big-six-1", "--person", "m.weber", "--reason", "the disk was exchanged"]
    assert main(["settle", str(file), "fork", "--keep", "stored", *given]) == 0
    assert "the floor does not run: it takes this up when it starts" in capsys.readouterr().out
    assert main(["settle", str(file), "gap", *given]) == 1
    assert "no active alert of the kind gap" in capsys.readouterr().err
    store = opened(url)
    (row,) = rows(store, schema.settlements)
    assert (row["what"], row["person"], row["done"]) == ("stored", "m.weber", None)
    store.close()


def test_nothing_is_settled_before_it_is_on_record(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle_command, "PATIENCE_S", 0.0)
    url = forked(file.parent)
    given = ["big-six-1", "--person", "m.weber", "--reason", "the disk was exchanged"]
    assert main(["settle", str(file), "fork", "--keep", "stored", *given]) == 0
    kept = FloorRecord(None, VirtualClock())
    store = opened(url, kept)
    kept.close()
    with pytest.raises(StoreAwayError, match="record cannot be written"):
        store.look_after([], utc_text(LATER_NS))
    assert active_alerts(store, "fork")
    assert rows(store, schema.settlements)[0]["done"] is None
    store.close()
