"""Wheel readers and keypads on a serial line: what they send, what the table receives, their cable and port."""

import re
import termios
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial.tools.list_ports
from pydantic import ValidationError

from contracts.devices import KeysContract, ReaderContract
from contracts.wire import CHARACTERS, STATES, Benches, ReaderBench, SerialBench, Wire, Wiring
from hal.errors import HalError
from hal.events import ReaderEvent
from hal.mock.clock import VirtualClock
from hal.registry import find_driver, open_device


@pytest.fixture
def port(tmp_path: Path) -> Path:
    return tmp_path / "ttyUSB0"


@pytest.fixture
def benches(port: Path) -> Iterator[Benches]:
    with closing(Benches(port)) as made:
        yield made


class TestSerialReader(ReaderContract):
    bench = pytest.fixture(lambda self, benches: benches.reader())


class TestSerialReaderWithTwoDigits(ReaderContract):
    """The documented example: ``00`` is zero, and ``37`` is double zero."""

    @pytest.fixture
    def bench(self, benches: Benches) -> ReaderBench:
        bench = benches.reader(**STATES)
        bench.line_of = lambda pocket: f"*X;5;021;{37 if pocket == '00' else int(pocket):02};0;180;1"
        return bench


class TestSerialKeys(KeysContract):
    bench = pytest.fixture(lambda self, benches: benches.keys())


class TestSerialKeysWithoutLines(KeysContract):
    bench = pytest.fixture(lambda self, benches: benches.keys(codes=CHARACTERS, end=b"", line_end="none"))


# -- readers ---------------------------------------------------------------------------------------------------


def test_a_reader_that_sends_its_state_every_second_names_a_pocket_in_one_state_only(benches: Benches) -> None:
    bench = benches.reader(**STATES).start()
    states = b"".join(b"*X;%d;021;24;0;180;1\r\n" % state for state in (1, 2, 3, 4, 6))
    received = bench.receives(states, b"*X;5;021;37;0;180;1\r\n", states, b"*X;5;022;07;0;180;1\r\n", events=2)
    assert received == [("00", ""), ("7", "")]


@pytest.mark.parametrize(
    ("options", "sent", "event"),
    [
        ({"checksum": "xor"}, b"17*06\r\n", "17"),
        ({"line_end": r"\r"}, b"17\r", "17"),
        ({"line_end": "\r"}, b"17\r", "17"),
        ({"line_end": r"\n\r"}, b"17\n\r", "17"),
        ({"line_start": r"\x02", "line_end": r"\x03", "checksum": "bcc"}, b"\x0217\x03\x05", "17"),
        ({}, b"\r\n", "does not match the pattern"),
        *(
            ({}, sent + b"\r\n", f"does not match the pattern: '{sent.decode()}'")
            for sent in (b"READY", b" 17", b"17.", b"117", b"37", b"07")
        ),
        (STATES, b"*X;5;021;38;0;180;1\r\n", "does not match the pattern: '*X;5;021;38;0;180;1'"),
        ({}, b"\xb1\xb7\r\n", r"not text: '\xb1\xb7'"),
        ({"longest_chars": "5"}, b"1234567", "too long: '12345'"),
        ({"checksum": "sum", "ignore": "17", "pattern": "(?P<pocket>1)"}, b"17\r\n", "wrong checksum: '17'"),
    ],
)
def test_a_result_is_read_in_every_format_and_anything_else_is_a_reader_fault_with_a_message(
    benches: Benches, options: dict[str, object], sent: bytes, event: str
) -> None:
    (received,) = benches.reader(**options).start().receives(sent, events=1)
    assert received == (("17", "") if event == "17" else ("", event))


def _plays(bench: SerialBench, steps: tuple[object, ...]) -> None:
    """Bytes are sent and read; a number is a time that passes, in milliseconds."""
    for step in steps:
        if isinstance(step, bytes):
            bench.reads(step)
        elif isinstance(step, int):
            bench.later(step)
        elif step == "pull":
            events = len(bench.events)
            bench.wire.pull()
            bench.until(lambda so_far=events: len(bench.events) > so_far)
        elif step == "plug in":
            bench.wire.plug_in()
        else:
            bench.start()


