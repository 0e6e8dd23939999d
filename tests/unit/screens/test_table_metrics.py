"""``/metrics`` of a table: what it says, and to whom."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics

from config.schema import ScreensSection
from controller.bench.rig import Rig
from controller.configuration.shipped import LoadedTable, table_path
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from controller.web.http import Request, Response

TOKEN = "0123456789abcdef"
GAUGES = {"start_time_seconds", "running", "halted", "alerts_active", "journal_entries", "screens_viewers"}
COUNTERS = {
    *("decisions", "rounds", "spins", "results", "bonus_spins", "voids", "wagers_returned", "corrections"),
    *("refused_presses", "alerts"),
}
OPEN = "application/openmetrics-text; version=1.0.0"


def _server(rig: Rig, tmp_path: Path, **screens: object) -> ScreenServer:
    section = ScreensSection(metrics=True, **screens)  # type: ignore[arg-type]
    config = rig.config.model_copy(update={"screens": section})
    loaded = LoadedTable(table_path(config.game), config, "0" * 64)
    return ScreenServer(loaded, rig.clock, Rounds(tmp_path, tmp_path))


def _scraped(server: ScreenServer, **headers: str) -> Response:
    answer = server._server.handle(
        Request("GET", "/metrics", {}, {"host": "localhost", **headers}, peer="192.168.7.9")
    )
    assert isinstance(answer, Response)
    return answer


def _values(server: ScreenServer) -> dict[str, float]:
    """Each sample by its name and the values of its labels, but table and game."""
    found = {}
    for family in open_metrics(_scraped(server, accept=OPEN).body.decode()):
        for sample in family.samples:
            rest = [value for label, value in sample.labels.items() if label not in ("table", "game")]
            found[" ".join((sample.name.removeprefix("table_controller_"), *rest))] = sample.value
    return found


@pytest.fixture
def server(dreamcatcher: Rig, tmp_path: Path) -> Iterator[ScreenServer]:
    made = _server(dreamcatcher, tmp_path)
    made.watch(dreamcatcher.table)
    yield made
    made.close()


def test_what_happens_at_the_table_is_counted(dreamcatcher: Rig, server: ScreenServer) -> None:
    before = _values(server)
    assert (before["state bets-open"], before["running"], before["halted"]) == (1, 1, 0)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(revolutions=2.1, stop_on="1")
    dreamcatcher.wait(1)
    dreamcatcher.spin(revolutions=4.2, stop_on="40")
    dreamcatcher.wait(1)
    after = _values(server)
    assert after["voids_total fewer-than-three-revolutions"] == 1
    assert (after["spins_total"], after["results_total"]) == (2, 1)
    assert (after["state result"], after["state bets-open"]) == (1, 0)
    assert after["journal_entries"] == len(dreamcatcher.journal) > before["journal_entries"]
    dreamcatcher.press("no-more-bets")
    assert _values(server)["refused_presses_total"] == 1


def test_the_metrics_have_the_names_that_rules_and_dashboards_use(server: ScreenServer) -> None:
    families = list(open_metrics(_scraped(server, accept=OPEN).body.decode()))
    assert {family.name.removeprefix("table_controller_"): family.type for family in families} == {
        "build": "info",
        **dict.fromkeys(("state", "device_health"), "stateset"),
        **dict.fromkeys(GAUGES, "gauge"),
        **dict.fromkeys(COUNTERS, "counter"),
    }
    assert not any(sample.name.endswith("_created") for family in families for sample in family.samples)


def test_a_table_whose_file_does_not_ask_has_no_metrics(dreamcatcher: Rig, tmp_path: Path) -> None:
    loaded = LoadedTable(table_path("dreamcatcher"), dreamcatcher.config, "0" * 64)
    server = ScreenServer(loaded, dreamcatcher.clock, Rounds(tmp_path, tmp_path))
    assert _scraped(server).status == 404
    server.close()


def test_the_token_is_needed_and_a_wrong_one_refused(dreamcatcher: Rig, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    server = _server(dreamcatcher, tmp_path, metrics_token=str(tmp_path / "token"))
    wrong = ("", "Bearer", "Bearer ", f"Bearer {TOKEN}0", f"Basic {TOKEN}", TOKEN, "Bearer \xff")
    for shown in wrong:
        answer = _scraped(server, authorization=shown)
        assert answer.status == 401, shown
        assert ("WWW-Authenticate", 'Bearer realm="metrics"') in answer.headers
        assert b"rounds" not in answer.body
    assert _scraped(server, authorization=f"Bearer {TOKEN}").status == 200
    assert _scraped(server, authorization=f"bearer {TOKEN}").status == 200
    server.close()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "No such file or directory; write a token into it"),
        ("short", "at least 16 printable characters"),
        ("0123456789 abcdef", "without blanks"),
        ("", "at least 16 printable characters"),
    ],
)
def test_a_token_that_cannot_be_used_is_named_and_the_table_plays_on(
    content: str | None, says: str, dreamcatcher: Rig, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_text(content)
    with caplog.at_level(logging.ERROR):
        server = _server(dreamcatcher, tmp_path, metrics_token=str(file))
    assert says in caplog.text
    assert "the table plays on" in caplog.text
    server.watch(dreamcatcher.table)
    dreamcatcher.press("no-more-bets")
    answer = _scraped(server)
    assert answer.status == 503
    assert b"screens: metrics_token" in answer.body
    server.close()
