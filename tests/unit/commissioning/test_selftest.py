"""The self-test of a table: a sound one passes in every game, and what is broken is named with a remedy."""

import asyncio
import json
from collections.abc import Callable

import pytest

from config.schema import TableConfig
from controller.bench.simulated_table import on_simulated_hardware
from controller.commands.cli import main
from controller.commissioning.check_verdict import CheckOutcome, CheckVerdict
from controller.commissioning.selftest import SelfTest
from controller.configuration.shipped import shipped_tables
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.edges import MockHead
from hal.mock.panel import MockPanel
from hal.mock.world import World

GAMES = sorted(shipped_tables())
Shipped = Callable[[str], TableConfig]


class Technician:
    """Does at a simulated table what the self-test asks for.

    Attributes:
        skips: controls, switches or beams that are left out.
        answers: what is answered to a question that holds the text, instead of yes.
    """

    def __init__(self, config: TableConfig, options: dict[str, object] | None = None) -> None:
        self.config = on_simulated_hardware(config, options)
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        self.skips: set[str] = set()
        self.answers: dict[str, str] = {}
        self.way = 1
        self.messages: list[str] = []

    async def wait(self, seconds: float) -> None:
        self.pass_s(seconds)

    def pass_s(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + round(seconds * NS_PER_S))
        if self.world.head is not None:
            self.world.head.poll()

    async def ask(self, question: str) -> str:
        self.messages.append(question)
        for part, answer in self.answers.items():
            if part in question:
                return answer
        for part, does in {
            "every key": self._press,
            "every switch": self._turn_switches,
            "turn the wheel": self._turn_wheel,
            "turn the rotor by hand": self._turn_rotor,
            "finger": self._touch_beams,
            "lay the ball": self._read,
        }.items():
            if part in question:
                does()
        return "y"

    def test(self, alone: bool = False) -> dict[str, CheckVerdict]:
        ask = None if alone else self.ask
        run = SelfTest(self.config, self.clock, ask, self.messages.append, self.wait).run()
        return {verdict.device: verdict for verdict in asyncio.run(run)}

    def _press(self) -> None:
        for keys in self.world.keys:
            for control in keys.controls:
                if control not in self.skips:
                    keys.press(control)
                    self.pass_s(0.3)

    def _turn_switches(self) -> None:
        for name in self.world.switches.names:
            if name not in self.skips:
                self.world.switches.turn(name)
                self.pass_s(0.3)

    def _turn_wheel(self) -> None:
        assert isinstance(self.world.head, MockHead)
        self.world.head.push(self.way * 54 * 2.2, 8)
        self.pass_s(15)

    def _turn_rotor(self) -> None:
        self.world.rotor.push_rotor(0.4, self.way)
        self.pass_s(8)

    def _touch_beams(self) -> None:
        if "beams" not in self.skips:
            self.world.rotor.throw_ball(3, 1)
            self.pass_s(20)

    def _read(self) -> None:
        self.world.reader.sees("17", ["17", "18"], 0.5)
        self.pass_s(1)


@pytest.mark.parametrize("game", GAMES)
def test_a_sound_table_passes(shipped: Shipped, game: str) -> None:
    technician = Technician(shipped(game))
    verdicts = technician.test()
    assert {verdict.outcome for verdict in verdicts.values()} == {CheckOutcome.PASSED}, verdicts
    sections = [name for name, section in technician.config.devices if section is not None]
    assert sorted(verdicts) == sorted(sections)


@pytest.mark.parametrize("game", GAMES)
def test_unattended_checks_run_alone_and_the_rest_is_not_reported_as_passed(shipped: Shipped, game: str) -> None:
    verdicts = Technician(shipped(game)).test(alone=True)
    assert verdicts.pop("panel").outcome is CheckOutcome.PASSED
    assert {verdict.outcome for verdict in verdicts.values()} == {CheckOutcome.UNTRIED}
    assert all(verdict.remedy for verdict in verdicts.values())


def broken(shipped: Shipped, game: str, fault: str, target: str = "", amount: float = 0.0) -> Technician:
    """A table that has a fault before the test."""
    technician = Technician(shipped(game))
    technician.test()  # The devices are there once they were opened.
    technician.world.fault(fault, target, amount)
    return technician


def test_a_dead_lamp_is_named_with_its_output(shipped: Shipped) -> None:
    technician = broken(shipped, "sic-bo", "dead-lamp", "total-9")
    output = technician.config.devices.panel.lamps["total-9"]
    for alone in (True, False):
        verdict = technician.test(alone)["panel"]
        assert verdict.outcome is CheckOutcome.FAILED
        assert verdict.seen == "with total-9 alone, these burned: none"
        assert f"output {output}" in verdict.remedy


@pytest.mark.parametrize(("question", "device"), [("every lamp", "panel"), ("buzzer", "sounder")])
def test_a_device_that_the_technician_does_not_see_or_hear_fails(
    shipped: Shipped, question: str, device: str
) -> None:
    technician = Technician(shipped("dreamcatcher"))
    technician.answers = {question: "n"}
    verdicts = technician.test()
    assert verdicts.pop(device).outcome is CheckOutcome.FAILED
    assert {verdict.outcome for verdict in verdicts.values()} == {CheckOutcome.PASSED}


