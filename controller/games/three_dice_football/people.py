"""What people can do at a table of Three Dice Football, for the exploration of its machine."""

from collections.abc import Iterator
from dataclasses import replace

from config.schema import TableConfig
from controller.bench.people import Exemption, People, Setup, Truth, as_explorable, folded
from controller.games.dice.people import entries, keyed, voided
from controller.games.three_dice_football.play import FootballData, S, dice_words
from controller.games.three_dice_football.rules import Drive
from controller.statechart.registry import find_game

THROWS = ((6, 5, 1), (1, 1, 1), (1, 1, 6), (1, 4, 5))
"""The throws that stand for all others: a gain, a Trips TD, a turnover, no gain."""
_BETWEEN = frozenset(state.value for state in (S.CLOSED, S.OFFER))
_THROWN = frozenset(
    state.value for state in (S.THROW, S.EXTRA_THROW, S.NO_ROLL, S.SETTLING, S.SETTLED, S.EXTRA_OFFER, S.CORRECTING)
)
_RETURNING = frozenset(state.value for state in (S.MENU, S.NO_ROLL, S.CORRECTING))
"""The states that lead back to the one from which they were reached."""
_ANSWERED = "the dice before the answer on the extra point show 2-3-5"


def setups(config: TableConfig) -> Iterator[Setup]:
    """One table."""
    yield Setup("a table", as_explorable(find_game(config.game).machine(config)), plain=plain)


def plain(state: str, data: FootballData) -> FootballData:
    """A few throws, drives, positions and one round stand for all."""
    if state not in _RETURNING:
        data = replace(data, back=S.CLOSED)
    data = replace(data, round=1, quarterback=1, cause=data.cause and "a fault", position=_position(data.position))
    entry, corrects = folded(data.entry, THROWS), folded(data.corrects, THROWS)
    data = replace(data, entry=entry, corrects=corrects, scored_with=folded(data.scored_with, THROWS))
    following, last = (None if drive is None else _drive(drive) for drive in (data.following, data.last_drive))
    return replace(
        data, last=folded(data.last, THROWS), drive=_drive(data.drive), following=following, last_drive=last
    )


def _position(keyed: str) -> str:
    """No position, one, two digits of one, or a number that no position has."""
    if keyed == "" or not keyed.strip("0"):
        return keyed
    if len(keyed) == 1:
        return "1"
    return "12" if int(keyed) <= 16 else "99"


def _drive(drive: Drive) -> Drive:
    return drive if drive.play == 1 else Drive(5 if drive.goal else 15, drive.down, drive.goal, 2)


def between(state: str, data: FootballData) -> bool:
    """The table is closed, the dice are offered, or a game is open that no throw has begun."""
    return state in _BETWEEN or (state == S.BETS_OPEN.value and data.begins)


def given(state: str, data: FootballData) -> str:
    """The dice on record."""
    if data.corrects:
        return dice_words(data.corrects)
    return dice_words(data.entry) if data.wins or data.steps else ""


def over(state: str, data: FootballData) -> bool:
    """The throw is settled, and the next one is called, or the extra point is thrown."""
    last = state == S.SETTLING.value and len(data.steps) == 1
    return last or state in (S.SETTLED.value, S.EXTRA_OFFER.value)


def truths(state: str, data: FootballData) -> Iterator[Truth]:
    """The dice of this throw, or of the last one while the next is not called."""
    if state in _THROWN or (state == S.BETS_OPEN.value and not data.begins):
        answered = data.decided and not data.extra
        yield Truth(_ANSWERED if answered else "the dice show 2-3-5", entries(), keyed)
    if state in (S.THROW.value, S.EXTRA_THROW.value, S.NO_ROLL.value):
        yield Truth("a die rests cocked", (("no-roll", "9"), ("9",)), voided("cocked"))


PEOPLE = People(
    setups=setups,
    between=between,
    given=given,
    over=over,
    corrects=lambda data: dice_words(data.corrects) if data.corrects else "",
    truths=truths,
    rulings=(
        Exemption("truth", f"*: {_ANSWERED}", "eight presses: the answer is taken back first, as it was given"),
    ),
)
