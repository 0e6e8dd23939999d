"""A round with dice that the dealer keys in: the procedure of Sic Bo (ch. 539).

The table opens only after the floorperson's inspection, the dice have an age limit, an entry can be corrected with
the floorperson's key, and a malfunction is settled before the floorperson and closes the table.
"""

from collections.abc import Iterator
from dataclasses import replace

from pydantic import TypeAdapter

from controller.events.effect import Light, Note, Result, Void, WagersReturned
from controller.events.event import Event
from controller.games.dice.inspection import IDLE, INSPECTION, DiceInspection
from controller.games.dice.rules import (
    DiceClauses,
    DiceData,
    DiceState,
    RollScore,
    S,
    automated,
    cited,
    correcting,
    dice_words,
    open_round,
    undecided,
    waiting_for,
)
from controller.games.shared.ageing import Ageing, fresh
from controller.games.shared.closing import fault, fault_closes, on_faults
from controller.games.shared.entry import FACES, complete, dice_keys, key_die, wipe
from controller.games.shared.floor import KEY, corrected, correction, correction_allowed, opens_menu
from controller.games.shared.settlement import settlement
from controller.games.shared.table_data import stops
from controller.statechart.guards import Action, Guard, always, both, dark, keep, then, unless
from controller.statechart.machine import GameMachine, Step, Transition

_Transition = Transition[DiceState, DiceData]
_Action = Action[DiceData]
_ROLLED = (S.SHAKING, S.ENTRY, S.RESULT, S.CORRECTING, S.LOSERS_COLLECTED)
_SHAKER_FAILED = "the automated shaker failed"


class DiceRound(GameMachine[DiceState, DiceData]):
    """A game with three keyed-in dice.

    Args:
        score: the winning areas of a roll.
        automated_shaker: whether the table is set up with one.
        aging: the age limits of the dice.
        clauses: the clauses for the record.
    """

    def __init__(
        self,
        score: RollScore,
        automated_shaker: bool,
        aging: Ageing[DiceData],
        clauses: DiceClauses | None = None,
    ) -> None:
        self._score = score
        self._aging = aging
        clauses = clauses or DiceClauses()
        self._no_roll = _void("no-roll", cited("the dice do not all lie flat", clauses.no_roll))
        self._shaker_failed = _void("shaker-failed", cited(_SHAKER_FAILED, clauses.shaker_failed))
        self._inspection = DiceInspection(score, aging, self._opens, clauses)
        data = DiceData(automated=automated_shaker)
        super().__init__(self._transitions(), S.CLOSED, data, TypeAdapter(DiceData))

    def _waits_for(self) -> str:
        return waiting_for(self.state, self.data)

    # -- transitions ---------------------------------------------------------------------------------------

    def _transitions(self) -> Iterator[_Transition]:
        yield from self._while_closed()
        yield from self._inspection.menu()
        yield from self._inspection.transitions()
        yield from self._while_open()
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

    def _while_open(self) -> Iterator[_Transition]:
        yield _Transition(S.BETS_OPEN, "press no-more-bets", S.SHAKING, keep)
        yield self._aging.retires(S.BETS_OPEN, S.DICE_DUE)
        yield _Transition(S.SHAKING, "shaker-cycled", S.ENTRY, keep, automated, "automated shaker")
        manual = unless(automated)
        for face in FACES:
            yield _Transition(S.SHAKING, f"press {face}", S.ENTRY, key_die, manual, "manual shaker")
        yield from self._opens(S.SHAKING, "shaker-failed", self._shaker_failed, automated, "automated shaker")
        yield from self._opens(S.SHAKING, "press no-roll", self._no_roll, always, "")

    def _while_entering(self) -> Iterator[_Transition]:
        yield from dice_keys(S.ENTRY)
        yield _Transition(S.ENTRY, "press enter", S.RESULT, self._result, complete, "three dice")
        yield from self._opens(S.ENTRY, "press no-roll", self._no_roll, unless(correcting), "no correction")

    def _while_settling(self) -> Iterator[_Transition]:
        yield from settlement(S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)
        yield from correction(S.CORRECTING, (S.RESULT, S.LOSERS_COLLECTED))
        yield _Transition(S.CORRECTING, KEY, S.ENTRY, _correct)
        yield _Transition(S.WINNERS_PAID, "press clear", S.CLOSED, dark, stops, "fault in this round")
        yield from self._opens(S.WINNERS_PAID, "press clear", dark, always, "")

    def _on_malfunction(self) -> Iterator[_Transition]:
        settle = "settle this round before a floorperson; then the table is closed"
        yield from on_faults(_ROLLED, S.MALFUNCTION, fault(settle, "malfunction: "))
        for state in (*IDLE, *INSPECTION, S.MENU):
            closing = fault_closes(state, S.MENU, S.BETS_OPEN, "mend it, then inspect anew")
            yield from on_faults([state], S.CLOSED, then(closing, wipe))
        noted: _Action = fault("mend it; the table needs an inspection", first=True)
        yield from on_faults((S.WINNERS_PAID, S.MALFUNCTION, S.CLOSED), None, noted)
        yield _Transition(S.MALFUNCTION, KEY, S.CLOSED, _settled)
        yield _Transition(S.MALFUNCTION, "press no-roll", S.CLOSED, self._no_roll, undecided, "no result")
        failed = self._shaker_failed
        yield _Transition(S.MALFUNCTION, "shaker-failed", S.CLOSED, failed, both(automated, undecided), "no result")

    def _everywhere(self) -> Iterator[_Transition]:
        yield from self._aging.transitions(DiceState, but=S.BETS_OPEN, cut=(S.MENU, *INSPECTION))

    # -- actions -------------------------------------------------------------------------------------------

    def _result(self, data: DiceData, event: Event) -> Step[DiceData]:
        wins = self._score(data.entry)
        effects = (Result(dice_words(data.entry), wins), Light(tuple(win.area for win in wins)))
        notes = corrected(data.corrects, data.entry, dice_words)
        return Step(replace(data, wins=wins, corrects=()), (*notes, *effects))


def _void(reason: str, detail: str) -> _Action:
    def action(data: DiceData, event: Event) -> Step[DiceData]:
        return Step(replace(data, entry=()), (Void(reason, detail), WagersReturned(reason), Light(())))

    return action


def _correct(data: DiceData, event: Event) -> Step[DiceData]:
    note = correction_allowed(dice_words(data.entry))
    return Step(replace(data, corrects=data.entry, entry=(), wins=()), (Light(()), note))


def _settled(data: DiceData, event: Event) -> Step[DiceData]:
    note = Note("the round was settled before the floorperson; the table is closed until mended and inspected")
    return Step(replace(data, entry=(), corrects=(), wins=()), (Light(()), note))
