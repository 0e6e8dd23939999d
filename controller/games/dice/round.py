"""A round with dice that the dealer keys in: the procedure of Sic Bo (ch. 539).

No more bets comes before the toss, and there is one toss a round. Losers are collected, then winners paid. A
malfunction with the dice uncovered is settled in the presence of the floorperson; then the table closes. The dealer
alone can make the round void until the first die is keyed, the floorperson until the round is cleared.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from pydantic import TypeAdapter

from config.schema import TableConfig
from controller.events.effect import (
    Alert,
    CancelTimer,
    Effect,
    Light,
    Note,
    Result,
    ResultWithdrawn,
    StartTimer,
    Void,
    WagersReturned,
    Win,
)
from controller.events.event import Act, Event, Press, TermsInEffect
from controller.events.words import NOTHING, Text, text
from controller.games.dice import inspection
from controller.games.dice import rules as law
from controller.games.dice.rules import ROLLED, SETTLING, DiceData, DiceState, S, automated, dice_words, open_round
from controller.games.shared.dice_entry import complete, dice_rows, incomplete, key_die, wipe
from controller.machine.offers import Device, Equipment, FaultPolicy, Offer
from controller.machine.round_machine import (
    FACES,
    Action,
    RoundMachine,
    Row,
    Step,
    both,
    by,
    presses,
    sets,
    then,
    unless,
    where,
)
from controller.odds.wagers import Payouts, Score

TIMER = "shaker-limit"
LIMIT_NS = 60_000_000_000
"""An automated shaker that has not tossed the dice by then is reported."""
CYCLED = ("shaker-cycled", "locked shaker-cycled")
FAILED = ("shaker-failed", "locked shaker-failed")
_WAITED_FOR = {S.CLOSED: "inspect", S.DOUBT: "first-toss", S.MALFUNCTION: "settled"}
"""Acts of the floorperson, by the state that waits for them."""
_CLOSED = frozenset(state.value for state in (S.CLOSED, *inspection.STATES))
_DATA = TypeAdapter(DiceData)
_Row = Row[DiceState, DiceData]
_Step = Step[DiceData]
_Action = Action[DiceData]
_tossed: _Action = sets(CancelTimer(TIMER), tossed=True)


class DiceRound(RoundMachine[DiceState, DiceData]):
    """The rounds of a table with three keyed-in dice.

    Args:
        score: which areas win on a roll of three dice, as they were keyed.
        retired_by: the clause about the age of dice, for the record.
    """

    closed = _CLOSED
    idle = _CLOSED | {S.BETS_OPEN.value, S.WINNERS_PAID.value}

    def __init__(
        self, config: TableConfig, payouts: Payouts, score: Score[tuple[int, ...]], retired_by: str
    ) -> None:
        dice = config.dice
        assert dice is not None
        self._areas = payouts.areas
        self._score: Callable[[tuple[int, ...]], tuple[Win, ...]] = lambda rolled: score(rolled, payouts)
        self._ages = {
            name: Equipment(name, dice.warn_ns, dice.retire_ns, retired_by) for name in (law.BY_HAND, law.IN_SHAKER)
        }
        super().__init__(self._all_rows(), S.CLOSED, DiceData(automated=dice.shaker == "automated"), _DATA)

    # -- what the table layer asks -------------------------------------------------------------------------------

    @property
    def equipment(self) -> tuple[Equipment, ...]:
        return tuple(self._ages.values())

    @property
    def in_use(self) -> tuple[Equipment, ...]:
        return (self._ages[law.IN_SHAKER if self.data.automated else law.BY_HAND],)

    def instruction(self) -> Text:
        data, state = self.data, self.state
        if state in inspection.STATES:
            return inspection.instruction(state, data)
        if state is S.SHAKING and (data.automated or data.resumed):
            return text("dice-shaking-automated" if data.automated else "dice-shaking-resumed")
        if state is S.MALFUNCTION and data.result:
            wins = ",".join(f"{win.area} {win.pays}" for win in data.wins)
            code = "dice-malfunction-paid" if data.settled == S.WINNERS_PAID.value else "dice-malfunction-lit"
            return text(code, dice=dice_words(data.entry), wins=wins)
        if state in (S.ENTRY, S.MALFUNCTION):
            corrects = dice_words(data.corrects) if data.corrects else ""
            return text(f"dice-{state.value}", entry=dice_words(data.entry), corrects=corrects)
        return text(f"dice-{state.value}", **({"doubt": data.doubt} if data.doubt else {}))

    def offers(self) -> Iterator[Offer]:
        data, state = self.data, self.state
        if state in inspection.STATES:
            yield from inspection.offers(state, data)
            return
        if state in _WAITED_FOR:
            yield Offer(_WAITED_FOR[state], expected=True)
        if data.result:
            yield Offer("correct", control="correct")
        if state in ROLLED:
            yield from law.voids(state, data)
        else:
            yield Offer("shaker-removed" if data.automated else "shaker-installed")
        if state is S.BETS_OPEN and data.voided:
            yield Offer("reverse")
        if state is not S.CLOSED:
            unsettled = state in ROLLED and state is not S.WINNERS_PAID
            yield Offer("close", unavailable=text("settle-first") if unsettled else NOTHING)

    def on_fault(self, device: Device, state: DiceState) -> FaultPolicy:
        if state in ROLLED:
            return FaultPolicy.LATER
        return FaultPolicy.LOCK if device in (Device.TAMPER, Device.SUPPLY) else FaultPolicy.CLOSE

    def refused_because(self, press: Press) -> Text:
        seen = self.state in (S.SHAKING, S.ENTRY) and press.control == "correct"
        return text("dice-may-be-seen") if seen else NOTHING

    # -- rows ----------------------------------------------------------------------------------------------------

    def _all_rows(self) -> Iterator[_Row]:
        yield _Row(S.CLOSED, "table-started", None, sets(Light(())))
        yield from inspection.inspection_rows(self._areas, self._score)
        yield from self._wagers()
        yield from self._toss()
        yield from self._settling()
        yield from self._malfunction()
        yield from self._one_toss()

    def _wagers(self) -> Iterator[_Row]:
        opened = S.BETS_OPEN
        yield _Row(opened, "press no-more-bets", S.SHAKING, _closed)
        # The void of the last round is final once its dice cannot be seen, or its odds do not count any more.
        early: _Action = sets(Alert("tossed-early"), voided=False)
        yield _Row(opened, CYCLED, None, early, automated, "automated shaker")
        terms = ("terms-in-effect", "locked terms-in-effect")
        yield _Row(opened, terms, None, sets(voided=False), _other_house, "other odds or rules")
        yield _Row(opened, "reopened", None, open_round)
        yield _Row(opened, "act reverse", S.ENTRY, _reversed)
        yield _Row((S.CLOSED, opened), "act shaker-removed", None, sets(automated=False))
        yield _Row(S.CLOSED, "act shaker-installed", None, sets(automated=True))
        goes = then(sets(WagersReturned("table-closed")), _over)
        yield _Row(opened, "act shaker-installed", S.CLOSED, then(goes, sets(automated=True)))
        yield _Row(opened, "act close", S.CLOSED, goes)

    def _toss(self) -> Iterator[_Row]:
        shaking = S.SHAKING
        yield _Row(shaking, presses(FACES), S.ENTRY, key_die, unless(automated), "manual shaker")
        # No more bets was pressed too early. The floor is told: only the dealer has seen the shaker.
        again: _Action = sets(CancelTimer(TIMER), Alert("wagers-reopened"))
        yield _Row(shaking, "press correct", S.BETS_OPEN, again, _covered, "dice covered")
        yield _Row(shaking, CYCLED, S.ENTRY, _tossed, automated, "automated shaker")
        yield _Row((shaking, S.DOUBT), FAILED, S.BETS_OPEN, then(_voided, open_round), _first_toss, "not tossed")
        yield _Row(shaking, f"timer {TIMER}", None, sets(Alert("toss-late")))
        yield _Row(shaking, "power-restored", S.DOUBT, sets(doubt="toss-power"), automated, "automated shaker")
        yield _Row(shaking, "power-restored", None, sets(resumed=True))
        yield from dice_rows(S.ENTRY)
        yield _Row(S.ENTRY, "press enter", S.RESULT, self._result, complete, "three dice")
        yield _Row(S.DOUBT, "act first-toss", S.ENTRY, _first_counts)

    def _settling(self) -> Iterator[_Row]:
        collected, paid = S.LOSERS_COLLECTED, S.WINNERS_PAID
        yield _Row(S.RESULT, "press done", collected, sets(settled=collected.value))
        yield _Row(collected, "press done", paid, sets(settled=paid.value))
        # After the losers, clear also means that the winners are paid.
        yield _Row((collected, paid), "press clear", S.BETS_OPEN, then(sets(Light(())), open_round))
        yield _Row((collected, paid), "act close", S.CLOSED, _over)
        yield _Row(SETTLING, "act correct", S.ENTRY, _corrects)
        voidable = (S.SHAKING, S.ENTRY, S.DOUBT, *SETTLING)
        yield _Row(voidable, "act void", S.BETS_OPEN, then(_voided, open_round, sets(voided=True)))

    def _malfunction(self) -> Iterator[_Row]:
        """The panel, a key or the controller fails (§ 539.7(b))."""
        broken, faults = S.MALFUNCTION, inspection.FAULTS
        yield _Row(ROLLED, faults, broken, inspection.failed)
        yield _Row((S.CLOSED, S.BETS_OPEN), faults, None, inspection.failed)
        yield _Row(broken, presses(FACES), None, key_die, incomplete, "fewer than three dice")
        yield _Row(broken, "press clear", None, wipe, _unlit, "no result")
        yield _Row(broken, "press enter", None, self._result, both(_unlit, complete), "three dice, no result")
        yield _Row(broken, "act correct", None, _corrects)
        yield _Row(broken, "act void", S.CLOSED, then(_voided, _over))
        yield _Row(broken, "act settled", S.CLOSED, then(_settled, _over))
        yield _Row(broken, CYCLED, None, _tossed, _first_toss, "first toss")
        yield _Row(broken, FAILED, S.CLOSED, then(_voided, _over), _first_toss, "not tossed")

    def _one_toss(self) -> Iterator[_Row]:
        """A second toss, or a failure after the first, is decided by the floorperson (§§ 539.5(e), 539.7(c))."""
        yield _Row(S.DOUBT, CYCLED, None, then(_tossed, _again("toss-seen-late")), _first_toss, "no toss seen")
        for on, code in ((CYCLED, "toss-again"), (FAILED, "shaker-failed-late")):
            unkeyed = both(automated, law.undecided)
            yield _Row(S.ENTRY, on, S.DOUBT, then(sets(doubt=code), _again(code)), unkeyed, "dice not keyed")
            yield _Row(ROLLED, on, None, _again(code), automated, "automated shaker")

    def _result(self, data: DiceData, event: Event) -> _Step:
        wins, dice = self._score(data.entry), dice_words(data.entry)
        effects: tuple[Effect, ...] = (Result(dice, wins), Light(tuple(win.area for win in wins)))
        if data.corrects and data.corrects != data.entry:
            effects = (Note("corrected", {"before": dice_words(data.corrects), "after": dice}), *effects)
        return Step(replace(data, result=True, wins=wins, corrects=(), settled=""), effects)


# -- conditions --------------------------------------------------------------------------------------------------


_covered = where(lambda data: not data.resumed)
"""Nobody can have seen the dice of this round."""
_unlit = where(lambda data: not data.result)


def _other_house(data: DiceData, event: TermsInEffect) -> bool:
    return event.terms.house is not None


def _first_toss(data: DiceData, event: Event) -> bool:
    """The automated shaker has not tossed the dice of this round yet."""
    return data.automated and not (data.tossed or data.seen) and law.undecided(data)


# -- wagers and toss ---------------------------------------------------------------------------------------------


def _closed(data: DiceData, event: Event) -> _Step:
    """Wagers are closed, and the last round's void is final."""
    return Step(replace(data, voided=False), (StartTimer(TIMER, LIMIT_NS),) if data.automated else ())


