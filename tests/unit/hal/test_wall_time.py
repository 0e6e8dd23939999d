"""Who set the wall time, as the operating system's files say."""

import time
from pathlib import Path

import pytest

from hal.wall_time import SetBy, set_by


def rtc(folder: Path, name: str, hctosys: str, ahead_s: float = 0) -> None:
    clock = folder / name
    clock.mkdir()
    (clock / "hctosys").write_text(hctosys)
    (clock / "since_epoch").write_text(f"{int(time.time() + ahead_s)}\n")


@pytest.mark.parametrize(
    ("hctosys", "ahead_s", "by"),
    [
        ("1\n", 0, SetBy.BATTERY),
        ("1\n", 30, SetBy.BATTERY),
        ("0\n", 0, SetBy.NOBODY),
        ("1\n", 3600, SetBy.NOBODY),
        ("1\n", -1.7e9, SetBy.NOBODY),
        ("", 0, SetBy.NOBODY),
    ],
)
def test_a_clock_with_a_battery_that_the_kernel_took_its_time_from(
    tmp_path: Path, hctosys: str, ahead_s: float, by: SetBy
) -> None:
    """One whose battery is empty starts in 1970, and the system goes on from what it saved of its own time."""
    rtc(tmp_path, "rtc0", hctosys, ahead_s)
    assert set_by(tmp_path, tmp_path / "synchronized") is by


@pytest.mark.parametrize("name", ["hctosys", "since_epoch"])
def test_a_clock_that_cannot_be_read_set_nothing(tmp_path: Path, name: str) -> None:
    rtc(tmp_path, "rtc0", "1\n")
    (tmp_path / "rtc0" / name).unlink()
    for folder in (tmp_path, tmp_path / "none"):
        assert set_by(folder, tmp_path / "synchronized") is SetBy.NOBODY
    (tmp_path / "rtc0" / name).write_bytes(b"\xff?")
    assert set_by(tmp_path, tmp_path / "synchronized") is SetBy.NOBODY
