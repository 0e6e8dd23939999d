"""The overview of all tables agrees with the store, and a query reads only the changes since the last."""

import random
from collections import Counter
from typing import Any

import pytest
from sqlalchemy import Engine, update
from stored_floor import MINUTE_MS, NOW_MS, a_round, a_table, an_alert, fill, insert, limits, utc

from config.floor import FloorConfig
from config.schema import BrokerSection
from controller.floor.queries import details
from controller.floor.queries.overview import MOST_ALERTS, Json, Overview
from controller.floor.queries.recent import Recent
from controller.floor.queries.scope import DAY_MS
from controller.floor.store import schema

CONFIG = FloorConfig(floor="hall", broker=BrokerSection(host="localhost", ca="ca", certificate="crt", key="key"))


def made(engine: Engine, overview: Overview | None = None, now_ms: int = NOW_MS) -> Json:
    with engine.connect() as connection:
        return (overview or Overview(CONFIG)).make(connection, now_ms)


def row(document: Json, table: str) -> Json:
    found: Json = next(one for one in document["tables"] if one["table"] == table)
    return found


def test_a_table_is_described_by_what_it_sent_last(engine: Engine) -> None:
    state = {
        "state": "no-more-bets",
        "round": 12,
        "dealer": "104",
        "wheel": "A/7",
        "limits": limits(5, NOW_MS + 60_000),
    }
    devices = [{"device": "encoder", "state": "ok"}, {"device": "clapper", "state": "noisy", "detail": "often"}]
    insert(engine, {"tables": [a_table("one", state=state, health={"devices": devices})]})
    found = row(made(engine), "one")
    assert (found["title"], found["state_words"], found["round"]) == ("Dreamcatcher", "no more bets", 12)
    assert (found["dealer"], found["wheel"]) == ("104", "A/7")
    assert found["health"] == [devices[1]], "devices in order are not listed"
    assert found["limits"]["minimum"] == "5"
    pending = {"minimum": "10", "maximum": "1000", "payout": "", "effective_ms": NOW_MS + 60_000}
    assert found["limits"]["pending"] == pending


@pytest.mark.parametrize("kind", ["fork", "false", "record"])
def test_a_damaged_record_stands_first_whatever_other_tables_do(engine: Engine, kind: str) -> None:
    loud = [
        an_alert(f"loud-{table}", f"{other} {number}", NOW_MS - number * 1000, kind=other)
        for table in range(12)
        for other in ("table", "gap", "wheel")
        for number in range(40)
    ]
    grave = an_alert("quiet", "its record contradicts itself", NOW_MS - 10 * DAY_MS, kind=kind)
    tables = [a_table("quiet"), *(a_table(f"loud-{table}") for table in range(12))]
    insert(engine, {"tables": tables, "alerts": loud})
    insert(engine, {"alerts": [grave]})
    document = made(engine)
    assert document["alerts"][0]["table"] == document["tables"][0]["table"] == "quiet"
    assert len(document["alerts"]) == MOST_ALERTS


# -- the last hour -------------------------------------------------------------------------------------------------


def brute(rows: list[dict[str, Any]], table: str, now_ms: int) -> tuple[int, int, Counter[str], tuple[str, ...]]:
    """Rounds, spins and voids of the last hour, and the last ten results, counted one by one."""
    mine = [one for one in rows if one["table"] == table]
    hour = [one for one in mine if one["number"] and one["closed"] >= utc(now_ms - 3_600_000)]
    voids = Counter(reason for one in hour for reason in one["voids"])
    spins = sum(len(one["results"]) + len(one["voids"]) for one in hour)
    newest = sorted(enumerate(mine), key=lambda pair: (pair[1]["closed"], pair[0]), reverse=True)
    results = [label for _, one in newest for label in reversed(one["results"])]
    return len(hour), spins, voids, tuple(results[:10])


