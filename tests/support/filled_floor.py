"""A floor's database with tables that played, for tests of pages and views and for the benchmark of pages."""

import io
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, Table, insert

from controller.floor import schema, views
from controller.floor.derive import Sum, add_to_sums

NOW = datetime(2026, 11, 29, 17, 30, tzinfo=UTC)
_AT_ONCE = 20_000
_STATES = ("bets-open", "no-more-bets", "spinning", "payout", "closed")


class Kind(NamedTuple):
    """A kind of table: its game, and its wheel's labels."""

    game: str
    labels: Sequence[str]


KINDS = (
    Kind("dreamcatcher", ("1", "2", "5", "1", "10", "2x", "1", "20", "2", "40", "1", "7x") * 4 + ("1", "2") * 3),
    Kind("roulette", tuple(map(str, range(37)))),
    Kind("big-six", ("1", "2", "5", "10", "20", "joker") * 9),
)


def create(engine: Engine) -> None:
    """The tables and views of an empty floor."""
    schema.metadata.create_all(engine)
    with engine.begin() as connection:
        views.create(connection)


def fill(
    engine: Engine, tables: int, hours: int, now: datetime = NOW, rounds: int = 40, spins: bool = True
) -> None:
    """Let tables play until now: so many rounds in each hour, each dealer for half an hour.

    Args:
        spins: whether their spins are stored one by one.
    """
    with engine.begin() as connection:
        _insert(connection, schema.records, map(_record, range(1, tables + 1)))
        _insert(connection, schema.tables, (_table(number, now) for number in range(1, tables + 1)))
        played = (
            (number, now.replace(minute=0, second=0) - timedelta(hours=back))
            for back in range(hours, -1, -1)
            for number in range(1, tables + 1)
        )
        for some in iter(lambda: list(islice(played, 500)), []):
            made = [_hour(number, hour, rounds, now) for number, hour in some]
            _insert(connection, schema.rounds, (row for one in made for row in one["rounds"]))
            _insert(connection, schema.sums, (row for one in made for row in one["sums"]))
            if spins:
                _insert(connection, schema.spins, (row for one in made for row in one["spins"]))
        _insert(connection, schema.wheels, (_wheel(number, hours * rounds) for number in range(1, tables + 1)))
        counts = (row for number in range(1, tables + 1) for row in _counts(number, hours * rounds))
        _insert(connection, schema.wheel_counts, counts)
        _insert(connection, schema.alerts, map(_alert, range(1, tables + 1, 10), _times(now)))
        refused = {"table": "", "reason": "topic", "count": 4, "last": _utc(now), "detail": "topic tables/x/y"}
        _insert(connection, schema.refused, [refused])


def name_of(number: int) -> str:
    """Of a table; also the beginning of its wheel's."""
    return f"{_kind(number).game}-{number:04}"


def _kind(number: int) -> Kind:
    return KINDS[number % len(KINDS)]


