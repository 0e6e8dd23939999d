"""The kiosk's settings, its sentences, its browser and what it sees of the table's connection."""

import os
import socket
import stat
import sys
from pathlib import Path

import pytest

from config.screens import ScreensSection
from controller.commands import cli
from controller.configuration.shipped import shipped_tables
from controller.kiosk.address import url_of
from controller.kiosk.browser import Browser, command_of, environment_of
from controller.kiosk.connection import answers, holds
from controller.kiosk.notice import page_of
from controller.kiosk.service import TableService
from controller.kiosk.settings import KioskSettings, read, settings_of, write
from hal.displays import LinuxDisplays


def with_kiosk(page: str) -> str:
    text = shipped_tables()["sic-bo"].read_text("utf-8")
    return text.replace("\n# screens:\n", f"\nscreens:\n  kiosk: {page}\n#\n", 1)


def test_the_page_of_the_tables_file_is_handed_over(tmp_path: Path) -> None:
    table = tmp_path / "table.yaml"
    table.write_text(with_kiosk("dealer"))
    write(settings_of(table), tmp_path / "settings.json")
    assert read(tmp_path / "settings.json") == KioskSettings("dealer", "http://127.0.0.1:8080/dealer")
    assert stat.S_IMODE((tmp_path / "settings.json").stat().st_mode) == 0o644


@pytest.mark.parametrize("text", ["", "{", "[]", '{"page": 7, "problems": 3}', '{"problems": "x"}'])
def test_settings_that_cannot_be_read_show_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.json").write_text(text)
    assert not read(tmp_path / "settings.json").shows
    assert not read(tmp_path / "none.json").shows


def test_a_wrong_file_is_explained_where_it_has_a_display(tmp_path: Path) -> None:
    table = tmp_path / "table.yaml"
    table.write_text(with_kiosk("board").replace("\ngame: sic-bo\n", "\ngane: sic-bo\n"))
    problems = settings_of(table).problems
    assert any("gane" in problem for problem in problems)
    table.write_text("gane: sic-bo\n")
    assert not settings_of(table).shows


def test_a_new_cards_reason_is_shown_and_no_reason_is_nothing(tmp_path: Path) -> None:
    said = tmp_path / "table-first-start"
    assert not settings_of(tmp_path / "table.yaml", said).shows
    said.write_text("first-start.yaml: game: one of sic-bo\n")
    assert settings_of(tmp_path / "table.yaml", said).problems == ("first-start.yaml: game: one of sic-bo",)


@pytest.mark.parametrize("page", ["dealers", "[board, dealer]", "true"])
def test_check_refuses_what_is_no_page(tmp_path: Path, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "table.yaml").write_text(with_kiosk(page))
    assert cli.main(["check", str(tmp_path / "table.yaml")]) == 78
    assert "screens.kiosk" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("enabled: false", "nothing to show at the display"),
        ("address: 127.0.0.9", "serve the pages at 127.0.0.1"),
        (
            "proxy: {addresses: [127.0.0.1]}\n  log_on: {accounts: /a.json}",
            "with a proxy on this computer",
        ),
    ],
)
def test_check_says_what_would_leave_the_display_without_its_page(
    tmp_path: Path, lines: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.yaml").write_text(with_kiosk(f"dealer\n  {lines}"))
    assert cli.main(["check", str(tmp_path / "table.yaml")]) == 78
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("screens", "url"),
    [
        ({}, "http://127.0.0.1:8080/dealer"),
        ({"kiosk": "board", "port": "81"}, "http://127.0.0.1:81/"),
        ({"address": "0.0.0.0"}, "http://127.0.0.1:8080/dealer"),
        ({"address": "::"}, "http://[::1]:8080/dealer"),
        ({"address": "192.168.7.20"}, "http://127.0.0.1:8080/dealer"),
        ({"address": "192.168.7.20", "tls": {"certificate": "/a", "key": "/b"}}, "http://127.0.0.1:8080/dealer"),
        ({"address": "0.0.0.0", "tls": {"certificate": "/a", "key": "/b"}}, "https://127.0.0.1:8080/dealer"),
    ],
)
def test_the_page_is_requested_where_it_needs_no_log_on(screens: dict[str, object], url: str) -> None:
    assert url_of(ScreensSection.model_validate({"kiosk": "dealer", **screens})) == url


