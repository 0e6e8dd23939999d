"""Tables on the real kernel's lines: a wheel whose sensors are moved, and dice that are keyed on wires."""

from functools import partial
from typing import Any

from live import CHOSEN, LiveTable, shipped
from machine import PYTHON, Machine
from wheel_trains import WheelTrains

from controller.configuration.shipped import load_table

_SUPPORT = PYTHON.replace("=", "=/srv/project/tests/support:", 1)
"""Python in the guest, with the support of the tests."""
_MODULES = f"{_SUPPORT} /srv/project/tests/system/kernel/guest/modules.py"
THROWS, PRESSES = 30, 5
SEEN_S = 20.0
"""Within this a key that was seen is on record."""


class WheelTable:
    """A Dreamcatcher table: its sensor head on ``gpiod``, all else on ``gpiozero``. Nobody uses its keypad.

    Args:
        runs_as: what runs it.
    """

    LAMPS = {"1": 7, "2": 8, "5": 9, "10": 10, "20": 11, "40": 19}

    def __init__(self, guest: Machine, chip: str, runs_as: type[LiveTable] = LiveTable) -> None:
        config = shipped("dreamcatcher")
        devices: dict[str, Any] = config["devices"]
        # The pulls are the sensors' own: a line that is configured with a pull-up would move the simulated wheel's.
        devices["head"] |= {"backend": "gpiod", "options": {"bias": "disabled"}}
        devices["panel"] |= {"backend": "gpiozero", "lamps": self.LAMPS}
        self.live = runs_as(guest, chip, config)
        self.wheel = WheelTrains(load_table(self.live.file).config)
        self._pins: dict[str, int] = {**devices["buttons"]["pins"], **devices["switches"]["pins"]}

    def close(self) -> None:
        self.live.stop()

    def open(self) -> None:
        """Start the table and turn the wheel once around: it is open for wagers."""
        self.move(self.wheel.rest_train())
        self.live.start()
        assert "Turn the wheel by hand" in self.live.log()
        self.move(self.wheel.turn(1.4))
        self.live.wait_for("[bets-open]")

    def move(self, train: str) -> float:
        """What the wheel's sensors do; returns at its end, with the seconds for which the machine was held up."""
        return self.live.play(train)

    def throw(self, revolutions: float, section: str) -> str:
        """A good spin, once no more bets was called; the table's log line of its result.

        A machine that is held up holds its wheel with it: that is no spin, and the wheel is thrown again.
        """
        for _ in range(THROWS):
            held_up_s = self.move(self.wheel.spin(revolutions, section))
            line = self.live.wait_for("at rest after")
            if "[result]" in line:
                return line
            assert "VOID touched" in line, line
            assert held_up_s > 0, line
        raise AssertionError(f"the machine was held up in each of {THROWS} spins")

    def begin_spin(self, train: str) -> None:
        """The wheel is thrown; returns at once."""
        self.live.begin(train)

    def press(self, control: str, state: str) -> str:
        """Press a button, and wait for a state; the table's log line."""
        self.live.press(self._pins[control])
        return self.live.wait_for(f"[{state}]")

    def floor(self) -> str:
        """The floorperson does what the table waits for; the table's log line."""
        return self.live.floor(self._pins["floor-key"])

    def lit(self) -> set[str]:
        """The areas whose lines are high."""
        return self.live.high(self.LAMPS)


ROWS, COLUMNS = (5, 6, 13, 19), (16, 20, 21, 26)
"""Pins of the keypad of the shipped Sic Bo table."""


class DiceTable:
    """A Sic Bo table: its keypad's wires on lines, its lamps on two Modbus modules."""

    def __init__(self, guest: Machine, chip: str) -> None:
        config = shipped("sic-bo")
        devices: dict[str, Any] = config["devices"]
        devices["keypad"] |= {"backend": "gpiozero", "options": {"scan_ms": 40}}
        modules = {
            "port": "/run/modules/rs485",
            "units": [{"unit": 1, "outputs": 32}, {"unit": 2, "outputs": 18}],
            "timeout_ms": 1000,
        }
        devices["panel"] |= {"backend": "modbus", "options": modules}
        self.live = LiveTable(guest, chip, config)
        self._keys = [[str(key) for key in row] for row in devices["keypad"]["keys"]]
        self._lamps: dict[str, int] = devices["panel"]["lamps"]
        self._floor_key: int = devices["switches"]["pins"]["floor-key"]
        guest.run(
            f"mkdir -p /run/modules; {_MODULES} /run/modules 1=32 2=18 "
            "> /run/modules/log 2>&1 < /dev/null & echo $! > /tmp/modules.pid; "
            "until [ -e /run/modules/coils ] || ! kill -0 $!; do sleep 0.2; done"
        )

    def close(self) -> None:
        self.live.stop()
        self.live.guest.run("kill $(cat /tmp/modules.pid)")

    def press(self, *controls: str) -> str:
        """Keys of the keypad; the table's log line for the last one."""
        return [self._key_in(control, f"INFO {control} pressed") for control in controls][-1]

    def floor(self, entry: str = "") -> str:
        """The floorperson does what the table waits for, or a line of the floor menu; the table's log line."""
        return self.live.floor(self._floor_key, partial(self._key_in, entry, CHOSEN) if entry else None)

    def _key_in(self, control: str, seen: str) -> str:
        """A key of the keypad. Held up, its contact follows too late and seems open: it is pressed again then.

        Args:
            seen: what the log has then.
        """
        row = next(number for number, keys in enumerate(self._keys) if control in keys)
        for _ in range(PRESSES):
            late = self.live.key_in(ROWS, COLUMNS, [(row, self._keys[row].index(control))])
            if late == 0:
                return self.live.wait_for(seen)
            if line := self.live.heard(seen, SEEN_S):
                return line
        raise AssertionError(
            f"the machine was held up in each of {PRESSES} presses of {control}:\n{self.live.log()}"
        )

    def lit(self) -> set[str]:
        """The areas whose coils are on."""
        coils = self.live.coils("/run/modules")
        on = {*coils["1"], *(32 + coil for coil in coils["2"])}
        return {area for area, lamp in self._lamps.items() if lamp in on}
