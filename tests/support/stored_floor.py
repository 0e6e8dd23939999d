"""A floor's store filled with what tables may have played: for tests and measurements of what the floor shows."""

import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine

from controller.floor.store import schema
from controller.floor.store.additive import add_rows
from controller.floor.store.engine import open_engine
from controller.floor.store.hour_sums import HourSums, begin_sums
from controller.floor.store.house_days import day_of
from controller.floor.store.period_sums import PeriodSums, begin_period_sums

NOW_MS = 1_795_284_000_000
"""2026-11-21 18:00 UTC."""
MINUTE_MS = 60_000
GAMES = {
    "dreamcatcher": ("wheel", ("1", "2", "5", "10", "20", "40")),
    "roulette": ("wheel", tuple(str(number) for number in range(37))),
    "sic-bo": ("", ("1 2 3", "2 2 5", "4 5 6", "1 1 1")),
    "casino-war": ("", ("K 4 10 against 7", "A 2 against 2")),
}
STATES = ("bets-open", "spinning", "result", "winners-paid", "locked")


def utc(ms: int) -> str:
    """As the store has it."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def digest(words: str) -> str:
    return sha256(words.encode()).hexdigest()


def empty(folder: Path) -> Engine:
    """A store with nothing in it."""
    url = f"sqlite:///{folder / 'floor.db'}"
    open_engine(url).dispose()
    return create_engine(url)


def a_round(table: str, number: int, closed_ms: int, **changed: Any) -> dict[str, Any]:
    """A round of a minute, of ten entries, as a row."""
    row = {
        "table": table,
        "record": digest(table),
        "seq": (number + 1) * 10,
        "hash": digest(f"{table} {number}"),
        "first": number * 10 + 1,
        "previous": digest(f"{table} {number - 1}"),
        "number": number,
        "game": "dreamcatcher",
        "opened": utc(closed_ms - MINUTE_MS),
        "closed": utc(closed_ms),
        "wheel": "",
        "dealer": "",
        "results": ["10"],
        "voids": [],
        "returned": [],
        "corrections": 0,
        "phases": {"bets-open": 30_000, "spinning": 20_000, "result": 10_000},
        "spins": [],
        "checked": True,
        "entries": None,
        "received": utc(closed_ms + 100),
    }
    return row | changed


def a_table(table: str, now_ms: int = NOW_MS, **changed: Any) -> dict[str, Any]:
    """A table that plays, as a row."""
    state = {
        "version": 1,
        "table": table,
        "at": utc(now_ms - 2000),
        "game": "dreamcatcher",
        "state": "bets-open",
        "round": 7,
        "record": digest(table),
        "seq": 75,
        "hash": digest(f"{table} now"),
        "handed_over": 70,
        "dealer": "",
        "wheel": "",
        "limits": None,
    }
    row = {
        "table": table,
        "game": "dreamcatcher",
        "online": True,
        "running": True,
        "software": "0.1.0",
        "heard": utc(now_ms - 1000),
        "changed": utc(now_ms - 3_600_000),
        "state": state | changed.pop("state", {}),
        "health": None,
    }
    return row | changed


def an_alert(table: str, text: str, at_ms: int = NOW_MS - 90_000, **changed: Any) -> dict[str, Any]:
    """An active alert, as a row."""
    row = {
        "table": table,
        "kind": "table",
        "key": digest(f"{table} {text} {at_ms}"),
        "at": utc(at_ms),
        "round": 7,
        "text": text,
        "remedy": "have it mended",
        "received": utc(at_ms + 200),
        "ended": None,
    }
    return row | changed


def insert(engine: Engine, into: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Put rows into the store's tables, by name."""
    with engine.begin() as connection:
        for name, rows in into.items():
            if rows:
                connection.execute(schema.metadata.tables[name].insert(), list(rows))


def limits(low: int, pending_ms: int | None = None) -> dict[str, Any]:
    """A sign's limits, with a change at a time or without one."""
    pending = None
    if pending_ms is not None:
        pending = {"minimum": str(low * 2), "maximum": str(low * 200), "payout": "", "effective": utc(pending_ms)}
    return {"minimum": str(low), "maximum": str(low * 100), "payout": "", "currency": "$", "pending": pending}


def fill(engine: Engine, tables: int, rounds: int, now_ms: int = NOW_MS, seed: int = 1) -> None:
    """A floor of tables that played so many rounds each, a minute apart, up to now."""
    chance = random.Random(seed)
    rows: dict[str, list[dict[str, Any]]] = {"tables": [], "records": [], "alerts": [], "rounds": []}
    for index in range(tables):
        game = list(GAMES)[index % len(GAMES)]
        name = f"{game}-{index // len(GAMES) + 1}"
        _table(rows, chance, name, game, rounds, now_ms)
        if len(rows["rounds"]) > 50_000:
            insert(engine, {"rounds": rows["rounds"]})
            rows["rounds"] = []
    insert(engine, rows)
    wheels(engine, [row["table"] for row in rows["tables"] if GAMES[row["game"]][0]], seed)


