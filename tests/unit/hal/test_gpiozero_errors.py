"""What backend ``gpiozero`` says when something cannot be opened: device, control, pin and remedy."""

import sys

import pytest
from gpio_benches import (
    BACKEND,
    BUZZER,
    fit,
    opened,
)
from gpiozero import PinUnknownPi
from gpiozero.pins.mock import MockFactory, MockPin

from config.schema import ButtonsDevice, BuzzerDevice, PanelDevice, SwitchesDevice
from hal.errors import HalError, LibraryMissingError
from hal.gpiozero import pins as gpio_pins

TWO_BUTTONS = ButtonsDevice(backend=BACKEND, pins={"done": 5, "clear": 17})
ONE_SWITCH = SwitchesDevice(backend=BACKEND, pins={"floor-key": 17})


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    factory = MockFactory()
    fit(monkeypatch, factory)
    return factory


def test_a_pin_serves_one_device_only_until_it_is_closed(pins: MockFactory) -> None:
    switches = opened("switches", ONE_SWITCH)
    with pytest.raises(HalError) as failure:
        opened("keys", TWO_BUTTONS)
    assert str(failure.value) == (
        "buttons: 'clear' on pin 17: another device of this table has the pin; give each device a pin of its own"
    )
    opened("sounder", BuzzerDevice(backend=BACKEND, pin=5)).close()  # What had been taken was released.
    switches.close()
    opened("keys", TWO_BUTTONS).close()


def test_all_lamps_are_read_back_or_none(pins: MockFactory) -> None:
    lamps = {"small": 5, "big": 6}
    for feedback, words in (
        ({"small": 17}, "no pin to read back the lamp 'big'; give every area one"),
        (
            {"small": 17, "large": 18, "big": 19},
            "read_back_pins.large: 'large' has no lamp; correct the name",
        ),
    ):
        with pytest.raises(HalError, match=words):
            opened("panel", PanelDevice(backend=BACKEND, lamps=lamps, options={"read_back_pins": feedback}))


class GpioError(Exception):
    """As lgpio raises it: of no kind of its own."""


class BusyPin(MockPin):
    """A pin that another program has."""

    def __init__(self, *arguments: object) -> None:
        raise GpioError("GPIO busy")


def test_a_pin_that_another_program_has(monkeypatch: pytest.MonkeyPatch) -> None:
    fit(monkeypatch, MockFactory(pin_class=BusyPin))
    with pytest.raises(HalError, match=r"sounder: the buzzer on pin 12: another program or .* overlay has the pin"):
        opened("sounder", BuzzerDevice(backend=BACKEND, pin=BUZZER))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(13, "Permission denied", "/dev/gpiochip0"), "sudo usermod -aG gpio"),
        (OSError("unable to open /dev/gpiomem or /dev/mem; upgrade your kernel or run as root"), "-aG gpio"),
        (PinUnknownPi("unable to locate Pi revision"), "this computer is no Raspberry Pi"),
        (GpioError("not a GPIO chip"), "not a GPIO chip; check wiring and options"),
    ],
)
def test_pins_that_cannot_be_reached_at_all(monkeypatch: pytest.MonkeyPatch, error: Exception, words: str) -> None:
    def fails() -> None:
        raise error

    monkeypatch.setitem(gpio_pins.MAKERS, "gpiod", fails)
    with pytest.raises(HalError) as failure:
        opened("sounder", BuzzerDevice(backend=BACKEND, pin=BUZZER))
    assert str(failure.value).startswith("sounder: pin factory gpiod: ")
    assert words in str(failure.value)


# -- libraries and options ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "library", "remedy"),
    [
        ("gpiod", "gpiod", "pip install 'table-controller[pi]'"),
        ("rpigpio", "RPi", "pip install 'table-controller[pi]'"),
    ],
)
def test_a_library_below_gpiozero_is_missing(
    monkeypatch: pytest.MonkeyPatch, name: str, library: str, remedy: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    for module in (f"gpiozero.pins.{name}", f"hal.gpiozero.{name}_factory"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(LibraryMissingError) as failure:
        opened("sounder", BuzzerDevice(backend=BACKEND, pin=BUZZER, options={"pin_factory": name}))
    assert str(failure.value) == f"backend 'gpiozero' needs {library}: {remedy}"
