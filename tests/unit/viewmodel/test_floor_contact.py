"""The dealer's screen says whether the floor hears the table, from what the publisher leaves in its own folder."""

import os
from pathlib import Path

import pytest

from controller.viewmodel import floor_contact
from controller.viewmodel.floor_contact import HEARS, NO_PUBLISHER, ContactFile, FloorContact, place_of
from hal.mock.clock import VirtualClock

S = 1_000_000_000


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / floor_contact.NAME


def line(place: Path | None, clock: VirtualClock) -> str:
    said = FloorContact(place, clock).line()
    return said["words"] if said is not None else ""


def wait(clock: VirtualClock, seconds: float) -> None:
    clock.advance_to(clock.now_ns() + int(seconds * S))


def test_a_table_without_a_broker_says_nothing() -> None:
    assert FloorContact(None, VirtualClock()).line() is None


def test_from_the_publishers_start_to_a_broker_that_is_gone_and_back(place: Path) -> None:
    clock = VirtualClock()
    wait(clock, 100)
    assert line(place, clock) == NO_PUBLISHER
    publisher = ContactFile(place, clock)
    assert line(place, clock) == "the floor has not heard this table yet: rounds are kept and sent later"
    publisher.heard()
    assert line(place, clock) == HEARS
    wait(clock, 59)
    assert line(place, clock) == HEARS
    wait(clock, 11 * 60 + 1)
    assert line(place, clock) == "the floor has not heard this table for 12 min: rounds are kept and sent later"
    wait(clock, 5 * 3600)
    assert line(place, clock).startswith("the floor has not heard this table for 5 h:")
    publisher.heard()
    assert line(place, clock) == HEARS
    place.unlink()  # systemd removes the folder with the service.
    assert line(place, clock) == NO_PUBLISHER


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '{"heard": 1, "since_ns": 5}', '{"heard": true, "since_ns": "5"}', "9" * 5000,
     "[" * 5000, '{"heard": true, "since_ns": 999999999999999}', '{"heard": true, "since_ns": -1}'],
)  # fmt: skip
def test_nonsense_is_no_word_of_the_publisher(text: str, place: Path) -> None:
    place.write_text(text, encoding="utf-8")
    assert line(place, VirtualClock()) == NO_PUBLISHER


def test_neither_a_pipe_nor_a_link_nor_a_large_file_holds_the_table_up(place: Path, tmp_path: Path) -> None:
    clock = VirtualClock()
    os.mkfifo(place)
    assert line(place, clock) == NO_PUBLISHER
    place.unlink()
    (tmp_path / "other").write_text('{"heard": true, "since_ns": 0}', encoding="utf-8")
    place.symlink_to(tmp_path / "other")
    assert line(place, clock) == NO_PUBLISHER
    place.unlink()
    place.write_text('{"heard": true, "since_ns": 0' + " " * 10_000_000 + "}", encoding="utf-8")
    assert line(place, clock) == NO_PUBLISHER


def test_a_publisher_whose_folder_is_gone_publishes_on(tmp_path: Path) -> None:
    ContactFile(tmp_path / "gone" / "contact.json", VirtualClock()).heard()
    ContactFile(None, VirtualClock()).heard()
    assert place_of({}) is None
    assert place_of({"RUNTIME_DIRECTORY": "/run/a:/run/b"}) == Path("/run/a/contact.json")


def test_others_of_this_computer_may_read_it(place: Path) -> None:
    before = os.umask(0o027)  # That of the service.
    try:
        ContactFile(place, VirtualClock()).heard()
    finally:
        os.umask(before)
    assert place.stat().st_mode & 0o777 == 0o644
