"""What the document of significant events says of one, and which kinds of events are none."""

from dataclasses import dataclass

from controller.events.event import Event

_SCREEN = "dealer's screen"


@dataclass(frozen=True, slots=True)
class SignificantEvent:
    """One line of the document.

    Attributes:
        name: in words.
        kinds: as the journal names it: kinds of events, or of effects.
        detected: how.
        tests: that show it, as ``file.py::name`` below ``tests/``.
        examples: of it, for which every game's machine is asked what it does.
        locks: where no machine can be asked; else empty.
        shown: where, besides the journal's text.
        kept: where else than in the journal.
    """

    name: str
    kinds: tuple[str, ...]
    detected: str
    tests: tuple[str, ...]
    examples: tuple[Event, ...] = ()
    locks: str = ""
    shown: str = _SCREEN
    kept: str = ""


ORDINARY: dict[str, str] = {
    "press": "a key of dealer or floorperson; what it led to is in the same entry",
    "wheel-thrown": "play",
    "revolution-completed": "play",
    "rotor-turned": "play",
    "ball-thrown": "play",
    "ball-revolution": "play",
    "pocket-read": "play",
    "shaker-cycled": "play",
    "spin-measured": "measurement; what is wrong with it is `wheel-degraded`",
    "rotor-measured": "measurement; what is wrong with it is `wheel-degraded`",
    "timer-elapsed": "a limit of time that the game has set",
}
"""Kinds of events that are on record as all others, and are no significant events; and what they are."""
