"""No sentence of a board is left in English, in any state of any game; and records are never in another language.

The board is made once more in a language that nobody speaks: every letter of it has an accent.
"""

import re
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from typing import Any

import pytest
from any_game import shipped_table
from screen_table import Screens, arrive, play_with_faults

from controller.bench.ways import states
from controller.events.event import HouseRules
from controller.language import language
from controller.limits.house_rules import changes, house_rules, odds_text, steps_text
from controller.limits.table_state import PayoutOdds
from controller.statechart.registry import game_names
from tools.languages.__main__ import compiled, file_of
from tools.languages.messages import ROOT, pseudo, template

_WORD = re.compile(r"[A-Za-z]{2,}")
"""English: a language without accents."""


@cache
def _accents() -> bytes:
    return compiled("es", pseudo(template(), "es"))[file_of("es", ".mo").relative_to(ROOT)]


@pytest.fixture
def accented() -> GNUTranslations:
    """A language in which every letter has an accent."""
    return GNUTranslations(BytesIO(_accents()))


@pytest.fixture(autouse=True)
def speaks(accented: GNUTranslations, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "catalogue_of", lambda code: accented)


def sentences(board: dict[str, Any]) -> Iterator[str]:
    """What a page shows as it comes; names and results of the past it translates itself."""
    yield from (board[name] for name in ("headline", "detail", "result"))
    yield from (board.get(name, "") for name in ("cap", "next_odds"))
    yield (board["limits"] or {}).get("steps", "")
    yield board["figure"].get("phase", "")


@pytest.fixture
def english(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What is left in English of every board that is made from now on."""
    found: set[str] = set()

    def read(screens: Screens, board: dict[str, Any]) -> None:
        with language.speaking("es"):
            again = screens.board()
        found.update(text for text in sentences(again) if _WORD.search(text))

    monkeypatch.setattr(Screens, "_fits", read)
    return found


@pytest.mark.parametrize("game", game_names())
def test_no_sentence_of_a_board_is_left_in_english_in_any_state(game: str, english: set[str]) -> None:
    for state in states(game):
        arrive(shipped_table(game), state, stop=True)
    assert english == set()


@pytest.mark.parametrize("game", game_names())
def test_no_sentence_of_a_board_is_left_in_english_whatever_fails(game: str, english: set[str]) -> None:
    play_with_faults(shipped_table(game), seed=1, acts=60)
    assert english == set()


def test_the_terms_of_a_table_are_not_left_in_english() -> None:
    before = HouseRules({}, {}, {}, {})
    steps = {"every": "5", "any-three-of-a-kind": "2.5"}
    for game in game_names():
        rules = house_rules(shipped_table(game))
        after = HouseRules(rules.rules, rules.dice, {"joker": "777"}, steps)
        with language.speaking("es"):
            words = [changes(before, after, "$"), changes(after, before, "$"), steps_text(steps, "$")]
            words += [odds_text(PayoutOdds({"two-dice-1-4": "6 to 1"})), odds_text(PayoutOdds({}))]
        assert [text for text in words if _WORD.search(text)] == []


def test_the_record_of_a_table_does_not_depend_on_the_language_of_its_board() -> None:
    def record(code: str) -> list[str]:
        shipped = shipped_table("sic-bo")
        screens = shipped.screens.model_copy(update={"language": code})
        played = play_with_faults(shipped.model_copy(update={"screens": screens}), seed=2, acts=20)
        assert played.rig is not None
        return [entry.body for entry in played.rig.journal.entries()]

    assert record("es") == record("en")
