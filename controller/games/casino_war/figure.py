"""What the screens draw of a card table. ``figure.js`` draws it."""

from typing import TypedDict


class WarPosition(TypedDict):
    """A position of Casino War that plays this round."""

    position: int
    card: str
    """Empty until it is entered, as is ``war_card``."""
    war_card: str
    outcome: str


class Shoe(TypedDict):
    """How far the cards are dealt."""

    used: int
    of: int


class WarFigure(TypedDict):
    """A table of Casino War."""

    positions: list[WarPosition]
    dealer: str
    dealer_war: str
    deck: Shoe | None
    """None before the first card."""
