"""``table-controller limits``, and a running table's answers."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pytest
from running_session import Runs

from controller.commands import limits
from controller.commands.cli import main
from controller.runtime.socket import TableSocket, place_of
from hal.wall_time import SetBy


class Live(Runs):
    """A table that runs; commands are given in a thread beside it."""

    def __init__(self, file: Path, log: Callable[[], str]) -> None:
        super().__init__(file.with_name("table.journal"), log, str(file), SetBy.NETWORK, serve=False)
        self.yaml, self._threads = file, ThreadPoolExecutor(1)
        self.start(TableSocket(place_of("", self.file), self.file, self.views))
        self.logs("is ready")

    def command(self, *words: str) -> Future[int]:
        return self._threads.submit(main, ["limits", str(self.yaml), *words])

    def code(self, command: Future[int]) -> int:
        self.until(command.done)
        return command.result()


@pytest.fixture
def live(table_file: Callable[..., Path], caplog: pytest.LogCaptureFixture) -> Iterator[Live]:
    caplog.set_level("INFO")
    limits = {"minimum": 5, "maximum": 500, "payout": 25_000}
    table = Live(table_file("dreamcatcher", limits=limits), lambda: caplog.text)
    yield table
    table.end()
    table._threads.shutdown()
    table.close()


SET = ("set", "--minimum", "10", "--maximum", "1000")


def test_limits_are_announced_by_command_and_key(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    command = live.command(*SET, "--in", "30")
    live.logs("on wagers are $10 to $1,000, at most $25,000 paid out in a round. Then turn the key and confirm")
    assert not command.done()
    live.press("floor-key")
    live.press("floor-key")
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
    live.logs("on wagers are $10 to $1,000. Then turn the key and confirm")
    for key in ("floor-key", "2", "floor-key"):
        live.press(key)
    assert live.code(command) == 1
    assert "limits: dropped at the table; the limits stay as they are" in capsys.readouterr().err
    for words, message in (
        ((*SET, "--nobody-plays"), "a round is being played, or the table is not open for wagers"),
        (("withdraw",), "nothing to withdraw"),
        (("set", "--minimum", "10", "--maximum", "90000", "--in", "30"), "25000 is below the maximum 90000"),
    ):
        assert live.code(live.command(*words)) == 1
        assert message in capsys.readouterr().err
    other = live.yaml.read_text(encoding="utf-8").replace("table: dreamcatcher\n", "table: dreamcatcher-2\n")
    live.yaml.write_text(other, encoding="utf-8")
    assert live.code(live.command("withdraw")) == 1
    assert "not 'dreamcatcher-2'" in capsys.readouterr().err


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
