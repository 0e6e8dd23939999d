"""The demonstration: ten rounds of every game, printed as text."""

import io
from contextlib import closing
from pathlib import Path

import pytest
from open_tables import Shipped

from controller.bench.demo import play_demo
from controller.commands.cli import main
from controller.journal.errors import JournalError
from controller.journal.journal import Journal

WHEEL = (
    "VOID fewer than three; VOID between sections; VOID power cut; VOID sensor fault; REFUSED done; position; lit: "
)
ROULETTE = (
    "VOID fewer than four; VOID same direction; VOID ball lost; VOID foreign object; VOID sensor fault; called late"
)
KEYPAD = {"result": "keypad"}
CASES: list[tuple[str, dict[str, str], int | None, str]] = [
    *(("dreamcatcher", {}, seed, f"{WHEEL}40; BONUS 2x: the next result pays 2 times") for seed in (None, 0, 1)),
    ("big-six", {}, None, f"{WHEEL}logo"),
    ("sic-bo", {}, None, "passed the inspection; RESULT 3-3-3: ; 3-4-6 was corrected to 3-4-5; VOID dice not flat"),
    (
        "three-dice-football",
        {},
        None,
        "RESULT 4-4 red 4, Trips TD; turnover, the game is over; VOID on another die",
    ),
    *(("casino-war", {"positions": seats}, None, "The cover card came out; power restored") for seats in "137"),
    ("casino-war", {"positions": "7"}, None, "war-4 pays 3 to 1"),
    ("roulette", {}, None, f"{ROULETTE}; was decided"),
    ("roulette", KEYPAD, None, f"{ROULETTE}; was corrected to"),
]


@pytest.mark.parametrize(("game", "rules", "seed", "words"), CASES)
def test_the_demonstration(
    shipped: Shipped, game: str, rules: dict[str, str], seed: int | None, words: str
) -> None:
    config, out = shipped(game), io.StringIO()
    reader = None if rules == KEYPAD else config.devices.reader
    devices = config.devices.model_copy(update={"reader": reader})
    config = config.model_copy(update={"devices": devices, "rules": {**config.rules, **rules}})
    assert play_demo(config, out, seed) == 0
    assert all(len(row) <= 100 for row in out.getvalue().split("\n"))
    printed = " ".join(out.getvalue().split())
    for one in ("(10 of 10)", "rounds settled: 10", "entries, verified, head ", *words.split("; ")):
        assert one in printed


def test_the_demonstration_leaves_a_whole_journal_and_takes_no_old_one(shipped: Shipped, tmp_path: Path) -> None:
    file, out = tmp_path / "journal", io.StringIO()
    assert play_demo(shipped("big-six"), out, None, file) == 0
    with closing(Journal(file, read_only=True)) as journal:
        assert journal.verify().head in out.getvalue()
        turns = [entry.utc for entry in journal.entries(round_=2) if entry.kind == "revolution-completed"]
    assert len({*turns}) == len(turns) > 2, "each when it happened"
    assert main(["replay", "2", "big-six", "--journal", str(file), "--svg", str(tmp_path / "round.svg")]) == 0
    with pytest.raises(JournalError, match="name a new file"):
        play_demo(shipped("big-six"), out, None, file)
