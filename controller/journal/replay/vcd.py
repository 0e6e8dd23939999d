"""Writes a round's edges and presses as a VCD file, which PulseView, GTKWave and ``bench --capture`` open."""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TextIO

from vcd import VCDWriter

from controller.events.event import Press
from controller.events.record import Record
from controller.journal.replay.trace import EdgeStretch
from hal.events import LINES

_PRESS_NS = 80_000_000
"""The length of a press in the file: the record only has the time at which a key went down."""
_SIGNALS = {letter: "encoder_index" if name == "index" else name for name, letter in LINES.items()}


def write_vcd(stretches: Sequence[EdgeStretch], records: Iterable[Record], about: str, out: TextIO) -> None:
    """Write a round.

    Args:
        stretches: its edges since one start of the table, as each boot has its own monotonic time.
        records: of the same time; presses become pulses.
        about: a comment for the file's header; levels that were read at rest, without an edge, are added to it.
    """
    first: dict[str, bool] = {}
    changes: list[tuple[int, str, bool]] = []
    for stretch in stretches:
        for letter, level in stretch.levels_before.items():
            first.setdefault(_SIGNALS[letter], level)
        if (reading := stretch.reading) is not None:
            changes += ((reading.at_ns, _SIGNALS[line], level) for line, level in reading.unseen.items())
            about += f"; {reading}: no edge, a change of level at {reading.at_ns} ns of the record's time"
        for edge, at_ns in zip(stretch.edges.decode(), stretch.stamps_ns, strict=True):
            changes.append((at_ns, _SIGNALS[edge.upper()], edge.isupper()))
    for record in records:
        if isinstance(record.event, Press):
            name, at_ns = record.event.control.replace("-", "_"), record.event.at_ns
            first.setdefault(name, False)
            changes += [(at_ns, name, True), (at_ns + _PRESS_NS, name, False)]
    changes.sort(key=itemgetter(0))  # Changes at the same moment stay in the order in which they came.
    start_ns = changes[0][0] - 1_000_000 if changes else 0
    with VCDWriter(out, timescale="1 ns", comment=about) as writer:
        wires = {
            name: writer.register_var("table", name, "wire", size=1, init=int(level))
            for name, level in first.items()
        }
        for at_ns, name, level in changes:
            writer.change(wires[name], at_ns - start_ns, int(level))
