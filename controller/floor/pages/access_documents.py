"""The documents of the page that shows the floor's own record. Times are milliseconds, UTC."""

from typing import TypedDict


class AccessEntry(TypedDict):
    """An entry of the floor's own record."""

    seq: int
    at_ms: int
    kind: str
    person: str
    """Empty for nobody who is known, and for what the floor did by itself."""
    origin: str
    """The address from which it came; empty for none."""
    what: dict[str, str]
    """The rest, as texts."""


class VerifiedChain(TypedDict):
    """Whether the record's chain of hashes verifies."""

    total: int
    """How many entries the record has."""
    verified: int
    """How far they are verified in this pass; the last pass was whole at ``whole_ms``."""
    whole_ms: int | None
    """When all entries were verified last; None if they never were since the floor's start."""
    problem: str
    """What is wrong with the record; empty if nothing is."""


class AccessDocument(TypedDict):
    """``/access.json``."""

    floor: str
    entries: list[AccessEntry]
    """The newest first."""
    before: int
    """Older ones are those before this entry; 0 if there are none."""
    kinds: list[str]
    """By which they can be chosen."""
    chain: VerifiedChain
    utc_ms: int
