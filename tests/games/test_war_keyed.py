"""What is keyed at a table of Casino War, seat by seat: cards, choices and results."""

from collections.abc import Callable
from typing import Any

from screen_table import Screens, screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig

Shipped = Callable[[str], TableConfig]


def _seats(screens: Screens) -> dict[str, Any]:
    keyed: Any = screens.dealer()["keyed"]
    return {seat["seat"]: seat for seat in keyed["seats"]}


def _dealt(shipped: Shipped, *keys: str) -> tuple[Rig, Screens]:
    rig = Rig(shipped("casino-war"))
    screens = screens_of(rig)
    rig.floor("open")
    rig.press("enter", "no-more-bets", *keys)
    return rig, screens


def test_no_result_is_shown_before_the_deal_is_entered(shipped: Shipped) -> None:
    rig, screens = _dealt(shipped, "1", "3", "5", "enter", "king", "4", "9", "9")
    assert all(seat["wagers"] == [] for seat in _seats(screens).values())
    rig.press("enter")
    seats = _seats(screens)
    assert seats["1"]["wagers"][0] == {"wager": "initial", "outcome": "won", "pays": "1 to 1"}
    assert [wager["outcome"] for wager in seats["3"]["wagers"]] == ["lost", "lost"]
    assert [(wager["outcome"], wager["pays"]) for wager in seats["5"]["wagers"]] == [
        ("tied", ""),
        ("won", "10 to 1"),
    ]


def test_a_tie_shows_who_chooses_what_was_chosen_and_the_war(shipped: Shipped) -> None:
    rig, screens = _dealt(shipped, "1", "3", "enter", "9", "9", "9", "enter", "done", "done")
    assert [name for name, seat in _seats(screens).items() if seat["due"]] == ["1"]
    rig.press("surrender", "war")
    seats = _seats(screens)
    assert [seats[seat]["wagers"][0]["outcome"] for seat in ("1", "3")] == ["surrendered", "war"]
    assert not any(seat["due"] for seat in seats.values()), "no card before wagers are placed and three are burned"
    rig.press(*("done",) * 6, "queen", "jack", "enter")
    seats = _seats(screens)
    assert (seats["3"]["cards"], seats["dealer"]["cards"]) == (["9", "Q"], ["9", "J"])
    assert seats["3"]["wagers"][-1] == {"wager": "war", "outcome": "won", "pays": "2 to 1"}
    assert seats["3"]["wagers"][1]["outcome"] == "lost", "the new tie wager, by the war's cards"


def test_cards_that_are_keyed_again_have_no_result_until_they_are_entered(shipped: Shipped) -> None:
    rig, screens = _dealt(shipped, "1", "enter", "king", "4", "enter", "correct", "3", "floor-key", "4", "king")
    assert all(seat["wagers"] == [] for seat in _seats(screens).values())
    assert [place["outcome"] for place in screens.checked_board()["figure"]["positions"]] == [""]
    rig.floor("void")
    assert rig.last("void").parameters == {"cards": "4-king"}
    kinds = [effect.kind for record in rig.records() for effect in record.effects]
    assert kinds.count("result-withdrawn") == 1
