"""What is published to the floor of a table's record, and the cursor of what was published."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from played import Played

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.journal.chain import GENESIS, Entry, chain
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.quarantine import quarantine
from controller.machine.registry import find_game, game_names
from controller.messages import held_entries, models
from controller.messages.reading import read
from controller.publishing.cursor import Cursor, CursorError, Published
from controller.publishing.formatter import Due, JournalPlace
from controller.publishing.source import EmptyJournalError, JournalSource
from hal.mock.clock import VirtualClock

NOTHING = JournalPlace(0, 0)


@pytest.fixture(scope="module", params=game_names())
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TableConfig]:
    """A journal of some rounds with faults."""
    file = tmp_path_factory.mktemp("played") / "table.journal"
    rig = Played(request.param, file, rounds=12, seed=4)
    rig.finish()
    return file, rig.config


def entries_of(file: Path) -> list[Entry]:
    with closing(Journal(file, read_only=True)) as journal:
        return list(journal.entries())


def messages_of(config: TableConfig, file: Path, after: int = 0, published: JournalPlace = NOTHING) -> list[Due]:
    source = JournalSource(config, file, VirtualClock())
    with closing(source):
        source.begin(after)
        found: list[Due] = []
        while due := source.due(published):
            found += due
        return found


def rounds_in(published: list[Due]) -> list[models.RoundClosed]:
    return [due.message for due in published if isinstance(due.message, models.RoundClosed)]


def test_the_rounds_cover_the_record_from_its_beginning_without_a_gap(record: tuple[Path, TableConfig]) -> None:
    file, config = record
    entries, rounds = entries_of(file), rounds_in(messages_of(config, file))
    assert len(rounds) >= 12
    head, seq = GENESIS, 0
    for message in rounds:
        assert (message.previous, message.first) == (head, seq + 1)
        assert message.record == entries[0].hash
        assert message.entries is not None
        for entry in message.entries:
            assert entry.seq == seq + 1
            body = (entry.seq, entry.round, entry.at_ns, entry.utc, entry.kind, entry.body, entry.checkpoint)
            head, seq = chain(head, *body), entry.seq
            assert head == entry.hash == entries[seq - 1].hash
        assert (message.seq, message.hash) == (seq, head)
    assert [message.number for message in rounds] == list(range(len(rounds)))


def decided(entries: list[Entry], first: int, last: int) -> list[dict[str, Any]]:
    """The effects of some entries, read from the journal's JSON without any of the controller's code."""
    return [effect for entry in entries[first - 1 : last] for effect in json.loads(entry.body)["effects"]]


def test_a_round_says_what_its_entries_say(record: tuple[Path, TableConfig]) -> None:
    file, config = record
    entries = entries_of(file)
    for message in rounds_in(messages_of(config, file)):
        effects = decided(entries, message.first, message.seq)
        assert message.voids == [effect["reason"] for effect in effects if effect["kind"] == "void"]
        assert message.returned == [effect["reason"] for effect in effects if effect["kind"] == "wagers-returned"]
        of_round = entries[message.first - 1 : message.seq]
        assert message.closed == of_round[-1].utc
        keyed = [json.loads(entry.body) for entry in of_round if entry.kind == "press"]
        corrected = [p for p in keyed if p["event"]["control"] == "correct" and p["outcome"] == "accepted"]
        assert message.corrections == len(corrected)
        assert len(message.alerts) == sum(effect["kind"] == "alert" for effect in effects)
        assert set(message.phases) <= {json.loads(entry.body)["state"] for entry in entries}
        assert len(message.spins) == len(decided_spins(message, effects, config))


def decided_spins(message: models.RoundClosed, effects: list[dict[str, Any]], config: TableConfig) -> list[str]:
    game = find_game(config.game)
    if game.wheel:
        stops = [effect["label"] for effect in effects if effect["kind"] in ("result", "bonus")]
        assert [spin.label for spin in message.spins] == stops
        assert all(game.wheel[spin.position] == spin.label and spin.of == 54 for spin in message.spins)
        assert all(spin.direction for spin in message.spins)
        return stops
    if game.pockets is not None:
        order = game.pockets(config.rules)
        assert [order[spin.position] for spin in message.spins] == message.results
        return message.results
    return []


def test_a_stop_that_was_made_void_is_none_of_the_rounds_spins(tmp_path: Path) -> None:
    """By the floorperson's key, after 7x and after a result: neither speaks for or against the wheel."""
    config, file = load_table(table_path("dreamcatcher")).config, tmp_path / "table.journal"
    table = Rig(config, file)
    table.turn(1.2)
    table.press("no-more-bets")
    for section in ("7x", "40"):
        table.spin(4, stop_on=section)
        table.floor("void", "wheel-hindered")
        assert table.state.value == "respin"
    table.spin(4, stop_on="10")
    table.press("done", "done", "clear")
    table.table.stop()
    table.journal.close()
    message = rounds_in(messages_of(config, file))[-1]
    assert message.number == 1
    assert [spin.label for spin in message.spins] == ["10"]
    assert message.results == ["10"]
    assert message.voids == ["wheel-hindered", "wheel-hindered"]


