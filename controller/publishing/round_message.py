"""Collects the content of a round's message from the round's entries, one after the other. Pure."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from config.schema import TableConfig
from controller.events.effect import Bonus, Effect, Result, RoundOpened, Void, WagersReturned, withdraws
from controller.events.event import (
    BallLeftTrack,
    Direction,
    PowerRestored,
    Press,
    RulesChanged,
    TableStarted,
    WheelRested,
)
from controller.events.record import Record
from controller.journal.chain import Entry
from controller.messages.models import MOST_LISTED, SpinResult
from controller.statechart.machine import Outcome
from controller.statechart.registry import find_game

WheelDirection = Literal["clockwise", "counterclockwise", ""]
_NS_PER_MS = 1_000_000
_WORD = 80


def opens(record: Record) -> int:
    """The number of the round that opens, so that the message of the one before is due; 0 for none."""
    return next((effect.number for effect in record.effects if isinstance(effect, RoundOpened)), 0)


def word(text: str) -> str:
    """A text truncated to the length of a message's field."""
    return text[:_WORD]


class PublishedWheel:
    """The wheel of a table and its positions. A table without a wheel has none."""

    def __init__(self, config: TableConfig) -> None:
        game = find_game(config.game)
        self.pockets = game.pockets(config.rules) if game.pockets is not None else ()
        self.order = game.wheel or self.pockets
        section = config.wheel or config.rotor
        self.serial = (section.serial or "") if section is not None else ""

    def spin(self, position: int, direction: Direction | None) -> SpinResult:
        """A stop at a position of the order."""
        turned: WheelDirection = "" if direction is None else direction.value
        return SpinResult(position=position, of=len(self.order), label=self.order[position], direction=turned)


@dataclass
class RoundTally:
    """The content of a round so far."""

    wheel: PublishedWheel
    opened: str
    """Wall time of the entry that opened it; empty until there is one."""
    state: str = ""
    """The state after the last entry."""
    at_ns: int | None = None
    """When that was, by the monotonic clock of this start of the table."""
    spins: list[SpinResult] = field(default_factory=list)
    voids: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    corrections: int = 0
    phases: Counter[str] = field(default_factory=Counter)
    """Nanoseconds by state."""
    replaces: str = ""
    rotor: Direction | None = None
    """The rotor's direction under the last ball."""

    def take(self, entry: Entry, record: Record) -> None:
        """Take the next entry of the round."""
        event = record.event
        self.opened = self.opened or entry.utc
        if isinstance(event, TableStarted | PowerRestored | RulesChanged):
            self.at_ns = None  # The monotonic clocks of two starts are unrelated.
        if isinstance(event, TableStarted):
            self.replaces = event.replaces
        self._add_time(record.state, entry.at_ns)
        if isinstance(event, Press) and event.control == "correct" and record.outcome == Outcome.ACCEPTED.value:
            self.corrections += 1
        if isinstance(event, BallLeftTrack):
            self.rotor = event.rotor
        if self.spins and withdraws(record.effects):
            self.spins.pop()  # It was made void.
        for effect in record.effects:
            self._effect(effect, event if isinstance(event, WheelRested) else None)

    def _add_time(self, state: str, at_ns: int) -> None:
        """Add the time spent in the state before."""
        if self.at_ns is not None and self.state:
            self.phases[self.state] += max(0, at_ns - self.at_ns)
        self.state, self.at_ns = state, at_ns

    def _effect(self, effect: Effect, rested: WheelRested | None) -> None:
        if isinstance(effect, Void):
            self.voids.append(word(effect.reason))
        elif isinstance(effect, WagersReturned):
            self.returned.append(word(effect.reason))
        elif isinstance(effect, Result | Bonus) and rested is not None and rested.section is not None:
            self.spins.append(self.wheel.spin(rested.section, rested.direction))

    def stops(self, results: list[str]) -> list[SpinResult]:
        """Every stop of a wheel that counts.

        Args:
            results: the final ones. A ball's number counts as it is when the round is over.
        """
        pockets = self.wheel.pockets
        if not pockets:
            return self.spins[-MOST_LISTED:]
        return [self.wheel.spin(pockets.index(label), self.rotor) for label in results if label in pockets]

    def milliseconds(self) -> dict[str, int]:
        """How long the round was in each state."""
        return {word(state): ns // _NS_PER_MS for state, ns in sorted(self.phases.items())}

    def next(self, entry: Entry, record: Record) -> "RoundTally":
        """The tally of the round that an entry opens."""
        return RoundTally(self.wheel, entry.utc, record.state, entry.at_ns)
