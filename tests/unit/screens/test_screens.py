"""The screens of a table as a whole: whatever fails in them, the table plays."""

import asyncio
import json
import logging
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S

from config.schema import BrokerSection, TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.runtime.publisher_status import HEARS, PublisherStatus, write_status
from controller.screens import server
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from controller.viewmodel.history import TableHistory
from controller.web.http import Request, Response
from hal.clock import LoopClock


class Viewer:
    """A viewer of a stream."""

    backlog = 0

    def __init__(self) -> None:
        self.sent = b""

    def send(self, data: bytes) -> None:
        self.sent += data

    def drop(self) -> None:
        pass

    @property
    def picture(self) -> dict[str, object]:
        """The last document."""
        text = self.sent.decode().rpartition("event: picture\ndata: ")[2].partition("\n")[0]
        document: dict[str, object] = json.loads(text)
        return document


@pytest.fixture
def screens(dreamcatcher: Rig, tmp_path: Path) -> ScreenServer:
    """The screens of a table that is playing."""
    shown = ScreenServer(
        load_table(table_path("dreamcatcher")),
        dreamcatcher.clock,
        Rounds(tmp_path, dreamcatcher.config.journal),  # type: ignore[arg-type]
    )
    shown.watch(dreamcatcher.table)
    return shown


def test_every_stream_follows_the_table(dreamcatcher: Rig, screens: ScreenServer) -> None:
    board, dealer = Viewer(), Viewer()
    screens.board.join(board)
    screens.dealer.join(dealer)
    assert board.picture["headline"] == "PLACE YOUR WAGERS"
    assert "dealer" not in board.picture, "the board does not show the dealer"
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(revolutions=4.2, stop_on="40")
    dreamcatcher.wait(1)
    assert (board.picture["result"], board.picture["lit"]) == ("40", ["40"])
    assert "dealer" in dealer.picture
    screens.closed("the disk is full")
    dreamcatcher.wait(1)
    assert board.picture["headline"] == "TABLE IS CLOSED"
    assert board.picture["result"] == ""
    dealer_part = dealer.picture["dealer"]
    assert isinstance(dealer_part, dict)
    assert (dealer_part["next"], dealer_part["prompt"]) == ("the disk is full", "")
    screens.closed("the journal is damaged", "floorperson: key your PIN, then enter: ••")
    dreamcatcher.wait(1)
    dealer_part = dealer.picture["dealer"]
    assert isinstance(dealer_part, dict)
    assert dealer_part["prompt"] == "floorperson: key your PIN, then enter: ••"
    assert "PIN" not in json.dumps(board.picture)


@pytest.mark.parametrize("step", ["__call__", "recall"])
def test_a_defect_of_the_screens_does_not_stop_the_table(
    dreamcatcher: Rig,
    screens: ScreenServer,
    step: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(*given: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(TableHistory, step, fails)
    screens.watch(dreamcatcher.table)
    dreamcatcher.press("no-more-bets")
    assert dreamcatcher.state.value == "no-more-bets"
    assert not dreamcatcher.table.halted
    assert "the screens failed; the table plays on" in caplog.text


def test_a_port_in_use_is_reported_and_tried_again(
    shipped: Callable[[str], TableConfig],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("controller.web.opening.RETRY_S", 0.01)
    caplog.set_level(logging.INFO)
    taken = socket.create_server(("127.0.0.1", 0))
    port = taken.getsockname()[1]

    async def run() -> None:
        shown = ScreenServer(load_table(table_path("sic-bo")), LoopClock(), Rounds(tmp_path, tmp_path))
        await shown.keep_open("127.0.0.1", port)
        assert f"no screens at 127.0.0.1:{port}" in caplog.text
        taken.close()
        while "screens at http" not in caplog.text:
            await asyncio.sleep(0)
        shown.close()

    asyncio.run(asyncio.wait_for(run(), PATIENCE_S))


def test_the_dealers_screen_says_whether_the_floor_hears_the_table(
    dreamcatcher: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a table with a broker; of another one it says nothing."""
    loaded, place = load_table(table_path("dreamcatcher")), tmp_path / "contact.json"
    monkeypatch.setattr(server, "PLACE", place)
    broker = BrokerSection(host="broker", port=8883, ca="ca", certificate="crt", key="key", keep_alive_s=20)
    config = loaded.config.model_copy(update={"broker": broker})
    for one, heard in ((loaded.config, None), (config, {"heard": True, "words": HEARS})):
        write_status(place, PublisherStatus(True, dreamcatcher.clock.now_ns(), True, 0, ""))
        table, viewer = LoadedTable(loaded.path, one, loaded.digest), Viewer()
        shown = ScreenServer(table, dreamcatcher.clock, Rounds(tmp_path, tmp_path))
        shown.dealer.join(viewer)
        dreamcatcher.wait(1)
        assert _floor(viewer) == heard, "while the table is closed"
        shown.watch(dreamcatcher.table)
        dreamcatcher.wait(1)
        assert _floor(viewer) == heard
        shown.close()


def _floor(viewer: Viewer) -> object:
    dealer = viewer.picture["dealer"]
    assert isinstance(dealer, dict)
    return dealer["floor"]


def test_a_live_table_has_no_bench(screens: ScreenServer) -> None:
    site = screens._server.handle
    for method, path in (
        ("GET", "/bench"),
        ("GET", "/bench.events"),
        ("POST", "/bench/act"),
    ):
        answer = site(Request(method, path, headers={"host": "localhost"}))
        assert isinstance(answer, Response)
        assert answer.status == 404
    answer = site(Request("GET", "/table.json", headers={"host": "localhost"}))
    assert isinstance(answer, Response)
    described = json.loads(answer.body)
    assert (described["bench"], "breakages" in described) == (False, False)


def test_a_table_that_has_not_started_is_described_for_what_its_pages_draw(
    dreamcatcher: Rig, tmp_path: Path
) -> None:
    """A damaged journal keeps a table from its start: a board that is opened meanwhile shows that it is closed."""
    shown = ScreenServer(load_table(table_path("dreamcatcher")), dreamcatcher.clock, Rounds(tmp_path, tmp_path))
    shown.closed("the journal is damaged")
    before = shown._table_document()
    assert (before["title"], before["figure"], before["states"]) == ("Dreamcatcher", "wheel", [])
    shown.watch(dreamcatcher.table)
    now = shown._table_document()
    assert "bets-open" in now["states"]  # type: ignore[operator]
    assert now == before | {"states": now["states"], "moves": now["moves"]}  # type: ignore[operator]
