"""A serial port: its cable is pulled, it is missing or cannot be opened, and its options in the table's file."""

import termios
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial.tools.list_ports
from contracts.loop import Loop
from contracts.wire import Benches, Wire, Wiring
from pydantic import ValidationError

from hal.clock import LoopClock
from hal.errors import HalError
from hal.mock.clock import VirtualClock
from hal.registry import open_device, settings_model


@pytest.fixture
def port(tmp_path: Path) -> Path:
    return tmp_path / "ttyUSB0"


@pytest.fixture
def benches(port: Path) -> Iterator[Benches]:
    made = Benches(port)
    yield made
    made.close()


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


# -- at the start ----------------------------------------------------------------------------------------------


def refusal(port: Path | str) -> str:
    """Why a reader at a port cannot be opened."""
    bench = Loop()
    try:
        with pytest.raises(HalError) as failure:
            bench.run(lambda: open_device("reader", "serial", Wiring(), {"port": str(port)}, LoopClock()))
    finally:
        bench.close()
    return str(failure.value)


def test_a_port_that_does_not_exist(port: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = [SimpleNamespace(device="/dev/ttyUSB7", description="FT232R USB UART")]
    monkeypatch.setattr(serial.tools.list_ports, "comports", lambda: there)
    words = (
        f"there is no serial port {port}; there are: /dev/ttyUSB7 (FT232R USB UART); plug the device in, or correct"
    )
    assert refusal(port).startswith(words)
    there.clear()
    assert "; there is none at all; " in refusal(port)


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
        settings_model(kind, "serial").model_validate({"port": "/dev/ttyUSB0", **options})
    assert words in str(failure.value)