def test_keys_and_switches_without_an_event_are_named(shipped: Shipped) -> None:
    technician = Technician(shipped("dreamcatcher"))
    technician.skips = {"done", "floor-key"}
    verdicts = technician.test()
    assert verdicts["buttons"].seen == "not received: done"
    assert verdicts["switches"].seen == "not received: floor-key"
    assert verdicts["buttons"].outcome is verdicts["switches"].outcome is CheckOutcome.FAILED


@pytest.mark.parametrize(
    ("fault", "seen"),
    [("stuck-key", "never came up: done"), ("keys-unplugged", "its cable is unplugged")],
)
def test_a_key_that_sticks_and_a_cable_that_is_off(shipped: Shipped, fault: str, seen: str) -> None:
    technician = Technician(shipped("dreamcatcher"))
    technician.skips = {"done"} if fault == "stuck-key" else set()
    press = technician._press

    def break_and_press() -> None:
        technician.world.fault(fault, "done")
        press()

    technician._press = break_and_press  # type: ignore[method-assign]
    verdict = technician.test()["buttons"]
    assert (verdict.outcome, verdict.seen) == (CheckOutcome.FAILED, seen)


@pytest.mark.parametrize(
    ("fault", "seen"),
    [("dead-clapper", "strikes"), ("stuck-low", "strikes"), ("missing-index", "strikes")],
)
def test_a_wheel_whose_sensors_disagree(shipped: Shipped, fault: str, seen: str) -> None:
    target = "encoder_a" if fault == "stuck-low" else ""
    verdict = broken(shipped, "big-six", fault, target).test()["head"]
    assert verdict.outcome is CheckOutcome.FAILED
    assert seen in verdict.seen
    assert verdict.remedy


def test_a_wheel_that_counts_backwards(shipped: Shipped) -> None:
    technician = Technician(shipped("big-six"))
    technician.way = -1
    verdict = technician.test()["head"]
    assert verdict.outcome is CheckOutcome.FAILED
    assert "wheel.reversed" in verdict.remedy


def test_a_roulette_wheels_beams_and_direction(shipped: Shipped) -> None:
    blocked = broken(shipped, "roulette", "stuck-high", "ball_2")
    verdict = blocked.test(alone=True)["rotor"]
    assert (verdict.outcome, verdict.seen) == (CheckOutcome.FAILED, "ball_2: something blocks the beam")
    untouched = Technician(shipped("roulette"))
    untouched.skips = {"beams"}
    assert untouched.test()["rotor"].seen == "not seen: ball_1, ball_2"
    backwards = Technician(shipped("roulette"))
    backwards.way = -1
    assert backwards.test()["rotor"].seen == "the rotor turned clockwise"


def test_lamps_that_nothing_reads_back_need_eyes(shipped: Shipped, monkeypatch: pytest.MonkeyPatch) -> None:
    technician = Technician(shipped("dreamcatcher"))
    monkeypatch.setattr(MockPanel, "read_back", lambda panel: None)
    assert technician.test(alone=True)["panel"].outcome is CheckOutcome.UNTRIED
    assert technician.test()["panel"].outcome is CheckOutcome.PASSED


def test_it_leaves_the_table_dark_and_its_devices_closed(shipped: Shipped, monkeypatch: pytest.MonkeyPatch) -> None:
    """Panels of relays stay as they are when they are closed."""
    monkeypatch.setattr(MockPanel, "close", lambda panel: None)
    technician = Technician(shipped("dreamcatcher"))
    technician.test()
    assert not technician.world.panel.lit()
    technician.messages.clear()
    technician._press()
    technician._turn_switches()
    assert not technician.messages


def test_a_reader_that_is_silent_or_garbled(shipped: Shipped) -> None:
    technician = Technician(shipped("roulette"))
    technician.answers = {"lay the ball": ""}
    assert technician.test()["reader"].seen == "it named no pocket"
    garbled = broken(shipped, "roulette", "reader-garbled").test()["reader"]
    assert garbled.outcome is CheckOutcome.FAILED
    assert "pattern" in garbled.remedy


def test_a_device_that_cannot_be_opened_does_not_end_the_test(shipped: Shipped) -> None:
    technician = Technician(shipped("dreamcatcher"))
    devices = technician.config.devices
    options = {"port": "/dev/no-such-port", "units": [{"unit": 1, "outputs": 16}]}
    panel = devices.panel.model_copy(update={"backend": "modbus", "options": options})
    changed = devices.model_copy(update={"panel": panel})
    technician.config = technician.config.model_copy(update={"devices": changed})
    verdicts = technician.test(alone=True)
    assert verdicts["panel"].outcome is CheckOutcome.FAILED
    assert "there is no port /dev/no-such-port" in verdicts["panel"].remedy
    assert "sounder" in verdicts


def test_the_command_prints_a_verdict_for_each_device(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.commissioning.selftest.QUICK_LAMP_S", 0.0)
    monkeypatch.setattr("controller.commissioning.selftest.LISTEN_S", 0.0)
    assert main(["selftest", "sic-bo", "--non-interactive", "--json"]) == 0
    printed = capsys.readouterr()
    rows = json.loads(printed.out)
    assert {row["device"]: row["outcome"] for row in rows}["panel"] == "passed"
    assert "panel (mock)" in printed.err
