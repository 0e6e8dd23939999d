"""Several workers on one PostgreSQL: each event is told by one of them, and one that dies leaves nothing held."""

import asyncio
from pathlib import Path

import pytest
from postgres_server import Postgres
from sqlalchemy import Engine, create_engine, select
from stored_floor import an_alert, insert
from webhook_receiver import webhook_server

from config.webhooks import WebhookSection
from controller.floor.store import schema
from controller.floor.store.webhook_events import held, take_up
from controller.floor.webhooks import receiver
from controller.floor.webhooks.receiver import Receiver
from hal.clock import LoopClock

PATIENCE_S = 30.0


@pytest.fixture
def workers(postgres: Postgres, tmp_path: Path) -> list[Engine]:
    """Two workers' engines on one store."""
    url = postgres.fresh()
    made = [create_engine(url), create_engine(url)]
    schema.metadata.create_all(made[0])
    return made


def test_one_worker_at_a_time_tells_a_receiver(workers: list[Engine]) -> None:
    section = WebhookSection(name="pager", url="https://pager.example/")
    with workers[0].begin() as db:
        take_up(db, section)
    with held(workers[0], "pager") as first, held(workers[1], "pager") as second:
        assert (first, second) == (True, False)
    with held(workers[1], "pager") as again:
        assert again
    for engine in workers:
        engine.dispose()


def _done(engine: Engine) -> list[str | None]:
    """When each event was done; None for those that are not."""
    with engine.connect() as db:
        return list(db.execute(select(schema.webhook_events.c.done)).scalars())


def test_two_workers_tell_each_event_once(workers: list[Engine], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver, "LOOK_S", 0.01)
    insert(workers[0], {"alerts": [an_alert("sic-bo-1", str(number)) for number in range(40)]})

    async def run() -> None:
        section = WebhookSection(name="pager", url=server.url, per_minute=600)
        receivers = [Receiver(section, "hall", engine, LoopClock(), lambda: None) for engine in workers]
        tasks = [asyncio.create_task(one.run()) for one in receivers]
        async with asyncio.timeout(PATIENCE_S):
            while len(server.delivered) < 40 or not all(_done(workers[0])):
                await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    with webhook_server() as server:
        asyncio.run(run())
    assert server.delivered == [("raised", str(number)) for number in range(40)], "each once, in order"
    for engine in workers:
        engine.dispose()
