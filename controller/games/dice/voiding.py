"""A round with keyed-in dice is made void: why is asked, and after a result the floorperson's key decides."""

from collections.abc import Iterator
from dataclasses import replace

from controller.events.effect import Light, Note, Void, WagersReturned
from controller.events.event import Event
from controller.games.dice.rules import NO_ROLLS, DiceClauses, DiceData, DiceState, Opens, S, cited, lit
from controller.games.shared.floor import KEY, floorperson, identified, leaves
from controller.games.shared.table_data import remember, returns_to, stops
from controller.statechart.guards import Action, Guard, always, both
from controller.statechart.machine import Step, Transition

FROM = (S.SHAKING, S.ENTRY, S.DOUBT, S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID, S.MALFUNCTION)
"""The states in which a round may become void."""
_Transition = Transition[DiceState, DiceData]
_Guard = Guard[DiceData]


class Voiding:
    """The transitions from ``no-roll`` to the end of the round, or back.

    Args:
        opens: makes the transitions that open a round.
        clauses: the clauses for the record.
    """

    def __init__(self, opens: Opens, clauses: DiceClauses) -> None:
        self._opens = opens
        self._clauses = clauses

    def transitions(self) -> Iterator[_Transition]:
        for state in FROM:
            yield _Transition(state, "press no-roll", S.NO_ROLL, remember(state))
        for key in NO_ROLLS:
            yield from self._reasoned(key)
        for state in (S.NO_ROLL, S.VOIDING):
            yield from leaves(state, "press clear", FROM)
            # The two keys lie side by side: whoever meant the other one need not go back first.
            yield _Transition(state, "press correct", S.CORRECTING, _unasked, lit, "areas are lit")
        yield _Transition(S.VOIDING, KEY, S.CLOSED, self._allowed, stops, "fault in this round")
        yield from self._opens(S.VOIDING, KEY, self._allowed, always, "")

    def _reasoned(self, key: str) -> Iterator[_Transition]:
        """Transitions for one reason."""
        on, may, void = f"press {key}", _possible(key), self.void(key)
        yield _Transition(S.NO_ROLL, on, S.VOIDING, _reason(key), both(may, _decided), "a result or a doubt")
        malfunction: _Guard = both(may, returns_to(S.MALFUNCTION))
        yield _Transition(S.NO_ROLL, on, S.CLOSED, void, malfunction, "malfunction")
        yield from self._opens(S.NO_ROLL, on, void, may, "possible")

    def _allowed(self, data: DiceData, event: Event) -> Step[DiceData]:
        """The floorperson makes the round void for the reason that was given."""
        step = self.void(data.reason)(data, event)
        notes = (Note(f"{floorperson(event)} made the round void"),) if identified(event) else ()
        return Step(step.data, (*step.effects, *notes))

    def void(self, key: str) -> Action[DiceData]:
        """The round is void for the reason of this key, and the wagers go back."""

        def action(data: DiceData, event: Event) -> Step[DiceData]:
            reason = NO_ROLLS[key]
            words = cited(reason.words, getattr(self._clauses, reason.clause) if reason.clause else "")
            data = replace(data, entry=(), corrects=(), wins=(), tossed=False, doubt="", resumed=False, reason="")
            data = replace(data, seen=False)
            return Step(data, (Void(reason.name, words), WagersReturned(reason.name), Light(())))

        return action


def _possible(key: str) -> _Guard:
    return lambda data, event: NO_ROLLS[key].possible(data)


def _decided(data: DiceData, event: Event) -> bool:
    """Dice or sensors have given something that a dealer alone may not undo."""
    return bool(data.wins or data.corrects or data.doubt)


def _reason(key: str) -> Action[DiceData]:
    return lambda data, event: Step(replace(data, reason=key))


def _unasked(data: DiceData, event: Event) -> Step[DiceData]:
    return Step(replace(data, reason=""))
