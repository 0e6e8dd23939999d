"""The floorperson's menu of a table with keyed-in dice. Each shaker has its own dice, and these their own age."""

from collections.abc import Iterator
from dataclasses import replace

from controller.events.effect import CancelTimer, Note
from controller.events.event import Event, Press
from controller.games.dice.rules import DiceClauses, DiceData, DiceState, S, automated, cited, open_round
from controller.games.shared.ageing import Ageing
from controller.games.shared.closing import closed_by_floorperson, closes, wagers_back_from
from controller.games.shared.floor import leaves
from controller.games.shared.table_data import returns_to
from controller.statechart.guards import Action, both, dark, keep, then, unless
from controller.statechart.machine import Step, Transition

_Transition = Transition[DiceState, DiceData]
_Action = Action[DiceData]


class FloorMenu:
    """The transitions of the menu.

    Args:
        aging: the age limits of the dice.
        clauses: the clauses for the record.
    """

    def __init__(self, aging: Ageing[DiceData], clauses: DiceClauses) -> None:
        self._aging = aging
        removed = "the automated shaker was removed; the manual shaker is used"
        self._removed = cited(removed, clauses.shaker_removed)

    def transitions(self) -> Iterator[_Transition]:
        menu = S.MENU
        inspects = then(wagers_back_from(S.BETS_OPEN, "inspection"), _inspect, dark)
        yield _Transition(menu, "press 1", S.INSPECTION_KEY, inspects, _key_failed, "a key had failed")
        yield _Transition(menu, "press 1", S.INSPECTION_ENTRY, inspects)
        opens = then(self._aging.renew, open_round)
        yield _Transition(menu, "press 2", S.BETS_OPEN, opens, returns_to(S.DICE_DUE), "dice were due")
        yield _Transition(
            menu, "press 2", S.BETS_OPEN, self._aging.renew, returns_to(S.BETS_OPEN), "from bets-open"
        )
        yield _Transition(menu, "press 2", S.CLOSED, self._aging.renew)
        yield from self._leaves("press clear", keep)
        yield from self._leaves("power-restored", self._aging.restore)
        yield from self._shaker_removed()
        installed = then(closes("an automated shaker was installed: inspect before play", S.BETS_OPEN), _has_shaker)
        exchanged: _Action = then(installed, self._exchange)
        yield _Transition(menu, "press 4", S.CLOSED, exchanged, unless(automated), "manual")
        yield _Transition(menu, "press 5", S.CLOSED, closed_by_floorperson(S.BETS_OPEN))

    def _leaves(self, on: str, action: _Action) -> Iterator[_Transition]:
        """Transitions back to the state in which the menu was opened."""
        aging, due = self._aging, S.DICE_DUE
        yield from aging.leaves(S.MENU, on, action, S.BETS_OPEN, due, aging.returning(action))
        yield from leaves(S.MENU, on, (S.CLOSED, due), action)

    def _shaker_removed(self) -> Iterator[_Transition]:
        """The other shaker's dice decide whether a round may be open."""
        removed: _Action = then(self._without_shaker, self._exchange)
        ends = self._aging.returning(removed)
        on, fresh = "press 3", both(automated, self._spare_fresh)
        opened, due = returns_to(S.BETS_OPEN), returns_to(S.DICE_DUE)
        words = "automated, other dice fresh, from"
        yield _Transition(S.MENU, on, S.BETS_OPEN, removed, both(fresh, opened), f"{words} bets-open")
        yield _Transition(S.MENU, on, S.BETS_OPEN, then(removed, open_round), both(fresh, due), f"{words} dice-due")
        for state, action in ((S.BETS_OPEN, ends), (S.DICE_DUE, removed)):
            back = both(automated, returns_to(state))
            yield _Transition(S.MENU, on, S.DICE_DUE, action, back, f"automated, from {state.value}")
        yield _Transition(S.MENU, on, S.CLOSED, removed, automated, "automated")

    def _spare_fresh(self, data: DiceData, event: Event) -> bool:
        """The dice of the shaker that is set aside may be used."""
        assert isinstance(event, Press)
        return data.spare_utc_ns > 0 and 0 <= event.utc_ns - data.spare_utc_ns < self._aging.retire_ns

    def _without_shaker(self, data: DiceData, event: Event) -> Step[DiceData]:
        return Step(replace(data, automated=False), (Note(self._removed),))

    def _exchange(self, data: DiceData, event: Event) -> Step[DiceData]:
        """The other shaker's dice are in use from now on, with the age that they have."""
        assert isinstance(event, Press)
        spare = 0 if data.retired else data.fitted_utc_ns
        data = replace(data, fitted_utc_ns=data.spare_utc_ns, spare_utc_ns=spare, retired=False)
        step = self._aging.since(data, event.utc_ns)
        cancelled = (CancelTimer(self._aging.warning), CancelTimer(self._aging.retirement))
        return Step(step.data, (*cancelled, *step.effects))


def _key_failed(data: DiceData, event: Event) -> bool:
    return bool(data.failed_keys)


def _inspect(data: DiceData, event: Event) -> Step[DiceData]:
    note = Note("the opening inspection begins")
    return Step(replace(data, inspected=0, cycles=0, cycled=False, entry=(), trying=""), (note,))


def _has_shaker(data: DiceData, event: Event) -> Step[DiceData]:
    return Step(replace(data, automated=True))
