"""The floorperson's ways out of a round of Casino War, and what a table without cards tells people.

Every state and its exits are explored by the matrix of people: ``test_people.py``.
"""

from dataclasses import replace

from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Note, Refused, Result, Void, WagersReturned
from controller.events.event import Press
from controller.games.casino_war.game import GAME
from controller.games.casino_war.play import WarState
from controller.games.casino_war.round import WarRound
from controller.games.casino_war.rules import RANKS

S = WarState
CARDS = 6 * 52


def war_machine(positions: int) -> WarRound:
    config = load_table(table_path("casino-war")).config
    machine = GAME.machine(config.model_copy(update={"rules": {**config.rules, "positions": positions}}))
    assert isinstance(machine, WarRound)
    return machine


def pressed(machine: WarRound, *controls: str) -> tuple[object, ...]:
    """The effects of the last of some presses, all of which are taken."""
    effects: tuple[object, ...] = ()
    for control in controls:
        effects = machine.handle(Press(0, control, utc_ns=1)).effects
        assert not any(isinstance(effect, Refused) for effect in effects), (control, effects)
    return effects


def test_a_dead_round_returns_the_wagers_and_says_what_was_on_record() -> None:
    machine = war_machine(2)
    machine.place(S.BETS_OPEN, replace(machine.data, fitted_utc_ns=1, round=1, dealt=100))
    effects = pressed(machine, "no-more-bets", "1", "enter", "9", "king", "enter", "floor-key", "7")
    assert machine.state is S.BETS_OPEN
    assert [effect.reason for effect in effects if isinstance(effect, Void | WagersReturned)] == ["dead-round"] * 2
    assert "9-king" in next(effect.detail for effect in effects if isinstance(effect, Void))
    assert not any(isinstance(effect, Result) for effect in effects)


def test_each_refusal_says_why_and_what_to_press_instead() -> None:
    """A card that the count excludes: at the end of the shoe, of a rank, and after the last one of a deal."""
    machine = war_machine(1)
    for control in ("floor-key", "1", "enter", "no-more-bets", "1", "enter"):
        machine.handle(Press(0, control, utc_ns=1))
    data = machine.data
    machine.data = replace(data, dealt=CARDS)
    assert "by the count the shoe is empty" in _refused(machine, "king")
    assert "by the count the shoe is empty" in _refused(machine, "burn")
    machine.data = replace(data, seen=tuple(24 if rank == "9" else 0 for rank in RANKS))
    assert "by the count all 24 cards of rank 9 are dealt" in _refused(machine, "9")
    assert "floorperson's key" in _refused(machine, "9")
    machine.data = replace(data, cards=("9", "9"))
    assert "all cards of this deal are keyed" in _refused(machine, "9")


def _refused(machine: WarRound, control: str) -> str:
    (effect,) = machine.handle(Press(0, control, utc_ns=1)).effects
    assert isinstance(effect, Refused)
    return effect.waiting_for


def test_the_floorperson_who_finds_the_count_wrong_is_on_record() -> None:
    machine = war_machine(1)
    machine.place(S.DEAL, replace(machine.data, round=1, seats=(1,), dealt=CARDS, fitted_utc_ns=1))
    effects = pressed(machine, "floor-key", "8")
    assert (machine.state, machine.data.cover, machine.data.seats) == (S.DEAL, True, (1,))
    assert any(isinstance(effect, Note) and "count" in effect.text for effect in effects)


def test_a_shoe_that_is_empty_by_the_count_says_who_decides() -> None:
    machine = war_machine(1)
    machine.place(S.DEAL, replace(machine.data, round=1, seats=(1,), cards=("9",), dealt=CARDS, keeps=True))
    assert "the shoe is empty: the floorperson's key opens the menu" in _refused(machine, "0")
    machine.place(S.DEAL, replace(machine.data, cards=("9", "king")))
    assert "the shoe is empty" not in machine.waiting_for()


def test_positions_that_were_all_taken_back_are_keyed_anew() -> None:
    """Also when a card was keyed in between, and when cards of the deal are keyed already."""
    machine = war_machine(1)
    machine.place(S.BETS_OPEN, replace(machine.data, fitted_utc_ns=1, round=1, dealt=1, keeps=True))
    pressed(machine, "no-more-bets", "1", "enter", "king", "no-more-bets", "1")
    assert machine.waiting_for() == "key every position with an initial wager, then enter; clear begins anew"
    assert "a card was keyed before enter: clear, then key" in _refused(machine, "ace")
    pressed(machine, "clear")
    assert machine.waiting_for() == "key every position with an initial wager, then enter"
    pressed(machine, "1", "enter")
    assert (machine.state, machine.data.seats, machine.data.cards) == (S.DEAL, (1,), ("king",))


def test_a_deal_that_is_corrected_to_no_card_says_what_was_wrong() -> None:
    machine = war_machine(1)
    machine.place(S.BETS_OPEN, replace(machine.data, fitted_utc_ns=1, round=1, dealt=1, keeps=True))
    effects = pressed(machine, "no-more-bets", "1", "enter", "9", "king", "enter", "correct", "floor-key", "void")
    assert [effect.text for effect in effects if isinstance(effect, Note)][
        -1
    ] == "9-king was wrong: no card was dealt"
    assert WagersReturned("no-card") in effects
    assert machine.data.corrects == ()
