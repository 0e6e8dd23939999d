"""Wheel readers and keypads on a serial line: what they send, what the table receives, their cable and port."""

import termios
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial.tools.list_ports
from pydantic import ValidationError

from contracts.devices import KeysContract, ReaderContract
from contracts.wire import CHARACTERS, STATES, Benches, KeysBench, ReaderBench, Wire, Wiring
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
    ("options", "sent", "fault"),
    [
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
def test_anything_else_is_a_reader_fault_with_a_message(
    benches: Benches, options: dict[str, object], sent: bytes, fault: str
) -> None:
    assert benches.reader(**options).start().receives(sent, events=1) == [("", fault)]


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ({"checksum": "xor"}, b"17*06\r\n"),
        ({"line_end": r"\r"}, b"17\r"),
        ({"line_end": "\r"}, b"17\r"),
        ({"line_end": r"\n\r"}, b"17\n\r"),
        ({"line_start": r"\x02", "line_end": r"\x03", "checksum": "bcc"}, b"\x0217\x03\x05"),
    ],
)
def test_a_result_is_read_in_every_format(benches: Benches, options: dict[str, object], sent: bytes) -> None:
    assert benches.reader(**options).start().receives(sent, events=1) == [("17", "")]


def test_a_line_that_comes_in_pieces_is_whole(benches: Benches) -> None:
    bench = benches.reader(VirtualClock(), silence_ms="500", pattern="(?P<pocket>1234)")
    bench.later(500)
    bench.start()
    for piece in (b"1", b"23", b"4\r"):
        bench.reads(piece)
        bench.later(400)
    assert bench.receives(b"\n", events=1) == [("1234", "")]
    assert bench.events[0].timestamp_ns == 1_700_000_000, "the time of the read"
    bench.later(2000)
    assert len(bench.events) == 1


def test_a_line_that_stops_is_a_half_line_and_the_next_one_is_whole(benches: Benches) -> None:
    bench = benches.reader(VirtualClock(), silence_ms="500").start()
    bench.later(500)
    bench.reads(b"1")
    bench.later(499)
    assert bench.events == []
    bench.later(1)
    assert bench.receives(b"23\r\n", events=2) == [("", "half line: '1'"), ("23", "")]


def test_a_line_in_transit_when_the_port_was_opened_is_not_trusted(benches: Benches) -> None:
    bench = benches.reader(VirtualClock(), silence_ms="500").start()
    bench.later(499)
    assert bench.receives(b"7\r\n17\r\n", events=2) == [("", "half line"), ("17", "")]


def test_a_line_in_transit_when_the_reader_was_started_is_not_trusted(benches: Benches) -> None:
    bench = benches.reader(VirtualClock(), silence_ms="500")
    bench.later(500)
    bench.wire.send(b"23\r\n1")
    bench.until(lambda: bench.wire.arrived == 5)
    assert bench.start().receives(b"7\r\n36\r\n", events=2) == [("", "half line"), ("36", "")]


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


def _quiet(benches: Benches) -> KeysBench:
    """A keypad whose next line is whole."""
    bench = benches.keys(VirtualClock()).start()
    bench.later(5000)
    return bench


def _strikes(bench: KeysBench, every_ms: int, for_ms: int, *codes: bytes) -> list[str]:
    """What the table has heard of codes that come so often."""
    for number in range(for_ms // every_ms):
        bench.reads(codes[number % len(codes)])
        bench.later(every_ms)
    return bench.heard()


def test_a_key_whose_code_is_repeated_is_held_down_until_the_repetition_ends(benches: Benches) -> None:
    bench = _quiet(benches)
    heard = _strikes(bench, 50, 12_000, b"K01\r\n")
    assert heard[-1] == "1 held"
    assert len(heard) <= 2 * 1000 // 50 + 1, "what is repeated for a second is no press any more"
    held = bench.events[-1]
    bench.later(1000)
    assert bench.heard()[-1] == "1 up"
    assert bench.events[-1].timestamp_ns - held.timestamp_ns > 10_000_000_000
    assert _strikes(bench, 1000, 1000, b"K01\r\n")[-2:] == ["1 down", "1 up"], "a hand's again"


def test_a_repetition_that_falters_is_no_press_of_a_hand(benches: Benches) -> None:
    """The table, or the keypad, may be busy for a moment while the key is held down."""
    bench = _quiet(benches)
    assert _strikes(bench, 50, 2000, b"K01\r\n")[-1] == "1 held"
    heard = len(bench.events)
    bench.later(300)
    _strikes(bench, 50, 2000, b"K01\r\n")
    assert len(bench.events) == heard


def test_another_key_says_that_the_one_before_is_up(benches: Benches) -> None:
    bench = _quiet(benches)
    _strikes(bench, 50, 2_000, b"K01\r\n")
    assert _strikes(bench, 50, 50, b"K02\r\n")[-4:] == ["1 held", "1 up", "2 down", "2 up"]


@pytest.mark.parametrize(
    ("every_ms", "codes"), [(150, (b"K01\r\n",)), (30, (b"K01\r\n", b"K02\r\n"))], ids=["slower", "two keys"]
)
def test_what_may_be_hands_is_pressed_each_time(benches: Benches, every_ms: int, codes: tuple[bytes, ...]) -> None:
    heard = _strikes(_quiet(benches), every_ms, 12_000, *codes)
    assert len(heard) == 2 * (12_000 // every_ms)
    assert not [line for line in heard if "held" in line]


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


def test_a_reader_that_keeps_sending_garbage_is_reported_once_a_second(benches: Benches) -> None:
    """As at a wrong baud rate: the journal is not to be filled with it, and a pocket in between is read."""
    clock = VirtualClock()
    reader = benches.reader(clock).start()
    for _ in range(40):
        reader.later(100)
        reader.reads(b"\xf8\x80?\r\n")
    assert len(reader.events) == 4
    assert all(event.fault for event in reader.events)
    reader.reads(b"17\r\n")
    reader.reads(b"\xf8\r\n")
    assert [event.pocket for event in reader.events[4:]] == ["17", ""]


# -- the cable -------------------------------------------------------------------------------------------------


def test_a_reader_whose_cable_is_pulled_is_reported_once_and_reopened(benches: Benches, port: Path) -> None:
    bench = benches.reader(VirtualClock(), silence_ms="500", retry_s="2").start()
    bench.later(500)
    bench.reads(b"1")
    bench.wire.pull()
    (fault,) = bench.receives(events=1)
    assert fault[0] == ""
    assert fault[1].startswith(f"the serial port {port} is gone (")
    assert fault[1].endswith("); check its cable and plug; it is reopened automatically")
    bench.later(10_000)
    bench.wire.plug_in()
    bench.later(1999)
    assert not bench.wire.open
    bench.later(1)
    assert bench.wire.open
    bench.later(500)
    assert bench.receives(b"23\r\n", events=2)[1:] == [("23", "")]


def test_a_line_in_transit_when_the_cable_returns_is_not_trusted(benches: Benches) -> None:
    bench = benches.reader(VirtualClock(), silence_ms="500").start()
    bench.later(500)
    bench.wire.pull()
    bench.receives(events=1)
    bench.wire.plug_in()
    bench.later(10)
    assert bench.wire.open
    assert bench.receives(b"7\r\n17\r\n", events=3)[1:] == [("", "half line"), ("17", "")]


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
        ("reader", {"line_start": "a", "line_end": "a"}, "line_start and line_end are the same"),
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
