"""What a computer tells of its supply voltage and its clock's battery, read from the files that kernels make."""

from pathlib import Path

import pytest

from hal.computer import BatteryReading, LinuxComputer, SupplyReading


def computer(folder: Path, files: dict[str, str], flags: int | None = None) -> LinuxComputer:
    """A computer with these files, and with these flags of its clock's battery; None if it may not be asked."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def read(device: Path) -> int:
        if flags is None:
            raise PermissionError(13, "Permission denied", str(device))
        return flags

    return LinuxComputer(folder / "hwmon", folder / "get_throttled", folder / "rtc", folder / "dev", read)


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
    ids=[
        "nothing",
        "another sensor",
        "in order",
        "low",
        "unreadable",
        "word",
        "was low",
        "is low",
        "throttled, not low",
    ],
)
def test_the_supply_is_read_from_the_sensor_and_from_the_firmwares_word(
    files: dict[str, str], reading: SupplyReading | None, tmp_path: Path
) -> None:
    assert computer(tmp_path, files).supply() == reading


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
    files: dict[str, str], flags: int | None, reading: BatteryReading | None, tmp_path: Path
) -> None:
    assert computer(tmp_path, files, flags).battery() == reading
