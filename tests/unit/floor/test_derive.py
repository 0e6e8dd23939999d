"""What the floor derives from entries is what the table's own record by round says, in every game."""

import json

import pytest
from golden.journals import GAMES, entries_of, last_ended

from controller.floor.derive import Reader
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Journal
from controller.journal.summaries import round_summaries


def read(entries: list[Entry]) -> Reader:
    reader = Reader("t-1", 1)
    for entry in entries:
        reader.take(entry)
    return reader


@pytest.mark.parametrize("game", GAMES)
def test_rounds_have_the_results_and_voids_of_the_record(game: str) -> None:
    entries = list(entries_of(game))
    journal = Journal(None)
    journal.take_over(entries)
    found = read(entries).found()
    lines = {line["round"]: line for line in round_summaries(journal, None, "all")["rounds"]}
    assert [row["number"] for row in found.rounds] == list(range(last_ended(game) + 1))
    for row in found.rounds[1:]:
        line = lines[row["number"]]
        assert row["voids"] == line["voids"]
        if game != "three-dice-football":  # A game of several plays, each with a result.
            assert bool(row["results"]) == (line["outcome"] == "result")
        if game == "roulette":  # A number that was corrected is none.
            assert row["results"] == ([line["label"].partition(",")[0]] if line["outcome"] == "result" else [])
        assert sum(row["phases"].values()) > 0
    if game in ("dreamcatcher", "big-six", "roulette"):
        counting = [spin for spin in found.spins if spin["position"] is not None]
        labels = [label for row in found.rounds for label in row["results"]]
        assert len(counting) >= len(labels) > 0
        assert all(spin["direction"] and spin["label"] for spin in counting)
        assert len(counting) < len(found.spins), "void spins are kept, without a position"


@pytest.mark.parametrize("game", GAMES)
def test_reading_goes_on_from_the_entry_that_opened_the_round(game: str) -> None:
    entries = list(entries_of(game))
    whole = read(entries)
    opening = entries[whole.found().rounds[11]["last"] - 1]
    rest = Reader("t-1", 1, opening)
    for entry in entries[opening.seq :]:
        rest.take(entry)
    assert rest.table_now() == whole.table_now()
    assert [row["number"] for row in rest.found().rounds] == list(range(12, last_ended(game) + 1))


def test_a_number_that_was_corrected_or_made_void_is_no_spin_with_a_result() -> None:
    found = read(list(entries_of("roulette"))).found()
    assert any(row["corrections"] for row in found.rounds)
    for row in found.rounds:
        counting = [
            spin["label"] for spin in found.spins if spin["round"] == row["number"] and spin["position"] is not None
        ]
        assert counting == row["results"]


@pytest.mark.parametrize(
    "damage",
    [
        {"body": "{}"},
        {"body": "[" * 100_000},
        {"body": '{"event": {"kind": "press"}, "outcome": "accepted", "state": "x", "effects": [{"kind": "no"}]}'},
        {"checkpoint": None},
        {"checkpoint": json.dumps({"game": 3, "standing": {}})},
        {"checkpoint": json.dumps({"game": "no-such-game", "standing": {}})},
        {"checkpoint": "[" * 100_000},
    ],
)
def test_what_cannot_be_read_is_named(damage: dict[str, str | None]) -> None:
    first = entries_of("sic-bo")[0]._replace(**damage)
    with pytest.raises(JournalDamagedError):
        Reader("t-1", 1).take(first)
