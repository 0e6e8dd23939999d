"""The page of an alert shows both branches of a fork, the commands that settle it, and what was settled."""

import shlex
from pathlib import Path
from typing import Any

import pytest
from contracts.floor_store_cases import active_alerts, opened, rows
from floor_messages import LATER_NS, arrived, record, spin
from floor_pages import Floor, run

from controller.commands import settle as settle_command
from controller.commands.cli import main
from controller.floor.record.floor_record import FloorRecord
from controller.floor.store import schema
from controller.floor.store.store import Store
from controller.journal.chain import utc_text
from controller.messages.models import Message
from hal.mock.clock import VirtualClock

NOW = utc_text(LATER_NS)
GAP = record([2, 3, 4, 1, 1])
WHEEL = [record([2, 2], one, one, wheel="W:1", spins=[spin(1)])[0] for one in ("at-a", "at-b")]


def forked() -> list[Message]:
    """Two branches of a record: of the second one there are two rounds."""
    ours, theirs = (record([3, 3, 3, 2], spins=[spin(1)], changed_from=change) for change in (None, 2))
    return [*ours[:3], *theirs[2:]]


def shown(store: Store, id_: int) -> Any:
    """The document of an alert's page."""
    found = []

    async def exchange(floor: Floor) -> None:
        found.append(await floor.document(f"/alerts/{id_}.json"))

    run(store.engine, exchange)
    return found[0]


@pytest.fixture
def settles(file: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command that a page shows, as a person does who fills it in."""
    monkeypatch.setattr(settle_command, "PATIENCE_S", 0.0)
    given = {"floor.yaml": str(file), "NAME": "m.weber", "TEXT": "the disk was exchanged"}

    def settle(command: str) -> None:
        program, *words = shlex.split(command)
        assert program == "table-controller"
        assert main([given.get(word, word) for word in words]) == 0

    return settle


@pytest.mark.parametrize(
    ("messages", "kind", "at", "outcome"),
    [
        (forked(), "fork", 0, "the branch that was stored first is kept; 2 rounds stay apart"),
        (forked(), "fork", 1, "1 rounds that were stored are kept apart; 2 that were apart are stored"),
        (forked(), "fork", 2, "1 rounds that were stored are kept apart; 0 that were apart are stored"),
        ([GAP[0], GAP[2], GAP[4]], "gap", 0, "entries 3 to 5, 10 to 10 are gone for good"),
        (WHEEL, "wheel", 0, "wheel W:1 is at table at-b, and was at at-a"),
        (WHEEL, "wheel", 1, "wheel W:1 is at table at-a"),
    ],
)
def test_each_command_of_the_page_settles_as_the_page_says(
    file: Path, settles: Any, messages: list[Message], kind: str, at: int, outcome: str
) -> None:
    store = opened(f"sqlite:///{file.parent}/floor.db", FloorRecord(None, VirtualClock()))
    store.take([arrived(one) for one in messages])
    (alert,) = active_alerts(store, kind)
    settles(shown(store, alert["id"])["choices"][at]["command"])
    store.look_after([], NOW)
    assert not active_alerts(store, kind)
    after = shown(store, alert["id"])
    assert after["choices"] == []
    (settled,) = rows(store, schema.settlements)
    assert (settled["person"], settled["reason"]) == ("m.weber", "the disk was exchanged")
    assert settled["outcome"] == outcome
    assert [one["outcome"] for one in after["settlements"]] == [outcome] * (settled["table"] == alert["table"])
    assert "settled by m.weber: the disk was exchanged" in after["alert"]["remedy"]
    store.close()


def test_both_branches_of_a_fork_are_shown_and_nothing_is_settled_there(tmp_path: Path) -> None:
    store = opened(f"sqlite:///{tmp_path}/floor.db")
    store.take([arrived(one) for one in forked()])
    (alert,) = active_alerts(store, "fork")

    async def exchange(floor: Floor) -> None:
        document = await floor.document(f"/alerts/{alert['id']}.json")
        (fork,) = document["forks"]
        assert (fork["parts"], fork["stored"]["total"], fork["disputed"]["total"]) == (7, 1, 2)
        assert [one["number"] for one in fork["disputed"]["rounds"]] == [2, 3]
        assert fork["stored"]["rounds"][0]["hash"] != fork["disputed"]["rounds"][0]["hash"]
        assert (await floor.get(f"/alerts/{alert['id']}")).status == 200
        for path in ("/alerts/999", "/alerts/999.json", "/alerts/x.json", "/alerts/", f"/alerts/{'9' * 30}"):
            assert (await floor.get(path)).status == 404
        for path in ("/alerts/settle", f"/alerts/{alert['id']}"):
            assert (await floor.post(path, {"id": alert["id"], "choice": "stored", "reason": "x"})).status == 404

    run(store.engine, exchange)
    assert not rows(store, schema.settlements)
    store.close()