@cache
def _utc(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _times(now: datetime) -> Iterator[datetime]:
    while True:
        now -= timedelta(minutes=7)
        yield now


def _record(number: int) -> dict[str, Any]:
    same = {"hash": f"{number:064x}", "record": f"{number:064x}", "game": _kind(number).game, "version": "1.0.0"}
    here = {"seq": 5000, "opening": 4990, "readable_to": 5000, "deleted_to": 0, "disputed": False}
    return {"id": number, "table": name_of(number), "begun": _utc(NOW), "replaces": "", **same, **here}


def _table(number: int, now: datetime) -> dict[str, Any]:
    times = {name: _utc(now - timedelta(seconds=number % 60)) for name in ("online_since", "heard", "entry_utc")}
    limits = {"currency": "USD", "minimum": "5", "maximum": "500"}
    return {
        "table": name_of(number),
        "record_id": number,
        "game": _kind(number).game,
        "round": 1000 + number,
        "online": number % 50 != 7,
        "running": number % 40 != 9,
        "state": _STATES[number % len(_STATES)],
        "dealer": f"D{number % 900:03}",
        "wheel": f"W{number:04}",
        **times,
        **limits,
    }


def _hour(number: int, hour: datetime, rounds: int, now: datetime) -> dict[str, list[dict[str, Any]]]:
    """A table's hour."""
    chance = random.Random(number * 1_000_003 + int(hour.timestamp()))
    kind, table, wheel = _kind(number), name_of(number), f"W{number:04}"
    made: dict[str, list[dict[str, Any]]] = {"rounds": [], "spins": [], "sums": []}
    sums: dict[Sum, list[int]] = {}
    for i in range(rounds):
        closed = hour + timedelta(seconds=3600 * (i + 1) / rounds - 1)
        if closed > now:
            break
        dealer = f"D{(6 * number + (2 * hour.hour + (2 * i >= rounds)) % 6) % 900:03}"
        at, played_ms = _utc(closed), int(3_600_000 / rounds * chance.uniform(0.6, 0.9))
        number_of = int(hour.timestamp()) // 3600 * rounds + i - 490_000 * rounds
        void = ["fewer-than-three-revolutions"] if i % 17 == 3 else ["between-sections"] if i % 39 == 22 else []
        position, direction = chance.randrange(len(kind.labels)), ("clockwise", "counterclockwise")[i % 2]
        here = {"record_id": number, "table": table, "wheel": wheel, "dealer": dealer}
        phases = dict.fromkeys(_STATES[:4], played_ms // 4)
        made["rounds"].append(
            here
            | {"number": number_of, "game": kind.game, "first": 10 * number_of, "last": 10 * number_of + 9}
            | {"opened": at, "closed": at, "results": [kind.labels[position]], "voids": void, "returned": []}
            | {"corrections": int(i % 29 == 5), "phases": phases}
        )
        made["spins"].append(
            here
            | {"seq": 10 * number_of + 5, "round": number_of, "utc": at, "sections": len(kind.labels)}
            | {"position": position, "label": kind.labels[position], "direction": direction}
            | {"loss_permille": 1000 + number % 7 + i % 5, "clockwise_mdeg": 12 + i % 9}
            | {"counterclockwise_mdeg": -9 + i % 7, "widest_mdeg": -150 + i}
        )
        add_to_sums(sums, made["rounds"][-1], made["spins"][-1:])
    keys = [column.name for column in schema.sums.primary_key]
    made["sums"] = [
        {**dict(zip(keys, key, strict=True)), "count": count, "ms": ms} for key, (count, ms) in sums.items()
    ]
    return made


def _wheel(number: int, spins: int) -> dict[str, Any]:
    kind = _kind(number)
    unfair = {"suspicion": "section 13, favoured by about 20%", "alarmed": _utc(NOW)} if number == 3 else {}
    return {
        "wheel": f"W{number:04}",
        "sections": len(kind.labels),
        "game": kind.game,
        "table": name_of(number),
        "labels": list(kind.labels),
        "spins": spins,
        "evidence": 4.6 if unfair else -0.2,
        "suspicion": "",
        "highest": 4.8 if unfair else 0.3,
        "alarmed": None,
        **unfair,
    }


def _counts(number: int, spins: int) -> Iterator[dict[str, Any]]:
    sections = len(_kind(number).labels)
    chance = random.Random(number)
    stops = chance.choices(range(sections), k=spins)
    for direction, which in (("clockwise", 0), ("counterclockwise", 1)):
        for position in range(sections):
            count = stops[which::2].count(position)
            if count:
                key = {"table": name_of(number), "wheel": f"W{number:04}", "sections": sections}
                yield key | {"direction": direction, "position": position, "count": count}


def _alert(number: int, at: datetime) -> dict[str, Any]:
    kind, text, remedy = (
        ("fork", "The record contradicts what is stored, from entry 4711 on.", "Secure the table and compare.")
        if number == 11
        else ("table", "Lamp straight-17 does not light.", "Replace the lamp, then unlock with the key.")
    )
    where = {"table": name_of(number), "kind": kind, "key": f"k{number}", "round": 1000, "code": "lamp"}
    return {**where, "id": number, "at": _utc(at), "text": text, "remedy": remedy, "ended": None}


def _insert(connection: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    rows = iter(rows)
    while some := list(islice(rows, _AT_ONCE)):
        if connection.dialect.name == "postgresql":
            _copy(connection, table, some)
        else:
            connection.execute(insert(table), some)


def _copy(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """COPY, as a million rows one by one take minutes."""
    names = list(rows[0])
    json_columns = {column.name for column in table.columns if str(column.type) == "JSON"}
    text = io.StringIO()
    for row in rows:
        values = (json.dumps(row[name]) if name in json_columns else row[name] for name in names)
        text.write("\t".join("\\N" if value is None else str(value) for value in values) + "\n")
    quoted = ", ".join(f'"{name}"' for name in names)
    cursor: Any = connection.connection.cursor()
    with cursor.copy(f"COPY {table.name} ({quoted}) FROM STDIN") as copy:
        copy.write(text.getvalue())
