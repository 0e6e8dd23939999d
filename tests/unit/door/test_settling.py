"""A person who administers settles forks, gaps, wheels and forged messages on the floor's pages, with a reason."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from contracts.floor_store_cases import active_alerts, opened, rows
from door_floor import ELSEWHERE, DoorFloor, Person, at_door, error
from floor_messages import LATER_NS, arrived, record, spin
from floor_pages import Floor, run
from stored_floor import an_alert, insert, utc

from controller.floor.store import schema
from controller.floor.store.store import Store, StoreAwayError
from controller.journal.chain import utc_text
from controller.messages.models import Message

NOW = utc_text(LATER_NS)
TABLE = "big-six-1"
REASON = "the disk was exchanged"


def forked() -> list[Message]:
    """Two branches of a record: of the second one there are two rounds."""
    ours, theirs = (record([3, 3, 3, 2], spins=[spin(1)], changed_from=change) for change in (None, 2))
    return [*ours[:3], *theirs[2:]]


def sent(floor: DoorFloor, messages: Sequence[Message]) -> Store:
    """The store behind the pages, after these messages."""
    store = opened(str(floor.engine.url), floor.record)
    if messages:
        store.take([arrived(one) for one in messages])
    return store


async def looking_after(store: Store, act: Awaitable[Any]) -> Any:
    """What an act is answered while the floor's writer does its work; what the writer cannot do fails here, too."""
    answer = asyncio.ensure_future(act)
    while not answer.done():
        await asyncio.to_thread(store.look_after, [], NOW)
        await asyncio.wait([answer], timeout=0.01)
    return answer.result()


async def seen(floor: DoorFloor, person: Person, store: Store, kind: str = "fork") -> dict[str, Any]:
    """What the page of an alert shows."""
    (alert,) = active_alerts(store, kind)
    answer = await floor.get(person, f"/alerts/{alert['id']}.json")
    assert answer.status == 200
    document: dict[str, Any] = json.loads(answer.body)
    return document


def body(document: dict[str, Any], choice: str, **changed: object) -> dict[str, object]:
    return {"id": document["alert"]["id"], "choice": choice, "seen": document["seen"], "reason": REASON} | changed


def at_fork(folder: Path, exchange: Callable[[DoorFloor, Store], Awaitable[None]], *messages: Message) -> DoorFloor:
    async def whole(floor: DoorFloor) -> None:
        store = sent(floor, messages or forked())
        try:
            await exchange(floor, store)
        finally:
            store.close()

    return at_door(folder, whole)


@pytest.mark.parametrize("choice", ["stored", "disputed", "neither"])
def test_a_fork_is_settled_from_its_page_by_the_person_who_logged_on(tmp_path: Path, choice: str) -> None:
    async def exchange(floor: DoorFloor, store: Store) -> None:
        eve = floor.person("eve", "administer")
        await floor.log_on(eve)
        document = await seen(floor, eve, store)
        assert [one["value"] for one in document["choices"]] == ["stored", "disputed", "neither"]
        (fork,) = document["forks"]
        assert (fork["parts"], fork["stored"]["total"], fork["disputed"]["total"]) == (7, 1, 2)
        assert [one["number"] for one in fork["disputed"]["rounds"]] == [2, 3]
        assert fork["stored"]["rounds"][0]["hash"] != fork["disputed"]["rounds"][0]["hash"]
        settled = floor.post(eve, "/alerts/settle", body(document, choice, person="somebody else"))
        answer = await looking_after(store, settled)
        assert answer.status == 200
        assert not active_alerts(store, "fork")
        (row,) = rows(store, schema.settlements)
        assert (row["person"], row["what"], row["reason"], row["origin"]) == ("eve", choice, REASON, ELSEWHERE)
        assert json.loads(answer.body) == {"outcome": row["outcome"]}
        after = json.loads((await floor.get(eve, f"/alerts/{document['alert']['id']}.json")).body)
        assert after["choices"] == []
        (shown,) = after["settlements"]
        assert (shown["person"], shown["reason"], shown["what"]) == ("eve", REASON, choice)
        assert shown["done_ms"] is not None
        assert f"settled by eve: {REASON}" in after["alert"]["remedy"]

    kind, said = at_fork(tmp_path, exchange).entries()[-1]
    assert kind == "fork-settled"
    assert said == {
        "person": "eve", "table": TABLE, "what": choice, "reason": REASON, "number": 1, "from": ELSEWHERE
    }  # fmt: skip


