"""A table's session on two media: what it does at its start with what lies on them."""

import logging
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from running_session import Runs

from controller.events.words import Text
from controller.journal import opening
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.runtime import session as running
from hal.wall_time import SetBy


class Media:
    """The two files, and tables that run on them."""

    def __init__(self, folder: Path, log: pytest.LogCaptureFixture) -> None:
        self.journal, self.mirror = folder / "card" / "table.journal", folder / "stick" / "table.journal"
        self.away = folder / "away"
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

    def put_away(self, file: Path) -> None:
        """The medium is taken out; the mark goes with it."""
        file.parent.rename(self.away)

    def put_back(self, file: Path) -> None:
        shutil.rmtree(file.parent, ignore_errors=True)
        self.away.rename(file.parent)

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
    monkeypatch.setattr(opening, "BATCH", 2)
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


def test_a_lost_journal_comes_back_from_the_mirror_once_the_floorperson_says_so(media: Media) -> None:
    """The mirror says that the journal may have had more: nobody goes on from it unnoticed."""
    media.play()
    before = media.entries(media.mirror)
    media.put_away(media.journal)
    table = media.run()
    table.manager.MOST = 1000
    table.logs("the record may not be complete: the last rounds may be missing in")
    table.decide("Continue without the missing medium, and lose what only it has")
    table.logs("table dreamcatcher is ready")
    assert table.end() == 0
    assert media.entries(media.journal)[: len(before)] == before
    ((_, _, found),) = media.health()
    assert found.parameters["decided"] == "the floorperson"


def test_two_records_of_their_own_keep_the_table_closed(media: Media) -> None:
    """Each medium was played on without the other, by two decisions."""
    media.play()
    media.put_away(media.mirror)
    shutil.copytree(media.journal.parent, media.journal.parent.with_name("copy"))
    (media.journal.parent / "table.journal.mirrored").unlink()
    media.play(mirror=False)
    shutil.rmtree(media.journal.parent.with_name("elsewhere"), ignore_errors=True)
    other = Media(media.journal.parent.parent / "other", media._log)
    shutil.copytree(media.journal.parent.with_name("copy"), other.journal.parent)
    (other.journal.parent / "table.journal.mirrored").unlink()
    other.play(mirror=False)
    other.made[0].close()
    shutil.rmtree(media.away)
    shutil.copytree(other.journal.parent, media.mirror.parent)
    table = media.run()
    table.manager.MOST = 1000
    table.logs("the journal and its mirror differ from entry")
    text = media._log.text
    assert str(media.journal) in text
    assert str(media.mirror) in text
    assert "quarantine FILE journal|mirror" in text
    assert table.end() == 0


def test_a_table_whose_mirror_is_no_longer_named_asks_once(media: Media) -> None:
    media.play()
    table = media.run(mirror=False)
    table.manager.MOST = 1000
    table.logs("the table's file names it no longer")
    table.decide("Continue without the missing medium, and lose what only it has")
    table.logs("table dreamcatcher is ready")
    assert table.end() == 0
    assert [(name, health) for name, health, _ in media.health()] == [("mirror", "gone")]
    media.play(mirror=False)