def test_every_alert_is_published_once_in_recorded_order(record: tuple[Path, TableConfig]) -> None:
    file, config = record
    published = messages_of(config, file)
    alerts = [due.message for due in published if isinstance(due.message, models.AlertMessage)]
    recorded = [
        (entry.seq, number)
        for entry in entries_of(file)
        for number, effect in enumerate(json.loads(entry.body)["effects"])
        if effect["kind"] == "alert"
    ]
    assert [(alert.seq, alert.part) for alert in alerts] == recorded
    assert [alert.text for alert in alerts if " " not in alert.text] == [], "a code in place of a sentence"
    places = [(due.place.seq, due.place.part) for due in published]
    assert places == sorted(set(places))


def test_an_alert_is_published_as_the_sentence_of_its_code_with_its_remedy(tmp_path: Path) -> None:
    """Floor and house read it; the record has the code alone."""
    config, file = load_table(table_path("dreamcatcher")).config, tmp_path / "table.journal"
    table = Rig(config, file)
    table.turn(1.2)
    table.press("no-more-bets")
    table.world.fault("dead-lamp", "10")
    table.spin(4, stop_on="10")
    table.table.stop()
    table.journal.close()
    (alert,) = [due.message for due in messages_of(config, file) if isinstance(due.message, models.AlertMessage)]
    assert (alert.text, alert.remedy) == ("No light at 10.", "Repair it. Then turn the floorperson's key twice.")


def test_a_publisher_restarted_anywhere_publishes_the_same_from_there_on(
    record: tuple[Path, TableConfig],
) -> None:
    file, config = record
    published = messages_of(config, file)
    for number, due in enumerate(published):
        assert messages_of(config, file, due.place.seq, due.place) == published[number + 1 :]


def test_every_message_can_be_read_again_and_says_of_which_table(record: tuple[Path, TableConfig]) -> None:
    file, config = record
    for due in messages_of(config, file):
        payload = models.write(due.message)
        assert len(payload) <= models.MOST_BYTES
        assert read(due.topic, payload) == due.message
        assert due.message.table == config.table


def test_the_tables_state_is_that_of_the_last_entry(record: tuple[Path, TableConfig]) -> None:
    file, config = record
    last = entries_of(file)[-1]
    source = JournalSource(config, file, VirtualClock())
    with closing(source):
        while source.due(NOTHING):
            pass
        state = source.formatter.state(7, last.seq)
        assert state is not None
        assert (state.seq, state.hash, state.at, state.handed_over) == (last.seq, last.hash, last.utc, 7)
        assert state.state == json.loads(last.body)["state"]
        health = source.formatter.health(last.utc)
        assert {device.device for device in health.devices} >= {"panel", "switches"}


