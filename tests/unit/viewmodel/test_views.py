"""The views of a table: made as they change, for whoever follows them, and never at the table's expense."""

import json
import logging
from collections.abc import Callable

import pytest
from limits_table import with_limits
from viewer import Viewer

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.viewmodel import views
from controller.viewmodel.history import TableHistory
from controller.viewmodel.views import INTERVAL_NS, REFRESH_NS, TableViews


def views_of(rig: Rig) -> TableViews:
    made = TableViews(rig.config, rig.clock)
    made.watch(rig.table)
    return made


def wait_ns(rig: Rig, ns: int) -> None:
    rig.wait(ns / 1e9)


def test_every_document_follows_the_table(dreamcatcher: Rig) -> None:
    shown, viewer = views_of(dreamcatcher), Viewer()
    shown.follow(viewer)
    assert viewer.views["table"]["title"] == "Dreamcatcher"
    assert viewer.views["board"]["headline"] == "PLACE YOUR WAGERS"
    assert "dealer" not in viewer.views["board"], "the board does not show the dealer"
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(revolutions=4.2, stop_on="40")
    dreamcatcher.wait(1)
    board = viewer.views["board"]
    assert (board["result"], board["lit"], board["history"][0]["label"]) == ("40", ["40"], "40")
    assert any(turn["made"] for turn in viewer.turns)
    assert json.loads(json.dumps(viewer.views, allow_nan=False)) == viewer.views
    prompt = "floorperson: key your PIN, then enter: ••"
    shown.closed("the journal is damaged", prompt)
    dreamcatcher.wait(1)
    board, dealer = viewer.views["board"], viewer.views["dealer"]
    assert (board["headline"], board["result"]) == ("TABLE IS CLOSED", "")
    assert (dealer["task"]["act"], dealer["prompt"]) == ("the journal is damaged", prompt)
    assert "PIN" not in json.dumps(board)


def test_documents_are_made_once_for_changes_in_quick_succession(dreamcatcher: Rig) -> None:
    shown, viewer = views_of(dreamcatcher), Viewer()
    shown.follow(viewer)
    wait_ns(dreamcatcher, INTERVAL_NS)
    before, taken = dict(viewer.views), viewer.taken
    for _ in range(5):
        shown.changed()
    assert viewer.taken == taken, "the table has not done its work yet"
    wait_ns(dreamcatcher, INTERVAL_NS)
    assert viewer.taken == taken + 1
    assert all(viewer.views[name] is before[name] for name in ("table", "board", "dealer")), "nothing has changed"
    wait_ns(dreamcatcher, 2 * REFRESH_NS)
    assert viewer.taken - taken in (2, 3), "ages change by themselves"


@pytest.mark.parametrize(
    ("target", "step"), [(TableHistory, "__call__"), (TableHistory, "recall"), (views, "board"), (views, "turn")]
)
def test_a_defect_of_the_screens_does_not_stop_the_table(
    dreamcatcher: Rig,
    target: object,
    step: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(*given: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(target, step, fails)
    views_of(dreamcatcher).follow(Viewer())
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(revolutions=4.2, stop_on="40")
    assert dreamcatcher.state.value == "result"
    assert "the screens failed; the table plays on" in caplog.text


def test_the_sign_is_lit_while_a_board_is_on_display(shipped: Callable[[str], TableConfig]) -> None:
    for enabled in (True, False):
        screens = shipped("dreamcatcher").screens.model_copy(update={"enabled": enabled})
        rig = Rig(shipped("dreamcatcher").model_copy(update={"screens": screens}))
        shown, viewer = views_of(rig), Viewer()
        assert rig.table.sign.lit() == (not enabled), "without screens the sign is elsewhere at the table"
        shown.follow(viewer)
        assert rig.table.sign.lit() == (not enabled)
        viewer.showing = 1
        assert rig.table.sign.lit()
        shown.leave(viewer)
        assert rig.table.sign.lit() == (not enabled)
        rig.table.stop()


def test_what_happens_at_the_table_is_counted(dreamcatcher: Rig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    shown, viewer = views_of(dreamcatcher), Viewer()
    shown.follow(viewer)
    before = viewer.views["counts"]
    assert (before["state"]["bets-open"], before["running"], before["halted"]) == (1, 1, 0)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(revolutions=2.1, stop_on="1")
    dreamcatcher.wait(1)
    dreamcatcher.spin(revolutions=4.2, stop_on="40")
    dreamcatcher.wait(1)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.wait(1)
    after = viewer.views["counts"]
    assert after["voids"] == {"fewer-than-three-revolutions": 1}
    assert (after["spins"], after["results"], after["refused_presses"]) == (2, 1, 1)
    assert [state for state, present in after["state"].items() if present] == ["result"]
    assert after["journal_entries"] == len(dreamcatcher.journal) > before["journal_entries"]
    assert after["device_health"]["panel"] == "ok"


GIVEN = {"minimum": "10", "maximum": "1000"}


@pytest.fixture
def limited(shipped: Callable[[str], TableConfig]) -> Rig:
    rig = Rig(with_limits(shipped("dreamcatcher"), payout=25_000))
    rig.turn(1.2)
    return rig


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"set": GIVEN},
        {"set": GIVEN, "minutes": 29},
        {"set": GIVEN, "minutes": 30, "nobody_plays": True},
        {"set": GIVEN, "from_utc_ms": -1},
        {"set": {"minimum": 10, "maximum": 1000}, "minutes": 30},
        {"set": {"minimum": "10"}, "minutes": 30},
        {"set": {**GIVEN, "payout": "999"}, "minutes": 30},
        {"withdraw": True},
        {"withdraw": 1, "show": True},
    ],
)
def test_an_invalid_request_changes_nothing(limited: Rig, body: dict[str, object]) -> None:
    shown = views_of(limited)
    with pytest.raises(ValueError, match=r".{10}"):
        shown.limits(body)
    assert (limited.table.sign.prompt(), shown.limits({"show": True})["proposal"]) == ("", None)