def _again(code: str) -> _Action:
    """A signal of the shaker after the toss, or one that may be of another toss."""

    def action(data: DiceData, event: Event) -> _Step:
        counts = "floor-decides" if law.undecided(data) else "first-toss-counts"
        second = data.again or code == "toss-again"
        return Step(replace(data, again=second), (Alert(code, parameters={"counts": counts}),))

    return action


def _first_counts(data: DiceData, event: Event) -> _Step:
    note = Note("first-toss-keyed", {"doubt": data.doubt, "by": by(event)})
    return Step(replace(data, doubt="", tossed=True, entry=()), (note,))


# -- settlement, voids and corrections ---------------------------------------------------------------------------


def _over(data: DiceData, event: Event) -> _Step:
    """The table closes."""
    return Step(law.between_rounds(data), (Light(()),))


def _settled(data: DiceData, event: Event) -> _Step:
    """In a malfunction the wagers were settled in the presence of the floorperson."""
    code, dice = ("settled", dice_words(data.entry)) if data.result else ("settled-unkeyed", "")
    return Step(data, (Note(code, {"dice": dice, "by": by(event)}),))


def _voided(data: DiceData, event: Event) -> _Step:
    """A person or the shaker makes the round void: all wagers go back."""
    reason = event.argument if isinstance(event, Act) else "shaker-failed"
    found = law.void_parameters(data) | ({"by": who} if (who := by(event)) else {})
    return Step(data, (CancelTimer(TIMER), Void(reason, parameters=found), WagersReturned(reason), Light(())))


def _reversed(data: DiceData, event: Event) -> _Step:
    """The void was a mistake: the wagers are still on the layout, and the dice are keyed."""
    return Step(replace(data, voided=False, seen=True), (Note("void-reversed", {"by": by(event)}),))


def _corrects(data: DiceData, event: Event) -> _Step:
    withdrawn = ResultWithdrawn(dice_words(data.entry), data.settled)
    return Step(replace(data, corrects=data.entry, entry=(), result=False, wins=()), (withdrawn, Light(())))
