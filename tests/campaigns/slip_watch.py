"""What a table makes of slips: seen by a listener, beside what :mod:`campaigns.fault_watch` sees."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from campaigns.fault_watch import STOPPED, Broken, Reaction, reaction_to

from controller.bench.slips import HAND, HEAD, LOCKED, POWER, READER, key
from controller.events.effect import Bonus, Note, Result, RoundOpened, Void, WagersReturned
from controller.events.event import KeyStuck, Press
from controller.journal.record import RecordedDecision

AGAIN_NS = 1_000_000_000
"""Two presses of a key within this time are one act of a hand that saw no answer."""
_DECIDES = (Bonus, Result, RoundOpened, Void, WagersReturned)
_KEYS, _LAMP, _STUCK = "keys", "lamp", "stuck-key"
_ALERTS: Mapping[str, frozenset[str]] = {
    "panel": frozenset({_LAMP}),
    "the key is stuck": frozenset({_STUCK}),
    "keypad gone|buttons gone": frozenset({_KEYS}),
    "the reader|reader": frozenset({READER, HAND, POWER, HEAD}),
    "the ball sensors": frozenset({HEAD, HAND, key("no-spin")}),
    "encoder|index|clapper|broken wire|ball|rotor": frozenset({HEAD, HAND}),
}
"""By how an alert begins, what it may be due to."""


def _ends(effect: object) -> bool:
    """Whether it says what became of the wagers of a round."""
    settled = isinstance(effect, Note) and "settled before the floorperson" in effect.text
    return settled or isinstance(effect, Result | Void | WagersReturned)


def cause_of(broken: Broken) -> str:
    """The name of a fault as something that a void or an alert may be due to."""
    if broken.lamp:
        return _LAMP
    if broken.fault in ("stuck-key", "keys-unplugged"):
        return _STUCK if broken.fault == "stuck-key" else _KEYS
    return READER if broken.fault.startswith("reader") else HEAD


class SlipWatch:
    """A listener of one table, from the moment at which people slip or a device breaks.

    Args:
        tosses: how often a wheel or ball was thrown, dice were shaken, or cards dealt.
        voids: by reason, what a void may be due to.

    Attributes:
        causes: what may have led to voids and alerts: the fault, acts of the world, power, keys.
    """

    def __init__(self, tosses: Callable[[], int], voids: Mapping[str, frozenset[str]]) -> None:
        self.causes: set[str] = set()
        self.watches = False
        self._tosses, self._voids = tosses, voids
        self._pressed: tuple[str, int, str, str] = ("", -AGAIN_NS, "", "")
        """The last press: control, when, state before and after it."""
        self._state = ""
        self._resulted = (-1, -1)
        """Round and tosses of the last result."""
        self._ended = True
        self._reactions: list[tuple[Reaction, str]] = []
        self._failures: list[str] = []

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision; the table calls this."""
        event, before = recorded.record.event, self._state
        reaction = reaction_to(recorded, before)
        self._state = recorded.record.state
        if self._state in STOPPED:
            self.causes.add(LOCKED)
        if isinstance(event, Press):
            self.causes.add(key(event.control))
            self._press(event, recorded, before)
        elif isinstance(event, KeyStuck):
            self.causes.add(key(event.control))
        self._rounds(recorded)
        if self.watches and reaction != Reaction():
            self._reactions.append((reaction, before))

    def _press(self, event: Press, recorded: RecordedDecision, before: str) -> None:
        control, at_ns, first_before, first_after = self._pressed
        again = control == event.control and event.at_ns - at_ns < AGAIN_NS
        decides = [effect for effect in recorded.record.effects if isinstance(effect, _DECIDES)]
        if again and decides and first_before != first_after and self.watches:
            self._failures.append(
                f"the second press of {control} is taken for something else: "
                f"{first_before}, {first_after}, then {decides[-1].kind}"
            )
        if not again:
            self._pressed = event.control, event.at_ns, before, recorded.record.state

    def _rounds(self, recorded: RecordedDecision) -> None:
        effects = recorded.record.effects
        self._ended |= any(_ends(effect) for effect in effects)
        if any(isinstance(effect, RoundOpened) for effect in effects):
            if not self._ended and self.watches:
                self._failures.append(f"the round before {recorded.entry.round} ends with nothing on record")
            self._ended = False
        corrected = any(isinstance(effect, Note) and "corrected" in effect.text for effect in effects)
        if any(isinstance(effect, Result | Bonus) for effect in effects) and not corrected:
            number, tosses = recorded.entry.round, self._tosses()
            if self.watches and number != self._resulted[0] and tosses == self._resulted[1]:
                self._failures.append(f"a result in round {number}, and nothing was thrown, shaken or dealt for it")
            self._resulted = number, tosses

    def uncorrected(self, result: str) -> None:
        """A round was cleared with a result that was keyed wrong; empty if there was none."""
        if result:
            self._failures.append(f"not corrected: {result}")

    def failures(self, usual: Counter[Reaction]) -> Iterator[str]:
        """What is wrong, in words.

        Args:
            usual: how often each void, stop and alert comes without fault and slip.
        """
        yield from self._failures
        left = Counter(usual)
        for reaction, state in self._reactions:
            if left[reaction]:
                left[reaction] -= 1
                continue
            if reaction.void and not self.causes & self._voids.get(reaction.void, frozenset()):
                yield f"in {state}: void for {reaction.void}, and there was no such thing"
            for begin, causes in _ALERTS.items():
                if re.match(begin, reaction.alert) and not self.causes & causes:
                    yield f"in {state}: the alert says {reaction.alert}, and nothing of the kind is broken"