def test_gaps_wheels_and_forged_messages_are_settled_from_their_pages(tmp_path: Path) -> None:
    gap = record([2, 3, 4, 1, 1])
    wheel = [record([2, 2], one, one, wheel="W:1", spins=[spin(1)])[0] for one in ("at-a", "at-b")]

    async def exchange(floor: DoorFloor, store: Store) -> None:
        eve = floor.person("eve", "administer")
        await floor.log_on(eve)
        insert(floor.engine, {"alerts": [an_alert("at-a", "a message is false", kind="false")]})
        for kind, choice, outcome in (
            ("gap", "gap", "entries 3 to 5, 10 to 10 are gone for good"),
            ("wheel", "at-b", "wheel W:1 is at table at-b, and was at at-a"),
            ("false", "false", "the forged messages stay refused"),
        ):
            document = await seen(floor, eve, store, kind)
            assert choice in [one["value"] for one in document["choices"]]
            answer = await looking_after(store, floor.post(eve, "/alerts/settle", body(document, choice)))
            assert (answer.status, json.loads(answer.body)) == (200, {"outcome": outcome})
            assert not active_alerts(store, kind)

    floor = at_fork(tmp_path, exchange, gap[0], gap[2], gap[4], *wheel)
    assert floor.kinds()[1:] == ["gap-settled", "wheel-settled", "false-settled"]


@pytest.mark.parametrize("role", ["look", "acknowledge"])
def test_others_see_what_there_is_to_settle_and_settle_nothing(tmp_path: Path, role: str) -> None:
    async def exchange(floor: DoorFloor, store: Store) -> None:
        ana = floor.person("ana", role)
        await floor.log_on(ana)
        document = await seen(floor, ana, store)
        assert document["forks"]
        assert document["choices"]
        answer = await floor.post(ana, "/alerts/settle", body(document, "stored"))
        assert (answer.status, error(answer)) == (403, f"your role is {role}; this needs the role administer")
        assert not rows(store, schema.settlements)

    assert at_fork(tmp_path, exchange).kinds() == ["logged-on", "access-refused"]


@pytest.mark.parametrize("token", ["", "x", None])
def test_a_page_of_others_settles_nothing_with_the_cookie_of_a_person(tmp_path: Path, token: str | None) -> None:
    async def exchange(floor: DoorFloor, store: Store) -> None:
        eve, other = floor.person("eve", "administer"), floor.person("zoe", "administer")
        await floor.log_on(eve)
        await floor.log_on(other)
        document = await seen(floor, eve, store)
        eve.token = other.token if token is None else token
        assert (await floor.post(eve, "/alerts/settle", body(document, "stored"))).status == 403
        assert (await floor.post(None, "/alerts/settle", body(document, "stored"))).status == 401
        assert not rows(store, schema.settlements)

    at_fork(tmp_path, exchange)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"reason": ""}, "the reason is missing"),
        ({"reason": " "}, "the reason is missing"),
        ({"reason": "x" * 1001}, "at most 1000"),
        ({"reason": "two\nlines"}, "printable"),
        ({"reason": "\ud800"}, "printable"),
        ({"reason": None}, "send choice, seen and reason as texts"),
        ({"choice": "mine"}, "choose one of: stored, disputed, neither"),
        ({"choice": ["stored"]}, "send choice, seen and reason as texts"),
        ({"seen": 1}, "send choice, seen and reason as texts"),
        ({"id": "1"}, "the number of the alert"),
        ({"id": True}, "the number of the alert"),
        ({"id": 1 << 60}, "the number of the alert"),
    ],
)
def test_without_a_choice_and_a_reason_nothing_is_settled(
    tmp_path: Path, changed: dict[str, object], words: str
) -> None:
    async def exchange(floor: DoorFloor, store: Store) -> None:
        eve = floor.person("eve", "administer")
        await floor.log_on(eve)
        answer = await floor.post(eve, "/alerts/settle", body(await seen(floor, eve, store), "stored") | changed)
        assert answer.status == 400
        assert words in error(answer)
        assert not rows(store, schema.settlements)

    at_fork(tmp_path, exchange)


