"""What a table reports of a fault, and whether its lamps are right: seen by a listener who knows what is broken."""

from collections import Counter
from dataclasses import dataclass, field

from controller.bench.rig import Rig
from controller.events.effect import Alert, Light, Result, RoundOpened, Void, WagersReturned
from controller.events.event import MachineFailed
from controller.events.words import plain
from controller.journal.record import RecordedDecision
from controller.machine.registry import find_game

STOPPED = ("locked", "closed", "malfunction")
"""States in which a table waits for the floorperson because something is wrong."""

OF_NEXT = "thrown-before-clear"
"""The reason of a void that is of a throw after the result, which stays lit."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A fault as :meth:`hal.mock.world.World.fault` takes it."""

    fault: str
    target: str = ""
    amount: float = 0.0

    @property
    def lamp(self) -> str:
        """The lamp that fails; empty for any other fault."""
        return self.target if self.fault in ("dead-lamp", "burning-lamp") else ""


@dataclass(frozen=True, slots=True)
class Reaction:
    """What a table did and said in one moment because something is wrong.

    Attributes:
        void: the reason of a void spin or roll; empty if none was void.
        stop: the state in which the table stopped; empty if it went on.
        alert: the alert without figures and names; empty if there was none.
    """

    void: str = ""
    stop: str = ""
    alert: str = ""


_NAMED = ("sensor-fault", "sensor-fault-late", "trial-failed", "keys-gone")
"""Alerts whose code says more than the sensor's health, which they have besides."""


def brief(alert: Alert) -> str:
    """An alert without its figures and names: ``encoder silent``, ``key stuck``."""
    found = alert.parameters
    by_code = alert.text in _NAMED or "health" not in found
    return plain(alert.text) if by_code else f"{found['sensor']} {found['health']}"


@dataclass(slots=True)
class Seen:
    """What was seen since the fault struck.

    Attributes:
        reactions: each void, stop and alert, in order.
        rounds: how many rounds opened.
        results: how many results there were.
        failures: what was wrong, in words.
    """

    reactions: list[Reaction] = field(default_factory=list)
    rounds: int = 0
    results: int = 0
    failures: list[str] = field(default_factory=list)


class Onlooker:
    """A listener of one table.

    Args:
        game: the game's name.

    Attributes:
        seen: what was seen since it was last made new.
        broken: the fault; None before it strikes, and once it is repaired.
        owed: the lamp that fails was wrong when the lamps changed, and that was not reported since.
        differed: it was wrong at some time.
    """

    def __init__(self, game: str) -> None:
        self.seen = Seen()
        self.broken: Broken | None = None
        self.owed = self.differed = False
        self.rig: Rig | None = None
        self._state = ""
        self._indicators = frozenset(find_game(game).indicators)

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision; the table calls this."""
        before, self._state = self._state, recorded.record.state
        event, effects = recorded.record.event, recorded.record.effects
        reaction = Reaction(
            next((effect.reason for effect in effects if isinstance(effect, Void)), ""),
            self._state if self._state in STOPPED and self._state != before else "",
            next((brief(effect) for effect in effects if isinstance(effect, Alert)), ""),
        )
        if reaction != Reaction():
            self.seen.reactions.append(reaction)
        self.seen.rounds += any(isinstance(effect, RoundOpened) for effect in effects)
        self.seen.results += any(isinstance(effect, Result) for effect in effects)
        if isinstance(event, MachineFailed):
            self.seen.failures.append(f"the controller failed: {event.cause}")
        if self.rig is not None:
            self._look_at_lamps(self.rig, recorded)

    def _look_at_lamps(self, rig: Rig, recorded: RecordedDecision) -> None:
        effects = recorded.record.effects
        lamp = self.broken.lamp if self.broken is not None else ""
        commanded, lit = frozenset(rig.machine.lit), frozenset(rig.lit())
        if (lit ^ commanded) - {lamp}:
            self._fail("the panel shows", lit - commanded - {lamp}, commanded - lit - {lamp})
        over = any(isinstance(effect, Void | RoundOpened | WagersReturned) for effect in effects)
        over &= not any(isinstance(effect, Void) and effect.reason == OF_NEXT for effect in effects)
        if over and commanded - self._indicators:
            self._fail("lit though nothing has won", commanded - self._indicators, frozenset())
        self.differed |= lamp in lit ^ commanded
        if any(isinstance(effect, Alert) and lamp and lamp in _areas(effect) for effect in effects):
            self.owed = False
        if any(isinstance(effect, Light) for effect in effects):
            self.owed |= lamp in lit ^ commanded

    def _fail(self, what: str, false: frozenset[str], dark: frozenset[str]) -> None:
        words = [*(f"{area} lit" for area in sorted(false)), *(f"{area} dark" for area in sorted(dark))]
        self.seen.failures.append(f"{what} in state {self._state}: {', '.join(words)}")


def _areas(alert: Alert) -> set[str]:
    """The areas whose lamps an alert names."""
    return {area for key in ("dark", "lit") for area in str(alert.parameters.get(key, "")).split(",")}


def unusual(reactions: list[Reaction], usual: Counter[Reaction]) -> list[Reaction]:
    """What was reported beyond what is reported without a fault, in order."""
    left, beyond = Counter(usual), []
    for one in reactions:
        if left[one]:
            left[one] -= 1
        else:
            beyond.append(one)
    return beyond