@pytest.mark.parametrize(
    ("steps", "received"),
    [
        (("start", 500, b"1", 400, b"23", 400, b"4\r", 400, b"\n", 2000), ["1234"]),
        (("start", 500, b"1", 499), []),
        (("start", 500, b"1", 500, b"1234\r\n"), ["half line: '1'", "1234"]),
        # A line in transit when the port was opened is not trusted, nor one when the reader was started.
        (("start", 499, b"4\r\n1234\r\n"), ["half line", "1234"]),
        ((500, "sent", b"4\r\n1234\r\n"), ["half line", "1234"]),
        # The cable returns, and is tried every two seconds.
        (("start", 500, b"1", "pull", 10_000, "plug in", 1999, 1, 500, b"1234\r\n"), ["gone", "1234"]),
        (("start", 500, "pull", "plug in", 2000, 499, b"4\r\n1234\r\n"), ["gone", "half line", "1234"]),
    ],
)
def test_only_whole_lines_are_trusted(
    benches: Benches, port: Path, steps: tuple[object, ...], received: list[str]
) -> None:
    bench = benches.reader(VirtualClock(), silence_ms="500", retry_s="2", pattern="(?P<pocket>1234)")
    if "sent" in steps:
        bench.later(500)
        bench.wire.send(b"1234\r\n123")
        bench.until(lambda: bench.wire.arrived == 9)
    _plays(bench, steps)
    gone = rf"the serial port {port} is gone \(.*\); check its cable and plug; it is reopened automatically"
    assert [event.pocket or re.sub(gone, "gone", event.fault) for event in bench.events] == received


def test_a_reader_that_keeps_sending_garbage_is_reported_once_a_second(benches: Benches) -> None:
    """As at a wrong baud rate: the journal is not to be filled with it, and a pocket in between is read."""
    bench = benches.reader(VirtualClock())
    _plays(bench, ("start", *(100, b"\xf8\x80?\r\n") * 40, b"17\r\n", b"\xf8\r\n"))
    assert [event.pocket for event in bench.events] == ["", "", "", "", "17", ""]


def test_an_event_handler_may_close_the_reader(benches: Benches) -> None:
    bench = benches.reader()

    def once(event: ReaderEvent) -> None:
        bench.events.append(event)
        bench.device.close()

    bench.run(lambda: bench.device.start(once))
    assert bench.receives(b"5\r\n6\r\n", events=1) == [("5", "")]


# -- keypads ---------------------------------------------------------------------------------------------------


def test_a_key_comes_up_as_soon_as_it_went_down(benches: Benches) -> None:
    bench = benches.keys().start()
    assert bench.receives(b"K01\r\nK15\r\n", events=4) == ["1 down", "1 up", "enter down", "enter up"]
    assert 0 <= bench.events[1].timestamp_ns - bench.events[0].timestamp_ns <= 1


