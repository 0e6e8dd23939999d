"""Recordings of simulated wheels, made as for ``calibrate``; and as files of a logic analyser."""

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

from vcd import VCDWriter

from config.schema import WheelSection
from controller.commissioning.calibration import Calibrated, calibrate
from controller.commissioning.wheel_recording import WheelRecording
from hal.events import LINES, EdgeBatch
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.settings import WheelSettings
from hal.mock.wheel import MockHead
from hal.mock.world import World

Edge = tuple[str, int]
"""A letter (see :mod:`hal.events`), and the stamp."""
CALIBRATED = date(2025, 12, 1)
_RESTS_NS = 5 * NS_PER_S
_SLOW_TURN_S = 22.0


@dataclass
class Recorded:
    """A recording: what a logic analyser has of a wheel."""

    levels: dict[str, bool]
    edges: list[Edge]
    ends_ns: list[int]
    """When each act was over."""

    def edited(self, edit: Callable[[Edge], Edge | None]) -> "Recorded":
        """The same with other edges: each as it is changed, or left out."""
        edges = [changed for edge in self.edges if (changed := edit(edge)) is not None]
        return Recorded(self.levels, sorted(edges, key=lambda edge: edge[1]), self.ends_ns)

    def fed(self, wheel: WheelSection) -> WheelRecording:
        """As ``calibrate`` takes it."""
        batch = EdgeBatch(
            "".join(letter for letter, _ in self.edges).encode(),
            array("q", (at_ns for _, at_ns in self.edges)),
            range(1, len(self.edges) + 1),
        )
        return WheelRecording(self.levels, wheel, [batch])

    def save(self, file: Path) -> Path:
        """As a VCD file."""
        begin_ns = self.edges[0][1] - NS_PER_S
        with file.open("w") as stream, VCDWriter(stream, timescale="1 ns") as writer:
            wires = {
                letter: writer.register_var("libsigrok", name, "wire", size=1, init=int(self.levels[letter]))
                for name, letter in LINES.items()
                if letter in self.levels
            }
            for letter, at_ns in self.edges:
                writer.change(wires[letter.upper()], at_ns - begin_ns, int(letter.isupper()))
        return file


class RecordedWheel:
    """A simulated wheel, and the hands on it.

    Args:
        slice_ns: how often it delivers its edges; None delivers them at rest.
    """

    def __init__(self, settings: WheelSettings, slice_ns: int | None = None) -> None:
        self.settings = settings
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        self.world.slice_ns = slice_ns
        self.head: MockHead = self.world.fit_wheel(settings)

    @property
    def section(self) -> int:
        """The one that is truly at the clapper."""
        return self.head.true_position()[0]

    def rest(self) -> None:
        """Wait until it has come to rest."""
        self.clock.advance_to(self.head.at_rest_ns + _RESTS_NS)
        self.head.poll()

    def turn(self, turns: float) -> None:
        """By hand, slowly; counterclockwise, or clockwise if negative."""
        self.head.turn(turns * self.head.sections, max(1.0, abs(turns) * _SLOW_TURN_S / 2.2))
        self.rest()

    def throw(self, turns: float) -> None:
        """As a dealer does."""
        self.head.throw(abs(turns), 1 if turns > 0 else -1)
        self.rest()

    def free(self) -> None:
        """Turn it on until no peg bends the clapper."""
        while self.head.true_position()[1]:
            self.turn(0.4 / self.head.sections)

    def lay_on(self, section: int) -> None:
        """Turn it by hand until a section is at the clapper, the leather free, and let it go."""
        head, at, turn = self.head, self.head.physics.peg_at, self.head.sections
        middle = (at(section) + at(section + 1)) / 2
        way = (middle - head.x + turn / 2) % turn - turn / 2
        direction = 1 if way > 0 else -1
        side = head.physics.sides[direction]
        # Past the place where the leather slips off the peg behind, if the middle is not.
        behind = at(section if way > 0 else section + 1) + side.offset + direction * side.slip
        if (middle - behind) * direction < 0:
            way += behind - middle + direction * 0.02
        head.turn(way, 4.0)

    def acts(self) -> Iterator[Callable[[], None]]:
        """What a technician does for a calibration, one after the other."""
        yield from (partial(self.turn, turns) for turns in (-2.2, 2.2))
        yield from (partial(self.throw, turns) for turns in (-4.5, 4.5))
        yield self.free

    def record(self, acts: Iterable[Callable[[], None]] | None = None) -> Recorded:
        """Do all of it, or something else."""
        recorded = Recorded(dict(self.head.levels()), [], [])

        def keep(batch: EdgeBatch) -> None:
            recorded.edges.extend(zip(batch.edges.decode(), batch.timestamps_ns, strict=True))

        self.head.start(keep)
        for act in self.acts() if acts is None else acts:
            act()
            recorded.ends_ns.append(self.clock.now_ns())
        return recorded

    def calibrated(self, recorded: Recorded | None = None) -> Calibrated:
        """Calibrate it, from a recording made as for that; the section at its clapper is named as it truly is.

        Raises:
            MeasurementError: the recording does not give the geometry.
        """
        recording = (recorded or self.record()).fed(self.in_file())
        return calibrate(recording, self.head.sections, self.section, CALIBRATED)

    def in_file(self) -> WheelSection:
        """The wheel's section of a table's file before it is calibrated."""
        return WheelSection(
            counts_per_turn=self.settings.counts_per_turn, index_offset_counts=7, reversed=self.settings.reversed
        )
