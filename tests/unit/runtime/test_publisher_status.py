"""The dealer's screen says whether the floor hears the table, from what the publisher leaves in its own folder."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.runtime.publisher_status import (
    HEARS,
    NAME,
    NO_PUBLISHER,
    FloorContact,
    PublisherStatus,
    status_place,
    write_status,
)
from hal.mock.clock import VirtualClock

S = 1_000_000_000
HEARD = PublisherStatus(True, 0, True, 0, "")
UNHEARD = "the floor has received nothing from this table {}: rounds are kept and sent later"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / NAME


def said(place: Path, at_s: int = 0) -> str:
    clock = VirtualClock()
    clock.advance_to(at_s * S)
    line = FloorContact(place, clock).line()
    assert line is not None
    return line["words"]


@pytest.mark.parametrize(
    ("status", "at_s", "words"),
    [
        (PublisherStatus(True, 0, False, 7, "no answer"), 0, UNHEARD.format("yet")),
        (HEARD, 60, HEARS),
        (HEARD, 720, UNHEARD.format("for 12 min")),
        (PublisherStatus(True, 1, True, 0, ""), 0, NO_PUBLISHER),  # Of another start of the computer.
    ],
)
def test_what_the_publisher_last_knew(status: PublisherStatus, at_s: int, words: str, place: Path) -> None:
    assert FloorContact(None, VirtualClock()).line() is None
    assert said(place) == NO_PUBLISHER
    write_status(place, status)
    assert said(place, at_s) == words
    place.unlink()  # systemd removes the folder with the service.
    assert said(place, at_s) == NO_PUBLISHER


def linked(place: Path) -> None:
    write_status(place.with_name("other"), HEARD)
    place.symlink_to(place.with_name("other"))


def large(place: Path) -> None:
    write_status(place, HEARD)
    place.write_text(" " * 10_000_000 + place.read_text())


def nonsense(place: Path) -> None:
    for text in ("", "{", "null", '{"heard": true}', "9" * 5000, "[" * 5000):
        place.write_text(text)
        assert said(place) == NO_PUBLISHER


@pytest.mark.parametrize("put", [nonsense, os.mkfifo, linked, large])
def test_nonsense_a_pipe_a_link_and_a_large_file_are_no_status(put: Callable[[Path], None], place: Path) -> None:
    put(place)
    assert said(place) == NO_PUBLISHER


def test_a_folder_that_is_gone_costs_nothing_and_others_may_read_the_file(place: Path) -> None:
    write_status(place.parent / "gone" / NAME, HEARD)
    before = os.umask(0o027)  # That of the service.
    try:
        write_status(place, HEARD)
    finally:
        os.umask(before)
    assert place.stat().st_mode & 0o777 == 0o644
    assert (status_place({}), status_place({"RUNTIME_DIRECTORY": "/run/a:/run/b"})) == (None, Path("/run/a") / NAME)
