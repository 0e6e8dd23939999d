"""A table whose journal lies on two media: it plays on when one fails, and says so until both are whole again."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from replay_table import settle

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.journal.chain import Entry
from controller.journal.errors import JournalUnwritableError
from controller.journal.journal import Journal
from controller.journal.mirrored import MirroredJournal
from controller.journal.opening import open_mirrored
from controller.journal.pair_mark import is_marked, journal_in_use
from controller.viewmodel.history import TableHistory


class FailingMedia:
    """Journals whose files are named here cannot store an entry."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files: set[Path] = set()
        store = Journal.store

        def fails(journal: Journal, entry: Entry) -> None:
            if Path(journal._name) in self.files:
                raise JournalUnwritableError("the journal cannot be written: disk I/O error")
            store(journal, entry)

        monkeypatch.setattr(Journal, "store", fails)


class MirroredTable:
    """A wheel's table on two media, and what its dealer's screen shows."""

    def __init__(self, config: TableConfig, folder: Path) -> None:
        self.files = {"journal": folder / "table.journal", "mirror": folder / "stick" / "table.journal"}
        self.config = config
        self.rig = Rig(config, self.files["journal"], mirror=self.files["mirror"])
        self.rig.turn(1.2)
        self.watch()

    def watch(self) -> None:
        self.history = TableHistory(self.config, self.rig.clock)
        self.history.recall(self.rig.journal)
        self.rig.table.listeners.append(self.history)

    def alerts(self) -> list[str]:
        return [alert["text"] for alert in self.history.alerts()]

    def play(self, section: str = "10") -> None:
        self.rig.press("no-more-bets")
        self.rig.spin(stop_on=section)
        settle(self.rig)

    def restart(self) -> None:
        self.rig.power_cut()
        self.watch()
        self.rig.turn(1.2)

    def end(self) -> None:
        self.rig.table.stop()
        self.rig.journal.close()

    def kinds(self, name: str) -> list[str]:
        with closing(Journal(self.files[name], read_only=True)) as journal:
            return [entry.hash for entry in journal.entries()]


@pytest.fixture
def table(tmp_path: Path, shipped: Callable[[str], TableConfig]) -> MirroredTable:
    return MirroredTable(shipped("dreamcatcher"), tmp_path)


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> FailingMedia:
    return FailingMedia(monkeypatch)


@pytest.mark.parametrize(("lost", "left"), [("journal", "mirror"), ("mirror", "journal")])
def test_the_round_goes_on_from_the_medium_that_is_left(
    table: MirroredTable, fails: FailingMedia, lost: str, left: str
) -> None:
    table.rig.press("no-more-bets")
    fails.files.add(table.files[lost])
    table.rig.spin(stop_on="10")
    assert table.rig.lit() == {"10"}
    (alert,) = table.alerts()
    assert alert.startswith(f"The {lost} cannot be used: {table.files[lost]}: ")
    assert "disk I/O error" in alert
    settle(table.rig)
    table.play("1")
    assert len(table.alerts()) == 1, "it stays between rounds"
    assert [line["state"] for line in table.history.devices.listed() if line["device"] == lost] == ["gone"]
    assert journal_in_use(*table.files.values()) == table.files[left], "who only reads, reads the whole record"
    table.end()
    whole, part = table.kinds(left), table.kinds(lost)
    assert len(part) < len(whole)
    assert whole[: len(part)] == part


@pytest.mark.parametrize("lost", ["journal", "mirror"])
def test_a_medium_that_comes_back_is_filled_at_the_next_start(
    table: MirroredTable, fails: FailingMedia, lost: str
) -> None:
    fails.files.add(table.files[lost])
    table.play()
    fails.files.clear()
    table.play("1")
    assert len(table.alerts()) == 1, "not in the middle of a run"
    table.restart()
    assert table.alerts() == []
    on_record = table.rig.last("sensor-health")
    assert (on_record.sensor, on_record.health.value) == (lost, "ok")
    assert on_record.found.code == "entries-copied"
    table.play("5")
    table.end()
    assert table.kinds("journal") == table.kinds("mirror")
    assert all(map(is_marked, table.files.values()))


def test_the_alert_ends_with_a_start_though_the_power_went_between_copying_and_its_record(
    table: MirroredTable, fails: FailingMedia
) -> None:
    fails.files.add(table.files["mirror"])
    table.play()
    fails.files.clear()
    table.rig.power_off()
    open_mirrored(*table.files.values(), distinct=False).close()
    table.rig.power_on()
    table.watch()
    assert table.alerts() == []
    assert "gone" not in [line["state"] for line in table.history.devices.listed()]
    table.end()


def test_a_medium_that_does_not_answer_is_left_before_it_is_written(
    table: MirroredTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = table.rig.journal
    assert isinstance(journal, MirroredJournal)
    mirror = journal.media[1].journal
    monkeypatch.setattr(mirror, "answers", lambda: False)
    assert journal.answers()
    assert "The mirror cannot be used" in table.alerts()[0]
    table.end()
