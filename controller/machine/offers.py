"""What a round tells the table layer: what people may do now besides the dealer's keys, faults, and equipment."""

from dataclasses import dataclass
from enum import Enum

from controller.events.words import NOTHING, Text

FLOOR_KEY, LOG_ON = "floor-key", "log-on"
KEYS = frozenset("0123456789") | {"enter", "clear"}
"""The keys of a prompt, which every table has beside its game's."""


class Authority(Enum):
    """Whose act it is."""

    DEALER = "dealer"
    FLOORPERSON = "floorperson"


@dataclass(frozen=True, slots=True)
class Offer:
    """An act that is possible in this state, or that people will look for: a void, a correction, an inspection.

    The table layer asks for the authority that it needs, and gives the round the event ``act …`` then.
    """

    act: str
    """``void``, ``correct``, ``close``, ``open``, ``inspect``, …: the round has rows for ``act void``."""
    argument: str = ""
    """Code: of the reason, or of what is corrected. Offers of one act are one entry of the menu, with a list."""
    authority: Authority = Authority.FLOORPERSON
    control: str = ""
    """The dealer's key that asks for it; empty: it is in the floor menu only."""
    expected: bool = False
    """It is what the state waits for: at the open menu the floorperson's key does it."""
    unavailable: Text = NOTHING
    """Why it is not possible now: what a sensor saw, or what has to be done first."""
    fresh: bool = False
    """The key asks again who turns it, whoever identified a moment ago."""


class Device(Enum):
    """Kinds of devices, as faults have them."""

    LAMPS = "lamps"
    KEYS = "keys"
    """A stuck key, or a keypad that is gone."""
    CONTROLLER = "controller"
    """The controller's own code."""
    TAMPER = "tamper"
    SUPPLY = "supply"


class FaultPolicy(Enum):
    """What a fault does in the present state. Before that, the round's row ``fault …`` of the device is taken."""

    ALERT = "alert"
    LATER = "later"
    """The round goes on; the fault stops the table in the first state in which it would have stopped it at once."""
    LOCK = "lock"
    """The table locks; after the lock is opened, the round goes on in this state."""
    CLOSE = "close"
    """The table closes (the round's row ``act close``); it is opened anew."""
    VOID = "void"
    """The round's row ``act void``, with the fault as reason, then the lock."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """Dice or cards with a limited age (§ 539.2(b), § 577.4(d), § 651a.3(d))."""

    name: str
    """``dice``, ``cards``."""
    warn_ns: int
    retire_ns: int
    clause: str
