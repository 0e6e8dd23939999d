"""Dice and cards with an age limit in hours (§ 539.2(b), § 577.4(d), § 651a.3(d)).

The age is measured in wall time, because it also grows while the power is off.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum
from typing import Generic, Self, TypeVar

from pydantic import Field, model_validator

from config.scalars import Quantity
from config.schema import NS_PER_S, Section
from controller.events.effect import Alert, CancelTimer, Effect, Note, StartTimer
from controller.events.event import ClockChecked, Event, PowerRestored, Press
from controller.games.shared.closing import wagers_back
from controller.games.shared.table_data import Attended, returns_to
from controller.statechart.aged import Aged
from controller.statechart.device_text import device_notice
from controller.statechart.guards import Action, Guard, always, both, then
from controller.statechart.machine import Step, Transition

_NS_PER_H = 3.6e12


@dataclass(frozen=True)
class AgedTable(Aged, Attended):
    """The part of a table's data about its dice or cards, and the state to which its menu returns."""

    def moved(self, by_ns: int, since_ns: int) -> Self:
        """The same, where the clock had counted wrong: what was put to use since a moment was so much later."""
        return replace(self, fitted_utc_ns=moved(self.fitted_utc_ns, by_ns, since_ns))


def moved(stamp_ns: int, by_ns: int, since_ns: int) -> int:
    """A stamp in wall time, of a clock that had counted wrong since a moment."""
    return stamp_ns + by_ns if stamp_ns >= since_ns else stamp_ns


A = TypeVar("A", bound=AgedTable)
S = TypeVar("S", bound=Enum)


AGES = frozenset({"warn_h", "retire_h"})
"""Rules that may change while dice or cards are in use."""


class AgingRules(Section):
    """The part of a table's rules about the age of its dice or cards."""

    warn_h: Quantity = Field(Decimal(23), ge=1, le=24, description="age, in hours, at which the table warns")
    retire_h: Quantity = Field(
        Decimal(24), ge=1, le=24, description="age, in hours, at which no round opens any more"
    )

    @model_validator(mode="after")
    def _warns_first(self) -> Self:
        if self.warn_h > self.retire_h:
            raise ValueError(f"the warning at {self.warn_h} h comes after the end at {self.retire_h} h")
        return self

    def aging(self, what: str, name: str, clause: str) -> "Ageing[A]":
        """The age limits (see :class:`Ageing`)."""
        warn_ns, retire_ns = (int(hours * 3600 * NS_PER_S) for hours in (self.warn_h, self.retire_h))
        return Ageing(what, name, clause, warn_ns, retire_ns)


def fresh(data: Aged, event: Event) -> bool:
    """The dice or cards may be used."""
    return data.fitted_utc_ns > 0 and not data.retired


@dataclass(frozen=True)
class Ageing(Generic[A]):
    """The age limits of dice or cards.

    Attributes:
        what: in texts: ``the dice``.
        name: in the names of the timers: ``dice``.
        clause: of the regulation.
        warn_ns, retire_ns: the age for a warning, and the age after which no round opens.
    """

    what: str
    name: str
    clause: str
    warn_ns: int
    retire_ns: int

    @property
    def warning(self) -> str:
        """The timer of the warning."""
        return f"{self.name}-warning"

    @property
    def retirement(self) -> str:
        """The timer after which no round opens."""
        return f"{self.name}-retired"

    def transitions(self, states: Iterable[S], but: S, cut: Collection[S]) -> Iterator[Transition[S, A]]:
        """Transitions for both timers in every state, and for a restart after a power cut.

        Args:
            but: the state with a transition of its own for the retirement.
            cut: the states with transitions of their own for a power cut.
        """
        for state in states:
            yield Transition(state, f"timer {self.warning}", None, self.warn)
            yield Transition(state, "clock-checked", None, self.clock_checked)
            if state is not but:
                yield Transition(state, f"timer {self.retirement}", None, self.retire)
            if state not in cut:
                yield Transition(state, "power-restored", None, self.restore)

    def retires(self, opened: S, due: S) -> Transition[S, A]:
        """The transition that ends a round that has not begun."""
        return Transition(opened, f"timer {self.retirement}", due, self.returning(self.retire))

    def leaves(
        self,
        menu: S,
        on: str,
        action: Action[A],
        opened: S,
        due: S,
        ends: Action[A],
        guard: Guard[A] = always,
        why: str = "",
    ) -> Iterator[Transition[S, A]]:
        """Transitions from the menu back to a round that has not begun; ``ends`` if they were retired meanwhile."""
        back, words = both(guard, returns_to(opened)), f"{why}from {opened.value}, {self.name}"
        yield Transition(menu, on, opened, action, both(back, fresh), f"{words} fresh")
        yield Transition(menu, on, due, ends, back, f"{words} due")

    def returning(self, action: Action[A]) -> Action[A]:
        """The same action for a round that has not begun: the wagers go back first."""
        return then(wagers_back(self.retirement), action)

    def renew(self, data: A, event: Event) -> Step[A]:
        """New dice or cards are in use from now on."""
        assert isinstance(event, Press)
        timers = (StartTimer(self.warning, self.warn_ns), StartTimer(self.retirement, self.retire_ns))
        note = Note(f"{self.what} were changed")
        return Step(replace(data, fitted_utc_ns=event.utc_ns, retired=False), (note, *timers))

    def restore(self, data: A, event: Event) -> Step[A]:
        """Start the timers again after a power cut, from the age in wall time."""
        assert isinstance(event, PowerRestored)
        return self.since(data, event.utc_ns)

    def since(self, data: A, utc_ns: int) -> Step[A]:
        """Start the timers from the age in wall time. A warning whose time has passed is given at once."""
        if not data.fitted_utc_ns or data.retired:
            return Step(data)
        age_ns = utc_ns - data.fitted_utc_ns
        if age_ns < 0:
            alert = Alert(f"the clock was set back: the age of {self.what} is not known", "set it; change them")
            return Step(replace(data, retired=True), (alert,))
        timers: list[Effect] = [StartTimer(self.retirement, max(0, self.retire_ns - age_ns))]
        if age_ns < self.retire_ns:
            timers.append(StartTimer(self.warning, max(0, self.warn_ns - age_ns)))
        return Step(data, tuple(timers))

    def clock_checked(self, data: A, event: Event) -> Step[A]:
        """The age follows a wall time that was set; of one that is in doubt it says so."""
        assert isinstance(event, ClockChecked)
        notice = device_notice(event)
        if not event.doubt:
            step = self.since(data.moved(event.moved_ns, event.started_utc_ns), event.utc_ns)
            return Step(step.data, (*notice, *step.effects))
        if not data.fitted_utc_ns or data.retired:
            return Step(data, notice)
        hours = (event.utc_ns - data.fitted_utc_ns) // _NS_PER_H
        age = Alert(f"the age of {self.what} is not certain: at least {hours:g} h", "set the clock, or change them")
        return Step(data, (*notice, age))

    def warn(self, data: A, event: Event) -> Step[A]:
        """The age limit is near."""
        text = f"{self.what} must be changed soon"
        remedy = f"no round opens with {self.what} older than {self.retire_ns / _NS_PER_H:g} h"
        return Step(data, (Alert(text, remedy),))

    def retire(self, data: A, event: Event) -> Step[A]:
        """The age limit is reached. A round in progress is played to its end."""
        alert = Alert(f"{self.what} have reached their age ({self.clause})", "change them; the menu records it")
        return Step(replace(data, retired=True), (CancelTimer(self.warning), alert))
