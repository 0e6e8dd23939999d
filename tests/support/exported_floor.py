"""A floor's store with awkward content, what is exported of it, and what the store itself says of that."""

from typing import Any

from sqlalchemy import Engine, select
from stored_floor import MINUTE_MS, NOW_MS, a_round, an_alert, fill, insert, utc

from controller.floor.exports.csv_export import export_csv
from controller.floor.exports.export_tables import EXPORTS
from controller.floor.queries.scope import DAY_MS, Scope
from controller.floor.store import schema
from controller.floor.store.hour_sums import HourSums, begin_sums

WHOLE = Scope(utc(NOW_MS - 2 * DAY_MS), utc(NOW_MS + DAY_MS))
AWKWARD = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "'quoted",
    'say "x", y',
    "Ünïcödé 轮盘 🎡",
    " blank ",
    "NULL",
    "NaN",
    "007",
)
SPIN = {"position": 3, "of": 54, "label": "=5", "direction": "clockwise"}


def fill_awkwardly(engine: Engine) -> None:
    """Rounds, spins, alerts and sums with everything that CSV or a reader may get wrong."""
    fill(engine, tables=4, rounds=40)
    rounds = [
        a_round(
            "awkward",
            number,
            NOW_MS - number * MINUTE_MS - 7,
            dealer=text,
            wheel=text,
            results=[text, "10"],
            voids=[text] if number % 2 else [],
            returned=["lock"] if number % 3 == 0 else [],
            phases={text: (1 << 53) - number} if number % 2 else {},
            spins=[SPIN, {**SPIN, "label": text, "direction": ""}],
            checked=number % 2 == 0,
        )
        for number, text in enumerate(AWKWARD, 1)
    ]
    raised = [an_alert("awkward", text, NOW_MS - 1000 * at, remedy="") for at, text in enumerate(AWKWARD)]
    ended = an_alert("roulette-1", "over", ended=utc(NOW_MS - 1), remedy="=M. Müller")
    # Rows of one insert all have the same columns.
    insert(engine, {"rounds": rounds, "alerts": raised})
    insert(engine, {"alerts": [ended]})
    _make_sums(engine)


def _make_sums(engine: Engine) -> None:
    sums, more = HourSums(), True
    with engine.begin() as db:
        begin_sums(db)
    while more:
        with engine.begin() as db:
            more = sums.add_slice(db)
            sums.write(db)


def exported(engine: Engine, what: str, scope: Scope = WHOLE) -> bytes:
    """Everything of a kind, as CSV."""
    with engine.connect() as store:
        return b"".join(export_csv(store, EXPORTS[what], scope))


def stored(engine: Engine, what: str) -> list[dict[str, Any]]:
    """The rows that an export of the whole store has, read in a way of its own."""
    with engine.connect() as store:
        if what == "alerts":
            table = schema.alerts
            rows = [
                dict(row) for row in store.execute(select(table).order_by(table.c.received, table.c.id)).mappings()
            ]
        elif what == "sums":
            rows = [_sum(dict(row)) for row in store.execute(select(schema.hour_sums)).mappings()]
            rows.sort(key=lambda row: tuple(row[name] for name in ("hour", "table", "game", "dealer", "wheel")))
        else:
            rows = [dict(row) for row in store.execute(select(schema.rounds)).mappings() if row["number"] > 0]
            rows.sort(key=lambda row: (row["closed"], row["table"], row["id"]))
    if what == "spins":
        rows = [{**row, **spin, "spin": at} for row in rows for at, spin in enumerate(row["spins"], 1)]
    return [{name: row[name] for name in EXPORTS[what].columns} for row in rows]


def _sum(row: dict[str, Any]) -> dict[str, Any]:
    names = ("phases_ms", "play_ms", "phase_rounds")
    parts = {
        name: {state: amounts[at] for state, amounts in row["phases"].items()} for at, name in enumerate(names)
    }
    return {**row, **parts, "hour": f"{row['hour']}:00:00.000Z"}
