"""The toss of a round with keyed-in dice: from no more bets until the dice are known to lie there, once a round."""

from collections.abc import Iterator
from dataclasses import replace

from controller.events.effect import Alert, CancelTimer, Note, StartTimer
from controller.events.event import Event
from controller.games.dice.rules import (
    DiceData,
    DiceState,
    Opens,
    S,
    automated,
    first_toss,
    no_dice,
    second_toss,
    tossed,
    undecided,
)
from controller.games.dice.voiding import Voiding
from controller.games.shared.ageing import Ageing
from controller.games.shared.entry import FACES, key_die
from controller.games.shared.floor import KEY, floorperson
from controller.games.shared.table_data import returns_to
from controller.statechart.guards import Action, Guard, both, keep, then, unless
from controller.statechart.machine import Step, Transition

TIMER = "shaker-limit"
LIMIT_NS = 60_000_000_000
"""An automated shaker that has not tossed the dice by then is reported."""
SETTLING = (S.RESULT, S.CORRECTING, S.VOIDING, S.LOSERS_COLLECTED, S.WINNERS_PAID)
AGAIN = "the shaker has tossed the dice a second time"
FAILED = "the shaker reported a failure after its toss"
POWER = "the power went while the shaker was to toss the dice"
_Transition = Transition[DiceState, DiceData]
_Action = Action[DiceData]
_Guard = Guard[DiceData]


class Toss:
    """The transitions from no more bets to the entry.

    Args:
        aging: the age limits of the dice.
        opens: makes the transitions that open a round.
        voiding: how a round becomes void.
    """

    def __init__(self, aging: Ageing[DiceData], opens: Opens, voiding: Voiding) -> None:
        self._aging = aging
        self._opens = opens
        self._failed = voiding.void("2")

    def transitions(self) -> Iterator[_Transition]:
        yield _Transition(S.BETS_OPEN, "press no-more-bets", S.SHAKING, _starts, automated, "automated shaker")
        yield _Transition(S.BETS_OPEN, "press no-more-bets", S.SHAKING, keep)
        yield from self._shaken_by_hand()
        yield from self._automated()
        yield from self._once()
        yield from self._doubted()
        for state in (S.SHAKING, S.ENTRY):
            reopens: _Guard = both(no_dice, unless(tossed))
            yield _Transition(state, "press correct", S.BETS_OPEN, _bets_again, reopens, "no dice yet")

    def _shaken_by_hand(self) -> Iterator[_Transition]:
        for face in FACES:
            on = f"press {face}"
            yield _Transition(S.SHAKING, on, S.ENTRY, key_die, unless(automated), "manual shaker")
        resumed = then(self._aging.restore, lambda data, event: Step(replace(data, resumed=True)))
        yield _Transition(S.SHAKING, "power-restored", None, resumed, unless(automated), "manual shaker")

    def _automated(self) -> Iterator[_Transition]:
        late = _alerts("the automated shaker has not tossed the dice", "start it; if it does not, press no roll")
        yield _Transition(S.SHAKING, f"timer {TIMER}", None, late, automated, "automated shaker")
        yield _Transition(S.SHAKING, "shaker-cycled", S.ENTRY, _tossed, automated, "automated shaker")
        yield from self._opens(S.SHAKING, "shaker-failed", self._failed, automated, "automated shaker")
        cut = then(self._aging.restore, _doubt(POWER))
        yield _Transition(S.SHAKING, "power-restored", S.DOUBT, cut, automated, "automated shaker")
        yield _Transition(S.MALFUNCTION, "shaker-cycled", None, _tossed, first_toss, "first toss")
        yield _Transition(S.MALFUNCTION, "shaker-failed", S.CLOSED, self._failed, first_toss, "not tossed")
        yield from self._while_no_roll()
        said = _alerts("the shaker has tossed the dice", "the floorperson decides whether it was the first toss")
        yield _Transition(S.DOUBT, "shaker-cycled", None, then(_tossed, said), first_toss, "no toss seen")

    def _while_no_roll(self) -> Iterator[_Transition]:
        """No roll was pressed while the shaker still ran."""
        back: _Guard = both(first_toss, returns_to(S.SHAKING))
        yield _Transition(S.NO_ROLL, "shaker-cycled", S.ENTRY, _tossed, back, "from shaking")
        yield from self._opens(S.NO_ROLL, "shaker-failed", self._failed, back, "from shaking")
        back = both(first_toss, returns_to(S.MALFUNCTION))
        yield _Transition(S.NO_ROLL, "shaker-cycled", S.MALFUNCTION, _tossed, back, "from malfunction")
        yield _Transition(S.NO_ROLL, "shaker-failed", S.CLOSED, self._failed, back, "from malfunction")

    def _once(self) -> Iterator[_Transition]:
        """A second toss, or a failure after the first, is no matter of the dealer's (§§ 539.5(e), 539.7(c))."""
        decide = "the floorperson decides"
        for on, words in (("shaker-cycled", AGAIN), ("shaker-failed", FAILED)):
            doubts: _Action = then(_doubt(words), _alerts(words, decide))
            yield _Transition(S.ENTRY, on, S.DOUBT, doubts, second_toss, "dice not keyed")
            back: _Guard = both(second_toss, returns_to(S.ENTRY))
            yield _Transition(S.NO_ROLL, on, S.DOUBT, doubts, back, "from entry")
            stands = _alerts(words, "the dice of the first toss count, as on record")
            for state in (S.ENTRY, S.NO_ROLL, S.MALFUNCTION, *SETTLING):
                yield _Transition(state, on, None, stands, both(automated, unless(undecided)), "dice on record")
            for state in (S.DOUBT, S.NO_ROLL, S.VOIDING, S.MALFUNCTION):
                yield _Transition(state, on, None, _alerts(words, decide), automated, "automated shaker")
        early = _alerts(
            "the shaker ran while wagers were open", "it is no toss: call no more bets, then toss the dice"
        )
        yield _Transition(S.BETS_OPEN, "shaker-cycled", None, early, automated, "automated shaker")

    def _doubted(self) -> Iterator[_Transition]:
        yield _Transition(S.DOUBT, KEY, S.ENTRY, _first_counts)


def _starts(data: DiceData, event: Event) -> Step[DiceData]:
    return Step(data, (StartTimer(TIMER, LIMIT_NS),))


def _tossed(data: DiceData, event: Event) -> Step[DiceData]:
    return Step(replace(data, tossed=True), (CancelTimer(TIMER),))


def _doubt(words: str) -> _Action:
    return lambda data, event: Step(replace(data, doubt=words))


def _alerts(words: str, remedy: str) -> _Action:
    return lambda data, event: Step(data, (Alert(words, remedy),))


def _first_counts(data: DiceData, event: Event) -> Step[DiceData]:
    note = Note(f"{data.doubt}: {floorperson(event)} has the dice of the first toss keyed")
    return Step(replace(data, doubt="", tossed=True, entry=()), (note,))


def _bets_again(data: DiceData, event: Event) -> Step[DiceData]:
    """No more bets was pressed too early. The floor is told, for nobody but the dealer has seen the shaker."""
    alert = Alert("no more bets was taken back: wagers are open again", "see that the dice are still covered")
    return Step(replace(data, resumed=False), (CancelTimer(TIMER), alert))
