"""A table's session on two media: what it does at its start with what lies on them."""

import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from running_session import Runs
from tampering import change

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.words import Text
from controller.journal import audit, opening
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


def test_a_damaged_journal_is_left_alone_and_the_mirror_goes_on(media: Media) -> None:
    media.play()
    change(media.journal, "UPDATE entries SET body = replace(body, 'floor-key', 'other-key')")
    damaged = media.journal.read_bytes()
    table = media.run()
    table.logs("the journal cannot be used")
    table.logs("table dreamcatcher is ready")
    assert table.end() == 0
    assert media.journal.read_bytes() == damaged


def test_a_mirror_that_lacks_the_head_of_a_damaged_journal_is_asked_about(media: Media) -> None:
    media.play()
    shutil.copytree(media.mirror.parent, media.away)
    count = len(media.entries(media.journal))
    media.play()
    media.put_back(media.mirror)
    change(media.journal, f"DELETE FROM entries WHERE seq > {count}")
    table = media.run()
    table.logs(f"entries {count + 1} to ")
    table.logs("the last rounds may be missing")
    assert table.end() == 0


def test_damage_that_the_audit_finds_takes_one_medium_and_not_the_table(
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
    change(media.journal, "UPDATE entries SET body = replace(body, 'done', 'gone') WHERE round = 1")
    table = media.run(game="dreamcatcher")
    table.logs("table dreamcatcher is ready")
    table.logs("the journal cannot be used")
    assert "after this round the table is closed" not in media.log()
    assert table.end() == 0
    assert len(media.entries(media.mirror)) > len(rig.journal)


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


def test_a_mirror_on_the_same_medium_is_none(media: Media) -> None:
    """As where the stick is not mounted: its folder is then on the card."""
    media.play(mirror=False)
    table = media.run(distinct=True)
    table.logs("it would lie on the same medium as the journal; is its own one mounted?")
    table.logs("table dreamcatcher is ready")
    assert table.end() == 0
    assert not media.mirror.exists()
