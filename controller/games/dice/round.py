"""A round with dice that the dealer keys in: the procedure of Sic Bo (ch. 539).

The table opens only after the floorperson's inspection, the dice have an age limit, an entry can be corrected with
the floorperson's key, and a malfunction is settled before the floorperson and closes the table.
"""

from collections.abc import Iterator
from dataclasses import replace

from pydantic import TypeAdapter

from controller.events.effect import Alert, Light, Note, Result
from controller.events.event import Event, Health, SensorHealth
from controller.games.dice.choices import entries
from controller.games.dice.inspection import IDLE, INSPECTION, DiceInspection, had_failed, stopped
from controller.games.dice.menu import FloorMenu
from controller.games.dice.prompts import waiting_for
from controller.games.dice.rules import (
    DiceClauses,
    DiceData,
    DiceState,
    Layout,
    S,
    dice_words,
    lit,
    open_round,
)
from controller.games.dice.toss import Toss
from controller.games.dice.voiding import Voiding
from controller.games.shared.ageing import Ageing, fresh
from controller.games.shared.closing import fault, fault_closes, on_faults
from controller.games.shared.entry import complete, dice_keys
from controller.games.shared.floor import KEY, corrected, correction, correction_allowed, floorperson, opens_menu
from controller.games.shared.settlement import settlement
from controller.games.shared.table_data import stops
from controller.statechart.guards import Action, Guard, always, both, dark, once, then, unless
from controller.statechart.machine import GameMachine, Step, Transition
from controller.statechart.menu import MenuEntry

_Transition = Transition[DiceState, DiceData]
_Action = Action[DiceData]
_ROLLED = (
    *(S.SHAKING, S.ENTRY, S.DOUBT, S.NO_ROLL, S.VOIDING),
    *(S.RESULT, S.CORRECTING, S.LOSERS_COLLECTED),
)
_SETTLE = "settle this round before a floorperson; then the table is closed"
KEYS = ("keypad", "keyboard", "buttons")
"""The devices that have the dealer's keys, as they are called in the table's file."""

_DATA = TypeAdapter(DiceData)


