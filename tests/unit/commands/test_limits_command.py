"""``table-controller limits``, and a running table's answers."""

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from contracts.loop import Loop
from limits_table import announce, change, new

from controller.commands.cli import main
from controller.configuration.shipped import load_table, shipped_tables
from controller.runtime.media import JournalFiles
from controller.runtime.session import TableSession
from controller.runtime.socket import TableSocket, place_of
from controller.runtime.systemd import ServiceManager
from controller.runtime.table_clock import TableClock
from controller.viewmodel.views import TableViews
from hal.clock import LoopClock
from hal.mock.world import World
from hal.wall_time import SetBy


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A table's file with limits, at which the key alone will do; its journal is beside it."""
    made, text = tmp_path / "table.yaml", shipped_tables()["dreamcatcher"].read_text(encoding="utf-8")
    for old, own in (
        ("/var/lib/table-controller/dreamcatcher.journal", str(tmp_path / "table.journal")),
        ("  posted: elsewhere\n", "  minimum: 5\n  maximum: 500\n  payout: 25000\n"),
        ("credentials:\n", "credentials: none\n"),
        ("  file: /etc", "  # file: /etc"),
    ):
        assert old in text
        text = text.replace(old, own)
    made.write_text(text, encoding="utf-8")
    return made


class Live(Loop):
    """A table that runs in a loop, with its screens; commands are given in a thread beside it."""

    def __init__(self, file: Path, log: Callable[[], str]) -> None:
        super().__init__()
        self.file, self._log = file, log
        self._threads = ThreadPoolExecutor(1)
        self.run(self._begin)
        self.until(lambda: "is ready" in log())

    def _begin(self) -> None:
        loaded, clock = load_table(self.file), TableClock(LoopClock(), lambda: SetBy.NETWORK)
        self.world = World.of(clock)
        journal = Path(loaded.config.journal.file)
        views = TableViews(loaded.config, clock)
        files, socket = JournalFiles(journal, None), TableSocket(place_of("", journal), journal, views)
        self.running = TableSession(loaded, files, clock, ServiceManager(), views, socket)
        self.task = self.loop.create_task(self.running.run())

    def command(self, *words: str) -> Future[int]:
        return self._threads.submit(main, ["limits", str(self.file), *words])

    def code(self, command: Future[int]) -> int:
        self.until(command.done)
        return command.result()

    def prompted(self, words: str) -> None:
        self.until(lambda: words in self._log())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.run(partial(self.world.press, key))

    def confirm(self) -> None:
        self.press("floor-key", "floor-key")

    def end(self) -> None:
        self.run(self.running.stop)
        self.loop.run_until_complete(self.task)
        self._threads.shutdown()
        self.close()


@pytest.fixture
def live(file: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Live]:
    caplog.set_level("INFO")
    table = Live(file, lambda: caplog.text)
    yield table
    table.end()


SET = ("set", "--minimum", "10", "--maximum", "1000")


def test_limits_are_announced_by_command_and_key(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    command = live.command(*SET, "--in", "30")
    live.prompted("on wagers are $10 to $1,000, at most $25,000 paid out in a round. Then turn the key and confirm")
    assert not command.done()
    live.confirm()
    assert live.code(command) == 0
    out = capsys.readouterr().out
    assert "turn the floorperson's key at the table within 60 s to confirm" in out
    assert "confirmed: $10 to $1,000, at most $25,000 paid out in a round, announced, in effect from" in out
    assert live.code(live.command()) == 0
    shown = r"in effect: \$5 to \$500.*\nannounced: \$10 to \$1,000.* from \d\d:\d\d on"
    assert re.search(shown, capsys.readouterr().out)
    live.run(live.running.stop)
    live.until(live.task.done)
    assert main(["limits", str(live.file)]) == 0, "now from the journal"
    shown = r"announced: .* from \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ on \(in 3[012] min\)"
    assert re.search(shown, capsys.readouterr().out)
    assert main(["limits", str(live.file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["limits"] == {"minimum": "5", "maximum": "500", "payout": "25000"}
    assert data["pending"]["maximum"] == "1000"


def test_a_dropped_or_refused_proposal_is_reported(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    command = live.command(*SET, "--no-payout-limit", "--in", "45")
    live.prompted("on wagers are $10 to $1,000. Then turn the key and confirm")
    live.press("floor-key", "2", "floor-key")
    assert live.code(command) == 1
    assert "limits: dropped: dropped at the table; the limits stay as they are" in capsys.readouterr().err
    for words, message in (
        ((*SET, "--nobody-plays"), "a round is being played, or the table is not open for wagers"),
        (("withdraw",), "nothing to withdraw"),
        (("set", "--minimum", "10", "--maximum", "90000", "--in", "30"), "25000 is below the maximum 90000"),
    ):
        assert live.code(live.command(*words)) == 1
        assert message in capsys.readouterr().err


def test_another_table_that_runs_is_reported(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    other = live.file.read_text(encoding="utf-8").replace("table: dreamcatcher\n", "table: dreamcatcher-2\n")
    live.file.write_text(other, encoding="utf-8")
    assert live.code(live.command("withdraw")) == 1
    assert "not 'dreamcatcher-2'" in capsys.readouterr().err


# -- without a table that runs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((*SET, "--in", "29"), 2, "'29' is not possible; 30 to 1440 minutes"),
        ((*SET, "--at", "25:00"), 2, "'25:00' is not a time; write it as 18:30"),
        (SET, 2, "one of the arguments --at --in --nobody-plays is required"),
        (("set", "--minimum", "10", "--maximum", "5", "--in", "30"), 2, "the maximum 5 is below the minimum 10"),
        ((*SET, "--in", "30"), 1, "the table does not run"),
        ((*SET, "--payout", "1", "--in", "30"), 2, "the payout limit 1 is below the maximum 1000"),
    ],
)
def test_invalid_limits_are_refused(
    file: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, message: str
) -> None:
    try:
        found = main(["limits", str(file), *words])
    except SystemExit as ended:
        found = int(str(ended.code))
    assert found == code
    assert message in capsys.readouterr().err


def test_limits_are_shown_without_a_table_that_runs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["limits", str(file)]) == 0
    said = "none on record yet; those of the table's file count from its next start: $5 to $500"
    assert said in capsys.readouterr().out
    rig = new(load_table(file).config, file.with_name("table.journal"))
    announce(rig, change(payout="25000"))
    rig.table.stop()
    rig.journal.close()
    file.write_text(file.read_text(encoding="utf-8").replace("minimum: 5\n", "minimum: 15\n"), encoding="utf-8")
    assert main(["limits", str(file)]) == 0
    shown, both = capsys.readouterr().out, "in effect: $5 to $500, at most $25,000 paid out in a round"
    assert f"{both}\n" in shown
    # The bench's clock is not this computer's.
    assert "(due; it takes effect with a round of a table that runs)" in shown
    assert f"note: limits {both}; the table's file says $15" in shown
