"""The dealer's screen says whether the floor hears the table, from what the publisher leaves in its own folder."""

import os
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

HEARD = PublisherStatus(True, 0, True, 0, "")
UNHEARD = "the floor has received nothing from this table {}: rounds are kept and sent later"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / NAME


def said(place: Path, at_s: int = 0) -> str:
    clock = VirtualClock()
    clock.advance_to(at_s * 1_000_000_000)
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
    before = os.umask(0o027)  # That of the service.
    try:
        write_status(place, status)
    finally:
        os.umask(before)
    assert (said(place, at_s), place.stat().st_mode & 0o777) == (words, 0o644)
    place.unlink()  # systemd removes the folder with the service.
    assert said(place, at_s) == NO_PUBLISHER


def test_nonsense_a_pipe_a_link_and_a_large_file_are_no_status(place: Path) -> None:
    write_status(place.parent / "gone" / NAME, HEARD)
    write_status(place, HEARD)
    for text in ("", "{", "null", '{"heard": true}', "9" * 5000, "[" * 5000, " " * 10_000_000 + place.read_text()):
        place.write_text(text)
        assert said(place) == NO_PUBLISHER
    place.unlink()
    os.mkfifo(place)
    assert said(place) == NO_PUBLISHER
    place.unlink()
    write_status(place.with_name("other"), HEARD)
    place.symlink_to(place.with_name("other"))
    assert said(place) == NO_PUBLISHER
    assert (status_place({}), status_place({"RUNTIME_DIRECTORY": "/run/a:/run/b"})) == (None, Path("/run/a") / NAME)
