"""The commands on the documents' pages: the program's parser takes each, and those that need no table are run.

A block ``sh bench`` is run, in a folder where the page's earlier ones were; the block ``text printed`` behind it
has lines that it must print, in this order, with ``…`` for what differs from run to run.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import ROOT
from shell_blocks import PAGES, blocks, commands, words

from controller.commands.cli import parser
from controller.commands.command_parser import PROGRAM

TOP, _ = parser()
RUN = [page for page in PAGES if any(block.info == "sh bench" for block in blocks(page))]
PATIENCE_S = 300
PLACES = {"NONCE": "0" * 32, "N": "1"}
"""What stands on a page for a value of the reader's own, where not any word will do."""


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=named)
def test_the_parser_takes_every_command_of_a_page(page: Path) -> None:
    refused = [" ".join(given) for given in commands(page) if not taken([PLACES.get(one, one) for one in given])]
    assert refused == []


def taken(given: list[str]) -> bool:
    """Whether the parser takes a command; ``--help`` and ``--version`` end it in order."""
    try:
        _, unknown = TOP.parse_known_args(given)
    except SystemExit as stop:
        return stop.code == 0
    return unknown == []


def printed_by(text: str, folder: Path) -> str:
    """What the commands of a block print in a folder; the first that fails ends it."""
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1", "TZ": "UTC"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}"
    return done.stdout


def missing(expected: str, printed: str) -> Iterator[str]:
    """The lines of a page that were not printed, or not behind the ones before."""
    place = 0
    for line in expected.splitlines():
        pattern = r"[^\n]*".join(re.escape(part) for part in line.split("…"))
        found = re.compile(pattern).search(printed, place)
        if found:
            place = found.end()
        else:
            yield line


@pytest.mark.parametrize("page", RUN, ids=named)
def test_what_can_be_run_prints_what_its_page_shows(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "config" / "tables", tmp_path / "config" / "tables")
    program = tmp_path / "bin" / PROGRAM
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m controller "$@"\n')
    program.chmod(0o755)
    printed = ""
    for block in blocks(page):
        if block.info == "sh bench":
            printed = printed_by(block.text, tmp_path)
        elif block.info == "text printed":
            assert list(missing(block.text, printed)) == [], printed


def test_the_tutorial_and_how_tos_have_commands_that_are_run() -> None:
    pages = {named(page) for page in RUN}
    assert "docs/first-day.md" in pages
    assert {named(page) for page in (ROOT / "docs" / "how-to").glob("*.md")} - pages == {"docs/how-to/calibrate.md"}


def test_a_command_that_the_parser_does_not_take_is_found() -> None:
    assert taken(["--version"])
    assert taken(["check", "table.yaml"])
    assert not taken(["chek", "table.yaml"])
    assert not taken(["check", "table.yaml", "--jsn"])


def test_a_line_that_is_not_printed_is_named() -> None:
    assert list(missing("one\nthree …", "one\ntwo\nthree 3\n")) == []
    assert list(missing("two\none", "one\ntwo\n")) == ["one"]
    assert list(missing("four", "one\n")) == ["four"]


def test_a_command_ends_where_the_shell_takes_over() -> None:
    assert words("check table.yaml || true  # it is wrong") == ["check", "table.yaml"]
    assert words("journal export table.yaml > all.jsonl") == ["journal", "export", "table.yaml"]