def _often(every_ms: int, for_ms: int, *codes: bytes) -> tuple[object, ...]:
    """Codes in turn, with pauses."""
    return tuple(step for number in range(for_ms // every_ms) for step in (codes[number % len(codes)], every_ms))


ONE, TWO = b"K01\r\n", b"K02\r\n"


@pytest.mark.parametrize(
    ("steps", "heard"),
    [
        # What is repeated for a second is no press any more, until it ends. Then it is a hand's again.
        ((*_often(50, 12_000, ONE), 1000, ONE), "20 times 1, 1 held, 1 up, 1"),
        # The table, or the keypad, may be busy for a moment while the key is held down.
        ((*_often(50, 2000, ONE), 300, *_often(50, 2000, ONE)), "20 times 1, 1 held"),
        ((*_often(50, 2000, ONE), TWO), "20 times 1, 1 held, 1 up, 2"),
        # These may be hands.
        (_often(150, 12_000, ONE), "80 times 1"),
        (_often(30, 1500, ONE, TWO), ", ".join(["1, 2"] * 25)),
    ],
)
def test_a_key_whose_code_is_repeated_is_held_down_until_the_repetition_ends(
    benches: Benches, steps: tuple[object, ...], heard: str
) -> None:
    bench = benches.keys(VirtualClock())
    _plays(bench, ("start", 5000, *steps))
    pressed = ", ".join(bench.heard()).replace("1 down, 1 up", "1").replace("2 down, 2 up", "2").split(", ")
    runs = [(text, len(list(run))) for text, run in groupby(pressed)]
    assert ", ".join(text if times == 1 else f"{times} times {text}" for text, times in runs) == heard


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        (b"K99\r\n", "sends 'K99', which is no key's code; correct `codes`"),
        (b"K01 \r\n", "sends 'K01 ', which is no key's code; correct `codes`"),
        (
            b"K\xff1\r\n",
            r"cannot be understood, not text: 'K\xff1'; check baud_rate, parity, line_end and checksum",
        ),
        (b"K0", "cannot be understood, half line: 'K0'; check baud_rate"),
    ],
)
def test_a_keypad_that_sends_garbage_is_reported_once_until_the_next_valid_key(
    benches: Benches, port: Path, sent: bytes, fault: str
) -> None:
    bench = benches.keys(silence_ms="20" if sent == b"K0" else "5000").start()
    (text,) = bench.receives(sent, events=1)
    assert text.startswith(f"fault: the keypad at {port} {fault}")
    assert bench.receives(sent + b"\r\n", b"K98\r\nK02\r\nK02\r\n", events=6)[1:] == [
        *("in order", "2 down", "2 up"),
        *("2 down", "2 up"),
    ]
    assert bench.receives(b"K99\r\n", events=7)[-1].endswith("sends 'K99', which is no key's code; correct `codes`")


def test_a_keypad_without_lines_that_sends_another_character(benches: Benches) -> None:
    bench = benches.keys(codes=CHARACTERS, line_end="none").start()
    received = bench.receives(b"1x\0\x1b", events=6)
    assert received[:2] == ["1 down", "1 up"]
    assert "sends 'x', which is no key's code" in received[2]
    assert received[3:] == ["in order", "no-more-bets down", "no-more-bets up"]


@pytest.mark.parametrize(
    ("codes", "options", "words"),
    [
        ({"1": "a", "2": "a"}, {}, "'1' and '2' both send 'a'"),
        ({"1": "a", "2": r"\x61"}, {}, r"'1' and '2' both send '\x61'"),
        ({"1": r"\q"}, {}, r"the code of '1', '\q', cannot be read; a backslash stands alone; write \r"),
        ({"1": r"\r"}, {}, r"the code of '1', '\r', can never come as a line"),
        ({"1": "é"}, {}, "the code of '1', 'é', can never come as a line"),
        ({"1": "a;b"}, {"line_end": ";"}, "the code of '1', 'a;b', can never come as a line"),
        ({"1": "abcd"}, {"longest_chars": "3"}, "the code of '1', 'abcd', can never come as a line"),
        ({"1": "ab"}, {"line_end": "none"}, "the code of '1', 'ab', is not one character"),
    ],
)
def test_codes_that_no_key_can_send(codes: dict[str, str], options: dict[str, object], words: str) -> None:
    with pytest.raises(HalError) as failure:
        open_device("keys", "serial", Wiring(codes=codes), {"port": "/dev/ttyS0", **options}, VirtualClock())
    assert words in str(failure.value)


# -- the cable -------------------------------------------------------------------------------------------------


def test_a_device_file_that_vanishes_is_noticed_although_the_driver_says_nothing(
    benches: Benches, port: Path
) -> None:
    bench = benches.keys().start()
    moved = port.with_suffix(".aside")
    port.rename(moved)
    assert bench.receives(events=1)[0].startswith(
        f"fault: the serial port {port} is gone (its device file is gone); "
    )
    moved.rename(port)
    assert bench.receives(events=2)[-1] == "in order"


