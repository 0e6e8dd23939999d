"""What the dealer's screen receives besides the board: the one thing to do, and what is keyed, as a picture.

Typed dictionaries are JSON already, so nothing is converted when a picture is made.
"""

from typing import Literal, NotRequired, TypedDict


class DealerTask(TypedDict):
    """What the dealer does next, without what is keyed: the picture shows that."""

    act: str
    """One thing to do, short enough for one line: see :data:`controller.viewmodel.task.LINE`."""
    more: list[str]
    """Why, what else may be pressed, and what comes after it, a phrase each."""


class PaidWager(TypedDict):
    """A wager that is paid."""

    area: str
    label: str
    pays: str
    """``35 to 1``, multiplied already."""
    most: str
    """``$5,000``: the most that a round pays, where the highest wager would win more; else empty."""


class SeatWager(TypedDict):
    """A wager at a position of a card table, once it is decided or chosen."""

    wager: str
    """``initial``, ``tie``, ``war``."""
    outcome: Literal["won", "lost", "tied", "war", "surrendered"]
    pays: str
    """``10 to 1``; empty for a wager that the present result does not pay."""


class KeyedSeat(TypedDict):
    """A position of a card table, or the dealer."""

    seat: str
    """Its number, or ``dealer``."""
    plays: bool
    """It has a wager in this round; the dealer always plays."""
    due: bool
    """What is keyed next is its card or its choice."""
    cards: list[str]
    """The cards dealt to it, the war card last; an empty one is dealt and not keyed yet."""
    wagers: list[SeatWager]


class KeyedDie(TypedDict):
    """A die."""

    face: int
    """1 to 6; 0 while it is not keyed."""
    colour: str
    """``green``, ``red``; empty for dice of one colour."""


class KeyedNumber(TypedDict):
    """The number of a pocket, and its place on the layout."""

    number: str
    """As far as it is keyed; empty for nothing."""
    colour: str
    """``red``, ``black``, ``green``; empty while it is no pocket's number."""
    entered: bool


class KeyedPosition(TypedDict):
    """A position around a dice table."""

    position: int
    holds: bool
    """It has the dice, or is offered them."""
    keyed: bool


class Keyed(TypedDict):
    """What is keyed, as a picture; of its parts those that the game has."""

    words: str
    """The same as text, for those who have the page read aloud."""
    seats: NotRequired[list[KeyedSeat]]
    """The dealer, then every position of the table from the dealer's left."""
    dice: NotRequired[list[KeyedDie]]
    """In the order in which they are keyed."""
    number: NotRequired[KeyedNumber]
    positions: NotRequired[list[KeyedPosition]]
    """Clockwise from the stickperson's left."""
