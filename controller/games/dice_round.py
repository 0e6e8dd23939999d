"""A round with dice that the dealer keys in, and a panel that lights what wins: the procedure of Sic Bo (ch. 539).

The table opens only after the floorperson's inspection, the dice are retired by age, an entry can be corrected with
the floorperson's key, and a malfunction is settled before the floorperson and closes the table.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from pydantic import TypeAdapter

from controller.effects import (
    Alert,
    CancelTimer,
    Effect,
    Light,
    Note,
    Result,
    RoundOpened,
    StartTimer,
    Void,
    WagersReturned,
)
from controller.facts import Fact, KeyStuck, MachineFailed, PanelFault, PowerRestored, Press
from controller.games.dice_rules import (
    DIGITS,
    FACES,
    LONGEST_NUMBER,
    RETIRED,
    WARNING,
    DiceData,
    DiceState,
    S,
    Score,
    When,
    automated,
    both,
    closing,
    complete,
    correcting,
    cycled,
    dice_words,
    fresh,
    incomplete,
    keyed,
    last_cycle,
    last_value,
    returns_to,
    unless,
    waiting_for,
)
from controller.games.machine import GameMachine, Row, Step
from controller.games.words import fault_words

_Row = Row[DiceState, DiceData]
_Do = Callable[[DiceData, Fact], Step[DiceData]]
_KEY = "press floor-key"
_INSPECTION = (S.INSPECTOR, S.INSPECTION_ENTRY, S.INSPECTION_LIT, S.INSPECTION_SHAKER)
_ROLLED = (S.SHAKING, S.ENTRY, S.RESULT, S.CORRECTING, S.LOSERS_COLLECTED)
_IDLE = (S.BETS_OPEN, S.DICE_DUE)
_FAULTS = ("panel-fault", "key-stuck", "machine-failed")


class DiceRound(GameMachine[DiceState, DiceData]):
    """A game with three keyed-in dice.

    Args:
        score: the winning areas of a roll.
        automated_shaker: whether the table is set up with one.
        warn_ns, retire_ns: age of the dice for the warning, and for no further round.
    """

    def __init__(self, score: Score, automated_shaker: bool, warn_ns: int, retire_ns: int) -> None:
        self._score = score
        self._warn_ns = warn_ns
        self._retire_ns = retire_ns
        data = DiceData(automated=automated_shaker)
        super().__init__(self._rows(), S.CLOSED, data, TypeAdapter(DiceData))

    def waiting_for(self) -> str:
        return waiting_for(self.state, self.data)

    # -- the table of rows ---------------------------------------------------------------------------------

    def _rows(self) -> Iterator[_Row]:
        yield from self._while_closed()
        yield from self._in_the_menu()
        yield from self._at_inspection()
        yield from self._while_open()
        yield from self._while_entering()
        yield from self._while_settling()
        yield from self._on_malfunction()
        yield from self._everywhere()

    def _while_closed(self) -> Iterator[_Row]:
        yield _Row(S.CLOSED, "table-started", None, _dark)
        for state in (S.CLOSED, *_IDLE):
            yield _Row(state, _KEY, S.MENU, _menu(state))

    def _in_the_menu(self) -> Iterator[_Row]:
        menu = S.MENU
        yield _Row(menu, "press 1", S.INSPECTOR, self._inspect)
        yield _Row(menu, "press 2", S.BETS_OPEN, self._new_dice_open, returns_to(S.DICE_DUE), "dice were due")
        yield _Row(menu, "press 2", S.BETS_OPEN, self._new_dice, returns_to(S.BETS_OPEN), "from bets-open")
        yield _Row(menu, "press 2", S.CLOSED, self._new_dice)
        for state in (S.CLOSED, *_IDLE):
            to = returns_to(state)
            yield _Row(
                menu, "press 3", state, self._shaker_removed, both(automated, to), f"automated, {state.value}"
            )
            yield _Row(menu, "press clear", state, _keep, to, f"from {state.value}")
            yield _Row(menu, "power-restored", state, self._restored, to, f"from {state.value}")
        yield _Row(menu, "press 4", S.CLOSED, self._shaker_installed, unless(automated), "manual")
        yield _Row(menu, "press 5", S.CLOSED, self._close("closed by the floorperson"))

    def _at_inspection(self) -> Iterator[_Row]:
        yield from self._inspector()
        entry, lit, shaker = S.INSPECTION_ENTRY, S.INSPECTION_LIT, S.INSPECTION_SHAKER
        yield from _dice_keys(entry)
        yield _Row(entry, "press clear", None, _wipe)
        yield _Row(entry, "press enter", lit, self._try_panel, complete, "three dice")
        refused = self._refuse_inspection
        yield _Row(lit, _KEY, shaker, _value_confirmed, both(last_value, automated), "last value, automated shaker")
        yield from self._opens(lit, _KEY, self._inspected, last_value, "last value")
        yield _Row(lit, _KEY, entry, _value_confirmed)
        yield _Row(lit, "press clear", S.CLOSED, refused("the panel did not light what wins"))
        yield _Row(shaker, "shaker-cycled", None, lambda data, fact: Step(replace(data, cycled=True)))
        yield _Row(shaker, "shaker-failed", S.CLOSED, refused("the shaker failed"))
        yield from self._opens(shaker, _KEY, self._inspected, last_cycle, "last cycle")
        yield _Row(shaker, _KEY, None, _cycle_confirmed, cycled, "cycle seen")
        yield _Row(shaker, "press clear", S.CLOSED, refused("the dice were not properly tossed"))
        for state in _INSPECTION:
            yield _Row(state, "power-restored", S.CLOSED, self._inspection_cut)

    def _inspector(self) -> Iterator[_Row]:
        for digit in DIGITS:
            yield _Row(S.INSPECTOR, f"press {digit}", None, _number, _number_open, "up to 8 digits")
        yield _Row(S.INSPECTOR, "press enter", S.INSPECTION_ENTRY, _identified, _has_number, "a number")
        yield _Row(
            S.INSPECTOR, "press clear", None, lambda d, f: Step(replace(d, number="")), _has_number, "a number"
        )
        yield _Row(S.INSPECTOR, "press clear", S.CLOSED, _dark)

    def _opens(self, source: DiceState, on: str, do: _Do, when: When, why: str) -> Iterator[_Row]:
        """Rows that open the next round, or ask for new dice."""

        def opened(data: DiceData, fact: Fact) -> Step[DiceData]:
            step = do(data, fact)
            return _open_round(step.data, step.effects)

        yield _Row(
            source, on, S.BETS_OPEN, opened, both(when, fresh), f"{why}, dice fresh" if why else "dice fresh"
        )
        yield _Row(source, on, S.DICE_DUE, do, when, f"{why}, dice due" if why else "dice due")

    def _while_open(self) -> Iterator[_Row]:
        yield _Row(S.BETS_OPEN, "press no-more-bets", S.SHAKING, _keep)
        yield _Row(S.BETS_OPEN, f"timer {RETIRED}", S.DICE_DUE, self._retired_open)
        yield _Row(S.SHAKING, "shaker-cycled", S.ENTRY, _keep, automated, "automated shaker")
        manual = unless(automated)
        for face in FACES:
            yield _Row(S.SHAKING, f"press {face}", S.ENTRY, _key_die, manual, "manual shaker")
        void = _void("shaker-failed", "the automated shaker failed (§ 539.7(c))")
        yield from self._opens(S.SHAKING, "shaker-failed", void, automated, "automated shaker")
        yield from self._opens(S.SHAKING, "press no-roll", _NO_ROLL, _always, "")

    def _while_entering(self) -> Iterator[_Row]:
        yield from _dice_keys(S.ENTRY)
        yield _Row(S.ENTRY, "press clear", None, _wipe)
        yield _Row(S.ENTRY, "press enter", S.RESULT, self._result, complete, "three dice")
        yield from self._opens(S.ENTRY, "press no-roll", _NO_ROLL, unless(correcting), "no correction")

    def _while_settling(self) -> Iterator[_Row]:
        yield _Row(S.RESULT, "press done", S.LOSERS_COLLECTED, _keep)
        yield _Row(S.LOSERS_COLLECTED, "press done", S.WINNERS_PAID, _keep)
        for state in (S.RESULT, S.LOSERS_COLLECTED):
            yield _Row(state, "press correct", S.CORRECTING, _menu(state))
            yield _Row(S.CORRECTING, "press clear", state, _keep, returns_to(state), f"from {state.value}")
        yield _Row(S.CORRECTING, _KEY, S.ENTRY, _correct)
        yield _Row(S.WINNERS_PAID, "press clear", S.CLOSED, _dark, closing, "fault in this round")
        yield from self._opens(S.WINNERS_PAID, "press clear", _dark, _always, "")

    def _on_malfunction(self) -> Iterator[_Row]:
        for on in _FAULTS:
            for state in _ROLLED:
                yield _Row(state, on, S.MALFUNCTION, _malfunction)
            for state in (*_IDLE, *_INSPECTION, S.MENU):
                yield _Row(state, on, S.CLOSED, self._faulty_idle(state))
            for state in (S.WINNERS_PAID, S.MALFUNCTION, S.CLOSED):
                yield _Row(state, on, None, _note_fault)
        yield _Row(S.MALFUNCTION, _KEY, S.CLOSED, _settled)

    def _everywhere(self) -> Iterator[_Row]:
        for state in DiceState:
            yield _Row(state, f"timer {WARNING}", None, self._warn)
            if state is not S.BETS_OPEN:
                yield _Row(state, f"timer {RETIRED}", None, _retired)
            if state not in (S.MENU, *_INSPECTION):
                yield _Row(state, "power-restored", None, self._restored)

    # -- what rows do --------------------------------------------------------------------------------------

    def _inspect(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        inspected = replace(data, number="", inspected=0, cycles=0, cycled=False, entry=(), cause="")
        returned: tuple[Effect, ...] = ()
        if data.back is S.BETS_OPEN:
            returned = (WagersReturned("inspection"),)
        return Step(inspected, (*returned, Light(())))

    def _try_panel(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        wins = self._score(data.entry)
        text = f"inspection: {dice_words(data.entry)} lights {len(wins)} areas"
        return Step(data, (Note(text), Light(tuple(win.area for win in wins))))

    def _inspected(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        note = Note(f"the opening inspection was passed before floorperson {data.number}")
        return Step(replace(data, inspected=0, cycles=0, cycled=False, entry=()), (Light(()), note))

    def _refuse_inspection(self, cause: str) -> _Do:
        def do(data: DiceData, fact: Fact) -> Step[DiceData]:
            alert = Alert(f"inspection not passed: {cause}", "mend it, then inspect anew")
            return Step(replace(data, cause=cause, entry=()), (Light(()), alert))

        return do

    def _inspection_cut(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        step = self._restored(data, fact)
        note = Note("the power went during the inspection: inspect anew")
        return Step(replace(step.data, entry=()), (Light(()), note, *step.effects))

    def _new_dice(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        assert isinstance(fact, Press)
        data = replace(data, dice_utc_ns=fact.utc_ns, retired=False)
        timers = (StartTimer(WARNING, self._warn_ns), StartTimer(RETIRED, self._retire_ns))
        return Step(data, (Note("new dice were put into the shaker"), *timers))

    def _new_dice_open(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        step = self._new_dice(data, fact)
        return _open_round(step.data, step.effects)

    def _shaker_removed(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        note = Note("the automated shaker was removed; the manual shaker is used (§ 539.7(d))")
        return Step(replace(data, automated=False), (note,))

    def _shaker_installed(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        step = self._close("an automated shaker was installed: inspect before play")(data, fact)
        return Step(replace(step.data, automated=True), step.effects)

    def _close(self, cause: str) -> _Do:
        def do(data: DiceData, fact: Fact) -> Step[DiceData]:
            returned = (WagersReturned("table-closed"),) if data.back is S.BETS_OPEN else ()
            return Step(replace(data, cause=cause), (*returned, Light(()), Note(cause)))

        return do

    def _retired_open(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        step = _retired(data, fact)
        return Step(step.data, (WagersReturned("dice-retired"), *step.effects))

    def _result(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        wins = self._score(data.entry)
        effects: list[Effect] = []
        if data.corrects:
            effects.append(Note(f"{dice_words(data.corrects)} was corrected to {dice_words(data.entry)}"))
        effects += [Result(dice_words(data.entry), wins), Light(tuple(win.area for win in wins))]
        return Step(replace(data, wins=wins, corrects=()), tuple(effects))

    def _faulty_idle(self, state: DiceState) -> _Do:
        def do(data: DiceData, fact: Fact) -> Step[DiceData]:
            cause = _cause(fact)
            open_round = state is S.BETS_OPEN or (state is S.MENU and data.back is S.BETS_OPEN)
            returned = (WagersReturned("malfunction"),) if open_round else ()
            alert = Alert(f"table closed: {cause}", "mend it, then inspect anew")
            return Step(replace(data, cause=cause, entry=()), (*returned, Light(()), alert))

        return do

    def _warn(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        hours = self._retire_ns / 3.6e12
        return Step(
            data, (Alert("the dice must be changed soon", f"no round opens with dice older than {hours:g} h"),)
        )

    def _restored(self, data: DiceData, fact: Fact) -> Step[DiceData]:
        """The dice have aged while the power was away."""
        assert isinstance(fact, PowerRestored)
        if not data.dice_utc_ns or data.retired:
            return Step(data)
        age_ns = fact.utc_ns - data.dice_utc_ns
        timers: list[Effect] = [StartTimer(RETIRED, max(0, self._retire_ns - age_ns))]
        if age_ns < self._warn_ns:
            timers.append(StartTimer(WARNING, self._warn_ns - age_ns))
        return Step(data, tuple(timers))


# -- what rows do, without the game ------------------------------------------------------------------------------


def _keep(data: DiceData, fact: Fact) -> Step[DiceData]:
    return Step(data)


def _dark(data: DiceData, fact: Fact) -> Step[DiceData]:
    return Step(data, (Light(()),))


def _always(data: DiceData, fact: Fact) -> bool:
    return True


def _menu(back: DiceState) -> _Do:
    return lambda data, fact: Step(replace(data, back=back))


def _key_die(data: DiceData, fact: Fact) -> Step[DiceData]:
    return Step(keyed(data, fact))


def _dice_keys(state: DiceState) -> Iterator[_Row]:
    for face in FACES:
        yield _Row(
            state, f"press {face}", None, lambda d, f: Step(keyed(d, f)), incomplete, "fewer than three dice"
        )


def _wipe(data: DiceData, fact: Fact) -> Step[DiceData]:
    return Step(replace(data, entry=()))


def _number_open(data: DiceData, fact: Fact) -> bool:
    return len(data.number) < LONGEST_NUMBER


def _has_number(data: DiceData, fact: Fact) -> bool:
    return bool(data.number)


def _wipe_number(data: DiceData, fact: Fact) -> Step[DiceData]:
    return Step(replace(data, number=""))


def _number(data: DiceData, fact: Fact) -> Step[DiceData]:
    assert isinstance(fact, Press)
    return Step(replace(data, number=data.number + fact.control))


def _identified(data: DiceData, fact: Fact) -> Step[DiceData]:
    return Step(data, (Note(f"opening inspection before floorperson {data.number}"),))


def _value_confirmed(data: DiceData, fact: Fact) -> Step[DiceData]:
    note = Note(f"floorperson {data.number} confirmed the panel for {dice_words(data.entry)}")
    return Step(replace(data, inspected=data.inspected + 1, entry=()), (Light(()), note))


def _cycle_confirmed(data: DiceData, fact: Fact) -> Step[DiceData]:
    note = Note(f"floorperson {data.number} confirmed a cycle of the shaker")
    return Step(replace(data, cycles=data.cycles + 1, cycled=False), (note,))


def _open_round(data: DiceData, effects: tuple[Effect, ...]) -> Step[DiceData]:
    data = replace(data, round=data.round + 1, entry=(), corrects=(), wins=(), cause="", back=S.CLOSED)
    return Step(data, (*effects, RoundOpened(data.round)))


def _void(reason: str, detail: str) -> _Do:
    def do(data: DiceData, fact: Fact) -> Step[DiceData]:
        return Step(replace(data, entry=()), (Void(reason, detail), WagersReturned(reason), Light(())))

    return do


_NO_ROLL = _void("no-roll", "the dice do not all lie flat (§ 539.7(a))")


def _correct(data: DiceData, fact: Fact) -> Step[DiceData]:
    note = Note(f"the floorperson allowed a correction of {dice_words(data.entry)}")
    return Step(replace(data, corrects=data.entry, entry=(), wins=()), (Light(()), note))


def _cause(fact: Fact) -> str:
    assert isinstance(fact, PanelFault | KeyStuck | MachineFailed)
    return fault_words(fact)


def _malfunction(data: DiceData, fact: Fact) -> Step[DiceData]:
    cause = _cause(fact)
    alert = Alert(f"malfunction: {cause}", "settle this round before a floorperson; then the table is closed")
    return Step(replace(data, cause=cause), (alert,))


def _note_fault(data: DiceData, fact: Fact) -> Step[DiceData]:
    cause = _cause(fact)
    return Step(replace(data, cause=data.cause or cause), (Alert(cause, "mend it; the table needs an inspection"),))


def _settled(data: DiceData, fact: Fact) -> Step[DiceData]:
    note = Note("the round was settled before the floorperson; the table is closed until mended and inspected")
    return Step(replace(data, entry=(), corrects=(), wins=()), (Light(()), note))


def _retired(data: DiceData, fact: Fact) -> Step[DiceData]:
    text = "the dice have reached their age (§ 539.2(b))"
    effects = (CancelTimer(WARNING), Alert(text, "change them; the floorperson's menu records it"))
    return Step(replace(data, retired=True), effects)
