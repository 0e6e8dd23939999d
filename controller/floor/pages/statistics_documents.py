"""The documents of the floor's statistics. Times are texts, UTC, as in an address, unless a note differs."""

from typing import TypedDict

from controller.floor.pages.documents import FiguresRow


class StatisticsPeriod(TypedDict):
    """A period as it was answered."""

    since: str
    until: str
    """Rounds that closed before."""
    whole: str
    """``days`` or ``months`` if it was made whole ones; empty for an exact period."""
    first: str
    """The first day of the house; empty for an exact period, as ``last``."""
    last: str


class Statistics(TypedDict):
    """``/statistics.json``."""

    by: str
    period: StatisticsPeriod
    against: StatisticsPeriod | None
    """The period that is compared with; None for none."""
    kept_from: str
    """The time from which on all rounds are kept, empty for all; older figures are of sums alone."""
    names: int
    """How many tables, wheels, games or dealers there are; ``figures`` are those with the most rounds."""
    rounds: int
    """Of all of them."""
    figures: list[FiguresRow]
    before: list[FiguresRow]
    """The figures of the period that is compared with."""
    zone: str
    """The house's time zone."""


class HoursOfDay(TypedDict):
    """``/statistics/hours.json``: rounds by the hour of the day, by the house's clock."""

    rounds: dict[str, list[int]]
    """Of each game, by hour, 0 to 23."""
    lasted_h: list[float]
    """How many hours of each the period has had so far."""
    an_hour: list[float | None]
    """Rounds an hour of all games; None for an hour that has not come yet."""


class VoidsOfGame(TypedDict):
    """Void spins, rolls and deals of a game."""

    game: str
    title: str
    spins: int
    """The void ones included."""
    void_rate: float | None
    voids: dict[str, int]
    """By reason, the most frequent first."""


class VoidsDocument(TypedDict):
    """``/statistics/voids.json``."""

    games: list[VoidsOfGame]


class StateMedians(TypedDict):
    """How long a round of a game is in each state: the median of the tables' means."""

    game: str
    title: str
    tables: int
    states: dict[str, float]
    """Seconds; the longest first."""


class SlowState(TypedDict):
    """A table at which rounds are longer in a state than the median says."""

    table: str
    game: str
    state: str
    mean_s: float
    median_s: float
    rounds: int
    """That had the state."""
    more_h: float
    """Hours that they took beyond the median."""


class StatesDocument(TypedDict):
    """``/statistics/states.json``."""

    medians: list[StateMedians]
    differences: list[SlowState]
    """Where most time goes beyond the median first."""
    compared: int
    """How many tables the medians are of."""
    tables: int


class DealerSpinsRow(TypedDict):
    """The spins of a dealer at a game with a wheel."""

    dealer: str
    """Empty while nobody was logged on."""
    game: str
    spins: int
    """The void ones included."""
    directions: dict[str, int]
    """Of the wheel, or of the ball."""
    short: int
    """Void, for they made fewer revolutions than the rules ask for."""
    revolutions: float
    """The mean of complete ones."""
    speed_rpm: float | None
    """Revolutions a minute in the second revolution, the mean; None if none was timed."""
    speed_spread_rpm: float | None
    """Their standard deviation."""


class DealerFinding(TypedDict):
    """What stands out of a dealer's spins."""

    dealer: str
    game: str
    kind: str
    """``direction`` or ``slow``."""
    text: str
    spins: int
    """Behind it."""
    p: float
    """The probability of as much or more by chance."""


class DealersDocument(TypedDict):
    """``/statistics/dealers.json``."""

    findings: list[DealerFinding]
    """The least likely first."""
    rows: list[DealerSpinsRow]
    """The most spins first."""
    dealers: int
    """How many rows there are in all."""
    odds: int
    """To 1, against naming anybody without cause."""
    spins_from: str
    """The time from which on spins are summed; empty for all."""
    period: StatisticsPeriod
    """Of whole days, as spins are summed by day."""


class ListedRound(TypedDict):
    """A round that figures are made of."""

    id: int
    table: str
    game: str
    number: int
    closed_ms: int
    dealer: str
    wheel: str
    results: list[str]
    voids: list[str]
    corrections: int
    took_ms: int


class RoundsDocument(TypedDict):
    """``/statistics/rounds.json``: rounds of a period, the newest first."""

    period: StatisticsPeriod
    rounds: list[ListedRound]
    further: int
    """The id to ask for the next ones with, as ``before``; 0 for none."""
    kept_from: str
    """The time from which on all rounds are kept; empty for all."""
    gone: bool
    """Whether rounds of the period were too old and are deleted."""
