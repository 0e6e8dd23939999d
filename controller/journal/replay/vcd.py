"""Writes a round's edges and presses as a VCD file, which PulseView, GTKWave and ``bench --capture`` open."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TextIO

from vcd import VCDWriter

from controller.events.event import Press
from controller.events.record import Record
from controller.journal.replay.trace import EdgeStretch
from hal.events import LINES

_PRESS_NS = 80_000_000
"""The length of a press in the file: the record only has the time at which a key went down."""
_SHOWN = {"index": "encoder_index"}


@dataclass(frozen=True, slots=True, order=True)
class _Change:
    at_ns: int
    signal: str
    level: bool


def write_vcd(stretches: Sequence[EdgeStretch], records: Iterable[Record], about: str, out: TextIO) -> int:
    """Write a round.

    Args:
        stretches: its edges since one start of the table, as each boot has its own monotonic time.
        records: of the same time; presses become pulses.
        about: a comment for the file's header; levels that were read at rest, without an edge, are added to it.

    Returns:
        the number of edges written.
    """
    first: dict[str, bool] = {}
    changes: list[_Change] = []
    names = {letter: _SHOWN.get(name, name) for name, letter in LINES.items()}
    for stretch in stretches:
        for letter, level in stretch.levels.items():
            first.setdefault(names[letter], level)
        for edge, at_ns in zip(stretch.edges.decode(), stretch.stamps_ns, strict=True):
            changes.append(_Change(at_ns, names[edge.upper()], edge.isupper()))
    edges = len(changes)
    for reading in (reading for stretch in stretches for reading in stretch.readings):
        changes += (_Change(reading.at_ns, names[line], level) for line, level in reading.unseen.items())
        about += f"; {reading}: no edge, a change of level at {reading.at_ns} ns of the record's time"
    for record in records:
        if isinstance(record.event, Press):
            name = record.event.control.replace("-", "_")
            first.setdefault(name, False)
            changes += [
                _Change(record.event.at_ns, name, True),
                _Change(record.event.at_ns + _PRESS_NS, name, False),
            ]
    _write(first, sorted(changes), about, out)
    return edges


def _write(first: dict[str, bool], changes: list[_Change], about: str, out: TextIO) -> None:
    start_ns = changes[0].at_ns - 1_000_000 if changes else 0
    with VCDWriter(out, timescale="1 ns", comment=about) as writer:
        wires = {
            name: writer.register_var("table", name, "wire", size=1, init=int(level))
            for name, level in first.items()
        }
        for change in changes:
            writer.change(wires[change.signal], change.at_ns - start_ns, int(change.level))
