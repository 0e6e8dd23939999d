"""Lines of a serial device: what comes out depends on the bytes only, and nothing but whole checked lines does."""

from functools import reduce
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.serial.lines import Broken, Framing, LineReader, Reason, TextLine

ENDS = (b"\r\n", b"\n", b"\r", b";", b"\x03", b"..\r\n")
PLAIN = st.builds(
    Framing, st.sampled_from(ENDS), st.sampled_from(["none", "xor", "sum"]), st.sampled_from([1, 5, 20])
)
FRAMES = st.builds(
    Framing,
    st.just(b"\x03"),
    st.sampled_from(["none", "sum", "bcc"]),
    st.sampled_from([1, 5]),
    st.sampled_from([b"\x02", b"\x01<<"]),
)
FRAMINGS = PLAIN | FRAMES


def with_checksum(text: bytes, kind: str) -> bytes:
    """A line as a device would send it, written without the code that is tested."""
    body = text[1:] if text[:1] in (b"$", b"!") else text
    if kind in ("none", "bcc"):
        return text
    check = reduce(lambda a, b: a ^ b, body, 0) if kind == "xor" else sum(body) % 256
    return text + b"*%02X" % check


def texts_of(data: bytes, framing: Framing) -> list[str]:
    """The texts of all whole checked lines, found in the slowest and plainest way."""
    texts = []
    for line in data.split(framing.end)[:-1]:
        text = line if framing.checksum == "none" else line[:-3]
        printable = all(32 <= byte <= 126 for byte in line)
        alike = line.upper() == with_checksum(text, framing.checksum).upper()
        if printable and len(line) <= framing.longest and alike:
            texts.append(text.decode())
    return texts


def whole(text: bytes, framing: Framing) -> bytes:
    """A line with its ends."""
    line = with_checksum(text, framing.checksum) + framing.end
    check = bytes([reduce(lambda a, b: a ^ b, line, 0)]) if framing.checksum == "bcc" else b""
    return framing.start + line + check


@st.composite
def streams(draw: st.DrawFn, framings: st.SearchStrategy[Framing] = FRAMINGS) -> tuple[Framing, bytes]:
    """What a device may send: results, their beginnings, line ends and noise."""
    framing = draw(framings)
    texts = st.sampled_from([b"17", b"00", b"$5", b"!", b"", b"*", b"RPM 23", b"1234567890123456789012"])
    lines = texts.map(lambda text: whole(text, framing))
    pieces = st.one_of(
        lines,
        lines,
        texts,
        st.binary(max_size=6),
        st.sampled_from([framing.end[:1], framing.start[:2], b"\r", b"\n"]),
    )
    return framing, b"".join(draw(st.lists(pieces, max_size=12)))


def fed(lines: LineReader, data: bytes, cuts: list[int]) -> list[TextLine | Broken]:
    """What comes out of bytes that are read in pieces."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    found: list[TextLine | Broken] = []
    for start, end in pairwise(places):
        found += lines.feed(data[start:end])
    return found


@given(streams(), st.lists(st.integers(0, 10_000), max_size=20), st.booleans())
@settings(max_examples=400)
def test_it_does_not_matter_how_the_bytes_are_cut_into_reads(
    stream: tuple[Framing, bytes], cuts: list[int], heard: bool
) -> None:
    framing, data = stream
    found = []
    for places in ([], cuts, list(range(len(data)))):
        lines = LineReader(framing)
        lines.begin(at_start=heard)
        found.append((fed(lines, data, places), lines.pending, lines.silence(), lines.feed(whole(b"1", framing))))
    assert found[0] == found[1] == found[2]


@given(streams(PLAIN), st.lists(st.integers(0, 10_000), max_size=20))
@settings(max_examples=400)
def test_a_text_is_delivered_if_and_only_if_a_whole_checked_line_has_it(
    stream: tuple[Framing, bytes], cuts: list[int]
) -> None:
    framing, data = stream
    found = fed(LineReader(framing), data, cuts)
    assert [item.text for item in found if isinstance(item, TextLine)] == texts_of(data, framing)
    assert len(found) == data.count(framing.end) + (LineReader(framing).feed(data.split(framing.end)[-1]) != [])


@given(st.binary(max_size=4000), FRAMINGS, st.lists(st.integers(0, 10_000), max_size=5))
def test_a_line_end_that_never_comes_costs_no_memory(noise: bytes, framing: Framing, cuts: list[int]) -> None:
    lines = LineReader(framing)
    data = noise.replace(framing.end[-1:], b"")
    found = fed(lines, data, cuts)
    assert lines.held <= len(framing.start) + framing.longest + len(framing.end)
    assert [item.reason for item in found if isinstance(item, Broken)] in ([], [Reason.TOO_LONG])
    assert not [item for item in found if isinstance(item, TextLine)]


@pytest.mark.parametrize(
    ("kind", "line", "text"),
    [
        ("xor", b"$PSRF103,00,01,00,01*25", "$PSRF103,00,01,00,01"),
        ("xor", b"$GPGGA,015808.00,2726.53758,S,15126.05255,E,1,08,1.0,365.1,M,39.5,M,,*79", None),
        ("xor", b"17*06", "17"),
        ("xor", b"!17*06", "!17"),
        ("xor", b"a*b*29", "a*b"),
        ("xor", b"*00", ""),
        ("sum", b"17*68", "17"),
        ("sum", b"zzz*6e", "zzz"),
    ],
)
def test_lines_whose_checksum_others_have_computed(kind: str, line: bytes, text: str | None) -> None:
    """NMEA sentences from the world, and short ones that are added up by hand."""
    expected = line.rpartition(b"*")[0].decode() if text is None else text
    assert LineReader(Framing(checksum=kind)).feed(line + b"\r\n") == [TextLine(expected)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "line", [b"17", b"17*", b"17*6", b"17*07", b"17*0x", b"17*+6", b"17* 6", b"17*06 ", b"1706", b""]
)
def test_lines_without_their_checksum(line: bytes) -> None:
    assert LineReader(Framing(checksum="xor")).feed(line + b"\r\n") == [Broken(Reason.WRONG_CHECKSUM, line)]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"\x0217\x03\x05\x020\x033", "17 0"),
        (b"\x0217\x03\x05\r\n\x020\x033\r\n", "17 0"),
        (b"\x0217\x03\x04\x020\x033", "(wrong checksum: '17') 0"),
        (b"7\x03\x05\x020\x033", "(half line) 0"),
        (b"\xff\x03\x020\x033", "(half line) 0"),
        (b"\xff" * 90 + b"\x0217\x03\x05", "17"),
        (b"\xff\x0217\x03\x05", "17"),  # Noise before a start is not in the line.
        (b"\x02\x0217\x03\x05", r"(not text: '\x0217')"),
        (b"\x0212345678901\x03\x00\x020\x033", "(too long: '1234567890') 0"),
    ],
)
def test_frames_with_a_start_an_end_and_a_block_check(sent: bytes, expected: str) -> None:
    """STX, text, ETX and the exclusive or of text and ETX."""
    for step in (1, len(sent)):
        lines = LineReader(Framing(b"\x03", "bcc", 10, b"\x02"))
        items = [item for at in range(0, len(sent), step) for item in lines.feed(sent[at : at + step])]
        assert " ".join(item.text if isinstance(item, TextLine) else f"({item})" for item in items) == expected
        assert lines.silence() == []
