"""Buttons, switches and keypads of backend ``gpiozero``: bounces, held-up loops, lost edges, ghosts, faults."""

import threading
from collections.abc import Iterator
from functools import partial

import pytest
from contracts.keys import CONTROLS
from gpio_benches import (
    BUTTONS,
    Bench,
    ButtonsBench,
    KeypadBench,
    open_bench,
)
from gpiozero.pins.mock import MockPin

from hal.events import FaultEvent, KeyEvent

BOUNCE_MS = 10


def events_of(bench: Bench) -> list[KeyEvent | FaultEvent]:
    """What the device delivers from now on."""
    events: list[KeyEvent | FaultEvent] = []
    bench.run(lambda: bench.device.start(events.append))
    return events


# -- buttons and switches -------------------------------------------------------------------------------------


@pytest.fixture
def buttons(monkeypatch: pytest.MonkeyPatch) -> Iterator[ButtonsBench]:
    with open_bench(partial(ButtonsBench, monkeypatch, virtual=True, bounce_ms=BOUNCE_MS)) as bench:
        yield bench


def test_a_button_that_bounces_is_pressed_once_when_it_last_bounced(buttons: ButtonsBench) -> None:
    events = events_of(buttons)
    for _ in range(3):
        buttons.press("1")
        buttons.pass_ms(2)
        buttons.release("1")
        buttons.pass_ms(1)
    buttons.press("1")
    pressed_ns = buttons.clock.now_ns()
    buttons.pass_ms(BOUNCE_MS - 1)
    assert events == []
    buttons.pass_ms(1)
    assert events == [KeyEvent("1", True, pressed_ns)]


def test_no_press_is_lost_while_the_event_loop_is_held_up(buttons: ButtonsBench) -> None:
    events = events_of(buttons)
    began_ns = buttons.clock.now_ns()
    for move in (buttons.press, buttons.release) * 2:
        move("1")
        buttons.hold_up_ms(50)
    buttons.pass_ms(BOUNCE_MS)
    stamps = [began_ns + number * 50_000_000 for number in range(4)]
    assert events == [KeyEvent("1", number % 2 == 0, at_ns) for number, at_ns in enumerate(stamps)]


def test_a_release_whose_edge_was_lost_is_seen_when_the_press_has_settled(buttons: ButtonsBench) -> None:
    events = events_of(buttons)
    buttons.press("1")
    buttons.pass_ms(1)
    buttons.pin(BUTTONS["1"])._change_state(True)  # The level changes without an edge.
    buttons.pass_ms(3 * BOUNCE_MS)
    assert [event.pressed for event in events] == [True, False]


def test_a_pin_that_cannot_be_read_any_more_is_a_fault_until_it_can(
    buttons: ButtonsBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = events_of(buttons)

    def fails(pin: MockPin) -> bool:
        raise OSError("input/output error")

    with monkeypatch.context() as breaks:
        breaks.setattr(MockPin, "_get_state", fails)
        buttons.press("enter")
        buttons.pass_ms(BOUNCE_MS)
    buttons.release("enter")
    buttons.pass_ms(BOUNCE_MS)
    fault, press, well, release = events
    assert isinstance(fault, FaultEvent)
    assert fault.detail.startswith("buttons: 'enter' on pin 13: input/output error; check wiring")
    assert (press.pressed, well.detail, release.pressed) == (True, "", False)


def test_edges_come_from_a_thread_and_are_delivered_in_the_event_loop(buttons: ButtonsBench) -> None:
    threads: list[int] = []
    buttons.run(lambda: buttons.device.start(lambda event: threads.append(threading.get_ident())))

    def finger() -> None:
        buttons.press("1")
        buttons.hold_up_ms(50)
        buttons.release("1")

    thread = threading.Thread(target=finger)
    thread.start()
    thread.join()
    assert threads == []
    buttons.pass_ms(BOUNCE_MS)
    assert threads == [threading.get_ident()] * 2


def test_a_button_that_is_down_at_the_start_is_held_and_its_release_is_delivered(buttons: ButtonsBench) -> None:
    buttons.press("1")
    events = events_of(buttons)
    buttons.pass_ms(100)
    buttons.release("1")
    buttons.pass_ms(100)
    found = [(one.control, one.pressed, one.held) for one in events if isinstance(one, KeyEvent)]
    assert found == [("1", True, True), ("1", False, False)]


# -- keypad ---------------------------------------------------------------------------------------------------


@pytest.fixture
def keypad(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeypadBench]:
    with open_bench(partial(KeypadBench, monkeypatch, virtual=True)) as bench:
        yield bench


def test_a_key_of_a_matrix_that_is_down_at_the_start_is_held_and_its_release_is_reported(
    keypad: KeypadBench,
) -> None:
    keypad.press(CONTROLS[0])
    events = events_of(keypad)
    keypad.pass_ms(100)
    keypad.release(CONTROLS[0])
    keypad.pass_ms(100)
    assert [(one.control, one.pressed, one.held) for one in events if isinstance(one, KeyEvent)] == [
        (CONTROLS[0], True, True),
        (CONTROLS[0], False, False),
    ]


def test_no_row_is_ever_driven_high(keypad: KeypadBench) -> None:
    events_of(keypad)
    keypad.press("1")
    keypad.pass_ms(100)
    keypad.run(keypad.device.close)
    assert not keypad.factory.driven_high
    assert all(keypad.pin(number).function == "input" for number in (5, 6, 16, 20))
