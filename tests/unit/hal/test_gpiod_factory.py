"""Pin factory ``gpiod``: which chip, requests of lines, edges and their thread, errors."""

import errno
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from contracts.loop import Loop
from gpio_benches import BACKEND, fit, opened
from gpiod_lines import HandledFactory, Lines
from gpiozero import (
    InputDevice,
    OutputDevice,
)

from config.schema import ButtonsDevice, BuzzerDevice, KeypadDevice, PanelDevice
from hal.errors import HalError
from hal.gpiod import edges
from hal.gpiod.edges import find_chip
from hal.gpiozero.gpiod_factory import GpiodFactory


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    return Lines(monkeypatch)


@pytest.fixture
def pins(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> Iterator[HandledFactory]:
    factory = HandledFactory(lines)
    fit(monkeypatch, factory)
    yield factory
    factory.close()


@pytest.fixture
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.close()


# -- the chip ---------------------------------------------------------------------------------------------------


Chips = Callable[..., list[str]]


@pytest.fixture
def chips(lines: Lines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Chips:
    """Puts chips into /dev, the first as number 0: each has a label, or an error that opening it raises."""
    monkeypatch.setattr(edges, "DEVICES", tmp_path)

    def put(*labels: str | int) -> list[str]:
        paths = [tmp_path / f"gpiochip{number}" for number in range(len(labels))]
        for path in paths:
            path.touch()
        lines.labels = {str(path): label for path, label in zip(paths, labels, strict=True)}
        return list(lines.labels)

    return put


@pytest.mark.parametrize("label", ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"])
def test_the_chip_of_the_header_is_found_whatever_its_number(lines: Lines, chips: Chips, label: str) -> None:
    paths = chips("gpio-brcmstb@107d508500", "raspberrypi-exp-gpio", label)
    GpiodFactory().close()
    assert lines.opened[-1] == paths[2]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.ENODEV, errno.ENOENT])
@pytest.mark.parametrize("place", [0, 1])
def test_another_chip_that_cannot_be_opened_changes_nothing(chips: Chips, number: int, place: int) -> None:
    """Not allowed, or gone between listing and opening."""
    paths = chips(*(["pinctrl-rp1", number] if place else [number, "pinctrl-rp1"]))
    assert find_chip("pinctrl-rp1") == paths[1 - place]


def test_a_chip_that_is_not_there_is_named_with_those_that_cannot_be_read(chips: Chips) -> None:
    paths = chips("raspberrypi-exp-gpio", errno.EACCES)
    with pytest.raises(HalError) as failure:
        opened("sounder", BuzzerDevice(backend=BACKEND, pin=12))
    assert str(failure.value) == (
        "sounder: pin factory gpiod: no GPIO chip is labelled 'pinctrl-rp1' or 'pinctrl-bcm2711' or "
        f"'pinctrl-bcm2835'; there are: raspberrypi-exp-gpio; and these cannot be read: {paths[1]} "
        "(Permission denied). Add the user to the group gpio, or correct `chip` under options"
    )


# -- lines ------------------------------------------------------------------------------------------------------


def test_an_active_low_lamp_does_not_flash_when_it_is_opened(pins: HandledFactory, lines: Lines) -> None:
    lines.hands[17] = True
    OutputDevice(17, active_high=False, pin_factory=pins)
    assert lines.history[17] == [True]


def test_an_input_is_pulled_from_its_opening_on(pins: HandledFactory, lines: Lines) -> None:
    pins.pin(17).input_with_pull("up")
    assert lines.history[17] == [True]


@pytest.mark.parametrize(
    ("kind", "wiring", "message"),
    [
        ("sounder", BuzzerDevice(backend=BACKEND, pin=17), "sounder: the buzzer on pin 17"),
        ("keys", ButtonsDevice(backend=BACKEND, pins={"done": 5, "clear": 17}), "buttons: 'clear' on pin 17"),
        ("panel", PanelDevice(backend=BACKEND, lamps={"small": 5, "big": 17}), "panel: the lamp 'big' on pin 17"),
        (
            "keys",
            KeypadDevice(backend=BACKEND, rows=[5, 17], columns=[6, 13], keys=[["1", "2"], ["3", "4"]]),
            "keypad: row 2 on pin 17",
        ),
    ],
)
def test_a_line_that_another_program_has_is_named_when_its_device_is_opened(
    pins: HandledFactory, lines: Lines, kind: str, wiring: ButtonsDevice, message: str
) -> None:
    lines.held.add(17)
    with pytest.raises(
        HalError, match=f"{message}: another program or a device-tree overlay has the pin"
    ) as failure:
        opened(kind, wiring)
    assert lines.requests == {}, "what had been taken was given back"
    lines.held.clear()
    opened(kind, wiring).close()
    assert failure.value.__cause__ is not None, "whoever keeps the error keeps no pin"


# -- edges ------------------------------------------------------------------------------------------------------


class Watched:
    """A contact that is watched in the event loop, and its reported changes."""

    def __init__(self, pins: HandledFactory, loop: Loop, number: int = 17) -> None:
        self.moves: list[tuple[bool, float]] = []
        self.device = InputDevice(number, pull_up=True, pin_factory=pins)
        loop.run(self._watch)

    def _watch(self) -> None:
        self.device.pin.when_changed = self._on_change

    def _on_change(self, stamp_s: float, high: bool) -> None:
        self.moves.append((high, stamp_s))


def test_edges_have_the_kernels_stamps(pins: HandledFactory, lines: Lines, loop: Loop) -> None:
    contacts = [Watched(pins, loop, number) for number in (17, 27)]
    for number, at_ns in ((17, 1_500_000_000), (27, 1_250_000_000)):
        lines.requests[number].saw(False, at_ns)
    loop.until(lambda: [contact.moves for contact in contacts] == [[(False, 1.5)], [(False, 1.25)]])
    loop.run(pins.close)


def test_a_closed_pin_reports_nothing_and_the_others_still_do(
    pins: HandledFactory, lines: Lines, loop: Loop
) -> None:
    one, other = Watched(pins, loop, 17), Watched(pins, loop, 27)
    loop.run(one.device.close)
    lines.drive(17, False)
    lines.drive(27, False)
    loop.until(lambda: len(other.moves) == 1)
    assert one.moves == []
    again = Watched(pins, loop, 17)
    lines.drive(17, True)
    loop.until(lambda: [high for high, _ in again.moves] == [True])
    loop.run(pins.close)


@pytest.mark.parametrize("mute", [False, True])
def test_a_lost_line_is_reported_once_and_the_others_still_work(
    pins: HandledFactory, lines: Lines, loop: Loop, caplog: pytest.LogCaptureFixture, mute: bool
) -> None:
    gone, other = Watched(pins, loop, 17), Watched(pins, loop, 27)
    lines.requests[17].is_taken_away(mute)
    loop.until(lambda: "the line of GPIO17 is gone; start the table again" in caplog.text)
    lines.drive(27, False)
    loop.until(lambda: len(other.moves) == 1)
    loop.run(gone.device.close)
    assert 17 not in lines.requests
    assert caplog.text.count("is gone") == 1
    loop.run(pins.close)
