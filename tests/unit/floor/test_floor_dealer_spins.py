"""Dealers' throws: sums against the journals of real rounds, and findings that are true or bounded in number."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import pytest
from golden.journals import entries_of
from sqlalchemy import Engine
from stored_floor import empty

from controller.events.effect import Void
from controller.events.event import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    PowerRestored,
    RevolutionCompleted,
    TableStarted,
    WheelRested,
    WheelThrown,
)
from controller.events.record import Record
from controller.floor.queries.dealer_spins import DealerSpins, dealer_spins, findings
from controller.floor.queries.period import Period, of_days
from controller.floor.queries.scope import Scope
from controller.floor.store.spin_sums import DealerSpinSums, spins_of
from controller.journal.chain import Entry
from controller.journal.record import of_entry
from controller.messages.models import RecordedEntry, RoundClosed


def thrown(entries: Iterable[Entry]) -> list[tuple[str, int, int, bool]]:
    """The brute force: direction, revolutions, thousandths of a revolution a second, and whether too few."""
    found, current = [], None
    for entry in entries:
        decision: Record = of_entry(entry)
        event = decision.event
        if isinstance(event, TableStarted | PowerRestored):
            current = None
        if isinstance(event, WheelThrown | BallThrown):
            current = None
            if decision.outcome == "accepted":
                current = (event, {})
        elif current is not None and isinstance(event, RevolutionCompleted | BallRevolution):
            current[1].setdefault(event.number, event.at_ns)
        elif current is not None and isinstance(event, WheelRested | BallLeftTrack):
            throw, turns = current
            way = throw.direction or event.direction
            took_ns = turns[2] - turns[1] if 1 in turns and 2 in turns else 0
            short = [one.reason for one in decision.effects if isinstance(one, Void) and "fewer" in one.reason]
            found.append((way.value if way else "", max(turns, default=0), took_ns, bool(short)))
            current = None
    return [(way, turns, round(1e12 / took) if took else 0, short) for way, turns, took, short in found]


def test_the_throws_of_recorded_rounds_are_those_that_the_table_took_for_spins() -> None:
    entries = [entry for game in ("dreamcatcher", "big-six", "roulette") for entry in entries_of(game)]
    held = [RecordedEntry(**entry._asdict()) for entry in entries]
    found = [(one.direction, one.revolutions, one.speed, one.short) for one in spins_of(held)]
    assert found == thrown(entries)
    assert any(one[3] for one in found), "some made too few revolutions"
    assert sum(one[2] > 0 for one in found) > 50


def test_entries_that_cannot_be_read_make_no_throw() -> None:
    def entry(kind: str, body: str) -> RecordedEntry:
        return RecordedEntry(seq=1, round=1, at_ns=0, utc="", kind=kind, body=body, checkpoint=None, hash="0" * 64)

    bodies = ("", "{", "[]", "null", '{"event": 3}', "[" * 100_000)
    assert list(spins_of([entry(kind, body) for kind in ("wheel-thrown", "wheel-rested") for body in bodies])) == []
    wild = '{"event": {"direction": 7, "number": "x"}, "outcome": "accepted", "effects": {"reason": 1}}'
    kinds = ("wheel-thrown", "revolution-completed", "wheel-rested")
    (one,) = spins_of([entry(kind, wild) for kind in kinds])
    assert (one.direction, one.revolutions, one.speed, one.short) == ("", 0, 0, False)


# -- the store -----------------------------------------------------------------------------------------------------


def played(game: str) -> list[RoundClosed]:
    """The rounds of a golden journal, as messages that a test may store."""
    rounds: dict[int, list[RecordedEntry]] = {}
    for entry in entries_of(game):
        rounds.setdefault(entry.round, []).append(RecordedEntry(**entry._asdict()))
    return [
        RoundClosed.model_construct(
            table=f"{game}-1",
            game=game,
            number=number,
            dealer=str(100 + number % 2),
            wheel="W",
            closed=f"2026-11-{1 + number % 20:02}T12:00:00.000Z",
            entries=entries,
        )
        for number, entries in rounds.items()
    ]


def summed(engine: Engine, days: Period) -> dict[tuple[str, str], tuple[int, int, int, int]]:
    with engine.connect() as connection:
        found = dealer_spins(connection, days)
    return {(one.dealer, one.game): (one.spins, one.short, one.revolutions, one.speed) for one in found}


def test_sums_of_dealers_are_those_of_the_messages_and_go_with_them(tmp_path: Path) -> None:
    engine, messages = empty(tmp_path), played("dreamcatcher")
    sums, half = DealerSpinSums(), of_days(Scope("", ""), date(2026, 11, 1), date(2026, 11, 11), 0)
    with engine.begin() as db:
        for message in messages:
            sums.count(message)
        sums.write(db)
    for days in (half, of_days(Scope("", ""), date(2026, 11, 1), date(2026, 12, 1), 0)):
        assert days.end is not None
        expected: dict[tuple[str, str], Counter[str]] = {}
        for message in messages:
            if message.number and message.closed[:10] < days.end.isoformat():
                for one in spins_of(message.entries or ()):
                    of = expected.setdefault((message.dealer, message.game), Counter())
                    of.update(spins=1, short=int(one.short), revolutions=one.revolutions, speed=one.speed)
        assert len(expected) == 2
        assert summed(engine, days) == {
            key: (of["spins"], of["short"], of["revolutions"], of["speed"]) for key, of in expected.items()
        }
    engine.dispose()


# -- findings ------------------------------------------------------------------------------------------------------


def dealer(name: str, clockwise: int, counterclockwise: int, short: int = 0, game: str = "big-six") -> DealerSpins:
    ways = {"clockwise": clockwise, "counterclockwise": counterclockwise}
    return DealerSpins(name, game, ways, clockwise + counterclockwise, short)


def named(spins: list[DealerSpins], odds: int = 10_000) -> list[tuple[str, str]]:
    return [(one["dealer"], one["kind"]) for one in findings(spins, odds)]


def test_who_always_throws_the_same_way_is_named_with_the_number_of_throws() -> None:
    (one,) = findings([dealer("100", 300, 0), dealer("101", 160, 140), dealer("102", 270, 30)], 10_000)
    assert one["text"] == "always the same direction: 300 of 300 throws clockwise"
    assert (one["dealer"], one["spins"]) == ("100", 300)
    assert one["p"] == pytest.approx(2 * 0.9**300, rel=1e-6)
    (almost,) = findings([dealer("100", 3, 900)], 10_000)
    assert almost["text"] == "almost always the same direction: 900 of 903 throws counterclockwise"
    assert named([dealer("100", 60, 0)]) == [], "sixty alike may be chance for one who throws nine of ten so"
