"""What a run of :mod:`benchmarks.floor` came to, in figures."""

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from benchmarks.floor_run import Ran
from benchmarks.latency import percentile
from benchmarks.report import Measured

AFTER_S = 45.0
"""What is recorded so long after an outage counts as inside: a table tries again after up to 30 s."""


@dataclass(frozen=True, slots=True)
class Lag:
    """From the last entry of a round, as recorded, until it was seen in the store, in seconds; 0 of none."""

    rounds: int
    p50: float
    p99: float
    longest: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one run.

    Attributes:
        late_s: how late a table recorded an entry at the most: more than a moment, and this computer is too slow.
        floor_cpu: processors that were busy with the floor, in the mean; the others likewise.
        tables_cpu: with all tables and publishers, which would have computers of their own.
        round_ms: processor time of the floor for each round; database_ms: of the database's processes.
        wire_kb: what the broker read and wrote for each round; disk_kb: by how much the store grew for it.
    """

    tables: int
    minutes: float
    speed: float
    store: str
    rounds: int
    missing: int
    twice: int
    other: int
    alerts: int
    disputed: int
    refused: int
    entries: int
    late_s: float
    messages: int
    messages_a_second: float
    usual: Lag
    broker_down: Lag
    floor_down: Lag
    network_down: Lag
    database_down: Lag
    takeover_s: float | None
    caught_up_s: float
    floor_mb: float
    floor_cpu: float
    broker_mb: float
    broker_cpu: float
    tables_cpu: float
    round_ms: float
    database_ms: float
    wire_kb: float
    disk_kb: float

    @property
    def passed(self) -> bool:
        """Whether every round is in the store, once, and nothing else."""
        wrong = (self.missing, self.twice, self.other, self.alerts, self.disputed, self.refused)
        return self.rounds > 0 and not any(wrong)

    def plain(self) -> dict[str, object]:
        """For JSON."""
        return {**asdict(self), "passed": self.passed}


def figures(ran: Ran) -> Figures:
    """What a run came to."""
    plan, difference = ran.plan, ran.difference
    whole_s, rounds = ran.took_s + ran.caught_up_s, max(1, difference.rounds)
    lags = {what: _lag(ran, what) for what in ("", "broker", "floor", "network", "database")}
    return Figures(
        tables=plan.tables,
        minutes=plan.minutes,
        speed=plan.speed,
        store=("postgresql" if plan.postgresql else "sqlite")
        + (f", {plan.workers} workers" if plan.workers else ""),
        rounds=difference.rounds,
        missing=len(difference.missing),
        twice=len(difference.twice),
        other=len(difference.other),
        alerts=len(difference.alerts),
        disputed=difference.disputed,
        refused=sum(difference.refused.values()),
        entries=ran.entries,
        late_s=ran.late_s,
        messages=ran.messages,
        messages_a_second=ran.messages / whole_s,
        usual=lags[""],
        broker_down=lags["broker"],
        floor_down=lags["floor"],
        network_down=lags["network"],
        database_down=lags["database"],
        takeover_s=ran.takeover_s,
        caught_up_s=ran.caught_up_s,
        floor_mb=ran.usages["floor"].memory_mb,
        floor_cpu=ran.usages["floor"].processor_s / whole_s,
        broker_mb=ran.usages["broker"].memory_mb,
        broker_cpu=ran.usages["broker"].processor_s / whole_s,
        tables_cpu=ran.usages["tables"].processor_s / whole_s,
        round_ms=ran.usages["floor"].processor_s * 1e3 / rounds,
        database_ms=ran.usages["database"].processor_s * 1e3 / rounds,
        wire_kb=ran.usages["broker"].moved_bytes / 1e3 / rounds,
        disk_kb=ran.grown_bytes / 1e3 / rounds,
    )


def _lag(ran: Ran, outage: str) -> Lag:
    """Of the rounds that were closed in an outage or soon after it; for no outage, of the others."""
    lags = [one.lag_s for one in ran.stored if _outage_of(ran, one.table, one.closed_s) == outage]
    if len(lags) < 2:
        return Lag(len(lags), *([lags[0]] * 3 if lags else [0.0] * 3))
    return Lag(len(lags), percentile(lags, 50), percentile(lags, 99), max(lags))


def _outage_of(ran: Ran, table: str, closed_s: float) -> str:
    for what, (from_s, until_s) in ran.outages.items():
        # Messages in transit when it failed count, too.
        if from_s - 1.0 <= closed_s <= until_s + AFTER_S and (what != "network" or table in ran.cut_off):
            return what
    return ""


def measured(found: Figures) -> list[Measured]:
    """The lines of the report."""
    label = f"{found.tables} tables"
    wrong = f"{found.missing}, {found.twice}, {found.other}"
    exact = not (found.missing or found.twice or found.other)
    quiet = not (found.alerts or found.disputed or found.refused)
    has_workers = found.takeover_s is not None
    table_state = f"{found.alerts}, {found.disputed}, {found.refused}"
    return [
        Measured(
            f"{label}: rounds closed, entries", f"{found.rounds}, {found.entries}", "", "some", found.rounds > 0
        ),
        Measured(f"{label}: rounds missing, doubled, other", wrong, "", "none", exact),
        Measured(f"{label}: gaps that stand, disputed, refused", table_state, "", "none", quiet),
        Measured(f"{label}: messages a second", f"{found.messages_a_second:.1f}"),
        Measured(f"{label}: an entry recorded late, at the most", f"{found.late_s:.2f} s"),
        Measured(f"{label}: lag p50, p99, longest", _words(found.usual)),
        Measured(f"{label}: the same with the broker killed", _words(found.broker_down)),
        Measured(f"{label}: the same with the floor killed", _words(found.floor_down)),
        Measured(f"{label}: the same without network", _words(found.network_down)),
        *([Measured(f"{label}: the same with the database killed", _words(found.database_down))] * has_workers),
        *([Measured(f"{label}: a killed worker's tables taken", f"{found.takeover_s:.1f} s")] * has_workers),
        Measured(f"{label}: caught up after the last entry", f"{found.caught_up_s:.1f} s"),
        Measured(f"{label}: floor, memory and processors", f"{found.floor_mb:.0f} MB, {found.floor_cpu:.2f}"),
        Measured(f"{label}: broker, memory and processors", f"{found.broker_mb:.0f} MB, {found.broker_cpu:.2f}"),
        Measured(f"{label}: all tables, processors", f"{found.tables_cpu:.2f}"),
        Measured(f"{label}: a round, processor time of floor, database", _costs(found)),
        Measured(f"{label}: a round, through the broker, on disk", _bytes(found)),
    ]


def _costs(found: Figures) -> str:
    return f"{found.round_ms:.1f}, {found.database_ms:.1f} ms"


def _bytes(found: Figures) -> str:
    return f"{found.wire_kb:.1f}, {found.disk_kb:.1f} kB"


def _words(lag: Lag) -> str:
    return f"{lag.p50:.2f}, {lag.p99:.2f}, {lag.longest:.2f} s of {lag.rounds}"


def markdown(found: Sequence[Figures]) -> str:
    """The figures side by side, a column for each number of tables."""
    rows: list[tuple[str, list[str]]] = [
        ("tables", [str(one.tables) for one in found]),
        ("rounds closed", [str(one.rounds) for one in found]),
        ("missing, doubled, other", [f"{one.missing}, {one.twice}, {one.other}" for one in found]),
        ("gaps that stand, disputed, refused", [f"{one.alerts}, {one.disputed}, {one.refused}" for one in found]),
        ("messages a second", [f"{one.messages_a_second:.1f}" for one in found]),
        ("an entry recorded late at the most, s", [f"{one.late_s:.2f}" for one in found]),
        ("lag p50, p99, longest, s", [_lag_words(one.usual) for one in found]),
        ("the same, broker killed", [_lag_words(one.broker_down) for one in found]),
        ("the same, floor killed", [_lag_words(one.floor_down) for one in found]),
        ("the same, without network", [_lag_words(one.network_down) for one in found]),
        ("the same, database killed", [_lag_words(one.database_down) for one in found]),
        ("tables of a killed worker taken, s", [_seconds(one.takeover_s) for one in found]),
        ("caught up after the last entry, s", [f"{one.caught_up_s:.1f}" for one in found]),
        ("floor: MB, processors", [f"{one.floor_mb:.0f}, {one.floor_cpu:.2f}" for one in found]),
        ("broker: MB, processors", [f"{one.broker_mb:.0f}, {one.broker_cpu:.2f}" for one in found]),
        ("all tables: processors", [f"{one.tables_cpu:.2f}" for one in found]),
        ("a round: processor time of floor, database", [_costs(one) for one in found]),
        ("a round: through the broker, on disk", [_bytes(one) for one in found]),
    ]
    lines = [f"| {what} | {' | '.join(cells)} |" for what, cells in rows]
    lines.insert(1, f"| --- |{' ---: |' * len(found)}")
    return os.linesep.join(lines)


def _seconds(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds:.1f}"


def _lag_words(lag: Lag) -> str:
    return f"{lag.p50:.2f}, {lag.p99:.2f}, {lag.longest:.2f}" if lag.rounds else "–"
