"""The self-test of a table: a sound one passes in every game, and what is broken is named with a remedy."""

import asyncio
import json
from collections.abc import Callable

import pytest
from open_tables import Shipped

from config.schema import TableConfig
from controller.bench.simulated_table import on_simulated_hardware, with_contacts
from controller.commands.cli import main
from controller.commissioning.check_verdict import CheckOutcome, CheckVerdict
from controller.commissioning.selftest import SelfTest
from controller.configuration.shipped import shipped_tables
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.devices import MockPanel
from hal.mock.wheel import MockHead
from hal.mock.world import World

GAMES = sorted(shipped_tables())


class Technician:
    """Does at a simulated table what the self-test asks for.

    Attributes:
        skips: controls, switches or beams that are left out.
        answers: what is answered to a question that holds the text, instead of yes.
    """

    def __init__(self, config: TableConfig) -> None:
        self.config = on_simulated_hardware(with_contacts(config))
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        self.skips: set[str] = set()
        self.answers: dict[str, str] = {}
        self.way = 1
        self.closes = True
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
            "every door": self._open_doors,
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
        computer = self.world.computer
        return dict(
            asyncio.run(SelfTest(self.config, self.clock, ask, self.messages.append, self.wait, computer).run())
        )

    def _press(self) -> None:
        for keys in self.world.keys:
            for control in keys.controls:
                if control not in self.skips:
                    keys.press(control)
                    self.pass_s(0.3)

    def _turn_switches(self) -> None:
        for name in self.world.switches.controls:
            if name not in self.skips:
                self.world.switches.press(name)
                self.pass_s(0.3)

    def _open_doors(self) -> None:
        for name in {*self.world.doors.controls} - self.skips:
            self.world.doors.set(name, False)
            self.world.doors.set(name, self.closes)

    def _turn_wheel(self) -> None:
        assert isinstance(self.world.head, MockHead)
        self.world.head.turn(self.way * 54 * 2.2, 8)
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


Before = Callable[[Technician], object]


def fault(kind: str, target: str = "") -> Before:
    """A fault before the test; the devices are there once they were opened."""
    return lambda technician: (technician.test(), technician.world.fault(kind, target))


def meanwhile(kind: str, *skips: str) -> Before:
    """A fault as the keys are pressed."""

    def before(technician: Technician) -> None:
        press = technician._press

        def breaks() -> None:
            technician.world.fault(kind, "done")
            press()

        technician.skips = set(skips)
        technician._press = breaks  # type: ignore[method-assign]

    return before


def with_(**attributes: object) -> Before:
    """A technician who does something else."""
    return lambda technician: [setattr(technician, name, value) for name, value in attributes.items()]


def other_panel(technician: Technician) -> None:
    """A panel that cannot be opened does not end the test."""
    devices = technician.config.devices
    options = {"port": "/dev/no-such-port", "units": [{"unit": 1, "outputs": 16}]}
    panel = devices.panel.model_copy(update={"backend": "modbus", "options": options})
    changed = devices.model_copy(update={"panel": panel})
    technician.config = technician.config.model_copy(update={"devices": changed})


@pytest.mark.parametrize(
    ("game", "before", "device", "seen", "remedy"),
    [
        ("sic-bo", fault("dead-lamp", "total-9"), "panel", "with total-9 alone, these burned: none", "output "),
        ("dreamcatcher", other_panel, "panel", "", "there is no port /dev/no-such-port"),
        ("dreamcatcher", with_(answers={"every lamp": "n"}), "panel", "", ""),
        ("dreamcatcher", with_(answers={"buzzer": "n"}), "sounder", "", ""),
        ("dreamcatcher", with_(skips={"done"}), "buttons", "not received: done", ""),
        ("dreamcatcher", with_(skips={"floor-key"}), "switches", "not received: floor-key", ""),
        ("dreamcatcher", meanwhile("stuck-key", "done"), "buttons", "never came up: done", ""),
        ("dreamcatcher", meanwhile("keys-unplugged"), "buttons", "its cable is unplugged", ""),
        ("big-six", fault("dead-clapper"), "head", "strikes", ""),
        ("big-six", fault("stuck-low", "encoder_a"), "head", "strikes", ""),
        ("big-six", fault("missing-index"), "head", "strikes", ""),
        ("big-six", with_(way=-1), "head", "", "wheel.reversed"),
        ("roulette", fault("stuck-high", "ball_2"), "rotor", "ball_2: something blocks the beam", ""),
        ("roulette", with_(skips={"beams"}), "rotor", "not seen: ball_1, ball_2", ""),
        ("roulette", with_(way=-1), "rotor", "the rotor turned clockwise", ""),
        ("roulette", with_(answers={"lay the ball": ""}), "reader", "it named no pocket", ""),
        ("roulette", fault("reader-garbled"), "reader", "", "pattern"),
        ("sic-bo", with_(closes=False), "tamper", "open: cabinet, door", "contact and wire"),
        ("sic-bo", with_(skips={"cabinet"}), "tamper", "never opened: cabinet", "closed for ever"),
        ("sic-bo", fault("supply-low"), "computer", "the supply voltage is too low", "power supply"),
        ("sic-bo", fault("battery-low"), "computer", "the clock's battery is low: 2.10 V", "replace it"),
    ],
)
def test_a_device_that_is_broken_fails_alone_and_says_what_was_seen_and_what_to_do(
    shipped: Shipped, game: str, before: Before, device: str, seen: str, remedy: str
) -> None:
    technician = Technician(shipped(game))
    before(technician)
    verdicts = technician.test()
    verdict = verdicts.pop(device)
    assert verdict.outcome is CheckOutcome.FAILED
    assert seen in verdict.seen
    assert remedy in verdict.remedy
    assert verdict.remedy
    assert {other.outcome for other in verdicts.values()} == {CheckOutcome.PASSED}


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
