"""``no-spin`` by key (§ 617a.6): why is asked, and the spin goes on behind the question until it is answered.

The dealer alone calls off a ball in the track. Once it is down, or where the sensors contradict the reason, the
floorperson's key decides; so it does after the result, until the round is cleared: then what is taken back is on
record, with what was paid on it. ``clear`` takes a no spin back to where it was, with what was seen and read
meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from controller.events.effect import Alert, Effect, Light, Note
from controller.events.event import Event
from controller.games.roulette.faults import failed
from controller.games.roulette.play import (
    DOWN,
    IDLE,
    NO_SPIN_REASONS,
    REASONS,
    REVOLUTIONS,
    RUNNING,
    SETTLING,
    RouletteData,
    RouletteState,
    S,
    in_words,
    settled_words,
)
from controller.games.roulette.steps import locked, voided
from controller.games.shared.entry import pressed
from controller.games.shared.floor import KEY, floorperson
from controller.games.shared.table_data import remember, returns_to
from controller.statechart.guards import Action, Guard, both, then
from controller.statechart.machine import Step, Transition
from controller.statechart.menu import MenuEntry

_Transition = Transition[RouletteState, RouletteData]
_Action = Action[RouletteData]
FROM = (*IDLE, *RUNNING, *DOWN, *SETTLING)
"""The states in which a spin may be called void."""
NOT_SEEN, THROWN_AGAIN, CALLED_OFF = "5", "6", "7"
_UNDONE = "put back what was collected, and take back what was paid; the wagers stay for the next spin"
Settles = Callable[[RouletteState, str, _Action, RouletteState, Guard[RouletteData], str], Iterator[_Transition]]
"""Makes the transitions of an action after which the pocket may be known."""


class NoSpins:
    """The transitions from ``no-spin`` to a void spin, or back.

    Args:
        settles: makes the transitions after which the pocket may be known.
        reader_timer: starts the time limit for the reader.
    """

    def __init__(self, settles: Settles, reader_timer: Callable[[], tuple[Effect, ...]]) -> None:
        self._settles = settles
        self._reader_timer = reader_timer

    def transitions(self, sensed: Iterable[_Transition]) -> Iterator[_Transition]:
        """All transitions.

        Args:
            sensed: those for what sensors and reader say of a spin.
        """
        for state in FROM:
            yield _Transition(state, "press no-spin", S.NO_SPIN, then(remember(state), _unreasoned))
        for key in NO_SPIN_REASONS:
            yield from _reasoned(key)
        yield _Transition(S.NO_SPIN, KEY, S.RESPIN, _allowed, _given, "a reason was given")
        yield from self._taken_back()
        yield from (_behind(transition) for transition in sensed)
        for state in (S.LATE_CALL, S.ENTRY):
            yield _Transition(
                S.NO_SPIN, "power-restored", None, self._waits, returns_to(state), f"from {state.value}"
            )
        for state in FROM:
            lost = then(_unreasoned, failed(state))
            yield _Transition(S.NO_SPIN, "machine-failed", S.LOCKED, lost, returns_to(state), f"from {state.value}")

    def _taken_back(self) -> Iterator[_Transition]:
        """Transitions for a no spin that was a mistake."""
        for state in FROM:
            back, words = returns_to(state), f"from {state.value}"
            if state is S.ENTRY:
                yield from self._settles(S.NO_SPIN, "press clear", _take_back, state, back, words)
            else:
                yield _Transition(S.NO_SPIN, "press clear", state, _take_back, back, words)

    def _waits(self, data: RouletteData, event: Event) -> Step[RouletteData]:
        return Step(data, self._reader_timer())


def entries(data: RouletteData) -> tuple[MenuEntry, ...]:
    """The reasons, each with why it cannot be given now."""
    reasons = (MenuEntry(key, _short(words), impossible(key, data)) for key, (_, words) in NO_SPIN_REASONS.items())
    return (*reasons, MenuEntry("clear", "take the no spin back"))


def asks(data: RouletteData) -> str:
    """What a no spin waits for, as text."""
    if data.reason:
        why = needs_key(data.reason, data)
        reason = _short(NO_SPIN_REASONS[data.reason][1])
        return f"{reason}: {why}, so the floorperson's key calls no spin; clear takes it back"
    return "why is there no spin? Choose, or clear to take it back"


def result_of(data: RouletteData) -> str:
    """The result that a no spin takes back: what is lit, or was until its correction; empty for none."""
    return data.pocket or data.corrects


def impossible(key: str, data: RouletteData) -> str:
    """Why a reason cannot be true, as text; empty if it can."""
    if key == NOT_SEEN and data.untimely:
        return f"the table saw it: {REASONS[data.untimely]}"
    if key == NOT_SEEN and data.back not in IDLE:
        return "the table saw the ball run"
    if key == THROWN_AGAIN and not data.again:
        return "it was not thrown again"
    return "no spin runs" if key == CALLED_OFF and data.back in IDLE else ""


def needs_key(key: str, data: RouletteData) -> str:
    """Why the dealer alone may not give a reason, as text; empty if that is allowed."""
    reason, _ = NO_SPIN_REASONS[key]
    if denial := _denied(reason, data):
        return denial
    if result := result_of(data):
        return f"the result {in_words(result)} is on record"
    if key == CALLED_OFF:
        return "no rule of the game calls it void"
    return "the ball is down" if data.back in DOWN else ""


def _denied(reason: str, data: RouletteData) -> str:
    """What the sensors saw against a reason, as text; empty for nothing."""
    if data.back in IDLE:
        return ""
    if reason == "same-direction" and data.against:
        return "the sensors saw the ball run against the wheel"
    if reason != "fewer-than-four-revolutions":
        return ""
    if data.revolutions >= REVOLUTIONS:
        return f"the sensors counted {data.revolutions} revolutions"
    return "the ball still runs" if data.back in RUNNING else ""


def _short(words: str) -> str:
    return words.partition(" (")[0]


# -- transitions and actions -----------------------------------------------------------------------------------


def _reasoned(key: str) -> Iterator[_Transition]:
    """Transitions for one reason."""
    reason, _ = NO_SPIN_REASONS[key]
    on, dealer = f"press {key}", both(_possible(key), _is_the_dealers(key))
    to = S.LOCKED if key == NOT_SEEN else S.RESPIN
    action = _not_seen if key == NOT_SEEN else voided(reason)
    if key not in (THROWN_AGAIN, CALLED_OFF):
        yield _Transition(S.NO_SPIN, on, to, action, dealer, "the dealer's")
    if key != NOT_SEEN:
        yield _Transition(S.NO_SPIN, on, None, _give, _possible(key), "possible")


def _behind(transition: _Transition) -> _Transition:
    """The same while the reason is asked: a spin that is void is so, any other goes on, and is not decided."""
    here = returns_to(transition.source)
    guard = both(here, transition.guard) if transition.guard is not None else here
    to, action = transition.to, transition.action
    if to is not None and to not in (S.RESPIN, S.LOCKED):
        behind: _Action = remember(to)
        to, action = None, then(action, behind)
    why = f"{transition.why}, " if transition.why else ""
    return _Transition(S.NO_SPIN, transition.on, to, action, guard, f"{why}from {transition.source.value}")


def _possible(key: str) -> Guard[RouletteData]:
    return lambda data, event: not impossible(key, data)


def _is_the_dealers(key: str) -> Guard[RouletteData]:
    return lambda data, event: not needs_key(key, data)


def _given(data: RouletteData, event: Event) -> bool:
    return bool(data.reason)


def _give(data: RouletteData, event: Event) -> Step[RouletteData]:
    return Step(replace(data, reason=pressed(event)))


def _unreasoned(data: RouletteData, event: Event) -> Step[RouletteData]:
    return Step(replace(data, reason=""))


def _take_back(data: RouletteData, event: Event) -> Step[RouletteData]:
    return Step(replace(data, reason=""), (Note("the no spin was taken back"),))


def _allowed(data: RouletteData, event: Event) -> Step[RouletteData]:
    """The floorperson calls the spin void. What was seen and read of it stays on record."""
    reason, _ = NO_SPIN_REASONS[data.reason]
    seen = [_denied(reason, data)]
    if result_of(data):
        seen += _settled(data)
    else:
        seen += [f"the reader had named {in_words(data.reading)}"] if data.reading else []
        seen += [f"the dealer had entered {in_words(data.keyed)}"] if data.keyed else []
    words = "; ".join(filter(None, (REASONS[reason], f"called by {floorperson(event)}", *seen)))
    step = voided(reason, words)(data, event)
    return _withdrawn(data, event, step) if result_of(data) else step


def _settled(data: RouletteData) -> list[str]:
    """The result that was on record, and how far it had been settled."""
    if data.corrects:
        return [f"{in_words(data.corrects)} was being corrected"]
    return [f"the result was {in_words(data.pocket)}", settled_words(data.back)]


def _withdrawn(data: RouletteData, event: Event, void: Step[RouletteData]) -> Step[RouletteData]:
    """A void spin whose result was on record: its lamps go out, and the floor is told."""
    why = _short(NO_SPIN_REASONS[data.reason][1])
    alert = Alert(f"the result {in_words(result_of(data))} was made void by {floorperson(event)}: {why}", _UNDONE)
    return Step(replace(void.data, untimely=data.untimely), (*void.effects, Light(()), alert))


def _not_seen(data: RouletteData, event: Event) -> Step[RouletteData]:
    """The table did not see the ball: its sensors are looked at before the next one."""
    cause = "the ball sensors: the table did not see the ball run"
    return locked(voided("ball-not-seen")(data, event), cause, "mend the sensors, then turn the key")
