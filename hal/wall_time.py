"""Who set this computer's wall time since it was switched on: many a Raspberry Pi has no clock with a battery."""

import time
from contextlib import suppress
from enum import Enum
from pathlib import Path

RTC = Path("/sys/class/rtc")
"""Clocks that go on by a battery, as the kernel names them."""
SYNCHRONISED = Path("/run/systemd/timesync/synchronized")
"""``systemd-timesyncd`` makes this file once it has the time of the network (its manual page, "Files")."""
_NEAR_S = 60
"""A clock with a battery that is further than this from the wall time did not set it."""


class SetBy(Enum):
    """Who set the wall time."""

    NOBODY = "nobody"
    BATTERY = "battery"
    NETWORK = "network"


def set_by(rtc: Path = RTC, synchronised: Path = SYNCHRONISED) -> SetBy:
    """Who set the wall time since the computer was switched on, as far as the operating system says."""
    if synchronised.exists():
        return SetBy.NETWORK
    return SetBy.BATTERY if any(map(_started_from, sorted(rtc.glob("rtc*")))) else SetBy.NOBODY


def _started_from(clock: Path) -> bool:
    """The kernel took the time of this clock at its start, and the clock still agrees."""
    with suppress(OSError, ValueError):
        taken = (clock / "hctosys").read_text().strip() == "1"
        return taken and abs(int((clock / "since_epoch").read_text()) - time.time()) <= _NEAR_S
    return False
