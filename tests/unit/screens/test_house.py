"""The house's name, colour and logo on the pages of its table."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from config.schema import ScreensSection
from config.screens import HouseSection
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.screens.house import MOST_BYTES
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from controller.web.http import Request, Response
from hal.mock.clock import VirtualClock

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>'


def _got(tmp_path: Path, path: str, **house: str) -> Response:
    loaded = load_table(table_path("sic-bo"))
    screens = ScreensSection(house=HouseSection(**house) if house else None)
    config = loaded.config.model_copy(update={"screens": screens})
    shown = ScreenServer(LoadedTable(loaded.path, config, "0" * 64), VirtualClock(), Rounds(tmp_path, tmp_path))
    answer = shown.site(Request("GET", path, headers={"host": "localhost"}))
    shown.close()
    assert isinstance(answer, Response)
    return answer


def _house(tmp_path: Path, **house: str) -> Any:
    return json.loads(_got(tmp_path, "/table.json", **house).body)["house"]


def test_name_and_colour_are_in_the_tables_description(tmp_path: Path) -> None:
    assert _house(tmp_path, name="Casino Example") == {"name": "Casino Example", "colour": "", "logo": ""}
    assert _house(tmp_path, name="Lido", colour="#e8c15a")["colour"] == "#e8c15a"


@pytest.mark.parametrize(("name", "kind"), [("logo.svg", "image/svg+xml"), ("Logo.PNG", "image/png")])
def test_a_logo_is_served_as_what_it_is_and_runs_no_script(name: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(SVG)
    place = _house(tmp_path, name="Lido", logo=str(tmp_path / name))["logo"]
    logo = _got(tmp_path, place, name="Lido", logo=str(tmp_path / name))
    assert (logo.body, logo.kind) == (SVG, kind)
    assert dict(logo.headers)["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
    assert _got(tmp_path, f"{place}/..", name="Lido", logo=str(tmp_path / name)).status == 404


@pytest.mark.parametrize("size", [None, MOST_BYTES + 1])
def test_a_logo_that_is_not_there_or_too_large_is_named_and_the_pages_are_served(
    size: int | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    logo = tmp_path / "logo.svg"
    if size is not None:
        logo.write_bytes(b" " * size)
    with caplog.at_level(logging.WARNING):
        assert _house(tmp_path, name="Lido", logo=str(logo)) == {"name": "Lido", "colour": "", "logo": ""}
    assert f"house: logo: {logo}" in caplog.text
    assert "the pages show none" in caplog.text


@pytest.mark.parametrize(
    ("colour", "says"),
    [
        ("#803010", "has a contrast of 1."),
        ("#fff", "should match pattern"),
    ],
)
def test_a_colour_that_cannot_be_read_is_an_error(colour: str, says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        HouseSection(name="Lido", colour=colour)
