"""What people can do at a table and what may happen to them there: for the exploration of every game's machine.

The exploration (:mod:`campaigns.explored`) knows no game. A game's ``people.py``, or that of its kind of
equipment, holds ``PEOPLE``: what its machine cannot say of itself. A game without the file is not explored.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from config.schema import TableConfig
from controller.events.effect import Effect
from controller.events.event import Event, Press
from controller.statechart.any_machine import AnyMachine, AnyTransition
from controller.statechart.game import Game
from controller.statechart.registry import part_of

UTC_NS = 10**18
"""When everything happens: nothing grows older while people press keys."""
FLOORPERSON = "4711"
"""The credential of the person who turns the floorperson's key."""
ANOTHER = "4712"
"""That of another person, who turns it where the table remembers somebody."""
PERSONS = frozenset({FLOORPERSON, ANOTHER})
KEY = "floor-key"
Happenings = Callable[[str, Any], Iterable[tuple[str, Event]]]


class Explorable(AnyMachine, Protocol):
    """A machine that can be placed in any state with any data."""

    data: Any

    def place(self, state: Any, data: Any) -> None: ...


@dataclass(frozen=True)
class Setup:
    """A table from which an exploration begins.

    Attributes:
        name: which of the game's tables: the kind of shaker, the cards that are left.
        machine: its machine.
        first: state and data of the beginning; None for those of a new table.
        happenings: what devices report in a state beside faults, each with its name.
        plain: the data of a state, with what would never repeat, or means nothing there, brought to a few values.
    """

    name: str
    machine: Explorable
    first: tuple[Enum, Any] | None = None
    happenings: Happenings = lambda state, data: ()
    plain: Callable[[str, Any], Any] = lambda state, data: data


@dataclass(frozen=True)
class Truth:
    """Something that may really have happened, and how people put it on record.

    Attributes:
        what: in words: ``the dice show 2-3-5``.
        ways: sequences of presses, any of which may do; the first that does counts.
        kept: whether it is on record then, by the data after the presses and the effects of them all.
    """

    what: str
    ways: tuple[tuple[str, ...], ...]
    kept: Callable[[Any, tuple[Effect, ...]], bool]


@dataclass(frozen=True)
class Exemption:
    """A place where a rule does not hold, and why that is right, or who will change it.

    Attributes:
        rule: its name.
        where: the state, and behind a colon the control or the text that the rule is about; ``*`` for any.
        why: the ruling, or the finding that is open.
    """

    rule: str
    where: str
    why: str


@dataclass(frozen=True)
class People:
    """What an exploration needs to know of a game.

    Attributes:
        setups: the tables from which it begins.
        between: whether no wagers wait for a decision: the exit of a round.
        given: the result or reading on record that a dealer alone may not undo; empty for none.
        over: whether a press in this state ends a round that is settled, after which the result is history.
        corrects: the label of what is being corrected; empty for nothing.
        invented: controls that say what was dealt or chosen: no way out may need them.
        by_hand: names of happenings that people can cause themselves, as a turn of the wheel.
        truths: what may have happened in a state, if anything must be keyed.
        voids: the reasons that an event or control may give; for other presses the prompt has to name them.
        acts: phrases for what is done by hand, with the event that it leads to.
        rulings: exemptions that are right.
        open_findings: exemptions that are not, and that somebody has still to close.
    """

    setups: Callable[[TableConfig], Iterable[Setup]]
    between: Callable[[str, Any], bool]
    given: Callable[[str, Any], str]
    over: Callable[[str, Any], bool]
    corrects: Callable[[Any], str] = lambda data: ""
    invented: frozenset[str] = frozenset()
    by_hand: frozenset[str] = frozenset()
    truths: Callable[[str, Any], Iterable[Truth]] = lambda state, data: ()
    voids: Mapping[str, frozenset[str]] = field(default_factory=dict)
    acts: Mapping[str, str] = field(default_factory=dict)
    rulings: tuple[Exemption, ...] = ()
    open_findings: tuple[Exemption, ...] = ()


def people_of(game: Game) -> People | None:
    """The people of a game, or None if it says nothing of them."""
    found = getattr(part_of(game, "people"), "PEOPLE", None)
    return found if isinstance(found, People) else None


def pressed(control: str, by: str = FLOORPERSON) -> Press:
    """A press; who turns the floorperson's key has identified."""
    return Press(0, control, UTC_NS, by=by if control == KEY else "")


def as_explorable(machine: AnyMachine) -> Explorable:
    """A game's machine, to be placed anywhere.

    Raises:
        TypeError: it cannot be.
    """
    if not hasattr(machine, "place"):
        raise TypeError(f"{type(machine).__name__} cannot be placed in a state")
    return machine  # type: ignore[return-value]


def transitions_on(machine: AnyMachine, prefix: str) -> tuple[str, ...]:
    """The events of a machine's transitions whose names begin so, each once."""
    rows: Iterable[AnyTransition] = machine.transitions
    return tuple(sorted({row.on for row in rows if row.on.startswith(prefix)}))


def folded(entry: tuple[int, ...], representatives: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Dice as the one of these representatives that begins like them, as far as they are keyed."""
    last = representatives[0]
    best = max(representatives, key=lambda one: (_alike(one, entry), one is last))
    return best[: len(entry)]


def _alike(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(other))
