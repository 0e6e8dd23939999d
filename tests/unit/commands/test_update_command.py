"""``table-controller update`` on a card, at a table that runs there, and where there is nothing of that kind."""

import json
import os
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from contracts.loop import PATIENCE_S
from running_session import Runs
from update_table import NEW, OLD, PROBLEM

from controller.commands import update
from controller.commands.cli import main
from controller.configuration.shipped import table_path
from controller.runtime import session, update_folder, update_watch
from controller.runtime.update_folder import FilesOfUpdates
from hal.wall_time import SetBy

OFFER = {"version": "0.6.0", "digest": NEW, "from": "FILE table.raucb", "problem": ""}


class Card:
    """A card: its folder of updates, its program that examines bundles, and what its system reports."""

    def __init__(self, at: Path) -> None:
        self.folder = at / "table-update"
        self.folder.mkdir()
        self.program = at / "offer"
        self.bundle = at / "table.raucb"
        self.bundle.write_bytes(b"a bundle")
        self.reports("running", {"version": "0.5.0", "slot": "A", "digest": OLD})
        self.finds(OFFER)

    def reports(self, name: str, content: object) -> None:
        beside = self.folder / f".{name}"
        beside.write_text(json.dumps(content), encoding="utf-8")
        beside.rename(self.folder / f"{name}.json")

    def finds(self, offer: dict[str, str], code: int = 0) -> None:
        """What the program says of every bundle."""
        offered = f"echo '{json.dumps(offer)}' > {self.folder}/.o && mv {self.folder}/.o {self.folder}/offer.json"
        self.program.write_text(f"#!/bin/sh\n{offered}\nexit {code}\n", encoding="utf-8")
        self.program.chmod(0o755)

    def progress(self, state: str, percent: int = 0, why: str = "") -> None:
        self.reports("progress", {"digest": NEW, "state": state, "percent": percent, "why": why})


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Card:
    made = Card(tmp_path)
    monkeypatch.setattr(update_folder, "FOLDER", made.folder)
    monkeypatch.setattr(update, "FilesOfUpdates", lambda: FilesOfUpdates(made.folder))
    monkeypatch.setattr(update, "PROGRAM", made.program)
    monkeypatch.setattr(update, "TABLE", table_path("sic-bo"))
    monkeypatch.setattr(update, "_ASK_S", 0.01)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return made


class Live(Runs):
    """A table that runs on a card; commands are given in a thread beside it."""

    def __init__(self, file: Path, log: Callable[[], str], card: Card, capsys: pytest.CaptureFixture[str]) -> None:
        super().__init__(file, log, "sic-bo", SetBy.NETWORK, updates=FilesOfUpdates(card.folder))
        self.capsys, self.printed = capsys, ""
        self._threads = ThreadPoolExecutor(1)
        self.logs("is ready")
        self.port = re.findall(r"screens at http://127\.0\.0\.1:(\d+)/", log())[-1]

    def command(self, file: Path) -> Future[int]:
        return self._threads.submit(main, ["update", str(file), "--port", self.port])

    def code(self, command: Future[int]) -> int:
        self.until(command.done)
        return command.result()

    def says(self, words: str) -> None:
        """Wait until the command has printed this."""

        def said() -> bool:
            out, err = self.capsys.readouterr()
            self.printed += out + err
            return words in self.printed

        self.until(lambda: said() or self.task.done())
        assert "Traceback" not in self.printed


@pytest.fixture
def live(
    card: Card,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Live]:
    monkeypatch.setattr(update_watch, "LOOKS_S", 0)
    monkeypatch.setattr(session, "RETRY_S", 0.01)
    monkeypatch.setattr("running_session.Listening.MOST", 10_000)
    caplog.set_level("INFO")
    table = Live(tmp_path / "table.journal", lambda: caplog.text, card, capsys)
    yield table
    table.end()
    table._threads.shutdown()
    table.close()


ASKS = "update 0.6.0 (FILE table.raucb): turn the floorperson's key to install it"


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return out + err


def test_an_update_is_offered_confirmed_and_followed_to_its_end(live: Live, card: Card) -> None:
    command = live.command(card.bundle)
    live.says("update 0.6.0: turn the floorperson's key at the table within 600 s to install it")
    live.says(f"the dealer's screen says: {ASKS}")
    live.press("floor-key")
    live.says("confirmed: the table is closed while it is installed")
    card.progress("installing", 40)
    live.says("installing: 40 %")
    card.progress("restarting", 100)
    assert live.code(command) == 0
    live.says("installed: the computer is started anew with it")