@pytest.mark.parametrize("seed", range(3))
def test_the_last_hour_equals_a_count_in_whatever_order_rounds_arrive(engine: Engine, seed: int) -> None:
    """Late ones, out of order, in any portions, while time goes on."""
    chance = random.Random(seed)
    recent, rows, now_ms = Recent(), [], NOW_MS
    for step in range(25):
        now_ms += chance.choice((0, MINUTE_MS, 20 * MINUTE_MS))
        new = [
            a_round(
                chance.choice("ab"),
                chance.choice((0, 1, 2, 3)),
                now_ms - chance.choice((1, 90)) * chance.randint(0, MINUTE_MS),
                record=f"{step:060}{number:04}",
                results=[chance.choice("xyz") for _ in range(chance.randint(0, 3))],
                voids=[chance.choice(("sensor", "late")) for _ in range(chance.choice((0, 0, 1, 3)))],
            )
            for number in range(chance.choice((0, 1, 6)))
        ]
        insert(engine, {"rounds": new})
        rows += new
        with engine.connect() as connection:
            recent.look(connection, now_ms)
        for table in "ab":
            of = recent.of(table)
            assert (of.rounds, of.spins, of.voids, of.results) == brute(rows, table, now_ms)


# -- one table, one wheel ------------------------------------------------------------------------------------------


def test_a_tables_record_is_shown_with_missing_and_disputed_rounds(engine: Engine) -> None:
    fill(engine, tables=1, rounds=30)
    old = {
        "table": "dreamcatcher-1",
        "record": "0" * 64,
        "seq": 9,
        "hash": "h",
        "begun": utc(NOW_MS - 9),
        "replaces": "",
    }
    doubt = {"record": "0" * 64, "seq": 9, "hash": "x", "why": "w", "payload": b"", "received": utc(NOW_MS)}
    insert(engine, {"records": [old], "disputed": [{"table": "dreamcatcher-1", **doubt}]})
    with engine.begin() as connection:
        state = a_table("dreamcatcher-1", state={"handed_over": 340})["state"]
        connection.execute(update(schema.tables).values(state=state))
        page = details.table_document(connection, "dreamcatcher-1", NOW_MS)
    assert page is not None
    present, earlier = page["records"]
    assert (present["present"], present["complete_to"], present["awaited"], present["disputed"]) == (
        True,
        310,
        30,
        0,
    )
    assert (earlier["present"], earlier["awaited"], earlier["disputed"]) == (False, 0, 1)
    assert len(page["rounds"]) == 30, "number 0 is no round"
    assert [one["number"] for one in page["rounds"][:2]] == [30, 29]
    assert sum(count for _, count in page["hours"]) == 30
    assert len(page["hours"]) in (24, 25)


def test_a_wheels_counts_are_complete_and_its_evidence_is_worded(engine: Engine) -> None:
    wheel = {"wheel": "A/7", "game": "roulette", "of": 4, "labels": ["0", "1"], "spins": 6, "evidence": 1.08}
    more = {"highest": 2.0, "suspicion": "section 1", "alarmed": None}
    counts = [("clockwise", 0, 2), ("counterclockwise", 3, 1), ("clockwise", 3, 3)]
    names = ("direction", "position", "count")
    rows = [{"wheel": "A/7", **dict(zip(names, one, strict=True))} for one in counts]
    insert(engine, {"wheels": [wheel | more], "wheel_counts": rows})
    with engine.connect() as connection:
        found = details.wheel_document(connection, CONFIG, "A/7")
        assert details.wheel_document(connection, CONFIG, "A") is None
    assert found is not None
    assert found["counts"] == {"clockwise": [2, 0, 0, 3], "counterclockwise": [0, 0, 0, 1]}
    assert found["totals"] == [2, 0, 0, 4]
    assert found["labels"] == ["0", "1", "", ""]
    assert found["evidence_words"] == "12 to 1 against equal sections"
    assert found["threshold"] == 4
    # (2² + 0 + 0 + 4²) / 1.5 - 6
    assert found["chi_square"]["statistic"] == pytest.approx(7.33, abs=0.01)
