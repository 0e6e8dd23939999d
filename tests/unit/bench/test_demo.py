"""The demonstration: ten rounds of every game, printed as text."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from config.schema import TableConfig
from controller.bench.demo import play_demo
from controller.journal.errors import JournalError
from controller.journal.journal import Journal

Shipped = Callable[[str], TableConfig]
WHEEL = (
    *("VOID fewer than three revolutions", "VOID between sections", "VOID power cut", "VOID sensor fault"),
    *("REFUSED done", "the floorperson confirmed the wheel's position"),
)
ROULETTE = (
    *("Seen: the wheel", "inspection log, roulette: nothing adjusted or replaced; inspection completed"),
    *("VOID fewer than four revolutions", "VOID same direction", "VOID ball lost", "VOID foreign object"),
    *("was called late", "VOID sensor fault: The sensors cannot be trusted. ball_1 stuck", "VOID power cut"),
)
WORDS = {
    "dreamcatcher": (*WHEEL, "BONUS 2x: the next result pays 2 times", "lit: 40"),
    "big-six": (*WHEEL, "lit: logo"),
    "sic-bo": (
        *("passed the inspection", "RESULT 3-3-3: ", "3-4-6 was corrected to 3-4-5"),
        *("VOID dice not flat", "all wagers go back to the players"),
    ),
    "three-dice-football": (
        *("Offer the dice to position 1", "touchdown", "RESULT 4-4 red 4, Trips TD", "turnover, the game is over"),
        *("Pay defense wagers 4 to 5", "VOID on another die", "power restored"),
    ),
    "casino-war": ("The cover card came out", "power restored"),
    "roulette": (*ROULETTE, "was decided"),
}


def demo(config: TableConfig, seed: int | None = None, journal: Path | None = None) -> tuple[int, str]:
    out = io.StringIO()
    return play_demo(config, out, seed, journal), out.getvalue()


def shows(config: TableConfig, seed: int | None, words: tuple[str, ...]) -> None:
    code, printed = demo(config, seed)
    assert code == 0
    assert all(len(row) <= 100 for row in printed.split("\n"))
    for one in ("(10 of 10)", "rounds settled 10", "chain verified", *words):
        assert one in " ".join(printed.split())


@pytest.mark.clause("619a.1(e)")
@pytest.mark.parametrize("seed", [None, 0, 1])
@pytest.mark.parametrize("game", WORDS)
def test_the_demonstration_of_every_game(shipped: Shipped, game: str, seed: int | None) -> None:
    shows(shipped(game), seed, WORDS[game])


@pytest.mark.parametrize(
    ("game", "rules", "words"),
    [
        ("casino-war", {"positions": "1"}, ()),
        ("casino-war", {"positions": "3"}, ()),
        ("casino-war", {"positions": "7"}, ("war-4 pays 3 to 1",)),
        ("roulette", {"result": "keypad"}, (*ROULETTE, "was corrected to")),
    ],
)
def test_the_demonstration_under_other_rules(
    shipped: Shipped, game: str, rules: dict[str, str], words: tuple[str, ...]
) -> None:
    config = shipped(game)
    devices = config.devices.model_copy(update={"reader": None})
    shows(config.model_copy(update={"devices": devices, "rules": {**config.rules, **rules}}), None, words)


def test_the_demonstration_leaves_a_whole_journal_and_takes_no_old_one(shipped: Shipped, tmp_path: Path) -> None:
    file = tmp_path / "journal"
    _, printed = demo(shipped("dreamcatcher"), None, file)
    journal = Journal(file, read_only=True)
    assert journal.verify().head in printed
    journal.close()
    with pytest.raises(JournalError, match="name a new file"):
        demo(shipped("dreamcatcher"), None, file)
