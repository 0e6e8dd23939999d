"""Keypads with a kernel driver: their keys, and unplugging."""

import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.keypad import CODES, NAMES, NUMLOCK, PATH, Event, Keypad, opener_of
from contracts.keys import CONTROLS, KeysContract
from contracts.loop import Loop
from hal.clock import LoopClock
from hal.evdev.device import controls_by_number
from hal.evdev.keypad import EvdevKeys
from hal.evdev.translate import EV_KEY, EV_SYN, SYN_DROPPED, SYN_REPORT, Translator
from hal.events import FaultEvent, KeyEvent
from hal.mock.clock import VirtualClock


class EvdevBench(Loop):
    """Keys for :data:`CODES` on a keypad.

    Args:
        clock: a virtual one, where the test says how much time passes; the loop's own if there is none.
    """

    def __init__(self, clock: VirtualClock | None = None) -> None:
        super().__init__()
        self.keypad = Keypad()
        self.clock = clock
        self.device: EvdevKeys = self.run(self._open)  # type: ignore[assignment]
        self.events: list[KeyEvent | FaultEvent] = []

    def _open(self) -> EvdevKeys:
        opener = opener_of(self.keypad)
        controls = controls_by_number(self.keypad, CODES)
        return EvdevKeys(opener.shown, opener, controls, 0.01, self.clock or LoopClock())

    def later(self, after_s: int) -> None:
        """Let virtual time pass."""
        clock = self.clock
        assert clock is not None
        self.run(lambda: clock.advance_to(clock.now_ns() + after_s * 1_000_000_000))

    def press(self, control: str) -> None:
        self.keypad.key(NAMES[CODES[control]], 1)

    def release(self, control: str) -> None:
        self.keypad.key(NAMES[CODES[control]], 0)

    def start(self) -> "EvdevBench":
        self.run(lambda: self.device.start(self.events.append))
        return self

    def event_texts(self, events: int) -> list[str]:
        """The events so far, abbreviated, once there are so many."""
        self.until(lambda: len(self.events) >= events)
        return [self._short(event) for event in self.events]

    def _short(self, event: KeyEvent | FaultEvent) -> str:
        if isinstance(event, FaultEvent):
            return f"fault: {event.detail}" if event.detail else "in order"
        down = "held" if event.held else "down"
        return f"{event.control} {down if event.pressed else 'up'}"

    def close(self) -> None:
        self.run(self.device.close)
        self.keypad.unplug()
        super().close()


@pytest.fixture
def bench() -> Iterator[EvdevBench]:
    made = EvdevBench()
    yield made
    made.close()


@pytest.fixture
def timed() -> Iterator[EvdevBench]:
    made = EvdevBench(VirtualClock())
    yield made
    made.close()


class TestEvdevKeys(KeysContract):
    @pytest.fixture
    def bench(self, bench: EvdevBench) -> EvdevBench:
        assert set(CODES) == set(CONTROLS)
        return bench


# -- keys ------------------------------------------------------------------------------------------------------


def test_stamps_are_the_kernel_s_and_not_those_of_the_read(bench: EvdevBench) -> None:
    bench.start()
    before_ns = time.monotonic_ns() // 1000 * 1000
    bench.press("1")
    after_ns = time.monotonic_ns()
    bench.until(lambda: time.monotonic_ns() > after_ns + 1_000)
    bench.event_texts(1)
    assert before_ns <= bench.events[0].timestamp_ns <= after_ns


def test_repeats_and_keys_without_a_control_are_no_events(bench: EvdevBench) -> None:
    bench.start()
    for number, value in ((NUMLOCK, 1), (NUMLOCK, 0), (79, 1), (79, 2), (79, 2), (NAMES["KEY_KP3"], 1)):
        bench.keypad.key(number, value)
    bench.press("2")
    bench.release("1")
    assert bench.event_texts(3) == ["1 down", "2 down", "1 up"]


def test_events_before_the_device_is_started_are_not_delivered(bench: EvdevBench) -> None:
    """A key that is down at the start is delivered as held, which is no press."""
    bench.press("1")
    bench.release("1")
    bench.press("2")
    bench.start()
    bench.release("2")
    bench.press("2")
    assert bench.event_texts(3) == ["2 held", "2 up", "2 down"]


def test_two_keys_at_once(bench: EvdevBench) -> None:
    bench.start()
    for control in ("1", "2"):
        bench.press(control)
    for control in ("1", "2"):
        bench.release(control)
    assert bench.event_texts(4) == ["1 down", "2 down", "1 up", "2 up"]


def test_after_an_overflow_all_keys_come_up_and_those_that_were_pressed_meanwhile_go_down(
    bench: EvdevBench,
) -> None:
    bench.start()
    bench.press("1")
    bench.press("2")
    bench.event_texts(2)
    bench.keypad.moves(79, 0)  # Key 1 comes up, enter goes down, and the kernel loses both.
    bench.keypad.moves(96, 1)
    bench.keypad.write((EV_SYN, SYN_DROPPED, 0), (EV_KEY, 83, 1), (EV_SYN, SYN_REPORT, 0))
    assert bench.event_texts(5)[2:] == ["1 up", "2 up", "enter down"]
    bench.release("2")  # It was down all the while: nobody pressed it twice.
    bench.release("enter")
    bench.press("2")
    assert bench.event_texts(7)[5:] == ["enter up", "2 down"]
    stamps = [event.timestamp_ns for event in bench.events]
    assert stamps == sorted(stamps)


