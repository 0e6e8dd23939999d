"""Backend ``gpiozero``: chip and lines, bounces, held-up loops, lost edges, faults, and what an error says."""

import errno
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from contracts.devices import LAMPS
from gpio_benches import (
    BACKEND,
    BUTTONS,
    BUZZER,
    COLUMNS,
    FEEDBACK_PINS,
    ROWS,
    Bench,
    ButtonsBench,
    KeypadBench,
    PanelBench,
    SounderBench,
    TamperBench,
    opened,
)
from gpiod_lines import Lines, Request
from gpiozero import PinUnknownPi

from config.schema import ButtonsDevice, BuzzerDevice, KeypadDevice, PanelDevice, SwitchesDevice
from hal.errors import HalError
from hal.events import FaultEvent, KeyEvent
from hal.gpiozero import pins as gpio_pins

BOUNCE_MS = 10
HELD = "another program or a device-tree overlay has the pin"
Make = Callable[..., Any]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lines]:
    made = Lines(monkeypatch)
    yield made
    made.end()


@pytest.fixture
def bench(lines: Lines) -> Iterator[Make]:
    """Makes benches, and closes them."""
    with ExitStack() as stack:

        def make(kind: type[Bench], **options: object) -> Bench:
            made = kind(lines, **options)
            stack.callback(made.close)
            return made

        yield make


@pytest.fixture
def buttons(bench: Make) -> ButtonsBench:
    return bench(ButtonsBench, virtual=True, bounce_ms=BOUNCE_MS)


def events_of(bench: Bench) -> list[KeyEvent | FaultEvent]:
    """What the device delivers from now on."""
    events: list[KeyEvent | FaultEvent] = []
    bench.run(lambda: bench.device.start(events.append))
    return events


def fails(*_arguments: object) -> None:
    raise OSError("input/output error")


# -- chip and lines --------------------------------------------------------------------------------------------


OTHERS = ("gpio-brcmstb@107d508500", "raspberrypi-exp-gpio")


@pytest.mark.parametrize(
    ("chips", "number"),
    [
        *(((*OTHERS, label), 2) for label in ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")),
        # Another chip cannot be opened: not allowed, or gone between listing and opening.
        (("pinctrl-rp1", errno.EACCES, errno.ENOENT), 0),
        ((errno.ENOENT, errno.EACCES, "pinctrl-rp1"), 2),
    ],
)
def test_the_chip_of_the_header_is_found_whatever_its_number(
    lines: Lines, chips: tuple[str | int, ...], number: int
) -> None:
    """Each chip has a label, or an error that opening it raises."""
    lines.labels = {f"/dev/gpiochip{at}": chip for at, chip in enumerate(chips)}
    opened("sounder", BuzzerDevice(backend=BACKEND, pin=12)).close()
    assert lines.opened[-1] == f"/dev/gpiochip{number}"


def test_a_chip_that_is_not_there_is_named_with_those_that_cannot_be_read(lines: Lines) -> None:
    lines.labels = {"/dev/gpiochip0": "raspberrypi-exp-gpio", "/dev/gpiochip1": errno.EACCES}
    with pytest.raises(HalError) as failure:
        opened("sounder", BuzzerDevice(backend=BACKEND, pin=12))
    assert str(failure.value) == (
        "sounder: pin factory gpiod: no GPIO chip is labelled 'pinctrl-rp1' or 'pinctrl-bcm2711' or "
        "'pinctrl-bcm2835'; there are: raspberrypi-exp-gpio; and these cannot be read: /dev/gpiochip1 "
        "(Permission denied). Add the user to the group gpio, or correct `chip` under options"
    )


def test_an_active_low_buzzer_does_not_sound_when_it_is_opened(lines: Lines) -> None:
    lines.far[BUZZER] = True
    opened("sounder", BuzzerDevice(backend=BACKEND, pin=BUZZER, options={"active_high": False})).close()
    assert lines.history[BUZZER] == [True]


@pytest.mark.parametrize("mute", [False, True])
def test_a_lost_line_is_reported_once_and_the_others_still_work(
    buttons: ButtonsBench, caplog: pytest.LogCaptureFixture, mute: bool
) -> None:
    events = events_of(buttons)
    buttons.lines.requests[BUTTONS["1"]].is_taken_away(mute)
    buttons.press("2")
    for _ in range(2):
        buttons.pass_ms(BOUNCE_MS)
    assert caplog.text.count("the line of GPIO5 is gone; start the table again") == 1
    assert [event.control for event in events if isinstance(event, KeyEvent)] == ["2"]


# -- contacts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "heard"),
    [
        ("1+ 2 1- 2 1+ 2 1- 2 1+ 9", ""),
        ("1+ 2 1- 2 1+ 2 1- 2 1+ 10", "down at 8"),  # It bounces, and is pressed when it last bounced.
        # The kernel's stamps say how long the key was down while the event loop was held up.
        ("1+ held-up 1- held-up 1+ held-up 1- 10", "down at 0, up at 50, down at 100, up at 150"),
        # The edge of a release is lost: it is seen when the press has settled.
        ("1+ 1 1? 30", "down at 0, up at 10"),
    ],
)
def test_presses_are_told_from_bounces_by_their_stamps(buttons: ButtonsBench, steps: str, heard: str) -> None:
    events = events_of(buttons)
    began_ns = buttons.clock.now_ns()
    for step in steps.split():
        if step == "held-up":
            buttons.hold_up_ms(50)
        elif step.isdigit():
            buttons.pass_ms(int(step))
        elif step[-1] == "?":
            buttons.lines.far[BUTTONS[step[0]]] = True  # The level changes without an edge.
        else:
            (buttons.press if step[-1] == "+" else buttons.release)(step[0])
    found = [(one.pressed, one.timestamp_ns - began_ns) for one in events if isinstance(one, KeyEvent)]
    assert ", ".join(f"{'down' if down else 'up'} at {at_ns // 1_000_000}" for down, at_ns in found) == heard


