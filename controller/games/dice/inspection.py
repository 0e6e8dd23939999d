"""The opening inspection of a table with keyed-in dice (§ 539.5).

The table opens only after it: a key that had failed is tried, three values are keyed in, and each time the
floorperson confirms that the panel lights the winning areas; then every lamp burns alone; with an automated shaker,
three of its cycles are confirmed too. Who confirms is on record.
"""

from collections.abc import Iterator
from dataclasses import replace

from controller.events.effect import Alert, CancelTimer, Effect, Light, Note, StartTimer
from controller.events.event import Event, KeyStuck, PanelFault, Press
from controller.games.dice.rules import (
    CONTROLS,
    DiceData,
    DiceState,
    Layout,
    Opens,
    S,
    automated,
    cycled,
    dice_words,
    last_cycle,
    last_value,
)
from controller.games.shared.ageing import Ageing
from controller.games.shared.entry import complete, dice_keys, nothing_keyed, pressed
from controller.games.shared.floor import KEY, floorperson
from controller.statechart.guards import Action, Guard, both, then, unless
from controller.statechart.machine import Step, Transition

INSPECTION = (
    *(S.INSPECTION_KEY, S.INSPECTION_ENTRY, S.INSPECTION_LIT),
    *(S.INSPECTION_LAMPS, S.INSPECTION_SHAKER),
)
IDLE = (S.BETS_OPEN, S.DICE_DUE)
TIMER = "inspection-lamp"
EACH_NS = 500_000_000
"""The time for which each lamp burns alone."""
_Transition = Transition[DiceState, DiceData]
_Action = Action[DiceData]


class DiceInspection:
    """The transitions of the inspection.

    Args:
        layout: the areas, and which of them win on a roll.
        aging: the age limits of the dice.
        opens: makes the transitions that open a round.
    """

    def __init__(self, layout: Layout, aging: Ageing[DiceData], opens: Opens) -> None:
        self._layout = layout
        self._aging = aging
        self._opens = opens

    def transitions(self) -> Iterator[_Transition]:
        yield from self._keys()
        yield from self._values()
        yield from self._lamps()
        yield from self._shaker()
        for state in INSPECTION:
            yield _Transition(state, "power-restored", S.CLOSED, self._cut)

    def _keys(self) -> Iterator[_Transition]:
        """The keys that had failed are pressed."""
        state = S.INSPECTION_KEY
        for control in sorted(CONTROLS):
            on, is_last = f"press {control}", _failed_alone(control)
            yield _Transition(state, on, S.INSPECTION_ENTRY, _key_tried, is_last, "the last that had failed")
            yield _Transition(state, on, None, _key_tried, _failed(control), "it had failed")
        yield _Transition(state, "press clear", S.CLOSED, _refuse("it was given up"))

    def _values(self) -> Iterator[_Transition]:
        entry, lit = S.INSPECTION_ENTRY, S.INSPECTION_LIT
        yield _Transition(entry, "press clear", S.CLOSED, _refuse("it was given up"), nothing_keyed, "no dice")
        yield from dice_keys(entry)
        yield _Transition(entry, "press enter", lit, self._try_panel, complete, "three dice")
        walk = then(_value_confirmed, self._light_first)
        yield _Transition(lit, KEY, S.INSPECTION_LAMPS, walk, last_value, "last value")
        yield _Transition(lit, KEY, entry, _value_confirmed)
        yield _Transition(lit, "press clear", S.CLOSED, _refuse("the panel did not light what wins"))

    def _lamps(self) -> Iterator[_Transition]:
        """Every lamp burns alone, in the order of the layout."""
        lamps = S.INSPECTION_LAMPS
        yield _Transition(lamps, f"timer {TIMER}", None, self._light_next, _trying, "a lamp burns")
        ended: Guard[DiceData] = unless(_trying)
        yield _Transition(lamps, "press enter", None, self._light_first, ended, "all have burnt")
        goes_on, why = both(ended, automated), "all have burnt, automated"
        yield _Transition(lamps, KEY, S.INSPECTION_SHAKER, _lamps_confirmed, goes_on, why)
        passed = then(_lamps_confirmed, _inspected)
        yield from self._opens(lamps, KEY, passed, ended, "all have burnt")
        yield _Transition(lamps, "press clear", S.CLOSED, _refuse("a lamp did not burn, or not alone"))

    def _shaker(self) -> Iterator[_Transition]:
        shaker = S.INSPECTION_SHAKER
        yield _Transition(shaker, "shaker-cycled", None, lambda data, event: Step(replace(data, cycled=True)))
        yield _Transition(shaker, "shaker-failed", S.CLOSED, _refuse("the shaker failed"))
        yield from self._opens(shaker, KEY, then(_cycle_confirmed, _inspected), last_cycle, "last cycle")
        yield _Transition(shaker, KEY, None, _cycle_confirmed, cycled, "cycle seen")
        yield _Transition(shaker, "press clear", S.CLOSED, _refuse("the dice were not properly tossed"))

    # -- actions -------------------------------------------------------------------------------------------

    def _try_panel(self, data: DiceData, event: Event) -> Step[DiceData]:
        wins = self._layout.score(data.entry)
        text = f"inspection: {dice_words(data.entry)} lights {len(wins)} areas"
        return Step(data, (Note(text), Light(tuple(win.area for win in wins))))

    def _light_first(self, data: DiceData, event: Event) -> Step[DiceData]:
        return _alone(data, self._layout.areas[0])

    def _light_next(self, data: DiceData, event: Event) -> Step[DiceData]:
        areas = self._layout.areas
        place = areas.index(data.trying) + 1
        if place < len(areas):
            return _alone(data, areas[place])
        return Step(replace(data, trying=""), (Light(()),))

    def _cut(self, data: DiceData, event: Event) -> Step[DiceData]:
        step = self._aging.restore(data, event)
        note = Note("the power went during the inspection: inspect anew")
        return Step(replace(step.data, entry=(), trying=""), (Light(()), note, *step.effects))


