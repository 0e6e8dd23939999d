"""What is played for the golden journals, by game."""

from dataclasses import dataclass

from controller.limits.amounts import Proposal, amounts_of
from tests.golden.dice_rounds import FOOTBALL, SIC_BO
from tests.golden.people import (
    Act,
    Plan,
    announce,
    code_fails,
    cut,
    do,
    fault,
    key_sticks,
    press,
    repair,
    restart,
    wait,
    wrong_pin,
)
from tests.golden.roulette_rounds import ROULETTE
from tests.golden.wheel_rounds import BIG_SIX, DREAMCATCHER


@dataclass(frozen=True)
class Planned:
    """What is played on a table.

    Attributes:
        plan: carried out one after the other, beside what the people there do anyway.
        rounds: play ends no earlier than after so many.
        traced: of how many rounds the edges are kept.
        seed: of everything random.
    """

    plan: Plan
    rounds: int
    traced: int = 1000
    seed: int = 1


_HIGHER = Proposal(amounts_of("10", "1000", "30000"), minutes=30)
_DAY_S = 24 * 3600 + 60


def _seats(seats: str) -> Act:
    return press(*seats, "enter")


def _cards(*cards: str) -> Act:
    return press(*cards, "enter")


_DEALS: Plan = (
    ("closed", press("war", "floor-key", "9", "clear", "floor-key")),
    ("floor-menu", cut),
    ("floor-menu", press("1")),
    ("shuffle", do(press("no-more-bets"), cut, press("enter"))),
    ("bets-open", do(press("done", "burn"), announce(_HIGHER), press("no-more-bets"))),
    ("positions", press("clear", "no-more-bets", "1", "3", "3", "clear", "1", "3", "5", "enter")),
    ("deal", press("enter", "king", "clear", "king", "4", "9", "9", "enter")),
    ("settling", cut),
    ("settling", press("correct", "clear", "done")),
    ("decision", do(press("done"), cut, press("war"))),
    ("war-deal", do(press("burn", "queen"), cut, _cards("jack"))),
    ("settling", do(press("correct", "floor-key"), _cards("queen", "10"))),
    ("bets-open", announce(Proposal(None))),
    ("positions", do(_seats("24"), cut)),
    ("deal", do(press("ace"), cut, _cards("ace", "ace"))),
    ("decision", press("surrender", "war")),
    ("war-deal", _cards("5", "5")),
    ("positions", do(press("1"), cut, press("enter"))),
    ("deal", _cards("2", "ace")),
    ("settling", press("correct", "floor-key", "3", "ace", "enter")),
    ("settled", do(press("correct"), cut, press("clear"))),
    ("settled", cut),
    ("positions", _seats("67")),
    ("deal", _cards("8", "8", "8")),
    ("decision", press("surrender", "surrender")),
    ("positions", _seats("12")),
    ("deal", press("void", "5", "6", "enter")),
    ("positions", _seats("1")),
    ("deal", press("void")),
    ("bets-open", do(announce(_HIGHER), wait(31 * 60))),
    ("positions", do(press("cover-card"), _seats("1234567"))),
    ("deal", _cards(*"2345678", "5")),
    ("shuffle", press("floor-key", "clear", "enter")),
    ("bets-open", cut),
    ("bets-open", restart),
    ("bets-open", wrong_pin),
    ("bets-open", press("floor-key", "clear", "floor-key")),
    ("floor-menu", cut),
    ("bets-open", press("floor-key", "4")),
    ("bets-open", press("floor-key", "6")),
    ("bets-open", press("floor-key", "3")),
    ("bets-open", press("floor-key", "2")),
    ("bets-open", press("floor-key", "5")),
    ("positions", _seats("1")),
)
_FAULTS: Plan = (
    ("deal", do(fault("burning-lamp", "initial-7-lost"), repair, _cards("king", "2"))),
    ("closed", fault("burning-lamp", "initial-7-lost")),
    ("closed", repair),
    ("bets-open", fault("burning-lamp", "initial-7-lost")),
    ("closed", repair),
    ("shuffle", fault("burning-lamp", "initial-7-lost")),
    ("closed", repair),
    ("positions", _seats("1")),
    ("deal", _cards("king", "2")),
    ("settling", do(fault("dead-lamp", "initial-1-won"), press("done"))),
    ("closed", repair),
    ("deal", key_sticks("0")),
    ("closed", repair),
    ("positions", code_fails(press("1"))),
    ("bets-open", do(fault("keys-unplugged"), repair)),
    ("bets-open", wait(_DAY_S)),
    ("shuffle", press("enter", "floor-key", "2")),
    ("positions", do(press("1"), wait(_DAY_S), press("enter"))),
    ("shuffle", cut),
)
CASINO_WAR: Plan = (*_DEALS, *_FAULTS)
GAMES = {
    "dreamcatcher": Planned(DREAMCATCHER, rounds=30, traced=8),
    "big-six": Planned(BIG_SIX, rounds=20, traced=6, seed=2),
    "sic-bo": Planned(SIC_BO, rounds=25, seed=3),
    "three-dice-football": Planned(FOOTBALL, rounds=25, seed=4),
    "roulette": Planned(ROULETTE, rounds=25, traced=14, seed=5),
    "casino-war": Planned(CASINO_WAR, rounds=25, seed=6),
}