def _table(
    rows: dict[str, list[dict[str, Any]]], chance: random.Random, name: str, game: str, rounds: int, now_ms: int
) -> None:
    wheel = f"S/{name}" if GAMES[game][0] else ""
    dealers = [str(chance.randint(100, 140)) for _ in range(3)]
    for number in range(rounds + 1):
        closed_ms = now_ms - (rounds - number) * MINUTE_MS - chance.randint(1000, 50_000)
        rows["rounds"].append(
            _played(chance, name, game, number, closed_ms, wheel, dealers[number * 3 // (rounds + 1)])
        )
    seq = (rounds + 1) * 10
    pending = now_ms + chance.randint(60_000, 1_800_000) if chance.random() < 0.05 else None
    state = {
        "game": game,
        "state": chance.choice(STATES[:4]) if chance.random() < 0.97 else "locked",
        "round": rounds + 1,
        "seq": seq + 4,
        "handed_over": seq,
        "dealer": dealers[-1],
        "wheel": wheel,
        "limits": limits(chance.choice((5, 10, 25, 100)), pending),
    }
    online = chance.random() < 0.95
    bad = [{"device": "clapper", "state": "noisy", "detail": "14 strikes between two pegs"}]
    devices = [{"device": "encoder", "state": "ok", "detail": ""}, *(bad if chance.random() < 0.03 else [])]
    health = {"version": 1, "table": name, "at": utc(now_ms), "devices": devices}
    running = chance.random() < 0.97
    table = a_table(name, now_ms, game=game, online=online, running=running, state=state, health=health)
    rows["tables"].append(table)
    record = digest(name)
    rows["records"].append(
        {"table": name, "record": record, "seq": seq, "hash": digest("x"), "begun": utc(now_ms), "replaces": ""}
    )
    rows["alerts"] += _alerts(chance, name, seq, now_ms)


def _alerts(chance: random.Random, name: str, seq: int, now_ms: int) -> list[dict[str, Any]]:
    """Few tables have any."""
    alerts = []
    if chance.random() < 0.02:
        alerts.append(an_alert(name, "the panel does not burn as it should", now_ms - 400_000))
    if chance.random() < 0.01:
        missing = f"rounds after entry {seq - 40} are missing"
        alerts.append(an_alert(name, missing, now_ms - 60_000, kind="gap", remedy="they were asked for"))
    return alerts


def _played(
    chance: random.Random, name: str, game: str, number: int, closed_ms: int, wheel: str, dealer: str
) -> dict[str, Any]:
    void = chance.random() < 0.04
    return a_round(
        name,
        number,
        closed_ms,
        game=game,
        wheel=wheel,
        dealer=dealer,
        results=[chance.choice(GAMES[game][1])],
        voids=[chance.choice(("too-few-revolutions", "between-sections", "sensor"))] if void else [],
        corrections=1 if chance.random() < 0.02 else 0,
        phases={
            "bets-open": chance.randint(20_000, 40_000),
            "spinning": chance.randint(8_000, 15_000),
            "result": chance.randint(3_000, 6_000),
            "winners-paid": chance.randint(500, 3_000),
        },
    )


def wheels(engine: Engine, of_tables: Sequence[str], seed: int = 1) -> None:
    """Wheels of these tables, with counts; the first one is suspected."""
    chance = random.Random(seed)
    rows: dict[str, list[dict[str, Any]]] = {"wheels": [], "wheel_counts": []}
    for index, table in enumerate(of_tables):
        sections, serial = (37, f"S/{table}") if "roulette" in table else (54, f"S/{table}")
        counts = {
            way: [chance.randint(80, 120) for _ in range(sections)] for way in ("clockwise", "counterclockwise")
        }
        evidence = 4.4 if index == 0 else chance.uniform(-3, 0.9)
        rows["wheels"].append(
            {
                "wheel": serial,
                "game": table.rpartition("-")[0],
                "of": sections,
                "labels": [str(position % 7) for position in range(sections)],
                "spins": sum(map(sum, counts.values())),
                "evidence": evidence,
                "highest": max(evidence, 0.0) + 0.3,
                "suspicion": "section 4 (2) comes up more often than one in 54" if index == 0 else "",
                "alarmed": utc(NOW_MS - 7_200_000) if index == 0 else None,
            }
        )
        for way, found in counts.items():
            rows["wheel_counts"] += [
                {"wheel": serial, "direction": way, "position": position, "count": count}
                for position, count in enumerate(found)
            ]
    insert(engine, rows)


def sum_up(engine: Engine) -> None:
    """Make the sums of all rounds, of hours and of days, as a floor does in slices."""
    hours, days, more = HourSums(), PeriodSums(), True
    with engine.begin() as db:
        begin_sums(db)
        begin_period_sums(db)
    while more:
        with engine.begin() as db:
            more = hours.add_slice(db)
            hours.write(db)
            more = more or days.add_slice(db)


def dealers(engine: Engine, at_ms: int = NOW_MS) -> None:
    """Throws of dealers on a day: one who throws one way only, one whose throws are slow, and some others."""
    day = day_of(at_ms).isoformat()
    ways = {"100": (400, 0, 3), "101": (230, 170, 60), "102": (210, 190, 4), "": (30, 28, 1)}
    sums: dict[tuple[str, ...], tuple[int, ...]] = {
        (period, dealer, "dreamcatcher", way): (spins, short // 2, spins * 5, spins, spins * 800, spins * 650_000)
        for dealer, (clockwise, counter, short) in ways.items()
        for way, spins in (("clockwise", clockwise), ("counterclockwise", counter))
        for period in (day, day[:7], day[:4])
        if spins
    }
    with engine.begin() as db:
        add_rows(db, schema.spin_sums, sums)