def test_what_has_changed_since_it_was_looked_at_or_is_over_is_not_settled(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor, store: Store) -> None:
        eve = floor.person("eve", "administer")
        await floor.log_on(eve)
        document = await seen(floor, eve, store)
        store.take([arrived(record([3, 3, 3, 2], spins=[spin(1)])[3])])
        answer = await floor.post(eve, "/alerts/settle", body(document, "disputed"))
        assert (answer.status, "has changed since" in error(answer)) == (409, True)
        (table,) = (row["id"] for row in rows(store, schema.alerts) if row["kind"] == "table")
        for id_ in (table, 999):
            answer = await floor.post(eve, "/alerts/settle", body(document, "stored", id=id_))
            assert (answer.status, "is over, or a person does not settle it" in error(answer)) == (409, True)
        document = await seen(floor, eve, store)
        assert (
            await looking_after(store, floor.post(eve, "/alerts/settle", body(document, "stored")))
        ).status == 200
        answer = await floor.post(eve, "/alerts/settle", body(document, "stored"))
        assert answer.status == 409
        assert len(rows(store, schema.settlements)) == 1

    at_fork(tmp_path, exchange)


def test_a_settlement_takes_no_effect_before_it_is_on_record(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor, store: Store) -> None:
        eve = floor.person("eve", "administer")
        await floor.log_on(eve)
        document = await seen(floor, eve, store)
        floor.record.close()
        floor.pages.settling.patience_s = 0.0
        answer = await floor.post(eve, "/alerts/settle", body(document, "stored"))
        assert answer.status == 202
        with pytest.raises(StoreAwayError, match="record cannot be written"):
            store.look_after([], NOW)
        assert "once its record and its store can be written" in json.loads(answer.body)["outcome"]
        assert active_alerts(store, "fork")
        (row,) = rows(store, schema.settlements)
        assert row["done"] is None

    async def whole() -> None:
        floor = DoorFloor(tmp_path)
        store = sent(floor, forked())
        await exchange(floor, store)
        store.close()
        floor.pages.close()
        floor.engine.dispose()

    asyncio.run(whole())


def test_without_a_log_on_nobody_settles_on_a_page_and_the_page_says_what_does(tmp_path: Path) -> None:
    store = opened(f"sqlite:///{tmp_path}/floor.db")
    store.take([arrived(one) for one in forked()])
    (alert,) = active_alerts(store, "fork")

    async def exchange(floor: Floor) -> None:
        document = await floor.document(f"/alerts/{alert['id']}.json")
        answer = await floor.post("/alerts/settle", body(document, "stored"))
        assert answer.status == 400
        assert "or use the command table-controller settle" in json.loads(answer.body)["error"]
        assert (await floor.get(f"/alerts/{alert['id']}")).status == 200
        for path in ("/alerts/999", "/alerts/999.json", "/alerts/x.json", "/alerts/", f"/alerts/{'9' * 30}"):
            assert (await floor.get(path)).status == 404
        assert (await floor.get("/access")).status == 404
        assert (await floor.get("/access.json")).status == 404

    run(store.engine, exchange)
    assert not rows(store, schema.settlements)
    store.close()


def test_the_alert_of_a_wheel_whose_number_has_a_colon_names_the_whole_number(tmp_path: Path) -> None:
    """The key of the alert is the serial number, a colon and the table that has the wheel."""
    wheel = [record([2, 2], one, one, wheel="W:1", spins=[spin(1)])[0] for one in ("at-a", "at-b")]

    async def exchange(floor: DoorFloor, store: Store) -> None:
        ana = floor.person("ana")
        await floor.log_on(ana)
        words = [one["words"] for one in (await seen(floor, ana, store, "wheel"))["choices"]]
        assert words == ["wheel W:1 is at table at-b now", "wheel W:1 is at table at-a now"]

    at_fork(tmp_path, exchange, *wheel)


def test_old_alerts_of_the_floor_that_ended_are_still_shown(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        insert(floor.engine, {"alerts": [an_alert("roulette-1", "over", ended=utc(0), kind="gap")]})
        ana = floor.person("ana")
        await floor.log_on(ana)
        document = json.loads((await floor.get(ana, "/alerts/2.json")).body)
        assert (document["alert"]["text"], document["choices"], document["ends"]) == ("over", [], [])

    at_door(tmp_path, exchange)
