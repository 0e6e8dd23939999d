"""Recordings of other tools: VCD files as IEEE 1364-2005, chapter 18, has them."""

from pathlib import Path

import pytest
from pydantic import create_model

from hal.capture import CaptureContacts, captured, recording
from hal.errors import HalError
from hal.events import KeyEvent
from hal.mock.clock import VirtualClock
from hal.registry import open_device

HEAD = "$timescale 1 us $end $scope module la $end $var wire 1 ! clapper $end $var wire 1 # done $end\n"
END = "$upscope $end $enddefinitions $end\n"
WIRING = create_model("Pins", clapper=(int, 23))()


def vcd(tmp_path: Path, body: str, head: str = HEAD, coding: str = "ascii") -> str:
    file = tmp_path / "a.vcd"
    file.write_text(head + END + body, encoding=coding)
    return str(file)


@pytest.mark.parametrize(
    ("body", "first", "edges"),
    [
        ("#0 0! #10 1! #20 0!", False, "C10 c20"),
        ("#0 b0 ! #10 b1 ! #20 0!", False, "C10 c20"),  # One-bit vectors.
        ("$dumpvars x! $end #0 0! #10 1!", False, "C10"),
        ("#0 $dumpvars x! $end 0! #10 1!", False, "C10"),
        ("#0 $dumpvars 0! $end #10 1! #20 $dumpall 1! $end #30 0!", False, "C10 c30"),
        ("#0 #10 1! #20 0!", True, "c20"),  # Its first value is at its first change.
        ("#0 z! #10 1! #20 0!", True, "c20"),
        ("#0 0! #10 $dumpoff x! $end #5000000 $dumpon 0! $end #9000000 1!", False, "C9000000"),
        ("#0 0! #10 $dumpoff $end #5000000 $dumpon 0! $end #9000000 1!", False, "C9000000"),
        ("#0 0! #10 x!\n0! #20 1!", False, "C20"),  # Unknown for no time.
        ("#0 0! #10 1! #20 $dumpoff x! $end", False, "C10"),  # Nothing is known to be lost at the end.
    ],
)
def test_levels_and_edges(tmp_path: Path, body: str, first: bool, edges: str) -> None:
    levels, batch = captured(WIRING, vcd(tmp_path, body))
    assert levels == {"C": first}
    found = zip(batch.edges.decode(), batch.timestamps_ns, strict=True)
    assert " ".join(f"{edge}{at_ns // 1000}" for edge, at_ns in found) == edges
    assert list(batch.seqnos) == list(range(1, len(batch) + 1))


@pytest.mark.parametrize(
    ("timescale", "unit_ns"),
    [("1 ns", 1), ("10 us", 10_000), ("100ms", 100_000_000), ("1 s", 10**9), ("100 ps", 0.1), ("1 fs", 1e-6)],
)
def test_any_timescale(tmp_path: Path, timescale: str, unit_ns: float) -> None:
    _, batch = captured(WIRING, vcd(tmp_path, "#0 0! #7000001 1!", HEAD.replace("1 us", timescale)))
    assert batch.timestamps_ns[0] == round(7_000_001 * unit_ns)


TWICE = f"{HEAD}$upscope $end $scope module top $end $var wire 1 ! clapper $end\n"


@pytest.mark.parametrize("head", [TWICE, *(HEAD.replace("clapper", name) for name in ("clapper [3]", "CLAPPER"))])
def test_other_spellings_of_a_name_one_signal_in_two_scopes_and_a_mark_of_utf_8(tmp_path: Path, head: str) -> None:
    levels, batch = captured(WIRING, vcd(tmp_path, "#0 1! #10 0!", head, "utf-8-sig"))
    assert (levels, batch.edges) == ({"C": True}, b"c")