def test_the_page_of_sentences_has_no_more_than_fit_and_nothing_of_html_from_them() -> None:
    page = page_of(["The settings are wrong.", *(f"line {number} <b>" for number in range(30))])
    assert "<h1>The settings are wrong.</h1>" in page
    assert "line 11 &lt;b&gt;" in page
    assert "line 12" not in page
    assert "... and 18 more" in page


@pytest.mark.parametrize(
    ("shown", "first"),
    [
        ("ActiveState=activating\nSubState=start\nExecMainStatus=0\nStatusText=", "The table is starting."),
        (
            "ActiveState=activating\nSubState=auto-restart\nExecMainStatus=1\nStatusText=no chip",
            "The table has ended, and is started again.",
        ),
        (
            "ActiveState=failed\nSubState=failed\nExecMainStatus=78\nStatusText=",
            "The table cannot start. Call the technician.",
        ),
        (
            "ActiveState=failed\nSubState=failed\nExecMainStatus=1\nStatusText=no chip",
            "The table has ended. Call the technician.",
        ),
        ("ActiveState=inactive\nSubState=dead", "The table is switched off."),
        ("ActiveState=active\nSubState=running\nStatusText=ready", "The table does not answer."),
        ("", "The table does not answer."),
    ],
)
def test_systemd_says_why_no_page_answers(shown: str, first: str) -> None:
    sentences = TableService(lambda command: shown).sentences()
    assert sentences[0] == first
    assert ("no chip" in sentences) == ("no chip" in shown)


def test_an_established_connection_of_the_user_is_seen_and_no_other() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/dealer"
        assert not holds(url, os.getuid())
        with socket.create_connection(server.getsockname()):
            assert holds(url, os.getuid())
            assert not holds(url, os.getuid() + 1)


def test_nobody_answers_where_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert not answers(f"http://127.0.0.1:{port}/dealer")


def test_the_browser_ends_with_all_that_it_has_started(tmp_path: Path) -> None:
    program = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(999)'])\n"
        "print(child.pid, file=open(os.environ['HOME'] + '/new', 'w'))\n"
        "os.rename(os.environ['HOME'] + '/new', os.environ['HOME'] + '/child')\n"
        "time.sleep(999)\n"
    )
    browser = Browser(tmp_path, [sys.executable, "-c", program])
    browser.open("file:///notice.html")
    assert browser.running
    browser.close()
    assert not browser.running
    assert browser.url == ""
    if (tmp_path / "child").exists():
        child = Path(f"/proc/{(tmp_path / 'child').read_text().strip()}/stat")
        assert not child.exists() or child.read_text().split()[2] in "ZX"


def test_the_browser_has_no_home_but_its_folder_and_no_way_out(tmp_path: Path) -> None:
    environment = environment_of(tmp_path, {"HOME": "/root", "PATH": "/usr/bin"})
    assert {environment[name] for name in environment if name.startswith("XDG_") or name == "HOME"} == {
        str(tmp_path)
    }
    command = command_of("http://127.0.0.1:8080/")
    assert command[0] == "/usr/bin/cage"
    assert "-s" not in command  # Which would let keys change to another console.
    assert command[-1] == "http://127.0.0.1:8080/"


def test_displays_are_what_the_kernel_says(tmp_path: Path) -> None:
    for name, status in (("card1-HDMI-A-1", "disconnected"), ("card1-HDMI-A-2", "connected"), ("card1", "")):
        (tmp_path / name).mkdir()
        if status:
            (tmp_path / name / "status").write_text(f"{status}\n")
    assert LinuxDisplays(tmp_path).connected() == ("HDMI-A-2",)
    assert LinuxDisplays(tmp_path / "none").connected() == ()
