"""The demonstration: ten rounds of every game, printed as text."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from config.schema import TableConfig
from controller.bench.demo import play_demo
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.machine.registry import find_game

WHEELS = ("dreamcatcher", "big-six")
Shipped = Callable[[str], TableConfig]


def demo(config: TableConfig, seed: int | None = None, journal: Path | None = None) -> tuple[int, str]:
    out = io.StringIO()
    return play_demo(config, out, seed, journal), out.getvalue()


@pytest.mark.clause("619a.1(e)")
@pytest.mark.parametrize("seed", [None, 0, 1])
@pytest.mark.parametrize("game", WHEELS)
def test_the_demonstration_of_a_wheel(shipped: Shipped, game: str, seed: int | None) -> None:
    code, printed = demo(shipped(game), seed)
    assert code == 0
    assert "rounds settled  10" in printed
    assert "(10 of 10)" in printed
    for words in (
        "VOID fewer than three revolutions",
        "VOID between sections",
        "VOID power cut",
        "VOID sensor fault",
        "REFUSED done",
        f"lit: {find_game(game).areas[-1]}",
        "chain           verified",
        "the floorperson confirmed the wheel's position",
    ):
        assert words in printed
    assert ("BONUS 2x: the next result pays 2 times" in printed) == (game == "dreamcatcher")
    assert all(len(row) <= 100 for row in printed.split("\n"))


@pytest.mark.parametrize("seed", [None, 0])
def test_the_demonstration_of_sic_bo(shipped: Shipped, seed: int | None) -> None:
    code, printed = demo(shipped("sic-bo"), seed)
    assert code == 0
    assert "rounds settled  10" in printed
    for words in (
        "passed the inspection",
        "RESULT 3-3-3: ",
        "3-4-6 was corrected to 3-4-5",
        "VOID dice not flat",
        "all wagers go back to the players",
        "voids           1 (dice not flat 1)",
    ):
        assert words in printed


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
def test_the_demonstration_of_football(shipped: Shipped, seed: int | None) -> None:
    code, printed = demo(shipped("three-dice-football"), seed)
    assert code == 0
    assert "rounds settled  10" in printed
    for words in (
        "Offer the dice to position 1",
        "touchdown",
        "RESULT 4-4 red 4, Trips TD",
        "turnover, the game is over",
        "Pay defense wagers 4 to 5",
        "VOID on another die",
        "power restored",
    ):
        assert words in " ".join(printed.split())
    assert all(len(row) <= 100 for row in printed.split("\n"))


@pytest.mark.parametrize("positions", [1, 3, 7])
@pytest.mark.parametrize("seed", [None, 0, 1])
def test_the_demonstration_of_casino_war(shipped: Shipped, seed: int | None, positions: int) -> None:
    config = shipped("casino-war")
    code, printed = demo(config.model_copy(update={"rules": {**config.rules, "positions": str(positions)}}), seed)
    assert code == 0
    assert "rounds settled  10" in printed
    assert "The cover card came out" in printed
    assert "power restored" in printed
    if positions == 7:
        assert "war-4 pays 3 to 1" in " ".join(printed.split())


@pytest.mark.parametrize("seed", [None, 0, 1])
@pytest.mark.parametrize("reader", [True, False])
def test_the_demonstration_of_roulette(shipped: Shipped, seed: int | None, reader: bool) -> None:
    config = shipped("roulette")
    if not reader:
        devices = config.devices.model_copy(update={"reader": None})
        config = config.model_copy(update={"devices": devices, "rules": {**config.rules, "result": "keypad"}})
    code, printed = demo(config, seed)
    assert code == 0
    assert "rounds settled  10" in printed
    for words in (
        "Seen: the wheel",
        "inspection log, roulette: nothing adjusted or replaced; inspection completed; signed the floorperson",
        "VOID fewer than four revolutions",
        "VOID same direction",
        "VOID ball lost",
        "VOID foreign object",
        "was called late",
        "was decided" if reader else "was corrected to",
        "VOID sensor fault: The sensors cannot be trusted. ball_1 stuck",
        "VOID power cut",
        "chain verified",
    ):
        assert words in " ".join(printed.split())
    assert all(len(row) <= 100 for row in printed.split("\n"))


def test_the_demonstration_leaves_a_whole_journal_and_takes_no_old_one(shipped: Shipped, tmp_path: Path) -> None:
    file = tmp_path / "journal"
    _, printed = demo(shipped("dreamcatcher"), None, file)
    journal = Journal(file, read_only=True)
    assert journal.verify().head in printed
    journal.close()
    with pytest.raises(JournalError, match="name a new file"):
        demo(shipped("dreamcatcher"), None, file)
