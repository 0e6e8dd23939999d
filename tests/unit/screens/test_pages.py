"""The pages of a table: what is served, to whom, and what is not."""

import asyncio
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from asgi import Answer, ask

from config.schema import ScreensSection, TableConfig
from config.screens import HouseSection
from controller.configuration.shipped import load_table, table_path
from controller.machine.registry import game_names
from controller.screens import pages as pages_module
from controller.screens.pages import HEADERS, Pages
from controller.screens.rounds import Rounds
from hal.clock import LoopClock

NOWHERE = Path("/nowhere")
ASSETS = Path(pages_module.__file__).parent / "assets"
_IMPORT = re.compile(r'from "(/[^"]+)"')
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>'
TOKEN = "0123456789abcdef"


def pages_of(game: str = "sic-bo", config: TableConfig | None = None, **screens: Any) -> Pages:
    """The pages of a table that has not been reached."""

    async def made() -> Pages:
        table = config or load_table(table_path(game)).config
        shown = table.model_copy(update={"screens": ScreensSection(**screens)})
        return Pages(shown, LoopClock(), Rounds(shown, NOWHERE, NOWHERE))

    return asyncio.run(made())


def got(path: str, method: str = "GET", game: str = "sic-bo", screens: Any = None, **headers: str) -> Answer:
    return ask(pages_of(game, **(screens or {})).application, path, method, **headers)


@pytest.mark.parametrize("game", game_names())
def test_every_script_that_a_page_imports_is_served(game: str) -> None:
    application = pages_of(game).application
    assert b"export function build(" in ask(application, "/game/figure.js").body
    assert ask(application, "/game/figure.css").headers["content-type"].startswith("text/css")
    wanted = ["/game/figure.js", *(f"/assets/{file.name}" for file in ASSETS.glob("*.js"))]
    for path in wanted:
        answer = ask(application, path)
        assert answer.status == 200, path
        wanted += [one for one in _IMPORT.findall(answer.text) if one not in wanted]


