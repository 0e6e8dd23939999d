"""Rounds on a virtual Pi, keyed and thrown on the lines of the kernel's simulated GPIO chip, over a power cut."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml
from pi_on_lines import LABEL, PiOnLines, card_with, lines_stick
from project import ROOT
from wheel_trains import WheelTrains

from config.schema import TableConfig

ON_LINES = {"backend": "gpiozero", "options": {"pin_factory": "gpiod", "chip": 0}}
LAMPS = {"1": 16, "2": 20, "5": 21, "10": 24, "20": 25, "40": 4}
THROWS = 10


def shipped(game: str, *on_lines: str) -> dict[str, Any]:
    """A shipped table without people's credentials, with some of its devices on lines."""
    table: dict[str, Any] = yaml.safe_load((ROOT / f"config/tables/{game}.yaml").read_text())
    del table["credentials"]
    for device in on_lines:
        table["devices"][device] |= deepcopy(ON_LINES)  # Else the file would have an alias.
    return table


class KeyedPi(PiOnLines):
    """A Pi with a keypad: a table of Sic Bo, whose lamps stay simulated."""

    TABLE = shipped("sic-bo", "keypad", "switches")
    TABLE["devices"]["keypad"]["options"] = {**ON_LINES["options"], "scan_ms": 40}

    def press(self, *controls: str) -> None:
        """Keys of the keypad, or the floorperson's key switch; each until the table has it."""
        devices = self.TABLE["devices"]
        for control in controls:
            text = f"INFO {control} pressed"
            before = self.count(text)
            if control == "floor-key":
                self.close_contact(devices["switches"]["pins"][control])
            else:
                keys = [[str(key) for key in row] for row in devices["keypad"]["keys"]]
                row = next(number for number, names in enumerate(keys) if control in names)
                wires = " ".join(",".join(map(str, devices["keypad"][side])) for side in ("rows", "columns"))
                self.run(f"echo {row} {keys[row].index(control)} | /tmp/keypad $(cat /tmp/chip) {wires}")
            self.wait_log(text, before + 1)


class WheelPi(PiOnLines):
    """A Pi with a wheel: a table of Dreamcatcher, sensors, buttons, key and lamps on lines."""

    TABLE = shipped("dreamcatcher", "panel", "buttons", "switches", "sounder")
    TABLE["devices"]["head"] |= {"backend": "gpiod", "options": {"bias": "disabled", "chip": LABEL}}
    TABLE["devices"]["panel"]["lamps"] = LAMPS
    del TABLE["devices"]["keypad"]

    def press(self, control: str, state: str) -> None:
        """Press a button, and wait for a state."""
        text = f"[{state}]"
        before = self.count(text)
        self.close_contact(self.TABLE["devices"]["buttons"]["pins"][control])
        self.wait_log(text, before + 1)

    def throw(self) -> str:
        """A good spin, thrown once more if the machine and its wheel were held up; the log's line of its result."""
        for number in range(THROWS):
            self.play(f"spin-{number}")
            self.wait_log("at rest after", number + 1)
            line = self.last("at rest after")
            if "[result]" in line:
                return line
            assert "VOID touched" in line, line
            assert self.held_up(), line
        raise AssertionError(f"the machine was held up in each of {THROWS} spins")


def trains(folder: Path) -> list[Path]:
    """What the wheel's sensors do: where they are at first, a turn by hand, and throws one after the other."""
    wheel = WheelTrains(TableConfig.model_validate(WheelPi.TABLE))
    made = {"rest": wheel.rest_train(), "turn": wheel.turn(1.4)}
    made |= {f"spin-{number}": wheel.spin(3.5, "40") for number in range(THROWS)}
    for name, train in made.items():
        (folder / name).write_text(train)
    return [folder / name for name in made]


def test_a_keyed_round_outlives_a_power_cut(folder: Path) -> None:
    stick = lines_stick(folder / "keys.img")
    with card_with(KeyedPi.TABLE, folder) as card:
        pi = KeyedPi(card, folder, loader=True, stick=stick)
        try:
            pi.wire()
            print(f"-- the table is ready on lines after {pi.seconds():.0f} s")
            pi.press("floor-key", "2", "floor-key", "1")
            for roll in ("123", "444", "566"):
                pi.press(*roll, "enter", "floor-key")
            pi.wait_log("[inspection-lamps]", 50)
            pi.press("floor-key", "no-more-bets", "2", "5", "5", "enter")
            pi.wait_log("RESULT", 1)
            result = pi.last("RESULT")
            assert "big" in result
            waits_for = pi.state()
            print(f"-- a result after {pi.seconds():.0f} s: {result}")
            pi.cut()
            pi = KeyedPi(card, folder, loader=True, stick=stick)
            pi.wire()
            assert pi.state() == waits_for
            pi.press("done", "done", "clear")
            assert "255" in pi.rounds().replace(", ", "").replace(",", "")
            assert pi.run("table-controller journal verify /etc/table-controller/table.yaml")
            print(f"-- the round has ended after {pi.seconds():.0f} s more")
        finally:
            pi.close()


def test_a_thrown_round_outlives_a_power_cut(folder: Path) -> None:
    """From the encoder's edges to the line of the lamp; what was lit is lit again after the cut."""
    stick = lines_stick(folder / "wheel.img", *trains(folder))
    with card_with(WheelPi.TABLE, folder) as card:
        pi = WheelPi(card, folder, loader=True, stick=stick)
        try:
            pi.wire("rest")
            print(f"-- the table is ready on lines after {pi.seconds():.0f} s")
            pi.play("turn")
            pi.wait_log("[bets-open]", 1)
            assert pi.high(LAMPS) == set()
            pi.press("no-more-bets", "no-more-bets")
            result = pi.throw()
            assert "RESULT 40" in result
            assert pi.high(LAMPS) == {"40"}
            print(f"-- a result after {pi.seconds():.0f} s: {result}")
            pi.press("done", "losers-collected")
            waits_for = pi.state()
            pi.cut()
            pi = WheelPi(card, folder, loader=True, stick=stick)
            pi.wire("rest")
            assert pi.state() == waits_for
            assert pi.high(LAMPS) == {"40"}
            pi.press("done", "winners-paid")
            pi.press("clear", "bets-open")
            assert pi.high(LAMPS) == set()
            assert '"40"' in pi.rounds()
            assert pi.run("table-controller journal verify /etc/table-controller/table.yaml")
            print(f"-- the round has ended after {pi.seconds():.0f} s more")
        finally:
            pi.close()
