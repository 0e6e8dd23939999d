"""The floorperson's menu of a table with keyed-in dice, and the opening inspection (§ 539.5).

The table opens only after the inspection: three values are keyed in, and each time the floorperson confirms that
the panel lights the winning areas; with an automated shaker, three of its cycles are confirmed too.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from controller.events.effect import Alert, Light, Note
from controller.events.event import Event
from controller.games.dice.rules import (
    DiceClauses,
    DiceData,
    DiceState,
    RollScore,
    S,
    automated,
    cited,
    cycled,
    dice_words,
    last_cycle,
    last_value,
    open_round,
)
from controller.games.shared.ageing import Ageing
from controller.games.shared.closing import closes, wagers_back_from
from controller.games.shared.entry import complete, dice_keys, number_keys
from controller.games.shared.floor import KEY, leaves
from controller.games.shared.table_data import returns_to
from controller.statechart.guards import Action, Guard, always, both, dark, keep, then, unless
from controller.statechart.machine import Step, Transition

INSPECTION = (S.INSPECTOR, S.INSPECTION_ENTRY, S.INSPECTION_LIT, S.INSPECTION_SHAKER)
IDLE = (S.BETS_OPEN, S.DICE_DUE)
_Transition = Transition[DiceState, DiceData]
_Action = Action[DiceData]
Opens = Callable[[DiceState, str, _Action, Guard[DiceData], str], Iterator[_Transition]]
"""Makes the transitions that open a round, from source state, event, action, guard and the guard's text."""


class DiceInspection:
    """The transitions of menu and inspection.

    Args:
        score: the winning areas of a roll, for the test of the panel.
        opens: makes the transitions that open a round.
        clauses: the clauses for the record.
    """

    def __init__(self, score: RollScore, aging: Ageing[DiceData], opens: Opens, clauses: DiceClauses) -> None:
        self._score = score
        self._aging = aging
        self._opens = opens
        removed = "the automated shaker was removed; the manual shaker is used"
        self._removed = cited(removed, clauses.shaker_removed)

    def menu(self) -> Iterator[_Transition]:
        """Transitions of the floorperson's menu."""
        menu = S.MENU
        inspects = then(wagers_back_from(S.BETS_OPEN, "inspection"), _inspect, dark)
        yield _Transition(menu, "press 1", S.INSPECTOR, inspects)
        opens = then(self._aging.renew, open_round)
        yield _Transition(menu, "press 2", S.BETS_OPEN, opens, returns_to(S.DICE_DUE), "dice were due")
        yield _Transition(
            menu, "press 2", S.BETS_OPEN, self._aging.renew, returns_to(S.BETS_OPEN), "from bets-open"
        )
        yield _Transition(menu, "press 2", S.CLOSED, self._aging.renew)
        yield from self._leaves("press 3", self._shaker_removed, automated, "automated, ")
        yield from self._leaves("press clear", keep, always, "")
        yield from self._leaves("power-restored", self._aging.restore, always, "")
        installed = then(closes("an automated shaker was installed: inspect before play", S.BETS_OPEN), _has_shaker)
        yield _Transition(menu, "press 4", S.CLOSED, installed, unless(automated), "manual")
        yield _Transition(menu, "press 5", S.CLOSED, closes("closed by the floorperson", S.BETS_OPEN))

    def _leaves(self, on: str, action: _Action, guard: Guard[DiceData], why: str) -> Iterator[_Transition]:
        """Transitions back to the state in which the menu was opened."""
        aging, due = self._aging, S.DICE_DUE
        yield from aging.leaves(S.MENU, on, action, S.BETS_OPEN, due, aging.returning(action), guard, why)
        yield from leaves(S.MENU, on, (S.CLOSED, due), action, guard, why)

    def transitions(self) -> Iterator[_Transition]:
        """Transitions of the inspection."""
        entry, lit, shaker = S.INSPECTION_ENTRY, S.INSPECTION_LIT, S.INSPECTION_SHAKER
        yield from number_keys(S.INSPECTOR, entry, _identified, S.CLOSED, dark)
        yield from dice_keys(entry)
        yield _Transition(entry, "press enter", lit, self._try_panel, complete, "three dice")
        yield _Transition(
            lit, KEY, shaker, _value_confirmed, both(last_value, automated), "last value, automated shaker"
        )
        yield from self._opens(lit, KEY, _inspected, last_value, "last value")
        yield _Transition(lit, KEY, entry, _value_confirmed)
        yield _Transition(lit, "press clear", S.CLOSED, _refuse("the panel did not light what wins"))
        yield _Transition(shaker, "shaker-cycled", None, lambda data, event: Step(replace(data, cycled=True)))
        yield _Transition(shaker, "shaker-failed", S.CLOSED, _refuse("the shaker failed"))
        yield from self._opens(shaker, KEY, _inspected, last_cycle, "last cycle")
        yield _Transition(shaker, KEY, None, _cycle_confirmed, cycled, "cycle seen")
        yield _Transition(shaker, "press clear", S.CLOSED, _refuse("the dice were not properly tossed"))
        for state in INSPECTION:
            yield _Transition(state, "power-restored", S.CLOSED, self._cut)

    def _try_panel(self, data: DiceData, event: Event) -> Step[DiceData]:
        wins = self._score(data.entry)
        text = f"inspection: {dice_words(data.entry)} lights {len(wins)} areas"
        return Step(data, (Note(text), Light(tuple(win.area for win in wins))))

    def _shaker_removed(self, data: DiceData, event: Event) -> Step[DiceData]:
        return Step(replace(data, automated=False), (Note(self._removed),))

    def _cut(self, data: DiceData, event: Event) -> Step[DiceData]:
        step = self._aging.restore(data, event)
        note = Note("the power went during the inspection: inspect anew")
        return Step(replace(step.data, entry=()), (Light(()), note, *step.effects))


def _inspect(data: DiceData, event: Event) -> Step[DiceData]:
    return Step(replace(data, number="", inspected=0, cycles=0, cycled=False, entry=(), cause=""))


def _identified(data: DiceData, event: Event) -> Step[DiceData]:
    return Step(data, (Note(f"opening inspection before floorperson {data.number}"),))


def _value_confirmed(data: DiceData, event: Event) -> Step[DiceData]:
    note = Note(f"floorperson {data.number} confirmed the panel for {dice_words(data.entry)}")
    return Step(replace(data, inspected=data.inspected + 1, entry=()), (Light(()), note))


def _cycle_confirmed(data: DiceData, event: Event) -> Step[DiceData]:
    note = Note(f"floorperson {data.number} confirmed a cycle of the shaker")
    return Step(replace(data, cycles=data.cycles + 1, cycled=False), (note,))


def _inspected(data: DiceData, event: Event) -> Step[DiceData]:
    note = Note(f"the opening inspection was passed before floorperson {data.number}")
    return Step(replace(data, inspected=0, cycles=0, cycled=False, entry=()), (Light(()), note))


def _refuse(cause: str) -> _Action:
    def action(data: DiceData, event: Event) -> Step[DiceData]:
        alert = Alert(f"inspection not passed: {cause}", "mend it, then inspect anew")
        return Step(replace(data, cause=cause, entry=()), (Light(()), alert))

    return action


def _has_shaker(data: DiceData, event: Event) -> Step[DiceData]:
    return Step(replace(data, automated=True))