def test_a_key_that_is_quicker_than_the_command_is_seen(
    live: Live, card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table asks as soon as it sees the offer."""
    act, seen = update.ScreensClient.act, threading.Event()

    def slow(client: update.ScreensClient, path: str, body: dict[str, object]) -> dict[str, Any]:
        if "ask" in body:
            seen.wait(PATIENCE_S)
        return act(client, path, body)

    monkeypatch.setattr(update.ScreensClient, "act", slow)
    command = live.command(card.bundle)
    live.logs("update 0.6.0 (FILE table.raucb)")
    live.press("floor-key")
    live.until((card.folder / "confirmed.json").exists)
    seen.set()
    live.says("confirmed: the table is closed while it is installed")
    card.progress("restarting", 100)
    assert live.code(command) == 0


def test_a_failure_is_reported_with_its_reason(live: Live, card: Card) -> None:
    card.progress("failed", why="of an attempt before")
    command = live.command(card.bundle)
    live.says("the dealer's screen says")
    live.press("floor-key")
    live.says("confirmed: the table is closed while it is installed")
    card.progress("failed", why="no room in slot B")
    (card.folder / "confirmed.json").unlink(missing_ok=True)
    assert live.code(command) == 1
    live.says("table-controller update: not installed: no room in slot B")


def test_one_that_is_dropped_at_the_table_is_not_installed(live: Live, card: Card) -> None:
    command = live.command(card.bundle)
    live.says("the dealer's screen says")
    live.press("clear")
    assert live.code(command) == 1
    live.says("not confirmed at the table; the version that runs goes on")
    live.printed = ""
    command = live.command(card.bundle)
    live.says(f"the dealer's screen says: {ASKS}")  # Again, though the same is offered.
    live.press("floor-key")
    live.says("confirmed")
    card.progress("restarting", 100)
    assert live.code(command) == 0


def test_what_cannot_be_taken_is_reported_as_the_system_says_it(live: Live, card: Card) -> None:
    card.finds({**OFFER, "problem": PROBLEM}, 1)
    assert live.code(live.command(card.bundle)) == 1
    live.says(f"table-controller update: {PROBLEM}\n")
    live.logs(f"update 0.6.0 (FILE table.raucb) cannot be taken: {PROBLEM}")


def test_a_program_that_fails_or_is_missing_is_reported(
    live: Live, card: Card, capsys: pytest.CaptureFixture[str]
) -> None:
    card.program.write_text("#!/bin/sh\necho nothing works >&2\nexit 3\n", encoding="utf-8")
    assert live.code(live.command(card.bundle)) == 1
    assert "cannot be offered: nothing works" in printed(capsys)
    card.program.chmod(0o644)
    assert live.code(live.command(card.bundle)) == 1
    assert "cannot be run: Permission denied" in printed(capsys)
    card.program.unlink()
    assert live.code(live.command(card.bundle)) == 1
    assert "use a USB stick, or make a new card" in printed(capsys)


def test_a_person_who_may_not_offer_reads_who_may(
    live: Live, card: Card, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert live.code(live.command(card.bundle)) == 1
    assert f"only root may offer an update: sudo table-controller update {card.bundle}" in printed(capsys)
    assert not (card.folder / "offer.json").exists()


# -- without a table that runs, or a card --------------------------------------------------------------------------


def test_where_no_table_runs_nothing_is_offered(card: Card, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["update", str(card.bundle), "--port", "1"]) == 1
    assert "no table on this computer has its pages at port 1" in printed(capsys)
    assert not (card.folder / "offer.json").exists()


def test_ctrl_c_ends_it_and_what_is_offered_stays(
    card: Card, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> dict[str, Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr(update.ScreensClient, "act", interrupted)
    assert main(["update", str(card.bundle)]) == 130
    assert printed(capsys) == ""


def test_a_computer_without_such_a_card_says_how_it_is_updated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(update, "FilesOfUpdates", lambda: FilesOfUpdates(tmp_path / "none"))
    for words in (["update"], ["update", "table.raucb"], ["update", "--json"]):
        assert main(words) == 1
        assert "no card with two slots runs here (docs/image.md); an installed table is updated by" in printed(
            capsys
        )


def test_what_runs_and_what_is_offered_is_shown(card: Card, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["update"]) == 0
    assert printed(capsys) == f"running: 0.5.0 in slot A, sha256 {OLD}\noffered: nothing\n"
    card.reports("offer", OFFER)
    FilesOfUpdates(card.folder).confirm("0.6.0", NEW, "4711")
    assert main(["update"]) == 0
    assert printed(capsys).splitlines()[1:] == [
        f"offered: 0.6.0 (FILE table.raucb), sha256 {NEW}",
        "confirmed; the system has not begun to install it",
    ]
    card.progress("failed", 40, "no room")
    card.reports("offer", {**OFFER, "version": "", "problem": PROBLEM})
    (card.folder / "running.json").unlink()
    assert main(["update"]) == 0
    assert printed(capsys).splitlines() == [
        "running: not known; the card's system has not said it",
        f"offered: an update (FILE table.raucb), which cannot be taken: {PROBLEM}",
        "progress: failed 40 %: no room",
    ]
    assert main(["update", "--json"]) == 0
    assert json.loads(printed(capsys)) == {
        "running": None,
        "offered": {"version": "", "digest": NEW, "from": "FILE table.raucb", "problem": PROBLEM},
        "confirmed": NEW,
        "progress": {"digest": NEW, "state": "failed", "percent": 40, "why": "no room"},
    }
