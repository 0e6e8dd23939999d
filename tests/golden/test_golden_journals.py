"""A journal of each game, recorded by people among faults: it is decided as recorded, and every code has words."""

import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from on_record import recovered

from controller.events.effect import Alert, Effect, Lock, Note, Refused, Void
from controller.events.table_words import text_of
from controller.events.words import Phrase
from controller.journal.journal import Journal
from controller.journal.record import entry_line, exactly
from controller.journal.replay.trace import trace_file
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.runtime.round_replay import replay_round, sensors_of
from golden.journals import GAMES, entries_of, journal_file, loaded_of, table_of

CUT_EVERY = 11


class Words(dict[str, Phrase]):
    """Sentences by code, in which a missing one is an error."""

    def get(self, code: str, default: object = None) -> Phrase:  # type: ignore[override]
        return self[code]


def code_of(effect: Effect) -> str:
    """The code of what is said of an effect; empty if its kind alone says it."""
    match effect:
        case Note(text=code) | Alert(text=code) | Void(reason=code) | Lock(cause=code):
            return code
        case Refused():
            return effect.why or effect.waiting_for
    return ""


@pytest.mark.parametrize("game", GAMES)
def test_a_journal_is_decided_as_recorded(game: str, tmp_path: Path) -> None:
    """Its hashes match, and this software reads, decides and keeps everything as it was, also from its edges."""
    entries, loaded, file = entries_of(game), loaded_of(game), journal_file(game, tmp_path / "table.journal")
    assert all(exactly(entry).event.kind == entry.kind for entry in entries)
    sensed = 0
    with closing(Journal(file)) as journal:
        for number in sorted({entry.round for entry in entries}):
            replayed, unread = replay_round(number, loaded, journal, file)
            assert (replayed.differences, unread) == ([], [])
            sensed += replayed.edge_replay.same if replayed.edge_replay is not None else 0
    assert sensed > 20 or sensors_of(loaded) is None


@pytest.mark.parametrize("game", GAMES)
def test_a_table_recovers_wherever_it_is_cut(game: str) -> None:
    """It then decides the next event as the table did."""
    config, journal = table_of(game), Journal(None)
    for entry, following in pairwise(entries_of(game)):
        journal.take_over([entry])
        if following.seq % CUT_EVERY or following.kind == "rules-in-effect":
            continue
        record, machine = exactly(following), recovered(config, journal).machine
        decision = machine.handle(record.event)
        decided = (decision.outcome.value, decision.state, decision.effects)
        assert decided == (record.outcome, record.state, record.effects), following.seq


@pytest.mark.parametrize("game", GAMES)
def test_every_code_on_record_has_words(game: str) -> None:
    words = Words(words_of(find_game(game)))
    for entry in entries_of(game):
        record = exactly(entry)
        assert entry_line(entry, record, words)
        for effect in record.effects:
            if code := code_of(effect):
                assert code in words, code
                assert text_of(effect, words)


@pytest.mark.parametrize("game", [game for game in GAMES if sensors_of(loaded_of(game)) is not None])
def test_a_round_is_replayed_wherever_its_edges_begin(game: str, tmp_path: Path) -> None:
    """A tracker that begins later cannot compare everything; what it compares is as on record."""
    loaded, file = loaded_of(game), journal_file(game, tmp_path / "table.journal")
    rounds = {entry.round for entry in entries_of(game)}
    with closing(Journal(file)) as journal, closing(sqlite3.connect(trace_file(file))) as traces:
        for (oldest,) in traces.execute("SELECT DISTINCT round FROM stretches ORDER BY round").fetchall():
            with traces:
                traces.execute("DELETE FROM stretches WHERE round < ?", (oldest,))
            for number in {oldest, oldest + 1} & rounds:
                assert replay_round(number, loaded, journal, file)[0].differences == []
