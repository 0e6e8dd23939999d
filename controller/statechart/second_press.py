"""The second press of a hand that saw no answer to the first: it never counts as something else.

Where the first press led to another state, the same key may mean something else there: ``clear`` that takes a no
roll back, pressed twice, would clear the round. Within a second of it (``controller/tracking/keys.py``), a press of
the same control that would open, end or decide a round or an inspection is refused. Transitions with the guard
:func:`controller.statechart.guards.once` refuse it, too.
"""

from collections.abc import Iterable

from controller.events.effect import Bonus, Effect, InspectionLogged, Result, RoundOpened, Void, WagersReturned

TWICE = "pressed twice"
"""Why it is refused."""
_DECIDES = (Bonus, InspectionLogged, Result, RoundOpened, Void, WagersReturned)


def decides(effects: Iterable[Effect]) -> bool:
    """Whether these effects open, end or decide a round or an inspection."""
    return any(isinstance(effect, _DECIDES) for effect in effects)
