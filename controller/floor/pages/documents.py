"""The documents that the pages of a floor receive. Times are milliseconds, UTC, unless a field's note differs.

Typed dictionaries, since they are sent as JSON.
"""

from typing import TypedDict


class FloorDescription(TypedDict):
    """``/table.json``: what does not change while the floor runs."""

    floor: str
    version: str
    odds: int
    """Against a fair wheel, to 1, at which the alarm is raised."""


# -- all tables: /floor.json and its stream ------------------------------------------------------------------------


class TableAmounts(TypedDict):
    """Limits. Decimals; an empty one is none."""

    minimum: str
    maximum: str
    payout: str


class TablePending(TableAmounts):
    """Limits that are announced."""

    effective_ms: int


class TableLimits(TableAmounts):
    """The limits in effect, and those that are announced."""

    currency: str
    pending: TablePending | None


class FaultyDevice(TypedDict):
    """A sensor or device that is not in order."""

    device: str
    state: str
    detail: str


class TableRow(TypedDict):
    """The state of a table."""

    table: str
    game: str
    title: str
    online: bool
    running: bool
    heard_ms: int
    changed_ms: int
    """Since when it is online, or not."""
    state: str
    state_words: str
    round: int
    limits: TableLimits | None
    results: list[str]
    """The newest first."""
    rounds_an_hour: int
    """In the last hour, as are ``voids`` and ``void_rate``."""
    voids: dict[str, int]
    """By reason."""
    void_rate: float | None
    """None if there was no spin."""
    health: list[FaultyDevice]
    alerts: int
    """The number of active ones."""
    dealer: str
    """Empty while no dealer is logged on."""
    wheel: str
    """Serial number; empty for none."""


class AlertRow(TypedDict):
    """An alert of a table or of its record."""

    id: int
    table: str
    kind: str
    at_ms: int
    round: int
    text: str
    remedy: str
    stands: bool


class Totals(TypedDict):
    """Sums over all tables."""

    tables: int
    online: int
    playing: int
    standing_alerts: int
    rounds: int
    """In the last hour."""
    refused: int


class RefusedMessages(TypedDict):
    """Messages that were refused for the same reason."""

    table: str
    reason: str
    count: int
    last_ms: int


class OverviewDocument(TypedDict):
    """The floor as stored."""

    floor: str
    totals: Totals | None
    """None until the store was read for the first time, as ``tables``."""
    alerts: list[AlertRow]
    """The gravest kinds first; of each table a few of each kind."""
    tables: list[TableRow] | None
    refused: list[RefusedMessages]


class LinkState(TypedDict):
    """The state of the connection to the broker."""

    connected: bool
    since_utc_ms: int
    detail: str
    messages: int


class LinkedOverview(OverviewDocument):
    """The floor and its connection to the tables. Snapshots of the stream have ``utc_ms`` and ``clock_ms`` too."""

    link: LinkState
    store: str
    """What is wrong with the store; empty if it is in order."""


class FloorPage(LinkedOverview):
    """``/floor.json``."""

    utc_ms: int


# -- statistics ----------------------------------------------------------------------------------------------------


class FiguresRow(TypedDict):
    """Figures of rounds."""

    name: str
    rounds: int
    spins: int
    an_hour: float | None
    """By the clock."""
    an_hour_in_play: float | None
    """None if nothing was in play."""
    play_ms: int
    voids: dict[str, int]
    """By reason."""
    void_rate: float | None
    corrections: int
    corrections_per_1000: float | None
    phases: dict[str, int]
    """Milliseconds by state, the longest first."""


# -- a table: /tables/NAME.json ------------------------------------------------------------------------------------


class StoredRecord(TypedDict):
    """How much of a record of a table is stored."""

    record: str
    present: bool
    complete_to: int
    deleted_to: int
    """The last entry whose round was deleted because it was too old; 0 for none."""
    awaited: int
    disputed: int
    begun_ms: int
    replaces: str


class PlayedRound(TypedDict):
    """A round of a table. ``opened`` and ``closed`` are texts."""

    number: int
    opened: str
    closed: str
    results: list[str]
    voids: list[str]
    returned: list[str]
    corrections: int
    dealer: str
    wheel: str
    seq: int
    checked: bool
    opened_ms: int
    closed_ms: int


class TableDocument(TableRow):
    """A table with its figures of the last 24 hours."""

    software: str
    statistics: dict[str, list[FiguresRow]]
    """``by_table``, ``by_wheel``, ``by_dealer``."""
    hours: list[tuple[str, int]]
    """Rounds by the hour in which they closed, UTC."""
    told: list[AlertRow]
    """Alerts; the active ones first."""
    records: list[StoredRecord]
    """The present one first."""
    rounds: list[PlayedRound]
    """The newest first."""
    utc_ms: int


class TablePage(TableDocument):
    """``/tables/NAME.json``."""

    floor: str


# -- wheels --------------------------------------------------------------------------------------------------------


class WheelRow(TypedDict):
    """The evidence against a wheel. Evidence and threshold are logarithms of odds to base 10."""

    wheel: str
    game: str
    title: str
    of: int
    """Sections."""
    spins: int
    evidence: float
    evidence_words: str
    highest: float
    """Of the evidence, ever."""
    highest_words: str
    odds: int
    threshold: float
    alarmed_ms: int | None
    suspicion: str


class Wheels(TypedDict):
    """``/wheels.json``: those with the most evidence first."""

    floor: str
    wheels: list[WheelRow]


class ChiSquareDocument(TypedDict):
    """Pearson's test of all spins."""

    statistic: float
    degrees: int
    p: float


class WheelDocument(WheelRow):
    """A wheel with its counts."""

    floor: str
    labels: list[str]
    """By section; empty where none has been seen."""
    counts: dict[str, list[int]]
    """Spins by direction and section; no direction if it is not known."""
    totals: list[int]
    chi_square: ChiSquareDocument


class WheelPage(WheelDocument):
    """``/wheels/NAME.json``."""

    utc_ms: int