@pytest.mark.parametrize(
    ("body", "head", "words"),
    [
        ("#0 0!\n#50 1!\n#10 0!", HEAD, "line 5: the time runs backwards; export one recording only"),
        ("#0 0!\n#99999999999999999999 1!", HEAD, "line 4: the recording is longer than a year"),
        ("#0 0!", HEAD.replace("$timescale 1 us $end", ""), r"there is no \$timescale before"),
        ("#0 0!", HEAD.replace("1 us", "0 us"), r"there is no \$timescale before"),
        ("#0 0!\n#10 b101 !", HEAD, "line 4: 'clapper' has more than one bit"),
        (
            "#0 0! 0%",
            HEAD + "$upscope $end $scope module sim $end $var wire 1 % clapper $end\n",
            "lines 1 and 2 declare different signals 'clapper'; rename one of them",
        ),
        # A gap while the wheel moves, or in which it moved.
        ("#0 0! #10 1!\n#20 x!\n#30 1! #40 0!", HEAD, "line 4: 'clapper' is unknown until 0.000030 s"),
        ("#0 0!\n#9000000 $dumpoff x!\n$end #19000000 $dumpon 1! $end", HEAD, "line 4: 'clapper' is unknown"),
        ("#0 r1.5 !", HEAD, "no signal 'clapper'; there are: none"),
        ("", "", "it declares no signals"),
        ("\0", "", "line 2: this is no VCD file; export"),
    ],
)
def test_what_is_refused(tmp_path: Path, body: str, head: str, words: str) -> None:
    with pytest.raises(HalError, match=words):
        captured(WIRING, vcd(tmp_path, body, head))


def test_a_line_that_stays_unknown_while_another_moves_is_refused(tmp_path: Path) -> None:
    """Its last edges would be missing, and the wheel's position with them."""
    head = HEAD.replace("done", "index")
    wiring = create_model("Pins", clapper=(int, 23), index=(int, 22))()
    assert len(captured(wiring, vcd(tmp_path, "#0 0! 0# #10 1! #20 1# #30 x!", head))[1]) == 2
    with pytest.raises(HalError, match=r"'clapper' is unknown until .* while something moves"):
        captured(wiring, vcd(tmp_path, "#0 0! 0# #10 1! #20 x! #30 1#", head))


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le"])
def test_utf_16_is_named(tmp_path: Path, coding: str) -> None:
    words = "the file is UTF-16; save it as UTF-8" if coding == "utf-16" else "this is no VCD file"
    with pytest.raises(HalError, match=words):
        recording(vcd(tmp_path, "#0 0!", coding=coding))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("#0 0# #10 1# #20 0#", "down10 up20"),
        ("#0 #10 1# #20 0#", "down10 up20"),  # It is first mentioned when it is pressed.
        ("#0 #20 0# #30 1#", "down30"),
        ("#0 1# #20 0#", "held0 up20"),
        ("#0 0# #10 x# #20 1# #30 0#", "down20 up30"),
    ],
)
def test_keys(tmp_path: Path, body: str, expected: str) -> None:
    clock = VirtualClock()
    events: list[KeyEvent] = []
    CaptureContacts(KeyEvent, recording(vcd(tmp_path, body)), ["done"], clock).start(events.append)
    clock.advance_to(10**9)
    kinds = [("held" if event.held else "down" if event.pressed else "up", event) for event in events]
    assert " ".join(f"{kind}{event.timestamp_ns // 1000}" for kind, event in kinds) == expected


def test_a_head_delivers_in_the_tables_time(tmp_path: Path) -> None:
    clock = VirtualClock()
    clock.advance_to(500)
    settings = {"file": (file := vcd(tmp_path, "#0 0! #10 1! #200000 0!"))}
    _, batch = captured(WIRING, file)
    head, stamps = open_device("edges", "capture", WIRING, settings, clock), list[int]()
    head.start(lambda batch: stamps.extend(batch.timestamps_ns))
    clock.advance_to(100_000_000)
    assert stamps == [500 + batch.timestamps_ns[0]]
    assert head.levels() == {"C": True}
    clock.advance_to(10**9)
    assert stamps == [500 + at_ns for at_ns in batch.timestamps_ns]
