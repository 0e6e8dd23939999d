"""Who asks the store much waits behind who asks little."""

import asyncio
import threading
from pathlib import Path

import pytest
from contracts.floor_store_cases import open_files
from contracts.loop import PATIENCE_S
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from controller.floor.queries.query_pool import QueryPool


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
