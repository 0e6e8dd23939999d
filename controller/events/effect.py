"""The effects of a machine's decision, which the table records and then performs in order."""

from dataclasses import field
from fractions import Fraction

from controller.events.frozen import Frozen, Recorded

_Parameters = dict[str, str | int]


class Effect(Recorded):
    """A part of a decision."""


class Win(Frozen):
    """A winning area and what it pays."""

    area: str
    pays: str  # the odds as announced: ``10 to 1``

    @property
    def odds(self) -> Fraction:
        """The odds to one."""
        return Fraction(self.pays.replace(" to ", "/"))


class Light(Effect):
    """Light exactly these areas; everything else is dark."""

    areas: tuple[str, ...]


class Result(Effect):
    """The round has a result."""

    label: str  # the wheel's section, the dice or the cards
    wins: tuple[Win, ...]  # every winning area, in the order of the layout
    decided: tuple[str, ...] = ()
    """The areas that this result decides, in a game that decides them in steps; empty for all."""


class ResultWithdrawn(Effect):
    """The result on record is taken back, to be corrected: its lamps go out, and another result follows."""

    label: str
    settled: str = ""  # code: how far it had been settled; empty if it only was lit


class Bonus(Effect):
    """A section that calls for another spin: wagers stay, and it may multiply the next result (§ 689a.2(f))."""

    label: str
    multiplier: int  # the product of all multipliers of this round so far; 1 if nothing multiplies


class Void(Effect):
    """A spin or a roll does not count; sounds the buzzer."""

    reason: str  # code: ``fewer-than-three-revolutions``, ``between-sections``, ``sensor-fault``, …
    parameters: _Parameters = field(default_factory=dict)  # of the words for its reason


class WagersReturned(Effect):
    """Wagers of the round go back to the players."""

    reason: str
    areas: tuple[str, ...] = ()  # those on these areas, where others are decided; empty for all


class RoundOpened(Effect):
    """A new round; wagers may be placed."""

    number: int


class Note(Effect):
    """A line in the record and on the dealer's screen."""

    text: str  # code
    parameters: _Parameters = field(default_factory=dict)


class Alert(Effect):
    """Something needs attention; sounds the buzzer."""

    text: str  # code; its words may have a remedy
    parameters: _Parameters = field(default_factory=dict)


class Refused(Effect):
    """A press that is not possible now; sounds the buzzer."""

    control: str
    waiting_for: str  # code: what the table waits for
    why: str = ""  # code: why the press is not possible, if not because of what the table waits for
    parameters: _Parameters = field(default_factory=dict)  # of ``waiting_for`` and of ``why``


class Lock(Effect):
    """The table locks: what the sensors say cannot be trusted. The floorperson's key opens the lock."""

    cause: str  # code
    parameters: _Parameters = field(default_factory=dict)


class InspectionLogged(Effect):
    """An entry of a roulette table's inspection log (§ 617a.2(e))."""

    utc_ns: int  # date and time
    table: str
    work: tuple[str, ...]
    """Each completed adjustment or replacement, as a code: ``replacement-of-the-ball``; empty for none."""
    inspected: bool  # certifies that the inspection was completed; if not, one is required before play
    credential: str
    """The credential number of who made the adjustment, the replacement or the inspection, as that person
    identified; empty at a table that asks nobody."""
    witness: str = ""
    """The one of the security member who was present at an adjustment or a replacement (§ 617a.2(b))."""
    signature: str = "floor-key"  # how it was signed
    refused: str = ""  # code: the step at which the inspection was not passed; empty for none


class StartTimer(Effect):
    """Cause ``TimerElapsed`` after a delay; a running timer starts again."""

    timer: str
    delay_ns: int


class CancelTimer(Effect):
    """Cancel a timer, if it runs."""

    timer: str


def withdraws(effects: tuple[Effect, ...]) -> bool:
    """Whether the effects of a decision take a result back: it is made void or corrected, and its lamps go out."""
    return any(isinstance(effect, ResultWithdrawn) for effect in effects) or makes_void(effects)


def makes_void(effects: tuple[Effect, ...]) -> bool:
    """Whether the effects of a decision make a result void."""
    dark = any(isinstance(effect, Light) and not effect.areas for effect in effects)
    return dark and any(isinstance(effect, Void) for effect in effects)
