"""What a computer tells of its supply voltage and its clock's battery, read from the files that kernels make."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hal import computer
from hal.computer import BatteryReading, LinuxComputer, SupplyReading

PLACES = {"hwmon": computer.HWMON, "rtc": computer.RTC, "get_throttled": computer.THROTTLED}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., LinuxComputer]:
    """Makes a computer with files, and with flags of its clock's battery; None if it may not be asked."""

    def make(files: dict[str, str], flags: int | None = None) -> LinuxComputer:
        for name, text in files.items():
            place, _, rest = name.partition("/")
            file = tmp_path / PLACES[place] / rest
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

        def read(device: Path) -> int:
            if flags is None:
                raise PermissionError(13, "Permission denied", str(device))
            return flags

        monkeypatch.setattr(computer, "read_flags", read)
        return LinuxComputer(tmp_path)

    return make


@pytest.mark.parametrize(
    ("files", "reading"),
    [
        ({}, None),
        ({"hwmon/hwmon0/name": "cpu_thermal\n", "hwmon/hwmon0/in0_lcrit_alarm": "1\n"}, None),
        ({"hwmon/hwmon1/name": "rpi_volt\n", "hwmon/hwmon1/in0_lcrit_alarm": "0\n"}, SupplyReading(False)),
        ({"hwmon/hwmon1/name": "rpi_volt\n", "hwmon/hwmon1/in0_lcrit_alarm": "1\n"}, SupplyReading(True)),
        ({"hwmon/hwmon1/name": "rpi_volt\n", "hwmon/hwmon1/in0_lcrit_alarm": "?\n"}, None),
        ({"get_throttled": "0\n"}, SupplyReading(False)),
        ({"get_throttled": "50000\n"}, SupplyReading(False, earlier=True)),
        ({"get_throttled": "50005\n"}, SupplyReading(True, earlier=True)),
        ({"get_throttled": "40004\n"}, SupplyReading(False)),
    ],
)
def test_the_supply_is_read_from_the_sensor_and_from_the_firmwares_word(
    files: dict[str, str], reading: SupplyReading | None, made: Callable[..., LinuxComputer]
) -> None:
    assert made(files).supply() == reading


@pytest.mark.parametrize(
    ("files", "flags", "reading"),
    [
        ({}, 0, None),
        ({"rtc/rtc0/battery_voltage": "3012000\n"}, None, BatteryReading(False, "3.01 V")),
        ({"rtc/rtc0/battery_voltage": "2310000\n"}, None, BatteryReading(True, "2.31 V")),
        ({"rtc/rtc0/name": "pcf85063\n"}, None, None),
        ({"rtc/rtc0/name": "pcf85063\n"}, 0, BatteryReading(False, "")),
        ({"rtc/rtc0/name": "pcf85063\n"}, 0b10, BatteryReading(True, "the battery is low")),
        ({"rtc/rtc0/name": "pcf85063\n"}, 0b110, BatteryReading(True, "the battery is empty, or there is none")),
        ({"rtc/rtc0/name": "pcf85063\n"}, 0b1, BatteryReading(True, "the time was lost")),
        ({"rtc/rtc0/name": "rv3028\n"}, 0b11000, BatteryReading(False, "")),
    ],
)
def test_the_battery_is_read_from_its_voltage_or_the_clocks_flags(
    files: dict[str, str], flags: int | None, reading: BatteryReading | None, made: Callable[..., LinuxComputer]
) -> None:
    assert made(files, flags).battery() == reading
