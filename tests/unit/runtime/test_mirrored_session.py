"""A table's session on two media: what it does at its start with what lies on them."""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from running_session import Runs
from tampering import change

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.commands.cli import main
from controller.events.words import Text
from controller.journal import audit
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.runtime import session as running
from hal.wall_time import SetBy


class Media:
    """The two files, and tables that run on them."""

    def __init__(self, folder: Path, log: pytest.LogCaptureFixture) -> None:
        self.journal, self.mirror = folder / "card" / "table.journal", folder / "stick" / "table.journal"
        self._log = log
        self.made: list[Runs] = []

    def log(self) -> str:
        return self._log.text

    def run(self, mirror: bool = True, distinct: bool = False, game: str = "dreamcatcher") -> Runs:
        self._log.clear()
        named = self.mirror if mirror else None
        self.made.append(Runs(self.journal, lambda: self._log.text, game, SetBy.NETWORK, named, distinct))
        return self.made[-1]

    def play(self, mirror: bool = True) -> None:
        """A start, a key and a stop."""
        table = self.run(mirror)
        table.logs("table dreamcatcher is ready")
        table.press("floor-key")
        table.logs("the floorperson's key turned")
        table.press("clear")
        assert table.end() == 0

    def entries(self, file: Path) -> list[str]:
        with closing(Journal(file, read_only=True)) as journal:
            assert journal.verify().problem == ""
            return [entry.hash for entry in journal.entries()]

    def health(self) -> list[tuple[str, str, Text]]:
        """What is on record of the media."""
        with closing(Journal(self.journal, read_only=True)) as journal:
            events = [of_entry(entry).event for entry in journal.entries()]
        return [(one.sensor, one.health.value, one.found) for one in events if one.kind == "sensor-health"]


@pytest.fixture
def media(tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Iterator[Media]:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(running, "RETRY_S", 0.01)
    made = Media(tmp_path, caplog)
    yield made
    for table in made.made:
        if not table.task.done():
            table.end()
        table.close()


def test_a_new_mirror_is_filled_before_the_table_opens(media: Media, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.journal.journal._BATCH", 2)
    media.play(mirror=False)
    before = media.entries(media.journal)
    table = media.run()
    table.manager.MOST = 100
    table.logs("table dreamcatcher is ready")
    assert table.end() == 0
    assert table.manager.notified >= len(before) // 2 - 1, "systemd hears that it is at work"
    assert media.entries(media.mirror) == media.entries(media.journal)
    ((name, health, found),) = media.health()
    assert (name, health) == ("mirror", "ok")
    assert (found.code, found.parameters["entries"]) == ("entries-copied", len(before))


def test_a_lost_journal_keeps_the_table_closed_until_one_is_made_of_the_mirror(media: Media) -> None:
    media.play()
    before = media.entries(media.mirror)
    media.journal.unlink()
    Path(f"{media.journal}.head").unlink()
    table = media.run()
    table.manager.MOST = 1000
    table.logs("a technician decides which one counts")
    assert table.end() == 0
    assert main(["journal", "recover", str(media.journal), "--from", str(media.mirror)]) == 0
    media.play()
    assert media.entries(media.journal)[: len(before)] == before
    assert media.entries(media.journal) == media.entries(media.mirror)


def test_at_a_damaged_journal_the_floorperson_may_still_begin_a_new_record(media: Media) -> None:
    media.play()
    change(media.journal, "UPDATE entries SET body = replace(body, 'floor-key', 'other-key')")
    damaged = media.journal.read_bytes()
    table = media.run()
    table.logs("its mirror has ")
    table.logs("the table is closed: the journal is damaged")
    table.decide("Begin a new journal, and keep the old one")
    table.logs("table dreamcatcher is ready")
    assert table.end() == 0
    (kept,) = media.journal.parent.glob("table.damaged-*.journal")
    assert kept.read_bytes() == damaged
    (second,) = media.mirror.parent.glob("table.damaged-*.journal")
    with closing(Journal(media.journal)) as journal:
        first = journal.entry(1)
    assert first is not None
    assert kept.name in first.body
    assert second.name in first.body
    assert media.entries(media.journal) == media.entries(media.mirror)


def test_damage_of_the_mirror_that_the_audit_finds_is_an_alert(
    media: Media, shipped: Callable[[str], TableConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "EVERY_NS", 1_000_000)
    rig = Rig(shipped("dreamcatcher"), media.journal, mirror=media.mirror)
    rig.turn(1.2)
    for _ in range(2):
        rig.press("no-more-bets")
        rig.spin(stop_on="10")
        rig.press("done", "done", "clear")
    rig.table.stop()
    rig.journal.close()
    change(media.mirror, "UPDATE entries SET body = replace(body, 'done', 'gone') WHERE round = 1")
    table = media.run(game="dreamcatcher")
    table.logs("table dreamcatcher is ready")
    table.logs("the mirror cannot be used")
    assert "after this round the table is closed" not in media.log()
    assert table.end() == 0
    assert len(media.entries(media.journal)) > len(rig.journal)


def test_a_mirror_on_the_same_medium_is_none(media: Media) -> None:
    """As where the stick is not mounted: its folder is then on the card."""
    media.play(mirror=False)
    table = media.run(distinct=True)
    table.logs("it would lie on the same medium as the journal; is its own one mounted?")
    table.logs("table dreamcatcher is ready")
    assert table.end() == 0
    assert not media.mirror.exists()
