"""``transitions`` with a short way from an event to its row: its classes are replaced where it lets one do so.

The library wraps each event, passes it through a queue and looks for nine kinds of callbacks, which costs more than
the rows' own functions. Here one function decides each row. The states, and which rows a state has for an event,
are still kept by the library. Nor are lists of callbacks and methods of the model made for each row: that took a
third of the time in which a game is made.
"""

from collections.abc import Callable
from enum import Enum
from typing import Protocol, cast

from transitions import Machine
from transitions.core import Event as Trigger
from transitions.core import Transition

from controller.events.event import Event


class Model(Protocol):
    """What the library keeps the state in."""

    @property
    def state(self) -> Enum: ...


class DirectRow(Transition):
    """One row.

    Args:
        source: the name of the state in which it is looked at.
        dest: the name of the next state; None to stay.
        takes: takes an event, or returns False if the row's condition does not hold.
    """

    def __init__(self, source: str, dest: str | None, takes: Callable[[Event], bool]) -> None:
        # Not the library's: it makes lists of callbacks, and no row has any.
        self.source, self.dest, self.takes = source, dest, takes


class DirectTrigger(Trigger):
    """The rows of one event, by state."""

    def trigger(self, model: object, *args: object, **kwargs: object) -> bool:
        """Let the first row of the present state that will take the event do so; False if none does.

        The state changes last, so it stays if a row's function raises.
        """
        # An enum's ``name`` and ``value`` are computed in Python each time; the names with underscores hold them.
        state, event = cast(Model, model).state._name_, cast(Event, args[0])
        for row in cast("list[DirectRow]", self.transitions.get(state, ())):
            if row.takes(event):
                if row.dest:
                    self.machine.set_state(row.dest, model)
                return True
        return False


class DirectMachine(Machine):
    """A machine of such rows."""

    def add_row(self, trigger: str, source: Enum, dest: Enum | None, takes: Callable[[Event], bool]) -> None:
        """Add a row below those of the same state and event. Both states are the machine's."""
        if (event := self.events.get(trigger)) is None:
            event = self.events[trigger] = DirectTrigger(trigger, self)
        event.add_transition(DirectRow(source._name_, dest and dest._name_, takes))
