"""What a computer tells of its supply voltage and of the battery of its clock; most tell only a part, or nothing.

**Supply.** Raspberry Pi: the kernel's driver ``raspberrypi-hwmon`` asks the firmware every two seconds, and names
itself ``rpi_volt``; its ``in0_lcrit_alarm`` is 1 if the voltage was too low in those two seconds (kernel
documentation, ``hwmon/raspberrypi-hwmon``). Raspberry Pi's own kernels have the firmware's word besides, as
``vcgencmd get_throttled`` prints it: bit 0, too low now; bit 16, too low since the computer was switched on.

**Battery.** Raspberry Pi 5: the driver ``rtc-raspberrypi`` has ``battery_voltage`` in microvolts (Raspberry Pi
documentation, "Real Time Clock"). Other clocks: the flags of ``RTC_VL_READ`` (``include/uapi/linux/rtc.h``), where
the driver has them and ``/dev/rtcN`` may be opened; the driver of the DS3231 has none.
"""

import array
import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

HWMON, RTC = "sys/class/hwmon", "sys/class/rtc"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
LOW_V = 2.5
"""A rechargeable lithium cell of 3 V is empty at about 2 V, so this leaves time to replace it."""
_NOW, _EARLIER = 1 << 0, 1 << 16
_RTC_VL_READ = 0x80047013
"""``_IOR('p', 0x13, unsigned int)``, alike on ARM and x86."""
_FLAGS = {
    1 << 2: "the battery is empty, or there is none",
    1 << 1: "the battery is low",
    1 << 0: "the time was lost",
}


class SupplyReading(NamedTuple):
    """What is known of the supply voltage."""

    low: bool
    """It is too low now, or was within the last two seconds."""
    earlier: bool = False
    """It was too low at some time since the computer was switched on."""


class BatteryReading(NamedTuple):
    """What is known of the clock's battery."""

    low: bool
    detail: str
    """Its voltage, or what its flag says."""


class ComputerHealth(Protocol):
    """A computer that may tell of its supply and its clock's battery."""

    def supply(self) -> SupplyReading | None:
        """The supply voltage; None if the computer does not tell."""

    def battery(self) -> BatteryReading | None:
        """The clock's battery; None if the computer does not tell."""


def read_flags(device: Path) -> int:
    """The flags of a clock's battery.

    Raises:
        OSError: the clock has none, or may not be opened.
    """
    flags = array.array("I", [0])
    handle = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.ioctl(handle, _RTC_VL_READ, flags)
    finally:
        os.close(handle)
    return flags[0]


class LinuxComputer:
    """This computer.

    Args:
        root: the folder of its files.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def supply(self) -> SupplyReading | None:
        alarm, word = self._alarm(), _number(self._root / THROTTLED, base=16)
        if alarm is None and word is None:
            return None
        bits = word or 0
        return SupplyReading(bool(alarm) or bool(bits & _NOW), bool(bits & (_NOW | _EARLIER)))

    def battery(self) -> BatteryReading | None:
        for clock in sorted((self._root / RTC).glob("rtc*")):
            microvolts = _number(clock / "battery_voltage")
            if microvolts is not None:
                volts = microvolts / 1_000_000
                return BatteryReading(volts < LOW_V, f"{volts:.2f} V")
            with suppress(OSError):
                flags = read_flags(self._root / "dev" / clock.name)
                said = next((words for flag, words in _FLAGS.items() if flags & flag), "")
                return BatteryReading(bool(said), said)
        return None

    def _alarm(self) -> int | None:
        for sensor in sorted((self._root / HWMON).glob("hwmon*")):
            with suppress(OSError):
                if (sensor / "name").read_text().strip() == "rpi_volt":
                    return _number(sensor / "in0_lcrit_alarm")
        return None


def _number(file: Path, base: int = 10) -> int | None:
    with suppress(OSError, ValueError):
        return int(file.read_text().strip(), base)
    return None
