"""A menu: what a person may choose in a state, one entry a line, with what cannot be chosen now and why."""

from collections.abc import Iterable
from typing import NamedTuple

NOT_NOW = "not possible now"
"""Why an entry cannot be chosen, where the game gives no reason of its own."""


class MenuEntry(NamedTuple):
    """One line of a menu.

    Attributes:
        control: the key that chooses it: a digit, ``clear``.
        words: what it does, as a short phrase without a full stop.
        unavailable: why it cannot be chosen now, as a phrase that can stand after its words; empty if it can.
    """

    control: str
    words: str
    unavailable: str = ""


def with_choices(prompt: str, menu: Iterable[MenuEntry]) -> str:
    """A prompt in one line, with the keys that can be chosen now: for a log, where no list can be shown."""
    choices = ", ".join(f"{entry.control} {entry.words}" for entry in menu if not entry.unavailable)
    return f"{prompt} ({choices})" if choices else prompt
