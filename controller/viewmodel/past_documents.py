"""The documents of past results, and how often each came today."""

from typing import TypedDict


class Past(TypedDict):
    """A past result."""

    round: int
    label: str
    colour: str
    """``red``, ``black``, ``green``; empty for none."""


class Count(TypedDict):
    """How often a result came today."""

    label: str
    count: int
    since: int | None
    """Results since it came last, 0 for the newest one; None if it has not come today."""


class GroupCount(TypedDict):
    """How often results of a group, as the red ones, came today."""

    label: str
    count: int


class PastResults(TypedDict):
    """Past results."""

    history: list[Past]
    """The newest first."""
    counts: list[Count]
    shares: list[list[GroupCount]]
    """Groups of results that exclude each other, as red, zero and black; empty for a game without any."""
    frequent: list[str]
    """The labels that came most often today."""
    longest_ago: list[str]
    """The labels that came the longest ago."""
    spins: int
    """Results of the day."""
