"""The inspection before a table with keyed-in dice opens (§ 539.5(a)).

Keys that had failed are pressed. Three values are keyed, and the floorperson confirms the lit areas of each. Then
each lamp is lit alone. An automated shaker completes three cycles. The record has the person who confirmed.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from controller.events.effect import Alert, CancelTimer, Light, Note, StartTimer, Win
from controller.events.event import Event, KeyStuck, PanelFault
from controller.events.words import NOTHING, Text, text
from controller.games.dice.rules import (
    CONTROLS,
    DiceData,
    DiceState,
    Inspection,
    S,
    automated,
    dice_words,
    open_round,
)
from controller.games.shared.dice_entry import complete, dice_rows
from controller.machine.offers import Offer
from controller.machine.round_machine import Action, Row, Step, by, key_of, presses, sets, then, unless, where

VALUES = 3
"""Numeric values that are entered (§ 539.5(a)(1))."""
CYCLES = 3
"""Cycles of an automated shaker (§ 539.5(a)(2))."""
TIMER = "inspection-lamp"
EACH_NS = 500_000_000
"""The time for which each lamp is lit alone."""
STATES = (S.INSPECTION_KEY, S.INSPECTION_ENTRY, S.INSPECTION_LIT, S.INSPECTION_LAMPS, S.INSPECTION_SHAKER)
FAULTS = ("fault lamps", "fault keys", "fault controller")
_Row = Row[DiceState, DiceData]
_Step = Step[DiceData]
_Score = Callable[[tuple[int, ...]], tuple[Win, ...]]
_GIVEN_UP = {
    S.INSPECTION_KEY: "given-up",
    S.INSPECTION_LIT: "panel-wrong",
    S.INSPECTION_LAMPS: "lamp-wrong",
    S.INSPECTION_SHAKER: "toss-wrong",
}
"""What ``clear`` says in each state, as a code."""


def instruction(state: DiceState, data: DiceData) -> Text:
    """What people do next, in a state of the inspection."""
    done, code = data.inspection, f"dice-{state.value}"
    if state is S.INSPECTION_KEY:
        return text(code, keys=",".join(data.failed_keys))
    if state is S.INSPECTION_ENTRY:
        return text(code, number=done.values + 1, of=VALUES, entry=dice_words(data.entry))
    if state is S.INSPECTION_LIT:
        return text(code, dice=dice_words(data.entry))
    if state is S.INSPECTION_LAMPS:
        if done.trying:
            return text("dice-inspection-lamp", area=done.trying)
        code = "dice-inspection-failed" if data.failed_lamps else code
        return text(code, failed=",".join(data.failed_lamps))
    code = "dice-inspection-cycled" if done.cycled else code
    return text(code, number=done.cycles + 1, of=CYCLES)


def offers(state: DiceState, data: DiceData) -> Iterator[Offer]:
    """What the floorperson confirms in a state of the inspection."""
    done = data.inspection
    if state is S.INSPECTION_LIT:
        yield Offer("confirm", "inspected-value", expected=True)
    elif state is S.INSPECTION_LAMPS:
        burning = text("lamps-are-tried") if done.trying else NOTHING
        yield Offer("confirm", "inspected-lamps", expected=True, unavailable=burning)
    elif state is S.INSPECTION_SHAKER:
        missing = NOTHING if done.cycled else text("no-toss-seen")
        yield Offer("confirm", "inspected-cycle", expected=True, unavailable=missing)
    yield Offer("close")


def inspection_rows(areas: tuple[str, ...], score: _Score) -> Iterator[_Row]:
    """The rows from ``inspect`` until the table opens or is closed again."""
    key, entry, lit, lamps, shaker = STATES
    keys = presses(sorted(CONTROLS))
    yield _Row(S.CLOSED, "act inspect", key, _begins, where(lambda data: data.failed_keys), "a key had failed")
    yield _Row(S.CLOSED, "act inspect", entry, _begins)
    yield _Row(key, keys, entry, _key_tried, _failed_alone, "the last that had failed")
    yield _Row(key, keys, None, _key_tried, _had_failed, "it had failed")
    yield _Row(entry, "press clear", S.CLOSED, _refused("given-up"), where(lambda data: not data.entry), "no dice")
    yield from dice_rows(entry)
    yield _Row(entry, "press enter", lit, _lights(score), complete, "three dice")
    next_lamp = _next_lamp(areas)
    yield _Row(lit, "act confirm", lamps, then(_confirmed, next_lamp), _last, "last value")
    yield _Row(lit, "act confirm", entry, _confirmed)
    timer = (f"timer {TIMER}", f"locked timer {TIMER}")
    yield _Row(lamps, timer, None, next_lamp, _trying, "a lamp is lit")
    yield _Row(lamps, "press enter", None, next_lamp, unless(_trying), "all were lit")
    yield _Row(lamps, "act confirm", shaker, _confirmed, automated, "automated shaker")
    yield _Row(lamps, "act confirm", S.BETS_OPEN, then(_confirmed, _passed))
    yield _Row(shaker, ("shaker-cycled", "locked shaker-cycled"), None, _cycled)
    yield _Row(shaker, ("shaker-failed", "locked shaker-failed"), S.CLOSED, _refused("shaker-failed"))
    yield _Row(shaker, "act confirm", S.BETS_OPEN, then(_confirmed, _passed), _last, "last cycle")
    yield _Row(shaker, "act confirm", None, _confirmed)
    for state, why in _GIVEN_UP.items():
        yield _Row(state, "press clear", S.CLOSED, _refused(why))
    yield _Row(STATES, "act close", S.CLOSED, _left)
    yield _Row(STATES, "power-restored", S.CLOSED, then(_left, sets(Note("inspection-cut"))))
    yield _Row(STATES, FAULTS, S.CLOSED, then(failed, _left))


# -- conditions --------------------------------------------------------------------------------------------------


_trying = where(lambda data: data.inspection.trying)


def _had_failed(data: DiceData, event: Event) -> bool:
    return key_of(event) in data.failed_keys


def _failed_alone(data: DiceData, event: Event) -> bool:
    return data.failed_keys == (key_of(event),)


def _last(data: DiceData, event: Event) -> bool:
    """The last value is confirmed, or after it the last cycle."""
    return data.inspection.values + 1 == VALUES or data.inspection.cycles + 1 == CYCLES


# -- actions -----------------------------------------------------------------------------------------------------


def failed(data: DiceData, event: Event) -> _Step:
    """What failed is kept until an inspection has tried it."""
    if isinstance(event, PanelFault):
        lamps = dict.fromkeys((*data.failed_lamps, *event.dark, *event.burning))
        return Step(replace(data, failed_lamps=tuple(lamps)))
    if isinstance(event, KeyStuck) and event.control in CONTROLS:
        return Step(replace(data, failed_keys=tuple(dict.fromkeys((*data.failed_keys, event.control)))))
    return Step(data)


def _begins(data: DiceData, event: Event) -> _Step:
    return Step(data, (Note("inspection-begins", {"by": by(event)}),))


def _left(data: DiceData, event: Event) -> _Step:
    """Nothing is keyed or lit any more."""
    return Step(replace(data, inspection=Inspection(), entry=()), (CancelTimer(TIMER), Light(())))


def _refused(why: str) -> Action[DiceData]:
    return then(_left, sets(Alert("inspection-not-passed", parameters={"why": why})))


def _key_tried(data: DiceData, event: Event) -> _Step:
    left = tuple(key for key in data.failed_keys if key != key_of(event))
    return Step(replace(data, failed_keys=left), (Note("key-tried", {"key": key_of(event)}),))


def _lights(score: _Score) -> Action[DiceData]:
    return lambda data, event: Step(data, (Light(tuple(win.area for win in score(data.entry))),))


def _next_lamp(areas: tuple[str, ...]) -> Action[DiceData]:
    """Light the next lamp alone, at first the first one; after the last one, none."""

    def action(data: DiceData, event: Event) -> _Step:
        tried = data.inspection.trying
        area = (*areas, "")[areas.index(tried) + 1 if tried else 0]
        data = replace(data, inspection=replace(data.inspection, trying=area))
        return Step(data, (Light((area,)), StartTimer(TIMER, EACH_NS)) if area else (Light(()),))

    return action


def _cycled(data: DiceData, event: Event) -> _Step:
    return Step(replace(data, inspection=replace(data.inspection, cycled=True)))


def _confirmed(data: DiceData, event: Event) -> _Step:
    """The floorperson confirmed a value, all lamps, or a cycle."""
    done, found, what = data.inspection, {"by": by(event)}, key_of(event)
    if what == "inspected-value":
        done, found = replace(done, values=done.values + 1), {**found, "dice": dice_words(data.entry)}
    elif what == "inspected-lamps":
        found["failed"] = ",".join(data.failed_lamps)
    else:
        done = replace(done, cycles=done.cycles + 1, cycled=False)
    note = Note(f"{what}.confirmed", {**found})
    return Step(replace(data, inspection=done, entry=()), (Light(()), note))


def _passed(data: DiceData, event: Event) -> _Step:
    """What had failed was tried: the table opens."""
    step = open_round(replace(data, failed_lamps=(), failed_keys=()), event)
    return Step(step.data, (Note("inspection-passed", {"by": by(event)}), *step.effects))
