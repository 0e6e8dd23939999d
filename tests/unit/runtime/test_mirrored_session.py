"""A table's session on two media: what it does at its start with the files that are there."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from limits_table import new, next_round
from running_session import Runs
from tampering import change

from config.schema import TableConfig
from controller.commands.cli import main
from controller.journal import audit
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.runtime import session as running

READY = "table dreamcatcher is ready"


class Media:
    """The two files, and tables that run on them."""

    def __init__(self, journal: Path, runs: Callable[..., Runs]) -> None:
        self.journal, self.mirror = journal, journal.parents[1] / "stick" / "table.journal"
        self._runs = runs

    def run(self, distinct: bool = False) -> Runs:
        return self._runs(mirror=self.mirror, distinct=distinct)

    def play(self, mirrored: bool = True) -> list[str]:
        """A start, a key and a stop; returns the hashes of the journal."""
        table = self.run() if mirrored else self._runs()
        table.logs(READY)
        table.press("floor-key")
        table.logs("the floorperson's key turned")
        table.press("clear")
        assert table.end() == 0
        return self.entries(self.journal)

    def entries(self, file: Path) -> list[str]:
        with closing(Journal(file, read_only=True)) as journal:
            assert journal.verify().problem == ""
            return [entry.hash for entry in journal.entries()]


@pytest.fixture
def media(file: Path, runs: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch) -> Media:
    monkeypatch.setattr(running, "RETRY_S", 0.01)
    return Media(file, runs)


def test_a_new_mirror_is_filled_before_the_table_opens(media: Media, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.journal.journal._BATCH", 2)
    before = media.play(mirrored=False)
    table = media.run()
    table.manager.MOST = 100
    table.logs(READY)
    assert table.end() == 0
    assert table.manager.notified >= len(before) // 2 - 1, "systemd hears that it is at work"
    assert media.entries(media.mirror) == media.entries(media.journal)
    with closing(Journal(media.journal, read_only=True)) as journal:
        events = [of_entry(entry).event for entry in journal.entries()]
    (event,) = (event for event in events if event.kind == "sensor-health")
    assert (event.sensor, event.health.value, event.found.code) == ("mirror", "ok", "entries-copied")  # type: ignore[attr-defined]
    assert event.found.parameters["entries"] == len(before)  # type: ignore[attr-defined]


def test_a_lost_journal_keeps_the_table_closed_until_one_is_made_of_the_mirror(media: Media) -> None:
    before = media.play()
    media.journal.unlink()
    Path(f"{media.journal}.head").unlink()
    table = media.run()
    table.manager.MOST = 1000
    table.logs("a technician decides which one counts")
    assert table.end() == 0
    assert main(["journal", "recover", str(media.journal), "--from", str(media.mirror)]) == 0
    after = media.play()
    assert after[: len(before)] == before
    assert after == media.entries(media.mirror)


def test_at_a_damaged_journal_the_floorperson_may_still_begin_a_new_record(media: Media) -> None:
    media.play()
    change(media.journal, "UPDATE entries SET body = replace(body, 'floor-key', 'other-key')")
    damaged = media.journal.read_bytes()
    table = media.run()
    table.logs("the table is closed: the journal is damaged")
    table.decide("Begin a new journal, and keep the old one")
    table.logs(READY)
    first = table.entries()[0].body
    assert table.end() == 0
    (kept,) = media.journal.parent.glob("table.damaged-*.journal")
    (second,) = media.mirror.parent.glob("table.damaged-*.journal")
    assert kept.read_bytes() == damaged
    assert kept.name in first
    assert second.name in first
    assert media.entries(media.journal) == media.entries(media.mirror)


def test_damage_of_the_mirror_that_the_audit_finds_is_an_alert(
    media: Media, shipped: Callable[[str], TableConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "EVERY_NS", 1_000_000)
    rig = new(shipped("dreamcatcher"), media.journal, mirror=media.mirror)
    next_round(rig)
    next_round(rig)
    rig.table.stop()
    rig.journal.close()
    change(media.mirror, "UPDATE entries SET body = replace(body, 'done', 'gone') WHERE round = 1")
    table = media.run()
    table.logs(READY)
    table.logs("the mirror cannot be used")
    assert "after this round the table is closed" not in table._log()
    assert table.end() == 0


def test_a_mirror_on_the_same_medium_is_none(media: Media) -> None:
    """As where the stick is not mounted: its folder is then on the card."""
    media.play(mirrored=False)
    table = media.run(distinct=True)
    table.logs("it would lie on the same medium as the journal; is its own one mounted?")
    table.logs(READY)
    assert table.end() == 0
    assert not media.mirror.exists()
