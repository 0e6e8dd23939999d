"""A table's screens at an address of the network: what `check` says, and who still reaches the table."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from test_http import Client

from config.rules import pages_advice
from config.schema import ScreensSection, TableConfig
from controller.configuration.shipped import LoadedTable, table_path
from controller.screens.client import ScreensClient
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from hal.clock import LoopClock

Shipped = Callable[[str], TableConfig]


def test_this_computers_screen_and_commands_still_reach_the_table(shipped: Shipped, tmp_path: Path) -> None:
    async def run() -> None:
        # 127.0.0.2 stands for this computer's address in the network.
        config = shipped("sic-bo").model_copy(update={"screens": ScreensSection(address="127.0.0.2")})
        loaded = LoadedTable(table_path("sic-bo"), config, "0" * 64)
        server = ScreenServer(loaded, LoopClock(), Rounds(tmp_path, tmp_path))
        port = await server.open("127.0.0.2", 0)
        client = Client(*await asyncio.open_connection("127.0.0.2", port))
        client.say(b"GET /dealer HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert await client.status() == 200
        client.writer.transport.abort()
        await asyncio.get_running_loop().run_in_executor(None, ScreensClient(config, port).table)
        server.close()

    asyncio.run(run())


def test_check_warns_of_pages_that_other_computers_reach(shipped: Shipped) -> None:
    def advice(**screens: Any) -> list[str]:
        return list(pages_advice(ScreensSection(**screens)))

    assert ScreensSection().address == "127.0.0.1"
    assert advice() == advice(address="::1") == advice(address="0.0.0.0", enabled=False) == []
    for address in ("192.168.7.20", "0.0.0.0", "::"):
        (line,) = advice(address=address)
        assert line.startswith(f"the pages have no log-on: everybody who reaches {address} can read them")