def test_a_round_with_too_many_entries_is_published_in_parts_before_it(
    record: tuple[Path, TableConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, config = record
    whole = rounds_in(messages_of(config, file))
    entries = entries_of(file)
    longest = max(len(entry.body) + len(entry.checkpoint or "") for entry in entries)
    monkeypatch.setattr(held_entries, "MOST_BYTES", 2 * longest)
    cut = [due.message for due in messages_of(config, file)]
    parts = [message for message in cut if isinstance(message, models.RoundPart)]
    assert parts
    head, seq, rounds = GENESIS, 0, []
    for message in cut:
        if isinstance(message, models.RoundPart):
            assert (message.first, message.previous) == (seq + 1, head)
        if isinstance(message, models.RoundPart | models.RoundClosed):
            assert message.entries is not None
            assert [entry.hash for entry in message.entries] == [entry.hash for entry in entries[seq : message.seq]]
            head, seq = message.hash, message.seq
        if isinstance(message, models.RoundClosed):
            rounds.append(message.model_copy(update={"entries": None}))
    assert rounds == [message.model_copy(update={"entries": None}) for message in whole]


# ------------------------------------------------------------------------------


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Played]:
    made = Played("sic-bo", tmp_path / "table.journal", rounds=4, fault_rate=0.0)
    yield made
    made.journal.close()


def read_on(source: JournalSource, found: list[Due]) -> None:
    while due := source.due(NOTHING):
        found += due


def test_nothing_is_published_from_an_altered_entry_on(rig: Played, tmp_path: Path) -> None:
    rig.finish()
    file = tmp_path / "table.journal"
    published = rounds_in(messages_of(rig.config, file))
    broken = published[2].first + 1
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("DROP TRIGGER no_update")
    db.execute("UPDATE entries SET at_ns = at_ns + 1 WHERE seq = ?", (broken,))
    db.close()
    source = JournalSource(rig.config, file, VirtualClock())
    with closing(source):
        found: list[Due] = []
        with pytest.raises(JournalDamagedError, match=f"entry {broken} does not fit"):
            read_on(source, found)
        assert rounds_in(found) == published[:2]
        with pytest.raises(JournalDamagedError):
            source.due(NOTHING)


def test_a_journal_that_is_missing_or_empty_is_no_source_yet(rig: Played, tmp_path: Path) -> None:
    rig.finish()
    with pytest.raises(JournalError, match="there is no journal here"):
        JournalSource(rig.config, tmp_path / "none.journal", VirtualClock())
    Journal(tmp_path / "empty.journal").close()
    with pytest.raises(EmptyJournalError):
        JournalSource(rig.config, tmp_path / "empty.journal", VirtualClock())


def test_a_quarantined_journal_is_noticed(rig: Played, tmp_path: Path) -> None:
    file = tmp_path / "table.journal"
    source = JournalSource(rig.config, file, VirtualClock())
    with closing(source):
        assert not source.replaced()
        rig.finish()
        quarantine(file, "damaged", 0)
        assert source.replaced()
        Journal(file).close()
        assert source.replaced()


# -- the cursor ----------------------------------------------------------------------------------------------------


def test_the_cursor_survives_restarts_and_has_one_owner(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "table.published"
    cursor = Cursor(file)
    assert cursor.published() is None
    published = Published("a" * 64, JournalPlace(12, 1), 9)
    cursor.keep(published)
    with pytest.raises(CursorError, match="another publisher"):
        Cursor(file)
    looked = Cursor(file, read_only=True)
    assert looked.published() == published
    looked.close()
    cursor.close()
    again = Cursor(file)
    assert again.published() == published
    again.close()


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be looked at", b""])
def test_an_unusable_cursor_is_reported_with_its_remedy(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "table.published"
    file.write_bytes(content)
    if content:
        with pytest.raises(CursorError, match="delete the file"):
            Cursor(file)
        with pytest.raises(CursorError):
            Cursor(file, read_only=True)
    else:
        Cursor(file).close()  # An empty file is a new one.
    with pytest.raises(CursorError, match="never published"):
        Cursor(tmp_path / "none.published", read_only=True)