# -- guards ----------------------------------------------------------------------------------------------------


def _trying(data: DiceData, event: Event) -> bool:
    return bool(data.trying)


def _failed(control: str) -> Guard[DiceData]:
    return lambda data, event: control in data.failed_keys


def _failed_alone(control: str) -> Guard[DiceData]:
    return lambda data, event: data.failed_keys == (control,)


# -- actions ---------------------------------------------------------------------------------------------------


def had_failed(data: DiceData, event: Event) -> Step[DiceData]:
    """What failed is kept until an inspection has tried it."""
    if isinstance(event, PanelFault):
        failed = (*data.failed_lamps, *event.dark, *event.burning)
        return Step(replace(data, failed_lamps=tuple(dict.fromkeys(failed))))
    if isinstance(event, KeyStuck) and event.control in CONTROLS:
        return Step(replace(data, failed_keys=tuple(dict.fromkeys((*data.failed_keys, event.control)))))
    return Step(data)


def stopped(data: DiceData, event: Event) -> Step[DiceData]:
    """The inspection was left: nothing is keyed or lit any more."""
    effects = (CancelTimer(TIMER),) if data.trying else ()
    return Step(replace(data, entry=(), trying=""), effects)


def _alone(data: DiceData, area: str) -> Step[DiceData]:
    return Step(replace(data, trying=area), (Light((area,)), StartTimer(TIMER, EACH_NS)))


def _key_tried(data: DiceData, event: Event) -> Step[DiceData]:
    key = pressed(event)
    left = tuple(other for other in data.failed_keys if other != key)
    return Step(replace(data, failed_keys=left), (Note(f"inspection: the key {key}, which had failed, works"),))


def _value_confirmed(data: DiceData, event: Event) -> Step[DiceData]:
    note = Note(f"{floorperson(event)} confirmed the panel for {dice_words(data.entry)}")
    return Step(replace(data, inspected=data.inspected + 1, entry=()), (Light(()), note))


def _lamps_confirmed(data: DiceData, event: Event) -> Step[DiceData]:
    had = f"; {', '.join(data.failed_lamps)} had failed" if data.failed_lamps else ""
    return Step(data, (Note(f"{floorperson(event)} confirmed that every area burns alone{had}"),))


def _cycle_confirmed(data: DiceData, event: Event) -> Step[DiceData]:
    note = Note(f"{floorperson(event)} confirmed a cycle of the shaker")
    return Step(replace(data, cycles=data.cycles + 1, cycled=False), (note,))


def _inspected(data: DiceData, event: Event) -> Step[DiceData]:
    assert isinstance(event, Press)
    note = Note(f"the opening inspection was passed before {floorperson(event)}")
    data = replace(data, number=event.by, inspected=0, cycles=0, cycled=False, entry=(), cause="")
    return Step(replace(data, failed_lamps=(), failed_keys=()), (Light(()), note))


def _refuse(cause: str) -> _Action:
    """The inspection is not passed. A fault for which the table was closed stays the cause."""

    def action(data: DiceData, event: Event) -> Step[DiceData]:
        alert = Alert(f"inspection not passed: {cause}", "mend it, then inspect anew")
        effects: tuple[Effect, ...] = stopped(data, event).effects
        data = replace(data, cause=data.cause or cause, entry=(), trying="")
        return Step(data, (*effects, Light(()), alert))

    return action
