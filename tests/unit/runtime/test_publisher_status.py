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

S = 1_000_000_000


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / NAME


def said(place: Path, clock: VirtualClock) -> str:
    line = FloorContact(place, clock).line()
    assert line is not None
    return line["words"]


def test_from_the_publishers_start_to_a_floor_that_is_gone_and_back(place: Path) -> None:
    clock = VirtualClock()
    clock.advance_to(100 * S)
    assert FloorContact(None, clock).line() is None
    assert said(place, clock) == NO_PUBLISHER
    write_status(place, PublisherStatus(True, clock.now_ns(), False, 7, "no answer"))
    assert (
        said(place, clock) == "the floor has received nothing from this table yet: rounds are kept and sent later"
    )
    write_status(place, PublisherStatus(True, clock.now_ns(), True, 0, ""))
    clock.advance_to(160 * S)
    assert said(place, clock) == HEARS
    clock.advance_to(820 * S)
    assert (
        said(place, clock)
        == "the floor has received nothing from this table for 12 min: rounds are kept and sent later"
    )
    place.unlink()  # systemd removes the folder with the service.
    assert said(place, clock) == NO_PUBLISHER
    write_status(place, PublisherStatus(True, clock.now_ns() + 1, True, 0, ""))  # Of another start of the computer.
    assert said(place, clock) == NO_PUBLISHER


@pytest.mark.parametrize("text", ["", "{", "null", '{"heard": true}', "9" * 5000, "[" * 5000])
def test_nonsense_is_no_status(text: str, place: Path) -> None:
    place.write_text(text, encoding="utf-8")
    assert said(place, VirtualClock()) == NO_PUBLISHER


def test_neither_a_pipe_nor_a_link_nor_a_large_file_holds_the_table_up(place: Path, tmp_path: Path) -> None:
    clock = VirtualClock()
    os.mkfifo(place)
    assert said(place, clock) == NO_PUBLISHER
    place.unlink()
    other = tmp_path / "other"
    write_status(other, PublisherStatus(True, 0, True, 0, ""))
    assert said(other, clock) == HEARS
    place.symlink_to(other)
    assert said(place, clock) == NO_PUBLISHER
    place.unlink()
    place.write_text(" " * 10_000_000 + other.read_text(), encoding="utf-8")
    assert said(place, clock) == NO_PUBLISHER


def test_a_folder_that_is_gone_costs_nothing_and_others_may_read_the_file(place: Path) -> None:
    status = PublisherStatus(True, 0, True, 0, "")
    write_status(place.parent / "gone" / NAME, status)
    before = os.umask(0o027)  # That of the service.
    try:
        write_status(place, status)
    finally:
        os.umask(before)
    assert place.stat().st_mode & 0o777 == 0o644
    assert (status_place({}), status_place({"RUNTIME_DIRECTORY": "/run/a:/run/b"})) == (None, Path("/run/a") / NAME)
