"""Who asks the store much waits behind who asks little."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from contracts.floor_store_cases import open_files
from contracts.loop import PATIENCE_S
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from controller.floor.queries import query_pool
from controller.floor.queries.query_pool import BusyError, QueryPool


class Held:
    """Queries that end one by one, as the test lets them."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.going = threading.Semaphore(0)

    def query(self, name: str) -> Callable[[Connection], str]:
        def run(connection: Connection) -> str:
            self.order.append(name)
            assert self.going.acquire(timeout=PATIENCE_S)
            return name

        return run


async def requested(pool: QueryPool, held: Held, name: str) -> "asyncio.Task[str]":
    """A query of the asker with the first letter of the name as address."""
    task = asyncio.create_task(pool.ask(held.query(name), name[0]))
    await asyncio.sleep(0)
    return task


class Named(Held):
    """Queries that end as the test names them."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self._ends = {name: threading.Event() for name in names}

    def query(self, name: str) -> Callable[[Connection], str]:
        def run(connection: Connection) -> str:
            self.order.append(name)
            assert self._ends[name].wait(PATIENCE_S)
            return name

        return run

    async def end(self, name: str, running: int) -> None:
        """End a query, and wait until so many have begun."""
        self._ends[name].set()
        await self.begun(running)

    async def begun(self, running: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while len(self.order) < running:
                await asyncio.sleep(0.001)


def test_askers_take_turns_and_one_alone_runs_of_each(engine: Engine) -> None:
    names = ("a1", "a2", "a3", "b1", "b2", "c1")

    async def ask() -> list[str]:
        held, pool = Named(names), QueryPool(engine, "pool", threads=2)
        tasks = [await requested(pool, held, name) for name in names]
        await held.begun(2)
        for begun, name in enumerate(("a1", "b1", "c1", "a2"), 3):
            await held.end(name, begun)
        for name in ("b2", "a3"):
            await held.end(name, len(names))
        assert await asyncio.gather(*tasks) == list(names)
        pool.close()
        return held.order

    order = asyncio.run(ask())
    assert set(order[:2]) == {"a1", "b1"}
    assert order[2:] == ["c1", "a2", "b2", "a3"]


def test_an_asker_with_too_many_queries_is_refused_and_another_is_not(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_pool, "WAITING", query_pool.WAITING_OF_ONE + 1)

    async def ask() -> None:
        held, pool = Held(), QueryPool(engine, "pool")
        tasks = [await requested(pool, held, f"a{n}") for n in range(query_pool.WAITING_OF_ONE)]
        with pytest.raises(BusyError) as refused:
            await pool.ask(held.query("a!"), "a")
        assert refused.value.own
        tasks.append(await requested(pool, held, "b"))
        with pytest.raises(BusyError) as full:
            await pool.ask(held.query("c"), "c")
        assert not full.value.own
        held.going.release(len(tasks))
        await asyncio.gather(*tasks)
        assert held.order[:2] == ["a0", "b"]
        pool.close()

    asyncio.run(ask())


def test_a_query_whose_client_left_gives_its_place_back(engine: Engine) -> None:
    async def ask() -> None:
        held, pool = Held(), QueryPool(engine, "pool")
        tasks = [await requested(pool, held, name) for name in ("a1", "a2", "b1")]
        for task in (tasks[1], tasks[2]):
            task.cancel()
        await asyncio.gather(*tasks[1:], return_exceptions=True)
        held.going.release(2)
        assert await tasks[0] == "a1"
        assert await (await requested(pool, held, "b2")) == "b2"
        assert held.order == ["a1", "b2"]
        pool.close()

    asyncio.run(ask())


def test_a_running_query_has_been_stopped_when_the_pool_is_closed(engine: Engine, tmp_path: Path) -> None:
    endless = text("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n")
    begun = threading.Event()

    def run(connection: Connection) -> object:
        begun.set()  # The statement may begin after the pool began to stop its queries.
        return connection.execute(endless).scalar()

    async def ask() -> None:
        pool = QueryPool(engine, "pool")
        task = asyncio.create_task(pool.ask(run))
        assert await asyncio.to_thread(begun.wait, PATIENCE_S)
        pool.close()
        engine.dispose()
        assert not open_files(tmp_path)
        with pytest.raises(OperationalError, match="interrupted"):
            await task

    asyncio.run(ask())
