"""What a person may do by role, and only from a page of the floor; alerts keep who acknowledged them, and why."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from door_floor import ELSEWHERE, DoorFloor, at_door, error
from sqlalchemy import Connection, select
from stored_floor import NOW_MS, an_alert, insert, utc

from config.floor import AlertsSection
from controller.floor.escalation import Escalation
from controller.floor.queries.overview import alert_rows
from controller.floor.store.schema import alerts

REASON = {"id": 1, "reason": "the lamp was changed"}


def stored(floor: DoorFloor, id_: int = 1) -> Any:
    with floor.engine.connect() as db:
        return db.execute(select(alerts).where(alerts.c.id == id_)).one()


def rows(floor: DoorFloor) -> list[Any]:
    def query(db: Connection) -> list[Any]:
        return list(alert_rows(db, 100))

    with floor.engine.connect() as db:
        return query(db)


def test_an_alert_keeps_who_acknowledged_it_when_and_why_and_so_does_the_record(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ben = floor.person("ben", "acknowledge")
        await floor.log_on(ben)
        assert (await floor.post(ben, "/alerts/acknowledge", REASON)).status == 204
        row = stored(floor)
        assert (row.acknowledged_by, row.reason, row.acknowledged) == ("ben", REASON["reason"], utc(NOW_MS))
        again = await floor.post(ben, "/alerts/acknowledge", {"id": 1, "reason": "another one"})
        assert again.status == 409
        assert "acknowledged meanwhile" in error(again)
        assert stored(floor).reason == REASON["reason"], "the first one stays"
        document = json.loads((await floor.get(ben, "/floor.json")).body)
        shown = document["alerts"][0]
        assert (shown["acknowledged_by"], shown["reason"]) == ("ben", REASON["reason"])

    entries = at_door(tmp_path, exchange).entries()
    assert entries[1] == (
        "alert-acknowledged",
        {
            "person": "ben",
            "alert": 1,
            "table": "roulette-1",
            "alert_kind": "table",
            "text": "it is dark",
            "reason": REASON["reason"],
            "from": ELSEWHERE,
        },
    )
    assert [kind for kind, _ in entries].count("alert-acknowledged") == 1


def test_who_may_only_look_acknowledges_nothing(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ana = floor.person("ana", "look")
        await floor.log_on(ana)
        for _ in range(3):
            answer = await floor.post(ana, "/alerts/acknowledge", REASON)
            assert (answer.status, error(answer)) == (403, "your role is look; this needs the role acknowledge")
        assert stored(floor).acknowledged is None

    entries = at_door(tmp_path, exchange).entries()
    assert entries[1:] == [
        ("access-refused", {"person": "ana", "path": "/alerts/acknowledge", "from": ELSEWHERE})
    ], "once a session"


@pytest.mark.parametrize("token", ["", "x", "é", None])
def test_a_page_of_others_cannot_act_with_the_cookie_of_a_person(tmp_path: Path, token: str | None) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ben, eve = floor.person("ben", "administer"), floor.person("eve", "administer")
        await floor.log_on(ben)
        await floor.log_on(eve)
        ben.token = eve.token if token is None else token
        answer = await floor.post(ben, "/alerts/acknowledge", REASON)
        assert (answer.status, error(answer)) == (403, "only a page of this site may act; load the page again")
        assert (await floor.post(ben, "/logoff", {})).status == 403
        assert stored(floor).acknowledged is None

    at_door(tmp_path, exchange)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"id": 1},
        {"id": "1", "reason": "a reason"},
        {"id": True, "reason": "a reason"},
        {"id": -1, "reason": "a reason"},
        {"id": 2**60, "reason": "a reason"},
        {"id": 1, "reason": "  x  "},
        {"id": 1, "reason": "x" * 501},
        {"id": 1, "reason": "two\nlines"},
        {"id": 1, "reason": "\ud800 what"},
        {"id": 1, "reason": ["a reason"]},
    ],
)
def test_without_a_number_and_a_reason_nothing_is_acknowledged(tmp_path: Path, body: object) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ben = floor.person("ben", "acknowledge")
        await floor.log_on(ben)
        assert (await floor.post(ben, "/alerts/acknowledge", body)).status == 400
        assert stored(floor).acknowledged is None

    assert at_door(tmp_path, exchange).kinds() == ["logged-on"]


def test_what_cannot_be_on_record_does_not_happen(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ben = floor.person("ben", "acknowledge")
        await floor.log_on(ben)
        floor.record.close()
        assert (await floor.post(ben, "/alerts/acknowledge", REASON)).status == 503
        assert stored(floor).acknowledged is None
        assert (await floor.get(ben, "/export/rounds.csv?table=roulette-1")).status == 503
        ana = floor.person("ana")
        assert (await floor.log_on(ana)).status == 503
        assert ana.cookie == ""
        assert (await floor.get(ben, "/floor.json")).status == 200, "looking goes on"

    async def run() -> None:
        floor = DoorFloor(tmp_path)
        await exchange(floor)
        floor.pages.close()
        floor.engine.dispose()

    asyncio.run(run())


# -- escalation ----------------------------------------------------------------------------------------------------


def test_what_nobody_acknowledges_in_time_is_escalated_once_and_stands_first(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def exchange(floor: DoorFloor) -> None:
        old = an_alert("sic-bo-1", "an old one", NOW_MS - 900_000)
        ended = an_alert("sic-bo-2", "one that ended", NOW_MS - 900_000, ended=utc(NOW_MS - 800_000))
        settled = an_alert("sic-bo-3", "acknowledged", NOW_MS - 900_000, acknowledged=utc(NOW_MS - 1000))
        settled |= {"acknowledged_by": "ben", "reason": "known"}
        for one in (old, ended, settled):
            insert(floor.engine, {"alerts": [one]})
        changed: list[int] = []
        section = AlertsSection(escalate_after_min=15)
        escalation = Escalation(floor.engine, section, floor.clock, lambda: changed.append(1))
        assert escalation.look() == 0, "not yet: fifteen minutes after it arrived"
        floor.wait(1)
        assert escalation.look() == 1
        assert escalation.look() == 0
        assert [line.message for line in caplog.records if line.levelname == "ERROR"] == [
            f"nobody has acknowledged an alert of sic-bo-1 since {utc(NOW_MS - 899_800)}: an old one"
        ]
        assert [(row["text"], row["escalated"]) for row in rows(floor)] == [
            ("an old one", True),
            ("it is dark", False),
            ("acknowledged", False),
        ]
        ben = floor.person("ben", "acknowledge")
        await floor.log_on(ben)
        body = {"id": rows(floor)[0]["id"], "reason": "seen to"}
        assert (await floor.post(ben, "/alerts/acknowledge", body)).status == 204
        assert rows(floor)[0]["text"] == "it is dark", "what is acknowledged comes last"
        assert not any(row["escalated"] for row in rows(floor))

    at_door(tmp_path, exchange)