def test_an_event_handler_may_close_the_device(bench: EvdevBench) -> None:
    def once(event: KeyEvent | FaultEvent) -> None:
        bench.events.append(event)
        bench.device.close()

    bench.run(lambda: bench.device.start(once))
    bench.keypad.write((EV_KEY, 79, 1), (EV_KEY, 79, 0), (EV_SYN, SYN_REPORT, 0))
    assert bench.event_texts(1) == ["1 down"]


@given(st.lists(st.tuples(st.sampled_from([79, 80, NUMLOCK, -1]), st.integers(0, 2)), max_size=60))
def test_presses_and_releases_alternate_whatever_events_the_kernel_loses(events: list[tuple[int, int]]) -> None:
    """-1 is an overflow, in which the key's moves are lost; at the end, the state of all keys is right."""
    translator, down, delivered, losing = Translator({79: "1", 80: "2"}), set[int](), list[KeyEvent](), False
    for at, (key, value) in enumerate([*events, (-1, 2), (-1, 0)], 1):
        losing = value > 0 if key == -1 else losing
        moved = key if key != -1 else 79 + value % 2
        (down.add if value else down.discard)(moved)
        kernel = [(EV_KEY, key, value)] if key != -1 else [(EV_SYN, SYN_DROPPED if losing else SYN_REPORT, 0)]
        for kind, code, worth in [*kernel, *([] if losing else [(EV_SYN, SYN_REPORT, 0)])]:
            delivered += translator.take(Event(at, 0, kind, code, worth), lambda: down)
    for control, key in (("1", 79), ("2", 80)):
        mine = [event.pressed for event in delivered if event.control == control]
        assert mine == [number % 2 == 0 for number in range(len(mine))]
        assert not (mine and mine[-1]) or key in down


# -- the plug --------------------------------------------------------------------------------------------------


def test_an_unplugged_keypad_is_reported_once_and_reopened_when_it_returns(bench: EvdevBench) -> None:
    bench.start()
    for number in range(3):
        before = 4 * number
        bench.press("1")
        bench.event_texts(before + 1)
        bench.keypad.unplug()
        texts = bench.event_texts(before + 3)[before:]
        assert texts[:2] == ["1 down", "1 up"]
        assert texts[2].startswith(f"fault: the input device {PATH} is gone (No such device); check its plug")
        bench.keypad.plug_in()
        assert bench.event_texts(before + 4)[-1] == "in order"
    bench.press("2")
    assert bench.event_texts(13)[-1] == "2 down"
    assert bench.keypad.grabbed


@pytest.mark.parametrize(
    "so_far", [[(EV_SYN, SYN_DROPPED, 0)], [(EV_SYN, SYN_DROPPED, 0), (EV_SYN, SYN_REPORT, 0)]]
)
def test_a_keypad_that_is_unplugged_in_an_overflow(bench: EvdevBench, so_far: list[tuple[int, int, int]]) -> None:
    bench.start()
    bench.press("1")
    bench.event_texts(1)
    bench.keypad.write(*so_far)
    bench.keypad.unplug()
    assert bench.event_texts(3)[1] == "1 up"
    bench.keypad.plug_in()
    assert bench.event_texts(4)[-1] == "in order"
    bench.press("1")
    bench.release("1")
    assert bench.event_texts(6)[4:] == ["1 down", "1 up"]


def test_a_keypad_that_is_not_there_at_the_start_is_reported_and_opened_once_it_is(timed: EvdevBench) -> None:
    """The table runs without it: a restart would not bring it back."""
    timed.run(timed.device.close)
    timed.keypad.unplug()
    timed.device = timed.run(timed._open)  # type: ignore[assignment]
    timed.start()
    assert timed.events == []
    timed.later(1)
    assert len(timed.events) == 1
    assert timed.event_texts(1)[0].startswith(f"fault: there is no input device {PATH}; ")
    timed.keypad.plug_in()
    timed.later(1)
    assert timed.event_texts(2)[-1] == "in order"
    timed.press("2")
    assert timed.event_texts(3)[-1] == "2 down"


def test_a_keypad_that_is_closed_while_it_is_unplugged_stays_closed(timed: EvdevBench) -> None:
    timed.start()
    timed.keypad.unplug()
    timed.event_texts(1)
    timed.run(timed.device.close)
    timed.keypad.plug_in()
    timed.later(10)
    assert timed.keypad.opening is None
    assert len(timed.events) == 1


def test_why_a_keypad_does_not_come_back_is_logged_once(
    timed: EvdevBench, caplog: pytest.LogCaptureFixture
) -> None:
    timed.start()
    timed.keypad.unplug()
    timed.event_texts(1)
    timed.later(10)
    assert len(caplog.messages) == 1
    assert "there is no input device" in caplog.messages[0]