@pytest.mark.parametrize(
    "path",
    [
        *("", "/board", "/assets", "/assets/", "//", "/table.json/", "/assets/../pages.py", "/assets//etc/passwd"),
        *("/assets/..", "/assets/board.js\x00", "/assets/%2e%2e/pages.py", "/game/", "/game", "/game/game.py"),
        *("/game/../game/figure.js/", "/game/__init__.py", "/metrics", "/house/logo", "/bench", "/bench.events"),
        *("/bench/act", "/limits"),
    ],
)
def test_nothing_else_is_served_and_nobody_acts_over_the_network(path: str) -> None:
    assert got(path).status == 404
    assert got(path, "POST").status in (404, 405)
    assert {got("/", method).status for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH")} == {405}


OWN = ("localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:8080", "table-7.floor:8080")
FOREIGN = (
    *("", "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost@evil", "[", "::1"),
    *("localhost, evil", "localhost:80:80", "localhost/", "[localhost]"),
)


@pytest.mark.parametrize(("hosts", "status"), [(OWN, 200), (FOREIGN, 421)])
def test_this_computer_answers_to_its_own_host_names_alone(hosts: tuple[str, ...], status: int) -> None:
    """DNS rebinding."""
    for host in hosts:
        answer = got("/", screens={"hosts": ["Table-7.floor"]}, host=host)
        assert (answer.status, answer.headers["x-content-type-options"]) == (status, "nosniff"), host


def test_every_answer_has_the_security_headers_and_a_browser_gets_a_file_once() -> None:
    for path in ("/", "/dealer", "/rounds", "/table.json", "/assets/base.css", "/nothing", "/rounds.json"):
        answer = got(path)
        assert {name.lower() for name in HEADERS} <= set(answer.headers)
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
        if "etag" in answer.headers:
            assert got(path, if_none_match=answer.headers["etag"]).status == 304


def test_a_table_that_is_not_reached_is_described_for_what_its_pages_draw() -> None:
    document = got("/table.json", game="dreamcatcher").document
    assert (document["title"], document["figure"]) == ("Dreamcatcher", "wheel")
    assert (document["bench"], "breakages" in document) == (False, False)
    pages = pages_of("dreamcatcher")
    assert pages.hub.board()["headline"] == "TABLE IS CLOSED"
    assert "not been reached" in pages.hub.dealer()["dealer"]["task"]["act"]  # type: ignore[index]


# -- the house -----------------------------------------------------------------------------------------------------


def house(**section: str) -> Any:
    return got("/table.json", screens={"house": HouseSection(**section)}).document["house"]


@pytest.mark.parametrize(("name", "kind"), [("logo.svg", "image/svg+xml"), ("Logo.PNG", "image/png")])
def test_a_logo_is_served_as_what_it_is_and_runs_no_script(name: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(SVG)
    section = {"name": "Lido", "colour": "#e8c15a", "logo": str(tmp_path / name)}
    assert house(**section) == {"name": "Lido", "colour": "#e8c15a", "logo": "/house/logo"}
    logo = got(house(**section)["logo"], screens={"house": HouseSection(**section)})
    assert (logo.body, logo.headers["content-type"]) == (SVG, kind)
    assert logo.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")


@pytest.mark.parametrize("size", [None, 256 * 1024 + 1])
def test_a_logo_that_is_not_there_or_too_large_is_named_and_the_pages_are_served(
    size: int | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    logo = tmp_path / "logo.svg"
    if size is not None:
        logo.write_bytes(b" " * size)
    with caplog.at_level(logging.WARNING):
        assert house(name="Lido", logo=str(logo)) == {"name": "Lido", "colour": "", "logo": ""}
    assert f"house: logo: {logo}" in caplog.text


# -- metrics -------------------------------------------------------------------------------------------------------

COUNTERS = {
    *("decisions", "rounds", "spins", "results", "bonus_spins", "voids", "wagers_returned", "corrections"),
    *("refused_presses", "alerts"),
}
GAUGES = {"start_time_seconds", "running", "halted", "alerts_active", "journal_entries", "screens_viewers"}
COUNTS = {
    **dict.fromkeys(COUNTERS, 3),
    "voids": {"between-sections": 2},
    "wagers_returned": {},
    "running": 1,
    "halted": 0,
    "state": {"bets-open": 1, "result": 0},
    "journal_entries": 12,
    "alerts_active": {"none": 0, "panel": 1},
    "device_health": {"panel": "stuck"},
}


def test_the_metrics_have_the_names_that_rules_and_dashboards_use() -> None:
    pages = pages_of("dreamcatcher", metrics=True)
    pages.hub.views["counts"] = COUNTS
    text = ask(pages.application, "/metrics").text
    for family, kind in {
        **dict.fromkeys((f"{name}_total" for name in COUNTERS), "counter"),
        **dict.fromkeys(GAUGES, "gauge"),
    }.items():
        assert f"# TYPE table_controller_{family} {kind}\n" in text
    of_table = 'game="dreamcatcher",table="dreamcatcher"'
    for line in (
        f'alerts_active{{device="panel",{of_table}}} 1.0',
        f'device_health{{device="panel",{of_table},table_controller_device_health="stuck"}} 1.0',
        f'state{{{of_table},table_controller_state="bets-open"}} 1.0',
        'voids_total{game="dreamcatcher",reason="between-sections",table="dreamcatcher"} 2.0',
    ):
        assert f"table_controller_{line}\n" in text
    assert "_created" not in text


def test_the_token_is_needed_and_a_wrong_one_refused(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    application = pages_of(metrics=True, metrics_token=str(tmp_path / "token")).application
    for shown in ("", "Bearer", "Bearer ", f"Bearer {TOKEN}0", f"Basic {TOKEN}", TOKEN, "Bearer \xff"):
        answer = ask(application, "/metrics", authorization=shown)
        assert answer.status == 401, shown
        assert answer.headers["www-authenticate"] == 'Bearer realm="metrics"'
        assert "rounds" not in answer.text
    for scheme in ("Bearer", "bearer"):
        assert ask(application, "/metrics", authorization=f"{scheme} {TOKEN}").status == 200


@pytest.mark.parametrize("content", [None, "short", "0123456789 abcdef", ""])
def test_a_token_that_cannot_be_used_is_named_and_nobody_gets_the_metrics(
    content: str | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_text(content)
    application = pages_of(metrics=True, metrics_token=str(file)).application
    assert f"no metrics: screens: metrics_token: {file}: " in caplog.text
    assert ask(application, "/metrics").status == 503
    assert ask(application, "/").status == 200