def test_a_device_that_returns_under_another_number_is_reopened(benches: Benches) -> None:
    bench = benches.keys(VirtualClock(), silence_ms="500", retry_s="2").start()
    bench.later(1999)
    old, bench.wire = bench.wire, Wire(bench.wire.port)
    assert bench.events == []
    bench.later(1)
    assert "its device file is gone" in bench.receives(events=1)[0]
    bench.later(2000)
    assert bench.receives(events=2)[-1] == "in order"
    old.cut()
    bench.later(500)
    assert bench.receives(b"K01\r\n", events=4)[2:] == ["1 down", "1 up"]


# -- the port and its options -----------------------------------------------------------------------------------


def test_a_port_that_does_not_exist(port: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = [SimpleNamespace(device="/dev/ttyUSB7", description="FT232R USB UART")]
    monkeypatch.setattr(serial.tools.list_ports, "comports", lambda: there)

    def refusal() -> str:
        with pytest.raises(HalError) as failure:
            open_device("reader", "serial", Wiring(), {"port": str(port)}, VirtualClock())
        return str(failure.value)

    assert refusal().startswith(
        f"there is no serial port {port}; there are: /dev/ttyUSB7 (FT232R USB UART); plug the device in, or correct"
    )
    there.clear()
    assert "; there is none at all; " in refusal()


def test_the_settings_of_the_line_reach_the_port(benches: Benches) -> None:
    bench = benches.reader(baud_rate="19200", data_bits="7", parity="odd", stop_bits="2")
    iflag, _, cflag, _, speed, _, cc = bench.wire.attributes()
    assert speed == termios.B19200
    # Not the parity bit: a pseudo terminal has none, and Linux takes the wish away again.
    assert cflag & termios.CSTOPB
    assert iflag & termios.INPCK, "bytes with a wrong parity bit would be accepted"
    assert cc[termios.VMIN] == 1, "a read that finds nothing would look like a pulled cable"


@pytest.mark.parametrize(("dtr", "rts"), [(True, True), (False, True), (True, False)])
def test_dtr_and_rts_are_set_before_the_port_is_opened(
    benches: Benches, monkeypatch: pytest.MonkeyPatch, dtr: bool, rts: bool
) -> None:
    opened: list[tuple[bool, bool]] = []
    whole = serial.Serial.open

    def spied(port: serial.Serial) -> None:
        opened.append((port.dtr, port.rts))
        whole(port)

    monkeypatch.setattr(serial.Serial, "open", spied)
    benches.reader(dtr=str(dtr).lower(), rts=str(rts).lower())
    assert opened == [(dtr, rts)]


# -- options in the table's file -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("reader", {"pattern": "(?P<pocket>[0-9]"}, "this is no regular expression: missing ), unterminated"),
        ("reader", {"pattern": "([0-9]+)"}, "the pattern has no group 'pocket'; write (?P<pocket>...)"),
        (
            "reader",
            {"pattern": "x|(?P<pocket>[0-9])"},
            "the group 'pocket' is inside another group, an alternative",
        ),
        ("reader", {"pattern": "(?P<pocket>[0-9]+)"}, "the pattern allows more than 1000 codes"),
        ("reader", {"pattern": r"(.)(?P<pocket>0|1)\1"}, "the codes of this pattern cannot be listed"),
        ("reader", {"pattern": ".*(?P<pocket>[0-9]|1[0-9])"}, "allows the code '10' but reads it in no line"),
        ("reader", {"names": {"37": "00"}}, "the pattern never reads '37'; write codes as they are sent"),
        ("reader", {"line_end": "none"}, "a reader sends lines; write"),
        ("reader", {"line_end": "abcde"}, r"'abcde' cannot separate lines; write up to four characters, such as"),
        ("reader", {"line_start": "a", "line_end": "a"}, "line_start contains line_end; leave out line_start"),
        ("reader", {"line_start": r"\r\n*"}, "line_start contains line_end; leave out line_start"),
        ("reader", {"line_end": "A", "checksum": "xor"}, "the line end may be a part of the checksum; use another"),
        (
            "keys",
            {"line_end": "none", "checksum": "sum"},
            "single characters have no line_start and no checksum; remove both",
        ),
    ],
)
def test_invalid_options_are_refused(kind: str, options: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError) as failure:
        find_driver(kind, "serial").settings.model_validate({"port": "/dev/ttyUSB0", **options})
    assert words in str(failure.value)
