"""The results and stops of a round, while its entries are read."""

from collections import deque

from controller.events.effect import Bonus, Result, ResultWithdrawn, Void, makes_void, withdraws
from controller.events.event import BallLeftTrack, Direction, WheelRested
from controller.events.record import Record
from controller.round_summary.errors import SummaryError
from controller.round_summary.summary import Stop, WheelDirection
from controller.round_summary.terms import RoundTerms

CORRECTING = "correcting"
"""The state in which a result is being corrected, in every game that has one."""
MOST_RESULTS = 40
MOST_SPINS = 1000


class RoundResults:
    """What came up so far.

    Args:
        state: the machine's state before the first entry.
    """

    def __init__(self, state: str) -> None:
        self._state = state
        self._stands = False
        """A result is there, and was not taken back."""
        self._labels: deque[str] = deque(maxlen=MOST_RESULTS)
        self._stops: deque[Stop] = deque(maxlen=MOST_SPINS)
        self._rotor: Direction | None = None

    def take(self, record: Record, terms: RoundTerms) -> None:
        """Take the next decision.

        Raises:
            SummaryError: it names a section that the wheel does not have.
        """
        event, before, self._state = record.event, self._state, record.state
        if isinstance(event, BallLeftTrack):
            self._rotor = event.rotor
        if self._stops and withdraws(record.effects):
            self._stops.pop()  # It was made void.
        self._end_result(record, before, terms)
        for effect in record.effects:
            if isinstance(effect, ResultWithdrawn):
                self._stands = False
                if terms.game.listed(Result(effect.label, ())):
                    self._withdraw()
            if isinstance(effect, Result):
                self._stands = True
                if label := terms.game.listed(effect):
                    self._labels.append(label)
            if isinstance(effect, Result | Bonus) and isinstance(event, WheelRested) and event.section is not None:
                self._stops.append(_stop(terms, event.section, event.direction))

    def _end_result(self, record: Record, before: str, terms: RoundTerms) -> None:
        """A result ends with the states in which it stands; one that is made void or corrected is none."""
        if record.state in terms.game.result_states and not makes_void(record.effects):
            return
        if self._stands and any(isinstance(effect, Void) for effect in record.effects):
            self._withdraw()
        self._stands = False
        if before == CORRECTING:
            self._withdraw()

    def _withdraw(self) -> None:
        if self._labels:
            self._labels.pop()

    def labels(self) -> list[str]:
        """The results, as lists show them."""
        return list(self._labels)

    def stops(self, terms: RoundTerms) -> list[Stop]:
        """Every stop that counts; a ball's number counts as it is when the round is over."""
        if terms.game.pockets is None:
            return list(self._stops)
        pockets = terms.pockets
        return [_stop(terms, pockets.index(label), self._rotor) for label in self._labels if label in pockets]


def _stop(terms: RoundTerms, position: int, direction: Direction | None) -> Stop:
    if not 0 <= position < len(terms.order):
        raise SummaryError(f"a wheel of {len(terms.order)} sections has no section {position}")
    turned: WheelDirection = "" if direction is None else direction.value
    return Stop(position, len(terms.order), terms.order[position], turned)
