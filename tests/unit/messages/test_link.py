"""A task that is stopped ends even if a cancellation is lost."""

import asyncio

import pytest
from contracts.loop import PATIENCE_S

from config.schema import BrokerSection
from controller.messages.link import LinkError, end, tls


def test_a_task_that_loses_a_cancellation_still_ends() -> None:
    async def loses(times: int) -> str:
        for _ in range(times):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                continue
        await asyncio.Event().wait()
        return "never"

    async def play() -> None:
        tasks = [asyncio.create_task(loses(times)) for times in (0, 1, 3)]
        await asyncio.sleep(0)
        await end(tasks, patience_s=0.01)
        assert all(task.cancelled() for task in tasks)

    asyncio.run(asyncio.wait_for(play(), PATIENCE_S))


@pytest.mark.parametrize("missing", ["ca", "certificate", "key"])
def test_a_file_that_cannot_be_read_is_named(missing: str, tmp_path: object) -> None:
    files = dict.fromkeys(("ca", "certificate", "key"), f"{tmp_path}/none.pem")
    broker = BrokerSection(host="broker", port=8883, keep_alive_s=20, **files)
    with pytest.raises(LinkError, match=r"none\.pem.*see broker: "):
        tls(broker)
