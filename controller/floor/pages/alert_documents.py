"""The documents of one alert that a person settles, and of what was settled. Times are milliseconds, UTC."""

from typing import TypedDict

from controller.floor.pages.documents import AlertRow


class BranchRound(TypedDict):
    """A round of one branch of a record."""

    number: int
    closed_ms: int
    first: int
    """Its first entry; ``seq``: its last one."""
    seq: int
    hash: str
    """Of its last entry."""
    results: list[str]
    voids: list[str]
    dealer: str
    wheel: str
    corrections: int


class Branch(TypedDict):
    """One of the branches of a record that contradicts itself."""

    total: int
    """How many rounds it has, from where the branches part."""
    rounds: list[BranchRound]
    """The first of them."""


class Fork(TypedDict):
    """A record that contradicts itself."""

    record: str
    parts: int
    """The entry from which on the branches differ."""
    stored: Branch
    """The one that was stored first."""
    disputed: Branch
    """The one that was kept apart."""


class SettlingChoice(TypedDict):
    """What a person may choose."""

    words: str
    command: str
    """The command line that settles it so, with NAME and TEXT for the person and the reason."""


class SettlementRow(TypedDict):
    """What a person has settled of a table."""

    kind: str
    what: str
    person: str
    reason: str
    requested_ms: int
    done_ms: int | None
    """None while the floor has not taken it up."""
    outcome: str


class AlertDocument(TypedDict):
    """``/alerts/NUMBER.json``."""

    floor: str
    alert: AlertRow
    choices: list[SettlingChoice]
    """None of an alert that no person settles, or that is over."""
    ends: list[str]
    """The texts of all alerts that end with it."""
    forks: list[Fork]
    settlements: list[SettlementRow]
    """Of the table, the newest first."""
    utc_ms: int
