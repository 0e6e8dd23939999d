"""``table-controller limits``, and a running table's answers."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from contracts.loop import Loop

from controller.commands import limits
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
    live.press("floor-key", "floor-key")
    assert live.code(command) == 0
    out = capsys.readouterr().out
    assert "turn the floorperson's key at the table within 60 s to confirm" in out
    assert "confirmed: $10 to $1,000, at most $25,000 paid out in a round, announced, in effect from" in out
    assert live.code(live.command()) == 0
    shown = r"in effect: \$5 to \$500.*\nannounced: \$10 to \$1,000.* from \d\d:\d\d on"
    assert re.search(shown, capsys.readouterr().out)


def test_a_dropped_or_refused_proposal_and_another_table_are_reported(
    live: Live, capsys: pytest.CaptureFixture[str]
) -> None:
    command = live.command(*SET, "--no-payout-limit", "--in", "45")
    live.prompted("on wagers are $10 to $1,000. Then turn the key and confirm")
    live.press("floor-key", "2", "floor-key")
    assert live.code(command) == 1
    assert "limits: dropped: dropped at the table; the limits stay as they are" in capsys.readouterr().err
    for words, message in (
        ((*SET, "--nobody-plays"), "a round is being played, or the table is not open for wagers"),
        (("withdraw",), "nothing to withdraw"),
        (("set", "--minimum", "10", "--maximum", "90000", "--in", "30"), "25000 is below the maximum 90000"),
        ((*SET, "--in", "29"), "minutes are a whole number from 30 to 1440"),
    ):
        assert live.code(live.command(*words)) == 1
        assert message in capsys.readouterr().err
    other = live.file.read_text(encoding="utf-8").replace("table: dreamcatcher\n", "table: dreamcatcher-2\n")
    live.file.write_text(other, encoding="utf-8")
    assert live.code(live.command("withdraw")) == 1
    assert "not 'dreamcatcher-2'" in capsys.readouterr().err


def test_no_table_runs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["limits", str(file)]) == 1
    assert "the table does not run" in capsys.readouterr().err
    for words in ((*SET, "--at", "25:00"), SET):
        with pytest.raises(SystemExit, match="2"):
            main(["limits", str(file), *words])


@pytest.mark.parametrize(
    ("now", "word", "in_min"),
    [
        ("2026-10-24T22:00+00:00", "01:30", 90),
        ("2026-10-25T00:40+00:00", "02:30", 50),  # Of the hour that comes twice, the second one.
        ("2026-10-25T01:40+00:00", "02:30", 24 * 60 - 10),
    ],
)
def test_a_time_of_day_is_the_next_one_also_where_a_clock_is_set_back(
    now: str, word: str, in_min: int, mocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment_s = datetime.fromisoformat(now).timestamp()
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        mocker.patch.object(time, "time", return_value=moment_s)
        assert limits._time(word) == (moment_s + in_min * 60) * 1000
    time.tzset()