def test_a_pin_that_cannot_be_read_any_more_is_a_fault_until_it_can(
    buttons: ButtonsBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = events_of(buttons)
    with monkeypatch.context() as breaks:
        breaks.setattr(Request, "get_value", fails)
        buttons.press("enter")
        buttons.pass_ms(BOUNCE_MS)
    buttons.release("enter")
    buttons.pass_ms(BOUNCE_MS)
    fault, press, well, release = events
    assert isinstance(fault, FaultEvent)
    assert fault.detail.startswith("buttons: 'enter' on pin 13: input/output error; check wiring")
    assert isinstance(well, FaultEvent)
    assert not well.detail
    assert [press, release] == [KeyEvent("enter", True, 10**9), KeyEvent("enter", False, 1010 * 10**6)]


def test_edges_from_a_thread_are_delivered_in_the_event_loop_and_stamped_now(buttons: ButtonsBench) -> None:
    """Some of gpiozero's libraries have a thread, and stamps of another clock."""
    threads: list[int] = []
    events: list[KeyEvent] = []

    def deliver(event: KeyEvent) -> None:
        threads.append(threading.get_ident())
        events.append(event)

    buttons.run(lambda: buttons.device.start(deliver))
    pin = gpio_pins.pin_factory("gpiod").pin(BUTTONS["1"])
    thread = threading.Thread(target=lambda: pin.when_changed(4e9, False))
    thread.start()
    thread.join()
    assert threads == []
    buttons.lines.far[BUTTONS["1"]] = False
    buttons.pass_ms(BOUNCE_MS)
    assert threads == [threading.get_ident()]
    assert events == [KeyEvent("1", True, 10**9)]


@pytest.mark.parametrize("kind", [ButtonsBench, KeypadBench])
def test_a_key_that_is_down_at_the_start_is_held_and_its_release_is_delivered(
    bench: Make, kind: type[Bench]
) -> None:
    made = bench(kind, virtual=True)
    made.press("1")
    events = events_of(made)
    made.pass_ms(100)
    made.release("1")
    made.pass_ms(100)
    found = [(one.control, one.pressed, one.held) for one in events if isinstance(one, KeyEvent)]
    assert found == [("1", True, True), ("1", False, False)]


def test_no_row_of_a_keypad_is_ever_driven_high(bench: Make, lines: Lines) -> None:
    """Two keys may have joined it to one that is low."""
    keypad = bench(KeypadBench, virtual=True)
    events_of(keypad)
    keypad.press("1")
    keypad.pass_ms(100)
    keypad.run(keypad.device.close)
    assert lines.driven == {(row, False) for row in ROWS}
    assert not lines.driven & {*COLUMNS}


def test_a_cut_wire_reads_as_an_open_contact(bench: Make) -> None:
    assert events_of(bench(TamperBench, wired=False)) == [], "none is closed"


def test_the_latches_are_reset_by_a_pulse(bench: Make, lines: Lines) -> None:
    """While it lasts they remember nothing."""
    tamper = bench(TamperBench, reset_ms=1)
    tamper.run(tamper.device.forget)
    tamper.until(lambda: lines.history[23] == [False, True, False])


# -- lamps and buzzer ------------------------------------------------------------------------------------------


def test_a_dark_lamp_and_a_falsely_lit_lamp_are_read_back(bench: Make, lines: Lines) -> None:
    panel = bench(PanelBench, tells=True)
    panel.device.show(frozenset({"1", "big"}))
    lines.far |= {FEEDBACK_PINS["1"]: False, FEEDBACK_PINS["small"]: True}
    assert panel.device.read_back() == {"big", "small"}


@pytest.mark.parametrize("active_high", [True, False])
def test_a_closed_panel_is_dark_and_refuses_to_show_lamps(bench: Make, active_high: bool) -> None:
    panel = bench(PanelBench, active_high=active_high)
    panel.device.show(frozenset(LAMPS))
    panel.device.close()
    assert panel.burning() == set()
    with pytest.raises(HalError, match=r"panel: the lamp '2' on pin 3: the device is closed; start"):
        panel.device.show(frozenset({"1"}))


def test_a_beep_during_a_beep_makes_it_longer(bench: Make) -> None:
    buzzer = bench(SounderBench, virtual=True)
    for _ in range(2):
        buzzer.run(buzzer.device.beep)
        buzzer.pass_ms(119)
    assert buzzer.sounding()
    buzzer.pass_ms(1)
    assert not buzzer.sounding()
    assert buzzer.sounds() == 1


def test_a_buzzer_that_fails_stops_nothing(
    bench: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    buzzer = bench(SounderBench)
    monkeypatch.setattr(Request, "set_value", fails)
    buzzer.run(buzzer.device.beep)
    assert "sounder: the buzzer on pin 12: input/output error" in caplog.text


# -- errors ----------------------------------------------------------------------------------------------------

TWO_KEYS = [["1", "2"], ["3", "4"]]


@pytest.mark.parametrize(
    ("kind", "wiring", "message"),
    [
        ("sounder", BuzzerDevice(backend=BACKEND, pin=17), "sounder: the buzzer on pin 17"),
        ("keys", ButtonsDevice(backend=BACKEND, pins={"done": 5, "clear": 17}), "buttons: 'clear' on pin 17"),
        ("panel", PanelDevice(backend=BACKEND, lamps={"small": 5, "big": 17}), "panel: the lamp 'big' on pin 17"),
        (
            "keys",
            KeypadDevice(backend=BACKEND, rows=[5, 17], columns=[6, 13], keys=TWO_KEYS),
            "keypad: row 2 on pin 17",
        ),
    ],
)
def test_a_line_that_another_program_has_is_named_when_its_device_is_opened(
    lines: Lines, kind: str, wiring: ButtonsDevice, message: str
) -> None:
    lines.held.add(17)
    with pytest.raises(HalError, match=f"{message}: {HELD}") as failure:
        opened(kind, wiring)
    assert lines.requests == {}, "what had been taken was given back"
    lines.held.clear()
    opened(kind, wiring).close()
    assert failure.value.__cause__ is not None, "whoever keeps the error keeps no pin"


def test_a_pin_serves_one_device_only_until_it_is_closed(lines: Lines) -> None:
    both = ButtonsDevice(backend=BACKEND, pins={"done": 5, "clear": 17})
    switches = opened("switches", SwitchesDevice(backend=BACKEND, pins={"floor-key": 17}))
    with pytest.raises(HalError) as failure:
        opened("keys", both)
    assert str(failure.value) == (
        "buttons: 'clear' on pin 17: another device of this table has the pin; give each device a pin of its own"
    )
    opened("sounder", BuzzerDevice(backend=BACKEND, pin=5)).close()  # What had been taken was released.
    switches.close()
    opened("keys", both).close()


@pytest.mark.parametrize(
    ("feedback", "words"),
    [
        ({"small": 17}, "no pin to read back the lamp 'big'; give every area one"),
        ({"small": 17, "large": 18, "big": 19}, "read_back_pins.large: 'large' has no lamp; correct the name"),
    ],
)
def test_all_lamps_are_read_back_or_none(lines: Lines, feedback: dict[str, int], words: str) -> None:
    options = {"read_back_pins": feedback}
    with pytest.raises(HalError, match=words):
        opened("panel", PanelDevice(backend=BACKEND, lamps={"small": 5, "big": 6}, options=options))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(13, "Permission denied", "/dev/gpiochip0"), "sudo usermod -aG gpio"),
        (OSError("unable to open /dev/gpiomem or /dev/mem; upgrade your kernel or run as root"), "-aG gpio"),
        (PinUnknownPi("unable to locate Pi revision"), "this computer is no Raspberry Pi"),
        (Exception("GPIO busy"), HELD),  # As lgpio raises it: of no kind of its own.
        (Exception("not a GPIO chip"), "not a GPIO chip; check wiring and options"),
    ],
)
def test_pins_that_cannot_be_reached_at_all(monkeypatch: pytest.MonkeyPatch, error: Exception, words: str) -> None:
    def raises(name: str) -> None:
        raise error

    monkeypatch.setattr(gpio_pins, "pin_factory", raises)
    with pytest.raises(HalError) as failure:
        opened("sounder", BuzzerDevice(backend=BACKEND, pin=BUZZER))
    assert str(failure.value).startswith("sounder: pin factory gpiod: ")
    assert words in str(failure.value)