class DiceRound(GameMachine[DiceState, DiceData]):
    """A game with three keyed-in dice.

    Args:
        layout: the areas, and which of them win on a roll.
        automated_shaker: whether the table is set up with one.
        aging: the age limits of the dice.
        clauses: the clauses for the record.
    """

    def __init__(
        self,
        layout: Layout,
        automated_shaker: bool,
        aging: Ageing[DiceData],
        clauses: DiceClauses | None = None,
    ) -> None:
        self._score = layout.score
        self._aging = aging
        clauses = clauses or DiceClauses()
        self._voiding = Voiding(self._opens, clauses)
        self._toss = Toss(aging, self._opens, self._voiding)
        self._menu = FloorMenu(aging, clauses)
        self._inspection = DiceInspection(layout, aging, self._opens)
        data = DiceData(automated=automated_shaker)
        super().__init__(self._transitions(), S.CLOSED, data, _DATA)

    def _waits_for(self) -> str:
        return waiting_for(self.state, self.data)

    def _menu_entries(self) -> tuple[MenuEntry, ...]:
        return self._offered(entries(self.state, self.data))

    # -- transitions ---------------------------------------------------------------------------------------

    def _transitions(self) -> Iterator[_Transition]:
        yield from self._while_closed()
        yield from self._menu.transitions()
        yield from self._inspection.transitions()
        yield from self._toss.transitions()
        yield from self._voiding.transitions()
        yield from self._while_entering()
        yield from self._while_settling()
        yield from self._on_malfunction()
        yield from self._everywhere()

    def _while_closed(self) -> Iterator[_Transition]:
        yield _Transition(S.CLOSED, "table-started", None, dark)
        yield from opens_menu(S.MENU, (S.CLOSED, *IDLE))

    def _opens(
        self, source: DiceState, on: str, action: _Action, guard: Guard[DiceData], why: str
    ) -> Iterator[_Transition]:
        """Transitions that open the next round, or ask for new dice."""
        words, opened = f"{why}, " if why else "", then(action, open_round)
        yield _Transition(source, on, S.BETS_OPEN, opened, both(guard, fresh), f"{words}dice fresh")
        yield _Transition(source, on, S.DICE_DUE, action, guard, f"{words}dice due")

    def _while_entering(self) -> Iterator[_Transition]:
        yield self._aging.retires(S.BETS_OPEN, S.DICE_DUE)
        yield from dice_keys(S.ENTRY)
        yield _Transition(S.ENTRY, "press enter", S.RESULT, self._result, complete, "three dice")

    def _while_settling(self) -> Iterator[_Transition]:
        yield from settlement(S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)
        yield from correction(
            S.CORRECTING, (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID, S.MALFUNCTION), lit, "areas are lit"
        )
        yield _Transition(S.CORRECTING, KEY, S.MALFUNCTION, _correct, stops, "fault in this round")
        yield _Transition(S.CORRECTING, KEY, S.ENTRY, _correct)
        for state in (S.LOSERS_COLLECTED, S.WINNERS_PAID):  # From the first, the winners are paid with it.
            yield _Transition(state, "press clear", S.CLOSED, dark, stops, "fault in this round")
            yield from self._opens(state, "press clear", dark, always, "")

    def _on_malfunction(self) -> Iterator[_Transition]:
        malfunction: _Action = then(fault(_SETTLE, "malfunction: "), had_failed)
        yield from on_faults(_ROLLED, S.MALFUNCTION, malfunction)
        for state in _ROLLED:
            yield _Transition(state, "sensor-health", S.MALFUNCTION, _lost(_SETTLE), _keys_gone, "keypad gone")
        for state in (*IDLE, *INSPECTION, S.MENU):
            closing = fault_closes(state, S.MENU, S.BETS_OPEN, "mend it, then inspect anew")
            yield from on_faults([state], S.CLOSED, then(closing, had_failed, stopped))
        remedy = "mend it; the table needs an inspection"
        later: _Action = then(fault(remedy, first=True), had_failed)
        yield from on_faults((S.WINNERS_PAID, S.MALFUNCTION, S.CLOSED), None, later)
        yield _Transition(S.WINNERS_PAID, "sensor-health", None, _lost(remedy), _keys_gone, "keypad gone")
        yield from dice_keys(S.MALFUNCTION, unless(lit), "no result")
        keyed: Guard[DiceData] = both(unless(lit), complete)
        yield _Transition(S.MALFUNCTION, "press enter", None, self._result, keyed, "no result, three dice")
        yield _Transition(S.MALFUNCTION, KEY, S.CLOSED, _settled, once, "not turned twice")

    def _everywhere(self) -> Iterator[_Transition]:
        yield from self._aging.transitions(DiceState, but=S.BETS_OPEN, cut=(S.MENU, S.SHAKING, *INSPECTION))

    # -- actions -------------------------------------------------------------------------------------------

    def _result(self, data: DiceData, event: Event) -> Step[DiceData]:
        wins = self._score(data.entry)
        effects = (Result(dice_words(data.entry), wins), Light(tuple(win.area for win in wins)))
        notes = corrected(data.corrects, data.entry, dice_words)
        return Step(replace(data, wins=wins, corrects=()), (*notes, *effects))


def _keys_gone(data: DiceData, event: Event) -> bool:
    """The device with the dealer's digits has stopped working (§ 539.7(b))."""
    return isinstance(event, SensorHealth) and event.health is Health.GONE and event.sensor in KEYS


def _lost(remedy: str) -> _Action:
    def action(data: DiceData, event: Event) -> Step[DiceData]:
        assert isinstance(event, SensorHealth)
        cause = f"{event.sensor} {event.health.value}: {event.detail}"
        return Step(replace(data, cause=data.cause or cause), (Alert(f"malfunction: {cause}", remedy),))

    return action


def _correct(data: DiceData, event: Event) -> Step[DiceData]:
    note = correction_allowed(event, dice_words(data.entry))
    return Step(replace(data, corrects=data.entry, entry=(), wins=()), (Light(()), note))


def _settled(data: DiceData, event: Event) -> Step[DiceData]:
    how = f"settled before {floorperson(event)}; the table is closed until mended and inspected"
    if data.corrects:
        how = f"{dice_words(data.corrects)} was wrong, and the dice were not keyed: {how}"
    elif not data.wins:
        how = f"the dice were not keyed: {how}"
    else:
        how = f"the round was {how}"
    data = replace(data, entry=(), corrects=(), wins=(), tossed=False, doubt="", resumed=False, seen=False)
    return Step(data, (Light(()), Note(how)))
